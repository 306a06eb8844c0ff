"""Strategies for Nain jaune."""

from simcore.bits import nth, size
from simcore.contract import strategy
from simcore.games.nain_jaune import PLAY
from simcore.rng import below


@strategy("nain-jaune", answers=(PLAY,))
def random(point, table, seat, hand, params, stream):
    """Any legal card, each equally likely; where the rules let one pass, that too."""
    return nth(hand.legal, below(stream, size(hand.legal)))
