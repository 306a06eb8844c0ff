"""Which rules matter: cases worked by hand, conservation, noise that is taken out, and intervals that cover."""

from fractions import Fraction
from itertools import combinations
from math import isnan, sqrt

import numpy as np
import pytest
from scipy.stats import t
from test_doigt_oracles import rounds_with_hearts

from simcore.api import simulate
from simcore.paired import Ratio, compare, metrics, seats
from simcore.sensitivity import anova, by_block, shapley

BLOCKS = 64


def steady(cells, blocks=BLOCKS):
    """A grid without noise."""
    return np.repeat(np.array(cells, float)[..., None], blocks, axis=-1)


def noisy(cells, rng, noise=1.0, common=5.0):
    """A grid with noise of its own in each block of each cell, and luck that all cells share."""
    cells = np.array(cells, float)[..., None]
    return cells + noise * rng.standard_normal((*cells.shape[:-1], BLOCKS)) + common * rng.standard_normal(BLOCKS)


def named(effects):
    return {effect.factors: effect for effect in effects}


# The decomposition of variance


def test_two_rules_by_hand():
    """Cells 0, 2 / 4, 10, mean 4. First rule: means 1 and 7, ±3; second: 2 and 6, ±2; together ±1."""
    effects = anova(["bonus", "steal"], steady([[0, 2], [4, 10]]))
    assert [effect.factors for effect in effects] == [("bonus",), ("steal",), ("bonus", "steal")]
    assert [effect.variance for effect in effects] == pytest.approx([9, 4, 1])
    shares = [Fraction(9, 14), Fraction(4, 14), Fraction(1, 14)]
    for effect, share in zip(effects, shares, strict=True):
        assert (effect.share, effect.low, effect.high) == pytest.approx((share, share, share))


def test_rules_with_two_and_three_levels_by_hand():
    """Rows 0, 3, 6 and 0, 9, 0: row means are alike; column means 0, 6, 3; what is left is 0, ∓3, ±3."""
    effects = named(anova(["a", "b"], steady([[0, 3, 6], [0, 9, 0]])))
    assert effects["a",].variance == pytest.approx(0)
    assert effects["b",].variance == pytest.approx(Fraction(9 + 9 + 0, 3))
    assert effects["a", "b"].variance == pytest.approx(Fraction(4 * 9, 6))
    assert effects["b",].share == effects["a", "b"].share == pytest.approx(1 / 2)


def test_three_rules_of_which_two_only_work_together():
    """5 where the first and the third are on, and 1 for the second: V = (5/4)², (5/4)², (5/4)² and (1/2)²."""
    cells = [[[5 * a * c + b for c in (0, 1)] for b in (0, 1)] for a in (0, 1)]
    effects = named(anova("abc", steady(cells)))
    for factors, effect in effects.items():
        expected = {("b",): 1 / 4, ("a",): 25 / 16, ("c",): 25 / 16, ("a", "c"): 25 / 16}.get(factors, 0)
        assert effect.variance == pytest.approx(expected, abs=1e-12)


def test_noise_is_taken_out_by_hand():
    """Levels 0 and 1, 3, 1, 3 by block: half of these ∓: mean 1, variance by block 1/3, of their mean 1/12."""
    values = np.array([[0, 0, 0, 0], [1, 3, 1, 3]], float)
    assert anova(["rule"], values)[0].variance == pytest.approx(Fraction(11, 12))


def test_luck_that_all_cells_share_is_no_variance():
    rng = np.random.default_rng(1)
    plain, lucky = steady([[0, 2], [4, 10]]), steady([[0, 2], [4, 10]]) + 1000 * rng.standard_normal(BLOCKS)
    for one, other in zip(anova("ab", plain), anova("ab", lucky), strict=True):
        assert one.factors == other.factors
        assert (one.variance, one.share) == pytest.approx((other.variance, other.share))
        assert other.low == pytest.approx(other.high)


