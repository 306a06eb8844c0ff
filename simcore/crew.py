"""Who plays a cell's chunks: one player on any thread, and the crews of threads that are given to the engine."""

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import Any, Protocol

import numpy as np

from simcore.cell import Book, Cell, Rows, workspace
from simcore.errors import IllegalAction, KernelError
from simcore.plain import NO_COMPILER

CHUNK_SECONDS = 0.05

FAILURE = Exception if NO_COMPILER else KernelError  # what a strategy's error looks like from outside


@dataclass
class Chunk:
    """Some deals of a cell, played: their games, their sums, their rows where these are kept, and the seconds."""

    first: int
    deals: int
    games: int
    book: Book
    rows: Rows | None
    seconds: float


@dataclass
class Failed:
    """In place of a chunk: why there is none, and nothing after it."""

    error: IllegalAction


class Player:
    """Plays deals of a cell on any thread; each thread has records of its own."""

    def __init__(self, cell: Cell, keeps_rows: bool = False) -> None:
        self.cell, self._keeps_rows, self._own = cell, keeps_rows, local()

    def play(self, first: int, sizes: Sequence[int]) -> list[Chunk | Failed]:
        """The deals from `first` on, a chunk for each size, up to one with a game that could not be ended."""
        played: list[Chunk | Failed] = []
        for deals in sizes:
            part = self._play(first, deals)
            played.append(part)
            if isinstance(part, Failed) or part.games < deals * self.cell.rotations:
                break
            first += deals
        return played

    def _play(self, first: int, deals: int) -> Chunk | Failed:
        if not hasattr(self._own, "space"):
            self._own.space = workspace(self.cell)
            self._own.space.cell.keeps_rows = self._keeps_rows
        start = time.perf_counter()
        book, rows = Book.of(self.cell), Rows.of(self.cell)
        try:
            with np.errstate(over="ignore"):  # 64-bit words wrap, also when numba is switched off
                games = int(self.cell.kernel.play(*self._own.space, first, deals, *rows, book.record))
        except FAILURE:
            return Failed(self._explained(first, deals))
        return Chunk(first, deals, games, book, rows, time.perf_counter() - start)

    def _explained(self, first: int, deals: int) -> IllegalAction:
        """What went wrong in a chunk, told by a replay of the first game that stops."""
        space, rows, book = workspace(self.cell), Rows.of(self.cell), Book.of(self.cell)
        space.cell.keeps_rows = True
        for deal in range(first, first + deals):
            rows.numbers(self.cell.rotations)[:] = 0
            try:
                self.cell.kernel.play(*space, deal, 1, *rows, book.record)
            except FAILURE:
                done = sum(row[: self.cell.players].any() for row in rows.numbers(self.cell.rotations))
                return illegal_action(self.cell, deal * self.cell.rotations + int(done))
        raise AssertionError("no deal of the chunk stops when it is played alone")


class Pending(Protocol):
    """Chunks that somebody plays."""

    def result(self) -> list[Chunk | Failed]:
        """Waits for them; they end with the one that failed."""


class Crew(Protocol):
    """Who plays chunks: threads of this process, or somebody elsewhere."""

    @property
    def seconds(self) -> tuple[float, float]:
        """What a task should take at least and at most; between them, all that can play get their share of a cell."""

    @property
    def slots(self) -> int:
        """Tasks that it works on at once."""

    def submit(self, player: "Player", first: int, sizes: Sequence[int]) -> Pending:
        """Begins to play a cell from a deal on: a chunk for each size."""


class Threads:
    """A crew of threads of this process."""

    seconds = (CHUNK_SECONDS, CHUNK_SECONDS)

    def __init__(self, threads: int) -> None:
        self.slots = threads
        self._pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> "Threads":
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        self._pool.shutdown(cancel_futures=kind is not None)

    def submit(self, player: Player, first: int, sizes: Sequence[int]) -> Pending:
        """Begins to play a cell from a deal on: a chunk for each size."""
        return self._pool.submit(player.play, first, sizes)


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def warm(cell: Cell) -> None:
    """Compiles the cell's kernel, or fetches it from the disk.

    Raises UsageError for a strategy that cannot be compiled, with its line and the reason, and for such rules.
    """
    try:
        cell.kernel.play(*workspace(cell), 0, 0, *Rows.of(cell), Book.of(cell).record)
    except Exception as error:  # the compiler raises whatever it trips over
        if NO_COMPILER:
            raise
        from simcore.diagnosis import diagnose

        raise diagnose(cell, error) from error


def illegal_action(cell: Cell, number: int) -> IllegalAction:
    """The full story of an illegal action in this game: who, what, and how to see it again."""
    from simcore.replay import replay, replay_command

    try:
        replay(cell, number)
    except IllegalAction as error:
        return IllegalAction(f"{error}; see it with: {replay_command(cell, number)}")
    raise AssertionError(f"game {number} stopped in the kernel but not in its replay: seed {cell.seed}")
