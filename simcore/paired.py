"""The difference between two cells, deal for deal: both have played the same deals, so most of the chance cancels.

Each number is a ratio of two sums; its linearised error in each of 64 blocks of deals (Cochran 1977, chapter 6) is
taken for both cells, and the difference of these errors gives the interval. Without common deals, errors add up.
A share that fewer than ten deals move has exact intervals of what it gains and of what it loses (Clopper and Pearson
1934), put together (Zou and Donner 2008): a few blocks that differ, or none, know nothing of their own error.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, nan, sqrt
from typing import NamedTuple

import numpy as np

from simcore.contract import WHOLE
from simcore.errors import UsageError
from simcore.loop import BLOCKS
from simcore.result import Result
from simcore.stats import FEW_WINS, Sample, quantile, share


class Ratio(NamedTuple):
    """A number of a cell as sums over blocks: `tops` by `bottoms`; unit: what one deal has at the bottom."""

    tops: Sequence[int]
    bottoms: Sequence[int]
    unit: int = 1

    @property
    def value(self) -> float:
        """The number; NaN when there is nothing to divide by."""
        return sum(self.tops) / sum(self.bottoms) if sum(self.bottoms) else nan

    def errors(self) -> np.ndarray:
        """How far each block pulls the number from its value, float64 (blocks,); NaN when there is no number."""
        if not sum(self.bottoms):
            return np.full(len(self.bottoms), nan)
        value, mean = self.value, sum(self.bottoms) / len(self.bottoms)
        return np.array([(top - value * bottom) / mean for top, bottom in zip(self.tops, self.bottoms, strict=True)])


@dataclass(frozen=True)
class Difference:
    """How much a number changes from one cell to another, with its simultaneous 95 % interval.

    gain: variance of the difference without pairing, divided by that with it; 1 when deals are not common or nothing
    varies, infinite when no block differs.
    """

    what: str
    is_share: bool
    before: float
    after: float
    low: float
    high: float
    gain: float

    @property
    def change(self) -> float:
        """After less before."""
        return self.after - self.before

    def against(self, band: float) -> str:
        """Where the interval lies: "inside" plus and minus band, "outside", or "straddles" its edge."""
        if self.low > band or self.high < -band:
            return "outside"
        return "inside" if -band <= self.low and self.high <= band else "straddles"


def has_common_deals(one: Result, other: Result) -> bool:
    """Whether two cells have played the same deals with as many players, so that they can be paired."""
    first, second = one.cell, other.cell
    same = (first.game.name, first.players, first.seed) == (second.game.name, second.players, second.seed)
    return same and one.tally.deals == other.tally.deals


def is_same(one: Result, other: Result) -> bool:
    """Whether two cells are one and the same, and have come out alike to the last game."""
    first, second = one.cell, other.cell
    same = (first.rules, first.line_up, first.rotations) == (second.rules, second.line_up, second.rotations)
    return same and has_common_deals(one, other) and one.digest == other.digest


def seats(result: Result) -> dict[str, Ratio]:
    """The win share of each seat."""
    return {f"seat {seat + 1}": _per_game(result, f"share_seat_{seat}", WHOLE) for seat in range(result.cell.players)}


def metrics(result: Result) -> dict[str, Ratio]:
    """Every metric of the game."""
    found, blocks = {}, result.tally.blocks
    for metric in result.cell.game.measures(result.cell.players):
        column = metric.of or metric.name
        per_game = _per_game(result, column, metric.unit)
        found[metric.name] = Ratio(blocks(column), blocks(metric.per)) if metric.per else per_game
    return found


def _per_game(result: Result, column: str, unit: int) -> Ratio:
    bottoms = [unit * count for count in block_games(result)]
    return Ratio(result.tally.blocks(column), bottoms, unit * result.cell.rotations)


def block_games(result: Result) -> list[int]:
    """Games in each block that has any."""
    deals = result.tally.deals
    counts = [deals // BLOCKS + (block < deals % BLOCKS) for block in range(min(deals, BLOCKS))]
    return [count * result.cell.rotations for count in counts]


def compare(one: Result, other: Result, family: float = 0) -> list[Difference]:
    """Seats, then metrics, from one cell to the other.

    family: how many intervals hold at once with 95 %; those of this list by default (Bonferroni).
    Raises UsageError for cells that do not have the same seats and metrics.
    """
    if (one.cell.game.name, one.cell.players) != (other.cell.game.name, other.cell.players):
        cells = " and ".join(f"{cell.game.name} with {cell.players} players" for cell in (one.cell, other.cell))
        raise UsageError(f"{cells}: only cells of one game and one number of players can be compared seat by seat")
    before, after = {**seats(one), **metrics(one)}, {**seats(other), **metrics(other)}
    shares = {metric.name: metric.is_share for metric in one.cell.game.measures(one.cell.players)}
    common = [name for name in before if name in after]  # a watched game has more metrics
    names = [name for name in common if sum(before[name].bottoms) and sum(after[name].bottoms)]
    paired, overlap = has_common_deals(one, other), one.cell.seed == other.cell.seed
    found = [
        difference(name, shares.get(name, True), before[name], after[name], paired, family or len(names), overlap)
        for name in names
    ]
    return [replace(entry, low=0.0, high=0.0) for entry in found] if is_same(one, other) else found


def difference(
    what: str, is_share: bool, before: Ratio, after: Ratio, paired: bool, family: float, overlap: bool = False
) -> Difference:
    """The change of one number.

    overlap: whether cells that are not paired have some deals in common, which may add to the variance.
    """
    old, new = before.errors(), after.errors()
    freedom = min(len(old), len(new))
    apart = together = _variance(old) + _variance(new)
    if paired or (overlap and len(old) == len(new)):
        together = _variance(new - old) if paired else max(apart, _variance(new - old))
    change = after.value - before.value
    half = quantile(freedom, family) * sqrt(together) if freedom > 1 else nan
    low, high = change - half, change + half
    if is_share:
        low, high = _few(before, after, paired, family) or np.clip((low, high), -1.0, 1.0)
    gain = 1.0
    if paired and apart > 0:
        gain = apart / together if together > 0 else inf
    return Difference(what, is_share, before.value, after.value, float(low), float(high), gain)


def _few(before: Ratio, after: Ratio, paired: bool, family: float) -> tuple[float, float] | None:
    """The interval of a share's change when fewer than ten deals move it; nothing when there are more."""
    if paired and before.bottoms == after.bottoms:
        moves = [new - old for old, new in zip(before.tops, after.tops, strict=True)]
        gained, lost = sum(move for move in moves if move > 0), -sum(move for move in moves if move < 0)
        counts = (gained, after), (lost, before)
    elif sum(before.tops) * 2 <= sum(before.bottoms):
        counts = (sum(after.tops), after), (sum(before.tops), before)
    else:
        counts = (sum(before.bottoms) - sum(before.tops), before), (sum(after.bottoms) - sum(after.tops), after)
    if sum(count / ratio.unit for count, ratio in counts) >= FEW_WINS:
        return None
    more, less = (
        share(Sample(sum(ratio.bottoms) // ratio.unit, 1, count, 0, 0, ratio.unit), family) for count, ratio in counts
    )
    change = more.estimate - less.estimate
    low = change - hypot(more.estimate - more.low, less.high - less.estimate)
    return low, change + hypot(more.high - more.estimate, less.estimate - less.low)


def _variance(errors: np.ndarray) -> float:
    """The variance of a number from the errors of its blocks."""
    blocks = len(errors)
    return float(errors @ errors) / (blocks * (blocks - 1)) if blocks > 1 else nan