@pytest.mark.parametrize("shape", [(2,), (5,), (2, 3), (3, 2, 4), (2, 2, 2, 2)])
def test_effects_sum_to_the_variance_of_the_grid_less_its_noise(shape):
    """Noise of a cell, once what all cells share is taken out: its variance by block, by the number of blocks."""
    values = noisy(np.random.default_rng(2).integers(0, 9, shape), np.random.default_rng(3))
    effects = anova("abcd"[: len(shape)], values)
    assert len(effects) == 2 ** len(shape) - 1
    cells = values.reshape(-1, BLOCKS)
    apart = cells - cells.mean(axis=0)
    noise = apart.var(axis=1, ddof=1).mean() / BLOCKS
    assert sum(effect.variance for effect in effects) == pytest.approx(cells.mean(axis=1).var() - noise)
    assert sum(effect.share for effect in effects) == pytest.approx(1)
    assert [effect.variance for effect in effects] == sorted((e.variance for e in effects), reverse=True)


def test_effects_are_those_of_inclusion_and_exclusion():
    """A second way: means over the other factors, with alternating signs over all smaller sets."""
    values = noisy(np.random.default_rng(4).integers(0, 9, (2, 3, 4)), np.random.default_rng(5))
    effects = named(anova("abc", values))
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            parts = [
                (-1) ** (size - count) * values.mean(axis=tuple(set(range(3)) - set(some)), keepdims=True)
                for count in range(size + 1)
                for some in combinations(chosen, count)
            ]
            effect = sum(parts).reshape(-1, BLOCKS)
            expected = np.mean(effect.mean(axis=1) ** 2) - np.mean(effect.var(axis=1, ddof=1)) / BLOCKS
            assert effects[tuple("abc"[place] for place in chosen)].variance == pytest.approx(expected)


def test_interval_is_the_jackknife_over_blocks():
    """A second way: the whole calculation once more without each block; above, the square of the error is added.

    An effect of a grid of two by two is one contrast of its cells, a quarter of their sum with signs.
    """
    values = noisy([[0, 2], [4, 10]], np.random.default_rng(6), noise=4)
    signs = {("a",): [[-1, -1], [1, 1]], ("b",): [[-1, 1], [-1, 1]], ("a", "b"): [[1, -1], [-1, 1]]}
    whole = named(anova("ab", values))
    total = sum(effect.variance for effect in whole.values())
    without = [named(anova("ab", np.delete(values, block, axis=-1))) for block in range(BLOCKS)]
    student = t.ppf(0.975, BLOCKS - 1)
    for factors, effect in whole.items():
        shares = np.array([found[factors].share for found in without])
        half = student * sqrt((BLOCKS - 1) / BLOCKS * ((shares - shares.mean()) ** 2).sum())
        contrast = np.tensordot(signs[factors], values) / 4
        assert effect.low == pytest.approx(effect.share - half)
        assert effect.high == pytest.approx(effect.share + half + student**2 * contrast.var(ddof=1) / BLOCKS / total)


def test_square_of_the_error_is_that_of_one_contrast():
    """A rule with four levels has three contrasts, each with a third of the noise."""
    values = noisy([0, 3, 5, 6], np.random.default_rng(6), noise=2)
    (effect,) = anova("a", values)
    apart = values - values.mean(axis=0)
    error = apart.var(axis=-1, ddof=1).mean() / BLOCKS / 3
    assert (effect.share, effect.low) == pytest.approx((1, 1))
    assert effect.high == pytest.approx(1 + t.ppf(0.975, BLOCKS - 1) ** 2 * error / effect.variance)


def test_noise_alone_makes_no_variance_on_average():
    """1 000 grids in which nothing matters; without the correction each effect would have its noise."""
    rng = np.random.default_rng(7)
    grids = [noisy(np.zeros((2, 3)), rng) for _ in range(1000)]
    found = [named(anova("ab", grid)) for grid in grids]
    noise = {("a",): 1 / 6 / 64, ("b",): 2 / 6 / 64, ("a", "b"): 2 / 6 / 64}
    for factors, raw in noise.items():
        variances = np.array([effects[factors].variance for effects in found])
        error = variances.std() / sqrt(1000)
        assert abs(variances.mean()) < 4 * error < raw / 2
    raw_total = np.mean([grid.mean(axis=-1).var() for grid in grids])
    assert raw_total == pytest.approx(sum(noise.values()), rel=0.1)


