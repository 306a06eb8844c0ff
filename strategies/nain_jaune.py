"""Strategies for Nain jaune: which rank to lead, and which of several cards of a rank to play.

A player who leads a rank also plays every next rank that the own hand has: the run of that rank. All but `random`
play the marked card of a rank first, and never let a turn pass where the rules allow it.
"""

import numpy as np

from simcore.bits import lowest, nth, size
from simcore.cards import ACE, KING
from simcore.contract import NONE, Parameter, procedure, rule, strategy
from simcore.games.nain_jaune import DECK, MARKED, PLAY, highest_rank, lowest_rank, of_rank, value
from simcore.rng import below

RANKS = KING + 1
ONE_SUIT = 0x1111111111111
CERTAIN = 1000  # a probability of one
KINGS_ONLY = np.int64(1 << KING)  # the ranks after which the lead always comes back
PAST_KING = 1 << 52
MUST = 1 << 32  # above all other reasons to lead a rank


def weights(length, pots, near):
    """The parameters of a choice among runs, with these defaults."""
    return {
        "length": Parameter(length, 0, 200, "what each card of the run is worth, in hundredths of a rank lower"),
        "pots": Parameter(pots, 0, 100, "what each chip that the run takes is worth, in hundredths of a rank lower"),
        "near": Parameter(near, 0, 26, "cards left to an opponent from which on a run with a pot is led at once"),
    }


@strategy("nain-jaune", answers=(PLAY,))
def random(point, table, seat, hand, params, stream):
    """Any legal card, each equally likely; where the rules let one pass, that too."""
    return nth(hand.legal, below(stream, size(hand.legal)))


@strategy("nain-jaune", answers=(PLAY,))
def highest(point, table, seat, hand, params, stream):
    """Leads the highest rank, as the rule text advises."""
    return card_of_rank(hand, highest_rank(hand.legal & DECK))


@strategy("nain-jaune", answers=(PLAY,))
def longest(point, table, seat, hand, params, stream):
    """Leads the rank with the longest run; of equals the lowest."""
    if table.follows != NONE:
        return first_card(hand.legal)
    best, rank = 0, np.int64(ACE)
    for start in range(RANKS):
        length = run_length(hand.cards, start)
        if length > best and of_rank(hand.legal, start):
            best, rank = length, start
    return card_of_rank(hand, rank)


@strategy("nain-jaune", answers=(PLAY,))
def points(point, table, seat, hand, params, stream):
    """Leads the rank whose run is worth most: the points of its cards, and the pots that it takes."""
    if table.follows != NONE:
        return first_card(hand.legal)
    best, rank, worth = np.int64(-1), np.int64(ACE), np.int64(0)
    for start in range(KING, ACE - 1, -1):
        worth = worth + worth_of_rank(table, hand, start) if of_rank(hand.cards, start) else 0
        if worth >= best and of_rank(hand.legal, start):
            best, rank = worth, start
    return card_of_rank(hand, rank)


@strategy("nain-jaune", answers=(PLAY,), name="lowest")
def lowest_first(point, table, seat, hand, params, stream):
    """Leads the lowest rank."""
    return card_of_rank(hand, lowest_rank(hand.legal))


@strategy("nain-jaune", answers=(PLAY,))
def lowest_finish(point, table, seat, hand, params, stream):
    """As lowest, but plays a hand out that can be emptied without others: first the runs up to the king."""
    if table.follows != NONE:
        return first_card(hand.legal)
    rank = finish(hand, KINGS_ONLY)
    return card_of_rank(hand, lowest_rank(hand.legal) if rank == NONE else rank)


@strategy("nain-jaune", answers=(PLAY,), **weights(50, 20, 3))
def pot_aware(point, table, seat, hand, params, stream):
    """As lowest_finish, but leads a higher rank for a long run, or for the pots that the run takes."""
    if table.follows != NONE:
        return first_card(hand.legal)
    rank = finish(hand, KINGS_ONLY)
    if rank == NONE:
        rank = best_lead(table, seat, hand, params.length, params.pots, params.near, 0)
    return card_of_rank(hand, rank)


@strategy(
    "nain-jaune",
    answers=(PLAY,),
    **weights(20, 5, 1),
    sure=Parameter(90, 1, 100, "per cent: how likely the lead must come back for a run to count as one that keeps it"),
    unload=Parameter(0, 0, 26, "cards left to an opponent from which on the points of a run count instead"),
)
def stop_counter(point, table, seat, hand, params, stream):
    """As pot_aware, but also plays out a hand whose other runs will be stopped, as nobody has the next rank."""
    if table.follows != NONE:
        return first_card(hand.legal)
    rank = finish(hand, stops(table, seat, hand, 10 * params.sure))
    if rank == NONE:
        rank = best_lead(table, seat, hand, params.length, params.pots, params.near, params.unload)
    return card_of_rank(hand, rank)


