"""Nain jaune against what can be worked out by hand: rules/nain-jaune.md, "Oracles", by their numbers.

H: cards of a hand, T: cards of the talon. Exact chances are fractions. Every sample has a fixed seed and a
bound of four and a half standard errors.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import comb, factorial, sqrt

import numpy as np
import pytest
from table_nain_jaune import reckon

from simcore.api import make_cell
from simcore.bits import lowest, size
from simcore.compiler import jit
from simcore.contract import NONE, WHOLE, new, record, rule, strategy
from simcore.engine import run
from simcore.games.nain_jaune import GAME, PLAY, lowest_rank, of_rank, start_deal
from simcore.games.nain_jaune_rules import STANDARD, Rules
from simcore.games.nain_jaune_score import finish
from simcore.games.nain_jaune_table import (
    BOARD,
    DEAL,
    HAND,
    MARKED,
    NAMES,
    OPERA,
    OUT,
    PAID,
    PLAYED,
    STOPPED,
)
from simcore.lineup import Entry
from simcore.replay import replay
from simcore.rng import DEAL as DEAL_STREAM
from simcore.rng import SHUFFLER, game_key, open_shuffler, stream_key

SEED = 11
DEALS = 120_000
DECK = (1 << 52) - 1
KING = 12
HAND_SIZE = dict(zip(range(2, 9), STANDARD, strict=True))
TALON = {players: 52 - players * cards for players, cards in HAND_SIZE.items()}
STAKES = (1, 2, 3, 4, 5)
NO_STAKES = {"stakes": "0,0,0,0,0"}

every_number_of_players = pytest.mark.parametrize("players", range(2, 9))
from_three_to_eight = pytest.mark.parametrize("players", range(3, 9))


def assert_mean(values, expected):
    """The mean of independent values within four and a half standard errors of its expectation."""
    error = np.std(values, ddof=1) / sqrt(len(values))
    assert error > 0
    assert abs(np.mean(values) - expected) <= 4.5 * error


def assert_rate(hits, trials, p):
    """A binomial count within four and a half standard errors of an exact probability."""
    assert abs(hits - trials * p) <= 4.5 * sqrt(trials * p * (1 - p))


# ---------------------------------------------------------------- what is played, and what is dealt


@strategy("nain-jaune", answers=(PLAY,))
def lowest_lead(point, table, seat, hand, params, stream):
    """Leads its lowest rank; plays the marked card of a rank first, else the one with the lowest number."""
    cards = of_rank(hand.legal, lowest_rank(hand.legal))
    return lowest(cards & MARKED if cards & MARKED else cards)


LOWEST = Entry("lowest_lead", (lowest_lead.strategy,), ((lowest_lead.strategy, ()),))


def cell_of(players, games, strategies="random", seed=SEED, **rules):
    """A cell; "lowest_lead" is the strategy above."""
    if strategies != "lowest_lead":
        return make_cell("nain-jaune", players, games, strategies, rules, seed)
    return replace(make_cell("nain-jaune", players, games, "random", rules, seed), line_up=(LOWEST,) * players)


def columns_of(cell, *names):
    """The columns of these names of a run's rows, one number a game."""
    places = [f"share_{seat}" for seat in range(cell.players)] + [f"score_{seat}" for seat in range(cell.players)]
    places += list(cell.game.counted(cell.players))
    wanted, kept = [places.index(name) for name in names], []
    run(cell, rows=lambda first, rows: kept.append(rows[:, wanted].copy()))
    return np.concatenate(kept).T


def seats(kind, players):
    """The columns of all seats: share_0, share_1, …"""
    return [f"{kind}_{seat}" for seat in range(players)]


@cache
def replayed(players, strategies="random", games=30, **rules):
    """Games with all that happened in them."""
    cell = cell_of(players, games, strategies, **rules)
    return [replay(cell, number) for number in range(games)]


def deals_of(game):
    """The events of a game, deal by deal."""
    starts = [place for place, (kind, _, _) in enumerate(game.events) if kind == DEAL]
    return [game.events[first:last] for first, last in pairwise([*starts, len(game.events)])]


def told(events, kind):
    """Seat and value of every event of a kind, in order."""
    return [(seat, value) for known, seat, value in events if known == kind]


@jit
def deal_often(deal, start, table, hidden, shuffler, key, hands, talons):
    for number in range(len(hands)):
        open_shuffler(shuffler, game_key(key, number))
        deal(table, hidden, shuffler)
        start(table, hidden)
        for seat in range(len(table.seat)):
            hands[number, seat] = hidden.hand[seat].cards
        talons[number] = hidden.talon


@cache
def compiled():
    return jit(GAME.deal), jit(start_deal)


@cache
def dealt(players):
    """The hands (deals, players) and talons of the first deals of all games of this seed."""
    table, rules = new(GAME.table(players, Rules())), Rules()
    GAME.prepare(table.rules, players, rules)
    hands, talons = np.zeros((DEALS, players), np.int64), np.zeros(DEALS, np.int64)
    key = np.uint64(stream_key(SEED, DEAL_STREAM))
    deal_often(*compiled(), table, new(GAME.hidden(players)), new(SHUFFLER), key, hands, talons)
    return hands, talons


