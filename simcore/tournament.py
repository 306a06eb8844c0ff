"""Strategies against each other: each alone among copies of every other one, and all of them mixed.

All cells play the same deals with one kernel, so that strategies are compared deal for deal. A strategy is dominated
among those supplied when another does surely better in every field: the largest of the one-sided p-values over fields
(an intersection-union test), by Holm 1979 over all pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from simcore.api import make_cell
from simcore.cell import Cell
from simcore.contract import WHOLE
from simcore.errors import UsageError
from simcore.paired import Ratio, block_games
from simcore.registry import find_game, strategies
from simcore.result import Result
from simcore.stats import CONFIDENCE, Estimate, ratio

MIXED = "mixed"


@dataclass(frozen=True)
class Match:
    """One strategy alone among copies of another, or the field in which all meet."""

    focal: str
    field: str
    cell: Cell


@dataclass(frozen=True)
class Standing:
    """A strategy's place: its mean win share over all fields, and who is surely better in every field."""

    name: str
    mean: float
    dominated_by: tuple[str, ...]


def entries(game: str, pool: str) -> list[str]:
    """The line-up entries of a pool: all strategies of the game, or those listed with commas.

    Raises UsageError for fewer than two, or the same twice.
    """
    found = find_game(game)
    names = list(strategies(found)) if pool.strip() == "all" else [word.strip() for word in pool.split(",")]
    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageError(f"--pool {pool}: give at least two strategies, each once, or all")
    return names


def matches(
    game: str, players: int, games: int, pool: Sequence[str], rules: dict[str, str] | None = None, seed: int = 1
) -> list[Match]:
    """All cells of a tournament, in the order of the table: rows, then fields, then the mixed ones."""
    lines = line_ups(pool, players)
    cells = in_company([make_cell(game, players, games, line, rules, seed) for _, _, line in lines])
    return [Match(focal, field, cell) for (focal, field, _), cell in zip(lines, cells, strict=True)]


def line_ups(pool: Sequence[str], players: int) -> list[tuple[str, str, list[str]]]:
    """Who is looked at, the field, and the line-up: each alone among each, then all mixed."""
    alone = [(focal, field, [focal] + [field] * (players - 1)) for focal in pool for field in pool if focal != field]
    count = len(pool)
    mixed = [
        (pool[start], MIXED, [pool[(start + step) % count] for step in range(players)])
        for start in range(count if count > players else 1)
    ]
    return alone + mixed


def in_company(cells: Sequence[Cell]) -> list[Cell]:
    """The same cells, for one kernel that knows all their strategies."""
    company = {part: None for cell in cells for entry in cell.line_up for part in entry.parts}
    everybody = tuple(sorted(company, key=lambda part: part.name))
    return [replace(cell, company=everybody) for cell in cells]


class Tournament:
    """The table of a tournament that has been played."""

    def __init__(self, pool: Sequence[str], played: Sequence[tuple[Match, Result]]):
        self.pool = list(pool)
        self.players = played[0][0].cell.players
        self.games = played[0][1].games
        self._alone = {(match.focal, match.field): result for match, result in played if match.field != MIXED}
        self._mixed = [result for match, result in played if match.field == MIXED]

    def share(self, focal: str, field: str) -> Estimate | None:
        """The win share of one strategy alone in a field of copies; None among its own copies, where it is 1/n."""
        result = self._alone.get((focal, field))
        return result.strategy_lines[0].win_share if result else None

    def mixed(self, name: str) -> Estimate:
        """The win share of a strategy where all meet, per seat held; all line-ups have played the same deals."""
        tops: list[int] = []
        bottoms: list[int] = []
        for result in self._mixed:
            if name in result.cell.names:
                held = sum(entry.text == name for entry in result.cell.line_up)
                sums = result.tally.blocks(f"share_strategy_{result.cell.names.index(name)}")
                tops = _added(tops, sums)
                bottoms = _added(bottoms, [held * WHOLE * count for count in block_games(result)])
        return ratio(tops, bottoms, is_share=False)

    def standings(self) -> list[Standing]:
        """All strategies, the best mean over fields first; its own field counts as the fair share."""
        better = self.dominations()
        found = [
            Standing(name, self._mean(name), tuple(one for one, other in better if other == name)) for name in self.pool
        ]
        return sorted(found, key=lambda standing: -standing.mean)

    def _mean(self, name: str) -> float:
        shares = [self.share(name, field) for field in self.pool]
        return sum(found.estimate if found else 1 / self.players for found in shares) / len(shares)

    def dominations(self, error: float = 1 - CONFIDENCE) -> list[tuple[str, str]]:
        """Pairs of a strategy and one that it surely beats in every field.

        error: how likely it may be that any of all these pairs is wrong.
        """
        pairs = [(one, other) for one in self.pool for other in self.pool if one != other]
        tried = sorted(((self._worst(one, other), one, other) for one, other in pairs), key=lambda found: found[0])
        found = []
        for place, (p, one, other) in enumerate(tried):
            if p > error / (len(pairs) - place):
                break
            found.append((one, other))
        return found

    def _worst(self, one: str, other: str) -> float:
        """The largest p-value over all fields of "one does no better than the other"."""
        return max(_p_value(self._errors(one, field), self._errors(other, field)) for field in self.pool)

    def _errors(self, name: str, field: str) -> tuple[float, np.ndarray]:
        """The win share in a field and how each block pulls it; among copies of itself it is exactly the fair share."""
        result = self._alone.get((name, field))
        if result is None:
            return 1 / self.players, np.zeros(1)
        held = [WHOLE * count for count in block_games(result)]
        ratio = Ratio(result.tally.blocks("share_strategy_0"), held)
        return ratio.value, ratio.errors()


def _added(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [first + second for first, second in zip(one, other, strict=True)] if one else list(other)


def _p_value(one: tuple[float, np.ndarray], other: tuple[float, np.ndarray]) -> float:
    """One-sided, from the errors of common blocks."""
    from scipy.special import stdtr

    change, errors = one[0] - other[0], one[1] - other[1]
    blocks = len(errors)
    error = sqrt(float(errors @ errors) / (blocks * (blocks - 1))) if blocks > 1 else 0.0
    if error == 0:
        return 0.0 if change > 0 else 1.0
    return float(stdtr(blocks - 1, -change / error))
