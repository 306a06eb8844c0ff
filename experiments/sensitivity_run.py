"""What `simulate sensitivity` and `simulate attribute` do: which rules matter, in a sweep or in cells played now."""

import json
import sys
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from experiments.compare_run import results as play
from experiments.numbers import read_count
from simcore.api import make_cell
from simcore.errors import UsageError, unknown
from simcore.paired import Ratio, metrics, seats
from simcore.result import Result
from simcore.results import Results, load_results
from simcore.rules import pairs
from simcore.rulings import flips
from simcore.sensitivity import MOST_RULES, anova, by_block, shapley
from simcore.store import Stored


def number_of(result: Result, name: str) -> Ratio:
    """A number of a cell by its name: "seat 1", or a metric.

    Raises UsageError for a name that there is not.
    """
    known = {**seats(result), **metrics(result)}
    if name not in known:
        raise unknown(f"{result.cell.game.name} has no number", name, known)
    return known[name]


def sensitivity(path: str, number: str, band: float, as_json: bool) -> None:
    """Prints which factors of a stored grid matter, or which flipped rulings do."""
    from reports import sensitivity as report

    found = load_results(path)
    if any(entry.base for entry in found.cells):
        rulings = flips(found, band)
        if as_json:
            print(json.dumps(report.rulings_document(rulings, band), ensure_ascii=False))
        else:
            report.show_rulings(found.about["title"], rulings, band, sys.stdout)
        return
    factors, values = grid(found, number, path)
    effects = anova(factors, values)
    if as_json:
        print(json.dumps(report.effects_document(number, effects), ensure_ascii=False))
    else:
        report.show_effects(found.about["title"], number, effects, sys.stdout)


def grid(found: Results, number: str, path: str) -> tuple[list[str], np.ndarray]:
    """The factors of a full grid, and the number by level of each factor and by block, float64 (levels …, blocks).

    Raises UsageError when a combination is missing.
    """
    names = list(dict.fromkeys(name for entry in found.cells for name in entry.factors))
    levels = {name: list(dict.fromkeys(_text(entry, name) for entry in found.finished)) for name in names}
    factors = [name for name in names if len(levels[name]) > 1]
    if not factors:
        raise UsageError(f"{path}: there is nothing that differs between its cells")
    cells = {tuple(_text(entry, name) for name in factors): entry for entry in found.finished}
    values = {}
    for place in product(*(levels[name] for name in factors)):
        if place not in cells:
            missing = ", ".join(f"{name}={value}" for name, value in zip(factors, place, strict=True))
            raise UsageError(f"{path}: the grid is not full: there is no finished cell with {missing}")
        result = cells[place].result
        assert result is not None
        values[place] = by_block(number_of(result, number))
        if number.startswith("seat "):  # how much more often than fair, so that player counts can be compared
            values[place] = values[place] * result.cell.players - 1
    if len({len(blocks) for blocks in values.values()}) > 1:
        raise UsageError(f"{path}: cells with fewer than 64 deals cannot be compared block by block")
    shape = [len(levels[name]) for name in factors]
    return factors, np.array(list(values.values())).reshape(*shape, -1)


def _text(entry: Stored, name: str) -> str:
    return str(entry.factors.get(name, ""))


def attribute(
    game: str,
    players: int,
    games: str,
    given: tuple[Sequence[str], Sequence[str], Sequence[str]],
    line_up: str | None,
    number: str,
    seed: int,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Plays every set of the rules that change, and prints what each adds to the whole difference."""
    from reports import sensitivity as report

    both, before, after = (pairs(one) for one in given)
    rules = list(dict.fromkeys([*before, *after]))
    if not 1 <= len(rules) <= MOST_RULES:
        raise UsageError(f"attribute: give 1 to {MOST_RULES} rules that change, with --to name=value")
    sets = [frozenset(chosen) for count in range(len(rules) + 1) for chosen in combinations(rules, count)]
    cells = []
    for chosen in sets:
        changed = {name: value for name, value in after.items() if name in chosen}
        kept = {name: value for name, value in before.items() if name not in chosen}
        cells.append(make_cell(game, players, read_count("--games", games), line_up, {**both, **kept, **changed}, seed))
    played = play(cells, threads, quiet)
    values = {chosen: by_block(number_of(result, number)) for chosen, result in zip(sets, played, strict=True)}
    parts = shapley(rules, values)
    whole = float((values[sets[-1]] - values[sets[0]]).mean())
    is_share = number.startswith("seat ") or any(
        metric.name == number and metric.is_share for metric in cells[0].game.measures(players)
    )
    if as_json:
        print(json.dumps(report.parts_document(number, whole, parts), ensure_ascii=False))
    else:
        title = f"{cells[0].game.title}, {players} players"
        report.show_parts(title, number, whole, parts, is_share, len(cells), sys.stdout)
