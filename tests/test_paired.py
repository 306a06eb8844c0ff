"""Differences between cells: they cover what is known, pairing gains what it says, and few deals claim little.

Known: the bare game of four by dynamic programming (`plain_law`). With one announcement a card everybody announces
eight cards and takes each of them with probability 1/5, so that the seats are alike.
"""

from dataclasses import replace
from functools import cache
from math import inf, isnan, sqrt
from statistics import fmean, stdev, variance

import numpy as np
import pytest
from scipy.stats import binom, t
from test_doigt_oracles import PLAIN, plain_law, rounds_with_hearts

from simcore.api import make_cell
from simcore.contract import WHOLE, Metric
from simcore.engine import Run, run
from simcore.errors import UsageError
from simcore.games.doigt import GAME
from simcore.loop import BLOCKS, SUM
from simcore.paired import Difference, Ratio, block_games, compare, difference, has_common_deals, metrics, seats
from simcore.result import Result
from simcore.stats import quantile
from simcore.tally import Tally

PER_ROUND = Metric("attempts_per_round", "announcements a round", of="attempts", per="rounds")
PER_EXTRA = Metric("thefts_per_extra", "thefts an extra card", of="thefts", per="extras")
WITH_RATIOS = replace(GAME, metrics=(*GAME.metrics, PER_ROUND, PER_EXTRA))
ONCE = {**PLAIN, "max_attempts": 1}
HEARTS = {**PLAIN, "heart_bonus": 1}
REPLICATIONS, GAMES, SHORT = 400, 1000, 400
LEAST, MOST = 0.914, 0.986  # 99.9 % band of Binomial(400, .95) / 400


def cell_of(rules, games=GAMES, seed=1, players=4):
    return make_cell("doigt", players, games, "random", rules, seed)


@cache
def bare(seed=1, games=GAMES, once=False, hearts=False):
    """The bare game, or a variant of it."""
    return Result(run(cell_of(ONCE if once else HEARTS if hearts else PLAIN, games, seed), threads=1))


def with_ratios(result):
    """The same run, read by a game that also measures ratios."""
    tally = replace_cell(result.tally, replace(result.cell, game=WITH_RATIOS))
    return Result(Run(tally, result.seconds))


def replace_cell(tally, cell):
    found = Tally(cell, tally.deals)
    found.sums, found.prints = tally.sums, tally.prints
    return found


def made_up(wins, seed=1, rules=PLAIN):
    """A run of two players in which seat 1 won these deals, and seat 2 the others."""
    cell = cell_of(rules, len(wins), seed, players=2)
    tally = Tally(cell, len(wins))
    for seat, won in enumerate((np.asarray(wins), 1 - np.asarray(wins))):
        column = cell.columns.index(f"share_seat_{seat}")
        tally.sums[: len(won), SUM, column] = by_block(won * WHOLE)
    tally.prints = [int(total) for total in tally.sums[:, SUM].sum(axis=1)]
    return Result(Run(tally, 0.0))


