"""Intervals: equal to their published formulas where these apply, and right as often as they say.

The coverage test plays the real engine where the win shares are known exactly (statistics.md 6.2, 6).
"""

from dataclasses import replace
from math import inf, sqrt
from statistics import NormalDist, fmean, stdev

import numpy as np
import pytest
from scipy.stats import beta, binomtest, t
from test_doigt_oracles import PLAIN, plain_law

from simcore.api import make_cell
from simcore.contract import WHOLE
from simcore.engine import run
from simcore.result import Result
from simcore.stats import Sample, fairness, mean, quantile, share

Z = NormalDist().inv_cdf(0.975)


def sample(values, per_deal=1, unit=1):
    """The sums of one row per deal, or of one number per deal; values are integers."""
    games = [row if isinstance(row, list | tuple) else [row] for row in values]
    totals = [sum(row) for row in games]
    squares = sum(value * value for row in games for value in row)
    return Sample(len(games), per_deal, sum(totals), sum(total * total for total in totals), squares, unit)


def wins(won, games):
    """A seat that won so many games outright."""
    return Sample(games, 1, won * WHOLE, won * WHOLE**2, won * WHOLE**2, WHOLE)


def wilson(p, n, z=Z):
    """Wilson 1927, as in every textbook."""
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return centre - half, centre + half


def ends(estimate):
    return estimate.low, estimate.high


# Shares


@pytest.mark.parametrize(("won", "games"), [(10, 1000), (250, 1000), (500, 1000), (990, 1000), (33_333, 10**5)])
def test_share_without_ties_is_the_textbook_wilson_interval(won, games):
    """The sample variance divides by n - 1, so the effective size is n - 1."""
    estimate = share(wins(won, games))
    assert estimate.method == "wilson"
    assert estimate.estimate == won / games
    assert ends(estimate) == pytest.approx(wilson(won / games, games - 1), rel=1e-9)


def test_share_agrees_with_scipy_to_one_part_in_n():
    exact = binomtest(2500, 10_000).proportion_ci(0.95, "wilson")
    assert ends(share(wins(2500, 10_000))) == pytest.approx((exact.low, exact.high), abs=1e-6)


