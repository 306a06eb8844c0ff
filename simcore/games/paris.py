"""Paris d'amis: lay cards in four columns, and bet on how many players will win the four point cards.

The rulings P1 to P34 are those of docs/games/paris.md. The loop asks for one card or bet at a time.
"""

import numpy as np

from simcore.bits import size
from simcore.contract import NONE, WHOLE, Game, Metric, event, procedure, rule
from simcore.games.paris_columns import award, joker_in, lay_card, turn_up
from simcore.games.paris_redeal import change_hand, deal_due, discards, draw, open_dice
from simcore.games.paris_rules import Rules, check
from simcore.games.paris_score import finish, largest_hands, last_in_score, leaders, score_key
from simcore.games.paris_table import (
    BET,
    CHANGED,
    COLUMNS,
    DISCARDED,
    HAND,
    HIDDEN,
    INSURANCE,
    INSURED,
    JOKER,
    KEPT,
    LAYS,
    REBET_JOKER,
    REBETS,
    ROUND,
    fits,
    hidden,
    lay,
    may_bet,
    may_lay,
    prepare,
    table,
    trumps,
)
from simcore.rng import shuffle, xoshiro

__all__ = ["ACT", "CHANGE", "DISCARD", "GAME", "KEEP_BET", "REBET", "fits", "lay", "may_bet", "may_lay", "trumps"]

ACT, DISCARD, CHANGE, REBET = np.arange(4)  # decision points: a card or a bet; a set of cards; 0 or 1; a bet
KEEP_BET = 7
FIXED, REVERSE, RANDOM, NO_TRUMP = range(4)  # trump_order
LAST_BETTOR, FIRST_BETTOR, ROTATE, LOWEST_SCORE = range(4)  # starter
HALFWAY = 4  # rounds after which a game is half played


@rule
def is_legal(point, table, hand, seat, action):
    """Whether the rules allow this answer at this decision point."""
    if point == ACT:
        return is_legal_act(table, hand.cards, seat, action)
    if point == DISCARD:
        legal = size(action & hand.cards) == discards(table.rules, table.seat[seat].cards)
        return legal and action >= 0 and action & ~hand.cards == 0
    if point == CHANGE:
        return 0 <= action <= 1
    return action == KEEP_BET or may_bet(table, 0, seat, action)


@rule
def is_legal_act(table, cards, seat, action):
    """Whether a player with these cards may make this bet or lay this card (P8 to P15)."""
    if action < LAYS:
        return may_bet(table, cards, seat, action)
    card, column = (action - LAYS) >> 2, action & 3
    return (card < 64) and ((cards >> card) & 1 != 0) and may_lay(table, seat) and fits(table, card, column)


@procedure
def deal(table, hidden, shuffler):
    """Shuffled piles of point cards, hands, and the first round."""
    rules, players = table.rules, len(table.seat)
    hidden.key, shuffler.a, shuffler.b, shuffler.c, shuffler.d = xoshiro(shuffler.a, shuffler.b, shuffler.c, shuffler.d)
    for column in range(COLUMNS):
        pile, prize = hidden.pile[column], table.column[column]
        for place in range(8):  # 7 8 9 10 J Q K A
            pile.cards[place] = 4 * ((place + 6) % 13) + column
        shuffle(shuffler, pile.cards, 0, 7, 8)
        pile.first, pile.end, prize.stake, prize.at_stake, prize.closed = 0, 8, 0, 0, 0
        hidden.trumps[column] = column
    shuffle(shuffler, hidden.trumps, 0, 3, 4)
    table.turns, table.cards_laid, table.right_bets, table.winners, table.empty_columns = 0, 0, 0, 0, 0
    table.shortages, table.cards_drawn, table.mulligans = 0, 0, 0
    table.ahead, table.largest, table.over, table.fault = 0, 0, 0, 0
    for place in range(8):
        table.with_winners[place], table.bets[place], table.hits[place] = 0, 0, 0
    for place in range(COLUMNS):
        table.right_at[place] = 0
    for place in range(16):
        table.hands[place] = 0
    table.played, table.starter, table.trump = 0, 0, NONE
    table.next_trump = trump_of(table, hidden, 0)
    open_dice(hidden, 0)
    order = rules.deck
    for seat in range(players):
        hidden.hand[seat].cards, order = draw(hidden, order, rules.deck, rules.initial_hand)
        mine = table.seat[seat]
        mine.cards = rules.initial_hand
        for column in range(COLUMNS):
            hidden.treasure[seat].points[column], mine.points[column] = 0, 0
    table.bettors = players  # the first round begins with the first turn


