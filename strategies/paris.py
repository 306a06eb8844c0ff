"""Strategies for Paris d'amis. Each lays cards and bets, chooses its discards, and may change its hand.

A column is taken when its leader would be the player who lays. Prices of cards are in the points of the columns; a
trump laid in another suit's column costs TRUMP_PRICE more. Scores of a plan are in thousandths.
"""

import numpy as np

from simcore.bits import lowest, nth, size
from simcore.contract import NONE, Parameter, procedure, rule, strategy
from simcore.games.paris import ACT, CHANGE, DISCARD, KEEP_BET, REBET, fits, lay, may_bet, may_lay, trumps
from simcore.games.paris_columns import column_winner
from simcore.games.paris_redeal import discards
from simcore.games.paris_table import COLUMNS, JOKER, LAYS, SUIT
from simcore.rng import below, coin

ALL_POINTS = (ACT, DISCARD, CHANGE, REBET)
TRUMP_PRICE = 3
LEAST_PRICE = 2  # of a 2 in its own column
ONE = 1 << 10  # a probability of 1
NUMBERS = 5  # bets from 0 to 4
C0, C1, C2, C3 = np.arange(4)  # the columns


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


# Random answers


@procedure
def any_act(table, seat, cards, stream):
    """Each legal card in each column and each legal bet equally likely."""
    if not table.rules.is_usual or table.rules.jokers:
        return any_listed(table, seat, cards, True, True, stream)
    if not may_lay(table, seat):
        cards = 0
    trump = cards & trumps(table)
    plain, bets = cards ^ trump, len(table.seat)
    drawn = below(stream, bets + size(plain) + COLUMNS * size(trump))
    if drawn < bets:
        return drawn + 1
    drawn -= bets
    is_trump = -np.int64(drawn >= size(plain))  # all bits or none: a branch here would be a toss-up
    drawn -= size(plain) & is_trump
    card = nth(plain ^ ((plain ^ trump) & is_trump), drawn >> (2 & is_trump))
    return lay(card, (card & 3 & ~is_trump) | (drawn & 3 & is_trump))


@procedure
def any_card(table, seat, cards, stream):
    """Each legal card in each column equally likely; NONE without any."""
    return any_listed(table, seat, cards, True, False, stream)


@procedure
def any_bet(table, seat, stream):
    """Each legal bet equally likely; keeps it when there is none."""
    action = any_listed(table, seat, 0, False, True, stream)
    return action if action != NONE else KEEP_BET


@procedure
def any_listed(table, seat, cards, with_cards, with_bets, stream):
    """One of all legal answers of these kinds, each equally likely; NONE without any."""
    count = listed(table, seat, cards, with_cards, with_bets, NONE)
    return listed(table, seat, cards, with_cards, with_bets, below(stream, count)) if count else NONE


@procedure
def listed(table, seat, cards, with_cards, with_bets, wanted):
    """The legal answer at this place of the list; how many there are when none is wanted."""
    place = 0
    if with_bets:
        for number in range(NUMBERS):
            if may_bet(table, cards, seat, number):
                if place == wanted:
                    return number
                place += 1
    rest = cards if with_cards and may_lay(table, seat) else 0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        for column in range(COLUMNS):
            if fits(table, card, column):
                if place == wanted:
                    return lay(card, column)
                place += 1
    return place if wanted == NONE else NONE


@procedure
def some_cards(cards, count, stream):
    """So many cards of a hand, all choices equally likely."""
    chosen, left = 0, size(cards)
    for _ in range(count):
        card = nth(cards, below(stream, left))
        cards ^= 1 << card
        chosen |= 1 << card
        left -= 1
    return chosen


@procedure
def is_possible(table, seat, cards, action):
    """Whether an answer may be given: a card, or a legal bet."""
    return action >= LAYS or (action != NONE and may_bet(table, cards, seat, action))


# What is known of the columns


@rule
def is_alone(table):
    """Whether all but one have bet."""
    return table.bettors == len(table.seat) - 1


@procedure
def leaders(table):
    """How many players would win a column if the round ended now."""
    seen, count = 0, 0
    for column in range(COLUMNS):
        leader = column_winner(table, column)
        if leader != NONE:
            count += (seen >> leader) & 1 == 0
            seen |= 1 << leader
    return count


@procedure
def sound_bet(table, seat, cards, number):
    """The legal bet that is nearest to a number, lower ones first; a small card when no bet is legal."""
    for step in range(NUMBERS):
        if may_bet(table, cards, seat, number - step) and number >= step:
            return number - step
        if may_bet(table, cards, seat, number + step):
            return number + step
    return listed(table, seat, cards, True, False, 0)


@rule
def price(card, column):
    """What a card costs in a column: its rank from 2 upwards, more for a trump of another suit."""
    rank = card >> 2
    value = 12 if rank == 0 else min(rank + 1, 11)
    return value + (TRUMP_PRICE if card & 3 != column else 0)


@rule
def worth(table, card):
    """What a card counts in a column now."""
    rules = table.rules
    return rules.value[card & 63] + (rules.trump_strength if card & 3 == table.trump and card < JOKER else 0)


@procedure
def needed(table, seat, column):
    """What a player must add to a column to lead it; 0 for the leader, and for a column without a point card."""
    leader = column_winner(table, column)
    if leader == seat or table.column[column].at_stake == 0:
        return 0
    if leader == NONE:
        return 1
    mine, other = table.seat[seat], table.seat[leader]
    gap = other.total[column] - mine.total[column]
    is_first = mine.count[column] > 0 and mine.first[column] < other.first[column]
    return gap if is_first and gap > 0 else gap + 1