def cards_in(sets):
    """How many cards each of these sets has."""
    return np.bitwise_count(sets).astype(np.int64)


def rank_counts(hands):
    """How many cards of each rank: (13, …)."""
    return np.stack([cards_in(hands >> 4 * rank & 15) for rank in range(13)])


def points(card):
    """Ace 1, 2 to 10 as printed, jack, queen and king 10."""
    return min((card >> 2) + 1, 10)


def points_of(cards):
    return sum(points(card) for card in range(52) if cards >> card & 1)


def all_points(hands):
    """The points of each of these hands."""
    return sum(min(rank + 1, 10) * count for rank, count in enumerate(rank_counts(hands)))


# ---------------------------------------------------------------- 1: cards and chips


@every_number_of_players
def test_1_hands_and_talon_are_the_deck(players):
    hands, talons = dealt(players)
    assert players * HAND_SIZE[players] + TALON[players] == 52
    assert (cards_in(hands) == HAND_SIZE[players]).all() and (cards_in(talons) == TALON[players]).all()
    assert (np.bitwise_or.reduce(hands, axis=1) | talons == DECK).all()


@every_number_of_players
def test_1_every_card_is_dealt_to_every_seat_equally_often(players):
    hands, talons = dealt(players)
    for sets, cards in [(talons, TALON[players]), *((hand, HAND_SIZE[players]) for hand in hands.T)]:
        for card in range(52):
            assert_rate((sets >> card & 1).sum(), DEALS, cards / 52)


# rules under which chips move in every way that there is
CHIPS = [
    {},
    {"holding_penalty": "base_stake"},
    {"holding_penalty": "pay_winner", "opera_penalty": "before_sweep"},
    {"holding_penalty": "none", "leftover": "split"},
    {"pot_cap": 2, "leftover": "last_winner"},
    {"carry_over": "refund", "leftover": "split"},
    {"carry_over": "to_winner", "stake_by": "dealer"},
    {"carry_over": "refund", "stake_by": "dealer", "first_player": "dealer"},
    {"opera": "first_possession", "opera_payment": "double_points", "deal_table": "4"},
    {"opera_five": "true", "opera_penalty": "before_sweep", "opera": "none", "opera_payment": "per_card"},
    {"forget_prob": 40, "dealer": "loser"},
    {"stakes": "7,0,1000,3,3", "stake_mult": 3, "dealer": "winner"},
    {"compulsory": "false", "stop_rule": "skip_rank", "hand_payment": "points_11_12_13"},
    {"wrap": "true", "hand_payment": "per_card"},
    {"start_chips": 60},
    {"start_chips": 60, "insolvency": "credit", "holding_penalty": "pay_winner"},
    {"start_chips": 60, "insolvency": "eliminate", "leftover": "split", "carry_over": "refund"},
    {"start_chips": 60, "insolvency": "eliminate", "stake_by": "dealer", "pot_cap": 3},
]


@pytest.mark.parametrize("rules", CHIPS, ids=str)
def test_1_chips_won_and_chips_on_the_board_add_up_to_nothing_in_every_game(rules):
    """A thousand games of each length, with the scores and pots that a run counts."""
    for players, deals in ((3, 9), (4, 1), (8, 3)):
        deals = 9 if "dealer" in rules or "start_chips" in rules else deals
        cell = cell_of(players, 1000, deals=deals, **rules)
        *scores, left, length = columns_of(cell, *seats("score", players), "pots_left", "deals")
        assert (sum(scores) + left == 0).all()
        assert (length == deals).all() or ("start_chips" in rules and length.max() > 1)


@pytest.mark.parametrize("rules", CHIPS, ids=str)
def test_1_chips_are_conserved_at_all_times(rules):
    """Every payment as it was told; at the end they are the scores and the pots of the game."""
    multiple = rules.get("stake_mult", 1)
    stakes = [multiple * int(stake) for stake in rules.get("stakes", "1,2,3,4,5").split(",")]
    for game in replayed(3, deals=9, **rules):
        for _, pots, chips in reckon(game.events, 3, stakes):
            assert sum(chips) + sum(pots) == 0 and min(pots) >= 0
        assert chips == list(game.outcome.score) and sum(pots) == game.outcome.pots_left


@every_number_of_players
def test_1_every_deal_brings_15_chips_of_each_player_to_the_board(players):
    """What lies on the board grows by them alone, penalties and what was taken apart."""
    names = [f"pots_{name}" for name in NAMES]
    for pot, stake in zip(columns_of(cell_of(players, 200), *names), STAKES, strict=True):
        assert (pot == stake * players).all()
    for game in replayed(players, games=6, deals=3):
        for deal in deals_of(game):
            first = next(place for place, (kind, _, _) in enumerate(deal) if kind == HAND)
            *_, (_, pots, chips) = reckon(deal[:first], players, STAKES)
            assert pots == [stake * players for stake in STAKES] and chips == [-15] * players


