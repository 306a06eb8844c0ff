"""Paris d'amis against what can be worked out by hand: rules/paris.md, "Oracles".

Laws over few cases are enumerated in full and are exact. Every sample has a fixed seed and a bound of four standard
errors.
"""

from functools import cache
from itertools import permutations, product
from math import comb, sqrt

import numpy as np
import pytest

from simcore.api import make_cell
from simcore.compiler import jit
from simcore.contract import WHOLE, event, new
from simcore.engine import run
from simcore.games.paris import ACT, GAME, lay
from simcore.games.paris_columns import award
from simcore.games.paris_redeal import change_hand
from simcore.games.paris_rules import Rules
from simcore.games.paris_score import score_key
from simcore.games.paris_table import BET, CHANGED, COLUMNS, COUNT, DISCARDED, DREW, HAND, LAID, POINT, ROUND, SUIT, WON
from simcore.plain import plain_record, rebuild
from simcore.replay import replay
from simcore.result import Result
from simcore.rng import DEAL, SHUFFLER, game_key, open_shuffler, stream_key

PLAYERS = (2, 3, 4)
DEALS = 100_000
GAMES = 40_000
REPLAYS = 12

every_number_of_players = pytest.mark.parametrize("players", PLAYERS)


def assert_mean(values, expected):
    """The mean of independent values within four standard errors of its expectation."""
    error = np.std(values, ddof=1) / sqrt(len(values))
    assert error > 0
    assert abs(np.mean(values) - expected) <= 4 * error


def assert_rate(hits, trials, p):
    """A binomial count within four standard errors of an exact probability."""
    assert abs(hits - trials * p) <= 4 * sqrt(trials * p * (1 - p))


@cache
def played(players, strategies="random", games=GAMES, **rules):
    """The result of a run, and its rows by the names of their columns."""
    kept, cell = [], make_cell("paris", players, games, strategies, rules, 11)
    result = Result(run(cell, rows=lambda first, rows: kept.append(rows.copy())))
    names = [f"{kind}_{seat}" for kind in ("share", "score") for seat in range(players)]
    names += [measure.name for measure in cell.game.measures(players)]
    return result, dict(zip(names, np.concatenate(kept).T, strict=True))


@cache
def replayed(players, strategies="random", games=REPLAYS, **rules):
    """Games with all that happened in them."""
    cell = make_cell("paris", players, games, strategies, rules, 5)
    return [replay(cell, number) for number in range(games)]


def events(game, kind):
    """Seat and value of every event of a kind, in order."""
    return [(seat, value) for known, seat, value in game.events if known == kind]


def sheet(players, **rules):
    """What a kernel is told of the rules."""
    record = plain_record(GAME.table(players, Rules(**rules))).rules
    GAME.prepare(record, players, Rules(**rules))
    return record


def values(**rules):
    """What each of the 52 cards is worth in a column."""
    return np.array(sheet(2, **rules).value[:52])


# 1: distinct winners under random ownership


def onto(things, boxes):
    """In how many ways things fill all of so many boxes."""
    return sum((-1) ** left * comb(boxes, left) * (boxes - left) ** things for left in range(boxes + 1))


@cache
def winners_of(players):
    """How often each number of players wins a column, over all ownerships of the four columns, by the real count."""
    judge = rebuild(award, {event: lambda kind, seat, value: None})
    found = [0] * 5
    for owners in product(range(players), repeat=COLUMNS):
        table, hidden = (plain_record(kind) for kind in (GAME.table(players, Rules()), GAME.hidden(players)))
        for column, owner in enumerate(owners):
            table.seat[owner].count[column], table.seat[owner].total[column] = 1, 7
            table.column[column].stake, table.column[column].at_stake = 1, 1
        found[judge(table, hidden)] += 1
        assert [sum(treasure.points) for treasure in hidden.treasure] == [owners.count(n) for n in range(players)]
    return found


@every_number_of_players
def test_1_distinct_winners_are_counted_as_surjections(players):
    expected = [comb(players, k) * onto(COLUMNS, k) if 0 < k <= players else 0 for k in range(5)]
    assert winners_of(players) == expected
    assert sum(expected) == players**COLUMNS


