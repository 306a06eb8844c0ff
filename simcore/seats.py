"""What every game does with its seats: whose turn is next, and who shares a win."""

from simcore.bits import size
from simcore.contract import WHOLE, rule


@rule
def next_seat(table, seat):
    """The seat after this one."""
    following = seat + 1
    return following if following < len(table.seat) else 0


@rule
def share_win(outcome, winners):
    """Writes down who has won: a set of seats, one bit each, that share the win equally."""
    each = WHOLE // size(winners)
    for seat in range(len(outcome.share)):
        outcome.share[seat] = each if winners >> seat & 1 else 0