@every_number_of_players
def test_1_cards_played_in_hands_and_in_the_talon_are_52_at_all_times(players):
    for game in replayed(players, games=10, deals=3):
        for deal in deals_of(game):
            hands, played = dict(told(deal, HAND)), 0
            talon = DECK ^ sum(hands.values())
            for seat, card in told(deal, PLAYED):
                assert hands[seat] >> card & 1
                hands[seat], played = hands[seat] ^ 1 << card, played | 1 << card
                assert sum(map(int.bit_count, [*hands.values(), played, talon])) == 52
            ((winner, _),) = told(deal, OUT)
            assert [seat for seat, cards in hands.items() if not cards] == [winner]


# ---------------------------------------------------------------- 2: points

PRINTED_POINTS = {3: 98.077, 4: 78.462, 5: 58.846, 6: 52.308, 7: 45.769, 8: 39.231}


def test_2_there_are_340_points_in_the_deck():
    assert points_of(DECK) == 340
    record = new(GAME.table(3, Rules())).rules
    GAME.prepare(record, 3, Rules())
    cost = [sum((int(record.weight[bit]) >> card & 1) << bit for bit in range(4)) for card in range(52)]
    assert cost == [points(card) for card in range(52)]


@every_number_of_players
def test_2_a_hand_has_340_h_in_52_points_and_the_talon_340_t_in_52(players):
    hands, talons = dealt(players)
    mean = Fraction(340 * HAND_SIZE[players], 52)
    assert players == 2 or float(mean) == pytest.approx(PRINTED_POINTS[players], abs=5e-4)
    for hand in hands.T:
        assert_mean(all_points(hand), float(mean))
    assert_mean(all_points(talons), 340 * TALON[players] / 52)


@every_number_of_players
@pytest.mark.parametrize("strategies", ["random", "lowest_lead"])
def test_2_payments_are_340_without_the_talon_and_the_cards_played(players, strategies):
    for game in replayed(players, strategies, 10, deals=3):
        for deal in deals_of(game):
            talon = DECK ^ sum(hand for _, hand in told(deal, HAND))
            played = sum(1 << card for _, card in told(deal, PLAYED))
            assert sum(chips for _, chips in told(deal, PAID)) == 340 - points_of(talon) - points_of(played)


@pytest.mark.parametrize("players", [3, 4, 8])
def test_2_payments_of_a_run_are_those_of_its_replays(players):
    (paid,) = columns_of(cell_of(players, 30), "from_hands")
    assert paid.tolist() == [sum(chips for _, chips in told(game.events, PAID)) for game in replayed(players)]


# ---------------------------------------------------------------- 3: marked cards

PRINTED_TALON = {3: Fraction(7, 52), 4: Fraction(1, 13), 5: Fraction(7, 52), 6: Fraction(1, 13), 7: Fraction(3, 52)}
PRINTED_TALON[8] = Fraction(1, 13)
PRINTED_ALL_DEALT = {3: 0.470095, 5: 0.470095, 4: 0.658842, 6: 0.658842, 8: 0.658842, 7: 0.733710}
PRINTED_ALL_IN_ONE = {3: 1.155e-3, 4: 3.047e-4, 5: 4.848e-5, 6: 2.155e-5, 7: 8.08e-6, 8: 2.31e-6}


def all_dealt(players):
    """The chance that no marked card is in the talon."""
    return Fraction(comb(47, TALON[players]), comb(52, TALON[players]))


def all_in_one_hand(players):
    """The chance that a given player holds all five marked cards."""
    return Fraction(comb(47, HAND_SIZE[players] - 5), comb(52, HAND_SIZE[players]))


@from_three_to_eight
def test_3_the_chances_are_the_printed_ones(players):
    assert Fraction(TALON[players], 52) == PRINTED_TALON[players]
    assert float(all_dealt(players)) == pytest.approx(PRINTED_ALL_DEALT[players], abs=5e-7)
    assert float(all_in_one_hand(players)) == pytest.approx(PRINTED_ALL_IN_ONE[players], rel=2.5e-3)


@every_number_of_players
def test_3_marked_cards_are_dealt_with_these_chances(players):
    hands, talons = dealt(players)
    for card in BOARD:
        assert_rate((talons >> card & 1).sum(), DEALS, TALON[players] / 52)
        for hand in hands.T:
            assert_rate((hand >> card & 1).sum(), DEALS, HAND_SIZE[players] / 52)
    assert_mean(cards_in(talons & MARKED), 5 * TALON[players] / 52)
    assert_rate((talons & MARKED == 0).sum(), DEALS, float(all_dealt(players)))
    assert_rate((hands & MARKED == MARKED).any(axis=1).sum(), DEALS, players * float(all_in_one_hand(players)))


