"""What `simulate compare` and `simulate tournament` do with their arguments."""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

from experiments.numbers import read_count
from experiments.sweep import Board
from simcore.api import make_cell
from simcore.cell import Cell
from simcore.disk_cache import on_compile
from simcore.engine import run_each
from simcore.errors import UsageError, unknown
from simcore.paired import compare, has_common_deals
from simcore.result import Result
from simcore.results import Results, load_results
from simcore.rules import changed, pairs
from simcore.store import Planned


class Pair(NamedTuple):
    """Two results to compare, and what the comparison is called."""

    title: str
    before: Result
    after: Result


Rules = Sequence[str] | None


def two_cells(
    game: str,
    players: int,
    games: str,
    rules: tuple[Rules, Rules, Rules],
    line_ups: tuple[str | None, str | None],
    seed: int,
) -> tuple[Cell, Cell]:
    """The cells before and after; rules: of both, before, after.

    Raises UsageError when they are the same, or cannot be played.
    """
    both, first, second = (pairs(given or []) for given in rules)
    count = read_count("--games", games)
    before = make_cell(game, players, count, line_ups[0], {**both, **first}, seed)
    after = make_cell(game, players, count, line_ups[1], {**both, **second}, seed)
    if before == after:
        raise UsageError("compare: both are the same; say what changes with --to name=value or --to-strategies")
    return before, after


def played(cells: tuple[Cell, Cell], threads: int | None, quiet: bool) -> Pair:
    """Plays two cells."""
    before, after = results(cells, threads, quiet)
    return Pair(f"{cells[0].game.title}, {cells[0].players} players: {title(*cells)}", before, after)


def results(cells: Sequence[Cell], threads: int | None, quiet: bool) -> list[Result]:
    """Plays cells; ends with the reason of the first that fails, and with 130 after Ctrl-C."""
    planned = [Planned(str(place), "", {}, cell) for place, cell in enumerate(cells)]
    found = []
    with Board(planned, len(cells), quiet) as board:
        on_compile(lambda: board.note("compiling for a line-up (first time only, some seconds)"))
        for done in run_each(cells, threads, board.show):
            if isinstance(done, Exception):
                raise done
            if done.interrupted:
                break
            found.append(Result(done))
    if len(found) < len(cells):
        raise KeyboardInterrupt
    return found


def title(before: Cell, after: Cell) -> str:
    """What changes from one cell to another, in words."""
    old, new = changed(before.rules), changed(after.rules)
    rules = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    words = [f"{name} = {getattr(before.rules, name)} to {getattr(after.rules, name)}" for name in rules]
    if before.line_up != after.line_up:
        words.append(
            " to ".join(",".join(dict.fromkeys(entry.text for entry in cell.line_up)) for cell in (before, after))
        )
    return "; ".join(words) or "the same cell"


def stored(files: Sequence[str], cell: str | None, to_cell: str | None) -> list[Pair]:
    """The pairs of one file (two cells, or each flipped ruling and its base) or of two files (the same cells).

    Raises UsageError when there is nothing to compare.
    """
    first = load_results(files[0])
    if len(files) > 2:
        raise UsageError("compare: it takes one or two results files")
    if len(files) == 2:
        found = list(_same_cells(first, load_results(files[1])))
    elif cell or to_cell:
        if not (cell and to_cell):
            raise UsageError("compare: give --cell and --to-cell together")
        found = [Pair(f"{cell} to {to_cell}", _result(first, cell, files[0]), _result(first, to_cell, files[0]))]
    else:
        found = list(_flips(first))
    if not found:
        raise UsageError(f"{', '.join(files)}: there are no two finished cells to compare; see --cell and --to-cell")
    return found


def _same_cells(one: Results, other: Results) -> Iterator[Pair]:
    after = {entry.label: entry for entry in other.finished}
    for entry in one.finished:
        if entry.label in after and entry.result:
            second = after[entry.label].result
            assert second is not None
            yield Pair(entry.label, entry.result, second)


def _flips(found: Results) -> Iterator[Pair]:
    """Each flipped ruling and the rules as they are."""
    for entry in found.finished:
        if entry.base and entry.result:
            base = found[entry.base].result
            if base is not None:
                yield Pair(entry.label, base, entry.result)


def _result(found: Results, label: str, file: str) -> Result:
    names = [entry.label for entry in found.finished]
    if label not in names:
        raise unknown(f"{file}: there is no finished cell", label, names)
    result = found[label].result
    assert result is not None
    return result


def show(found: Sequence[Pair], band: float, as_json: bool, out: TextIO) -> None:
    """Prints every comparison; several of one file share their 95 %."""
    from reports import compare as report

    lines = sum(len(compare(pair.before, pair.after)) for pair in found)
    documents = []
    for pair in found:
        differences = compare(pair.before, pair.after, lines)
        paired = has_common_deals(pair.before, pair.after)
        if as_json:
            documents.append(report.document(pair.title, differences, paired, band))
        else:
            report.show(pair.title, differences, paired, band, lines, out)
    if as_json:
        print(json.dumps(documents if len(documents) > 1 else documents[0], ensure_ascii=False), file=out)


def tournament(
    game: str,
    players: int,
    games: str,
    pool: str,
    rule: Sequence[str] | None,
    seed: int,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Plays a tournament and prints its table."""
    from reports import tournament as report
    from simcore.tournament import Tournament, entries, matches

    names = entries(game, pool)
    cells = matches(game, players, read_count("--games", games), names, pairs(rule or []), seed)
    found = Tournament(names, list(zip(cells, results([m.cell for m in cells], threads, quiet), strict=True)))
    if as_json:
        print(json.dumps(report.document(found), ensure_ascii=False))
    else:
        report.show(cells[0].cell.game.title, found, sys.stdout)
        options = " ".join(f"--rule {one}" for one in rule or [])
        command = f"simulate tournament --game {game} --players {players} --pool {','.join(names)} {options}".rstrip()
        print(f"\nRepeat it: {command} --seed {seed} -n {games}")
