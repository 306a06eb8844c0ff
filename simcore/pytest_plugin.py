"""A plug-in of pytest, for people who keep their game's tests there: is it fair, and has it drifted?

Both are fixtures as well as functions:

    def test_four_players_are_fair(assert_balanced):
        assert_balanced(game="doigt", players=4, band=0.03)

    def test_nothing_has_drifted(assert_no_drift):
        assert_no_drift("baselines/doigt.json")

pytest loads this module by itself; what plays games is imported when it is first used.
"""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any

import pytest

GAMES = 1_000_000


def assert_balanced(
    game: str,
    players: int,
    band: float = 0.01,
    games: int = GAMES,
    strategies: str | Sequence[str] | None = None,
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
    rotate: bool = True,
    threads: int | None = None,
    plugin: str | PathLike[str] | None = None,
) -> None:
    """Plays until it is sure that every seat wins within `band` of its fair share, or that one does not.

    band: a share of the wins, 0.01 for a point. games: at most. plugin: a Python file with the game or its strategies.
    Raises AssertionError when a seat is unfair, and when it cannot be said with these games; UsageError for what
    cannot be played.
    """
    __tracebackhide__ = True
    from reports.console import verdict
    from simcore.api import make_cell
    from simcore.engine import run
    from simcore.errors import UsageError
    from simcore.registry import ensure_plugin
    from simcore.result import Result
    from simcore.sequential import FAIR, UntilDecided

    if not isinstance(band, float) or not 0 < band < 1:
        raise UsageError(f"band={band!r}: give a share of the wins as a number between 0 and 1, such as 0.01")
    if plugin:
        ensure_plugin(fspath(plugin))
    cell = make_cell(game, players, games, strategies, rules, seed, rotate)
    result = Result(run(cell, threads, until=UntilDecided(band)), band)
    if result.stopped != FAIR:
        raise AssertionError(" ".join([f"{cell.game.title}, {players} players, seed {seed}:", *verdict(result)]))


def assert_no_drift(
    baseline: str | PathLike[str] | Sequence[str | PathLike[str]],
    tolerance: float | None = None,
    max_games: int | None = None,
    exact: bool = False,
    allow_inconclusive: bool = False,
    threads: int | None = None,
) -> None:
    """Checks one or more baselines as `simulate check` does; tolerance: a share of the wins, in place of the files'.

    Raises AssertionError with what the command prints, when it would not exit with 0.
    """
    __tracebackhide__ = True
    from reports.drift import lines
    from simcore.gate import exit_code, verdicts

    several = [baseline] if isinstance(baseline, str | PathLike) else baseline
    found = verdicts([fspath(path) for path in several], tolerance, max_games, exact, threads)
    if not found or exit_code(found, allow_inconclusive):
        told = [line for verdict in found for line in lines(verdict)] or ["there is no baseline to check"]
        raise AssertionError("\n".join(told))


@pytest.fixture(name="assert_balanced")
def _balanced() -> Callable[..., None]:
    """The function `assert_balanced`."""
    return assert_balanced


@pytest.fixture(name="assert_no_drift")
def _no_drift() -> Callable[..., None]:
    """The function `assert_no_drift`."""
    return assert_no_drift