@pytest.mark.parametrize("players", [3, 4, 8])
def test_3_a_pot_is_left_exactly_when_its_card_is_in_the_talon(players):
    cell = cell_of(players, DEALS, opera="none")
    for card, left in zip(BOARD, columns_of(cell, *(f"left_{name}" for name in NAMES)), strict=True):
        assert (left == dealt(players)[1] >> card & 1).all()


@pytest.mark.parametrize("players", [3, 4])
def test_3_a_grand_opera_of_five_is_as_rare_as_the_hand(players):
    found = run(cell_of(players, 1_000_000, opera="none", opera_five="true")).tally.total("opera")[0]
    assert_rate(found, 1_000_000, players * float(all_in_one_hand(players)))


@pytest.mark.parametrize("players", [3, 4])
def test_3_n17_as_many_marked_cards_are_forgotten_as_forget_prob_says(players):
    """Each card is played, or in a hand at the end, or in the talon: 7 in 10 of those played are taken."""
    cell = cell_of(players, 500_000, opera="none", forget_prob=30)
    kinds = ("taken", "doubled", "left")
    columns = columns_of(cell, *(f"{kind}_{name}" for kind in kinds for name in NAMES)).reshape(3, 5, -1)
    assert (columns.sum(axis=0) == 1).all()
    for taken, doubled, _ in columns.swapaxes(0, 1):
        assert_mean(taken / 0.7 + doubled, 1 - TALON[players] / 52)


# ---------------------------------------------------------------- 4, 5: the opening run

LACKS = {
    3: (Fraction(111, 455), 0.243956),
    4: (Fraction(1406, 4165), 0.337575),
    5: (Fraction(3526, 7735), 0.455850),
    6: (Fraction(19393, 38675), 0.501435),
    7: (Fraction(4257, 7735), 0.550356),
    8: (Fraction(32637, 54145), 0.602770),
}
RUN_LENGTH = {3: 3.614783, 4: 2.703807, 5: 2.058517, 6: 1.886968, 7: 1.732837, 8: 1.593992}


def lacks_a_rank(cards):
    """The chance that a hand of so many cards has none of a given rank."""
    return Fraction(comb(48, cards), comb(52, cards))


@cache
def run_law(cards):
    """The chance of each length of the run from the lowest rank of a hand up, by inclusion and exclusion."""
    law = Counter()
    for start in range(13):
        at_least = [runs_from(start, length, cards) for length in range(14 - start)] + [0]
        for length in range(1, 14 - start):
            law[length] += Fraction(at_least[length] - at_least[length + 1], comb(52, cards))
    return law


def runs_from(start, length, cards):
    """Hands without the ranks below `start` that have it and the next ones, so many ranks in all."""
    free = 52 - 4 * start
    return sum((-1) ** gone * comb(length, gone) * comb(free - 4 * gone, cards) for gone in range(length + 1))


def lowest_runs(hands):
    """The length of the run from the lowest rank of each hand up."""
    held = rank_counts(hands) > 0
    length, ended = np.zeros(len(hands), np.int64), np.zeros(len(hands), bool)
    for has in held:
        ended |= (length > 0) & ~has
        length += has & ~ended
    return length


@from_three_to_eight
def test_4_a_hand_lacks_a_rank_with_the_printed_chance(players):
    f, printed = LACKS[players]
    assert lacks_a_rank(HAND_SIZE[players]) == f and float(f) == pytest.approx(printed, abs=5e-7)
    for hand in dealt(players)[0].T:
        for count in rank_counts(hand):
            assert_rate((count == 0).sum(), DEALS, float(f))
        assert_rate((hand >> 4 * KING != 0).sum(), DEALS, float(1 - f))


@every_number_of_players
def test_4_identity_the_lowest_run_is_as_often_a_single_rank_as_a_hand_lacks_a_given_rank(players):
    assert run_law(HAND_SIZE[players])[1] == lacks_a_rank(HAND_SIZE[players])
    assert sum(run_law(HAND_SIZE[players]).values()) == 1


@from_three_to_eight
def test_5_the_lowest_run_has_the_printed_mean(players):
    law = run_law(HAND_SIZE[players])
    mean = float(sum(length * chance for length, chance in law.items()))
    assert mean == pytest.approx(RUN_LENGTH[players], abs=1.1e-6)
    found = lowest_runs(dealt(players)[0][:, 0])
    assert_mean(found, mean)
    for length, chance in law.items():
        assert_rate((found == length).sum(), DEALS, float(chance))


def watched_table(players, rules):
    plain = GAME.table(players, rules)
    return record(*((name, plain[name]) for name in plain.names), "opening")


def watched_turns(choose, remembers):
    """The same turn; notes after how many cards somebody else is to play, or a card is led again."""

    @rule
    def watch(point, table, seat, hand, seats):
        if table.played == 0:
            table.opening = 0
        elif table.opening == 0 and (seat != table.first or table.follows == NONE):
            table.opening = size(table.played)
        return choose(point, table, seat, hand, seats)

    return GAME.turns(watch, remembers)


@rule
def watched_finish(table, hidden, outcome):
    """The number of cards of the opening run, in place of those played."""
    finish(table, hidden, outcome)
    outcome.plays = table.opening if table.opening else size(table.played)


