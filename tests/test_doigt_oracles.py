"""Jeu du doigt against what can be worked out by hand: rules/doigt.md, "Oracles", and statistics.md, 6.2.

F: fingers on the card. Every comparison has a fixed seed and a bound in standard errors: four, unless it says more.
"""

from dataclasses import replace
from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import chi2, hypergeom

from simcore.api import make_cell
from simcore.cards import JACK, QUEEN
from simcore.compiler import jit
from simcore.contract import WHOLE, new, rule
from simcore.engine import run
from simcore.games.doigt import GAME
from simcore.games.doigt_rules import Rules
from simcore.result import Result
from simcore.rng import DEAL, SHUFFLER, game_key, open_shuffler, stream_key

PLAIN = {"heart_bonus": 0, "extra_bonus": 0, "steal": "off"}
PLAYERS = (2, 3, 4, 5)
FINGERS = {2: 4, 3: 3, 4: 4, 5: 5}
DECK = {2: 36, 3: 32, 4: 36, 5: 40}
PILE = {2: 34, 3: 29, 4: 32, 5: 35}
MILLION = 10**6

every_number_of_players = pytest.mark.parametrize("players", PLAYERS)


class Law(NamedTuple):
    """Exact expectations: cards won and win share by seat, and the rate of shared wins."""

    cards: tuple[float, ...]
    share: tuple[float, ...]
    tied: float


def first_success(players, success):
    """The chance that the j-th announcer from the first takes a card that is played until it is taken."""
    odds = np.array([success * (1 - success) ** turn for turn in range(players)])
    return odds / odds.sum()


@cache
def plain_law(players, pile, success):
    """Dynamic programming over the pile: one card a round, the seat after the winner announces first.

    ways[starter, a, b, …]: probability that seats 0, 1, … but the last hold a, b, … of the cards won so far.
    """
    odds = first_success(players, success)
    wins = np.array([[odds[(winner - starter) % players] for starter in range(players)] for winner in range(players)])
    others = players - 1
    ways = np.zeros((players, *[1] * others))
    ways[0] = 1
    for _ in range(pile):
        side = ways.shape[1] + 1
        won = np.tensordot(wins, ways, 1)
        ways = np.zeros((players, *[side] * others))
        for winner in range(players):
            place = [slice(0, side - 1)] * others
            if winner < others:
                place[winner] = slice(1, side)
            ways[(winner + 1) % players][tuple(place)] = won[winner]
    return _law(ways.sum(axis=0), players, pile)


def _law(ways, players, pile):
    held = np.nonzero(ways)
    chance = ways[held]
    cards = np.array([*held, pile - np.sum(held, axis=0)])
    best = cards == cards.max(axis=0)
    shares = best / best.sum(axis=0) @ chance
    return Law(tuple(cards @ chance), tuple(shares), float(chance @ (best.sum(axis=0) > 1)))


@cache
def played(players, strategies="random", games=MILLION, rotate=True, seed=1, **rules):
    """The result of a run."""
    return Result(run(make_cell("doigt", players, games, strategies, rules, seed, rotate)))


def assert_mean(estimate, expected, rounding=0.0):
    """Within four standard errors, with room for an expectation that was rounded."""
    error = (estimate.high - estimate.low) / 2 / 1.96
    assert error > 0
    assert abs(estimate.estimate - expected) <= 4 * error + rounding


def assert_rate(hits, trials, p):
    """A binomial count within four standard errors of an exact probability."""
    assert abs(hits - trials * p) <= 4 * sqrt(trials * p * (1 - p))


def total(result, column):
    return result.tally.total(column)[0]


# The dynamic programme itself, against the numbers printed in statistics.md 6.2 (6)


def test_law_of_two_players_is_the_printed_one():
    law = plain_law(2, 34, 1 / 3)
    assert law.cards == pytest.approx((17.083333, 16.916667), abs=1e-6)
    assert law.share == pytest.approx((0.513767, 0.486233), abs=1e-6)
    assert law.tied == pytest.approx(0.166257, abs=1e-6)