@rule
def trump_of(table, hidden, round):
    """P31: the trump suit of a round."""
    order = table.rules.trump_order
    if order == NO_TRUMP:
        return NONE
    if order == RANDOM:
        return hidden.trumps[round & 3]
    return round & 3 if order == FIXED else 3 - (round & 3)


@procedure
def start_round(table, hidden):
    """Clears the columns, turns up the point cards, and shows everybody the own hand."""
    table.trump = table.next_trump
    table.next_trump = trump_of(table, hidden, table.played + 1)
    table.turn, table.bettors, table.alone, table.stamp = table.starter, 0, 0, 0
    event(ROUND, table.starter, table.trump)
    turn_up(table, hidden)
    for seat in range(len(table.seat)):
        mine = table.seat[seat]
        mine.bet, mine.place, mine.laid = NONE, NONE, 0
        for column in range(COLUMNS):
            mine.total[column], mine.count[column], mine.best[column], mine.wild[column] = 0, 0, 0, 0
        table.hands[table.played & 15] += mine.cards
        event(HAND, seat, hidden.hand[seat].cards)
    for column in range(COLUMNS):
        hidden.lain[column].count = 0
    if table.played == HALFWAY:
        table.ahead, table.largest = leaders(table, hidden), largest_hands(table)


@rule
def place_bet(table, hidden, seat, number):
    """Puts the token on a number of winners (P16: seen at once, or later)."""
    mine = table.seat[seat]
    hidden.bet[seat] = number
    mine.bet = HIDDEN if table.rules.bets else number
    mine.place = table.bettors
    table.order[table.bettors & 3] = seat
    table.bettors += 1
    event(BET, seat, number)


@rule
def next_without_bet(table, seat):
    """The next player in turn who has not bet."""
    players, following = len(table.seat), seat
    for step in range(players - 1, 0, -1):  # from the farthest to the nearest: no branch to guess
        other = seat + step if seat + step < players else seat + step - players
        following = other if table.seat[other & 3].bet == NONE else following
    return following


@procedure
def settle(table, hidden):
    """The end of a round: who wins, whose bet was right, what is due, and who begins the next one."""
    players, winners = len(table.seat), award(table, hidden)
    table.winners += winners
    table.with_winners[winners] += 1
    hidden.right = 0
    for place in range(players):
        seat = table.order[place & 3]
        bet = hidden.bet[seat & 3]
        is_right = np.int64(bet == winners)
        table.seat[seat & 3].bet = bet
        table.right_bets += is_right
        table.right_at[place] += is_right
        table.bets[bet & 7] += 1
        table.hits[bet & 7] += is_right
        hidden.right |= is_right << seat
        hidden.due[seat & 3] = table.rules.draw[bet & 7] if is_right else table.rules.wrong
        if table.rules.jokers and table.rules.joker_mode == INSURANCE and not is_right:
            insure(table, hidden, seat)
    if table.played + 1 == table.rules.rounds:
        table.over = 1


@procedure
def insure(table, hidden, seat):
    """P33: a wrong bet draws as if it were right, for a joker."""
    joker = joker_in(hidden.hand[seat].cards)
    if joker and table.played + 1 < table.rules.rounds:
        hidden.hand[seat].cards ^= joker
        table.seat[seat].cards -= 1
        hidden.due[seat] = table.rules.draw[hidden.bet[seat] & 7]
        event(INSURED, seat, JOKER + (joker >> JOKER == 2))


