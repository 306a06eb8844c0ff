"""The loop that plays deals: compiled into every kernel, and run as it stands by a replay."""

import numpy as np

from simcore.contract import apart, procedure, rule
from simcore.histogram import bucket
from simcore.rng import below, game_key, mix64, open_shuffler, open_stream

BLOCKS = 64  # deal d belongs to block d % 64
FOLD = np.uint64(0x9E3779B97F4A7C15)
SUM, DEAL_SQUARE, GAME_SQUARE = range(3)
CARRY = 62  # a sum of squares that comes to 2**62 is carried, in games whose scores may be large


@rule
def no_prints(cell, seats, hidden, number, place, outcome, book):
    """Takes no fingerprints beside that of the outcome."""


def deal_player(deal, turn, is_over, finish, add_prints=no_prints):
    """A function that plays whole deals with these rules and adds them to a tally.

    add_prints: called after each game, with its place in the chunk and the fingerprint of its outcome.
    """

    @apart
    def play_game(cell, seats, table, hidden, shuffler, number, outcome):
        """Plays one seating of one deal and writes its outcome row."""
        for player in range(len(seats.seat)):
            open_stream(seats.seat[player].stream, game_key(cell.seat_key[player], number))
        open_shuffler(shuffler, game_key(cell.deal_key, number))
        deal(table, hidden, shuffler)
        while not is_over(table):
            turn(table, hidden, seats)
        finish(table, hidden, outcome)

    @procedure
    def play_deals(cell, seats, table, hidden, shuffler, first, count, page, lines, book):
        """Plays deals first … first + count - 1; answers how many games were played before an illegal action.

        page: outcome records, one a game if `cell.keeps_rows`, else one for all; lines: the same memory as int64.
        book: `work` (columns,) of zeros; what a chunk adds to: see `Book`.
        """
        games = np.int64(0)
        for number in range(first, first + count):
            for rotation in range(cell.rotations):
                if cell.rotations > 1:
                    take_seats(cell, seats, number, rotation)
                place = games if cell.keeps_rows else 0
                play_game(cell, seats, table, hidden, shuffler, number, page.outcome[place])
                if table.fault != 0:
                    return games
                game = number * cell.rotations + rotation
                outcome = add_game(cell, seats, game, lines.line[place], book)
                add_prints(cell, seats, hidden, game, games, outcome, book)
                games += 1
            add_deal(cell, number % BLOCKS, book)
        return games

    return play_game, play_deals


@procedure
def add_game(cell, seats, number, row, book):
    """Adds a game to its deal: seats' shares and scores, the same for each strategy, then the metrics.

    Answers the fingerprint of its outcome row and number.
    """
    players = len(seats.seat)
    width, groups = len(row), cell.groups
    block = (number // cell.rotations) % BLOCKS
    mark = mix64(np.uint64(number))
    for column in range(width):
        mark = mark * FOLD + np.uint64(row[column])
        place = column if column < 2 * players else column + 2 * groups
        book.work[place] += row[column]
        if cell.rotations > 1:
            add_square(book, block, GAME_SQUARE, place, row[column])
    outcome = mix64(mark)
    book.prints[block] += outcome
    if len(book.lengths) > 1:
        book.lengths[bucket(row[2 * players])] += 1
    for player in range(players):
        group = 2 * players + cell.group[seats.seat[player].slot]
        book.work[group] += row[player]
        book.work[group + groups] += row[players + player]
        if len(book.scores) > 1:
            place = bucket(row[players + player])
            book.scores[player, place] += 1
            book.scores[group - players, place] += 1
    return outcome


@rule
def add_deal(cell, block, book):
    """Adds a finished deal, the unit of every interval, to its block."""
    for column in range(cell.columns):
        value = book.work[column]
        book.sums[block, SUM, column] += value
        add_square(book, block, DEAL_SQUARE, column, value)
        book.work[column] = 0


@rule
def add_square(book, block, kind, column, value):
    """Adds a square to a sum of squares; of any number, when the book has room for carries."""
    total = book.sums[block, kind, column] + value * value
    book.sums[block, kind, column] = total
    if len(book.scores) > 1 and ((value ^ value >> 63) >> 31 | total >> CARRY) != 0:
        carry(book, block, kind, column, value)


@procedure
def carry(book, block, kind, column, value):
    """Adds the square anew, in two parts, and carries from the lower one what does not fit."""
    size = abs(value)
    high, low = size >> 31, size & ((1 << 31) - 1)
    cross = high * low  # size**2 = high**2 << 62 | cross << 32 | low**2
    total = book.sums[block, kind, column] - value * value  # as it was, whatever wrapped
    book.carries[block, kind, column] += high * high + (cross >> 30)
    for part in ((cross & ((1 << 30) - 1)) << 32, low * low):
        total += part
        book.carries[block, kind, column] += total >> CARRY
        total &= (1 << CARRY) - 1
    book.sums[block, kind, column] = total


@procedure
def take_seats(cell, seats, number, rotation):
    """The next seating of the line-up: drawn for a new deal, as a fixed order would favour neighbours; then rotated."""
    if rotation == 0:
        draw_order(cell, seats, number)
    else:
        rotate(seats)


@procedure
def draw_order(cell, seats, number):
    """A random seating of the line-up."""
    players = len(seats.seat)
    stream = seats.order
    open_stream(stream, game_key(cell.lineup_key, number))
    for place in range(players):
        seats.seat[place].slot = place
    for place in range(players - 1):
        other = place + below(stream, players - place)
        slot = seats.seat[place].slot
        seats.seat[place].slot = seats.seat[other].slot
        seats.seat[other].slot = slot


@procedure
def rotate(seats):
    """Everybody moves one seat on."""
    last = len(seats.seat) - 1
    slot = seats.seat[last].slot
    for place in range(last, 0, -1):
        seats.seat[place].slot = seats.seat[place - 1].slot
    seats.seat[0].slot = slot