WATCHED = replace(GAME, table=watched_table, turns=watched_turns, finish=watched_finish)


@pytest.mark.parametrize("players", [3, 8])
def test_4_5_opening_runs_of_games_are_the_lowest_runs_of_the_hands(players):
    """Game by game; and in ten times as many games they have the exact law."""
    cell = replace(cell_of(players, 10 * DEALS, first_lead="lowest"), game=WATCHED)
    (found,) = columns_of(cell, "plays")
    assert (found[:DEALS] == lowest_runs(dealt(players)[0][:, 0])).all()
    assert_rate((found == 1).sum(), len(found), float(LACKS[players][0]))
    assert_mean(found, RUN_LENGTH[players])
    for length, chance in run_law(HAND_SIZE[players]).items():
        assert_rate((found == length).sum(), len(found), float(chance))


@every_number_of_players
@pytest.mark.parametrize(("strategies", "rules"), [("random", {"first_lead": "lowest"}), ("lowest_lead", {})], ids=str)
def test_4_5_so_are_those_of_replays(players, strategies, rules):
    for game in replayed(players, strategies, **rules):
        hands, plays = told(game.events, HAND), told(game.events, PLAYED)
        length = 1
        while (
            length < len(plays) and plays[length][0] == 0 and plays[length][1] >> 2 == (plays[length - 1][1] >> 2) + 1
        ):
            length += 1
        assert length == lowest_runs(np.array([hands[0][1]]))[0]


# ---------------------------------------------------------------- 6: hands that can be emptied alone


def descent(counts):
    """How much the number of cards falls from rank to rank up to the king, in all."""
    return sum(max(0, here - above) for here, above in pairwise(counts))


def empties_alone(counts):
    """Whether leads can empty this hand while others have every rank: each run but the last ends with a king."""
    if not any(counts):
        return True
    for start in [rank for rank, count in enumerate(counts) if count]:
        left, rank = list(counts), start
        while rank < len(left) and left[rank]:
            left[rank], rank = left[rank] - 1, rank + 1
        if not any(left) or (rank == len(left) and empties_alone(tuple(left))):
            return True
    return False


@cache
def self_sufficient(cards, ranks=13, suits=4):
    """How many hands of so many cards have a descent of at most 1, rank by rank."""
    ways = Counter({(0, 0, 0): 1})  # cards so far, cards of the rank below, descent so far
    for _ in range(ranks):
        longer = Counter()
        for (held, below, fallen), number in ways.items():
            for count in range(min(suits, cards - held) + 1):
                falls = fallen + max(0, below - count)
                if falls <= 1:
                    longer[held + count, count, falls] += number * comb(suits, count)
        ways = longer
    return sum(number for (held, _, _), number in ways.items() if held == cards)


SELF_SUFFICIENT = {
    22: Fraction(125108896767, 135266959817080),
    15: Fraction(523628251, 280086337895),
    12: Fraction(14452127, 4799521090),
    9: Fraction(4221677, 919768850),
    8: Fraction(337033, 57887550),
    7: Fraction(135567, 16723070),
    6: Fraction(127599, 10179260),
}


@pytest.mark.parametrize(("ranks", "suits"), [(3, 4), (4, 3), (4, 4), (5, 3), (6, 2), (7, 1)])
def test_6_a_hand_can_be_emptied_alone_when_its_descent_is_at_most_one(ranks, suits):
    """Every hand of a small deck, by trying all leads."""
    for counts in product(range(suits + 1), repeat=ranks):
        assert empties_alone(counts) == (descent(counts) <= 1)


def test_6_such_hands_are_a_staircase_and_an_interval():
    """Without falls, but for one more card of each rank of one interval at most."""
    found = set()
    for steps in combinations_with_replacement(range(4), 5):
        for low, high in [(0, 0), *combinations(range(6), 2)]:
            found.add(tuple(count + (low <= rank < high) for rank, count in enumerate(steps)))
    found = {counts for counts in found if max(counts) <= 3}
    assert found == {counts for counts in product(range(4), repeat=5) if descent(counts) <= 1}


