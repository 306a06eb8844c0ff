"""Heavy-tailed scores: buckets, quantiles, trimmed means, and sums of squares that fit no 64 bits."""

from statistics import fmean

import numpy as np
import pytest
from scipy.stats import binom, quantile_test, trim_mean

from simcore.api import make_cell
from simcore.cell import Book
from simcore.engine import run
from simcore.histogram import BUCKETS, bucket, values
from simcore.loop import CARRY, DEAL_SQUARE, add_square
from simcore.plain import rebuild
from simcore.result import Result
from simcore.stats import Histogram

RICH = {"stakes": "1000,1000,1000,1000,1000", "stake_mult": 100, "deals": 1000}


def test_buckets_are_in_the_order_of_scores_and_close_to_them():
    sizes = [*range(3000), *(int(size) for size in np.geomspace(3000, 2**28 - 1, 5000))]
    scores = sorted([*sizes, *(-size for size in sizes)])
    places = [bucket(score) for score in scores]
    assert places == sorted(places)
    middles = values()
    assert len(middles) == BUCKETS and (np.diff(middles) > 0).all()
    for score, place in zip(scores, places, strict=True):
        assert abs(middles[place] - score) <= (abs(score) / 64 if abs(score) >= 1024 else 0)


def test_a_score_beyond_all_buckets_is_in_the_last_one():
    assert bucket(2**40) == BUCKETS - 1
    assert bucket(-(2**40)) == 0


def histogram(scores, deals=None):
    counts = np.bincount([bucket(score) for score in scores], minlength=BUCKETS)
    return Histogram(values(), counts, deals or len(scores))


@pytest.mark.parametrize("level", [0.05, 0.25, 0.5, 0.75, 0.95])
@pytest.mark.parametrize("size", [40, 999, 1500])
def test_quantiles_are_those_of_scipy_with_the_same_order_statistics(level, size):
    scores = np.random.default_rng(size).permutation(size) - size // 3  # all different: order statistics are unique
    found = histogram(scores).quantile(level)
    assert found.estimate == np.sort(scores)[int(np.ceil(level * size)) - 1]
    low, high = quantile_test(scores, p=level).confidence_interval()
    slack = 0 if size < 1000 else 2  # the normal approximation from a thousand deals on
    for mine, theirs, end in ((found.low, low, scores.min()), (found.high, high, scores.max())):
        assert abs(mine - (end if np.isnan(theirs) else theirs)) <= slack
    assert found.method == ("order statistics" if not np.isnan([low, high]).any() else "order statistics, open end")


@pytest.mark.parametrize("level", [0.05, 0.5, 0.95])
def test_quantile_intervals_cover_at_least_95_times_in_100(level):
    dice, truth = np.random.default_rng(5), binom.ppf(level, 200, 0.3)
    found = [histogram(dice.binomial(200, 0.3, 300)).quantile(level) for _ in range(400)]
    assert fmean(one.low <= truth <= one.high for one in found) >= 0.914


def test_the_trimmed_mean_is_that_of_scipy_when_whole_games_are_trimmed():
    scores = np.random.default_rng(1).geometric(0.01, 2000) - 50
    scores = np.minimum(scores, 1000)  # exact buckets
    assert histogram(scores).trimmed_mean().estimate == pytest.approx(trim_mean(scores, 0.05), rel=1e-12)


def test_trimmed_mean_intervals_cover_95_times_in_100():
    dice = np.random.default_rng(2)
    truth = trim_mean(dice.geometric(0.02, 2_000_000), 0.05)
    found = [histogram(np.minimum(dice.geometric(0.02, 500), 1023)).trimmed_mean() for _ in range(400)]
    assert 0.914 <= fmean(one.low <= truth <= one.high for one in found) <= 0.986


@pytest.mark.parametrize("numbers", [[3, -4], [2**31, -(2**31)], [2**40, 2**39 + 7, -(2**41)], [2**31 - 1] * 5, [0]])
def test_squares_of_any_size_add_up_exactly(numbers):
    book = Book.of(make_cell("nain-jaune", 3, 1, "random"))
    with np.errstate(over="ignore"):
        for number in numbers:
            rebuild(add_square, {})(book.record, 5, DEAL_SQUARE, 2, np.int64(number))
    low, high = (int(part[5, DEAL_SQUARE, 2]) for part in (book.record.sums, book.record.carries))
    assert 0 <= low < 2**CARRY
    assert low + (high << CARRY) == sum(number * number for number in numbers)
    assert book.sums[5, DEAL_SQUARE, 2] == sum(number * number for number in numbers)


def test_a_run_with_huge_stakes_is_tallied_exactly():
    cell = make_cell("nain-jaune", 3, 600, "random", RICH)
    kept = []
    tally = run(cell, rows=lambda first, rows: kept.extend(rows.tolist())).tally
    names = [*(f"share_seat_{seat}" for seat in range(3)), *(f"score_seat_{seat}" for seat in range(3))]
    names += cell.game.counted(3)
    for place, name in enumerate(names):
        numbers = [row[place] for row in kept]
        assert tally.total(name)[:2] == (sum(numbers), sum(number**2 for number in numbers)), name
    assert sum(row[names.index("income")] ** 2 for row in kept) > 2**64


def test_each_seat_and_each_strategy_has_its_histogram():
    cell = make_cell("nain-jaune", 3, 900, ["random", "lowest", "lowest"])
    kept = []
    result = Result(run(cell, rows=lambda first, rows: kept.extend(rows.tolist())))
    assert result.tally.scores.sum(axis=1).tolist() == [900, 900, 900, 900, 1800, 0]
    for seat, line in enumerate(result.seat_lines):
        scores = sorted(row[3 + seat] for row in kept)
        assert line.spread["median"].estimate == scores[449]
        assert line.spread["q95"].estimate == scores[854]
    assert result.strategy_lines[1].spread["median"].n == 1800


def test_games_without_heavy_tails_have_no_histogram():
    result = Result(run(make_cell("doigt", 4, 100, "random")))
    assert result.tally.scores.shape == (1, 1)
    assert all(line.spread == {} for line in result.seat_lines)
