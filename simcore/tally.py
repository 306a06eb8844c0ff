"""Tallies: exact integer sums of many games in 64 blocks, which merge in any order to the same result."""

import hashlib
from dataclasses import dataclass, field

import numpy as np

from simcore.cell import Book, Cell
from simcore.loop import BLOCKS, DEAL_SQUARE, GAME_SQUARE, SUM


@dataclass
class Tally:
    """Sums over the deals 0 … deals - 1 of a cell; deal d is in block d % 64.

    sums: Python integers (64, 3, columns): sums, squares by deal, squares by game. prints: one fingerprint a block.
    scores: histograms of a heavy-tailed game's scores, lengths: one of a watched game's lengths;
    traces: fingerprints of a traced game, by kind and block; all as in `Book`.
    """

    cell: Cell
    deals: int = 0
    sums: np.ndarray = field(init=False)
    scores: np.ndarray = field(init=False)
    lengths: np.ndarray = field(init=False)
    traces: np.ndarray = field(init=False)
    prints: list[int] = field(default_factory=lambda: [0] * BLOCKS)

    def __post_init__(self) -> None:
        self.sums = np.zeros((BLOCKS, 3, len(self.cell.columns)), dtype=object)
        empty = Book.of(self.cell)
        self.scores, self.lengths = np.zeros_like(empty.scores), np.zeros_like(empty.lengths)
        self.traces = np.zeros_like(empty.traces)

    @property
    def games(self) -> int:
        """Games played."""
        return self.deals * self.cell.rotations

    def add(self, deals: int, chunk: Book) -> None:
        """Adds a chunk of finished deals."""
        self.deals += deals
        self.sums += chunk.sums
        self.scores += chunk.scores
        self.lengths += chunk.lengths
        self.traces += chunk.traces
        self.prints = [(old + int(more)) % 2**64 for old, more in zip(self.prints, chunk.prints, strict=True)]

    def total(self, column: str) -> tuple[int, int, int]:
        """Sum, squares by deal and squares by game of one column over all deals."""
        place = self.cell.columns.index(column)
        sums = self.sums[:, :, place].sum(axis=0)
        by_game = sums[GAME_SQUARE] if self.cell.rotations > 1 else sums[DEAL_SQUARE]
        return int(sums[SUM]), int(sums[DEAL_SQUARE]), int(by_game)

    def blocks(self, column: str) -> list[int]:
        """The sums of one column in each block that has deals."""
        place = self.cell.columns.index(column)
        return [int(total) for total in self.sums[: min(self.deals, BLOCKS), SUM, place]]

    def digest(self) -> str:
        """A fingerprint of every integer of the result and of every game, in 16 hexadecimal digits."""
        numbers = [self.deals, self.cell.rotations, *self.sums.ravel().tolist(), *self.prints]
        text = ",".join(map(str, [*self.cell.columns, *numbers]))
        return hashlib.sha256(text.encode()).hexdigest()[:16]