def test_1_distinct_winners_have_the_printed_law():
    assert [ways / 16 for ways in winners_of(2)] == [0, 1 / 8, 7 / 8, 0, 0]
    assert [ways / 81 for ways in winners_of(3)] == pytest.approx([0, 1 / 27, 14 / 27, 4 / 9, 0])
    assert [ways / 256 for ways in winners_of(4)] == [0, 1 / 64, 21 / 64, 9 / 16, 3 / 32]


# 2: points


def test_2_there_are_thirteen_points_in_every_suit():
    points = np.array(sheet(2).point[:52]).reshape(13, 4)
    point_cards = np.r_[0, 6:13]
    assert points[point_cards].sum(axis=0).tolist() == [13] * 4


@every_number_of_players
def test_2_no_point_is_won_twice_and_only_empty_columns_lose_points(players):
    """With point cards that are all worth one, every empty column loses exactly one of the 32 points."""
    _, row = played(players, point_values="1-1-1")
    won = sum(row[f"score_{seat}"] for seat in range(players))
    assert row["empty_columns"].sum() > 0
    assert (won + row["empty_columns"] == 32).all()


@every_number_of_players
def test_2_scores_are_the_four_suits_of_at_most_thirteen_points_each(players):
    _, row = played(players)
    empty = row["empty_columns"]
    lost = 52 - sum(row[f"score_{seat}"] for seat in range(players))
    assert ((empty <= lost) & (lost <= 3 * empty)).all()
    for suit in ("hearts", "diamonds", "spades", "clubs"):
        assert sum(row[f"{suit}_seat_{seat + 1}"] for seat in range(players)).max() == 13
    for seat in range(players):
        suits = [row[f"{suit}_seat_{seat + 1}"] for suit in ("hearts", "diamonds", "spades", "clubs")]
        assert (sum(suits) == row[f"score_{seat}"]).all()
        assert (np.minimum.reduce(suits) == row[f"lowest_seat_{seat + 1}"]).all()


@every_number_of_players
def test_2_points_awarded_and_points_lost_are_52_in_every_game(players):
    point = sheet(players).point
    for game in replayed(players):
        worth = [point[card] for _, card in events(game, POINT)]
        owner = [seat for seat, _ in events(game, WON)]
        assert len(worth) == len(owner) == 32
        won = [sum(p for p, one in zip(worth, owner, strict=True) if one == seat) for seat in range(-1, players)]
        assert sum(won) == 52
        assert won[1:] == list(game.outcome.score)


def test_2_a_round_is_about_six_and_a_half_points_and_a_card_in_eight_is_an_ace():
    """Of one round: the first cards of the four piles, over many deals."""
    first = dealt().first
    points = np.array(sheet(2).point)[first]
    assert_mean(points.sum(axis=1), 6.5)
    for column in range(COLUMNS):
        assert (first[:, column] & 3 == column).all()
        assert_rate((first[:, column] >> 2 == 0).sum(), DEALS, 1 / 8)


# 3, 4: hands


@jit
def deal_often(deal, change, table, hidden, shuffler, key, games, hands, changed, first):
    """Deals, notes the hands and the first point cards, and changes the hand of seat 0."""
    for game in range(games):
        open_shuffler(shuffler, game_key(key, game))
        deal(table, hidden, shuffler)
        for seat in range(len(table.seat)):
            hands[game, seat] = hidden.hand[seat].cards
        for column in range(4):
            first[game, column] = hidden.pile[column].cards[0]
        changed[game] = change(table, hidden, 0)


class Dealt:
    """Hands (deals, players), the hand of seat 0 after a change, first point cards (deals, columns)."""

    def __init__(self, players, rules):
        record, key = new(GAME.table(players, rules)), np.uint64(stream_key(7, DEAL))
        GAME.prepare(record.rules, players, rules)
        self.hands = np.zeros((DEALS, players), np.int64)
        self.changed, self.first = np.zeros(DEALS, np.int64), np.zeros((DEALS, COLUMNS), np.int64)
        deal_often(
            *(*compiled(), record, new(GAME.hidden(players)), new(SHUFFLER), key, DEALS),
            *(self.hands, self.changed, self.first),
        )


