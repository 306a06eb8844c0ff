"""Paris d'amis, the columns: laying cards, jokers, and who wins the point cards (P3 to P7, P13 to P15, P33)."""

from simcore.bits import lowest
from simcore.contract import NONE, event, procedure, rule
from simcore.games.paris_table import (
    CANCEL,
    CANCELLED,
    COLUMNS,
    COUNT,
    JOKER,
    JOKERS,
    LAID,
    POINT,
    SHIELD,
    SHIFTED,
    TRUMP_SHIFT,
    WILD_ZERO,
    WON,
)

SUM, CARDS, BEST_CARD = range(3)  # majority
FIRST_IN_COLUMN, FIRST_TO_REACH, LAST_IN_COLUMN, NOBODY = range(4)  # tie_break
DISCARD, CARRY_OVER, BOTTOM = range(3)  # empty_column


@rule
def lay_card(table, hidden, seat, card, column):
    """Lays a card of the own hand: in its column, or what its joker does."""
    rules, mine = table.rules, table.seat[seat]
    hidden.hand[seat].cards ^= 1 << card
    mine.cards -= 1
    mine.laid += 1
    table.cards_laid += 1
    table.alone += table.bettors == len(table.seat) - 1
    event(LAID, seat, 4 * card + column)
    if card >= JOKER:
        lay_joker(table, hidden, seat, card, column)
    else:
        worth = rules.value[card & 63]
        if rules.trump_strength and card & 3 == table.trump:
            worth += rules.trump_strength
        add_to_column(table, seat, column, worth)
        if rules.jokers:
            write_down(hidden, seat, card, column, worth, table.stamp)


@rule
def add_to_column(table, seat, column, worth):
    """What a card more changes for its player in a column."""
    mine = table.seat[seat]
    mine.first[column] = mine.first[column] if mine.count[column] else table.stamp
    mine.count[column] += 1
    mine.total[column] += worth
    mine.best[column] = max(mine.best[column], worth)
    mine.last[column] = table.stamp
    table.stamp += 1


@procedure
def write_down(hidden, seat, card, column, worth, stamp):
    """Keeps a column card by card, for jokers that take one away: seat, card and stamp in one number, its worth."""
    lain = hidden.lain[column]
    lain.entry[lain.count & 63] = (stamp - 1) * 1024 + card * 8 + seat
    lain.worth[lain.count & 63] = worth
    lain.count += 1


@procedure
def lay_joker(table, hidden, seat, card, column):
    """P33: a joker is a card of the column, or does something else and does not stay there."""
    mode = table.rules.joker_mode
    if mode < CANCEL:
        add_to_column(table, seat, column, table.rules.value[card & 63])
        table.seat[seat].wild[column] += mode == WILD_ZERO
    elif mode == SHIELD:
        table.column[column].closed = 1
    elif mode == TRUMP_SHIFT:
        table.trump = (table.trump + 1) & 3
        event(SHIFTED, 0, table.trump)
    elif mode == CANCEL:
        take_highest(table, hidden, column)


@procedure
def take_highest(table, hidden, column):
    """P33: the highest card of a column goes, the first of equals; its player's standing there is counted anew."""
    lain, place = hidden.lain[column], 0
    for other in range(1, lain.count):
        if lain.worth[other & 63] > lain.worth[place & 63]:
            place = other
    entry = lain.entry[place & 63]
    owner, card = entry & 7, (entry >> 3) & 63
    event(CANCELLED, owner, 4 * card + column)
    lain.count -= 1
    for other in range(place, lain.count):
        lain.entry[other & 63], lain.worth[other & 63] = lain.entry[(other + 1) & 63], lain.worth[(other + 1) & 63]
    loser, stamp = table.seat[owner], table.stamp
    loser.count[column], loser.total[column], loser.best[column] = 0, 0, 0
    for other in range(lain.count):
        if lain.entry[other & 63] & 7 == owner:
            table.stamp = lain.entry[other & 63] >> 10
            add_to_column(table, owner, column, lain.worth[other & 63])
    table.stamp = stamp


@rule
def measure(rules, mine, column):
    """P5: what a player has in a column; a joker worth 0 comes first among equals."""
    if rules.majority == SUM:
        amount = mine.total[column]
    elif rules.majority == CARDS:
        amount = mine.count[column]
    else:
        amount = mine.best[column]
    return 2 * amount + (mine.wild[column] > 0)


@rule
def precedence(rules, mine, column):
    """P6: who of equals comes first, the smallest number."""
    if rules.tie_break == FIRST_IN_COLUMN:
        return mine.first[column]
    return mine.last[column] if rules.tie_break == FIRST_TO_REACH else -mine.last[column]


@procedure
def column_winner(table, column):
    """Who has the majority in a column; NONE when it is empty, or when nothing is at stake."""
    rules, winner, most, order, equals = table.rules, NONE, NONE, 0, 0
    for seat in range(len(table.seat)):
        mine = table.seat[seat]
        if mine.count[column] > 0:
            amount, before = measure(rules, mine, column), precedence(rules, mine, column)
            equals = 1 if amount > most else equals + (amount == most)
            if amount > most or (amount == most and before < order):
                winner, most, order = seat, amount, before
    if table.column[column].at_stake == 0 or (rules.tie_break == NOBODY and equals > 1):
        winner = NONE
    return winner


@procedure
def award(table, hidden):
    """The point cards go to the winners of the columns; answers how many players win any."""
    won, winners = 0, 0
    for column in range(COLUMNS):
        seat, prize = column_winner(table, column), table.column[column]
        event(WON, seat, column)
        if seat != NONE:
            winners += (won >> seat) & 1 == 0
            won |= 1 << seat
            hidden.treasure[seat].points[column] += prize.stake
            if table.rules.track_scores:
                table.seat[seat].points[column] += prize.stake
            prize.stake, prize.at_stake = 0, 0
        else:
            leave_card(table, hidden, column)
    event(COUNT, 0, winners)
    return winners


@procedure
def leave_card(table, hidden, column):
    """P7: where a point card goes that nobody wins."""
    prize, pile = table.column[column], hidden.pile[column]
    table.empty_columns += 1
    if table.rules.empty_column == BOTTOM and prize.at_stake:
        pile.cards[pile.end & 63] = prize.card
        pile.end += 1
    if table.rules.empty_column != CARRY_OVER:
        prize.stake, prize.at_stake = 0, 0


@procedure
def turn_up(table, hidden):
    """Turns up the next point card of every pile."""
    for column in range(COLUMNS):
        prize, pile = table.column[column], hidden.pile[column]
        prize.closed, prize.card = 0, NONE
        if pile.first < pile.end:
            prize.card = pile.cards[pile.first & 63]
            pile.first += 1
            prize.stake += table.rules.point[prize.card & 63]
            prize.at_stake += 1
        event(POINT, column, prize.card)


@rule
def joker_in(cards):
    """The first joker of a hand as a set, empty when there is none."""
    jokers = cards & JOKERS
    return 1 << lowest(jokers) if jokers else 0