def test_rule_without_effect_has_no_share_on_average():
    """Beside one of 1/64; without the correction it would have .09/64/4, two points of a hundred."""
    rng = np.random.default_rng(8)
    cells = [[-0.125, 0.125], [-0.125, 0.125]]
    found = [named(anova(["dummy", "real"], noisy(cells, rng, noise=0.3))) for _ in range(1000)]
    for factors in (("dummy",), ("dummy", "real")):
        shares = np.array([effects[factors].share for effects in found])
        assert abs(shares.mean()) < 4 * shares.std() / sqrt(1000) < 0.01
        assert np.mean([effects[factors].low <= 0 <= effects[factors].high for effects in found]) >= 0.95
    real = np.array([effects["real",].variance for effects in found])
    assert abs(real.mean() - 0.125**2) < 4 * real.std() / sqrt(1000)


def test_where_nothing_may_matter_a_share_may_be_anything():
    rng = np.random.default_rng(9)
    found = [anova("ab", noisy(np.zeros((2, 2)), rng)) for _ in range(400)]
    open_ends = [all((effect.low, effect.high) == (0, 1) for effect in effects) for effects in found]
    assert np.mean(open_ends) > 0.85
    for effects in found:
        if sum(effect.variance for effect in effects) <= 0:
            assert all(effect.share == 0 for effect in effects)


def test_cells_that_are_all_alike_have_no_variance_and_no_shares():
    luck = np.random.default_rng(10).standard_normal(BLOCKS)
    for effect in anova("ab", np.broadcast_to(luck, (2, 3, BLOCKS))):
        assert (effect.variance, effect.share, effect.low, effect.high) == (0, 0, 0, 1)


@pytest.mark.parametrize("noise", [0.5, 2, 6])
def test_intervals_of_shares_cover(noise):
    """2 000 grids with effects 3, 2 and 1; the last is two standard errors of the strongest noise, or less.

    The 99.9 % band, and a little above it, as there is room for the square of the error.
    """
    rng, truth = np.random.default_rng(11), {("a",): 9 / 14, ("b",): 4 / 14, ("a", "b"): 1 / 14}
    found = [named(anova("ab", noisy([[0, 2], [4, 10]], rng, noise))) for _ in range(2000)]
    for factors, share in truth.items():
        covered = np.mean([effects[factors].low <= share <= effects[factors].high for effects in found])
        assert 0.934 <= covered <= 0.975


def test_interval_of_a_rule_with_more_levels_covers():
    """Columns share half of the variance with what rows and columns do together, and rows have none."""
    rng, truth = np.random.default_rng(12), {("a",): 0, ("b",): 1 / 2, ("a", "b"): 1 / 2}
    found = [named(anova("ab", noisy([[0, 3, 6], [0, 9, 0]], rng, noise=4))) for _ in range(1000)]
    for factors, share in truth.items():
        assert np.mean([effects[factors].low <= share <= effects[factors].high for effects in found]) >= 0.934


@pytest.mark.parametrize("blocks", [1, 2])
def test_one_or_two_blocks_cannot_tell_noise_from_effect(blocks):
    for effect in anova("ab", steady([[0, 2], [4, 10]], blocks)):
        assert isnan(effect.variance)
        assert (effect.share, effect.low, effect.high) == (0, 0, 1)


# Shares of a change


def worth(*numbers, rules="abc"):
    """By set of changed rules: in the order of size, then of the alphabet."""
    sets = [frozenset(some) for size in range(len(rules) + 1) for some in combinations(rules, size)]
    return {some: np.full(BLOCKS, float(number)) for some, number in zip(sets, numbers, strict=True)}