@rule
def first_card(cards):
    """The marked card in a set, or else any; PASS only where there is nothing else."""
    marked = cards & MARKED
    return lowest(marked if marked else cards)


@rule
def card_of_rank(hand, rank):
    """The card of this rank to lead."""
    return first_card(of_rank(hand.legal, rank))


@rule
def ranks_held(cards):
    """The ranks in a set of cards, each as its lowest card."""
    pairs = cards | cards >> 1
    return (pairs | pairs >> 2) & ONE_SUIT


@rule
def run_length(cards, rank):
    """How many ranks from this one on the hand has without a gap, the king being the last."""
    gaps = (~ranks_held(cards) & ONE_SUIT) | PAST_KING
    return (lowest(gaps >> 4 * rank)) >> 2


@rule
def worth_of_rank(table, hand, rank):
    """What playing one card of this rank brings: its points, and the pot of its marked card."""
    marked = of_rank(hand.cards & MARKED, rank)
    return points_of_rank(table, rank) + (table.pot[lowest(marked) & 63] if marked else 0)


@rule
def points_of_rank(table, rank):
    """What a card of this rank costs its holder at the end."""
    return value(table.rules.weight, of_rank(ONE_SUIT, rank))


@procedure
def finish(hand, stops):
    """The rank that begins to play out a hand without others; NONE when there is no such way.

    stops: the ranks after which the lead comes back, a bit each. Such a hand can be split in runs that end there and
    one last run: going up the ranks, the number of cards falls by one in all at most, elsewhere than after a stop.
    The lowest run up to a stop goes first.
    """
    falls, start, first = np.int64(0), np.int64(NONE), np.int64(ACE)
    for rank in range(RANKS):
        here, above = size(of_rank(hand.cards, rank)), size(of_rank(hand.cards, rank + 1))
        is_stop = stops >> rank & 1
        falls += 0 if is_stop else max(0, here - above)
        if here == 0:
            first = np.int64(rank + 1)
        elif above == 0 and is_stop and start == NONE:
            start = first
    if start == NONE:
        start = lowest_rank(hand.cards)
    return start if falls <= 1 and of_rank(hand.legal, start) else NONE


@procedure
def stops(table, seat, hand, sure):
    """The ranks after which the lead comes back with this probability, in thousandths, or more."""
    found = np.int64(0)
    for rank in range(RANKS):
        if of_rank(hand.cards, rank) and chance_of_return(table, seat, hand, rank + 1) >= sure:
            found |= 1 << rank
    return found


@procedure
def best_lead(table, seat, hand, per_card, pots, near, unload):
    """The legal rank whose run is worth most, in hundredths of a rank: low, long, and with pots."""
    fewest = fewest_cards(table, seat)
    best, chosen = np.int64(-MUST), np.int64(ACE)
    worth, taken, length = np.int64(0), np.int64(0), 0
    for rank in range(KING, ACE - 1, -1):
        if of_rank(hand.cards, rank) == 0:
            worth, taken, length = 0, 0, 0
            continue
        marked = of_rank(hand.cards & MARKED, rank)
        taken += table.pot[lowest(marked) & 63] if marked else 0
        worth += points_of_rank(table, rank)
        length += 1
        score = per_card * length - 100 * rank + pots * taken
        if fewest <= unload:
            score = 100 * (worth + taken)
        if taken and fewest <= near:
            score += MUST
        if score > best and of_rank(hand.legal, rank):
            best, chosen = score, rank
    return chosen


@rule
def fewest_cards(table, seat):
    """The cards of the opponent who has fewest."""
    fewest = np.int64(52)
    for other in range(len(table.seat)):
        if other != seat and table.seat[other].playing:
            fewest = min(fewest, table.seat[other].cards)
    return fewest


@procedure
def chance_of_return(table, seat, hand, rank):
    """How likely nobody else has this rank, in thousandths; certain past the king.

    Of the unseen cards, so many are in hands that may have it; the others are undealt, or in hands known to lack it.
    """
    if rank > KING:
        return CERTAIN
    unseen = DECK & ~(table.played | hand.cards | hand.talon)
    cards, wanted, held = size(unseen), size(of_rank(unseen, rank)), np.int64(0)
    for other in range(len(table.seat)):
        may_have = other != seat and table.without[rank & 15] >> other & 1 == 0
        held += table.seat[other].cards if may_have else 0
    ways, all_ways = np.int64(CERTAIN), np.int64(1)
    for place in range(wanted):
        ways *= max(0, cards - held - place)
        all_ways *= cards - place
    return ways // all_ways
