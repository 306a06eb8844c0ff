"""A cell: one game under one set of rules with one line-up, and the records that a kernel plays it with."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simcore.contract import Game, Strategy, new
from simcore.errors import UsageError
from simcore.kernel import Kernel, kernel
from simcore.lineup import Entry
from simcore.loop import BLOCKS
from simcore.plain import NO_COMPILER, plain_record
from simcore.rng import DEAL, LINEUP, SEAT, SHUFFLER, stream_key

MOST_GAMES = 10**12


@dataclass(frozen=True)
class Cell:
    """What is played: every number of the result follows from this.

    Raises UsageError for a number of players or games that cannot be played.
    """

    game: Game
    rules: Any
    players: int
    line_up: tuple[Entry, ...]
    games_asked: int
    seed: int
    rotate: bool = True

    def __post_init__(self) -> None:
        if not self.game.least_players <= self.players <= self.game.most_players:
            takes = f"{self.game.least_players} to {self.game.most_players} players"
            raise UsageError(f"--players {self.players}: {self.game.name} takes {takes}")
        if not 1 <= self.games_asked <= MOST_GAMES:
            raise UsageError(f"--games {self.games_asked}: give a whole number from 1 to {MOST_GAMES:,}")
        if not 0 <= self.seed < 2**63:
            raise UsageError(f"--seed {self.seed}: give a whole number from 0 to {2**63 - 1}")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The distinct line-up entries, in order of first appearance."""
        return tuple(dict.fromkeys(entry.text for entry in self.line_up))

    @property
    def rotations(self) -> int:
        """How many seatings of each deal are played: all of a mixed line-up, unless told otherwise."""
        return self.players if self.rotate and len(self.names) > 1 else 1

    @property
    def deals(self) -> int:
        """Deals to play: enough whole deals for the games asked."""
        return -(-self.games_asked // self.rotations)

    @property
    def columns(self) -> list[str]:
        """What a tally sums, in order: shares and scores by seat, the same by strategy, then the metrics."""
        seats, groups = range(self.players), range(len(self.names))
        return [
            *(f"share_seat_{seat}" for seat in seats),
            *(f"score_seat_{seat}" for seat in seats),
            *(f"share_strategy_{group}" for group in groups),
            *(f"score_strategy_{group}" for group in groups),
            *(metric.name for metric in self.game.metrics),
        ]

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel for this line-up's roster."""
        roster: dict[Strategy, None] = {}
        for entry in self.line_up:
            roster.update(dict.fromkeys(entry.parts))
        return kernel(self.game, tuple(sorted(roster, key=lambda part: part.name)))


class Workspace(NamedTuple):
    """The records of one thread, in the order in which a kernel takes them."""

    cell: Any
    seats: Any
    table: Any
    hidden: Any
    shuffler: Any


def workspace(cell: Cell, new: Callable[[np.dtype], Any] = plain_record if NO_COMPILER else new) -> Workspace:
    """Fresh records for a cell, with rules, keys and line-up written in; `new` makes a record."""
    players, made = cell.players, cell.kernel
    space = Workspace(
        new(made.cell(players)),
        new(made.seats(players)),
        new(cell.game.table(players, cell.rules)),
        new(cell.game.hidden(players)),
        new(SHUFFLER),
    )
    cell.game.prepare(space.table.rules, players, cell.rules)
    space.cell.deal_key = stream_key(cell.seed, DEAL)
    space.cell.lineup_key = stream_key(cell.seed, LINEUP)
    space.cell.rotations, space.cell.groups = cell.rotations, len(cell.names)
    for slot, entry in enumerate(cell.line_up):
        space.cell.seat_key[slot] = stream_key(cell.seed, SEAT + slot)
        space.cell.group[slot] = cell.names.index(entry.text)
        space.seats.seat[slot].slot = slot
        _write_mind(space.seats.mind[slot], entry, made)
    return space


def _write_mind(mind: Any, entry: Entry, made: Kernel) -> None:
    for point, part in enumerate(entry.parts):
        mind.part[point] = made.roster.index(part)
    for part, values in entry.values:
        if part in made.roster:
            record = getattr(mind, f"of_{made.roster.index(part)}")
            for name, value in values:
                setattr(record, name, value)


class Rows(NamedTuple):
    """Outcome rows as records and, in the same memory, as integers."""

    records: Any
    numbers: np.ndarray

    @classmethod
    def of(cls, cell: Cell, games: int) -> "Rows":
        """Room for this many games."""
        records = np.zeros(games, cell.game.outcome(cell.players))
        return cls(records.view(np.recarray), records.view(np.int64).reshape(games, -1))


class Sums(NamedTuple):
    """Room for a tally of one chunk: scratch, block sums (64, 3, columns) and block fingerprints."""

    work: np.ndarray
    sums: np.ndarray
    prints: np.ndarray

    @classmethod
    def of(cls, cell: Cell) -> "Sums":
        """All zeros."""
        width = len(cell.columns)
        return cls(np.zeros(width, np.int64), np.zeros((BLOCKS, 3, width), np.int64), np.zeros(BLOCKS, np.uint64))
