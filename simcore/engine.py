"""Runs a cell: chunks of deals on threads, merged in game order, so that no number depends on the threads."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from threading import current_thread, local, main_thread

import numpy as np

from simcore.cell import ROWS, Book, Cell, Rows, workspace
from simcore.errors import IllegalAction, KernelError, UsageError
from simcore.plain import NO_COMPILER
from simcore.sequential import StoppingRule, next_look
from simcore.tally import Tally

CHUNK_SECONDS = 0.05
FIRST_CHUNK = 64

FAILURE = Exception if NO_COMPILER else KernelError  # what a strategy's error looks like from outside

Progress = Callable[[int, int], None]
RowSink = Callable[[int, np.ndarray], None]


@dataclass
class Run:
    """What came of a cell: its tally, the seconds it took, whether it was interrupted, and why it stopped early.

    busy: seconds of all threads together in the kernel.
    """

    tally: Tally
    seconds: float
    interrupted: bool = False
    stopped: str = ""
    busy: float = 0.0


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
    until: StoppingRule | None = None,
) -> Run:
    """Plays all games of a cell, or fewer if a stopping rule says so.

    threads: all cores by default. progress: called with games done and games asked. rows: called with the number
    of the first game and the outcome rows as integers, in game order. chunk: deals a chunk; about 50 ms by default.
    Raises IllegalAction when a strategy answers with what the rules forbid. Ctrl-C ends the run with what there is.
    """
    if chunk and rows:
        chunk = min(chunk, ROWS // cell.rotations)
    (done,) = run_each(
        [cell], threads, lambda _, games, asked: progress(games, asked) if progress else None, until, rows, chunk
    )
    if isinstance(done, Exception):
        raise done
    return done


def run_each(
    cells: Iterable[Cell],
    threads: int | None = None,
    progress: Callable[[int, int, int], None] | None = None,
    until: StoppingRule | None = None,
    rows: RowSink | None = None,
    chunk: int | None = None,
) -> Iterator[Run | IllegalAction]:
    """Plays cells one after the other, and yields what came of each in that order: a run, or why there is none.

    A cell begins while the last chunks of the one before are still in work, so that no thread waits. progress: called
    with the place of a cell, its games done and its games asked. After Ctrl-C the cell in work ends with what there
    is, and no other is played.
    """
    if threads is not None and not 1 <= threads <= 1024:
        raise UsageError(f"--threads {threads}: give a whole number from 1 to 1024")
    yield from _Pool(threads or cores(), progress, until, rows, chunk).run(cells)


class _Pool:
    """Threads that play chunks of one cell after the other; chunks are merged in the order in which they were made."""

    def __init__(
        self,
        threads: int,
        progress: Callable[[int, int, int], None] | None,
        until: StoppingRule | None,
        rows: RowSink | None,
        chunk: int | None,
    ) -> None:
        self._threads, self._progress, self._until, self._rows, self._chunk = threads, progress, until, rows, chunk
        self._waiting: deque[tuple[_Runner, Future[_Chunk]]] = deque()
        self._stopped = False

    def run(self, cells: Iterable[Cell]) -> Iterator[Run | IllegalAction]:
        runners = (self._runner(place, cell) for place, cell in enumerate(cells))
        open_ones = deque(islice(runners, 1))  # compiled before Ctrl-C means anything but to end at once
        with ThreadPoolExecutor(self._threads) as pool, self._listening():
            try:
                while open_ones:
                    self._fill(pool, runners, open_ones)
                    if self._waiting:
                        self._merge_next()
                    while open_ones and open_ones[0].is_done(self._stopped):
                        done = open_ones.popleft()
                        if done.has_begun():
                            yield done.outcome(self._stopped)
                        self._fill(pool, runners, open_ones)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _runner(self, place: int, cell: Cell) -> "_Runner":
        warm(cell)
        report = self._progress
        own = (lambda games, asked: report(place, games, asked)) if report else None
        return _Runner(cell, own, self._rows, self._chunk, self._until)

    def _fill(self, pool: ThreadPoolExecutor, runners: "Iterator[_Runner]", open_ones: "deque[_Runner]") -> None:
        """Keeps twice as many chunks in work as there are threads, from the cell in turn or else the next one."""
        while not self._stopped and len(self._waiting) < 2 * self._threads:
            if not open_ones or open_ones[-1].is_handed_out():
                open_ones.extend(islice(runners, 1))
            runner = open_ones[-1] if open_ones else None
            if runner is None or runner.is_handed_out():
                return
            self._waiting.append((runner, pool.submit(runner.play, *runner.next_chunk())))
            runner.waiting += 1

    def _merge_next(self) -> None:
        runner, future = self._waiting.popleft()
        try:
            runner.merge(future.result())
        except IllegalAction as error:
            runner.error = error
        except KeyboardInterrupt:  # a caller's way of saying, through `progress`, that it has seen enough
            self._stopped = True
        runner.waiting -= 1

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


class _Runner:
    """The state of one cell: deals handed out, deals merged, and how fast they go."""

    def __init__(
        self,
        cell: Cell,
        progress: Progress | None,
        rows: RowSink | None,
        chunk: int | None,
        until: StoppingRule | None,
    ) -> None:
        self._cell, self._progress, self._rows, self._chunk, self._until = cell, progress, rows, chunk, until
        self._tally = Tally(cell)
        self._next, self._reason = 0, ""
        self._size = chunk or FIRST_CHUNK
        self._own = local()
        self._start, self._busy = time.perf_counter(), 0.0
        self.waiting = 0
        self.error: IllegalAction | None = None

    def is_handed_out(self) -> bool:
        """Whether there is no chunk left to play."""
        return self._next >= self._cell.deals or bool(self._reason) or self.error is not None

    def is_done(self, stopped: bool) -> bool:
        """Whether all that was handed out is merged, and nothing more will be."""
        return self.waiting == 0 and (stopped or self.is_handed_out())

    def has_begun(self) -> bool:
        """Whether there is anything to tell of the cell."""
        return self._tally.deals > 0 or self.error is not None

    def outcome(self, stopped: bool) -> Run | IllegalAction:
        """What came of the cell."""
        if self.error:
            return self.error
        interrupted = stopped and not self._reason and self._tally.deals < self._cell.deals
        spent = self._until.spent if self._until and not interrupted else ""
        seconds = time.perf_counter() - self._start
        return Run(self._tally, seconds, interrupted, self._reason or spent, self._busy)

    def next_chunk(self) -> tuple[int, int]:
        """The first deal and the number of deals of the next chunk."""
        first = self._next
        deals = min(self._size, self._cell.deals - first)
        if self._until:
            deals = min(deals, next_look(first) - first)
        self._next += deals
        return first, deals

    def play(self, first: int, deals: int) -> _Chunk:
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

    def merge(self, chunk: _Chunk) -> None:
        """Adds the next chunk in order; one that comes after the cell has stopped is left out."""
        if self._reason or self.error:
            return
        rotations = self._cell.rotations
        if chunk.games < chunk.deals * rotations:
            raise illegal_action(self._cell, chunk.first * rotations + chunk.games)
        look = next_look(self._tally.deals)
        self._tally.add(chunk.deals, chunk.book)
        self._busy += chunk.seconds
        if self._until and self._tally.deals in (look, self._cell.deals):
            self._reason = self._until.reason(self._tally)
        if self._rows:
            self._rows(chunk.first * rotations, chunk.rows.numbers(chunk.games))
        if self._progress:
            self._progress(self._tally.games, self._cell.deals * rotations)
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