@rule
def next_starter(table, hidden):
    """P24: who begins the next round."""
    players, starter = len(table.seat), table.rules.starter
    if starter == LAST_BETTOR:
        return table.order[players - 1]
    if starter == FIRST_BETTOR:
        return table.order[0]
    return (table.played + 1) % players if starter == ROTATE else last_in_score(table, hidden)


def turns(choose, remembers):
    """The turn of this game, for a kernel's way of choosing."""

    @procedure
    def rebet(table, hidden, seats):
        """P33: in the order of bets, whoever holds such a joker may bet anew."""
        for place in range(len(table.seat)):
            seat = table.order[place & 3] & 3
            hand = hidden.hand[seat]
            joker = joker_in(hand.cards)
            if joker and table.fault == 0:
                action = choose(REBET, table, seat, hand, seats)
                if action != KEEP_BET and not may_bet(table, 0, seat, action):
                    table.fault = 1
                elif action != KEEP_BET:
                    hand.cards ^= joker
                    table.seat[seat].cards -= 1
                    hidden.bet[seat] = action
                    table.seat[seat].bet = HIDDEN if table.rules.bets else action
                    event(REBETS, seat, action)

    @procedure
    def discard(table, hidden, seats):
        """P17, P18: every player discards, all at the same moment."""
        for seat in range(len(table.seat)):
            hand, count = hidden.hand[seat], discards(table.rules, table.seat[seat].cards)
            gone = hand.cards
            if count < table.seat[seat].cards and count > 0:
                if table.rules.discard_choice:
                    gone = draw(hidden, hand.cards, hand.cards, count)[0]
                else:
                    gone = np.int64(choose(DISCARD, table, seat, hand, seats))
            if not is_legal(DISCARD, table, hand, seat, gone) and count > 0:
                table.fault = 1
            elif count > 0:
                hidden.due[seat] |= gone << 8  # kept aside until all have chosen
        for seat in range(len(table.seat)):
            gone = hidden.due[seat] >> 8
            hidden.due[seat] &= 255
            if gone:
                hidden.hand[seat].cards ^= gone
                table.seat[seat].cards -= size(gone)
                event(DISCARDED, seat, gone)

    @procedure
    def change_hands(table, hidden, seats):
        """P21, P22: from the last bettor on, everybody may change the hand once."""
        players = len(table.seat)
        seat = table.order[players - 1] & 3
        for _ in range(players):
            hand = hidden.hand[seat]
            if table.rules.cost != NONE and table.seat[seat].cards > 0 and table.fault == 0:
                action = choose(CHANGE, table, seat, hand, seats)
                if action < 0 or action > 1:
                    table.fault = 1
                elif action == 1:
                    event(CHANGED, seat, change_hand(table, hidden, seat))
                else:
                    event(KEPT, seat, 0)
            seat = seat + 1 if seat + 1 < players else 0

    @procedure
    def next_round(table, hidden, seats):
        """Everything between the last bet of a round and the first card of the next."""
        table.starter = next_starter(table, hidden)
        open_dice(hidden, table.played + 1)
        discard(table, hidden, seats)
        if table.fault == 0:
            deal_due(table, hidden)
            change_hands(table, hidden, seats)
        table.played += 1
        start_round(table, hidden)

    @rule
    def begin(table, hidden, seats):
        """The first round."""
        if table.rules.mulligan_first_round:
            table.order[len(table.seat) - 1] = 0
            change_hands(table, hidden, seats)
        start_round(table, hidden)

    @procedure
    def end_round(table, hidden, seats):
        """All have bet."""
        if table.rules.jokers and table.rules.joker_mode == REBET_JOKER:
            rebet(table, hidden, seats)
        settle(table, hidden)
        if not table.over and table.fault == 0:
            next_round(table, hidden, seats)

    @rule
    def turn(table, hidden, seats):
        """A card or a bet of one player."""
        players = len(table.seat)
        if table.trump == NONE and table.played == 0 and table.turns == 0 and table.bettors == players:
            begin(table, hidden, seats)
        seat = table.turn & 3
        hand = hidden.hand[seat]
        action = choose(ACT, table, seat, hand, seats)
        table.turns += 1
        if not is_legal_act(table, hand.cards, seat, action):
            table.fault = 1
        elif action < LAYS:
            place_bet(table, hidden, seat, action)
        else:
            lay_card(table, hidden, seat, (action - LAYS) >> 2, action & 3)
        if table.bettors < players:
            table.turn = next_without_bet(table, seat)
        else:
            end_round(table, hidden, seats)

    return turn


