"""Strategies for Jeu du doigt: announcers, who choose a number and their own fingers, and defenders."""

from simcore.contract import strategy
from simcore.games.doigt import ANNOUNCE, KEEP, announcement, is_legal_call
from simcore.rng import below_and_coin, coin


@strategy("doigt", answers=(ANNOUNCE, KEEP))
def random(point, table, seat, hand, params, stream):
    """Any legal number, and every finger a fair coin."""
    rules = table.rules
    if point == KEEP:
        return coin(stream) if len(table.finger) == 1 else coin(stream) + coin(stream)
    call, kept = below_and_coin(stream, rules.fingers + 1)
    if len(table.finger) == 2:
        kept += coin(stream)
    return announcement(call, kept * rules.announcer_plays)
