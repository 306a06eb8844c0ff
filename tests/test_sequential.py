"""Stopping: always at the same game, and as right as it says, however often it looks.

Deals are made up by the thousand here: wins of one seat of two, or of three and more, as sums at each look.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import log, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from simcore.api import make_cell
from simcore.contract import WHOLE
from simcore.engine import run
from simcore.sequential import (
    BATCH,
    FAIR,
    FIRST_LOOK,
    TIGHTEST,
    UNDECIDED,
    UNFAIR,
    WIDTH_NOT_REACHED,
    WIDTH_REACHED,
    UntilDecided,
    UntilWidth,
    decided,
    half_width,
    next_look,
    seat_samples,
)
from simcore.stats import Sample, quantile, share


@dataclass
class Wins:
    """As much of a tally as a stopping rule reads: deals that one seat wins outright, and no rotation."""

    deals: int
    won: tuple[int, ...]

    @property
    def cell(self):
        return SimpleNamespace(players=len(self.won), rotations=1)

    def total(self, column):
        won = int(self.won[int(column.removeprefix("share_seat_"))])
        return won * WHOLE, won * WHOLE**2, won * WHOLE**2


def looks(most):
    """All numbers of deals up to this one at which a rule looks."""
    found, deals = [], next_look(0)
    while deals <= most:
        found.append(deals)
        deals = next_look(deals)
        assert deals > found[-1]
    return found


# When to look


def test_first_look_is_after_twenty_batches_of_a_thousand():
    assert (FIRST_LOOK, BATCH) == (20_000, 1000)
    assert looks(24_500) == [20_000, 21_000, 22_050, 23_152, 24_309]


def test_looks_are_one_sequence_from_wherever_one_asks():
    sequence = looks(200_000)
    for look, following in pairwise(sequence):
        assert {next_look(deals) for deals in (look, look + 1, following - 1)} == {following}
    assert {next_look(deals) for deals in (0, 1, 19_999)} == {20_000}


def test_looks_are_a_twentieth_apart_so_that_they_stay_few():
    sequence = looks(10**12)
    assert len(sequence) < 400
    for look, following in pairwise(sequence):
        assert following - look == max(1000, look // 20)


# Until a width


def test_width_is_that_of_the_ordinary_interval_of_the_widest_seat():
    tally = Wins(20_000, (10_000, 6000, 4000))
    widths = [found.high - found.low for found in map(share, seat_samples(tally))]
    assert max(widths) == widths[0] == pytest.approx(2 * 1.96 * 0.5 / sqrt(20_000), rel=1e-3)
    assert UntilWidth(widths[0] + 1e-9).reason(tally) == WIDTH_REACHED
    assert UntilWidth(widths[0] - 1e-9).reason(tally) == ""


def stopped(rule, p, most, times, seed):
    """Wins and deals of seat 1 where the rule stops, of two seats; at the last look when it never does."""
    rng = np.random.default_rng(seed)
    sequence = np.array(looks(most))
    won = rng.binomial(np.diff(sequence, prepend=0), p, (times, len(sequence))).cumsum(axis=1)
    for row in won:
        for deals, wins in zip(sequence, row, strict=True):
            tally = Wins(int(deals), (wins, deals - wins))
            if rule.reason(tally):
                break
        yield tally


@pytest.mark.parametrize(("p", "width"), [(0.5, 0.0125), (0.25, 0.0107), (0.02, 0.0035), (0.002, 0.001)])
def test_interval_keeps_its_coverage_where_the_width_is_reached(p, width):
    """Stops after 25 000 to 32 000 deals on average; 4 000 runs, 99.9 % band."""
    ends = [(tally.deals, share(seat_samples(tally)[0])) for tally in stopped(UntilWidth(width), p, 60_000, 4000, 3)]
    assert max(deals for deals, _ in ends) < 55_000
    assert sum(deals > FIRST_LOOK for deals, _ in ends) > 3950
    covered = np.mean([found.low <= p <= found.high for _, found in ends])
    assert 0.938 <= covered <= 0.962


# Until decided


@pytest.mark.parametrize("family", [1, 4])
def test_half_width_is_the_printed_formula(family):
    alpha, deals, spread = 0.05 / family, 12_345, 0.19
    rho = (-(alpha**2) - 2 * log(alpha) + log(-2 * log(alpha) + 1 - alpha**2)) / TIGHTEST
    expected = sqrt(spread) * sqrt((deals * rho + 1) / (deals * deals * rho) * log((deals * rho + 1) / (alpha * alpha)))
    assert half_width(SimpleNamespace(deals=deals, variance=spread), family) == pytest.approx(expected, rel=1e-12)


def factor(deals, family=1):
    """Half the width of a confidence sequence in standard deviations."""
    return half_width(SimpleNamespace(deals=deals, variance=1.0), family)


@pytest.mark.parametrize(("deals", "price"), [(TIGHTEST, 1.555), (10 * TIGHTEST, 1.65), (TIGHTEST // 10, 2.0)])
def test_looking_at_any_time_costs_what_the_notes_measured(deals, price):
    """Width against an ordinary interval that is looked at once."""
    assert factor(deals) * sqrt(deals) / quantile(10**6) == pytest.approx(price, abs=0.035)


@pytest.fixture(scope="module")
def ever_missed():
    """By number of looks: how often an ordinary 95 % interval, and the sequence, has missed the truth so far.

    3 000 runs of a seat that wins a quarter of its deals, looked at after each thousand of them.
    """
    times, p, rng = 3000, 0.25, np.random.default_rng(17)
    deals = np.arange(1, 1001) * 1000
    share = rng.binomial(1000, p, (times, 1000)).cumsum(axis=1) / deals
    off = np.abs(share - p) / np.sqrt(share * (1 - share))
    widths = {"ordinary": quantile(10**6) / np.sqrt(deals), "sequence": np.array([factor(int(t)) for t in deals])}
    missed = {name: np.logical_or.accumulate(off > width, axis=1).mean(axis=0) for name, width in widths.items()}
    return {name: {count: float(rates[count - 1]) for count in (1, 10, 100, 1000)} for name, rates in missed.items()}


def test_ordinary_intervals_miss_the_truth_more_often_the_more_often_one_looks(ever_missed):
    """The notes measured .19, .40 and .51."""
    expected = {1: 0.05, 10: 0.19, 100: 0.40, 1000: 0.51}
    for count, rate in ever_missed["ordinary"].items():
        assert rate == pytest.approx(expected[count], abs=0.04)


@pytest.mark.parametrize("count", [1, 10, 100, 1000])
def test_confidence_sequence_misses_the_truth_in_less_than_5_runs_of_100(ever_missed, count):
    assert ever_missed["sequence"][count] < 0.05


def test_confidence_sequence_is_not_needlessly_wide(ever_missed):
    """The notes measured .022 after a thousand looks."""
    assert ever_missed["sequence"][1000] > 0.01


def test_all_seats_together_are_missed_in_less_than_5_runs_of_100():
    """Four seats at the looks of the rule, up to a thousand million deals; 2 000 runs."""
    rng, p = np.random.default_rng(23), np.array([0.4, 0.3, 0.2, 0.1])
    deals = np.array(looks(10**9))
    counts = np.stack([rng.multinomial(int(n), p, 2000) for n in np.diff(deals, prepend=0)], axis=1)
    share = counts.cumsum(axis=1) / deals[:, None]
    width = np.array([factor(int(t), 4) for t in deals])[:, None] * np.sqrt(share * (1 - share))
    missed = (np.abs(share - p) > width).any(axis=(1, 2)).mean()
    assert 0.005 < missed < 0.05


@pytest.mark.parametrize(
    ("won", "band", "answer"),
    [
        ((250_000, 250_000, 250_000, 250_000), 0.01, FAIR),
        ((256_000, 250_000, 250_000, 244_000), 0.01, FAIR),
        ((270_000, 250_000, 250_000, 230_000), 0.01, UNFAIR),
        ((250_000, 250_000, 220_000, 280_000), 0.01, UNFAIR),
        ((260_500, 250_000, 250_000, 239_500), 0.01, ""),
        ((259_500, 250_000, 250_000, 240_500), 0.01, ""),
        ((250_000, 250_000, 250_000, 250_000), 0.001, ""),
        ((500_000, 500_000), 0.005, FAIR),
        ((510_000, 490_000), 0.005, UNFAIR),
        ((505_000, 495_000), 0.005, ""),
    ],
)
def test_verdict_after_a_million_deals(won, band, answer):
    """Half the width is .0018 for two seats and for each of four, about."""
    tally = Wins(1_000_000, won)
    assert 0.0015 < half_width(seat_samples(tally)[0], 4 if len(won) > 2 else 1) < 0.002
    assert decided(tally, band) == UntilDecided(band).reason(tally) == answer


def test_two_seats_are_one_number_and_more_are_a_family():
    """A gap that one number settles and one of three does not."""
    two, three = factor(100_000) * 0.5, factor(100_000, 3) * sqrt(2) / 3
    for gap, answer in ((two + 0.0101, UNFAIR), (two * 0.98 + 0.01, "")):
        first = 50_000 + round(1e5 * gap)
        assert decided(Wins(100_000, (first, 100_000 - first)), 0.01) == answer
    assert factor(100_000, 3) > 1.1 * factor(100_000)
    for gap, answer in ((three + 0.0102, UNFAIR), (three * 0.93 + 0.01, "")):
        first = 100_000 / 3 + 1e5 * gap
        rest = (100_000 - first) / 2
        assert decided(Wins(100_000, (round(first), round(rest), round(rest))), 0.01) == answer


@pytest.mark.parametrize(
    ("p", "band", "right", "wrong"),
    [
        ((0.25, 0.25, 0.25, 0.25), 0.01, FAIR, UNFAIR),
        ((0.258, 0.25, 0.25, 0.242), 0.01, FAIR, UNFAIR),
        ((0.262, 0.25, 0.25, 0.238), 0.01, UNFAIR, FAIR),
        ((0.30, 0.25, 0.25, 0.20), 0.01, UNFAIR, FAIR),
        ((0.5, 0.5), 0.01, FAIR, UNFAIR),
        ((0.52, 0.48), 0.01, UNFAIR, FAIR),
    ],
)
def test_runs_stop_with_the_right_verdict(p, band, right, wrong):
    """300 runs of up to three million deals: none goes on to the end, and hardly any is wrong."""
    rng = np.random.default_rng(31)
    sequence = looks(3_000_000)
    verdicts = []
    for _ in range(300):
        won, last = np.zeros(len(p), np.int64), 0
        for deals in sequence:
            won, last = won + rng.multinomial(deals - last, p), deals
            if verdict := decided(Wins(deals, tuple(won)), band):
                break
        verdicts.append(verdict)
    assert verdicts.count(wrong) <= 15
    assert verdicts.count(right) + verdicts.count(wrong) == 300


def test_a_share_on_the_edge_of_the_band_is_seldom_decided_and_wrong_in_less_than_5_runs_of_100():
    """Either verdict says too much."""
    rng, sequence, count = np.random.default_rng(37), looks(3_000_000), 0
    for _ in range(300):
        won, last = np.zeros(2, np.int64), 0
        for deals in sequence:
            won, last = won + rng.multinomial(deals - last, (0.51, 0.49)), deals
            if decided(Wins(deals, tuple(won)), 0.01):
                count += 1
                break
    assert count < 15


# The engine

RULES = {
    "narrow": UntilWidth(0.0113),
    "wide": UntilWidth(0.05),
    "fair": UntilDecided(0.05),
    "unfair": UntilDecided(0.0031),
    "never": UntilDecided(0.0125),
    "too narrow": UntilWidth(0.001),
}
ENDS = {
    "narrow": (22_050, WIDTH_REACHED),
    "wide": (20_000, WIDTH_REACHED),
    "fair": (20_000, FAIR),
    "unfair": (26_800, UNFAIR),
    "never": (30_001, UNDECIDED),
    "too narrow": (30_001, WIDTH_NOT_REACHED),
}


def cell_of(games=30_001, strategies="random"):
    return make_cell("doigt", 4, games, strategies, seed=1)


def same(one, other):
    """Whether two tallies are alike in every integer."""
    return (one.deals, one.prints, one.sums.tolist()) == (other.deals, other.prints, other.sums.tolist())


@pytest.mark.parametrize("name", RULES)
def test_run_stops_at_the_same_game_whatever_the_threads_and_chunks(name):
    first = run(cell_of(), threads=1, until=RULES[name])
    assert (first.tally.deals, first.stopped) == ENDS[name]
    assert not first.interrupted
    for threads, chunk in [(2, None), (7, None), (1, 64), (2, 997), (7, 5000), (7, 30_001)]:
        again = run(cell_of(), threads=threads, chunk=chunk, until=RULES[name])
        assert (again.stopped, again.tally.digest()) == (first.stopped, first.tally.digest())
        assert same(again.tally, first.tally)


@pytest.mark.parametrize("name", RULES)
def test_run_that_stops_is_a_run_of_so_many_games(name):
    stopped_there = run(cell_of(), threads=2, until=RULES[name]).tally
    assert same(stopped_there, run(cell_of(ENDS[name][0]), threads=2).tally)


@pytest.mark.parametrize("name", ["narrow", "unfair"])
def test_rule_would_not_have_stopped_at_any_look_before(name):
    for deals in looks(ENDS[name][0]):
        reason = RULES[name].reason(run(cell_of(deals)).tally)
        assert reason == (ENDS[name][1] if deals == ENDS[name][0] else "")


def test_rotated_line_ups_stop_after_whole_deals():
    """Looks count deals, and all four seatings of each are played."""
    cell = cell_of(200_000, "random,random,random,random+random")
    done = run(cell, until=UntilWidth(0.012))
    assert done.stopped == WIDTH_REACHED
    assert done.tally.deals in looks(50_000)
    assert done.tally.games == 4 * done.tally.deals
    assert same(done.tally, run(replace(cell, games_asked=done.tally.games)).tally)


def test_rows_end_with_the_last_game_that_counts():
    games = []
    done = run(cell_of(), threads=2, until=RULES["narrow"], rows=lambda first, rows: games.append((first, len(rows))))
    first, count = games[-1]
    assert first + count == done.tally.games == 22_050


def test_rule_reads_the_win_share_of_every_seat():
    tally = run(cell_of(20_000)).tally
    samples = seat_samples(tally)
    assert len(samples) == 4
    assert all(isinstance(sample, Sample) and sample.deals == 20_000 for sample in samples)
    assert sum(sample.mean for sample in samples) == pytest.approx(1)
