"""A sweep: every cell of an experiment file, one results file, and what to do when something ends it early."""

import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.config import Experiment, load
from experiments.plan import plan
from experiments.progress import Progress
from simcore.crew import cores
from simcore.disk_cache import on_compile
from simcore.engine import Failure, Run, run_each
from simcore.errors import UsageError
from simcore.sequential import StoppingRule
from simcore.store import Planned, Store, alone, create, differences, opened

Player = Callable[[Sequence[Planned], Callable[[int, int, int], None]], Iterator[Run | Failure]]


@dataclass(frozen=True)
class Sweep:
    """The arguments of a sweep: the file, what replaces its keys, and where the results go."""

    file: str
    overrides: Mapping[str, Any]
    output: str
    threads: int | None = None
    resume: bool = False
    quiet: bool = False
    until: StoppingRule | None = None

    def experiment(self) -> Experiment:
        """What the file asks, with the overrides."""
        return load(self.file, self.overrides)


@dataclass(frozen=True)
class Swept:
    """How a sweep ended: cells played now, cells that failed with the reason, and seconds in all and in kernels.

    threads: how many played; None where they came and went.
    """

    played: int
    failed: dict[str, str]
    interrupted: bool
    seconds: float
    busy: float
    threads: int | None

    @property
    def share_in_kernels(self) -> float:
        """The part of the threads' time that went into playing; 0 where nobody knows how many there were."""
        return self.busy / (self.seconds * self.threads) if self.seconds and self.threads else 0.0


def about(sweep: Sweep, experiment: Experiment) -> dict[str, Any]:
    """What the results file says about itself, beside the cells."""
    return {
        "title": experiment.title,
        "question": experiment.question,
        "experiment": experiment.model_dump(mode="json", exclude_defaults=True),
        "until": repr(sweep.until) if sweep.until else "",
        "command": f"simulate {shlex.join(sys.argv[1:])}",
    }


def sweep_all(sweep: Sweep, play: Player | None = None, failed: dict[str, str] | None = None) -> Swept:
    """Plays the cells that the results file does not have yet, and writes each as it is finished.

    play: how cells are played; on this machine's threads by default. failed: is given the cells that fail, with the
    reason, for those who want to know them also when an error ends the sweep. Raises UsageError for a file that cannot
    be written, that exists and is not to be resumed, or that was made by other rules, strategies or cells.
    """
    cells, facts = _asked(sweep)
    with alone(sweep.output):
        if not _exists(sweep):
            create(sweep.output, facts, cells)
        with opened(sweep.output, writing=True) as store:
            _refuse_another(store, facts, cells)
            left = set(store.labels(finished=False))
            missing = [entry for entry in cells if entry.label in left]
            return _play(sweep, store, missing, len(cells), play, {} if failed is None else failed)


def check(sweep: Sweep) -> None:
    """Raises UsageError where `sweep_all` would before the first game, and leaves all files as they are."""
    cells, facts = _asked(sweep)
    with alone(sweep.output):
        if _exists(sweep):
            with opened(sweep.output) as store:
                _refuse_another(store, facts, cells)


def _asked(sweep: Sweep) -> tuple[list[Planned], dict[str, Any]]:
    experiment = sweep.experiment()
    return plan(experiment, sweep.file), about(sweep, experiment)


def _exists(sweep: Sweep) -> bool:
    """Whether the results file is there to go on in."""
    if not Path(sweep.output).exists():
        return False
    if not sweep.resume:
        raise UsageError(f"{sweep.output}: it exists; go on in it with --resume, or write another file with -o")
    return True


def _refuse_another(store: Store, facts: Mapping[str, Any], cells: Sequence[Planned]) -> None:
    different = differences(store, facts, cells)
    if different:
        more = f" (and {len(different) - 1} more)" if len(different) > 1 else ""
        raise UsageError(f"{store.path}: this is another experiment: {different[0]}{more}")


def _play(
    sweep: Sweep,
    store: Store,
    cells: Sequence[Planned],
    all_cells: int,
    play: Player | None,
    failed: dict[str, str],
) -> Swept:
    """Plays these cells into the store."""
    start, busy, interrupted, played = time.perf_counter(), 0.0, False, 0
    threads = sweep.threads or (None if play else cores())
    with Board(cells, all_cells, sweep.quiet) as board:
        on_compile(lambda: board.note("compiling for a line-up (first time only, some seconds)"))
        try:
            runs = (play or _locally(sweep))(cells, board.show)
            for entry, done in zip(cells, runs, strict=False):
                if isinstance(done, Exception):
                    failed[entry.label] = str(done)
                    store.log(f"{entry.label}: {done}")
                    board.note(f"cell {entry.label} failed: {done}")
                elif done.interrupted:
                    interrupted = True
                else:
                    note = f"{entry.label}: {done.seconds:.3f} s, {done.busy:.3f} s in the kernel"
                    store.put(entry.label, done.tally, done.stopped, note)
                    busy, played = busy + done.busy, played + 1
        except KeyboardInterrupt:  # while a kernel was compiled, or the second one
            interrupted = True
    stopped = interrupted or played + len(failed) < len(cells)
    return Swept(played, failed, stopped, time.perf_counter() - start, busy, threads)


def _locally(sweep: Sweep) -> Player:
    def play(cells: Sequence[Planned], progress: Callable[[int, int, int], None]) -> Iterator[Run | Failure]:
        return run_each((entry.cell for entry in cells), sweep.threads, progress, sweep.until)

    return play


class Board:
    """Progress over all cells: how many are done, how fast, and how long it will take."""

    def __init__(self, cells: Sequence[Planned], all_cells: int, quiet: bool):
        self._games = [entry.cell.deals * entry.cell.rotations for entry in cells]
        self._before = [sum(self._games[:place]) for place in range(len(cells))]
        self._done, self._all = all_cells - len(cells), all_cells
        self._progress = Progress("", quiet)

    def __enter__(self) -> "Board":
        self._progress.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._progress.__exit__(*error)

    def note(self, text: str) -> None:
        """A line above the bar."""
        self._progress.note(text)

    def show(self, place: int, games: int, asked: int) -> None:
        """Called when games of a cell are done."""
        finished = self._done + place + (games >= asked)
        self._progress.label = f"{finished} of {self._all} cells"
        self._progress(self._before[place] + games, sum(self._games))
