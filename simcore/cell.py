"""A cell: one game under one set of rules with one line-up, and the records that a kernel plays it with."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simcore.contract import Game, Strategy, new, record
from simcore.errors import UsageError
from simcore.histogram import BUCKETS
from simcore.kernel import Kernel, kernel
from simcore.lineup import Entry
from simcore.loop import BLOCKS, CARRY
from simcore.plain import NO_COMPILER, plain_record
from simcore.registry import plugin_path
from simcore.rng import DEAL, LINEUP, SEAT, SHUFFLER, stream_key

MOST_GAMES = 10**12


@dataclass(frozen=True)
class Cell:
    """What is played: every number of the result follows from this.

    company: strategies that the kernel knows beside those of the line-up, so that several cells share it.
    Raises UsageError for a number of players or games that cannot be played.
    """

    game: Game
    rules: Any
    players: int
    line_up: tuple[Entry, ...]
    games_asked: int
    seed: int
    rotate: bool = True
    company: tuple[Strategy, ...] = ()

    def __post_init__(self) -> None:
        if not self.game.least_players <= self.players <= self.game.most_players:
            takes = f"{self.game.least_players} to {self.game.most_players} players"
            raise UsageError(f"--players {self.players}: {self.game.name} takes {takes}")
        if self.game.check:
            self.game.check(self.rules, self.players)
        if not 1 <= self.games_asked <= MOST_GAMES:
            raise UsageError(f"--games {self.games_asked}: give a whole number from 1 to {MOST_GAMES:,}")
        if not 0 <= self.seed < 2**63:
            raise UsageError(f"--seed {self.seed}: give a whole number from 0 to {2**63 - 1}")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The distinct line-up entries, in order of first appearance."""
        return tuple(dict.fromkeys(entry.text for entry in self.line_up))

    @property
    def plugins(self) -> list[str]:
        """The plug-in files that its game and its strategies came from."""
        parts = dict.fromkeys(part for entry in self.line_up for part in entry.parts)
        made: list[Game | Strategy] = [self.game, *parts]
        return [path for path in dict.fromkeys(map(plugin_path, made)) if path]

    @property
    def rotations(self) -> int:
        """How many seatings of each deal are played: all of a mixed line-up, unless told otherwise."""
        return self.players if self.rotate and len(self.names) > 1 else 1

    @property
    def deals(self) -> int:
        """Deals to play: enough whole deals for the games asked."""
        return -(-self.games_asked // self.rotations)

    @cached_property
    def columns(self) -> list[str]:
        """What a tally sums, in order: shares and scores by seat, the same by strategy, then the metrics."""
        seats, groups = range(self.players), range(len(self.names))
        return [
            *(f"share_seat_{seat}" for seat in seats),
            *(f"score_seat_{seat}" for seat in seats),
            *(f"share_strategy_{group}" for group in groups),
            *(f"score_strategy_{group}" for group in groups),
            *self.game.counted(self.players),
        ]

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel for this line-up's roster."""
        roster: dict[Strategy, None] = dict.fromkeys(self.company)
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
    space.cell.rotations, space.cell.groups, space.cell.columns = cell.rotations, len(cell.names), len(cell.columns)
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
            parameters = getattr(mind, f"of_{made.roster.index(part)}")
            for name, value in values:
                setattr(parameters, name, value)


ROWS = 8192  # games whose rows a kernel can keep at once
KINDS = 5  # fingerprints of a traced game: of deals, decisions and outcomes, and two that say where these are


class Rows(NamedTuple):
    """Outcome rows, room for ROWS games: as records and, in the same memory, as integers."""

    page: Any
    lines: Any

    @classmethod
    def of(cls, cell: Cell) -> "Rows":
        """Room for a chunk; what is not written to takes no memory."""
        outcome = cell.game.outcome(cell.players)
        page = np.zeros(1, record(("outcome", outcome, (ROWS,))))
        lines = page.view(record(("line", np.int64, (ROWS, outcome.itemsize // 8))))
        return cls(page.view(np.recarray)[0], lines.view(np.recarray)[0])

    def outcome(self, game: int) -> Any:
        """The record of a game."""
        return self.page.outcome[game]

    def numbers(self, games: int) -> np.ndarray:
        """The first rows as integers (games, width)."""
        numbers: np.ndarray = self.lines.line[:games]
        return numbers


class Book(NamedTuple):
    """The tally of one chunk, wide enough for any line-up: a record with `work`, `sums` and `prints`.

    For a heavy-tailed game also `carries`, above the squares in `sums`, and `scores`, a histogram for each seat
    and, after those, for each strategy of the line-up. For a watched game also `lengths`, a histogram of the game's
    first metric. For a traced game also `traces`, the fingerprints of deals, decisions and outcomes by block, and
    `early`, those of the first ROWS games of the chunk.
    """

    record: Any
    columns: int

    @classmethod
    def of(cls, cell: Cell) -> "Book":
        """All zeros."""
        players, is_wide = cell.players, cell.game.is_heavy_tailed
        width = 4 * players + len(cell.game.counted(players))
        scores, carries = ((2 * players, BUCKETS), (BLOCKS, 3, width)) if is_wide else ((1, 1), (1, 1, 1))
        lengths = (BUCKETS if cell.game.is_watched else 1,)
        is_traced = cell.game.add_prints is not None
        kept, blocks = ((ROWS, 3), (KINDS, BLOCKS)) if is_traced else ((1, 1), (1, 1))
        tally = record(
            *(("work", np.int64, (width,)), ("sums", np.int64, (BLOCKS, 3, width)), ("prints", np.uint64, (BLOCKS,))),
            *(("carries", np.int64, carries), ("scores", np.int64, scores)),
            *(("lengths", np.int64, lengths), ("early", np.uint64, kept), ("traces", np.uint64, blocks)),
        )
        return cls(new(tally), len(cell.columns))

    @property
    def sums(self) -> np.ndarray:
        """Block sums, Python integers (64, 3, columns)."""
        sums: np.ndarray = self.record.sums[:, :, : self.columns].astype(object)
        if self.record.carries.any():
            sums += self.record.carries[:, :, : self.columns].astype(object) << CARRY
        return sums

    @property
    def prints(self) -> np.ndarray:
        """Block fingerprints, uint64 (64,)."""
        prints: np.ndarray = self.record.prints
        return prints

    @property
    def traces(self) -> np.ndarray:
        """Fingerprints of a traced game, uint64 (KINDS, 64); (1, 1) without any."""
        traces: np.ndarray = self.record.traces
        return traces

    @property
    def lengths(self) -> np.ndarray:
        """The histogram of the lengths of games, int64 (buckets,); one zero for a game that is not watched."""
        lengths: np.ndarray = self.record.lengths
        return lengths

    @property
    def scores(self) -> np.ndarray:
        """Histograms of scores, int64 (2 * players, BUCKETS): of seats, then of strategies; (1, 1) without any."""
        scores: np.ndarray = self.record.scores
        return scores
