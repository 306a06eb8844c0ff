"""Runs a cell: chunks of deals on threads, merged in game order, so that no number depends on the threads."""

import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice, pairwise
from threading import current_thread, main_thread

import numpy as np

from simcore.cell import ROWS, Cell
from simcore.crew import Chunk, Crew, Failed, Pending, Player, Threads, cores, illegal_action, warm
from simcore.errors import IllegalAction, UsageError
from simcore.sequential import StoppingRule, next_look
from simcore.tally import Tally

FIRST_CHUNK = 64

Progress = Callable[[int, int], None]
RowSink = Callable[[int, np.ndarray], None]
Failure = IllegalAction | UsageError  # of a cell: a strategy that broke the rules, or that cannot be compiled


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


def run(
    cell: Cell,
    threads: int | None = None,
    progress: Progress | None = None,
    rows: RowSink | None = None,
    chunk: int | None = None,
    until: StoppingRule | None = None,
    first: int = 0,
) -> Run:
    """Plays all games of a cell, or fewer if a stopping rule says so.

    first: the deal to begin with, in place of deal 0; the tally has the deals from it on. It does not go with until.
    threads: all cores by default. progress: called with games done and games asked. rows: called with the number
    of the first game and the outcome rows as integers, in game order. chunk: deals a chunk; about 50 ms by default.
    Raises IllegalAction when a strategy answers with what the rules forbid. Ctrl-C ends the run with what there is; a
    second one, or one before the first game, is a KeyboardInterrupt.
    """
    if chunk and rows:
        chunk = min(chunk, ROWS // cell.rotations)
    played = list(
        run_each(
            [cell],
            threads,
            lambda _, games, asked: progress(games, asked) if progress else None,
            until,
            rows,
            chunk,
            first=first,
        )
    )
    if not played:
        raise KeyboardInterrupt
    if isinstance(played[0], Exception):
        raise played[0]
    return played[0]


def run_each(
    cells: Iterable[Cell],
    threads: int | None = None,
    progress: Callable[[int, int, int], None] | None = None,
    until: StoppingRule | None = None,
    rows: RowSink | None = None,
    chunk: int | None = None,
    crew: Crew | None = None,
    first: int = 0,
) -> Iterator[Run | Failure]:
    """Plays cells one after the other, and yields what came of each in that order: a run, or why there is none.

    A cell begins while the last chunks of the one before are still in work, so that no thread waits. progress: called
    with the place of a cell, its games done and its games asked; it may raise KeyboardInterrupt, which is as Ctrl-C.
    After Ctrl-C the cell in work ends with what there is, and no other is played: what is yielded are the first cells.
    A second Ctrl-C raises KeyboardInterrupt. crew: who plays, instead of threads. first: where each begins.
    """
    check_threads(threads)
    with nullcontext(crew) if crew else Threads(threads or cores()) as players:
        yield from _Pool(players, progress, until, rows, chunk, first).run(cells)


def check_threads(threads: int | None) -> None:
    """Raises UsageError for a number of threads that there cannot be."""
    if threads is not None and not 1 <= threads <= 1024:
        raise UsageError(f"--threads {threads}: give a whole number from 1 to 1024")


class _Pool:
    """A crew that plays chunks of one cell after the other; they are merged in the order in which they were made."""

    def __init__(
        self,
        crew: Crew,
        progress: Callable[[int, int, int], None] | None,
        until: StoppingRule | None,
        rows: RowSink | None,
        chunk: int | None,
        first: int,
    ) -> None:
        self._first = first
        self._crew, self._progress, self._until, self._rows, self._chunk = crew, progress, until, rows, chunk
        self._waiting: deque[tuple[_Runner, Pending]] = deque()
        self._stopped, self._at_once, self._rate = False, False, 0.0

    def run(self, cells: Iterable[Cell]) -> Iterator[Run | Failure]:
        runners = (self._runner(place, cell) for place, cell in enumerate(cells))
        open_ones = deque(islice(runners, 1))  # compiled before Ctrl-C means anything but to end at once
        with self._listening():
            while open_ones:
                self._fill(runners, open_ones)
                if self._waiting:
                    self._merge_next()
                while open_ones and open_ones[0].is_done(self._stopped):
                    done = open_ones.popleft()
                    if not done.has_begun():
                        return  # after Ctrl-C; nor has any cell after it
                    yield done.outcome(self._stopped)
                    self._fill(runners, open_ones)

    def _runner(self, place: int, cell: Cell) -> "_Runner":
        trouble = None
        try:
            warm(cell)
        except UsageError as error:
            trouble = error
        report = self._progress
        own = (lambda games, asked: report(place, games, asked)) if report else None
        runner = _Runner(cell, own, self._rows, self._chunk, self._until, self._crew, self._first)
        runner.error = trouble
        if self._rate and not self._chunk:
            runner.expect(self._rate)
        return runner

    def _fill(self, runners: "Iterator[_Runner]", open_ones: "deque[_Runner]") -> None:
        """Keeps twice as many tasks in work as there are slots, from the cell in turn or else the next one."""
        while not self._stopped and len(self._waiting) < 2 * self._crew.slots:
            if not open_ones or open_ones[-1].is_handed_out():
                open_ones.extend(islice(runners, 1))
            runner = open_ones[-1] if open_ones else None
            if runner is None or runner.is_handed_out():
                return
            task = runner.next_task(self._crew.slots)
            self._waiting.append((runner, self._crew.submit(runner.player, *task)))
            runner.waiting += 1

    def _merge_next(self) -> None:
        """Adds the next task in order; an interrupt in the middle leaves the run, and with it the half of a task."""
        runner, pending = self._waiting.popleft()
        is_news = runner.merge(pending.result())
        runner.waiting -= 1
        if not is_news:
            return
        self._rate = runner.rate
        try:
            runner.tell()
        except KeyboardInterrupt:  # a caller's way of saying, through `progress`, that it has seen enough
            if self._at_once:
                raise
            self._stopped = True

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Ctrl-C lets the chunks in work finish, which are the next deals in order; a second one ends at once."""
        if current_thread() is not main_thread():
            yield
            return

        def stop(number: int, frame: object) -> None:
            if self._stopped:
                self._at_once = True
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
        crew: Crew,
        first: int,
    ) -> None:
        self._cell, self._progress, self._rows, self._chunk, self._until = cell, progress, rows, chunk, until
        self.player, self._crew = Player(cell, bool(rows)), crew
        self._tally = Tally(cell)
        self._next, self._reason = first, ""
        self._deals = cell.deals - first
        self._least = self._most = chunk or FIRST_CHUNK
        self.rate = 0.0  # games a second
        self._start, self._busy = time.perf_counter(), 0.0
        self.waiting = 0
        self.error: Failure | None = None

    def is_handed_out(self) -> bool:
        """Whether there is no chunk left to play."""
        return self._next >= self._cell.deals or bool(self._reason) or self.error is not None

    def is_done(self, stopped: bool) -> bool:
        """Whether all that was handed out is merged, and nothing more will be."""
        return self.waiting == 0 and (stopped or self.is_handed_out())

    def has_begun(self) -> bool:
        """Whether there is anything to tell of the cell."""
        return self._tally.deals > 0 or self.error is not None

    def outcome(self, stopped: bool) -> Run | Failure:
        """What came of the cell."""
        if self.error:
            return self.error
        interrupted = stopped and not self._reason and self._tally.deals < self._deals
        spent = self._until.spent if self._until and not interrupted else ""
        seconds = time.perf_counter() - self._start
        return Run(self._tally, seconds, interrupted, self._reason or spent, self._busy)

    def next_task(self, slots: int) -> tuple[int, list[int]]:
        """The first deal of the next task and the sizes of its chunks: they end where the stopping rule looks."""
        first, left = self._next, self._cell.deals - self._next
        self._next += min(left, self._most, max(self._least, left // (2 * slots)))
        ends = [first]
        while ends[-1] < self._next:
            ends.append(min(self._next, next_look(ends[-1])) if self._until else self._next)
        return first, [end - start for start, end in pairwise(ends)]

    def merge(self, played: Sequence[Chunk | Failed]) -> bool:
        """Adds the chunks of the next task in order, up to where the cell stops or fails; whether it has more games.

        What was played beyond that place is as if it had not been, whatever happened there.
        """
        if self._reason or self.error:
            return False
        for part in played:
            self._add(part)
            if self.error:
                return False
            if self._reason:
                break
        if not self._chunk:
            chunks = [part for part in played if isinstance(part, Chunk)]
            self._measure(sum(chunk.deals for chunk in chunks), sum(chunk.seconds for chunk in chunks))
        return True

    def tell(self) -> None:
        """Calls `progress`."""
        if self._progress:
            self._progress(self._tally.games, self._deals * self._cell.rotations)

    def _add(self, part: Chunk | Failed) -> None:
        if isinstance(part, Failed):
            self.error = part.error
        elif part.games < part.deals * self._cell.rotations:
            self.error = illegal_action(self._cell, part.first * self._cell.rotations + part.games)
        else:
            self._count(part)

    def _count(self, chunk: Chunk) -> None:
        look = next_look(self._tally.deals)
        self._tally.add(chunk.deals, chunk.book)
        self._busy += chunk.seconds
        if self._until and self._tally.deals in (look, self._deals):
            self._reason = self._until.reason(self._tally)
        if self._rows and chunk.rows:
            self._rows(chunk.first * self._cell.rotations, chunk.rows.numbers(chunk.games))

    def expect(self, rate: float) -> None:
        """Sets the size of the first tasks by the games a second of another cell: the shortest that are worth it."""
        most = ROWS if self._rows else self._cell.deals * self._cell.rotations
        self._least = self._most = max(1, int(min(rate * self._crew.seconds[0], most)) // self._cell.rotations)

    def _measure(self, deals: int, seconds: float) -> None:
        """Sets the size of the tasks to come by the speed of the last one."""
        speed = deals / max(seconds, 1e-6)
        most = ROWS // self._cell.rotations if self._rows else 8 * deals
        self._least, self._most = (max(1, min(int(speed * span), most, 8 * deals)) for span in self._crew.seconds)
        self.rate = speed * self._cell.rotations
