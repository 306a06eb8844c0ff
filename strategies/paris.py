"""Strategies for Paris d'amis. Each lays cards and bets, chooses its discards, and may change its hand.

A column is taken when its leader would be the player who lays. Prices of cards are in the points of the columns; a
trump laid in another suit's column costs three more. Scores of a plan are in thousandths.
"""

from simcore.bits import lowest, size
from simcore.contract import NONE, Parameter, procedure, strategy
from simcore.games.paris import ACT, CHANGE, DISCARD, KEEP_BET, REBET, lay, may_bet
from simcore.games.paris_redeal import discards
from simcore.games.paris_table import COLUMNS, JOKER, SUIT
from simcore.rng import below, coin
from strategies.paris_columns import (
    all_safe,
    best_taker,
    cheapest_taker,
    is_alone,
    last_act,
    leaders,
    likeliest_number,
    small_card,
    sound_bet,
)
from strategies.paris_random import any_act, any_bet, any_card, is_possible, some_cards

ALL_POINTS = (ACT, DISCARD, CHANGE, REBET)


@strategy("paris", answers=ALL_POINTS)
def random(point, table, seat, hand, params, stream):
    """Any legal card, column or bet, each equally likely; random discards; changes its hand half of the time."""
    if point == ACT:
        return any_act(table, seat, hand.cards, stream)
    if point == DISCARD:
        return some_cards(hand.cards, discards(table.rules, size(hand.cards)), stream)
    return coin(stream) if point == CHANGE else any_bet(table, seat, stream)


@strategy("paris", answers=ALL_POINTS, bets=Parameter(15, 0, 100, "percent: how often a turn is a bet"))
def random_patient(point, table, seat, hand, params, stream):
    """Bets in some of its turns on any number, else lays any legal card; random discards and changes."""
    if point == ACT:
        wants_bet = below(stream, 100) < params.bets
        action = any_bet(table, seat, stream) if wants_bet else any_card(table, seat, hand.cards, stream)
        return action if is_possible(table, seat, hand.cards, action) else any_act(table, seat, hand.cards, stream)
    if point == DISCARD:
        return some_cards(hand.cards, discards(table.rules, size(hand.cards)), stream)
    return coin(stream) if point == CHANGE else any_bet(table, seat, stream)


@strategy("paris", answers=ALL_POINTS)
def greedy_points(point, table, seat, hand, params, stream):
    """Takes the richest column that one card takes, as cheaply as it can; then bets on the leaders it sees."""
    if point != ACT:
        return plan_hand(point, table, seat, hand.cards, 76)
    action, richest = NONE, 0
    for column in range(COLUMNS):
        card = cheapest_taker(table, seat, hand.cards, column)
        if card != NONE and table.column[column].stake > richest:
            action, richest = lay(card, column), table.column[column].stake
    return action if action != NONE else sound_bet(table, seat, hand.cards, leaders(table))


@strategy(
    "paris",
    answers=ALL_POINTS,
    threshold=Parameter(100, 0, 1000, "thousandths: what a card must bring for its price"),
)
def marginal(point, table, seat, hand, params, stream):
    """Lays the card that brings most points for its price, most of all in its poor suits; else bets on the leaders."""
    if point != ACT:
        return plan_hand(point, table, seat, hand.cards, 76)
    if is_alone(table):
        return last_act(table, seat, hand.cards)
    action = best_taker(table, seat, hand.cards, params.threshold)
    return action if action != NONE else sound_bet(table, seat, hand.cards, leaders(table))


@strategy(
    "paris",
    answers=ALL_POINTS,
    threshold=Parameter(100, 0, 1000, "thousandths: what a card must bring for its price"),
    margin=Parameter(2, 0, 30, "lead that makes a column safe, for each card of an opponent, at most two"),
)
def early_sure(point, table, seat, hand, params, stream):
    """As marginal, but bets as soon as every column is safe, with an odd hand where a small card allows it."""
    if point != ACT:
        return plan_hand(point, table, seat, hand.cards, 76)
    if is_alone(table):
        return last_act(table, seat, hand.cards)
    action = best_taker(table, seat, hand.cards, params.threshold)
    if all_safe(table, params.margin):
        small = small_card(table, seat, hand.cards)
        if size(hand.cards) % 2 == 0 and small != NONE:
            return small
        return sound_bet(table, seat, hand.cards, leaders(table))
    return action if action != NONE else sound_bet(table, seat, hand.cards, leaders(table))


