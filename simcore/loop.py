"""The loop that plays deals: compiled into every kernel, and run as it stands by a replay."""

import numpy as np

from simcore.contract import apart, procedure, rule
from simcore.rng import below, game_key, mix64, open_shuffler, open_stream

BLOCKS = 64  # deal d belongs to block d % 64
FOLD = np.uint64(0x9E3779B97F4A7C15)
SUM, DEAL_SQUARE, GAME_SQUARE = range(3)


def deal_player(deal, turn, is_over, finish):
    """A function that plays whole deals with these rules and adds them to a tally."""

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
        book: `work` (columns,) of zeros; `sums` (64, 3, columns) and `prints` (64,), which are added to.
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
                add_game(cell, seats, number * cell.rotations + rotation, lines.line[place], book)
                games += 1
            add_deal(cell, number % BLOCKS, book)
        return games

    return play_game, play_deals


@procedure
def add_game(cell, seats, number, row, book):
    """Adds a game to its deal: seats' shares and scores, the same for each strategy, then the metrics."""
    players = len(seats.seat)
    width, groups = len(row), cell.groups
    block = (number // cell.rotations) % BLOCKS
    mark = mix64(np.uint64(number))
    for column in range(width):
        mark = mark * FOLD + np.uint64(row[column])
        place = column if column < 2 * players else column + 2 * groups
        book.work[place] += row[column]
        if cell.rotations > 1:
            book.sums[block, GAME_SQUARE, place] += row[column] * row[column]
    book.prints[block] += mix64(mark)
    for player in range(players):
        group = 2 * players + cell.group[seats.seat[player].slot]
        book.work[group] += row[player]
        book.work[group + groups] += row[players + player]


@rule
def add_deal(cell, block, book):
    """Adds a finished deal, the unit of every interval, to its block."""
    for column in range(cell.columns):
        value = book.work[column]
        book.sums[block, SUM, column] += value
        book.sums[block, DEAL_SQUARE, column] += value * value
        book.work[column] = 0


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