@cache
def compiled():
    """The deal, and what changes a hand."""
    return jit(GAME.deal), jit(change_hand)


@cache
def dealt(players=2, initial_hand=8):
    return Dealt(players, Rules(initial_hand=initial_hand))


def held(hands):
    """Each card of each hand as 0 or 1: (…, 52)."""
    return hands[..., np.newaxis] >> np.arange(52) & 1


def test_3_cards_are_worth_99_a_suit_and_396_in_all():
    assert values().reshape(13, 4).sum(axis=0).tolist() == [99] * 4
    assert values().sum() == 396


@every_number_of_players
def test_3_hands_columns_and_the_rest_are_worth_396_at_all_times(players):
    """No card is in two places, and every card laid, discarded or drawn comes from where it was."""
    worth = values()
    for game in replayed(players):
        hands, columns = [0] * players, 0
        for kind, seat, value in game.events:
            if kind == COUNT:
                columns = 0  # what was laid goes back into the deck
            elif kind == HAND:
                assert hands[seat] in (0, value)  # in the first round it is new
                hands[seat] = value
            elif kind == LAID:
                card = 1 << (value >> 2)
                assert hands[seat] & card and not columns & card
                hands[seat], columns = hands[seat] ^ card, columns | card
            elif kind == DISCARDED:
                assert hands[seat] & value == value
                hands[seat] ^= value
            elif kind == DREW:
                assert not any(hand & value for hand in hands)
                hands[seat] |= value
            elif kind == CHANGED:
                assert not any(hand & value for other, hand in enumerate(hands) if other != seat)
                hands[seat] = value
            if kind in (LAID, BET, DISCARDED, DREW, CHANGED):
                rest = ~(sum(hands) | columns) & (1 << 52) - 1
                parts = [*hands, columns, rest]
                assert sum(int(worth @ held(np.array(part))) for part in parts) == 396
                assert sum(part.bit_count() for part in parts) == 52


@every_number_of_players
def test_3_eight_cards_are_worth_792_thirteenths(players):
    hands = dealt(players).hands
    for seat in range(players):
        cards = held(hands[:, seat])
        assert (cards.sum(axis=1) == 8).all()
        assert_mean(cards @ values(), 792 / 13)


@every_number_of_players
def test_3_every_card_is_dealt_to_every_seat_equally_often_and_to_one_only(players):
    hands = dealt(players).hands
    assert (held(hands).sum(axis=1) <= 1).all()
    for seat in range(players):
        for count in held(hands[:, seat]).sum(axis=0):
            assert_rate(count, DEALS, 8 / 52)


def no_trump(cards):
    return comb(39, cards) / comb(52, cards)


def void_in_a_suit(cards):
    """By inclusion and exclusion over the suits that are missing."""
    return sum((-1) ** (k + 1) * comb(4, k) * comb(52 - 13 * k, cards) for k in (1, 2, 3)) / comb(52, cards)


def test_4_the_chances_are_the_printed_ones():
    assert no_trump(8) == pytest.approx(15466 / 189175)
    assert no_trump(6) == pytest.approx(0.160258, abs=5e-7)
    assert void_in_a_suit(8) == pytest.approx(0.314571, abs=5e-7)


@every_number_of_players
def test_4_hands_of_eight_lack_trumps_or_a_suit_as_often_as_printed(players):
    for hand in dealt(players).hands.T:
        lacking = np.stack([hand & (SUIT << suit) == 0 for suit in range(4)])
        for suit in range(4):
            assert_rate(lacking[suit].sum(), DEALS, no_trump(8))
        assert_rate(lacking.any(axis=0).sum(), DEALS, void_in_a_suit(8))


@every_number_of_players
def test_4_a_changed_hand_is_six_cards_of_the_deck(players):
    found = dealt(players)
    cards = held(found.changed)
    assert (cards.sum(axis=1) == 6).all()
    assert not (found.changed[:, np.newaxis] & found.hands[:, 1:]).any()  # the others keep theirs
    assert_rate((found.changed & SUIT == 0).sum(), DEALS, no_trump(6))
    assert_mean(cards @ values(), (8 - 2) * 99 / 13)


