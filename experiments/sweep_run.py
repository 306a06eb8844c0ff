"""What `simulate sweep` does with its arguments, and what it says before and after."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.cluster import Cluster, connected
from experiments.config import load
from experiments.numbers import read_players
from experiments.plan import plan
from experiments.sweep import Player, Sweep, Swept, check, sweep_all
from simcore.cell import Cell
from simcore.crew import cores
from simcore.engine import run_each
from simcore.errors import UsageError, nearest
from simcore.rules import pairs

CONFIGS = Path(__file__).parent / "configs"
TRIAL_GAMES = 5000  # games a cell with which a dry run measures the speed


def listed() -> list[str]:
    """The experiments that come with simcore, each with its question."""
    lines = ["Experiments that come with simcore; run one with simulate sweep NAME:", ""]
    for path in sorted(CONFIGS.glob("*.toml")):
        experiment = load(str(path))
        lines += [f"{path.stem}: {experiment.title}", f"    {experiment.question}"]
    return lines


def find(file: str) -> str:
    """The path of an experiment file, or of one that comes with simcore.

    Raises UsageError when there is none.
    """
    if file.endswith(".toml"):
        return file
    path = CONFIGS / f"{file}.toml"
    if not path.is_file():
        raise UsageError(f'there is no experiment "{file}"{nearest(file, [p.stem for p in CONFIGS.glob("*.toml")])}')
    return str(path)


def overrides(
    players: str | None,
    games: str | None,
    strategies: list[str] | None,
    rule: list[str] | None,
    seed: int | None,
    course: bool,
) -> dict[str, Any]:
    """The keys of the file that the command line replaces."""
    given = {
        "players": read_players(players) if players else None,
        "games": games,
        "strategies": strategies or None,
        "seed": seed,
        "course": course or None,
        "rules": pairs(rule) if rule else None,
    }
    return {name: value for name, value in given.items() if value is not None}


def elsewhere(
    address: str | None, workers: int | None, threads: int | None, plugins: Sequence[str], dry_run: bool = False
) -> Cluster | None:
    """The cluster to play on; None for threads of this process.

    Raises UsageError for more than one of the three, and for a dry run, which measures threads.
    """
    if address is None and workers is None:
        return None
    option = "--workers" if address is None else "--cluster"
    if threads is not None:
        raise UsageError(f"--threads and {option}: choose one")
    if dry_run:
        raise UsageError(f"--dry-run and {option}: choose one; a dry run measures the threads of this machine")
    return Cluster(address, workers, tuple(plugins))


def run_on(asked: Sweep, cluster: Cluster) -> int:
    """Like `run`, on a cluster; what is wrong with the files is said before anything is started."""
    check(asked)
    with connected(cluster) as workers:
        return run(replace(asked, threads=cluster.workers), workers.player(asked.until))


def run(asked: Sweep, play: Player | None = None) -> int:
    """Plays a sweep, shows its table, says what is missing; the exit code: 0, 1 for failed cells, 130 for Ctrl-C."""
    from reports.sweep import show, varying
    from simcore.store import opened

    failed: dict[str, str] = {}
    try:
        done = sweep_all(asked, play, failed)
    except Exception:
        _say(_failures(failed))
        raise
    with opened(asked.output) as store:
        cells = store.cells(finished=True)
        show(store.meta("title"), store.meta("question"), varying(store.factors()), cells, sys.stdout)
    _say(_after(asked, done))
    return 130 if done.interrupted else 1 if done.failed else 0


def _say(lines: Sequence[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)


def _failures(failed: Mapping[str, str]) -> list[str]:
    return [f"cell {label} failed: {reason}" for label, reason in failed.items()]


def _after(asked: Sweep, done: Swept) -> Sequence[str]:
    rate = f", {100 * done.share_in_kernels:.0f} % of the time in games" if done.threads else ""
    note = f"{done.played} cells in {done.seconds:.1f} s{rate}, written to {asked.output}"
    lines = [] if asked.quiet else [note]
    lines += _failures(done.failed)
    if done.interrupted:
        lines.append(
            f"interrupted; finished cells are kept. Go on with the same command and --resume -o {asked.output}"
        )
    return lines


def dry_run(asked: Sweep) -> int:
    """Prints the cells, their games, the expected width of an interval, and the time it would take; the exit code."""
    cells = plan(asked.experiment(), asked.file)
    print(f"{len(cells)} cells")
    print(f"{'games':>12}  {'± at the fair share':>20}  cell")
    for entry in cells:
        fair, games = 1 / entry.cell.players, entry.cell.deals * entry.cell.rotations
        half = 196 * (fair * (1 - fair) / games) ** 0.5
        print(f"{games:12,}  {half:18.2f} %  {entry.label}")
    try:
        seconds = _expected([entry.cell for entry in cells], asked.threads or cores())
    except KeyboardInterrupt:
        _say(["interrupted"])
        return 130
    print(f"about {seconds:.0f} s on {asked.threads or cores()} threads, from {TRIAL_GAMES} games of each kind of cell")
    return 0


def _expected(cells: Sequence[Cell], threads: int) -> float:
    """Seconds for all cells, measured on a few games for each number of players and roster.

    Raises KeyboardInterrupt after Ctrl-C, as half of the trials tell nothing.
    """
    kinds = {(cell.players, cell.names): cell for cell in cells}
    trials = [replace(cell, games_asked=min(TRIAL_GAMES, cell.games_asked)) for cell in kinds.values()]
    rates: dict[Any, float] = {}
    for kind, done in zip(kinds, run_each(trials, threads), strict=False):
        if isinstance(done, Exception):
            raise done
        if done.interrupted:
            break
        rates[kind] = done.tally.games / max(done.busy, 1e-9)
    if len(rates) < len(kinds):
        raise KeyboardInterrupt
    return sum(cell.deals * cell.rotations / rates[cell.players, cell.names] for cell in cells) / threads
