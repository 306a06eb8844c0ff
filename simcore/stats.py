"""Estimates with their intervals, from exact sums; every rate, mean and error of the project is made here.

The unit is the deal: its value is the mean over the seatings that were played of it. Sources: Wilson 1927 with
the effective sample size of the design; Clopper and Pearson 1934 for rare events; Goodman 1965 for all seats at once;
order statistics for quantiles; Tukey and McLaughlin 1963 for trimmed means.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, nan, sqrt
from statistics import NormalDist

import numpy as np

CONFIDENCE = 0.95
LARGE = 1000  # deals from which Student's t is as good as normal
FEW_WINS = 10
TRIMMED = 0.05  # of the games at each end, which a trimmed mean leaves out


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval: n games, and how the interval was made; sd is per game."""

    n: int
    estimate: float
    low: float
    high: float
    method: str
    sd: float


@dataclass(frozen=True)
class Sample:
    """Sums over deals of a quantity that is `scale` times an integer's; `per_deal` integers make one deal's mean."""

    deals: int
    per_deal: int
    total: int
    squares: int
    game_squares: int
    unit: int = 1

    @property
    def games(self) -> int:
        """Games, or seats of a strategy in games, that the sums stand on."""
        return self.deals * self.per_deal

    @property
    def mean(self) -> float:
        """Mean per game."""
        return self.total / (self.games * self.unit)

    @property
    def variance(self) -> float:
        """Variance of the deals' means; exact zero when all deals are alike."""
        if self.deals < 2:
            return 0.0
        exact = self.squares * self.deals - self.total * self.total
        return exact / (self.deals * (self.deals - 1)) / (self.per_deal * self.unit) ** 2

    @property
    def sd(self) -> float:
        """Standard deviation of one game."""
        if self.games < 2:
            return 0.0
        exact = max(0, self.game_squares * self.games - self.total * self.total)
        return sqrt(exact / (self.games * (self.games - 1))) / self.unit


def quantile(deals: int, family: float = 1) -> float:
    """The two-sided 95 % quantile, shared by a family of intervals: normal, or Student's t for fewer deals."""
    level = 1 - (1 - CONFIDENCE) / (2 * family)
    if deals >= LARGE:
        return NormalDist().inv_cdf(level)
    from scipy.special import stdtrit

    return float(stdtrit(max(deals - 1, 1), level))


def share(sample: Sample, family: float = 1) -> Estimate:
    """A win share or a rate between 0 and 1."""
    p, games = min(max(sample.mean, 0.0), 1.0), sample.games
    wins = sample.total / sample.unit
    if wins < FEW_WINS or games - wins < FEW_WINS:
        low, high = _clopper_pearson(wins, games, family)
        return Estimate(games, p, low, high, "clopper-pearson", sample.sd)
    v = sample.variance
    if v == 0 and sample.deals >= 30:
        return Estimate(games, p, p, p, "exact", sample.sd)
    effective = sample.deals * p * (1 - p) / v if v > 0 else sample.deals
    z = quantile(sample.deals if sample.deals < 30 else LARGE, family)
    centre = (p + z * z / (2 * effective)) / (1 + z * z / effective)
    half = z / (1 + z * z / effective) * sqrt(p * (1 - p) / effective + z * z / (4 * effective * effective))
    return Estimate(games, p, max(0.0, centre - half), min(1.0, centre + half), "wilson", sample.sd)


def _clopper_pearson(wins: float, games: int, family: float) -> tuple[float, float]:
    tail = (1 - CONFIDENCE) / (2 * family)
    if wins == 0:
        return 0.0, 1 - tail ** (1 / games)
    if wins >= games:
        return tail ** (1 / games), 1.0
    from scipy.special import betaincinv

    low = betaincinv(wins, games - wins + 1, tail)
    high = betaincinv(wins + 1, games - wins, 1 - tail) if wins < games else 1.0
    return float(low), float(high)


def mean(sample: Sample) -> Estimate:
    """A mean per game."""
    if sample.deals < 2:
        return Estimate(sample.games, sample.mean, sample.mean, sample.mean, "one deal: no interval", sample.sd)
    half = quantile(sample.deals) * sqrt(sample.variance / sample.deals)
    method = "normal" if sample.deals >= LARGE else "t"
    return Estimate(sample.games, sample.mean, sample.mean - half, sample.mean + half, method, sample.sd)