def test_4_a_changed_hand_may_hold_the_old_cards_again():
    """The hand is shuffled in: of the 44 cards that two players do not both hold, 8 are old and 6 come."""
    found = dealt(2)
    again = held(found.changed & found.hands[:, 0]).sum(axis=1)
    assert_mean(again, 6 * 8 / 44)


# 5: one card each, laid in its own suit


def play_single_cards(cards):
    """Round 1 when everybody lays the only card in its suit's column: score by seat, and distinct winners."""
    players, rules = len(cards), Rules(initial_hand=1, rounds=1)

    def decide(point, table, seat, hand, seats):
        assert point == ACT
        return lay(cards[seat], cards[seat] & 3) if hand.cards else 1

    table, hidden = plain_record(GAME.table(players, rules)), plain_record(GAME.hidden(players))
    GAME.prepare(table.rules, players, rules)
    table.trump, table.bettors = -1, players  # as after a deal
    for seat, card in enumerate(cards):
        hidden.hand[seat].cards, table.seat[seat].cards = 1 << card, 1
    for column, pile in enumerate(hidden.pile):
        pile.end, pile.cards[0] = 1, 4 * 6 + column  # a 7: one point
    return table, hidden, decide


class SingleCards:
    """Plays such rounds one after another with the same rebuilt rules."""

    def __init__(self):
        self._turn = rebuild(GAME.turns(self._choose, False), {event: lambda kind, seat, value: None})

    def _choose(self, *asked):
        return self._decide(*asked)

    def play(self, cards):
        table, hidden, self._decide = play_single_cards(cards)
        while not table.over:
            assert not table.fault
            self._turn(table, hidden, None)
        return [sum(treasure.points) for treasure in hidden.treasure], table.winners


def suits_law(players):
    """The chance of each number of suits among so many cards, exactly."""
    found = [0] * 5
    for suits in product(range(4), repeat=players):
        ways, left = 1, [13] * 4
        for suit in suits:
            ways, left[suit] = ways * left[suit], left[suit] - 1
        found[len(set(suits))] += ways
    return [ways / sum(found) for ways in found]


@cache
def duels():
    """All ordered pairs of cards: columns won by the starter and by the other, and distinct winners."""
    rounds = SingleCards()
    return np.array([(*won, winners) for won, winners in map(rounds.play, permutations(range(52), 2))])


def test_5_two_players_with_a_card_each_win_as_printed():
    found = duels()
    assert len(found) == 52 * 51
    assert (found[:, 2] == 1).mean() == pytest.approx(4 / 17)
    assert (found[:, 2] == 2).mean() == pytest.approx(13 / 17)


def test_5_the_starter_has_the_printed_points():
    """A point card is worth 13/8 on average, whatever its column."""
    starter, other, _ = duels().mean(axis=0)
    assert starter * 13 / 8 == pytest.approx(637 / 442)
    assert other * 13 / 8 == pytest.approx(97 / 68)


def test_5_the_tie_rule_gives_the_starter_27_of_52_duels_in_a_suit():
    found = duels()
    assert found[found[:, 2] == 1][:, 0].mean() == pytest.approx(27 / 52)


@pytest.mark.parametrize("players", [3, 4])
def test_5_more_players_win_as_many_columns_as_there_are_suits(players):
    rounds, dice = SingleCards(), np.random.default_rng(5)
    found = np.zeros(5)
    for _ in range(1500):
        cards = [int(card) for card in dice.permutation(52)[:players]]
        won, winners = rounds.play(cards)
        assert winners == sum(won) == len({card & 3 for card in cards})
        found[winners] += 1
    for number, p in enumerate(suits_law(players)):
        assert_rate(found[number], 1500, p)