@strategy(
    "paris",
    answers=ALL_POINTS,
    threshold=Parameter(60, 0, 1000, "thousandths: what a card must bring for its price"),
    reserve=Parameter(3, 0, 12, "cards with which it stops waiting"),
)
def patient(point, table, seat, hand, params, stream):
    """As marginal, but lays small cards while others may still act, so as to bet last and surely."""
    if point != ACT:
        return plan_hand(point, table, seat, hand.cards, 76)
    if is_alone(table):
        return last_act(table, seat, hand.cards)
    action = best_taker(table, seat, hand.cards, params.threshold)
    if action != NONE:
        return action
    small = small_card(table, seat, hand.cards)
    if size(hand.cards) > params.reserve and small != NONE:
        return small
    return sound_bet(table, seat, hand.cards, leaders(table))


@strategy(
    "paris",
    answers=ALL_POINTS,
    threshold=Parameter(600, 0, 1000, "thousandths: what a card must bring for its price"),
    reserve=Parameter(1, 0, 12, "cards with which it stops waiting"),
    swing=Parameter(12, 1, 60, "lead that half of the opponents' next cards overtake"),
    change=Parameter(76, 0, 120, "tenths: value of a card in hand below which it changes its hand"),
    trump=Parameter(2, 0, 12, "what a next trump is worth above its value when discarding"),
)
def forecaster(point, table, seat, hand, params, stream):
    """Waits with small cards for the others to bet, down to its last one, and then takes what it can.

    Before that it takes a column only where a card brings much for its price. When it must bet early, it bets on the
    likeliest number of winners, as each leader may yet lose the column. An odd card left is not discarded: a reserve
    of 1 or 3 does better than one of 2.
    """
    if point == DISCARD:
        return least_wanted(table, seat, hand.cards, discards(table.rules, size(hand.cards)), params.trump)
    if point != ACT:
        return plan_hand(point, table, seat, hand.cards, params.change)
    if is_alone(table):
        return last_act(table, seat, hand.cards)
    action = best_taker(table, seat, hand.cards, params.threshold)
    if action != NONE:
        return action
    small = small_card(table, seat, hand.cards)
    if size(hand.cards) > params.reserve and small != NONE:
        return small
    return sound_bet(table, seat, hand.cards, likeliest_number(table, seat, params.swing))


@strategy("paris", answers=ALL_POINTS)
def hoarder(point, table, seat, hand, params, stream):
    """Bets at once on the leaders it sees, and keeps its cards."""
    if point != ACT:
        return plan_hand(point, table, seat, hand.cards, 0)
    return sound_bet(table, seat, hand.cards, leaders(table))


# Discards, new hands, new bets


@procedure
def plan_hand(point, table, seat, cards, change_below):
    """Discards what is least wanted; changes a poor hand; bets anew on what the columns say."""
    if point == DISCARD:
        return least_wanted(table, seat, cards, discards(table.rules, size(cards)), 2)
    if point == CHANGE:
        return is_poor(table, cards, change_below)
    number = leaders(table)
    return number if may_bet(table, 0, seat, number) and table.seat[seat].bet != number else KEEP_BET


@procedure
def least_wanted(table, seat, cards, count, trump):
    """The cards to discard: low values first, next trumps and cards of the own poorest suits last; jokers stay."""
    chosen, rest = 0, cards
    for _ in range(count):
        least, worst, left = 1 << 20, 0, rest
        while left:
            card = lowest(left)
            left &= left - 1
            if want(table, seat, card, trump) < least:
                least, worst = want(table, seat, card, trump), card
        chosen |= 1 << worst
        rest ^= 1 << worst
    return chosen


@procedure
def want(table, seat, card, trump):
    """How much a card is wanted in the next round."""
    if card >= JOKER:
        return 30
    suit, mine = card & 3, table.seat[seat]
    poorest = min(mine.points[0], mine.points[1], mine.points[2], mine.points[3])
    return table.rules.value[card] + trump * (suit == table.next_trump) + (mine.points[suit] == poorest)


@procedure
def is_poor(table, cards, tenths):
    """Whether a hand is worth less than fewer average cards, with at most one trump: 1 to change it."""
    value, rest = 0, cards
    while rest:
        value += table.rules.value[lowest(rest)]
        rest &= rest - 1
    trump = cards & (SUIT << table.next_trump) if table.next_trump != NONE else 0
    return 10 * value < (size(cards) - max(table.rules.cost, 0)) * tenths and size(trump) <= 1