@rule
def is_over(table):
    """Whether the last round is settled, or the game was stopped."""
    return (table.over | table.fault) != 0


@rule
def standing(table, hidden, seat):
    """Who is ahead by the rule of scoring leads."""
    return score_key(table.rules, hidden.treasure[seat])


@rule
def progress(table, hidden):
    """Rounds that are over, of all."""
    return table.played + table.over, table.rules.rounds


NUMBERS = ("0", "1", "2", "3", "4")
PLACES = ("first", "second", "third", "fourth")
EIGHT = tuple(str(number) for number in range(1, 9))

GAME = Game(
    name="paris",
    title="Paris d'amis",
    least_players=2,
    most_players=4,
    rules=Rules,
    points=("ACT", "DISCARD", "CHANGE", "REBET"),
    metrics=(
        Metric("turns", "cards laid and bets a game"),
        Metric("cards_laid", "cards laid a game"),
        Metric("right_bets", "right bets a game"),
        Metric("rounds", "rounds a game"),
        Metric("distinct_winners", "winners of columns, a round", per="rounds"),
        Metric("with_winners", "rounds with so many winners: {}", is_share=True, per="rounds", labels=NUMBERS),
        Metric("bets", "bets on {} a game", labels=NUMBERS),
        Metric("hits", "bets on {} that are right", is_share=True, per="bets", labels=NUMBERS),
        Metric("right_at", "{} bets that are right", is_share=True, per="rounds", labels=PLACES, by_seat=True),
        Metric("empty_columns", "columns nobody wins a game"),
        Metric("cards_drawn", "new cards a game"),
        Metric("hands", "cards in all hands, round {}", labels=EIGHT),
        Metric("shortages", "redeals short of cards a game"),
        Metric("mulligans", "hands changed a game"),
        Metric("tied", "games strictly tied", is_share=True),
        Metric("shared", "games whose winners stay tied", is_share=True),
        Metric("most_points_lose", "games that the most points lose", is_share=True),
        Metric("ahead_wins", "wins of the leader, round 4", is_share=True, unit=WHOLE),
        Metric("largest_hand_wins", "wins of most cards, round 4", is_share=True, unit=WHOLE),
        Metric("hearts", "points in hearts, {}", by_seat=True, row="seat"),
        Metric("diamonds", "points in diamonds, {}", by_seat=True, row="seat"),
        Metric("spades", "points in spades, {}", by_seat=True, row="seat"),
        Metric("clubs", "points in clubs, {}", by_seat=True, row="seat"),
        Metric("lowest", "points in the lowest suit, {}", by_seat=True, row="seat"),
    ),
    score="points",
    table=table,
    hidden=hidden,
    prepare=prepare,
    deal=deal,
    turns=turns,
    is_over=is_over,
    finish=finish,
    is_legal=is_legal,
    check=check,
    hand="hand",
    together={DISCARD: (DISCARD,)},
    default_parts=("forecaster",),
    standing=standing,
    progress=progress,
    happens=("empty_columns", "shortages", "mulligans"),
    default_line_up="forecaster",
    narrator="simcore.games.paris_words",
)