def by_block(values):
    """The sums over blocks of one integer a deal."""
    values = np.asarray(values)
    padded = np.zeros(-(-len(values) // BLOCKS) * BLOCKS, np.int64)
    padded[: len(values)] = values
    return padded.reshape(-1, BLOCKS).sum(axis=0).tolist()[: min(len(values), BLOCKS)]


def ratio_of(tops, bottoms=None, unit=1):
    tops = np.asarray(tops)
    return Ratio(by_block(tops), by_block(np.ones_like(tops) * unit if bottoms is None else bottoms), unit)


def named(differences):
    return {entry.what: entry for entry in differences}


def covers(entry, truth):
    return entry.low <= truth <= entry.high


# Coverage of known differences


@cache
def known():
    """What changes in the bare game of four when a card is announced only once."""
    law = plain_law(4, 32, 1 / 5)
    tied = 1 - 4 * sum(binom(8, 1 / 5).pmf(best) * binom(8, 1 / 5).cdf(best - 1) ** 3 for best in range(1, 9))
    changes = {f"seat {seat + 1}": 1 / 4 - law.share[seat] for seat in range(4)}
    changes |= {"attempts": 32 - 160, "rounds": 32 / 5 - 32, "tied": tied - law.tied, "cut_off": 1}
    return changes | {"thefts": 0, "extras": 0, "attempts_per_round": 0}


@pytest.fixture(scope="module")
def replications():
    """Pairs of short runs with known differences, seeds 0 to 399."""
    seeds = range(REPLICATIONS)
    return [tuple(with_ratios(bare(seed, once=once)) for once in (False, True)) for seed in seeds]


@pytest.mark.parametrize("what", ["seat 1", "seat 2", "seat 3", "seat 4", "attempts", "rounds", "tied"])
def test_interval_of_a_difference_covers_it_95_times_in_100(replications, what):
    covered = fmean(covers(named(compare(*pair, family=1))[what], known()[what]) for pair in replications)
    assert LEAST <= covered <= MOST


def test_interval_of_a_difference_of_ratios_covers_it_95_times_in_100(replications):
    """Each announcement succeeds with probability 1/5, once or again and again: five a round in both games."""
    name = "attempts_per_round"
    covered = fmean(covers(named(compare(*pair, family=1))[name], 0) for pair in replications)
    assert LEAST <= covered <= MOST


def test_simultaneous_intervals_cover_all_differences_at_once(replications):
    """Eight of eleven lines vary, each with an error of 5 % / 11: together between one of these and eight."""
    truth = known()
    lists = [compare(*pair) for pair in replications]
    assert {entry.what for entry in lists[0]} == set(truth)
    covered = fmean(all(covers(entry, truth[entry.what]) for entry in found) for found in lists)
    assert 1 - 8 * 0.05 / 11 - 3.3 * sqrt(0.036 * 0.964 / REPLICATIONS) <= covered < 1


def test_a_difference_has_the_sign_of_after_less_before(replications):
    one, other = replications[0]
    there, back = named(compare(one, other)), named(compare(other, one))
    assert there["attempts"].change == pytest.approx(32 - other_attempts(one))
    for name, entry in there.items():
        assert (back[name].change, back[name].low, back[name].high) == pytest.approx(
            (-entry.change, -entry.high, -entry.low)
        )


def other_attempts(result):
    return result.tally.total("attempts")[0] / result.games


@pytest.mark.parametrize("deals", [20, 63, 64, 65, 100, 1000])
def test_interval_covers_with_any_number_of_deals(deals):
    """Made-up deals with common luck, of 0 to 40 points; fewer deals than blocks, and blocks of unequal size."""
    rng, covered, times = np.random.default_rng(deals), 0, 2000
    for _ in range(times):
        luck = rng.integers(0, 30, deals)
        before, after = ratio_of(luck + rng.integers(0, 11, deals)), ratio_of(luck + rng.integers(0, 5, deals))
        covered += covers(difference("points", False, before, after, True, 1), 2 - 5)
    assert 0.934 <= covered / times <= 0.966  # 99.9 % band


@pytest.mark.parametrize("paired", [True, False])
def test_interval_of_made_up_ratios_covers(paired):
    """Bets on 1 to 12 columns a deal, of which 30 % and then 35 % are right; the same columns when paired."""
    rng, covered, times, deals = np.random.default_rng(5), 0, 2000, 300
    for _ in range(times):
        bets, luck = rng.integers(1, 13, deals), np.random.default_rng(rng.integers(2**40))
        other = bets if paired else rng.integers(1, 13, deals)
        before, after = luck.binomial(bets, 0.3), luck.binomial(other, 0.35)
        entry = difference("hits", True, ratio_of(before, bets), ratio_of(after, other), paired, 1)
        covered += covers(entry, 0.05)
    assert 0.934 <= covered / times <= 0.966


# By hand


def test_difference_of_four_deals_by_hand():
    """Changes 1, 2, 3, 2: mean 2, variance 2/3; Student's t with three degrees of freedom."""
    entry = difference("points", False, ratio_of([5, 1, 0, 9]), ratio_of([6, 3, 3, 11]), True, 1)
    half = 3.182446 * sqrt(2 / 3 / 4)
    assert (entry.before, entry.after, entry.change) == (15 / 4, 23 / 4, 2)
    assert (entry.low, entry.high) == pytest.approx((2 - half, 2 + half), abs=1e-6)
    apart = (variance([5, 1, 0, 9]) + variance([6, 3, 3, 11])) / 4
    assert entry.gain == pytest.approx(apart / (2 / 3 / 4))
    alone = difference("points", False, ratio_of([5, 1, 0, 9]), ratio_of([6, 3, 3, 11]), False, 1)
    assert alone.high - alone.change == pytest.approx(3.182446 * sqrt(apart), abs=1e-6)
    assert alone.gain == 1


def test_difference_of_ratios_by_hand():
    """Before 6/4, after 3/6; errors (1, -1) 2/4 … by block: (2 - 1.5, 4 - 4.5) / 2 and (1 - 1, 2 - 2) / 3."""
    entry = difference("ratio", False, Ratio([2, 4], [1, 3]), Ratio([1, 2], [2, 4]), True, 1)
    half = t.ppf(0.975, 1) * sqrt((0.25**2 + 0.25**2) / 2)
    assert (entry.before, entry.after) == (1.5, 0.5)
    assert (entry.low, entry.high) == pytest.approx((-1 - half, -1 + half))


@pytest.mark.parametrize("games", [2, 40, 63])
def test_fewer_deals_than_blocks_have_students_interval_of_the_deals(games):
    """The same from the games one by one."""
    rows = [[], []]
    for rules, kept in zip((PLAIN, HEARTS), rows, strict=True):
        run(cell_of(rules, games), rows=lambda first, chunk, kept=kept: kept.extend(chunk[:, 8].tolist()))
    entry = named(compare(bare(games=games), bare(games=games, hearts=True), family=1))["attempts"]
    changes = [after - before for before, after in zip(*rows, strict=True)]
    half = t.ppf(0.975, games - 1) * stdev(changes) / sqrt(games)
    assert (entry.low, entry.high) == pytest.approx((fmean(changes) - half, fmean(changes) + half))


@pytest.mark.parametrize("games", [1, 63, 64, 65, 200, 20_000])
def test_blocks_have_as_many_games_as_they_were_given(games):
    """A ratio of all the shares to all the games is one, in every block."""
    result = bare(games=games)
    blocks = np.array([result.tally.blocks(f"share_seat_{seat}") for seat in range(4)]).sum(axis=0)
    assert block_games(result) == (blocks // WHOLE).tolist()
    assert sum(block_games(result)) == games


def test_rotated_cells_count_games_and_pair_deals():
    mixed = [
        Result(run(make_cell("doigt", 4, 400, "random,random,random,random+random", rules)))
        for rules in (PLAIN, HEARTS)
    ]
    assert block_games(mixed[0]) == [8] * 36 + [4] * 28
    assert has_common_deals(*mixed)
    for name, line in zip(seats(mixed[0]), mixed[0].seat_lines, strict=True):
        assert seats(mixed[0])[name].value == pytest.approx(line.win_share.estimate)


def test_numbers_are_those_of_the_result():
    result = with_ratios(bare(hearts=True))
    shares, found = seats(result), metrics(result)
    assert [ratio.value for ratio in shares.values()] == pytest.approx(
        [line.win_share.estimate for line in result.seat_lines]
    )
    estimates = result.metric_estimates
    del found["thefts_per_extra"], estimates["thefts_per_extra"]
    assert {name: ratio.value for name, ratio in found.items()} == pytest.approx(
        {name: estimate.estimate for name, estimate in estimates.items()}
    )


def test_a_ratio_to_nothing_is_no_line():
    """The bare game has no extra card, hence no thefts an extra card."""
    one, other = with_ratios(bare()), with_ratios(bare(hearts=True))
    assert isnan(metrics(one)["thefts_per_extra"].value)
    assert "thefts_per_extra" not in named(compare(one, other))


# Pairing


def test_a_cell_against_itself_is_exactly_no_difference():
    """What varies gains without limit by pairing; thefts, of which there are none, gain nothing."""
    found = named(compare(bare(), Result(run(cell_of(PLAIN), threads=2))))
    assert len(found) == 4 + 6
    for entry in found.values():
        assert (entry.change, entry.low, entry.high) == (0, 0, 0)
        assert entry.against(1e-9) == "inside"
    assert {name: entry.gain for name, entry in found.items()} == {
        **dict.fromkeys(("seat 1", "seat 2", "seat 3", "seat 4", "attempts", "tied"), inf),
        **dict.fromkeys(("rounds", "thefts", "extras", "cut_off"), 1.0),
    }


def test_one_cell_that_came_out_otherwise_is_compared_like_any_other():
    """As by a version of the game that has changed."""
    wins = np.random.default_rng(3).integers(0, 2, 1000)
    entry = compare(made_up(wins), made_up(np.roll(wins, 1)), family=1)[0]
    assert entry.low < entry.change == 0 < entry.high


def test_another_rule_that_changed_no_game_is_not_quite_no_difference():
    """No deal of 1 000 has moved: fewer than 1 in 271 do, at 95 %."""
    entry = named(compare(bare(), Result(run(cell_of({**PLAIN, "max_attempts": 900}), threads=1)), family=1))["seat 1"]
    bound = 1 - 0.025 ** (1 / GAMES)
    assert (entry.change, entry.low, entry.high) == (0, pytest.approx(-bound), pytest.approx(bound))
    assert entry.gain == inf


def test_common_deals_make_the_interval_of_two_variants_narrower():
    """Rounds follow from the cards alone; who wins them does so in part."""
    paired = named(compare(bare(games=8000), bare(games=8000, hearts=True)))
    apart = named(compare(bare(games=8000), bare(seed=2, games=8000, hearts=True)))
    for name in ("seat 1", "seat 2", "seat 3", "seat 4", "attempts"):
        assert paired[name].gain > 1.15
        assert apart[name].gain == 1
        narrower = (apart[name].high - apart[name].low) / (paired[name].high - paired[name].low)
        assert narrower**2 == pytest.approx(paired[name].gain, rel=0.5)


@cache
def hearts_added():
    """What hearts change in the bare game, seeds 0 to 399."""
    seeds = range(REPLICATIONS)
    return [compare(bare(seed, SHORT), bare(seed, SHORT, hearts=True), family=1) for seed in seeds]


def test_the_gain_stated_is_the_gain_had():
    """Over 400 replications the change varies as much less as their mean says."""
    found = [named(entry) for entry in hearts_added()]
    for name in ("attempts", "seat 1"):
        entries = [entry[name] for entry in found]
        spreads = [variance(getattr(entry, part) for entry in entries) for part in ("before", "after", "change")]
        stated = REPLICATIONS / sum(1 / entry.gain for entry in entries)
        assert (spreads[0] + spreads[1]) / spreads[2] == pytest.approx(stated, rel=0.25)
        assert stated > 1.15


def test_rounds_with_hearts_differ_by_the_worked_out_number():
    found = [named(entry)["rounds"] for entry in hearts_added()]
    truth = rounds_with_hearts(4) - 32
    assert LEAST <= fmean(covers(entry, truth) for entry in found) <= MOST


@pytest.mark.parametrize(("seed", "games"), [(2, 1000), (1, 1001), (1, 500), (1, 40)])
def test_other_seeds_or_numbers_of_deals_are_not_paired(seed, games):
    one, other = bare(), bare(seed, games, hearts=True)
    assert not has_common_deals(one, other)
    for name, entry in named(compare(one, other)).items():
        assert entry.gain == 1, name


def test_independent_cells_add_their_variances():
    one, other = bare(), bare(2, hearts=True)
    entry = named(compare(one, other, family=1))["attempts"]
    together = sum(
        float(cell.errors() @ cell.errors()) for cell in (metrics(one)["attempts"], metrics(other)["attempts"])
    )
    assert entry.high - entry.change == pytest.approx(t.ppf(0.975, 63) * sqrt(together / 64 / 63))


@pytest.mark.parametrize("extra", [0, 100])
def test_interval_covers_when_common_deals_work_against_each_other(extra):
    """Seat 1 wins what seat 2 has won: the change varies twice as much as apart, paired or with some more deals."""
    rng, covered, times = np.random.default_rng(7), 0, 400
    for _ in range(times):
        wins = rng.integers(0, 2, 1000 + extra)
        entry = compare(made_up(wins[:1000]), made_up(1 - wins, rules=ONCE), family=1)[0]
        covered += covers(entry, 0)
    assert LEAST <= covered / times <= MOST


def test_cells_of_other_games_or_numbers_of_players_are_refused():
    three = Result(run(cell_of(PLAIN, 100, players=3)))
    with pytest.raises(UsageError, match="doigt with 4 players and doigt with 3 players"):
        compare(bare(), three)


# Few deals that speak


def few(before, after, paired, deals=2000, family=1):
    """The difference of two rates with so many wins each; paired, wins of `after` come in other deals."""
    shares = [np.zeros(deals, np.int64) for _ in range(2)]
    shares[0][:before], shares[1][before : before + after] = WHOLE, WHOLE
    return difference("tied", True, *(ratio_of(wins, unit=WHOLE) for wins in shares), paired, family)


@pytest.mark.parametrize("paired", [True, False])
def test_nothing_seen_bounds_a_difference_by_the_nth_root_of_half_alpha(paired):
    for family in (1, 5):
        bound = 1 - (0.025 / family) ** (1 / 2000)
        entry = few(0, 0, paired, family=family)
        assert (entry.low, entry.change, entry.high) == (pytest.approx(-bound), 0, pytest.approx(bound))


@pytest.mark.parametrize("paired", [True, False])
def test_few_wins_on_one_side_have_the_clopper_pearson_bound(paired):
    """Three in 2 000: .000309 to .004377; nothing on the other side: up to .001843."""
    entry = few(0, 3, paired)
    assert entry.change == 0.0015
    assert entry.high == pytest.approx(0.004377, abs=2e-6)
    assert entry.low == pytest.approx(0.0015 - sqrt((0.0015 - 0.000309) ** 2 + 0.001843**2), abs=2e-6)


def test_ten_wins_have_the_ordinary_interval():
    """Poisson by block, about: two standard errors of √10 / 2 000."""
    entry = few(0, 10, True)
    assert entry.high - entry.change == pytest.approx(entry.change - entry.low)
    assert entry.high - entry.change == pytest.approx(2 * sqrt(10) / 2000, rel=0.1)
    assert few(0, 9, True).high - 9 / 2000 > 9 / 2000 - few(0, 9, True).low


def test_few_losses_mirror_few_wins():
    wins = np.zeros(2000, np.int64)
    wins[:3] = WHOLE
    lost = difference(
        "tied", True, ratio_of(WHOLE - 0 * wins, unit=WHOLE), ratio_of(WHOLE - wins, unit=WHOLE), False, 1
    )
    won = few(0, 3, False)
    assert (lost.low, lost.high) == pytest.approx((-won.high, -won.low))


@pytest.mark.parametrize(("gained", "lost"), [(0.0005, 0), (0.001, 0.0005), (0.002, 0.002), (0.005, 0.004)])
def test_interval_covers_when_few_deals_change(gained, lost):
    """By blocks alone the first would cover 63 times in 100, for nothing is seen in the other runs."""
    rng, covered, times, deals = np.random.default_rng(11), 0, 2000, 1000
    base = ratio_of(np.full(deals, WHOLE // 2), unit=WHOLE)
    for _ in range(times):
        kinds = rng.choice([WHOLE // 2, WHOLE, 0], deals, p=[1 - 2 * gained - 2 * lost, 2 * gained, 2 * lost])
        entry = difference("seat 1", True, base, ratio_of(kinds, unit=WHOLE), True, 1)
        covered += covers(entry, gained - lost)
    assert covered / times >= 0.934


def test_one_deal_says_next_to_nothing():
    found = named(compare(bare(games=1), bare(games=1, hearts=True)))
    assert isnan(found["attempts"].low)
    assert found["attempts"].against(1) == "straddles"
    assert found["attempts"].gain == 1
    assert -1 <= found["seat 1"].low < -0.9
    assert 0.9 < found["seat 1"].high <= 1


def test_shares_change_by_no_more_than_one():
    entry = difference("seat 1", True, ratio_of([0, 1] * 7), ratio_of([1, 1] * 7), False, 10**6)
    assert (entry.low, entry.high) == (-1, 1)


def test_few_deals_are_counted_by_the_deal_where_all_seatings_are_played():
    """No card is given up in 400 games, four seatings of each of 100 deals: what 100 deals say."""
    line_up = "random,random,random,random+random"
    cells = [Result(run(make_cell("doigt", 4, 400, line_up, rules))) for rules in (PLAIN, HEARTS)]
    entry = named(compare(*cells, family=1))["cut_off"]
    assert (entry.low, entry.high) == pytest.approx((0.025 ** (1 / 100) - 1, 1 - 0.025 ** (1 / 100)))


# Families and verdicts


@pytest.mark.parametrize("family", [1, 4, 100])
def test_family_widens_every_interval_by_bonferroni(family):
    for entry, alone in zip(
        compare(bare(), bare(hearts=True), family), compare(bare(), bare(hearts=True), 1), strict=True
    ):
        if entry.what.startswith("seat") or entry.what == "attempts":
            widened = (entry.high - entry.low) / (alone.high - alone.low)
            assert widened == pytest.approx(t.ppf(1 - 0.025 / family, 63) / t.ppf(0.975, 63))


def test_family_is_the_list_unless_told_otherwise():
    found = compare(bare(), bare(hearts=True))
    assert found == compare(bare(), bare(hearts=True), len(found))
    assert quantile(64, len(found)) > quantile(64, 4)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.009, 0.009, "inside"),
        (-0.01, 0.01, "inside"),
        (0.002, 0.008, "inside"),
        (0.011, 0.02, "outside"),
        (-0.03, -0.0101, "outside"),
        (0.01, 0.02, "straddles"),
        (-0.02, -0.01, "straddles"),
        (0.005, 0.015, "straddles"),
        (-0.5, 0.5, "straddles"),
    ],
)
def test_verdict_is_where_the_interval_lies(low, high, verdict):
    entry = Difference("seat 1", True, 0.25, 0.25 + (low + high) / 2, low, high, 1.0)
    assert entry.against(0.01) == verdict
