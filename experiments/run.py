"""What the command line does with its arguments: cells, runs, and what is printed of them."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from experiments.numbers import read_count, read_players
from experiments.options import load_plugins
from experiments.progress import Progress
from experiments.rows import check_file, check_writable, games_file
from simcore.api import make_cell
from simcore.cell import MOST_GAMES, Cell
from simcore.disk_cache import on_compile
from simcore.engine import run
from simcore.errors import UsageError
from simcore.replay import cell_options, transcript
from simcore.result import Result
from simcore.rules import pairs
from simcore.sequential import StoppingRule, UntilDecided, UntilWidth

LANGUAGES = ("en", "fr")


@dataclass(frozen=True)
class Page:
    """Where a report of a run goes, in which language, and the band within which a seat is fair."""

    path: str
    language: str
    band: float


@dataclass(frozen=True)
class Request:
    """The arguments of a run, as they were written."""

    game: str
    players: str
    games: str
    strategies: str | None
    rules: list[str]
    seed: int
    rotate: bool
    plugins: list[str]
    course: bool = False

    def cells(self) -> list[Cell]:
        """One cell per player count.

        Raises UsageError for anything that cannot be played.
        """
        load_plugins(self.plugins)
        games, rules = read_count("--games", self.games), pairs(self.rules)
        return [
            make_cell(self.game, players, games, self.strategies, rules, self.seed, self.rotate, self.course)
            for players in read_players(self.players)
        ]

    def watched(self) -> list[Cell]:
        """The same with the course of the games, where it can be told."""
        try:
            return replace(self, course=True).cells()
        except UsageError:
            return self.cells()


def run_all(
    request: Request,
    threads: int | None,
    form: Literal["table", "json", "csv"],
    quiet: bool,
    out_games: str | None,
    until: StoppingRule | None,
    page: Page | None = None,
) -> None:
    """Runs every cell of a request and prints each result as it comes; ends with 130 after Ctrl-C.

    page: also a report of all of them.
    """
    cells = request.watched() if page else request.cells()
    if page:
        from reports.balance.language import Language

        check_file("--report", page.path)
        Language(page.language)  # refuses an unknown one before anything is played
    results = []
    if out_games:
        check_writable(out_games)
        if len(cells) > 1:
            raise UsageError("--out-games: it takes one player count; give --players a single number")
    if form == "csv":
        from reports.console import CSV_HEADER

        print(CSV_HEADER)
    for cell in cells:
        result = _run_one(cell, threads, quiet, out_games, until)
        _show(result, form, until)
        results.append(result)
        if result.interrupted:
            if not quiet:
                print(f"simulate: interrupted after {result.games} games", file=sys.stderr)
            raise SystemExit(130)
    if page:
        _write(page, results)


def _write(page: Page, results: Sequence[Result]) -> None:
    """The report of a run."""
    from experiments.report_run import write
    from simcore.results import Results
    from simcore.store import Stored, versions

    cells = [
        Stored(f"players={one.cell.players}", "", {"players": one.cell.players}, one.cell, one, one.stopped)
        for one in results
    ]
    about = {"title": results[0].cell.game.title, "question": "", "experiment": {}, "versions": versions()}
    about["command"] = f"simulate {shlex.join(sys.argv[1:])}"
    write([Results(cells, about)], page.path, page.language, page.band, None, False)


def _run_one(cell: Cell, threads: int | None, quiet: bool, out_games: str | None, until: StoppingRule | None) -> Result:
    label = f"{cell.game.name}, {cell.players} players"
    with Progress(label, quiet) as progress, games_file(out_games, cell) as rows:
        on_compile(lambda: progress.note(f"{label}: compiling for this line-up (first time only, some seconds)"))
        done = run(cell, threads, progress, rows, until=until)
        return Result(done, until.band) if isinstance(until, UntilDecided) else Result(done)


def _show(result: Result, form: str, until: StoppingRule | None) -> None:
    from reports import console

    if form == "json":
        print(console.as_json(result), flush=True)
    elif form == "csv":
        for line in console.as_csv(result):
            print(line, flush=True)
    else:
        console.show(result, command(result.cell, until), sys.stdout)


def command(cell: Cell, until: StoppingRule | None = None) -> str:
    """The command that repeats a cell."""
    stop = " --course" if cell.game.is_watched else ""
    if isinstance(until, UntilWidth):
        stop += f" --until-width {100 * until.width:g}%"
    elif isinstance(until, UntilDecided):
        stop += f" --until-decided --band {100 * until.band:g}%"
    return f"simulate {' '.join(cell_options(cell))} -n {cell.games_asked}{stop}"


def show_replay(request: Request, number: int, language: str) -> None:
    """Prints one game, move by move."""
    if language not in LANGUAGES:
        raise UsageError(f"--lang {language}: the transcript is written in en or fr")
    for line in _transcript(request, number, language):
        print(line)


def _transcript(request: Request, number: int, language: str) -> Iterator[str]:
    cells = Request(**{**vars(request), "games": str(max(1, min(number + 1, MOST_GAMES)))}).cells()
    if len(cells) > 1:
        raise UsageError(f"--players {request.players}: a replay takes one player count")
    yield from transcript(cells[0], number, language)
