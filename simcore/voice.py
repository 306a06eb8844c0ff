"""What every transcript needs to speak: events with names, texts in a language, singular and plural, cards."""

from collections.abc import Mapping
from typing import NamedTuple

from simcore.cards import card_name

ONE_MANY = "|"  # between the singular and the plural


class Event(NamedTuple):
    """What the rules recorded: the kind of thing that happened, to whom or where, and a card, a set or a number."""

    kind: int
    seat: int
    value: int


class Voice:
    """The texts of a game in one language.

    Raises KeyError for a language that it has no texts in.
    """

    def __init__(self, texts: Mapping[str, Mapping[str, str]], language: str):
        self.language, self._texts = language, texts[language]

    def say(self, key: str, **words: object) -> str:
        """A text with these words in it."""
        return self._spaced(key).format(**words)

    def count(self, key: str, number: int, **words: object) -> str:
        """The text for one or for many: in French 0 is singular."""
        one, many = self._spaced(key).split(ONE_MANY)
        is_one = number < 2 if self.language == "fr" else number == 1
        return (one if is_one else many).format(n=number, **words)

    def some(self, key: str, number: int) -> str:
        """As count, but nothing for none."""
        return self.count(key, number) if number else ""

    def card(self, card: int) -> str:
        """A card's name."""
        return card_name(card, self.language)

    def _spaced(self, key: str) -> str:
        text = self._texts[key]
        if self.language == "fr":
            for mark in ":;!?":  # a narrow no-break space, U+202F
                text = text.replace(" " + mark, "\u202f" + mark)
        return text