def test_law_of_five_players_is_the_printed_one():
    law = plain_law(5, 10, 1 / 5)
    assert law.cards == pytest.approx((2.08, 2.04, 2.00, 1.96, 1.92), abs=1e-4)
    assert sum(law.cards) == pytest.approx(10)
    assert law.share == pytest.approx((0.220104, 0.209778, 0.199732, 0.189954, 0.180432), abs=1e-6)
    assert law.tied == pytest.approx(0.344136, abs=1e-6)


# 1, 2: the deck


def sheet(players, **rules):
    """What a kernel is told of the rules."""
    record = new(GAME.table(players, Rules(**rules))).rules
    GAME.prepare(record, players, Rules(**rules))
    return record


@every_number_of_players
def test_deck_has_the_size_of_the_rule_sheet_and_eight_jacks_and_queens(players):
    rules = sheet(players)
    deck = rules.deck[: rules.deck_size]
    assert rules.deck_size == len(set(deck)) == DECK[players]
    assert sum(card >> 2 in (JACK, QUEEN) for card in deck) == 8
    assert rules.fingers == FINGERS[players]


@every_number_of_players
def test_every_number_answers_to_exactly_eight_cards(players):
    rules = sheet(players)
    for call in range(FINGERS[players] + 1):
        assert sum(rules.answers[card] >> call & 1 for card in rules.deck[: rules.deck_size]) == 8
        assert sum(rules.robbed_by[card] >> call & 1 for card in rules.deck[: rules.deck_size]) == 8


@every_number_of_players
def test_every_card_belongs_to_somebody_at_the_end(players):
    seen = []
    cell = make_cell("doigt", players, 20_000, "random")
    run(cell, rows=lambda first, rows: seen.append(rows[:, players : 2 * players].sum(axis=1)))
    assert set(np.concatenate(seen)) == {DECK[players]}


# 3: the number is called uniformly, so the fingers do not matter


@every_number_of_players
def test_uniform_call_succeeds_once_in_as_many_as_there_are_numbers(players):
    """One announcement a card, so that announcements are independent trials: their number is fixed."""
    result = played(players, games=100_000, max_attempts=1, **PLAIN)
    attempts = total(result, "attempts")
    assert attempts == 100_000 * PILE[players]
    assert_rate(total(result, "rounds"), attempts, 1 / (FINGERS[players] + 1))


@every_number_of_players
def test_announcements_a_round_are_geometric(players):
    """A game is a sum of as many geometric numbers as the pile has cards; mean F + 1, variance F (F + 1)."""
    attempts = played(players, **PLAIN).metric_estimates["attempts"]
    fingers, cards = FINGERS[players], PILE[players]
    assert_mean(attempts, (fingers + 1) * cards)
    variance = fingers * (fingers + 1) * cards
    excess = (6 + 1 / (fingers * (fingers + 1))) / cards
    assert attempts.sd**2 == pytest.approx(variance, abs=4 * variance * sqrt((2 + excess) / MILLION))


# 6, 9: the first round alone


@rule
def is_first_round_over(table):
    """Whether a card was won."""
    return table.rounds == 1


ONE_ROUND = replace(GAME, is_over=is_first_round_over)
SHORT_GAMES = 400_000


@cache
def first_round(players):
    """Games that stop when the first card is won; a score is 1 and the cards won in this round."""
    return Result(run(replace(make_cell("doigt", players, SHORT_GAMES, "random"), game=ONE_ROUND)))


