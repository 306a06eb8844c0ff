"""Paris d'amis, random answers: every legal card, column and bet, one of them, and random cards of a hand."""

import numpy as np

from simcore.bits import lowest, nth, size
from simcore.contract import NONE, procedure
from simcore.games.paris import KEEP_BET, fits, lay, may_bet, may_lay, trumps
from simcore.games.paris_table import COLUMNS, LAYS
from simcore.rng import below

NUMBERS = 5  # bets from 0 to 4


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