def ratio(tops: Sequence[int], bottoms: Sequence[int], is_share: bool) -> Estimate:
    """The ratio of two sums over the games, from the sums of independent blocks of deals; n is the lower sum.

    Linearised, with one degree of freedom less than blocks (Cochran 1977, chapter 6). Nothing to divide by: NaN.
    """
    top, bottom, blocks = sum(tops), sum(bottoms), len(tops)
    if bottom == 0:
        return Estimate(0, nan, nan, nan, "none", nan)
    value = top / bottom
    if is_share and (top < FEW_WINS or bottom - top < FEW_WINS):
        return Estimate(bottom, value, *_clopper_pearson(top, bottom, 1), "clopper-pearson", nan)
    if blocks < 2:
        return Estimate(bottom, value, value, value, "one deal: no interval", nan)
    squares = sum((one - value * other) ** 2 for one, other in zip(tops, bottoms, strict=True))
    half = quantile(blocks) * sqrt(squares * blocks / (blocks - 1)) / bottom
    low, high = value - half, value + half
    return Estimate(
        bottom, value, max(low, 0.0) if is_share else low, min(high, 1.0) if is_share else high, "ratio", nan
    )


@dataclass(frozen=True)
class Histogram:
    """How often each value came up, values in ascending order, in games of so many independent deals."""

    values: np.ndarray
    counts: np.ndarray
    deals: int

    @property
    def games(self) -> int:
        """All games."""
        return int(self.counts.sum())

    def quantile(self, level: float) -> Estimate:
        """The value that this share of the games do not exceed, between two order statistics of the deals.

        Games of one deal are not independent, so that the interval counts deals; it is as wide as they need at most.
        """
        low, high = _ranks(self.deals, level)
        found, least, most = (self._at(rank) for rank in (level, low / self.deals, high / self.deals))
        method = "order statistics" if low > 0 and high <= self.deals else "order statistics, open end"
        return Estimate(self.games, found, least, most, method, nan)

    def _at(self, share: float) -> float:
        """The value of the game at this share of the way from the lowest to the highest."""
        rank = min(max(ceil(share * self.games), 1), self.games)
        return float(self.values[np.searchsorted(self.counts.cumsum(), rank)])

    def trimmed_mean(self) -> Estimate:
        """The mean without the lowest and the highest games; its error from the winsorised variance."""
        cut = TRIMMED * self.games
        kept = np.diff(np.clip(self.counts.cumsum(), cut, self.games - cut), prepend=cut)
        found = float(kept @ self.values / kept.sum())
        ends = np.clip(self.values, *self.values[np.flatnonzero(kept)[[0, -1]]])
        middle = float(self.counts @ ends / self.games)
        variance = float(self.counts @ (ends - middle) ** 2 / max(self.games - 1, 1))
        half = quantile(self.deals) * sqrt(variance / self.deals) / (1 - 2 * TRIMMED)
        return Estimate(self.games, found, found - half, found + half, "trimmed", sqrt(variance))


def _ranks(deals: int, level: float) -> tuple[int, int]:
    """The ranks between which a quantile lies with 95 % probability; 0 or deals + 1 where there is no such rank."""
    tail = (1 - CONFIDENCE) / 2
    if deals >= LARGE:
        half = quantile(deals) * sqrt(deals * level * (1 - level))
        return floor(deals * level - half), ceil(deals * level + half) + 1
    from scipy.special import bdtrik

    low, high = (ceil(float(bdtrik(side, deals, level)) - 1e-9) for side in (tail, 1 - tail))
    return max(low, 0), high + 1


@dataclass(frozen=True)
class Fairness:
    """Whether all seats win within `band` of the fair share: "fair", "unfair" or "unsure", and games to settle it."""

    answer: str
    seat: int
    games_needed: float


def fairness(samples: list[Sample], band: float) -> Fairness:
    """The verdict on all seats at once: simultaneous intervals against a band round the fair share."""
    fair, family = 1 / len(samples), len(samples) if len(samples) > 2 else 1
    intervals = [share(sample, family) for sample in samples]
    worst = max(range(len(samples)), key=lambda seat: abs(intervals[seat].estimate - fair))
    if any(i.low > fair + band or i.high < fair - band for i in intervals):
        return Fairness("unfair", worst, 0)
    if all(fair - band <= i.low and i.high <= fair + band for i in intervals):
        return Fairness("fair", worst, 0)
    outside = [i for i in intervals if abs(i.estimate - fair) > band]  # one of these settles it, else all must
    needed = min((_games_needed(i, fair, band) for i in outside), default=0.0) or max(
        _games_needed(i, fair, band) for i in intervals
    )
    return Fairness("unsure", worst, needed)


def _games_needed(interval: Estimate, fair: float, band: float) -> float:
    """Games at which this interval would lie on one side of the band's edge, if the estimate stayed."""
    p = interval.estimate
    gap = abs(abs(p - fair) - band)
    is_outside = abs(p - fair) > band
    half = interval.high - p if (p < fair) == is_outside else p - interval.low  # the side that faces the edge
    return inf if gap == 0 else interval.n * max(1.0, (half / gap) ** 2)
