"""Sets of cards as integers, one bit a card. In a kernel these are instructions of the processor."""

from simcore.contract import rule


@rule
def size(cards):
    """How many cards are in the set."""
    return int(cards).bit_count()


@rule
def lowest(cards):
    """The card with the lowest number in the set, which is not empty."""
    cards = int(cards)
    return (cards & -cards).bit_length() - 1


@rule
def pick(cards, place):
    """The set of the one card at this place in a set, counted from 0; the set has more cards than that."""
    cards = int(cards)
    for _ in range(int(place)):
        cards &= cards - 1
    return cards & -cards


@rule
def nth(cards, place):
    """The card at this place in the set, counted from 0; the set has more cards than that."""
    return lowest(pick(cards, place))