def test_ties_make_the_interval_narrower_by_the_design_effect():
    """Half the games tied between two, a quarter won, a quarter lost: variance 1/8 instead of 1/4."""
    tied = sample([WHOLE // 2, WHOLE // 2, WHOLE, 0] * 500, unit=WHOLE)
    assert ends(share(tied)) == pytest.approx(wilson(0.5, 2 * 1999), rel=1e-9)


def test_rotated_games_count_by_the_deal():
    """Two rotations that always agree are one observation, two that are opposite settle the share exactly."""
    agree = sample([[WHOLE, WHOLE], [0, 0]] * 500, per_deal=2, unit=WHOLE)
    assert agree.games == share(agree).n == 2000
    assert ends(share(agree)) == pytest.approx(wilson(0.5, 999), rel=1e-9)
    opposite = share(sample([[WHOLE, 0], [0, WHOLE]] * 500, per_deal=2, unit=WHOLE))
    assert (opposite.method, *ends(opposite)) == ("exact", 0.5, 0.5)


def test_family_of_seats_widens_every_interval():
    assert ends(share(wins(250, 1000), 4)) == pytest.approx(wilson(0.25, 999, 2.4977), rel=1e-4)


@pytest.mark.parametrize("games", [1, 5, 40, 1000, 10**6])
def test_no_win_bounds_the_share_at_1_minus_the_nth_root_of_half_alpha(games):
    estimate = share(wins(0, games))
    assert ends(estimate) == (0, pytest.approx(1 - 0.025 ** (1 / games), rel=1e-9))
    exact = binomtest(0, games).proportion_ci(0.95, "exact")
    assert estimate.high == pytest.approx(exact.high, rel=1e-6)


@pytest.mark.parametrize("games", [1, 5, 40, 1000, 10**6])
def test_all_wins_mirror_no_wins(games):
    none, every = share(wins(0, games)), share(wins(games, games))
    assert every.estimate == every.high == 1
    assert every.low == pytest.approx(1 - none.high, rel=1e-9)


@pytest.mark.parametrize("won", range(1, 10))
def test_few_wins_have_the_clopper_pearson_interval(won):
    estimate = share(wins(won, 1000))
    assert estimate.method == "clopper-pearson"
    exact = binomtest(won, 1000).proportion_ci(0.95, "exact")
    assert ends(estimate) == pytest.approx((exact.low, exact.high), rel=1e-6)
    few_losses = share(wins(1000 - won, 1000))
    assert ends(few_losses) == pytest.approx((1 - exact.high, 1 - exact.low), rel=1e-6)


def test_few_wins_of_fractions_use_the_beta_law_of_real_numbers():
    """Two and a half wins in 200 games, for one seat of a family of three."""
    estimate = share(sample([WHOLE, WHOLE, WHOLE // 2] + [0] * 197, unit=WHOLE), 3)
    tail = 0.05 / 6
    expected = beta.ppf(tail, 2.5, 198.5), beta.ppf(1 - tail, 3.5, 197.5)
    assert ends(estimate) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("deals", range(1, 60))
def test_a_share_lies_inside_its_interval_and_both_lie_in_0_to_1(deals):
    for won in range(deals + 1):
        estimate = share(wins(won, deals))
        assert 0 <= estimate.low <= estimate.estimate <= estimate.high <= 1
        assert estimate.high > estimate.low


@pytest.mark.parametrize("deals", [20, 29])
def test_few_deals_use_students_quantile(deals):
    estimate = share(wins(10, deals))
    assert ends(estimate) == pytest.approx(wilson(10 / deals, deals - 1, t.ppf(0.975, deals - 1)), rel=1e-9)


# Means


@pytest.mark.parametrize(("deals", "method"), [(2, "t"), (50, "t"), (999, "t"), (1000, "normal"), (20_000, "normal")])
def test_mean_has_students_interval_until_it_is_normal(deals, method):
    values = np.random.default_rng(deals).poisson(22, deals).tolist()
    estimate = mean(sample(values))
    middle, error = fmean(values), stdev(values) / sqrt(deals)
    q = t.ppf(0.975, deals - 1) if method == "t" else Z
    assert (estimate.method, estimate.n) == (method, deals)
    assert estimate.estimate == pytest.approx(middle, rel=1e-12)
    assert ends(estimate) == pytest.approx((middle - q * error, middle + q * error), rel=1e-9)
    assert estimate.sd == pytest.approx(stdev(values), rel=1e-9)


def test_mean_of_rotated_games_takes_its_error_from_the_deals_and_its_sd_from_the_games():
    rows = np.random.default_rng(1).poisson(9, (400, 4)).tolist()
    estimate = mean(sample(rows, per_deal=4))
    deals = [fmean(row) for row in rows]
    half = t.ppf(0.975, 399) * stdev(deals) / 20
    assert ends(estimate) == pytest.approx((fmean(deals) - half, fmean(deals) + half), rel=1e-9)
    assert estimate.sd == pytest.approx(stdev([value for row in rows for value in row]), rel=1e-9)


def test_variance_of_equal_deals_is_exactly_zero():
    """Floats would leave 1e-7 or so behind."""
    same = sample([123_456_789] * 7777)
    assert same.variance == 0
    assert same.sd == 0
    assert ends(mean(same)) == (123_456_789, 123_456_789)


def test_variance_survives_a_large_mean():
    values = [10**12 + step % 2 for step in range(1000)]
    assert sample(values).variance == pytest.approx(0.25 * 1000 / 999, rel=1e-12)


def test_one_deal_has_a_mean_and_no_interval():
    estimate = mean(sample([7]))
    assert (estimate.estimate, *ends(estimate)) == (7, 7, 7)
    assert "no interval" in estimate.method


# Quantiles


@pytest.mark.parametrize(
    ("seats", "expected"), [(1, 1.960), (2, 2.241), (3, 2.394), (4, 2.498), (5, 2.576), (8, 2.734)]
)
def test_families_have_the_bonferroni_quantiles_of_the_notes(seats, expected):
    assert quantile(10**6, seats) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("deals", [2, 10, 64, 999])
def test_few_deals_have_students_quantiles(deals):
    assert quantile(deals, 4) == pytest.approx(t.ppf(1 - 0.05 / 8, deals - 1), rel=1e-9)


# Verdicts


def seats(shares, games):
    """One sample per seat that won this share of the games outright."""
    return [wins(round(won * games), games) for won in shares]


def test_seats_well_inside_the_band_are_fair():
    assert fairness(seats([0.252, 0.249, 0.25, 0.249], 10**6), 0.01).answer == "fair"


def test_one_seat_well_outside_the_band_is_unfair():
    verdict = fairness(seats([0.25, 0.25, 0.22, 0.28], 10**6), 0.01)
    assert (verdict.answer, verdict.games_needed) == ("unfair", 0)
    assert verdict.seat in (2, 3)


def test_a_difference_that_is_sure_but_inside_the_band_is_fair():
    samples = seats([0.503, 0.497], 10**7)
    assert share(samples[0]).low > 0.5
    assert fairness(samples, 0.01).answer == "fair"


def test_an_interval_across_the_edge_of_the_band_is_unsure():
    verdict = fairness(seats([0.259, 0.25, 0.25, 0.241], 10_000), 0.01)
    assert verdict.answer == "unsure"
    assert verdict.games_needed > 10_000


def test_two_seats_are_one_number_and_need_no_family():
    """.53 is 2.08 standard errors beyond the edge .51 at 2 700 games: more than 1.96, less than 2.24."""
    assert fairness(seats([0.53, 0.47], 2700), 0.01).answer == "unfair"
    assert fairness(seats([0.53, 0.47], 2200), 0.01).answer == "unsure"


@pytest.mark.parametrize(
    "shares",
    [
        [0.505, 0.495],
        [0.53, 0.47],
        [0.257, 0.25, 0.25, 0.243],
        [0.28, 0.25, 0.25, 0.22],
        [0.30, 0.2605, 0.2395, 0.20],
    ],
)
def test_the_games_needed_settle_the_verdict_and_half_of_them_do_not(shares):
    """If the shares stay as they are; the bound is an estimate, so ten per cent more are granted."""
    start = fairness(seats(shares, 400), 0.01)
    assert start.answer == "unsure"
    assert start.games_needed < inf
    enough, half = (round(start.games_needed * part) for part in (1.1, 0.5))
    assert fairness(seats(shares, enough), 0.01).answer != "unsure"
    assert fairness(seats(shares, half), 0.01).answer == "unsure"


def test_a_share_on_the_edge_of_the_band_is_never_settled():
    assert fairness(seats([0.51, 0.49], 10_000), 0.01).games_needed > 10**12


# Coverage

REPLICATIONS, GAMES = 400, 5000
LEAST, MOST = 0.914, 0.986  # 99.9 % band of Binomial(400, .95) / 400


@pytest.fixture(scope="module")
def replications():
    """Results of 400 short runs of the bare game at four players, seeds 0 to 399."""
    cell = make_cell("doigt", 4, GAMES, "random", PLAIN)
    return [Result(run(replace(cell, seed=seed), threads=1)) for seed in range(REPLICATIONS)]


def coverage(estimates, truth):
    return fmean(estimate.low <= truth <= estimate.high for estimate in estimates)


@pytest.mark.parametrize("seat", range(4))
def test_share_intervals_cover_the_exact_share_95_times_in_100(replications, seat):
    truth = plain_law(4, 32, 1 / 5).share[seat]
    estimates = [result.seat_lines[seat].win_share for result in replications]
    assert {estimate.method for estimate in estimates} == {"wilson"}
    assert LEAST <= coverage(estimates, truth) <= MOST


@pytest.mark.parametrize("seat", range(4))
def test_score_intervals_cover_the_exact_mean_95_times_in_100(replications, seat):
    truth = 1 + plain_law(4, 32, 1 / 5).cards[seat]
    assert LEAST <= coverage([result.seat_lines[seat].score for result in replications], truth) <= MOST


@pytest.mark.parametrize("metric", ["attempts", "tied"])
def test_metric_intervals_cover_the_exact_value_95_times_in_100(replications, metric):
    truth = {"attempts": 160, "tied": plain_law(4, 32, 1 / 5).tied}[metric]
    assert LEAST <= coverage([result.metric_estimates[metric] for result in replications], truth) <= MOST


def test_simultaneous_intervals_cover_all_seats_at_least_95_times_in_100(replications):
    """Goodman with Bonferroni is a little conservative; the lower bound is the same."""
    truth = plain_law(4, 32, 1 / 5).share
    covered = 0
    for result in replications:
        intervals = [share(result._sample(f"share_seat_{seat}", 1, WHOLE), 4) for seat in range(4)]
        covered += all(i.low <= true <= i.high for i, true in zip(intervals, truth, strict=True))
    assert covered / REPLICATIONS >= LEAST
