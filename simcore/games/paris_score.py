"""Paris d'amis, the score: who is ahead, who wins, and the outcome row of a finished game (P26 to P28)."""

import numpy as np

from simcore.bits import size
from simcore.contract import NONE, procedure
from simcore.games.paris_table import COLUMNS
from simcore.seats import share_win

LEXIMIN, SUM, MIN_THEN_SUM, PRODUCT = range(4)  # scoring
FIRST_RIGHT_BET, SPLIT = range(2)  # final_tie


@procedure
def last_in_score(table, hidden):
    """Who is last so far; among equals the lowest seat."""
    last, worst = 0, score_key(table.rules, hidden.treasure[0])
    for seat in range(1, len(table.seat)):
        key = score_key(table.rules, hidden.treasure[seat])
        if key < worst:
            last, worst = seat, key
    return last


@procedure
def score_key(rules, treasure):
    """P26, P27: a number that is greater for the better treasure, by the rule of scoring."""
    p, q, r, s = treasure.points[0], treasure.points[1], treasure.points[2], treasure.points[3]
    if rules.scoring == SUM:
        return p + q + r + s
    if rules.scoring == PRODUCT:
        return p * q * r * s
    if rules.scoring == MIN_THEN_SUM:
        return min(p, q, r, s) * 1024 + p + q + r + s
    p, q, r, s = min(p, q), max(p, q), min(r, s), max(r, s)
    p, q, r, s = min(p, r), min(q, s), max(p, r), max(q, s)
    q, r = min(q, r), max(q, r)
    return ((p * 64 + q) * 64 + r) * 64 + s


@procedure
def leaders(table, hidden):
    """The seats that are ahead, one bit each."""
    best, ahead = NONE, 0
    for seat in range(len(table.seat)):
        key = score_key(table.rules, hidden.treasure[seat])
        if key > best:
            best, ahead = key, 0
        ahead |= (key == best) << seat
    return ahead


@procedure
def largest_hands(table):
    """The seats with most cards, one bit each."""
    most, largest = NONE, 0
    for seat in range(len(table.seat)):
        if table.seat[seat].cards > most:
            most, largest = table.seat[seat].cards, 0
        largest |= (table.seat[seat].cards == most) << seat
    return largest


@procedure
def finish(table, hidden, outcome):
    """P26 to P28: the best treasure wins; strictly equal ones by the first right bet of the last round, or together."""
    players, best, lead = len(table.seat), np.int64(0), leaders(table, hidden)
    winners = lead
    if table.rules.final_tie == FIRST_RIGHT_BET and size(lead) > 1:
        winners = first_right(table, hidden, lead)
    share_win(outcome, winners)
    for seat in range(players):
        points, lowest = np.int64(0), hidden.treasure[seat].points[0]
        for column in range(COLUMNS):
            points += hidden.treasure[seat].points[column]
            lowest = min(lowest, hidden.treasure[seat].points[column])
        outcome.score[seat], outcome.lowest[seat] = points, lowest
        outcome.hearts[seat], outcome.diamonds[seat] = hidden.treasure[seat].points[0], hidden.treasure[seat].points[1]
        outcome.spades[seat], outcome.clubs[seat] = hidden.treasure[seat].points[2], hidden.treasure[seat].points[3]
        best = max(best, points)
    rich_wins = np.int64(0)
    for seat in range(players):
        rich_wins |= (outcome.score[seat] == best) & (outcome.share[seat] > 0)
    outcome.most_points_lose = 1 - rich_wins
    outcome.tied, outcome.shared = np.int64(size(lead) > 1), np.int64(size(winners) > 1)
    outcome.ahead_wins = share_of(outcome, table.ahead)
    outcome.largest_hand_wins = share_of(outcome, table.largest)
    count_up(table, outcome)


@procedure
def first_right(table, hidden, lead):
    """P28: of these seats, the first to bet rightly in the last round; all of them when none did."""
    for place in range(len(table.seat)):
        seat = table.order[place & 3]
        if (lead >> seat) & 1 and hidden.right >> seat & 1:
            return 1 << seat
    return lead


@procedure
def share_of(outcome, seats):
    """The mean share of the win of these seats, in 840ths."""
    shares = np.int64(0)
    for seat in range(len(outcome.share)):
        shares += outcome.share[seat] * ((seats >> seat) & 1)
    return shares // size(seats) if seats else 0


@procedure
def count_up(table, outcome):
    """Writes down what was counted during the game."""
    outcome.turns, outcome.cards_laid, outcome.right_bets = table.turns, table.cards_laid, table.right_bets
    outcome.rounds, outcome.distinct_winners = table.played + 1, table.winners
    outcome.empty_columns, outcome.shortages = table.empty_columns, table.shortages
    outcome.cards_drawn, outcome.mulligans = table.cards_drawn, table.mulligans
    for number in range(5):
        outcome.with_winners[number] = table.with_winners[number]
        outcome.bets[number], outcome.hits[number] = table.bets[number], table.hits[number]
    for place in range(len(table.seat)):
        outcome.right_at[place] = table.right_at[place]
    for number in range(8):
        outcome.hands[number] = table.hands[number]
