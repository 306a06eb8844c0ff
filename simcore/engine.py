"""Runs a cell: chunks of deals on threads, merged in game order, so that no number depends on the threads."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import current_thread, local, main_thread

import numpy as np

from simcore.cell import ROWS, Book, Cell, Rows, workspace
from simcore.errors import IllegalAction, KernelError, UsageError
from simcore.plain import NO_COMPILER
from simcore.tally import Tally

CHUNK_SECONDS = 0.05
FIRST_CHUNK = 64

FAILURE = Exception if NO_COMPILER else KernelError  # what a strategy's error looks like from outside

Progress = Callable[[int, int], None]
RowSink = Callable[[int, np.ndarray], None]


@dataclass
class Run:
    """What came of a cell: its tally, the seconds of play, and whether it was interrupted."""

    tally: Tally
    seconds: float
    interrupted: bool = False


@dataclass
class _Chunk:
    first: int
    deals: int
    games: int
    book: Book
    rows: Rows
    seconds: float


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def warm(cell: Cell) -> None:
    """Compiles the cell's kernel, or fetches it from the disk.

    Raises UsageError for a strategy that cannot be compiled, with its line and the reason.
    """
    try:
        cell.kernel.play(*workspace(cell), 0, 0, *Rows.of(cell), Book.of(cell).record)
    except Exception:  # the compiler raises whatever it trips over
        from simcore.diagnosis import diagnose

        trouble = diagnose(cell)
        if trouble is None:
            raise
        raise trouble from None


def run(
    cell: Cell,
    threads: int | None = None,
    progress: Progress | None = None,
    rows: RowSink | None = None,
    chunk: int | None = None,
) -> Run:
    """Plays all games of a cell.

    threads: all cores by default. progress: called with games done and games asked. rows: called with the number
    of the first game and the outcome rows as integers, in game order. chunk: deals a chunk; about 50 ms by default.
    Raises IllegalAction when a strategy answers with what the rules forbid. Ctrl-C ends the run with what there is.
    """
    if threads is not None and not 1 <= threads <= 1024:
        raise UsageError(f"--threads {threads}: give a whole number from 1 to 1024")
    if chunk and rows:
        chunk = min(chunk, ROWS // cell.rotations)
    warm(cell)
    return _Runner(cell, threads or cores(), progress, rows, chunk).run()


class _Runner:
    """The state of one run: deals handed out, deals merged, and how fast they go."""

    def __init__(
        self, cell: Cell, threads: int, progress: Progress | None, rows: RowSink | None, chunk: int | None
    ) -> None:
        self._cell, self._threads, self._progress, self._rows, self._chunk = cell, threads, progress, rows, chunk
        self._tally = Tally(cell)
        self._next = 0
        self._size = chunk or FIRST_CHUNK
        self._own = local()
        self._stopped = False

    def run(self) -> Run:
        start = time.perf_counter()
        with ThreadPoolExecutor(self._threads) as pool, self._listening():
            waiting: deque[Future[_Chunk]] = deque()
            try:
                while self._hand_out(pool, waiting):
                    self._merge(waiting.popleft().result())
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return Run(self._tally, time.perf_counter() - start, self._stopped)

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Ctrl-C lets the chunks in work finish, which are the next deals in order; a second one ends at once."""
        if current_thread() is not main_thread():
            yield
            return

        def stop(number: int, frame: object) -> None:
            if self._stopped:
                raise KeyboardInterrupt
            self._stopped = True

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _hand_out(self, pool: ThreadPoolExecutor, waiting: "deque[Future[_Chunk]]") -> bool:
        while not self._stopped and self._next < self._cell.deals and len(waiting) < 2 * self._threads:
            deals = min(self._size, self._cell.deals - self._next)
            waiting.append(pool.submit(self._play, self._next, deals))
            self._next += deals
        return bool(waiting)

    def _play(self, first: int, deals: int) -> _Chunk:
        if not hasattr(self._own, "space"):
            self._own.space = workspace(self._cell)
            self._own.space.cell.keeps_rows = bool(self._rows)
        start = time.perf_counter()
        book, rows = Book.of(self._cell), Rows.of(self._cell)
        try:
            with np.errstate(over="ignore"):  # 64-bit words wrap, also when numba is switched off
                games = int(self._cell.kernel.play(*self._own.space, first, deals, *rows, book.record))
        except FAILURE:
            raise self._explained(first, deals) from None
        return _Chunk(first, deals, games, book, rows, time.perf_counter() - start)

    def _explained(self, first: int, deals: int) -> Exception:
        """What went wrong in a chunk, told by a replay of the first game that stops."""
        space, rows, book = workspace(self._cell), Rows.of(self._cell), Book.of(self._cell)
        space.cell.keeps_rows = True
        for deal in range(first, first + deals):
            rows.numbers(self._cell.rotations)[:] = 0
            try:
                self._cell.kernel.play(*space, deal, 1, *rows, book.record)
            except FAILURE:
                done = sum(row[: self._cell.players].any() for row in rows.numbers(self._cell.rotations))
                return illegal_action(self._cell, deal * self._cell.rotations + int(done))
        raise AssertionError("no deal of the chunk stops when it is played alone")

    def _merge(self, chunk: _Chunk) -> None:
        rotations = self._cell.rotations
        if chunk.games < chunk.deals * rotations:
            raise illegal_action(self._cell, chunk.first * rotations + chunk.games)
        self._tally.add(chunk.deals, chunk.book)
        if self._rows:
            self._rows(chunk.first * rotations, chunk.rows.numbers(chunk.games))
        if self._progress:
            try:
                self._progress(self._tally.games, self._cell.deals * rotations)
            except KeyboardInterrupt:  # a caller's way of saying that it has seen enough
                self._stopped = True
        if not self._chunk:
            self._size = self._next_size(chunk)

    def _next_size(self, chunk: _Chunk) -> int:
        rate = chunk.deals / max(chunk.seconds, 1e-6)
        most = ROWS // self._cell.rotations if self._rows else 8 * chunk.deals
        return max(1, min(int(rate * CHUNK_SECONDS), most, 8 * chunk.deals))


def illegal_action(cell: Cell, number: int) -> IllegalAction:
    """The full story of an illegal action in this game: who, what, and how to see it again."""
    from simcore.replay import replay, replay_command

    try:
        replay(cell, number)
    except IllegalAction as error:
        return IllegalAction(f"{error}; see it with: {replay_command(cell, number)}")
    raise AssertionError(f"game {number} stopped in the kernel but not in its replay: seed {cell.seed}")
