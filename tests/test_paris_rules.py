"""The rules of Paris d'amis, one at a time: every rule matters, and rounds end as the rule sheet says."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from simcore.api import make_cell
from simcore.cards import RANKS, SUITS, card_name, card_number
from simcore.contract import NONE, WHOLE, event
from simcore.engine import run
from simcore.errors import UsageError
from simcore.games.paris import ACT, CHANGE, DISCARD, GAME, KEEP_BET, REBET, lay
from simcore.games.paris_redeal import discards
from simcore.games.paris_rules import TABLES, Rules
from simcore.games.paris_table import (
    CANCELLED,
    CHANGED,
    COUNT,
    DISCARDED,
    DREW,
    HIDDEN,
    INSURED,
    KEPT,
    POINT,
    REBETS,
    ROUND,
    SHORT,
    WON,
)
from simcore.plain import plain_record, rebuild
from simcore.rng import SHUFFLER, open_shuffler
from simcore.rules import read_rules, settings

# ---------------------------------------------------------------- every rule matters

NUMBERS_TRIED = {"marker_cap": (1, 8, 11, 13, 54)}  # of rules with too many values to try them all
SHORT_DECK = {"draw_table": "20,20,20", "discard": "none"}

# rule: who plays, and what else must be played for it to show
WHERE: dict[str, tuple[str, dict[str, Any]]] = {
    "draw_table": ("random", {}),
    "wrong_draw": ("random", {}),
    "trump_strength": ("random", {}),
    "court_values": ("random", {}),
    "majority": ("random", {}),
    "tie_break": ("random", {}),
    "empty_column": ("random", {}),
    "bets_allowed": ("random", {}),
    "allow_bet_zero": ("random", {}),
    "min_cards_before_bet": ("random", {}),
    "exclusive_bets": ("random", {}),
    "marker_cap": ("patient", {"initial_hand": 13, "discard": "none"}),
    "last_player_limit": ("random", {}),
    "bets": ("patient", {"jokers": 2, "joker_mode": "rebet"}),
    "discard": ("random", {}),
    "discard_choice": ("random", {}),
    "shortage": ("random", SHORT_DECK),
    "mulligan_first_round": ("random", {}),
    "mulligan_cost": ("random", {}),
    "starter": ("random", {}),
    "rounds": ("random", {}),
    "scoring": ("random", {}),
    "final_tie": ("random", {}),
    "track_scores": ("patient", {}),
    "trump_order": ("random", {}),
    "point_values": ("random", {}),
    "jokers": ("random", {}),
    "joker_mode": ("random", {"jokers": 2}),
    "initial_hand": ("random", {}),
}


def other_values() -> list[tuple[str, Any]]:
    """Every rule with each value that is not its default."""
    found = []
    for name, (default, setting) in settings(Rules).items():
        values = [option.name for option in setting.options] or list(range(setting.least, setting.most + 1)[:13])
        found += [(name, value) for value in NUMBERS_TRIED.get(name, values) if value != default]
    return found


@cache
def rows(line_up: str, rules: tuple[tuple[str, Any], ...]) -> np.ndarray:
    found: list[np.ndarray] = []
    cell = make_cell("paris", 3, 300, line_up, dict(rules), seed=3)
    run(cell, rows=lambda first, rows: found.append(rows.copy()))
    return np.concatenate(found)


@pytest.mark.parametrize(("name", "value"), other_values(), ids=str)
def test_every_value_of_every_rule_changes_games(name: str, value: Any) -> None:
    assert name in WHERE, f"say in WHERE who shows the rule {name}"
    line_up, also = WHERE[name]
    if (name, value) == ("wrong_draw", "8"):  # what most tables say
        also = {"draw_table": "T7"}
    other = {**also, name: value}
    if value == "bottom":  # such cards come up again after the eighth round only
        default = {**also, "rounds": 8}
        other["rounds"] = 9
    elif name == "rounds" and value > 8:
        default, other["empty_column"] = {"rounds": 9 if value > 9 else 8}, "bottom"
        default |= {"empty_column": "bottom"} if value > 9 else {}
    else:
        default = also
    plain, changed = rows(line_up, tuple(default.items())), rows(line_up, tuple(other.items()))
    assert plain.shape == changed.shape and (plain != changed).any()


# ---------------------------------------------------------------- rounds

QUIET = {event: lambda kind, seat, value: None}
is_over, is_legal, finish, deal = (rebuild(f, QUIET) for f in (GAME.is_over, GAME.is_legal, GAME.finish, GAME.deal))
JOKERS = {"Joker": 52, "Joker2": 53}
UNTOLD = {DISCARD: "least", CHANGE: "keep", REBET: "keep"}


def number_of(card: str) -> int:
    return JOKERS[card] if card in JOKERS else card_number(card)


def cards_of(names: str) -> int:
    return sum(1 << number_of(name) for name in names.split())


def names_of(cards: int) -> str:
    return " ".join(card_name(card) for card in range(52) if cards >> card & 1)


class NothingSaidError(Exception):
    """Somebody is to answer, and the test has not said what."""


class Position:
    """A game from its first round on, played by the real rules in plain Python with decisions that a test tells.

    With every decision told, the game is played again from the start, as a turn cannot stop halfway.
    """

    def __init__(self, hands: list[str], points: str, first: int, asks: tuple[int, ...], rules: dict[str, Any]):
        self._hands, self._points, self._first, self._asks = hands, points.split(), first, asks
        self._rules = read_rules(Rules, "paris", rules)
        GAME.check(self._rules, len(hands))
        self._words: tuple[str, ...] = ()
        self._strict = True
        self._turn = rebuild(GAME.turns(self._choose, False), {event: self._event})
        self._play()

    def _set_up(self) -> None:
        players = len(self._hands)
        self.table: Any = plain_record(GAME.table(players, self._rules))
        self.hidden: Any = plain_record(GAME.hidden(players))
        GAME.prepare(self.table.rules, players, self._rules)
        shuffler = plain_record(SHUFFLER)
        open_shuffler(shuffler, np.uint64(1))
        deal(self.table, self.hidden, shuffler)
        for seat, cards in enumerate(self._hands):
            self.hidden.hand[seat].cards, self.table.seat[seat].cards = cards_of(cards), len(cards.split())
        for pile, name in zip(self.hidden.pile, self._points, strict=True):
            if name == "-":
                pile.end = 0
            else:
                at = pile.cards.index(card_number(name))
                pile.cards[0], pile.cards[at] = pile.cards[at], pile.cards[0]
        self.table.starter = self._first

    def _play(self) -> None:
        self.asked: tuple[int, int] | None = None  # the decision point and the seat; nobody when the game is over
        self.events: list[tuple[int, int, int]] = []
        self._queue = iter(self._words)
        with np.errstate(over="ignore"):
            self._set_up()
            try:
                while not is_over(self.table):
                    self._turn(self.table, self.hidden, None)
            except NothingSaidError:
                pass
        assert next(self._queue, None) is None, "the game is over"

    def _event(self, kind: int, seat: int, value: int) -> None:
        self.events.append((int(kind), int(seat), int(value)))

    def _choose(self, point: int, table: Any, seat: int, hand: Any, seats: Any) -> int:
        asks = point == ACT or point in self._asks
        word = next(self._queue, None) if asks else UNTOLD[point]
        if word is None:
            self.asked = int(point), int(seat)
            raise NothingSaidError
        action = self._read(point, word, table, hand)
        assert not self._strict or is_legal(point, table, hand, seat, action), f"{word} of seat {seat} is illegal"
        return action

    @staticmethod
    def _read(point: int, word: str, table: Any, hand: Any) -> int:
        if point == DISCARD:
            held = [card for card in range(54) if hand.cards >> card & 1]
            least = held[: discards(table.rules, len(held))]
            return sum(1 << card for card in least) if word == "least" else cards_of(word)
        if point == CHANGE:
            return ("keep", "change").index(word)
        if word.lstrip("-").isdigit() or word == "keep":
            return KEEP_BET if word == "keep" else int(word)
        name, _, column = word.partition(">")
        return int(lay(number_of(name), SUITS.index(column) if column else number_of(name) & 3))

    def play(self, *words: str) -> "Position":
        """What the players who are asked one after another answer: K♥, or 2♥>♠ in another column, or a bet."""
        self._words += words
        self._play()
        return self

    def cheat(self, word: str) -> "Position":
        """An answer that nobody looked at before it was given."""
        self._strict = False
        return self.play(word)

    def takes(self, word: str) -> bool:
        """Whether this answer of the player who is asked would be legal."""
        assert self.asked is not None, "the game is over"
        point, seat = self.asked
        hand = self.hidden.hand[seat]
        return bool(is_legal(point, self.table, hand, seat, self._read(point, word, self.table, hand)))

    @property
    def bets(self) -> list[int]:
        """The numbers that the player who is asked may bet on."""
        return [number for number in range(-1, 7) if self.takes(str(number))]

    def told(self, kind: int) -> list[tuple[int, int]]:
        """Seat and value of every event of this kind, in order."""
        return [(seat, value) for known, seat, value in self.events if known == kind]

    def sizes(self, kind: int) -> list[int]:
        """How many cards each event of this kind was about."""
        return [value.bit_count() for _, value in self.told(kind)]

    @property
    def won(self) -> list[int]:
        """Who won the four columns of the last round."""
        return [seat for seat, _ in self.told(WON)[-4:]]

    @property
    def right(self) -> set[int]:
        """Whose bet on the last round was right."""
        return {seat for seat in range(len(self._hands)) if self.hidden.right >> seat & 1}

    @property
    def stakes(self) -> list[int]:
        return [column.stake for column in self.table.column]

    @property
    def sums(self) -> list[list[int]]:
        """By seat: what lies in the four columns."""
        return [list(seat.total) for seat in self.table.seat]

    @property
    def cards(self) -> list[int]:
        """How many cards everybody holds, as all can see."""
        assert [seat.cards for seat in self.table.seat] == [hand.cards.bit_count() for hand in self.hidden.hand]
        return [seat.cards for seat in self.table.seat]

    @property
    def points(self) -> list[list[int]]:
        return [list(treasure.points) for treasure in self.hidden.treasure]


def position(
    *hands: str,
    points: str = "7♥ 7♦ 7♠ 7♣",
    first: int = 0,
    asks: tuple[int, ...] = (),
    **rules: Any,
) -> Position:
    """A round about to begin with these hands; hearts are trump.

    first: who begins. asks: the decision points, besides ACT, at which the test says what is answered. Otherwise the
    lowest cards are discarded, hands are kept and bets too.
    """
    return Position(list(hands), points, first, asks, rules)


def sheet(players: int, **rules: Any) -> Any:
    """What a kernel is told about the rules."""
    read = read_rules(Rules, "paris", rules)
    record = plain_record(GAME.table(players, read)).rules
    GAME.prepare(record, players, read)
    return record


def judged(*treasures: list[int], order: tuple[int, ...] = (), right: tuple[int, ...] = (), **rules: Any) -> Any:
    """The outcome of a game that ends with these points by suit; order and right: the bets of its last round."""
    read, players = read_rules(Rules, "paris", rules), len(treasures)
    table: Any = plain_record(GAME.table(players, read))
    hidden: Any = plain_record(GAME.hidden(players))
    GAME.prepare(table.rules, players, read)
    for treasure, points in zip(hidden.treasure, treasures, strict=True):
        treasure.points[:] = points
    table.order[:] = order or range(players)
    hidden.right = sum(1 << seat for seat in right)
    outcome = plain_record(GAME.outcome(players))
    finish(table, hidden, outcome)
    return outcome


def winners(*treasures: list[int], **said: Any) -> list[int]:
    return [seat for seat, share in enumerate(judged(*treasures, **said).share) if share]


class TestTurn:
    def test_p2_the_first_seat_begins(self) -> None:
        assert position("2♠", "3♠").asked == (ACT, 0)

    def test_p12_a_turn_is_one_card_or_one_bet_and_then_it_passes(self) -> None:
        game = position("2♠ 3♠", "4♠ 5♠", "6♠ 7♠")
        assert game.play("2♠").asked == (ACT, 1)
        assert game.play("1").asked == (ACT, 2)
        assert game.play("6♠").asked == (ACT, 0)
        assert game.play("3♠").asked == (ACT, 2)  # who has bet is left out

    def test_only_cards_in_hand_are_laid(self) -> None:
        game = position("2♠", "3♠")
        assert game.takes("2♠") and not game.takes("3♠") and not game.takes("4♠") and not game.takes("Joker>♠")

    def test_a_card_that_was_laid_is_laid(self) -> None:
        assert not position("2♠ 4♠", "3♠").play("2♠", "3♠").takes("2♠")

    def test_an_illegal_answer_stops_the_game(self) -> None:
        for word in ("2♠>♥", "3♠", "0", "3", "-1"):
            game = position("2♠", "4♠").cheat(word)
            assert game.table.fault == 1 and game.asked is None

    @pytest.mark.parametrize("action", [-5, -1, 5, 6, 7, 8 + 4 * 60, 8 + 4 * 64 + 2, 8 + 4 * 70 + 2, 10**6])
    def test_no_number_outside_of_the_answers_is_legal(self, action: int) -> None:
        game = position("2♠", "4♠")
        assert not is_legal(ACT, game.table, game.hidden.hand[0], 0, action)

    def test_p3_a_card_goes_to_its_own_column_and_a_trump_to_any(self) -> None:
        game = position("2♥ 2♠", "3♠")
        assert [game.takes(f"2♥>{suit}") for suit in SUITS] == [True] * 4
        assert [game.takes(f"2♠>{suit}") for suit in SUITS] == [False, False, True, False]

    def test_p3_the_trump_suit_is_that_of_the_round(self) -> None:
        game = position("2♠", "3♥ 4♦", asks=(DISCARD,)).play("1", "1", "3♥")
        assert game.table.trump == 1  # diamonds
        cards = names_of(game.hidden.hand[game.asked[1]].cards).split()  # type: ignore[index]
        for card in cards:
            assert game.takes(f"{card}>♣") == (card[-1] in "♦♣")

    @pytest.mark.parametrize("strength", [*map(str, range(7)), "beats_all"])
    def test_p3_what_a_trump_is_worth(self, strength: str) -> None:
        more = 100 if strength == "beats_all" else int(strength)
        game = position("2♥ 3♥ 4♠", "5♠", trump_strength=strength).play("2♥>♠", "1", "3♥", "4♠")
        assert game.sums[0] == [3 + more, 0, 2 + more + 4, 0]

    def test_p3_a_trump_that_beats_all_beats_two_high_cards(self) -> None:
        cards = ("A♠", "2♥>♠", "K♠", "1", "1")
        assert position("A♠ K♠", "2♥").play(*cards).won[2] == 0
        assert position("A♠ K♠", "2♥", trump_strength="beats_all").play(*cards).won[2] == 1

    @pytest.mark.parametrize(("values", "worth"), [("11-11-11-12", "11 11 11 12"), ("11-12-13-14", "11 12 13 14")])
    def test_p4_values_of_courts_and_aces(self, values: str, worth: str) -> None:
        record = sheet(2, court_values=values)
        assert [record.value[card_number(f"{rank}♦")] for rank in "JQKA"] == [int(word) for word in worth.split()]
        assert [record.value[card_number(f"{rank}♦")] for rank in range(2, 11)] == list(range(2, 11))
        assert position("Q♠", "3♠", court_values=values).play("Q♠").sums[0][2] == int(worth.split()[1])


class TestColumns:
    BY_ALL = ("K♠", "5♠", "2♠", "1", "8♠", "3♠", "1", "4♠", "1")

    @pytest.mark.parametrize(("majority", "winner"), [("sum", 1), ("count", 2), ("best_card", 0)])
    def test_p5_what_the_majority_is_counted_by(self, majority: str, winner: int) -> None:
        game = position("K♠", "5♠ 8♠", "2♠ 3♠ 4♠", majority=majority).play(*self.BY_ALL)
        assert game.won == [NONE, NONE, winner, NONE]

    TIED = ("4♠", "10♠", "3♠", "6♠", "1", "7♠", "1", "1")  # 4 + 6, 10 and 3 + 7

    @pytest.mark.parametrize(
        ("tie_break", "winner"),
        [("first_in_column", 0), ("first_to_reach", 1), ("last_in_column", 2), ("nobody", NONE)],
    )
    def test_p6_who_wins_a_tie(self, tie_break: str, winner: int) -> None:
        game = position("4♠ 6♠", "10♠", "3♠ 7♠", tie_break=tie_break).play(*self.TIED)
        assert game.won == [NONE, NONE, winner, NONE]
        assert [points[2] for points in game.points] == [int(seat == winner) for seat in range(3)]

    def test_p6_a_tie_is_among_those_with_the_majority_only(self) -> None:
        game = position("2♠", "10♠", "4♠ 6♠", tie_break="first_in_column").play("2♠", "10♠", "4♠", "1", "1", "6♠", "1")
        assert game.won[2] == 1

    def test_a_winner_takes_the_points_of_the_column_in_its_suit(self) -> None:
        game = position("2♠ 2♥", "3♣ 3♦", points="A♥ K♦ 10♠ J♣")
        game.play("2♠", "3♣", "2♥", "3♦", "2", "2")
        assert game.points == [[3, 0, 1, 0], [0, 2, 0, 2]] and game.right == {0, 1}

    def test_p7_nobody_wins_an_empty_column_and_its_point_card_is_lost(self) -> None:
        game = position("2♠", "3♠", points="A♥ A♦ A♠ A♣").play("2♠", "1", "1")
        assert game.won == [NONE, NONE, 0, NONE] and game.table.empty_columns == 3
        assert game.points == [[0, 0, 3, 0], [0] * 4]
        assert all(stake < 3 for stake in game.stakes)  # the aces are gone

    def test_p7_carry_over_leaves_the_point_card_for_the_next_winner(self) -> None:
        game = position("2♠", "3♠", points="A♥ A♦ A♠ A♣", empty_column="carry_over").play("2♠", "1", "1")
        worth = [game.table.rules.point[column.card] for column in game.table.column]
        assert game.stakes == [3 + worth[0], 3 + worth[1], worth[2], 3 + worth[3]]
        assert [column.at_stake for column in game.table.column] == [2, 2, 1, 2]
        assert game.asked == (ACT, 0)
        card = next(c for c in names_of(game.hidden.hand[0].cards).split() if c[-1] in "♥♦♣")
        column = SUITS.index(card[-1])
        assert game.play(card, "1", "1").points[0][column] == 3 + worth[column]

    def test_p7_bottom_turns_it_up_again_after_the_eighth_round(self) -> None:
        game = position("2♠", "3♠", empty_column="bottom", rounds=10).play(*["1"] * 16)
        turned_up = [value for _, value in game.told(POINT)]
        assert len(turned_up) == 36 and turned_up[32:] == turned_up[:4]
        assert game.table.empty_columns == 32

    def test_p7_a_column_without_a_point_card_is_won_by_nobody(self) -> None:
        game = position("2♠ 3♣", "4♠", points="7♥ 7♦ - 7♣", empty_column="bottom", rounds=9)
        assert game.told(POINT)[2] == (2, NONE)
        game.play("2♠", "4♠", "3♣", "1", "1")
        assert game.won == [NONE, NONE, NONE, 0] and game.right == {0, 1}

    def test_the_number_of_winners_is_that_of_different_players(self) -> None:
        game = position("2♠ 2♣", "3♦ 3♥", "4♠").play("2♠", "3♦", "1", "2♣", "3♥", "2", "2")
        assert game.won == [1, 1, 0, 0] and game.told(COUNT) == [(0, 2)] and game.right == {0, 1}

    @pytest.mark.parametrize(("values", "worth"), [("1-2-3", (1, 2, 3)), ("1-1-1", (1, 1, 1)), ("1-3-5", (1, 3, 5))])
    def test_p32_points(self, values: str, worth: tuple[int, int, int]) -> None:
        small, figure, ace = worth
        record = sheet(2, point_values=values)
        assert [record.point[card_number(f"{rank}♦")] for rank in (7, 8, 9, 10)] == [small] * 4
        assert [record.point[card_number(f"{rank}♦")] for rank in "JQKA"] == [figure] * 3 + [ace]
        game = position("2♠", "5♥", points="7♥ J♦ A♠ Q♣", point_values=values)
        assert game.stakes == [small, figure, ace, figure]


class TestBets:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_p8_bets_go_up_to_the_number_of_players(self, players: int) -> None:
        assert position(*["2♠", "3♠", "4♠", "5♠"][:players]).bets == list(range(1, players + 1))
        every = position(*["2♠", "3♠", "4♠", "5♠"][:players], bets_allowed="all")
        assert every.bets == [1, 2, 3, 4]

    def test_p9_a_bet_on_no_winner(self) -> None:
        assert position("2♠", "3♠", allow_bet_zero="true").bets == [0, 1, 2]
        assert position("2♠", "3♠").play("1", "1").right == set()
        game = position("2♠", "3♠", allow_bet_zero="true", draw_table="3,12").play("0", "1")
        assert game.right == {0} and game.sizes(DREW) == [12, 8]  # the greatest number of the table

    @pytest.mark.parametrize("least", [0, 1, 2, 3, 4])
    def test_p10_cards_to_lay_before_a_bet(self, least: int) -> None:
        hand = ["2♠", "4♠", "6♠", "8♠", "10♠"]
        game = position(" ".join(hand), "3♠ 5♠ 7♠ 9♠ J♠", min_cards_before_bet=least)
        for laid in range(5):
            assert game.bets == ([1, 2] if laid >= least else [])
            game.play(hand[laid], ["3♠", "5♠", "7♠", "9♠", "J♠"][laid])

    def test_p10_who_can_lay_no_card_may_bet_all_the_same(self) -> None:
        assert position("2♠", "3♠", min_cards_before_bet=2).play("2♠", "3♠").bets == [1, 2]
        capped = position("2♠ 4♠", "3♠ 5♠", min_cards_before_bet=2, marker_cap=1).play("2♠", "3♠")
        assert capped.bets == [1, 2]

    def test_p11_several_may_bet_on_the_same_number(self) -> None:
        assert position("2♠", "3♠", "4♠").play("1", "1").bets == [1, 2, 3]

    def test_p11_variant_a_number_is_taken_once(self) -> None:
        game = position("2♠", "3♠", "4♠", exclusive_bets="true").play("2")
        assert game.bets == [1, 3] and game.play("3").bets == [1]

    def test_p13_twelve_cards_are_laid_at_most(self) -> None:
        spades = [f"{rank}♠" for rank in RANKS]
        for cap in (1, 8, 12, 54):
            game = position("2♥", " ".join(spades), marker_cap=cap).play("1", *spades[: min(cap, 12)])
            rest = [card for card in spades[min(cap, 12) :] if game.takes(card)]
            assert bool(rest) == (cap == 54) and game.bets == [1, 2]

    def test_p13_the_markers_are_free_again_in_the_next_round(self) -> None:
        game = position("2♠ 3♠", "4♠ 5♠", marker_cap=1).play("2♠", "4♠", "1", "1")
        assert game.asked == (ACT, 1)
        assert any(game.takes(card) for card in names_of(game.hidden.hand[1].cards).split())

    def test_p14_an_empty_hand_must_bet(self) -> None:
        game = position("2♠", "3♠").play("2♠", "3♠")
        assert game.bets == [1, 2]
        assert not any(game.takes(f"{card_name(card)}>{suit}") for card in range(52) for suit in SUITS)

    @pytest.mark.parametrize(("limit", "cards"), [("unlimited", 5), ("0", 0), ("1", 1), ("2", 2), ("3", 3)])
    def test_p15_what_the_last_player_lays_alone(self, limit: str, cards: int) -> None:
        more = ["5♠", "6♠", "7♠", "8♠", "9♠"]
        game = position("2♠", " ".join(["3♠", *more]), last_player_limit=limit)
        game.play("2♠", "3♠", "1", *more[:cards])  # the 3 was not laid alone
        assert game.asked == (ACT, 1) and game.bets == [1, 2]
        assert not any(game.takes(card) for card in more[cards:])
        assert game.play("1").won[2] == (1 if cards or limit == "0" else 0)

    def test_p16_bets_are_seen_at_once_with_their_order(self) -> None:
        game = position("2♠", "3♠", "4♠").play("2", "3")
        assert [seat.bet for seat in game.table.seat] == [2, 3, NONE]
        assert [seat.place for seat in game.table.seat] == [0, 1, NONE]

    def test_p16_variant_they_are_seen_when_the_round_is_over(self) -> None:
        game = position("2♠ 4♠", "3♠ 5♠", bets="hidden", asks=(DISCARD,)).play("2")
        assert [seat.bet for seat in game.table.seat] == [HIDDEN, NONE]
        assert [seat.bet for seat in game.play("1").table.seat] == [2, 1]

    def test_a_bet_is_right_when_it_is_the_number_of_winners(self) -> None:
        game = position("2♠", "3♣", "4♦").play("2♠", "3♣", "1", "2", "3")
        assert game.won == [NONE, NONE, 0, 1] and game.right == {0}


class TestNewCards:
    @pytest.mark.parametrize("players", [2, 3, 4])
    @pytest.mark.parametrize("name", TABLES)
    def test_p1_tables(self, name: str, players: int) -> None:
        record = sheet(players, draw_table=name)
        assert tuple(record.draw[1 : players + 1]) == TABLES[name][players - 2]
        assert record.draw[0] == max(TABLES[name][players - 2])
        assert record.wrong == (6 if name == "T7" else 8)

    def test_p1_the_default_pays_the_anchor_of_the_rule_text(self) -> None:
        assert sheet(2).draw[1] == 10

    @pytest.mark.parametrize("name", [*TABLES, "3,20", "0,1"])
    def test_p1_a_right_bet_draws_what_the_table_says(self, name: str) -> None:
        game = position("2♠", "3♣", draw_table=name).play("2♠", "3♣", "2", "1")
        right = TABLES[name][0][1] if name in TABLES else int(name.split(",")[1])
        assert game.sizes(DREW) == [right, 6 if name == "T7" else 8]
        alone = position("2♠", "3♣", draw_table=name).play("2♠", "1", "2")
        one = TABLES[name][0][0] if name in TABLES else int(name.split(",")[0])
        assert alone.sizes(DREW) == [6 if name == "T7" else 8, one]

    @pytest.mark.parametrize("wrong", range(13))
    def test_p1_a_wrong_bet_draws_the_number_of_the_rule(self, wrong: int) -> None:
        for table in ("T0", "T7"):
            game = position("2♠", "3♣", wrong_draw=str(wrong), draw_table=table).play("1", "1")
            assert game.sizes(DREW) == [wrong, wrong]

    @pytest.mark.parametrize(("discard", "gone"), [("floor_half", 2), ("ceil_half", 3), ("none", 0), ("all", 5)])
    def test_p17_how_many_cards_are_discarded(self, discard: str, gone: int) -> None:
        game = position("2♠ 3♠ 4♠ 5♠ 6♠", "2♣ 3♣ 4♣ 5♣ 6♣", discard=discard).play("1", "1")
        assert game.sizes(DISCARDED) == ([gone, gone] if gone else [])
        assert game.cards == [13 - gone] * 2

    def test_p17_what_was_laid_is_not_counted(self) -> None:
        game = position("2♠ 3♠ 4♠ 5♠ 6♠", "2♣").play("2♠", "2♣", "3♠", "1", "1")
        assert game.sizes(DISCARDED) == [1] and game.cards == [2 + 8, 8]

    def test_p18_the_owner_chooses(self) -> None:
        game = position("2♠ 3♠ 4♠ 5♠ 6♠", "2♣", "2♦ 3♦", asks=(DISCARD,)).play("1", "1", "1")
        assert game.asked == (DISCARD, 0) and game.takes("2♠ 6♠")
        for word in ("2♠", "2♠ 3♠ 4♠", "2♠ 2♣", "2♠ 7♠"):
            assert not game.takes(word)
        game.play("2♠ 6♠")
        assert game.asked == (DISCARD, 2)  # who has one card keeps it unasked
        assert game.told(DISCARDED) == [] and game.table.seat[0].cards == 5  # all discard at the same moment
        assert game.play("3♦").told(DISCARDED) == [(0, cards_of("2♠ 6♠")), (2, cards_of("3♦"))]

    def test_p18_a_discard_that_is_illegal_stops_the_game(self) -> None:
        game = position("2♠ 3♠", "2♣", asks=(DISCARD,)).play("1", "1").cheat("4♠")
        assert game.table.fault == 1

    def test_p18_variant_chance_chooses(self) -> None:
        game = position("2♠ 3♠ 4♠ 5♠ 6♠", "2♣", asks=(DISCARD,), discard_choice="random").play("1", "1")
        assert game.asked == (ACT, 1)
        ((seat, gone),) = game.told(DISCARDED)
        assert seat == 0 and gone.bit_count() == 2 and gone & ~cards_of("2♠ 3♠ 4♠ 5♠ 6♠") == 0

    def test_p19_cards_laid_and_discarded_are_drawn_again(self) -> None:
        """Everybody draws 13: the whole deck."""
        game = position("2♠ 3♠", "2♣", "2♦", "2♥", discard="all", draw_table="13,13,13,13", wrong_draw="12")
        game.play("2♠", "1", "1", "1", "1")
        assert game.right == {0, 1, 2, 3} and game.sizes(DREW) == [13] * 4
        assert sum(value for _, value in game.told(DREW)) == (1 << 52) - 1

    def test_p19_cards_in_hands_are_not(self) -> None:
        game = position("2♠ 3♠ 4♠", "2♣ 3♣ 4♣", discard="none", wrong_draw="12").play("1", "1")
        drawn = [value for _, value in game.told(DREW)]
        assert drawn[0] & drawn[1] == 0 and not (drawn[0] | drawn[1]) & cards_of("2♠ 3♠ 4♠ 2♣ 3♣ 4♣")

    def test_p25_there_are_no_new_cards_after_the_last_round(self) -> None:
        game = position("2♠ 3♠", "2♣ 3♣", rounds=1).play("1", "1")
        assert game.asked is None and game.events[-1][0] == COUNT

    @pytest.mark.parametrize("rounds", [1, 4, 8, 10, 12])
    def test_p25_rounds(self, rounds: int) -> None:
        also = {"empty_column": "bottom"} if rounds > 8 else {}
        game = position("2♠", "3♠", rounds=rounds, **also).play(*["1"] * 2 * rounds)
        assert game.asked is None and len(game.told(ROUND)) == rounds == len(game.told(COUNT))


HANDS = ("2 3 4 5 6 7 8 9 10", "2 3 4 5 6 7 8 9", "2 3 4 5 6 7 8 9", "2 3 4 5 6 7 8 9")
FULL = [" ".join(rank + suit for rank in ranks.split()) for ranks, suit in zip(HANDS, "♥♦♠♣", strict=True)]


def short(shortage: str, bettors: str, **rules: Any) -> Position:
    """Hands of 9, 8, 8 and 8 cards, all kept, after bets without a card by seats in this order."""
    return position(*FULL, shortage=shortage, first=int(bettors[0]), discard="none", **rules).play("1", "1", "1", "1")


class TestShortage:
    """Of 32 cards due there are 19: each of four players lacks 3, and one player one more."""

    def test_p20_nobody_goes_short_while_the_deck_suffices(self) -> None:
        game = short("equal_biggest", "0123", wrong_draw="4")
        assert game.told(SHORT) == [] and game.sizes(DREW) == [4] * 4

    @pytest.mark.parametrize(
        ("shortage", "drawn"),
        [
            ("equal_biggest", [4, 5, 5, 5]),  # seat 0 holds most
            ("equal_seat", [5, 5, 5, 4]),  # the last bettor, seat 3, begins the next round
            ("round_robin", [5, 5, 4, 5]),  # dealt from seat 3 on
            ("proportional", [5, 5, 5, 4]),  # equal remainders: seat 3 comes first
        ],
    )
    def test_p20_who_gets_the_odd_card(self, shortage: str, drawn: list[int]) -> None:
        game = short(shortage, "0123")
        assert game.told(SHORT) == [(0, 13)] and game.sizes(DREW) == drawn
        assert game.table.shortages == 1

    @pytest.mark.parametrize(
        ("shortage", "drawn"),
        [
            ("equal_biggest", [4, 5, 5, 5]),
            ("equal_seat", [5, 4, 5, 5]),
            ("round_robin", [4, 5, 5, 5]),
            ("proportional", [5, 4, 5, 5]),
        ],
    )
    def test_p20_it_depends_on_the_last_bettor(self, shortage: str, drawn: list[int]) -> None:
        assert short(shortage, "2301").sizes(DREW) == drawn

    @pytest.mark.parametrize(
        ("starter", "drawn"),
        [("last_bettor", [11, 11, 12]), ("first_bettor", [12, 11, 11]), ("rotate", [11, 12, 11])],
    )
    def test_p20_of_equal_hands_those_go_short_who_come_later_in_the_next_round(
        self, starter: str, drawn: list[int]
    ) -> None:
        """Two of three players."""
        hands = [" ".join(f"{rank}{suit}" for rank in range(2, 8)) for suit in SUITS[:3]]
        game = position(*hands, starter=starter, discard="none", wrong_draw="12").play("1", "1", "1")
        assert game.told(SHORT) == [(0, 2)] and game.sizes(DREW) == drawn

    def test_p20_everybody_may_go_short_by_different_numbers_in_proportion(self) -> None:
        game = position(*FULL, shortage="proportional", discard="none", draw_table="20,0,0,0", wrong_draw="2")
        game.play("2♥", "2", "2", "2", "1")  # 20 cards due to seat 0, 2 to the others; the deck has 20 of 26
        assert game.told(SHORT) == [(0, 6)] and game.right == {0}
        assert game.sizes(DREW) == [15, 1, 2, 2]  # 20 * 6 / 26 = 4.6 and 2 * 6 / 26 = 0.46: two odd ones


TWO = ("2♠ 3♠ 4♠", "2♣ 3♣ 4♣")  # each keeps two cards


class TestChangedHands:
    def test_p21_from_the_last_bettor_on_everybody_is_asked_once(self) -> None:
        game = position(*TWO, "2♦ 3♦ 4♦", asks=(CHANGE,), first=2).play("1", "1", "1")
        assert game.asked == (CHANGE, 1)
        assert game.play("keep").asked == (CHANGE, 2)
        assert game.play("change").asked == (CHANGE, 0)
        assert game.cards == [10, 10, 8]  # what was done is seen
        assert game.play("keep").asked == (ACT, 1)
        assert game.told(KEPT) == [(1, 0), (0, 0)] and game.told(CHANGED) == [(2, game.hidden.hand[2].cards)]
        assert game.table.mulligans == 1

    @pytest.mark.parametrize("cost", range(5))
    def test_p22_what_a_changed_hand_costs(self, cost: int) -> None:
        game = position(*TWO, asks=(CHANGE,), mulligan_cost=str(cost)).play("1", "1", "change", "keep")
        assert game.cards == [10, 10 - cost]

    def test_p22_variant_hands_are_not_changed(self) -> None:
        assert position(*TWO, asks=(CHANGE,), mulligan_cost="none").play("1", "1").asked == (ACT, 1)

    def test_p22_nothing_but_yes_and_no_is_an_answer(self) -> None:
        game = position(*TWO, asks=(CHANGE,)).play("1", "1")
        answers = [is_legal(CHANGE, game.table, game.hidden.hand[1], 1, answer) for answer in (-1, 0, 1, 2)]
        assert answers == [False, True, True, False]

    def test_p22_the_point_cards_are_not_turned_up_before(self) -> None:
        game = position(*TWO, asks=(CHANGE,)).play("1", "1")
        assert len(game.told(POINT)) == 4 and game.table.next_trump == 1

    def test_p23_a_hand_is_never_less_than_empty_and_an_empty_one_is_not_changed(self) -> None:
        game = position("2♠", "2♣", asks=(CHANGE,), wrong_draw="0").play("1", "1", "change")
        assert game.cards == [1, 0]
        laid = position("2♠", "2♣", asks=(CHANGE,), wrong_draw="0").play("2♠", "2♣", "1", "1")
        assert laid.asked == (ACT, 1)

    def test_p23_the_hand_is_shuffled_into_the_deck(self) -> None:
        """All 52 cards are in hands, so that the old cards come back without two."""
        hands = [" ".join(f"{rank}{suit}" for rank in RANKS) for suit in SUITS]
        game = position(*hands, asks=(CHANGE,), discard="none", wrong_draw="0").play("1", "1", "1", "1", "change")
        assert game.cards == [13, 13, 13, 11]
        assert game.hidden.hand[3].cards & ~cards_of(hands[3]) == 0

    def test_p21_variant_hands_are_changed_before_the_first_round_too(self) -> None:
        assert position(*TWO, asks=(CHANGE,)).asked == (ACT, 0)
        game = position(*TWO, asks=(CHANGE,), mulligan_first_round="true")
        assert game.asked == (CHANGE, 0) and game.told(ROUND) == []
        assert game.play("change").asked == (CHANGE, 1)
        assert game.play("keep").asked == (ACT, 0) and game.cards == [1, 3]


class TestNextRound:
    @pytest.mark.parametrize(
        ("starter", "seat"), [("last_bettor", 0), ("first_bettor", 2), ("rotate", 1), ("lowest_score", 1)]
    )
    def test_p24_who_begins_the_next_round(self, starter: str, seat: int) -> None:
        game = position("A♠ K♠", "2♠", "4♣", starter=starter).play("A♠", "2♠", "1", "K♠", "1", "1")
        assert game.won[2] == 0
        assert game.asked == (ACT, seat) and game.told(ROUND)[-1][0] == seat

    def test_p24_the_last_bettor_begins_right_or_wrong(self) -> None:
        for bet in ("1", "2"):
            assert position("2♠", "3♠").play("2♠", "1", bet).asked == (ACT, 0)

    def test_p24_variant_each_player_in_turn(self) -> None:
        game = position("2♠", "2♣", "2♦", starter="rotate").play(*["1"] * 24)
        assert [seat for seat, _ in game.told(ROUND)] == [0, 1, 2, 0, 1, 2, 0, 1]

    def test_p24_variant_the_last_in_score_begins(self) -> None:
        game = position("2♠", "2♣", "2♦", starter="lowest_score").play("2♠", "2♣", "1", "1", "1")
        assert game.asked == (ACT, 2)
        assert position("2♠", "2♣", "2♦", starter="lowest_score").play("1", "1", "1").asked == (ACT, 0)

    def test_p24_variant_last_in_score_is_meant_by_the_rule_of_scoring(self) -> None:
        """Seat 0 won two columns of a point, seat 1 one of three: the sums differ from the sorted suits."""
        moves = ("2♠", "2♣", "2♦", "1", "1")
        hands = {"starter": "lowest_score", "points": "7♥ 7♦ 7♠ A♣"}
        assert position("2♠ 2♦", "2♣", scoring="sum", **hands).play(*moves).asked == (ACT, 0)
        assert position("2♠ 2♦", "2♣", **hands).play(*moves).asked == (ACT, 1)

    @pytest.mark.parametrize(
        ("order", "trumps"),
        [("fixed", [0, 1, 2, 3] * 2), ("reverse", [3, 2, 1, 0] * 2), ("none", [NONE] * 8)],
    )
    def test_p31_trumps(self, order: str, trumps: list[int]) -> None:
        game = position("2♠", "3♠", trump_order=order).play(*["1"] * 16)
        assert [trump for _, trump in game.told(ROUND)] == trumps

    def test_p31_variant_a_shuffled_order_twice(self) -> None:
        game = position("2♠", "3♠", trump_order="random").play(*["1"] * 16)
        trumps = [trump for _, trump in game.told(ROUND)]
        assert sorted(trumps[:4]) == [0, 1, 2, 3] and trumps[4:] == trumps[:4]

    def test_p31_variant_without_trumps_every_card_has_one_column(self) -> None:
        game = position("2♥ 2♠", "3♠", trump_order="none")
        assert game.takes("2♥") and not game.takes("2♥>♠")

    def test_p29_points_are_seen_unless_so_ruled(self) -> None:
        for track, seen in (("true", 1), ("false", 0)):
            game = position("2♠", "3♠", track_scores=track).play("2♠", "1", "1")
            assert game.points[0][2] == 1 and game.table.seat[0].points[2] == seen

    def test_p30_everybody_sees_how_many_cards_the_others_hold(self) -> None:
        assert position("2♠ 3♠", "4♠").play("2♠").cards == [1, 1]


class TestEnd:
    EVEN, POOR_SUIT = [3, 3, 3, 3], [13, 13, 13, 2]

    def test_p26_the_lowest_suit_decides(self) -> None:
        assert winners(self.EVEN, self.POOR_SUIT) == [0]
        assert winners([1, 5, 9, 9], [9, 5, 1, 8], [5, 1, 8, 8]) == [0]

    def test_p27_suits_are_compared_by_their_rank_not_their_name(self) -> None:
        assert winners([2, 9, 9, 9], [9, 9, 9, 2]) == [0, 1]
        assert winners([2, 4, 9, 9], [9, 9, 5, 2]) == [1]

    @pytest.mark.parametrize(("scoring", "winner"), [("leximin", 1), ("sum", 0), ("min_then_sum", 0), ("product", 0)])
    def test_p26_variants(self, scoring: str, winner: int) -> None:
        assert winners([3, 4, 9, 9], [3, 5, 5, 5], scoring=scoring) == [winner]

    @pytest.mark.parametrize(("scoring", "winner"), [("leximin", 1), ("sum", 2), ("min_then_sum", 1), ("product", 0)])
    def test_p26_variants_differ(self, scoring: str, winner: int) -> None:
        assert winners([2, 8, 8, 8], [3, 3, 3, 13], [0, 13, 13, 13], scoring=scoring) == [winner]

    def test_p28_the_first_right_bet_of_the_last_round_decides_a_strict_tie(self) -> None:
        tied = [self.EVEN, [1, 1, 1, 1], self.EVEN]
        assert winners(*tied, order=(1, 2, 0), right=(0, 1, 2)) == [2]
        assert winners(*tied, order=(1, 2, 0), right=(0, 1)) == [0]

    def test_p28_the_win_is_shared_when_nobody_was_right(self) -> None:
        outcome = judged(self.EVEN, [1, 1, 1, 1], self.EVEN, right=(1,))
        assert list(outcome.share) == [WHOLE // 2, 0, WHOLE // 2] and (outcome.tied, outcome.shared) == (1, 1)

    def test_p28_variant_it_is_always_shared(self) -> None:
        outcome = judged(self.EVEN, self.EVEN, right=(1,), final_tie="split")
        assert list(outcome.share) == [WHOLE // 2] * 2 and outcome.shared == 1
        decided = judged(self.EVEN, self.EVEN, right=(1,))
        assert list(decided.share) == [0, WHOLE] and (decided.tied, decided.shared) == (1, 0)

    def test_p28_in_a_played_game(self) -> None:
        game = position("2♠", "3♣", rounds=1).play("2♠", "3♣", "1", "2")
        outcome = plain_record(GAME.outcome(2))
        finish(game.table, game.hidden, outcome)
        assert list(outcome.share) == [0, WHOLE] and list(outcome.score) == [1, 1]


class TestJokers:
    @pytest.mark.parametrize("jokers", [0, 1, 2])
    def test_p33_how_many_are_in_the_deck(self, jokers: int) -> None:
        assert sheet(2, jokers=jokers).deck == (1 << (52 + jokers)) - 1

    def test_p33_one_worth_nothing_goes_anywhere_and_wins_ties(self) -> None:
        game = position("5♠", "2♠ 3♠ Joker", jokers=1)
        moves = ("5♠", "2♠", "1", "3♠")
        assert game.play(*moves, "1").won[2] == 0
        joker = position("5♠", "2♠ 3♠ Joker", jokers=1).play(*moves)
        assert all(joker.takes(f"Joker>{suit}") for suit in SUITS)
        assert joker.play("Joker>♠").sums[1] == [0, 0, 5, 0]
        assert joker.play("1").won[2] == 1

    def test_p33_one_worth_nothing_wins_no_more_than_ties(self) -> None:
        game = position("5♠", "2♠ Joker", jokers=1).play("5♠", "2♠", "1", "Joker>♠", "1")
        assert game.won[2] == 0
        assert position("5♠", "Joker", jokers=1).play("1", "Joker>♦", "1").won == [NONE, 1, NONE, NONE]

    def test_p33_among_several_jokers_the_usual_rule_decides_a_tie(self) -> None:
        game = position("5♠ Joker", "2♠ 3♠ Joker2", jokers=2)
        game.play("5♠", "2♠", "Joker>♠", "3♠", "1", "Joker2>♠", "1")
        assert game.won[2] == 0

    @pytest.mark.parametrize(("mode", "worth"), [("wild6", 6), ("wild12", 12)])
    def test_p33_one_that_is_worth_something(self, mode: str, worth: int) -> None:
        game = position("A♠", "Joker 3♦", jokers=1, joker_mode=mode).play("A♠")
        assert all(game.takes(f"Joker>{suit}") for suit in SUITS)
        assert game.play("Joker>♠").sums[1] == [0, 0, worth, 0]
        assert game.play("1", "1").won[2] == 0  # it is no trump and wins no tie

    def test_p33_a_joker_takes_a_marker(self) -> None:
        game = position("2♠", "Joker 3♠", jokers=1, joker_mode="wild6", marker_cap=1).play("1", "Joker>♠")
        assert not game.takes("3♠")

    def test_p33_cancel_takes_the_highest_card_away(self) -> None:
        game = position("K♠ 2♠", "9♠ Joker", jokers=1, joker_mode="cancel").play("K♠", "9♠", "2♠")
        assert [game.takes(f"Joker>{suit}") for suit in SUITS] == [False, False, True, False]  # not an empty column
        game.play("Joker>♠")
        assert game.told(CANCELLED) == [(0, 4 * number_of("K♠") + 2)]
        assert [sums[2] for sums in game.sums] == [2, 9] and game.table.seat[1].count[2] == 1
        assert game.play("1", "1").won[2] == 1

    def test_p33_cancel_takes_the_first_of_equal_cards_the_own_one_too(self) -> None:
        game = position("J♠", "K♠", "Joker", jokers=1, joker_mode="cancel").play("J♠", "K♠", "Joker>♠")
        assert game.told(CANCELLED) == [(0, 4 * number_of("J♠") + 2)]
        own = position("3♠", "4♠ Joker", jokers=1, joker_mode="cancel").play("3♠", "4♠", "1", "Joker>♠")
        assert own.told(CANCELLED) == [(1, 4 * number_of("4♠") + 2)]

    def test_p33_what_was_cancelled_no_longer_counts_as_the_first_card(self) -> None:
        game = position("K♠ 3♠ 4♠", "7♠ Joker", jokers=1, joker_mode="cancel")
        assert game.play("K♠", "7♠", "3♠", "Joker>♠", "4♠", "1", "1").won[2] == 1  # 7 against 3 + 4

    def test_p33_a_cancelled_card_still_took_its_marker(self) -> None:
        game = position("K♠ 3♠", "7♠ Joker", jokers=1, joker_mode="cancel", marker_cap=1)
        game.play("K♠", "7♠")
        assert not game.takes("3♠")

    def test_p33_shield_closes_a_column_for_this_round(self) -> None:
        game = position("2♠ 3♠ 2♥ 3♦", "4♠ Joker", jokers=1, joker_mode="shield").play("2♠", "Joker>♠")
        assert not game.takes("3♠") and not game.takes("2♥>♠") and game.takes("2♥") and game.takes("3♦")
        assert game.table.seat[1].count == [0, 0, 0, 0]  # it does not stay
        game.play("1", "1")
        assert game.won == [NONE, NONE, 0, NONE] and not any(column.closed for column in game.table.column)

    def test_p33_who_can_lay_nothing_for_a_shield_may_bet(self) -> None:
        game = position(
            "2♠", "Joker", jokers=1, joker_mode="shield", min_cards_before_bet=1, trump_order="none", first=1
        )
        assert game.bets == []
        assert game.play("Joker>♠").bets == [1, 2]

    def test_p33_trump_shift_makes_the_next_suit_trump_for_this_round(self) -> None:
        game = position("2♥ 3♦", "4♠ Joker", jokers=1, joker_mode="trump_shift", first=1)
        assert [game.takes(f"Joker>{suit}") for suit in SUITS] == [True, False, False, False]
        game.play("Joker>♥")
        assert game.table.trump == 1 and game.table.seat[1].count == [0, 0, 0, 0]
        assert game.takes("3♦>♠") and game.takes("2♥") and not game.takes("2♥>♠")
        game.play("1", "1")
        assert game.told(ROUND)[-1][1] == 1  # as without a joker

    def test_p33_trump_strength_is_that_of_the_moment(self) -> None:
        game = position("2♥ 3♦", "Joker 3♥", jokers=1, joker_mode="trump_shift", trump_strength="5")
        game.play("2♥", "Joker>♥", "3♦", "3♥")
        assert game.sums == [[7, 8, 0, 0], [3, 0, 0, 0]]

    def test_p33_rebet_changes_a_bet_for_a_joker_in_the_order_of_bets(self) -> None:
        game = position("2♠ Joker", "2♣ Joker2", jokers=2, joker_mode="rebet", asks=(REBET,), first=1)
        assert not game.takes("Joker2>♥")
        game.play("2♣", "2♠", "1", "1")
        assert game.asked == (REBET, 1) and not game.takes("0") and not game.takes("3") and game.takes("1")
        assert game.play("2").asked == (REBET, 0)
        assert game.table.seat[1].bet == 2 and game.cards == [1, 0]
        game.play("keep")
        assert game.told(REBETS) == [(1, 2)] and game.right == {1} and game.sizes(DREW) == [8, 9]

    def test_p33_rebet_leaves_taken_numbers_taken(self) -> None:
        game = position("Joker", "2♣", jokers=1, joker_mode="rebet", asks=(REBET,), exclusive_bets="true")
        game.play("2", "1")
        assert game.asked == (REBET, 0) and not game.takes("1") and game.takes("keep")

    def test_p33_insurance_lets_a_wrong_bet_draw_as_if_right(self) -> None:
        game = position("Joker", "2♣ Joker2", jokers=2, joker_mode="insurance", draw_table="13,5")
        assert not game.takes("Joker>♥")
        game.play("2", "2♣", "1")
        assert game.told(INSURED) == [(0, 52)] and game.right == {1}
        assert game.sizes(DREW) == [5, 13] and game.cards == [5, 14]

    def test_p33_insurance_of_a_number_above_the_players_draws_as_wrong(self) -> None:
        rules = {"jokers": 1, "joker_mode": "insurance", "bets_allowed": "all"}
        game = position("Joker", "2♣", **rules).play("4", "1")
        assert game.told(INSURED) == [(0, 52)] and game.sizes(DREW) == [8, 8]

    def test_p33_insurance_is_not_given_up_in_the_last_round(self) -> None:
        game = position("Joker", "2♣", jokers=1, joker_mode="insurance", rounds=1).play("2", "1")
        assert game.told(INSURED) == [] and game.asked is None


class TestSetUp:
    @pytest.mark.parametrize("hand", range(1, 14))
    @pytest.mark.parametrize("players", [2, 4])
    def test_p34_cards_dealt(self, players: int, hand: int) -> None:
        read = read_rules(Rules, "paris", {"initial_hand": hand})
        table, hidden = plain_record(GAME.table(players, read)), plain_record(GAME.hidden(players))
        GAME.prepare(table.rules, players, read)
        shuffler = plain_record(SHUFFLER)
        with np.errstate(over="ignore"):
            open_shuffler(shuffler, np.uint64(hand))
            deal(table, hidden, shuffler)
        hands = [part.cards for part in hidden.hand]
        assert [cards.bit_count() for cards in hands] == [hand] * players == [seat.cards for seat in table.seat]
        assert sum(hands).bit_count() == hand * players
        for column, pile in enumerate(hidden.pile):
            assert sorted(pile.cards[:8]) == [4 * rank + column for rank in (0, *range(6, 13))]

    @pytest.mark.parametrize("players", [1, 5])
    def test_p34_two_to_four_players(self, players: int) -> None:
        with pytest.raises(UsageError, match="paris takes 2 to 4 players"):
            make_cell("paris", players, 1, "random")


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"draw_table": "9,9"}, "at 3 players it takes 3 numbers, one for each bet"),
        ({"draw_table": "9,9,9,9"}, "at 3 players it takes 3 numbers, one for each bet"),
        ({"draw_table": "9,-1,9"}, "rule draw_table = 9,-1,9: it takes"),
        ({"draw_table": "9,21,9"}, "rule draw_table = 9,21,9: it takes"),
        ({"draw_table": "T8"}, "rule draw_table = T8: it takes"),
        ({"wrong_draw": "13"}, "rule wrong_draw = 13: it takes"),
        ({"rounds": 9}, "the piles have 8 point cards, unless empty_column = bottom"),
        ({"rounds": 13}, "rule rounds = 13: it takes"),
        ({"rounds": 0}, "rule rounds = 0: it takes"),
        ({"empty_column": "bottom"}, "set rounds above 8"),
        ({"empty_column": "bottom", "rounds": 8}, "set rounds above 8"),
        ({"exclusive_bets": "true", "bets": "hidden"}, "nobody can see which bets are taken"),
        ({"joker_mode": "cancel"}, "there are no jokers; set jokers = 1 or 2"),
        ({"jokers": 3}, "rule jokers = 3: it takes"),
        ({"jokers": 1, "joker_mode": "trump_shift", "trump_order": "none"}, "there is no trump"),
        ({"trump_strength": "2", "trump_order": "none"}, "there is no trump while trump_order = none"),
        ({"mulligan_first_round": "true", "mulligan_cost": "none"}, "hands may not be changed"),
        ({"discard_choice": "random", "discard": "all"}, "nothing is left to chance while discard = all"),
        ({"discard_choice": "random", "discard": "none"}, "nothing is left to chance while discard = none"),
        ({"marker_cap": 0}, "rule marker_cap = 0: it takes"),
        ({"initial_hand": 14}, "rule initial_hand = 14: it takes"),
        ({"wrong": 1}, "paris has no rule"),
    ],
    ids=str,
)
def test_rules_that_make_no_sense_are_refused_with_a_sentence(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_cell("paris", 3, 1, "random", rules)
    assert sentence in str(refused.value)
