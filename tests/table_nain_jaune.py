"""A table of Nain jaune at which a test says what is dealt and what is played; the rules are the real ones.

    game = deal("A♥ 2♦ 9♠", "3♣ K♥ 10♦").play("A♥ 2♦ 3♣ 9♠")
    assert game.chips == [-15 + 20, -15 - 20]

They run as plain Python. Seats are counted from 0, and seat 0 plays first in the first deal.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from simcore.cards import RANKS, card_name, card_number
from simcore.contract import NONE, WHOLE, event
from simcore.games.nain_jaune import GAME
from simcore.games.nain_jaune_rules import Rules
from simcore.games.nain_jaune_table import (
    BOARD,
    DEAL,
    FIVE,
    GAVE,
    HAND,
    LEFT,
    OUT,
    PAID,
    PASS,
    PLAYED,
    PUT,
    REFUNDED,
    SHARED,
    STAKED,
    SWEPT,
    TOOK,
)
from simcore.plain import plain_record, rebuild
from simcore.rng import SHUFFLER, chance, open_shuffler, shuffle
from simcore.rules import read_rules

QUIET = {event: lambda kind, seat, value: None}
is_over, is_legal, finish, begin = (rebuild(f, QUIET) for f in (GAME.is_over, GAME.is_legal, GAME.finish, GAME.deal))


def cards_of(names: str) -> int:
    """The set of these cards: "A♥ 2♦"."""
    return sum(1 << card_number(name) for name in names.split())


def names_of(cards: int) -> str:
    """A set of cards in words, lowest rank first; PASS is "pass"."""
    return " ".join([card_name(card) for card in range(52) if cards >> card & 1] + ["pass"] * (cards >> 52))


def number_of(word: str) -> int:
    """An answer as a number: a card, or "pass"."""
    return int(PASS) if word == "pass" else card_number(word)


def sheet(players: int, **rules: Any) -> Any:
    """What a kernel is told about the rules."""
    read = read_rules(Rules, "nain-jaune", rules)
    record = plain_record(GAME.table(players, read)).rules
    GAME.prepare(record, players, read)
    return record


class NothingSaidError(Exception):
    """Somebody is to play, or cards are to be dealt, and the test has not said what."""


class Table:
    """A game of which a test tells the hands and the cards played.

    With everything told, the game is played again from the start, as a turn cannot stop halfway. It stops where
    nothing more is told: before a card, or before the stakes of the next deal.
    """

    def __init__(self, hands: Sequence[str], rules: dict[str, Any], **staged: Any):
        self._players = len(hands)
        self._rules = read_rules(Rules, "nain-jaune", {"deal_table": str(len(hands[0].split())), **rules})
        GAME.check(self._rules, self._players)  # type: ignore[misc]
        self._staged = staged
        self._hands: list[Sequence[str]] = [hands]
        self._words: list[str] = []
        self._strict = True
        replaced = {event: self._event, shuffle: self._shuffle, chance: self._chance}
        self._turn = rebuild(GAME.turns(self._choose, True), replaced)
        self._play()

    def deal(self, *hands: str) -> "Table":
        """The hands of the next deal; "" for a seat that sits out."""
        assert self.asked is None and not self.over, "the deal is not over" if self.asked is not None else "it is over"
        self._hands.append(hands)
        self._play()
        return self

    def play(self, words: str) -> "Table":
        """The cards that those who are asked play, one after another; "pass" for a card that is kept."""
        self._words += words.split()
        self._play()
        return self

    def cheat(self, word: str) -> "Table":
        """An answer that nobody looked at before it was given."""
        self._strict = False
        return self.play(word)

    def _play(self) -> None:
        self.asked: int | None = None  # who is to play; nobody between two deals and when the game is over
        self.events: list[tuple[int, int, int]] = []
        self._waiting, self._deals = iter(self._words), iter(self._hands)
        self._forgets = [card_number(name) for name in self._staged["forgets"].split()]
        with np.errstate(over="ignore"):
            self._set_up()
            with suppress(NothingSaidError):
                while not is_over(self.table):
                    self._turn(self.table, self.hidden, None)
        assert next(self._waiting, None) is None, "nobody is asked any more"

    def _set_up(self) -> None:
        self.table: Any = plain_record(GAME.table(self._players, self._rules))
        self.hidden: Any = plain_record(GAME.hidden(self._players))
        GAME.prepare(self.table.rules, self._players, self._rules)
        shuffler = plain_record(SHUFFLER)
        open_shuffler(shuffler, np.uint64(1))
        begin(self.table, self.hidden, shuffler)
        for seat, chips in enumerate(self._staged["chips"]):
            self.table.seat[seat].chips = chips
        for card, chips in self._staged["pots"].items():
            self.table.pot[card_number(card)] = chips

    def _event(self, kind: Any, seat: Any, value: Any) -> None:
        if kind == DEAL:
            self._dealt = next(self._deals, None)
            if self._dealt is None:
                raise NothingSaidError
        self.events.append((int(kind), int(seat), int(value)))

    def _shuffle(self, shuffler: Any, cards: list[int], first: int, last: int, end: int) -> None:
        assert self._dealt is not None
        dealt = [card_number(name) for hand in self._dealt for name in hand.split()]
        playing = [len(hand.split()) for hand, seat in zip(self._dealt, self.table.seat, strict=True) if seat.playing]
        assert len(dealt) == len(set(dealt)) == last - first and len(set(playing)) == 1, "so many cards are not dealt"
        cards[first:end] = dealt + [card for card in range(52) if card not in dealt]

    def _chance(self, stream: Any, percent: int) -> int:
        card = self.told(PLAYED)[-1][1]
        forgets = percent > 0 and card in self._forgets
        if forgets:
            self._forgets.remove(card)
        return int(forgets)

    def _choose(self, point: int, table: Any, seat: int, hand: Any, seats: Any) -> int:
        word = next(self._waiting, None)
        if word is None:
            self.asked = int(seat)
            raise NothingSaidError
        action = number_of(word)
        assert not self._strict or is_legal(point, table, hand, seat, action), f"{word} of seat {seat} is illegal"
        return action

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(is_over(self.table))

    @property
    def legal(self) -> str:
        """What the player who is asked may answer."""
        assert self.asked is not None, "nobody is asked"
        return names_of(self.hidden.hand[self.asked].legal)

    @property
    def follows(self) -> str:
        """The rank asked for, or "" at a lead."""
        return "" if self.table.follows == NONE else RANKS[self.table.follows]

    @property
    def chips(self) -> list[int]:
        """The chips of every seat."""
        return [seat.chips for seat in self.table.seat]

    @property
    def pots(self) -> list[int]:
        """The chips on 10♦, J♣, Q♠, K♥ and 7♦."""
        return [self.table.pot[card] for card in BOARD]

    @property
    def hands(self) -> list[str]:
        """What everybody holds."""
        return [names_of(hand.cards) for hand in self.hidden.hand]

    @property
    def playing(self) -> list[int]:
        """The seats that do not sit out."""
        return [seat for seat in range(self._players) if self.table.seat[seat].playing]

    @property
    def turns(self) -> list[int]:
        """Who played each card."""
        return [seat for seat, _ in self.told(PLAYED)]

    def without(self, rank: str) -> list[int]:
        """The seats that are known to have no card of this rank."""
        return [seat for seat in range(self._players) if self.table.without[RANKS.index(rank)] >> seat & 1]

    def told(self, kind: int) -> list[tuple[int, int]]:
        """Seat and value of every event of this kind, in order."""
        return [(seat, value) for known, seat, value in self.events if known == kind]

    def moved(self, kind: int) -> list[tuple[int, int, str]]:
        """Seat, chips and marked card of every event of this kind, in order."""
        return [(seat, value >> 6, card_name(value & 63)) for seat, value in self.told(kind)]

    @property
    def outcome(self) -> Any:
        """The row of this game, as if it were over now."""
        outcome = plain_record(GAME.outcome(self._players))
        finish(self.table, self.hidden, outcome)
        return outcome

    @property
    def winners(self) -> list[int]:
        """Who has won the game, or shares the win."""
        shares = self.outcome.share
        won = [seat for seat, share in enumerate(shares) if share]
        assert all(shares[seat] == WHOLE // len(won) for seat in won)
        return won


def deal(
    *hands: str, chips: Sequence[int] = (), pots: dict[str, int] | None = None, forgets: str = "", **rules: Any
) -> Table:
    """A game whose first deal gives each seat these cards.

    chips: what the players have before they stake, if not what the rules say. pots: what lies on marked cards before
    the stakes. forgets: the marked cards whose players forget the pot the first time, where forget_prob lets them.
    """
    return Table(hands, rules, chips=chips, pots=pots or {}, forgets=forgets)


def reckon(events: Any, players: int, stakes: Sequence[int]) -> Iterator[tuple[int, list[int], list[int]]]:
    """After each event its kind, what lies on the marked cards, and what everybody has won, by what was told."""
    pots, chips, winner = dict.fromkeys(BOARD, 0), [0] * players, NONE
    for kind, seat, value in events:
        moved, card = value >> 6, value & 63
        if kind in (OUT, FIVE):
            winner = seat
        elif kind == STAKED:
            assert value == sum(stakes)
            chips[seat] -= value
            for marked, stake in zip(BOARD, stakes, strict=True):
                pots[marked] += stake
        elif kind == PAID:
            chips[seat], chips[winner] = chips[seat] - value, chips[winner] + value
        elif kind == GAVE:
            chips[seat], chips[winner] = chips[seat] - moved, chips[winner] + moved
        elif kind == PUT:
            chips[seat], pots[card] = chips[seat] - moved, pots[card] + moved
        elif kind in (TOOK, SWEPT, LEFT, REFUNDED):
            chips[seat], pots[card] = chips[seat] + moved, pots[card] - moved
        elif kind == SHARED:
            chips, pots[card] = [own + moved for own in chips], pots[card] - players * moved
        yield kind, list(pots.values()), list(chips)


def shuffled(players: int, **rules: Any) -> tuple[list[int], int]:
    """The hands of a real deal, as sets of cards, and the talon."""
    read = read_rules(Rules, "nain-jaune", rules)
    table, hidden = plain_record(GAME.table(players, read)), plain_record(GAME.hidden(players))
    GAME.prepare(table.rules, players, read)
    hands: list[int] = []

    def note(kind: Any, seat: Any, value: Any) -> None:
        hands.extend([int(value)] * int(kind == HAND))

    def choose(*asked: Any) -> int:
        raise NothingSaidError

    shuffler = plain_record(SHUFFLER)
    with np.errstate(over="ignore"):
        open_shuffler(shuffler, np.uint64(players))
        begin(table, hidden, shuffler)
        with suppress(NothingSaidError):
            rebuild(GAME.turns(choose, False), {event: note})(table, hidden, None)
    return hands, int(hidden.talon)