@every_number_of_players
def test_first_card_goes_round_the_table_with_falling_odds(players):
    """Who holds most cards after the first round is who won it: s (1 - s)^j / (1 - (1 - s)^n)."""
    result, odds = first_round(players), first_success(players, 1 / (FINGERS[players] + 1))
    assert total(result, "tied") == 0
    for seat in range(players):
        assert_rate(total(result, f"share_seat_{seat}") // WHOLE, SHORT_GAMES, odds[seat])


def test_first_card_odds_are_the_printed_fractions():
    assert first_success(2, 1 / 5) == pytest.approx([5 / 9, 4 / 9])
    assert first_success(3, 1 / 4) == pytest.approx([16 / 37, 12 / 37, 9 / 37])
    assert first_success(4, 1 / 5) == pytest.approx([125 / 369, 100 / 369, 80 / 369, 64 / 369])
    assert first_success(5, 1 / 6) == pytest.approx([w / 4651 for w in (1296, 1080, 900, 750, 625)])


@every_number_of_players
def test_thefts_on_a_jack_or_queen_meet_every_top_card_with_the_printed_odds(players):
    """A jack or queen comes first with probability 8 / (D - n); then each opponent's top answers in 8 / (D - 8)."""
    thefts = {2: 2 / 7, 3: 2 / 3, 4: 6 / 7, 5: 1}[players]
    assert (players - 1) * 8 / (DECK[players] - 8) == pytest.approx(thefts)
    assert_mean(first_round(players).metric_estimates["thefts"], thefts * 8 / PILE[players])


@every_number_of_players
def test_first_extra_card_is_won_by_the_eight_cards_that_are_not_on_top(players):
    """Eight cards answer to the number; n of the D - 8 that can answer lie face up."""
    expected = 8 * (1 - players / (DECK[players] - 8)) / PILE[players]
    assert_rate(total(first_round(players), "extras"), SHORT_GAMES, expected)


@every_number_of_players
def test_first_heart_brings_a_second_card_in_a_quarter_of_the_games(players):
    """All scores together: the tops, the centre, the extra card and the face-down card; thefts cancel out."""
    result = first_round(players)
    scores = sum(total(result, f"score_seat_{seat}") for seat in range(players))
    assert_rate(scores - SHORT_GAMES * (players + 1) - total(result, "extras"), SHORT_GAMES, 1 / 4)


# 7: the deal


@jit
def count_deals(deal, table, hidden, shuffler, key, games, centres, tops):
    for game in range(games):
        open_shuffler(shuffler, game_key(key, game))
        deal(table, hidden, shuffler)
        centres[table.centre] += 1
        for seat in range(len(table.seat)):
            tops[seat, table.seat[seat].top] += 1


@cache
def dealt(players, games=300_000):
    """How often each card was the first centre card, and each seat's top card."""
    rules = Rules()
    record = new(GAME.table(players, rules))
    GAME.prepare(record.rules, players, rules)
    centres, tops = np.zeros(64, np.int64), np.zeros((players, 64), np.int64)
    key = np.uint64(stream_key(7, DEAL))
    count_deals(jit(GAME.deal), record, new(GAME.hidden(players)), new(SHUFFLER), key, games, centres, tops)
    deck = record.rules.deck[: record.rules.deck_size]
    return centres, tops, deck[:-8], deck[-8:]


@every_number_of_players
def test_first_centre_card_is_a_jack_or_queen_in_8_of_the_cards_left(players):
    centres, _, _, courts = dealt(players)
    assert 8 / PILE[players] == pytest.approx({2: 4 / 17, 3: 8 / 29, 4: 1 / 4, 5: 8 / 35}[players])
    assert_rate(centres[courts].sum(), centres.sum(), 8 / PILE[players])


@every_number_of_players
def test_first_centre_card_is_a_heart_in_a_quarter_of_the_deals(players):
    centres = dealt(players)[0]
    assert_rate(centres[0::4].sum(), centres.sum(), 1 / 4)


@every_number_of_players
def test_cards_of_a_kind_are_equally_often_first_in_the_centre(players):
    """Chi-square over the whole deck, between the .0001 and the .9999 quantile."""
    centres, _, plain_cards, courts = dealt(players)
    court = 1 / PILE[players]
    other = (1 - 8 * court) / len(plain_cards)
    assert centres.sum() == centres[plain_cards].sum() + centres[courts].sum()
    statistic = chi_square(centres[courts], centres.sum() * court)
    statistic += chi_square(centres[plain_cards], centres.sum() * other)
    assert 1e-4 < chi2.sf(statistic, DECK[players] - 1) < 1 - 1e-4


@every_number_of_players
def test_every_seat_shows_every_card_but_jacks_and_queens_equally_often(players):
    _, tops, plain_cards, courts = dealt(players)
    assert tops[:, courts].sum() == 0
    for row in tops:
        statistic = chi_square(row[plain_cards], row.sum() / len(plain_cards))
        assert 1e-4 < chi2.sf(statistic, len(plain_cards) - 1) < 1 - 1e-4


def chi_square(counts, expected):
    return float(((counts - expected) ** 2 / expected).sum())


# 10: the bare game


@every_number_of_players
def test_bare_game_has_one_round_a_card(players):
    result = played(players, **PLAIN)
    rounds = result.metric_estimates["rounds"]
    assert (rounds.estimate, rounds.sd) == (PILE[players], 0)
    assert total(result, "thefts") == total(result, "extras") == total(result, "cut_off") == 0


@every_number_of_players
def test_bare_game_takes_the_printed_number_of_announcements(players):
    expected = {2: 170, 3: 116, 4: 160, 5: 210}[players]
    assert_mean(played(players, **PLAIN).metric_estimates["attempts"], expected)


@every_number_of_players
def test_bare_game_gives_each_seat_the_cards_of_the_dynamic_programme(players):
    law = plain_law(players, PILE[players], 1 / (FINGERS[players] + 1))
    for seat, line in enumerate(played(players, **PLAIN).seat_lines):
        assert_mean(line.score, 1 + law.cards[seat])


@every_number_of_players
def test_cards_won_fall_by_s_over_n_from_seat_to_seat(players):
    """(D - n)/n + (s/n) ((n - 1)/2 - i)."""
    s, cards = 1 / (FINGERS[players] + 1), PILE[players]
    expected = [cards / players + s / players * ((players - 1) / 2 - seat) for seat in range(players)]
    assert plain_law(players, cards, s).cards == pytest.approx(expected, abs=1e-6)


@every_number_of_players
def test_bare_game_has_the_win_shares_of_the_dynamic_programme(players):
    law = plain_law(players, PILE[players], 1 / (FINGERS[players] + 1))
    result = played(players, **PLAIN)
    for seat, line in enumerate(result.seat_lines):
        assert_mean(line.win_share, law.share[seat])
    assert_rate(total(result, "tied"), MILLION, law.tied)


# 11: rounds, with hearts and without extra cards


@cache
def rounds_left(cards, hearts):
    """Expected rounds with this many cards in the pile, of which so many hearts; a heart takes a second card along."""
    if cards <= 1:
        return float(cards)
    other = (cards - hearts) / cards * rounds_left(cards - 1, hearts) if cards > hearts else 0
    if hearts == 0:
        return 1 + other
    twice = (hearts - 1) / (cards - 1)
    rest = (twice * rounds_left(cards - 2, hearts - 2) if hearts > 1 else 0) + (
        (1 - twice) * rounds_left(cards - 2, hearts - 1) if cards > hearts else 0
    )
    return 1 + other + hearts / cards * rest


def rounds_with_hearts(players):
    """Some hearts lie face up before the players: n cards drawn from D - 8, of which a quarter are hearts."""
    plain_cards = DECK[players] - 8
    shown = hypergeom(plain_cards, plain_cards // 4, players)
    return sum(
        shown.pmf(count) * rounds_left(PILE[players], DECK[players] // 4 - count) for count in range(players + 1)
    )


PRINTED_ROUNDS = {2: 27.26939, 3: 23.27306, 4: 25.67468, 5: 28.07597}


@every_number_of_players
def test_rounds_with_hearts_are_the_printed_ones(players):
    assert rounds_with_hearts(players) == pytest.approx(PRINTED_ROUNDS[players], abs=1e-5)


@every_number_of_players
def test_rounds_with_hearts_do_not_depend_on_thefts(players):
    """Thefts on, as on the rule sheet; extra cards off."""
    rounds = played(players, games=200_000, extra_bonus=0).metric_estimates["rounds"]
    assert_mean(rounds, rounds_with_hearts(players))


# An independent implementation, and symmetry


@pytest.mark.parametrize(
    ("metric", "expected", "rounding"),
    [
        ("attempts", 110.13, 0.005),
        ("rounds", 22.032, 0.0005),
        ("thefts", 3.966, 0.0005),
        ("extras", 4.554, 0.0005),
        ("tied", 0.110, 0.0005),
    ],
)
def test_game_of_four_agrees_with_another_implementation(metric, expected, rounding):
    """Ten million games of it, hence a tenth more than four of our standard errors, and its last digit."""
    estimate = played(4).metric_estimates[metric]
    assert_mean(estimate, expected, rounding + 0.1 * 2 * (estimate.high - estimate.low) / 1.96)


TWO_NAMES = "random,random+random,random,random+random"


def test_one_strategy_under_two_names_is_exactly_even_in_rotation():
    """Choices are bound to the seat, so the four seatings of a deal are one game and the names share it equally."""
    result = played(4, TWO_NAMES, games=40_000)
    assert [line.strategy for line in result.strategy_lines] == ["random", "random+random"]
    for line in result.strategy_lines:
        assert (line.win_share.method, line.win_share.low, line.win_share.high) == ("exact", 1 / 4, 1 / 4)
        assert line.score.estimate == line.score.low == line.score.high == 9


def test_names_do_not_change_what_a_seat_wins():
    """Rotated or not, a seat with another name plays the same games."""
    alike, named = played(4, games=10_000), played(4, TWO_NAMES, games=10_000, rotate=False)
    rotated = played(4, TWO_NAMES, games=40_000)
    for seat in range(4):
        for column in (f"share_seat_{seat}", f"score_seat_{seat}"):
            assert total(alike, column) == total(named, column)
            assert 4 * total(alike, column) == total(rotated, column)


# 4, 5, 12, 13: announcers against coins and against minimax defenders, on cards that are all worth one

ANNOUNCERS = {2: ("consistent", "mode"), 3: ("consistent", "mode", "ev"), 4: ("consistent", "mode", "ev", "random")}
ANNOUNCERS[5] = (*ANNOUNCERS[4], "random")
VALUE = {2: 1 / 3, 3: 4 / 9, 4: 3 / 8, 5: 216 / 625}
CONSISTENT = {2: 1 / 3, 3: 1 / 3, 4: 1 / 4, 5: 1 / 5}
MODE = {2: 1 / 2, 3: 1 / 2, 4: 3 / 8, 5: 3 / 8}


def announced(players, defender):
    """By announcer: successes an announcement, with its standard error.

    One announcement a card and nothing but the card to win; in rotation everybody announces equally often.
    """
    line_up = ",".join(f"{name}+{defender}" for name in ANNOUNCERS[players])
    result = played(players, line_up, games=100_000, max_attempts=1, **PLAIN)
    each = PILE[players] / players
    scores = {line.strategy.split("+")[0]: line.score for line in result.strategy_lines}
    return {name: ((e.estimate - 1) / each, (e.high - e.low) / 2 / 1.96 / each) for name, e in scores.items()}


def assert_success(found, expected):
    success, error = found
    assert error > 0
    assert abs(success - expected) <= 4 * error


@every_number_of_players
@pytest.mark.parametrize("defender", ["coin", "minimax"])
def test_consistent_caller_succeeds_equally_often_whatever_the_fingers(players, defender):
    assert_success(announced(players, defender)["consistent"], CONSISTENT[players])


@every_number_of_players
def test_mode_caller_succeeds_against_coins_as_printed(players):
    assert_success(announced(players, "coin")["mode"], MODE[players])


@pytest.mark.parametrize("players", [3, 4, 5])
def test_ev_caller_is_a_mode_caller_when_every_card_is_worth_one(players):
    assert_success(announced(players, "coin")["ev"], MODE[players])


@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize("defender", ["coin", "minimax"])
def test_random_caller_succeeds_equally_often_whatever_the_fingers(players, defender):
    assert_success(announced(players, defender)["random"], 1 / (FINGERS[players] + 1))


@every_number_of_players
def test_nobody_beats_minimax_defenders_by_more_than_the_value_of_the_game(players):
    for success, error in announced(players, "minimax").values():
        assert success <= VALUE[players] + 4 * error


@every_number_of_players
def test_mode_caller_gets_the_value_of_the_game_from_minimax_defenders(players):
    """The middle total is one of the announcer's best answers at every number of players."""
    assert_success(announced(players, "minimax")["mode"], VALUE[players])
