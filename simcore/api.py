"""The library's front door: one call from a game's name to its result."""

from collections.abc import Mapping, Sequence
from typing import Any

from simcore.cell import Cell
from simcore.course import watched
from simcore.engine import Progress, RowSink, run
from simcore.errors import UsageError
from simcore.lineup import read_line_up
from simcore.registry import find_game
from simcore.result import Result
from simcore.rules import read_rules

DEFAULT_SEED = 1


def make_cell(
    game: str,
    players: int,
    games: int = 1,
    strategies: str | Sequence[str] | None = None,
    rules: Mapping[str, Any] | None = None,
    seed: int = DEFAULT_SEED,
    rotate: bool = True,
    course: bool = False,
) -> Cell:
    """The cell that these words describe; course: with the metrics of the game's course.

    Raises UsageError, in one sentence, for anything that cannot be played.
    """
    found = find_game(game)
    if course and watched(found) is found:
        raise UsageError(f"the course of {found.name} cannot be told: the game does not say who leads")
    read = read_rules(found.rules, found.name, rules or {})
    line_up = read_line_up(found, strategies or found.default_line_up, players)
    return Cell(watched(found) if course else found, read, players, line_up, games, seed, rotate)


def simulate(
    game: str,
    players: int,
    games: int,
    strategies: str | Sequence[str] | None = None,
    rules: Mapping[str, Any] | None = None,
    seed: int = DEFAULT_SEED,
    rotate: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
    rows: RowSink | None = None,
    course: bool = False,
) -> Result:
    """Plays `games` games and returns their Result; the same arguments give the same numbers on any machine.

    strategies: one entry for all seats ("ev"), or one per seat ("ev,random" or a list); a mixed line-up is played
    in every rotation of every deal unless rotate is False. rules: values by rule name. threads: all cores.
    course: also who leads when, and what comes of it; slower, as docs/metrics.md tells.
    Raises UsageError for what cannot be played, IllegalAction for a strategy that breaks the rules.
    """
    cell = make_cell(game, players, int(games), strategies, rules, seed, rotate, course)
    return Result(run(cell, threads, progress, rows))