@every_number_of_players
def test_5_single_cards_are_dealt_by_the_law_of_the_suits(players):
    suits = np.stack([dealt(players, 1).hands & (SUIT << suit) != 0 for suit in range(4)])
    number = suits.any(axis=2).sum(axis=0)
    for count, p in enumerate(suits_law(players)):
        assert_rate((number == count).sum(), DEALS, p)
    assert suits_law(2)[1:3] == pytest.approx([4 / 17, 13 / 17])


# 6: duels


def test_6_of_two_cards_the_first_is_as_high_in_121_of_221_pairs():
    value = values()
    pairs = [(one, other) for one, other in permutations(range(52), 2)]
    assert np.mean([value[one] >= value[other] for one, other in pairs]) == pytest.approx(121 / 221)
    same = [(one, other) for one, other in pairs if one & 3 == other & 3]
    assert np.mean([value[one] >= value[other] for one, other in same]) == pytest.approx(27 / 52)


# 8: who wins under random ownership of all point cards


SUIT_SCORES = (1, 4, 9, 17, 26, 33, 38, 38, 33, 26, 17, 9, 4, 1)


def test_8_a_suits_score_has_the_printed_law():
    point = sheet(2).point
    hearts = [point[4 * rank] for rank in (0, *range(6, 13))]
    ways = [0] * 14
    for owned in product((0, 1), repeat=8):
        ways[sum(p for p, mine in zip(hearts, owned, strict=True) if mine)] += 1
    assert tuple(ways) == SUIT_SCORES


def key_of(scoring):
    """The comparator of a rule of scoring, of four suit totals."""
    record, treasure = sheet(2, scoring=scoring), plain_record(GAME.hidden(2)).treasure[0]

    def key(points):
        treasure.points[:] = points
        return score_key(record, treasure)

    return key


def random_ownership(key):
    """Ways, of 2**32, in which the first of two players wins, and in which they are strictly equal."""
    wins = ties = 0
    for points in product(range(14), repeat=4):
        mine, other = key(points), key([13 - p for p in points])
        p, q, r, s = points
        ways = SUIT_SCORES[p] * SUIT_SCORES[q] * SUIT_SCORES[r] * SUIT_SCORES[s]
        wins += ways * (mine > other)
        ties += ways * (mine == other)
    return wins, ties


def test_8_leximin_decides_two_random_treasures_as_printed():
    wins, ties = random_ownership(key_of("leximin"))
    assert wins == 4 * 520337867
    assert ties == 8 * 16533045
    assert 2 * wins + ties == 2**32
    assert (wins / 2**32, ties / 2**32) == pytest.approx((0.484602, 0.030795), abs=5e-7)


def test_8_leximin_is_the_order_of_sorted_treasures():
    """Successive elimination by the lowest suit, then the second lowest, and so on; on random triples too."""
    key, dice = key_of("leximin"), np.random.default_rng(8)
    treasures = dice.integers(0, 14, (400, 4)).tolist() + dice.integers(0, 3, (400, 4)).tolist()
    ranked = sorted(treasures, key=key)
    assert [sorted(points) for points in ranked] == sorted(map(sorted, treasures))


# 9: hoarders


PRINTED_HANDS = {2: [8, 12, 14, 15, 16, 16, 16, 16], 4: [8, 12, 13, 13, 13, 13, 13, 13]}
PRINTED_HANDS[3] = PRINTED_HANDS[2]


@every_number_of_players
def test_9_hoarders_have_the_printed_hands(players):
    for game in replayed(players, "hoarder", 6):
        sizes = [value.bit_count() for _, value in events(game, HAND)]
        assert sizes == [size for size in PRINTED_HANDS[players] for _ in range(players)]
        assert list(game.outcome.hands) == [players * size for size in PRINTED_HANDS[players]]


