"""Cards as numbers: card = 4 * rank + suit, ranks A 2 … 10 J Q K, suits hearts, diamonds, spades, clubs."""

HEARTS, DIAMONDS, SPADES, CLUBS = range(4)
ACE, JACK, QUEEN, KING = 0, 10, 11, 12
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("♥", "♦", "♠", "♣")
FRENCH = {"J": "V", "Q": "D", "K": "R"}


def card_of(rank: int, suit: int) -> int:
    """The number of a card."""
    return 4 * rank + suit


def card_name(card: int, language: str = "en") -> str:
    """A card as players write it: 7♥; J, Q, K are V, D, R in French."""
    rank = RANKS[card >> 2]
    return (FRENCH.get(rank, rank) if language == "fr" else rank) + SUITS[card & 3]


def card_number(name: str) -> int:
    """The number of a card written in English, as `card_name` writes it.

    Raises ValueError when there is no such card.
    """
    return card_of(RANKS.index(name[:-1]), SUITS.index(name[-1]))