@procedure
def cheapest_taker(table, seat, cards, column):
    """The cheapest card that makes a player lead a column; NONE without one, or where the player leads."""
    gap = needed(table, seat, column)
    best, least = NONE, 1 << 20
    if gap > 0 and may_lay(table, seat):
        rest = cards & ((SUIT << column) | trumps(table) | (3 << JOKER))
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if worth(table, card) >= gap and price(card, column) < least and fits(table, card, column):
                best, least = card, price(card, column)
    return best


@procedure
def appeal(table, seat, column):
    """What a column's points are worth to a player, more in a suit with few points: quarters of a point."""
    return table.column[column].stake * (4 + max(0, 4 - table.seat[seat].points[column]))


@procedure
def best_taker(table, seat, cards, least):
    """The card that brings most for its price, and more than `least`; NONE without one."""
    action, best = NONE, least
    for column in range(COLUMNS):
        wanted = 250 * appeal(table, seat, column)
        if wanted // (2 + LEAST_PRICE) > best:
            card = cheapest_taker(table, seat, cards, column)
            if card != NONE and wanted // (2 + price(card, column)) > best:
                action, best = lay(card, column), wanted // (2 + price(card, column))
    return action


@procedure
def last_act(table, seat, cards):
    """What a player does who is alone: takes columns as long as it can, then bets on what lies there."""
    action = alone_taker(table, seat, cards, best_taker(table, seat, cards, 0))
    return action if action != NONE else sound_bet(table, seat, cards, leaders(table))


@procedure
def alone_taker(table, seat, cards, action):
    """The next card of a player who is alone: a single taker, else the highest card where several take a column."""
    if action != NONE or not may_lay(table, seat):
        return action
    limit = min(table.rules.marker_cap - table.seat[seat].laid, table.rules.alone - table.alone)
    best, richest = NONE, 0
    for column in range(COLUMNS):
        gap, reach, count, highest = needed(table, seat, column), 0, 0, NONE
        rest = cards & ((SUIT << column) | trumps(table))
        while rest and gap > 0:
            card = lowest(rest)
            rest &= rest - 1
            if fits(table, card, column):
                reach, count = reach + worth(table, card), count + 1
                if highest == NONE or worth(table, card) > worth(table, highest):
                    highest = card
        if gap > 0 and highest != NONE and reach >= gap and count <= limit and appeal(table, seat, column) > richest:
            best, richest = lay(highest, column), appeal(table, seat, column)
    return best


@procedure
def small_card(table, seat, cards):
    """The lowest card, laid in its own column, trumps last; NONE without one."""
    best, least = NONE, 1 << 20
    rest = cards if may_lay(table, seat) else 0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        column = card & 3
        cost = price(card, column) + (20 if column == table.trump else 0)
        if card < JOKER and cost < least and fits(table, card, column):
            best, least = lay(card, column), cost
    return best


@procedure
def lead(table, column):
    """By how much the leader of a column is ahead of the next player there."""
    leader, second = column_winner(table, column), 0
    for other in range(len(table.seat)):
        if other != leader:
            second = max(second, table.seat[other].total[column])
    return table.seat[leader].total[column] - second if leader != NONE else 0


@procedure
def cards_left(table, leader):
    """The cards of those who may still act, without the leader's own."""
    left = 0
    for other in range(len(table.seat)):
        if other != leader and table.seat[other].bet == NONE:
            left += table.seat[other].cards
    return left


@procedure
def all_safe(table, margin):
    """Whether no column is likely to change hands."""
    for column in range(COLUMNS):
        leader = column_winner(table, column)
        if leader == NONE or lead(table, column) <= margin * min(cards_left(table, leader), 2):
            return False
    return True


# What may yet happen


@procedure
def overtaken(table, column, leader, swing):
    """The probability that a column's leader loses it, in 1024ths: falls with the lead, rises with the cards left."""
    left = min(cards_left(table, leader), 8)
    if leader == NONE:
        return ONE if left else 0
    reach = swing * left
    return ONE * reach // (reach + 4 * lead(table, column) + 4) // 2 if left else 0


@procedure
def likeliest_number(table, seat, swing):
    """The number of winners that is most probable, when each leader may lose to any player who can still act."""
    held = column_winner(table, C0), column_winner(table, C1), column_winner(table, C2), column_winner(table, C3)
    lost = (
        overtaken(table, C0, held[0], swing),
        overtaken(table, C1, held[1], swing),
        overtaken(table, C2, held[2], swing),
        overtaken(table, C3, held[3], swing),
    )
    able = 0
    for other in range(len(table.seat)):
        able |= (table.seat[other].bet == NONE and table.seat[other].cards > 0) << other
    best, chance = 1, -1
    for number in range(1, len(table.seat) + 1):
        now = chance_of_number(len(table.seat), able, held, lost, number)
        if now > chance:
            best, chance = number, now
    return best


@procedure
def chance_of_number(players, able, held, lost, number):
    """How likely so many players win a column, over every way in which the columns may end."""
    total = 0
    for first in range(players):
        p = owns(able, held[0], lost[0], first)
        for second in range(players if p else 0):
            q = p * owns(able, held[1], lost[1], second)
            for third in range(players if q else 0):
                r = q * owns(able, held[2], lost[2], third)
                for fourth in range(players if r else 0):
                    if size((1 << first) | (1 << second) | (1 << third) | (1 << fourth)) == number:
                        total += r * owns(able, held[3], lost[3], fourth)
    return total


@rule
def owns(able, leader, lost, player):
    """The probability that a player wins a column, in 1024ths: the leader keeps it, or one who can act takes it."""
    if player == leader:
        return ONE - lost
    others = able & ~(1 << leader) if leader != NONE else able
    return lost // size(others) if (others >> player) & 1 else 0


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