def values_of(contributions):
    return {found.rule: found.value for found in contributions}


def test_two_rules_share_a_change_by_hand():
    """10, 12 with a, 15 with b, 20 with both: a adds 2 or 5, b adds 5 or 8."""
    found = values_of(shapley("ab", worth(10, 12, 15, 20, rules="ab")))
    assert found == pytest.approx({"a": Fraction(7, 2), "b": Fraction(13, 2)})


def test_a_left_glove_and_two_right_ones():
    """Shapley's own example: a pair is worth one; the left glove has 2/3 of it."""
    found = values_of(shapley("abc", worth(0, 0, 0, 0, 1, 1, 0, 1)))
    assert found == pytest.approx({"a": Fraction(2, 3), "b": Fraction(1, 6), "c": Fraction(1, 6)})


def test_one_rule_has_the_whole_change():
    """Changes 1, 2, 3 by block; Student's t with two degrees of freedom."""
    values = {frozenset(): np.array([5.0, 5, 5]), frozenset("a"): np.array([6.0, 7, 8])}
    (found,) = shapley("a", values)
    half = 4.302653 / sqrt(3)
    assert (found.value, found.low, found.high) == pytest.approx((2, 2 - half, 2 + half), abs=1e-6)


@pytest.mark.parametrize("rules", ["a", "abc", "abcdef"])
def test_contributions_add_up_to_the_whole_change(rules):
    rng = np.random.default_rng(12)
    values = {some: rng.standard_normal(BLOCKS) for some in worth(*range(2 ** len(rules)), rules=rules)}
    found = shapley(rules, values)
    change = values[frozenset(rules)].mean() - values[frozenset()].mean()
    assert sum(entry.value for entry in found) == pytest.approx(change, abs=1e-12)


def test_rules_that_do_the_same_have_equal_parts():
    """Whatever the number of changed rules is worth, and whatever the luck."""
    rng = np.random.default_rng(13)
    by_size = rng.standard_normal((5, BLOCKS))
    found = shapley("abcd", {some: by_size[len(some)] for some in worth(*range(16), rules="abcd")})
    for entry in found:
        assert entry.value == pytest.approx((by_size[4] - by_size[0]).mean() / 4)
        assert (entry.low, entry.high) == pytest.approx((found[0].low, found[0].high))


def test_rule_that_changes_nothing_has_exactly_nothing():
    rng = np.random.default_rng(14)
    without = {some: rng.standard_normal(BLOCKS) for some in worth(*range(4), rules="ab")}
    values = {some: without[some - {"dummy"}] for some in map(frozenset, subsets_of(["a", "b", "dummy"]))}
    found = {entry.rule: entry for entry in shapley(["a", "b", "dummy"], values)}
    assert (found["dummy"].value, found["dummy"].low, found["dummy"].high) == (0, 0, 0)
    alone = values_of(shapley("ab", without))
    assert {"a": found["a"].value, "b": found["b"].value} == pytest.approx(alone)


def subsets_of(rules):
    return [some for size in range(len(rules) + 1) for some in combinations(rules, size)]


def test_contribution_does_not_depend_on_the_order_of_the_rules():
    rng = np.random.default_rng(15)
    values = {some: rng.standard_normal(BLOCKS) for some in worth(*range(8))}
    assert values_of(shapley("abc", values)) == pytest.approx(values_of(shapley("cab", values)))


@pytest.mark.parametrize("rules", ["a", "ab", "abcd"])
def test_intervals_are_a_bonferroni_family_of_the_rules(rules):
    """Changes by block that are known for one rule, and that nothing else adds to."""
    steps = np.random.default_rng(16).standard_normal(BLOCKS)
    values = {some: steps * ("a" in some) for some in worth(*range(2 ** len(rules)), rules=rules)}
    entry = shapley(rules, values)[0]
    half = t.ppf(1 - 0.025 / len(rules), BLOCKS - 1) * steps.std(ddof=1) / sqrt(BLOCKS)
    assert (entry.low, entry.high) == pytest.approx((steps.mean() - half, steps.mean() + half))


