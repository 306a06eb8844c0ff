"""Which rules matter: the exact functional ANOVA of a full grid, and Shapley shares of a change of rules.

Both take a number's estimate in each of 64 blocks of common deals, so that its noise can be subtracted and every
contribution has an interval. Sources: Hoeffding 1948 and Sobol 1993 for the decomposition, Shapley 1953 for the shares.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import factorial, nan, prod, sqrt

import numpy as np

from simcore.paired import Ratio
from simcore.stats import quantile

MOST_RULES = 10  # rules in which two sets may differ for a Shapley attribution: 1024 cells
FEWEST_BLOCKS = 3  # below which the jackknife cannot tell noise from effect


@dataclass(frozen=True)
class Effect:
    """The part of a grid's variance that some factors make together beyond what fewer of them make.

    variance: without noise, so that it may be below zero for an effect that is not there. share: of all effects
    together, with a 95 % interval: from 0 to 1 when it is not sure that there is any variance, and 0 when none is left.
    """

    factors: tuple[str, ...]
    variance: float
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Contribution:
    """What one rule adds to the difference between two sets of rules, with its simultaneous 95 % interval."""

    rule: str
    value: float
    low: float
    high: float


def by_block(ratio: Ratio) -> np.ndarray:
    """The number in each block, linearised, so that the mean over blocks is the number itself; float64 (blocks,)."""
    errors: np.ndarray = ratio.value + ratio.errors()
    return errors


def anova(factors: Sequence[str], values: np.ndarray) -> list[Effect]:
    """The effects of all sets of factors, the largest first.

    values: float64 (levels of each factor …, blocks). Intervals by the jackknife over blocks.
    """
    sets = list(_subsets(range(len(factors))))[1:]
    values = values - values[(0,) * len(factors)]  # cells that are all alike have exactly no variance
    found = [_variances(_effect(values, chosen)) for chosen in sets]
    variances, noise, left_out = (np.array(numbers) for numbers in zip(*found, strict=True))
    shares, low, high = _shares(variances, noise, left_out)
    effects = [
        Effect(tuple(factors[place] for place in chosen), *map(float, numbers))
        for chosen, *numbers in zip(sets, variances, shares, low, high, strict=True)
    ]
    return sorted(effects, key=lambda effect: -effect.variance)


def _effect(values: np.ndarray, chosen: Sequence[int]) -> np.ndarray:
    """What these factors do together beyond what fewer of them do, by block; axes of the others have length 1."""
    for axis in range(values.ndim - 1):
        mean = values.mean(axis=axis, keepdims=True)
        values = values - mean if axis in chosen else mean
    return values


def _variances(effect: np.ndarray) -> tuple[float, float, np.ndarray]:
    """An effect's variance over the grid less what noise alone would make; that noise by degree of freedom.

    Last, the variance without each block.
    """
    blocks = effect.shape[-1]
    if blocks < FEWEST_BLOCKS:
        return nan, nan, np.full(blocks, nan)
    mean = effect.mean(axis=-1, keepdims=True)
    off = effect - mean
    spread = (off**2).sum(axis=-1, keepdims=True)
    noise = float(np.mean(spread)) / (blocks * (blocks - 1))
    means, spreads = mean - off / (blocks - 1), spread - off**2 * blocks / (blocks - 1)
    rest = means**2 - spreads / ((blocks - 1) * (blocks - 2))
    freedom = prod(max(levels - 1, 1) for levels in effect.shape[:-1])
    return float(np.mean(mean**2)) - noise, noise / freedom, rest.reshape(-1, blocks).mean(axis=0)


def _shares(
    variances: np.ndarray, noise: np.ndarray, left_out: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares of the whole variance with their intervals; from 0 to 1 where there may be no variance at all.

    A variance is a square, hence (effect + error)² at the upper end: without the error's own square, intervals of weak
    effects would end too low.
    """
    total, totals = variances.sum(), left_out.sum(axis=0)
    if not total > _half(totals):
        unknown = variances / total if total > 0 else np.zeros(len(variances))
        return unknown, np.zeros(len(variances)), np.ones(len(variances))
    shares, half = variances / total, _half(left_out / totals)
    return shares, shares - half, shares + half + quantile(left_out.shape[-1]) ** 2 * noise / total


def _half(left_out: np.ndarray) -> np.ndarray:
    """Half the width of intervals, from what the numbers are without each block."""
    blocks = left_out.shape[-1]
    squares = (left_out - left_out.mean(axis=-1, keepdims=True)) ** 2
    half: np.ndarray = quantile(blocks) * np.sqrt((blocks - 1) / blocks * squares.sum(axis=-1))
    return half


def _subsets(things: Sequence[int]) -> "chain[tuple[int, ...]]":
    return chain.from_iterable(combinations(things, count) for count in range(len(things) + 1))


def shapley(rules: Sequence[str], values: Mapping[frozenset[str], np.ndarray]) -> list[Contribution]:
    """What each rule adds on average over all orders of changing them one by one; they sum to the whole change.

    values: for each set of changed rules the number by block, float64 (blocks,).
    """
    count = len(rules)
    found = []
    for rule in rules:
        others = [other for other in rules if other != rule]
        total = 0.0
        for places in _subsets(range(len(others))):
            before = frozenset(others[place] for place in places)
            weight = factorial(len(before)) * factorial(count - len(before) - 1) / factorial(count)
            total = total + weight * (values[before | {rule}] - values[before])
        found.append(_contribution(rule, np.asarray(total), count))
    return found


def _contribution(rule: str, parts: np.ndarray, family: int) -> Contribution:
    blocks, value = len(parts), float(parts.mean())
    squares = float(((parts - value) ** 2).sum())
    half = quantile(blocks, family) * sqrt(squares / (blocks * (blocks - 1))) if blocks > 1 else nan
    return Contribution(rule, value, value - half, value + half)
