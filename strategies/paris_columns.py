"""Paris d'amis, how strategies read the columns: who leads, what takes a column, and what may yet happen."""

import numpy as np

from simcore.bits import lowest, size
from simcore.contract import NONE, procedure, rule
from simcore.games.paris import fits, lay, may_bet, may_lay, trumps
from simcore.games.paris_columns import column_winner
from simcore.games.paris_table import COLUMNS, JOKER, SUIT
from strategies.paris_random import NUMBERS, listed

TRUMP_PRICE = 3
LEAST_PRICE = 2  # of a 2 in its own column
ONE = 1 << 10  # a probability of 1
C0, C1, C2, C3 = np.arange(4)  # the columns


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