def test_intervals_of_contributions_cover():
    """1 500 changes of three rules that also work together, with luck that all sets share."""
    rng, times = np.random.default_rng(17), 1500
    mean = {some: len(some) ** 2 + 3.0 * ("a" in some) for some in worth(*range(8))}
    truth = {"a": 3 + 3, "b": 3, "c": 3}
    hits = np.zeros((times, 3), bool)
    for row in hits:
        luck = 9 * rng.standard_normal(BLOCKS)
        found = shapley("abc", {some: value + luck + rng.standard_normal(BLOCKS) for some, value in mean.items()})
        row[:] = [entry.low <= truth[entry.rule] <= entry.high for entry in found]
        assert max(entry.high - entry.low for entry in found) < 0.8
    assert np.all(np.abs(hits.mean(axis=0) - (1 - 0.05 / 3)) < 3.5 * sqrt(0.0164 / times))
    assert 0.935 <= hits.all(axis=1).mean() <= 0.975


def test_one_block_has_no_interval():
    (found,) = shapley("a", {frozenset(): np.array([5.0]), frozenset("a"): np.array([6.0])})
    assert found.value == 1
    assert isnan(found.low)
    assert isnan(found.high)


# Real games


def test_number_by_block_has_the_number_as_its_mean():
    """A mean per game with blocks of unequal size, and a ratio: 7/4, with errors of 2 - 7/4 and 5 - 21/4, by 2."""
    assert by_block(Ratio([2, 5], [1, 3])) == pytest.approx([7 / 4 + 1 / 8, 7 / 4 - 1 / 8])
    assert np.isnan(by_block(Ratio([0, 0], [0, 0]))).all()
    result = simulate("doigt", 4, 100, "random", threads=1)
    for name, ratio in metrics(result).items():
        assert by_block(ratio).mean() == pytest.approx(result.metric_estimates[name].estimate)


@pytest.fixture(scope="module")
def grid():
    """Hearts by thefts, without extra cards: all on the same deals."""
    rules = {"heart_bonus": (0, 1), "steal": ("off", "on")}
    return {
        (heart, steal): simulate("doigt", 4, 4000, "random", {"extra_bonus": 0, "heart_bonus": heart, "steal": steal})
        for heart in rules["heart_bonus"]
        for steal in rules["steal"]
    }


def sets_of(grid, read):
    return {
        frozenset(name for name, is_on in (("heart", heart), ("steal", steal != "off")) if is_on): by_block(
            read(result)
        )
        for (heart, steal), result in grid.items()
    }


def test_rounds_follow_from_hearts_and_not_from_thefts(grid):
    """Cards alone decide how many rounds there are: exactly nothing from thefts, the worked-out number from hearts."""
    found = {entry.rule: entry for entry in shapley(["heart", "steal"], sets_of(grid, lambda r: metrics(r)["rounds"]))}
    assert (found["steal"].value, found["steal"].low, found["steal"].high) == (0, 0, 0)
    truth = rounds_with_hearts(4) - 32
    assert found["heart"].low <= truth <= found["heart"].high
    assert found["heart"].high - found["heart"].low < 0.3
    values = np.array(
        [[by_block(metrics(grid[heart, steal])["rounds"]) for steal in ("off", "on")] for heart in (0, 1)]
    )
    effects = named(anova(["heart", "steal"], values))
    assert effects["heart",].share == 1
    assert effects["heart",].variance == pytest.approx((truth / 2) ** 2, rel=0.05)
    assert effects["steal",].variance == effects["heart", "steal"].variance == 0


def test_contributions_add_up_to_the_paired_difference(grid):
    first, last = grid[0, "off"], grid[1, "on"]
    entry = {found.what: found for found in compare(first, last)}["seat 1"]
    found = shapley(["heart", "steal"], sets_of(grid, lambda result: seats(result)["seat 1"]))
    assert sum(part.value for part in found) == pytest.approx(entry.change, abs=1e-12)