@every_number_of_players
def test_9_hoarders_win_nothing_and_are_always_wrong(players):
    for game in replayed(players, "hoarder", 6):
        outcome = game.outcome
        assert (outcome.cards_laid, outcome.right_bets, outcome.mulligans, outcome.distinct_winners) == (0, 0, 0, 0)
        assert (outcome.turns, outcome.empty_columns) == (8 * players, 32)
        assert list(outcome.score) == [0] * players
        assert list(outcome.share) == [WHOLE // players] * players


def test_9_hoarders_of_four_are_short_by_one_card_and_then_by_two():
    for game in replayed(4, "hoarder", 6):
        drawn = [value.bit_count() for _, value in events(game, DREW)]
        assert drawn == [8] * 4 + [7] * 4 + [6] * 20
        assert game.outcome.shortages == 6


@pytest.mark.parametrize("wrong", [4, 6, 7])
def test_9_hands_tend_to_twice_the_cards_drawn(wrong):
    """Without shortage the largest h with h = ceil(h / 2) + draw is 2 draw."""
    for game in replayed(2, "hoarder", 2, wrong_draw=str(wrong), initial_hand=13):
        sizes = [value.bit_count() for _, value in events(game, HAND)]
        assert sizes[-2:] == [2 * wrong] * 2 or sizes[-2:] == [2 * wrong + 1] * 2


# 10, 11: what holds in every game


@every_number_of_players
def test_10_half_of_the_hand_is_kept_rounded_up(players):
    for game in replayed(players):
        left, gone = [0] * players, [0] * players
        for kind, seat, value in game.events:
            if kind == HAND:
                left[seat], gone[seat] = value.bit_count(), 0
            elif kind == LAID:
                left[seat] -= 1
            elif kind == DISCARDED:
                gone[seat] = value.bit_count()
            elif kind == DREW:
                assert gone[seat] == left[seat] // 2


def test_10_who_bets_last_on_the_leaders_is_right_whenever_anybody_wins():
    """Patient players bet, when alone, on the number of players who lead a column: one number a round is certain."""
    _, row = played(3, "patient", 4000)
    assert (row["right_at_third"] == row["rounds"] - row["with_winners_0"]).all()
    assert (row["right_at_first"] < row["right_at_third"]).any()


@pytest.mark.parametrize("strategies", ["patient", "marginal", "early_sure", "forecaster"])
@pytest.mark.parametrize("players", PLAYERS)
def test_10_the_last_bettor_is_right_at_every_table(players, strategies):
    for game in replayed(players, strategies, 3):
        outcome = game.outcome
        assert outcome.right_at[players - 1] == 8 - outcome.with_winners[0]


@every_number_of_players
def test_11_every_suit_is_trump_twice_and_every_point_card_turned_up_once(players):
    for game in replayed(players):
        assert [trump for _, trump in events(game, ROUND)] == [0, 1, 2, 3, 0, 1, 2, 3]
        turned_up = [card for _, card in events(game, POINT)]
        assert sorted(turned_up) == sorted(4 * rank + suit for rank in (0, *range(6, 13)) for suit in range(4))
        assert all(card & 3 == column for column, card in events(game, POINT))


@every_number_of_players
def test_11_nobody_lays_more_than_twelve_cards_in_a_round(players):
    for game in [*replayed(players), *replayed(players, "patient", 3, initial_hand=13, discard="none")]:
        laid = [0] * players
        for kind, seat, _ in game.events:
            if kind == ROUND:
                laid = [0] * players
            elif kind == LAID:
                laid[seat] += 1
            assert max(laid) <= 12


# 12: symmetry


NAMES = ("random", "random+random", "random+random+random", "random+random+random+random")


@every_number_of_players
def test_12_one_strategy_under_several_names_is_exactly_even_in_rotation(players):
    """Choices are bound to the seat, so all seatings of a deal are one game, and the names share it equally."""
    result, _ = played(players, ",".join(NAMES[:players]), players * 4000)
    assert len(result.strategy_lines) == players
    for line in result.strategy_lines:
        assert (line.win_share.method, line.win_share.low, line.win_share.high) == ("exact", 1 / players, 1 / players)
        assert (line.score.estimate, line.score.sd) == (result.strategy_lines[0].score.estimate, 0)


@every_number_of_players
def test_12_shares_of_the_seats_are_one_win_a_game(players):
    result, row = played(players)
    assert (sum(row[f"share_{seat}"] for seat in range(players)) == WHOLE).all()
    assert sum(line.win_share.estimate for line in result.seat_lines) == pytest.approx(1)