@pytest.mark.parametrize(("ranks", "suits", "cards"), [(4, 3, 5), (5, 2, 4), (3, 4, 7), (6, 2, 6), (13, 1, 5)])
def test_6_such_hands_are_counted_rank_by_rank(ranks, suits, cards):
    hands = combinations(range(ranks * suits), cards)
    counts = [tuple(sum(card // suits == rank for card in hand) for rank in range(ranks)) for hand in hands]
    assert self_sufficient(cards, ranks, suits) == sum(map(empties_alone, counts))


@pytest.mark.parametrize("cards", STANDARD)
def test_6_a_hand_can_be_emptied_alone_with_the_printed_chance(cards):
    assert Fraction(self_sufficient(cards), comb(52, cards)) == SELF_SUFFICIENT[cards]
    printed = {15: 1.869524e-3, 12: 3.011160e-3}
    assert cards not in printed or float(SELF_SUFFICIENT[cards]) == pytest.approx(printed[cards], abs=5e-10)


def can_be_emptied_alone(hands):
    """Of each of these hands."""
    counts = rank_counts(hands)
    return np.maximum(counts[:-1] - counts[1:], 0).sum(axis=0) <= 1


@every_number_of_players
def test_6_such_hands_are_dealt_with_this_chance(players):
    found = can_be_emptied_alone(dealt(players)[0])
    assert_mean(found.mean(axis=1), float(SELF_SUFFICIENT[HAND_SIZE[players]]))


@pytest.mark.parametrize("players", [3, 8])
def test_6_lower_bound_a_first_player_who_empties_such_hands_has_a_grand_opera(players):
    """`lowest_finish` plays them out, and stops give it a little more."""
    (opera,) = columns_of(cell_of(players, DEALS, "lowest_finish"), "opera")
    certain = can_be_emptied_alone(dealt(players)[0][:, 0])
    assert certain.sum() > 100 and opera[certain].all()
    bound = float(SELF_SUFFICIENT[HAND_SIZE[players]])
    assert opera.sum() >= certain.sum() and opera.mean() > bound - 4.5 * sqrt(bound / DEALS)


# ---------------------------------------------------------------- 7: stationary pots

LONG = 2000  # deals of a game
MANY = 400  # games
KEPT = {"double_pot": 2, "none": 1, "base_stake": 1, "pay_winner": 0}  # what a pot comes to whose card is held, in pots
POT_RULES = [
    *((players, "random", {"holding_penalty": penalty}) for players in (3, 4) for penalty in KEPT),
    (4, "lowest_lead", {}),
    (4, "random", {"stake_by": "dealer"}),
    (3, "random", {"stakes": "3,3,3,3,3", "stake_mult": 2}),
    (3, "random", {"forget_prob": 20, "holding_penalty": "none"}),
    (8, "random", {"holding_penalty": "none"}),
]


@pytest.mark.parametrize(("players", "strategies", "rules"), POT_RULES, ids=str)
def test_7_pots_settle_where_what_comes_and_what_goes_are_equal(players, strategies, rules):
    """S is staked each deal; with probability t a pot is left, with h its card is held.

    A pot before play has mean S + t E + h (k E + b) in the next deal: E = (S + h b) / (1 - t - k h), where k is 2 and b
    is 0 when it doubles. From an empty board it comes to E by a factor of t + k h a deal. The rates are those of the
    same games, so that their errors are taken out of each game's pots.
    """
    penalty = rules.get("holding_penalty", "double_pot")
    each = [rules.get("stake_mult", 1) * int(stake) for stake in rules.get("stakes", "1,2,3,4,5").split(",")]
    cell, kinds = cell_of(players, MANY, strategies, deals=LONG, **rules), ("pots", "left", "doubled")
    columns = columns_of(cell, *(f"{kind}_{name}" for kind in kinds for name in NAMES)) / LONG
    for stake, (pots, left, held) in zip(each, columns.reshape(3, 5, MANY).swapaxes(0, 1), strict=True):
        assert KEPT[penalty] < 2 or left.mean() + 4 * held.mean() < 1  # else there is no finite variance
        staked, added = stake * (1 if "stake_by" in rules else players), stake if penalty == "base_stake" else 0
        kept = left + KEPT[penalty] * held
        rate = kept.mean()
        settled = (staked + added * held.mean()) / (1 - rate)
        start = (settled - staked) * (1 - rate**LONG) / (1 - rate) / LONG
        errors = settled * (kept - rate) + added * (held - held.mean())
        assert_mean(pots - errors / (1 - rate), settled - start)


def test_7_a_pot_of_four_who_lead_their_lowest_rank():
    """About 24 chips lie on the king of hearts when four players lead their lowest rank, of which 16 are new."""
    cell = cell_of(4, MANY, "lowest_lead", deals=LONG)
    (pots,) = columns_of(cell, "pots_king_of_hearts") / LONG
    assert pots.mean() == pytest.approx(24, abs=0.3)


@pytest.mark.parametrize("carry_over", ["to_winner", "refund"])
def test_7_pots_that_do_not_stay_are_the_stakes(carry_over):
    names = [f"pots_{name}" for name in NAMES]
    for pots, stake in zip(columns_of(cell_of(4, 100, deals=50, carry_over=carry_over), *names), STAKES, strict=True):
        if carry_over == "to_winner":
            assert (pots == 50 * 4 * stake).all()
        else:
            assert (pots >= 50 * 4 * stake).all() and (pots <= 50 * (4 * stake + 3)).all()


# ---------------------------------------------------------------- 8: mini-deals


def weight(hands):
    """In how many ways suits make these ranks: each rank has four cards, dealt to one hand after the other."""
    held = Counter()
    ways = 1
    for hand in hands:
        for rank, count in Counter(hand).items():
            ways *= comb(4 - held[rank], count) if held[rank] + count <= 4 else 0
            held[rank] += count
    return ways


def play_lowest(hands, skip, wrap):
    """Ranks only, everybody leads the lowest one: who goes out, cards played in the last turn, and by others before.

    skip: a rank that nobody has is passed over; wrap: aces follow kings.
    """
    hands, player, turn, before = [sorted(hand) for hand in hands], 0, 0, 0
    rank = hands[0][0]
    while True:
        hands[player].remove(rank)
        turn += 1
        if not hands[player]:
            return player, turn, before, hands
        following = next_of(hands, player, rank, skip, wrap)
        if following is None:
            rank = hands[player][0]
        else:
            if following[0] != player:
                before, turn = before + turn, 0
            player, rank = following


def next_of(hands, player, rank, skip, wrap):
    """Who plays on with which rank; None when the player leads."""
    players = len(hands)
    for step in range(1, 14 if skip else 2):
        wanted = rank + step
        if wanted > KING and not wrap:
            return None
        for other in range(players):
            seat = (player + other) % players
            if wanted % 13 in hands[seat]:
                return seat, wanted % 13
    return None


PAYS = {
    "points10": lambda rank: min(rank + 1, 10),
    "points_11_12_13": lambda rank: rank + 1,
    "per_card": lambda rank: 1,
}


@cache
def mini_deal(players, cards, skip=False, wrap=False, payment="points10"):
    """Exact: the chance that each seat wins, the mean payment, and the chances of both kinds of Grand Opéra."""
    hands_of_one = list(combinations_with_replacement(range(13), cards))
    wins, paid, strict, possession = [0] * players, 0, 0, 0
    for hands in product(hands_of_one, repeat=players):
        ways = weight(hands)
        if ways == 0:
            continue
        winner, turn, before, left = play_lowest(hands, skip, wrap)
        wins[winner] += ways
        paid += ways * sum(PAYS[payment](rank) for hand in left for rank in hand)
        strict += ways * (before == 0)
        possession += ways * (turn == cards)
    deals = factorial(52) // factorial(cards) ** players // factorial(52 - players * cards)
    assert sum(wins) == deals
    return [Fraction(won, deals) for won in wins], *(Fraction(sum_, deals) for sum_ in (paid, strict, possession))


def test_8_the_mini_deal_of_two_cards_has_the_printed_fractions():
    (first, second), payment, opera, _ = mini_deal(2, 2)
    assert first == Fraction(720679, 812175) and float(first) == pytest.approx(0.887344, abs=5e-7)
    assert payment == Fraction(787636, 62475) and float(payment) == pytest.approx(12.60722, abs=5e-6)
    assert opera == Fraction(47001, 54145) and float(opera) == pytest.approx(0.868058, abs=5e-7)
    assert first + second == 1


MINI_DEALS = [
    (2, 2, {}),
    (2, 2, {"wrap": True}),
    (2, 2, {"skip": True}),
    (2, 2, {"skip": True, "wrap": True}),
    (2, 2, {"payment": "points_11_12_13"}),
    (2, 2, {"payment": "per_card"}),
    (3, 1, {}),
    (2, 3, {}),
]


@pytest.mark.parametrize(("players", "cards", "variant"), MINI_DEALS, ids=str)
def test_8_mini_deals_are_played_as_they_are_enumerated(players, cards, variant):
    """With one or two cards each, only the first lead is a choice."""
    wins, payment, strict, possession = mini_deal(players, cards, **variant)
    rules = {"deal_table": str(cards), "first_lead": "lowest", **NO_STAKES}
    rules |= {"hand_payment": variant.get("payment", "points10"), "wrap": str(variant.get("wrap", False))}
    rules |= {"stop_rule": "skip_rank"} if variant.get("skip") else {}
    games, strategies = 300_000, "random" if cards < 3 else "lowest_lead"
    for opera, chance in (("strict", strict), ("first_possession", possession)):
        cell = cell_of(players, games, strategies, opera=opera, **rules)
        found = columns_of(cell, *seats("share", players), "from_hands", "opera", "first_player_wins")
        for seat, won in enumerate(wins):
            assert_rate((found[seat] == WHOLE).sum(), games, float(won))
        assert (found[-1] == found[0] // WHOLE).all()
        assert_mean(found[players], float(payment))
        assert_rate(found[-2].sum(), games, float(chance))


# ---------------------------------------------------------------- 9: invariants


@every_number_of_players
@pytest.mark.parametrize("strategies", ["random", "lowest_lead"])
def test_9_aces_are_led_and_a_seat_without_a_rank_never_plays_it(players, strategies):
    for game in replayed(players, strategies, 10, deals=3):
        counted = np.zeros(3, np.int64)
        for deal in deals_of(game):
            without, asked, leads, last = set(), None, 0, None
            for kind, seat, value in deal:
                if kind == STOPPED:
                    assert seat == last and value == asked
                    without |= {(other, value) for other in range(players)}
                    asked = None
                elif kind == PLAYED:
                    rank = value >> 2
                    if asked is None:
                        leads += 1
                        assert last in (None, seat)  # who played last leads
                    else:
                        assert rank == asked > 0
                        passed = (seat - last) % players
                        without |= {((last + step) % players, rank) for step in range(passed)}
                    assert (seat, rank) not in without
                    last, asked = seat, rank + 1 if rank < KING else None
            plays = told(deal, PLAYED)
            assert leads <= len(plays) <= 52 - TALON[players]
            stops = len(told(deal, STOPPED))
            kings = sum(card >> 2 == KING for _, card in plays[:-1])
            assert leads == 1 + stops + kings
            counted += len(plays), leads, stops
        assert counted.tolist() == [game.outcome.plays, game.outcome.leads, game.outcome.stops]


@every_number_of_players
@pytest.mark.parametrize("rules", [{}, {"opera": "first_possession"}], ids=str)
def test_9_every_deal_has_one_winner_and_at_a_grand_opera_nobody_else_has_played(players, rules):
    """With few cards, so that there are many."""
    for cards in ("3", "standard"):
        found = 0
        for game in replayed(players, games=20, deals=3, deal_table=cards, **rules):
            operas = 0
            for deal in deals_of(game):
                ((winner, _),) = told(deal, OUT)
                order = [seat for seat, _ in told(deal, PLAYED)]
                others = [place for place, seat in enumerate(order) if seat != winner]
                alone = len(order) - 1 - max(others, default=-1)  # cards of the last turn
                is_opera = not others or (alone == order.count(winner) and "opera" in rules)
                assert told(deal, OPERA) == [(winner, 0)] * is_opera
                operas += is_opera
            assert operas == game.outcome.opera
            found += operas
        assert found > 0 or cards == "standard"


@pytest.mark.parametrize("players", [3, 4, 8])
def test_9_runs_count_one_winner_and_no_more_cards_than_there_are(players):
    names = [*seats("share", players), *(f"deals_won_seat_{seat + 1}" for seat in range(players))]
    found = columns_of(cell_of(players, 100_000), *names, "plays", "leads", "stops", "first_player_wins")
    shares, won, (plays, leads, stops, first) = found[:players], found[players : 2 * players], found[2 * players :]
    assert (shares == WHOLE * won).all() and (won.sum(axis=0) == 1).all() and (first == won[0]).all()
    assert (leads >= 1).all() and (leads <= plays).all() and (stops < leads).all()
    assert (plays >= HAND_SIZE[players]).all() and (plays <= 52 - TALON[players] - (players - 1)).all()


# ---------------------------------------------------------------- 10: equal players


def assert_equal_seats(scores):
    """Every seat's score against the mean of all seats, game by game."""
    for own in scores:
        assert_mean(own - scores.mean(axis=0), 0)


@pytest.mark.parametrize(
    ("players", "strategies", "deals"), [(3, "random", 3), (4, "random", 8), (8, "random", 8), (4, "lowest_lead", 4)]
)
@pytest.mark.parametrize("rules", [{}, {"first_player": "dealer"}, {"carry_over": "to_winner"}], ids=str)
def test_10_results_of_all_seats_are_what_is_left_on_the_board(players, strategies, deals, rules):
    cell = cell_of(players, 100_000, strategies, deals=deals, **rules)
    *scores, left = columns_of(cell, *seats("score", players), "pots_left")
    assert (sum(scores) == -left).all()
    assert (left > 0).any() == ("carry_over" not in rules)


@pytest.mark.parametrize(
    ("players", "strategies", "rules"),
    [
        *((players, "random", {"carry_over": "to_winner"}) for players in (3, 4, 8)),
        (4, "lowest_lead", {"carry_over": "to_winner"}),
        (4, "lowest_lead", {"carry_over": "to_winner", "first_player": "dealer"}),
        (3, "random", {}),
        (4, "random", {}),
    ],
    ids=str,
)
def test_10_equal_players_have_equal_results_after_a_multiple_of_n_deals(players, strategies, rules):
    """Exactly so where every deal begins with the same board; with pots that stay, as far as these games tell."""
    cell = cell_of(players, 150_000, strategies, deals=players, **rules)
    assert_equal_seats(columns_of(cell, *seats("score", players)))


@pytest.mark.parametrize(
    ("players", "strategies", "deals"), [(8, "random", 1), (4, "lowest_lead", 1), (4, "random", 5)]
)
def test_10_they_have_not_when_some_play_first_more_often(players, strategies, deals):
    scores = columns_of(cell_of(players, 300_000, strategies, deals=deals), *seats("score", players))
    with pytest.raises(AssertionError):
        assert_equal_seats(scores)


def test_10_pots_that_grow_favour_who_plays_first_in_later_deals():
    """In the first n deals the board fills up, so that the first player of a later one finds more on it."""
    rules = {"stake_mult": 100, "hand_payment": "per_card"}  # so that pots count for more
    scores = columns_of(cell_of(8, 300_000, deals=8, **rules), *seats("score", 8))
    later = scores[4:].mean(axis=0) - scores[:4].mean(axis=0)
    assert later.mean() > 4.5 * later.std() / sqrt(len(later))
