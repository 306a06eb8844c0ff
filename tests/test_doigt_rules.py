"""The rules of Jeu du doigt, one at a time: every rule matters, and positions end as the rule sheet says."""

from typing import Any

import numpy as np
import pytest

from simcore.api import make_cell
from simcore.cards import card_name, card_number
from simcore.contract import NONE, WHOLE, event
from simcore.engine import run
from simcore.games.doigt import ANNOUNCE, GAME, start_round
from simcore.games.doigt_rules import Rules
from simcore.plain import plain_record, rebuild
from simcore.replay import replay
from simcore.rules import read_rules, settings

# ---------------------------------------------------------------- every rule matters

NUMBERS_TRIED = {"max_attempts": (1, 5)}  # of rules with too many values to try them all

# rule: number of players, and what else must be played for it to show
WHERE: dict[str, tuple[int, dict[str, Any]]] = {
    "deck_rule": (4, {}),
    "fingers_2p": (2, {}),
    "fingers_per_player": (3, {}),
    "setup_jq": (4, {}),
    "after_success": (4, {}),
    "forbid_impossible_call": (4, {}),
    "announcer_plays": (4, {}),
    "king_zero_theft": (4, {}),
    "zero_is_even": (4, {}),
    "max_thefts": (5, {}),
    "theft_replacement": (5, {}),
    "empty_pack": (5, {}),
    "heart_bonus": (4, {}),
    "heart_chain": (4, {}),
    "extra_bonus": (4, {}),
    "bonus_scale": (4, {}),
    "steal": (4, {}),
    "no_repeat_call": (4, {}),
    "end_rule": (4, {}),
    "max_attempts": (4, {}),
    "on_cap": (4, {"max_attempts": 5}),
    "tie": (4, {}),
}


def other_values() -> list[tuple[str, Any]]:
    """Every rule with each value that is not its default."""
    found = []
    for name, (default, setting) in settings(Rules).items():
        values = [option.name for option in setting.options] or list(range(setting.least, setting.most + 1)[:10])
        found += [(name, value) for value in NUMBERS_TRIED.get(name, values) if value != default]
    return found


def rows(players: int, rules: dict[str, Any], games: int = 4000) -> np.ndarray:
    found: list[np.ndarray] = []
    cell = make_cell("doigt", players, games, "random", rules, seed=3)
    run(cell, rows=lambda first, rows: found.append(rows.copy()))
    return np.concatenate(found)


@pytest.mark.parametrize(("name", "value"), other_values(), ids=str)
def test_every_value_of_every_rule_changes_games(name: str, value: Any) -> None:
    assert name in WHERE, f"say in WHERE at which table the rule {name} shows"
    players, also = WHERE[name]
    default, other = rows(players, also), rows(players, {**also, name: value})
    assert default.shape == other.shape and (default != other).any()


def test_a_rule_for_two_players_changes_nothing_at_four_and_the_reverse() -> None:
    assert (rows(4, {}, 500) == rows(4, {"fingers_2p": 1}, 500)).all()
    assert (rows(2, {}, 500) == rows(2, {"fingers_per_player": 2}, 500)).all()
    assert (rows(5, {}, 500) == rows(5, {"deck_rule": "always40"}, 500)).all()


# ---------------------------------------------------------------- positions

QUIET = {event: lambda kind, seat, value: None}
begin, is_over, is_legal, finish = (rebuild(f, QUIET) for f in (start_round, GAME.is_over, GAME.is_legal, GAME.finish))


class NothingSaidError(Exception):
    """Somebody is to announce, and the test has not said what."""


class Position:
    """A table in the middle of a game, played on by the real rules in plain Python."""

    def __init__(self, centre: str, packs: list[str], pile: str, rules: dict[str, Any], turn: int) -> None:
        self._said: tuple[int, tuple[int, ...]] | None = None
        self.asked: int | None = None  # who is to announce; nobody when the game is over
        read, players = read_rules(Rules, "doigt", rules), len(packs)
        self.table: Any = plain_record(GAME.table(players, read))
        self._hidden: Any = plain_record(GAME.hidden(players))
        GAME.prepare(self.table.rules, players, read)
        fill(self._hidden.pile, f"{centre} {pile}")
        for seat, pack, cards in zip(self.table.seat, self._hidden.pack, packs, strict=True):
            fill(pack, cards)
            seat.cards = pack.end
            seat.top = NONE if cards.startswith(("J", "Q")) else pack.cards[0]
        self._all_cards = len(f"{centre} {pile} {' '.join(packs)}".split())
        self._turn = rebuild(GAME.turns(self._choose, True), QUIET)
        self.table.announcer = turn
        begin(self.table, self._hidden)
        self._play()

    def _choose(self, point: int, table: Any, seat: int, hand: Any, seats: Any) -> int:
        if point == ANNOUNCE:
            if self._said is None:
                self.asked = seat
                raise NothingSaidError
            call, self._left = self._said
            self._said = None
            return call << 2 | self._left[seat]
        return self._left[seat]

    def announce(self, call: int, *left: int) -> "Position":
        """Whose turn it is announces `call`; `left`: the fingers that each seat leaves on the card."""
        assert self.asked is not None, "the game is over"
        assert self.may_announce(call, left[self.asked])
        self._said = (call, left)
        self._play()
        return self

    def _play(self) -> None:
        self.asked = None
        try:
            while not self.over:
                self._turn(self.table, self._hidden, None)
        except NothingSaidError:
            pass
        in_centre = 0 if self.over else 1 + self.face_down
        in_packs = sum(len(pack.split()) for pack in self.packs)
        assert in_packs + in_centre + self.table.pile + self.table.lost == self._all_cards
        assert [seat.cards for seat in self.table.seat] == [len(pack.split()) for pack in self.packs]

    def may_announce(self, call: int, left: int) -> bool:
        return bool(is_legal(ANNOUNCE, self.table, None, self.asked, call << 2 | left))

    @property
    def over(self) -> bool:
        return bool(is_over(self.table))

    @property
    def centre(self) -> str:
        return card_name(self.table.centre)

    @property
    def face_down(self) -> int:
        return self.table.face_down

    @property
    def pile(self) -> str:
        """The cards of the pile, top first, without those that lie face down beside the centre card."""
        cards = cards_in(self._hidden.pile)
        return " ".join(cards[len(cards) - self.table.pile :])

    @property
    def packs(self) -> list[str]:
        return [" ".join(cards_in(pack)) for pack in self._hidden.pack]

    @property
    def tops(self) -> list[str]:
        return ["-" if seat.top == NONE else card_name(seat.top) for seat in self.table.seat]

    @property
    def result(self) -> Any:
        outcome = plain_record(GAME.outcome(len(self.packs)))
        finish(self.table, self._hidden, outcome)
        return outcome


def fill(part: Any, cards: str) -> None:
    part.first, part.end = 0, len(cards.split())
    for place, card in enumerate(cards.split()):
        part.cards[place] = card_number(card)


def cards_in(part: Any) -> list[str]:
    return [card_name(part.cards[place & 63]) for place in range(part.first, part.end)]


def position(centre: str, packs: list[str], pile: str, turn: int = 0, **rules: Any) -> Position:
    """A centre card turned up with seat `turn` to announce; packs and pile are written top card first."""
    return Position(centre, packs, pile, rules, turn)


FOUR = ["A♠", "A♦", "A♣", "K♦"]  # packs for tests that are about other things


class TestAnnouncement:
    def test_a_right_number_wins_the_centre_card_which_goes_under_the_pack(self) -> None:
        game = position("4♠", FOUR, "3♠ 2♠").announce(2, 1, 1, 0, 0)
        assert game.packs == ["A♠ 4♠", "A♦", "A♣", "K♦"]
        assert game.centre == "3♠" and game.pile == "2♠"

    def test_the_announcers_own_finger_counts(self) -> None:
        assert position("4♠", FOUR, "3♠ 2♠").announce(2, 0, 1, 1, 0).packs[0] == "A♠ 4♠"
        assert position("4♠", FOUR, "3♠ 2♠").announce(2, 1, 1, 1, 0).packs[0] == "A♠"

    def test_a_wrong_number_leaves_the_card_where_it_is(self) -> None:
        game = position("4♠", FOUR, "3♠ 2♠").announce(2, 1, 1, 1, 0)
        assert game.packs == FOUR and game.centre == "4♠" and game.pile == "3♠ 2♠"

    def test_d5_the_turn_passes_after_a_right_number(self) -> None:
        assert position("4♠", FOUR, "3♠ 2♠", turn=1).announce(0, 0, 0, 0, 0).asked == 2

    def test_d5_the_turn_passes_after_a_wrong_number(self) -> None:
        assert position("4♠", FOUR, "3♠ 2♠", turn=3).announce(1, 0, 0, 0, 0).asked == 0

    def test_d24_everybody_sees_what_everybody_did_while_others_announced(self) -> None:
        game = position("4♠", FOUR, "3♠ 2♠")
        for left in ((1, 0, 1, 1), (0, 1, 0, 1), (1, 1, 1, 0)):  # seats 0, 1 and 2 announce 4, which is wrong
            game.announce(4, *left)
        seats = game.table.seat
        assert [seat.left for seat in seats] == [0 + 1, 0 + 1, 1 + 0, 1 + 1 + 0]
        assert [seat.past for seat in seats] == [0b0001, 0b0001, 0b0100, 0b010100]  # two bits a choice, latest last
        assert [seat.announced for seat in seats] == [1, 1, 1, 0]
        assert (game.table.last_call, game.table.attempts) == (4, 3)

    def test_d7_a_number_that_cannot_win_may_be_announced(self) -> None:
        assert position("4♠", FOUR, "3♠").may_announce(0, 1)
        assert position("4♠", FOUR, "3♠").may_announce(4, 0)
        strict = position("4♠", FOUR, "3♠", forbid_impossible_call="true")
        assert not strict.may_announce(0, 1) and not strict.may_announce(4, 0) and strict.may_announce(4, 1)

    def test_d6_numbers_go_from_0_to_the_fingers_on_the_card(self) -> None:
        for players, highest in ((2, 4), (3, 3), (4, 4), (5, 5)):
            game = position("2♠", ["A♠", "A♦", "A♣", "K♦", "K♣"][:players], "3♠")
            assert [game.may_announce(call, 0) for call in (-1, 0, highest, highest + 1)] == [False, True, True, False]

    def test_d2_two_players_have_two_fingers_each(self) -> None:
        game = position("7♠", ["A♠", "K♦"], "2♠ 6♠")
        assert game.may_announce(3, 2) and not game.may_announce(3, 3)
        assert game.announce(3, 2, 1).packs[0] == "A♠ 7♠ 2♠"

    def test_d8_variant_the_announcer_has_no_finger_on_the_card(self) -> None:
        game = position("4♠", FOUR, "3♠ 2♠", announcer_plays="false")
        assert game.may_announce(3, 0) and not game.may_announce(4, 0) and not game.may_announce(3, 1)
        assert game.announce(2, 0, 1, 1, 0).packs[0] == "A♠ 4♠"

    def test_variant_the_number_last_announced_on_the_card_is_forbidden(self) -> None:
        game = position("4♠", FOUR, "3♠ 2♠", no_repeat_call="true").announce(2, 0, 0, 0, 0)
        assert not game.may_announce(2, 0) and game.may_announce(0, 0)
        assert game.announce(0, 0, 0, 0, 0).may_announce(0, 0)  # it is another card now

    def test_d5_variants_of_who_announces_first(self) -> None:
        again = position("4♠", FOUR, "3♠ 2♠", turn=1, after_success="winner_again")
        assert again.announce(0, 0, 0, 0, 0).asked == 1
        robin = position("4♠", FOUR, "3♠ 2♠", after_success="round_robin_start")
        assert robin.announce(1, 0, 0, 0, 0).announce(1, 0, 0, 0, 0).announce(0, 0, 0, 0, 0).asked == 1


class TestExtraCard:
    @pytest.mark.parametrize(
        ("centre", "wins"),
        [("K♠", {0}), ("A♠", {1}), ("2♠", {2}), ("3♠", {3}), ("4♠", {4}), ("5♠", {5}), ("6♠", {0, 2, 4})]
        + [("7♠", {1, 3, 5}), ("J♠", set()), ("Q♠", set())],
    )
    def test_which_numbers_win_an_extra_card(self, centre: str, wins: set[int]) -> None:
        packs = ["A♠", "J♦", "J♣", "J♥", "Q♣"]  # nobody can be robbed
        for call in range(6):
            game = position(centre, packs, "2♣ 3♣ 4♣").announce(call, *[1] * call, *[0] * (5 - call))
            assert game.packs[0] == (f"A♠ {centre} 2♣" if call in wins else f"A♠ {centre}")

    def test_d10_variant_zero_is_not_even(self) -> None:
        game = position("6♠", FOUR, "3♠ 2♠", zero_is_even="false").announce(0, 0, 0, 0, 0)
        assert game.packs[0] == "A♠ 6♠"

    def test_d20_there_is_no_extra_card_when_the_pile_is_empty(self) -> None:
        game = position("7♠", FOUR, "").announce(1, 1, 0, 0, 0)
        assert game.packs[0] == "A♠ 7♠" and game.result.extras == 0

    def test_d26_an_extra_jack_goes_under_the_pack_and_does_nothing(self) -> None:
        game = position("7♠", FOUR, "J♠ 2♠").announce(1, 1, 0, 0, 0)
        assert game.packs == ["A♠ 7♠ J♠", "A♦", "A♣", "K♦"]

    def test_variants_of_how_many(self) -> None:
        assert position("7♠", FOUR, "2♣ 3♣ 4♣", extra_bonus=2).announce(1, 1, 0, 0, 0).packs[0] == "A♠ 7♠ 2♣ 3♣"
        assert position("7♠", FOUR, "2♣ 3♣ 4♣", extra_bonus=0).announce(1, 1, 0, 0, 0).packs[0] == "A♠ 7♠"
        assert position("6♠", FOUR, "2♣ 3♣ 4♣", bonus_scale="true").announce(0, 0, 0, 0, 0).packs[0] == "A♠ 6♠ 2♣ 3♣"
        assert position("6♠", FOUR, "2♣ 3♣ 4♣", bonus_scale="true").announce(2, 1, 1, 0, 0).packs[0] == "A♠ 6♠ 2♣"


class TestHearts:
    def test_a_card_is_placed_face_down_beside_a_heart_and_won_with_it(self) -> None:
        game = position("4♥", FOUR, "3♥ 2♠ 6♠")
        assert game.face_down == 1 and game.pile == "2♠ 6♠"  # D18: the second heart brings no third card
        assert game.announce(2, 1, 1, 0, 0).packs[0] == "A♠ 4♥ 3♥"

    def test_it_stays_while_nobody_wins(self) -> None:
        game = position("4♥", FOUR, "3♥ 2♠ 6♠").announce(1, 0, 0, 0, 0).announce(0, 0, 0, 0, 0)
        assert game.packs == ["A♠", "A♦ 4♥ 3♥", "A♣", "K♦"]

    def test_d17_the_extra_card_comes_after_the_face_down_card(self) -> None:
        assert position("7♥", FOUR, "3♥ 2♠ 6♠").announce(1, 1, 0, 0, 0).packs[0] == "A♠ 7♥ 3♥ 2♠"

    def test_d17_a_jack_of_hearts_brings_a_card_and_steals(self) -> None:
        game = position("J♥", FOUR, "3♥ 2♠ 6♠").announce(0, 0, 0, 0, 0)
        assert game.packs[0] == "A♠ J♥ 3♥ K♦"

    def test_d19_a_heart_with_an_empty_pile_is_played_alone(self) -> None:
        game = position("4♥", FOUR, "")
        assert game.face_down == 0 and not game.over
        assert game.announce(2, 1, 1, 0, 0).packs[0] == "A♠ 4♥"

    def test_d18_variants(self) -> None:
        assert position("4♥", FOUR, "3♥ 2♥ 6♠ 7♠", heart_chain="true").face_down == 3
        assert position("4♥", FOUR, "3♥ 2♥", heart_chain="true").face_down == 2
        assert position("4♦", FOUR, "3♥ 2♥").face_down == 0
        assert position("4♦", FOUR, "3♥ 2♥", heart_bonus="red").face_down == 1
        assert position("4♥", FOUR, "3♥ 2♥", heart_bonus="0").face_down == 0


class TestTheft:
    def test_a_jack_takes_the_top_card_of_every_opponent_that_matches(self) -> None:
        game = position("J♠", ["A♣", "A♠ 2♠", "3♠ A♦", "7♠ 4♠"], "6♠").announce(1, 1, 0, 0, 0)
        assert game.packs == ["A♣ J♠ A♠ 7♠", "2♠", "3♠ A♦", "4♠"]  # the 3 hides an ace; the own ace stays
        assert game.result.thefts == 2

    def test_a_queen_steals_and_a_king_in_the_centre_does_not(self) -> None:
        assert position("Q♠", FOUR, "6♠").announce(1, 1, 0, 0, 0).packs[0] == "A♠ Q♠ A♦ A♣"
        assert position("K♠", FOUR, "6♠").announce(1, 1, 0, 0, 0).packs[0] == "A♠ K♠"

    def test_a_wrong_announcement_steals_nothing(self) -> None:
        assert position("J♠", FOUR, "6♠").announce(1, 0, 0, 0, 0).packs == FOUR

    def test_d9_zero_steals_a_king(self) -> None:
        assert position("J♠", FOUR, "6♠").announce(0, 0, 0, 0, 0).packs[0] == "A♠ J♠ K♦"
        spared = position("J♠", FOUR, "6♠", king_zero_theft="false")
        assert spared.announce(0, 0, 0, 0, 0).packs[0] == "A♠ J♠"

    def test_d12_variant_only_the_richest_opponent_is_robbed_then_the_next_in_turn(self) -> None:
        richest = position("J♠", ["2♠", "A♠", "A♦ J♦", "2♣"], "6♠", max_thefts="1")
        assert richest.announce(1, 1, 0, 0, 0).packs == ["2♠ J♠ A♦", "A♠", "J♦", "2♣"]
        nearest = position("J♠", ["A♠", "2♠", "2♣", "A♦"], "6♠", turn=2, max_thefts="1")
        assert nearest.announce(1, 1, 0, 0, 0).packs == ["A♠", "2♠", "2♣ J♠ A♦", ""]

    def test_variant_without_thefts(self) -> None:
        assert position("J♠", FOUR, "6♠", steal="off").announce(1, 1, 0, 0, 0).packs[0] == "A♠ J♠"

    def test_d13_the_victim_turns_up_the_next_card_that_is_neither_jack_nor_queen(self) -> None:
        game = position("J♠", ["2♠", "A♠ Q♠ J♦ 3♠ 4♠", "2♣"], "6♠").announce(1, 1, 0, 0)
        assert game.packs[1] == "3♠ 4♠ Q♠ J♦" and game.tops[1] == "3♠"

    def test_d14_a_victim_with_nothing_to_turn_up_is_immune_until_a_card_is_won(self) -> None:
        game = position("J♠", ["2♠", "A♠ Q♠", "2♣"], "J♦ J♣ 3♠ 6♠").announce(1, 1, 0, 0)
        assert game.packs[1] == "Q♠" and game.tops[1] == "-"
        game.announce(0, 0, 0, 0)  # the victim wins a jack, which cannot lie on top
        assert game.packs[1] == "Q♠ J♦" and game.tops[1] == "-"
        game.announce(1, 0, 0, 1)  # the third player wins a jack with 1 and finds nothing to steal
        assert game.packs[2] == "2♣ J♣" and game.asked == 0
        game.announce(1, 0, 0, 0).announce(0, 0, 0, 0)  # the victim wins the 3
        assert game.tops[1] == "3♠" and game.packs[1] == "3♠ Q♠ J♦"

    def test_d14_variant_a_card_from_the_pile_replaces_the_last_one(self) -> None:
        game = position("J♠", ["2♠", "A♠ Q♠", "2♣"], "J♦ Q♣ 3♠ 6♠", empty_pack="draw_pile").announce(1, 1, 0, 0)
        assert game.packs[1] == "3♠ Q♠" and game.tops[1] == "3♠"
        assert (game.centre, game.pile) == ("6♠", "J♦ Q♣")  # which went under the pile

    def test_d14_variant_who_wins_only_jacks_and_shows_nothing_turns_up_a_card_from_the_pile(self) -> None:
        rules = {"theft_replacement": "none", "empty_pack": "draw_pile"}
        game = position("J♠", ["2♠", "A♠", "2♣"], "Q♦ 3♠ 6♠", **rules).announce(1, 1, 0, 0)
        assert game.packs[1] == "" and game.tops[1] == "-"
        game.announce(0, 0, 0, 0)
        assert game.packs[1] == "3♠ Q♦" and game.tops[1] == "3♠" and game.centre == "6♠"

    def test_d13_variants_of_what_the_victim_turns_up(self) -> None:
        packs = ["2♠", "A♠ 4♠", "2♣"]
        drawn = position("J♠", packs, "J♦ 3♠ 6♠", theft_replacement="draw_pile").announce(1, 1, 0, 0)
        assert drawn.packs[1] == "3♠ 4♠" and (drawn.centre, drawn.pile) == ("6♠", "J♦")
        bare = position("J♠", packs, "6♠ 3♠", theft_replacement="none").announce(1, 1, 0, 0)
        assert bare.packs[1] == "4♠" and bare.tops[1] == "-"
        assert bare.announce(1, 0, 1, 0).tops[1] == "4♠"

    def test_d15_the_winner_takes_centre_face_down_and_stolen_cards_in_that_order(self) -> None:
        game = position("Q♥", ["A♠", "2♠", "A♦ 3♦", "A♣ 3♣"], "7♣ 6♠", turn=1).announce(1, 0, 1, 0, 0)
        assert game.packs == ["", "2♠ Q♥ 7♣ A♠ A♦ A♣", "3♦", "3♣"]


class TestEnd:
    def test_d21_the_last_card_is_played_for_until_somebody_wins_it(self) -> None:
        game = position("4♠", FOUR, "").announce(1, 0, 0, 0, 0)
        assert not game.over and game.asked == 1
        game.announce(0, 0, 0, 0, 0)
        assert game.over and game.packs == ["A♠", "A♦ 4♠", "A♣", "K♦"]

    def test_the_game_also_ends_when_a_bonus_takes_the_last_card(self) -> None:
        game = position("7♠", FOUR, "2♠").announce(1, 1, 0, 0, 0)
        assert game.over and game.packs[0] == "A♠ 7♠ 2♠" and game.result.rounds == 1

    def test_d23_most_cards_win_counting_the_whole_pack(self) -> None:
        result = position("J♠", FOUR, "").announce(1, 1, 0, 0, 0).result
        assert result.score == [4, 0, 0, 1] and result.share == [WHOLE, 0, 0, 0] and result.tied == 0

    def test_d23_a_tie_is_shared(self) -> None:
        result = position("4♠", ["A♠", "A♦ 2♦", "A♣"], "").announce(0, 0, 0, 0).result
        assert result.share == [WHOLE // 2, WHOLE // 2, 0] and result.tied == 1

    def test_d23_variants_of_a_tie(self) -> None:
        packs = ["A♠", "A♦ 2♦", "A♣"]
        assert position("4♠", packs, "", tie="last_winner").announce(0, 0, 0, 0).result.share == [WHOLE, 0, 0]
        assert position("4♠", packs, "", tie="fewest_rounds").announce(0, 0, 0, 0).result.share == [0, WHOLE, 0]

    def test_d21_variant_the_game_stops_at_once_and_nobody_wins_the_last_cards(self) -> None:
        game = position("4♠", FOUR, "2♥ 3♥", end_rule="immediate").announce(0, 0, 0, 0, 0)
        assert game.over and game.packs[0] == "A♠ 4♠" and game.result.score == [2, 1, 1, 1]

    def test_d22_a_card_that_nobody_wins_leaves_the_game(self) -> None:
        game = position("4♥", FOUR, "3♥ 2♠ 6♠", max_attempts=2).announce(1, 0, 0, 0, 0).announce(1, 0, 0, 0, 0)
        assert game.packs == FOUR and (game.centre, game.pile) == ("2♠", "6♠")
        assert game.asked == 2 and game.table.cut_off == 1

    def test_d22_variants_of_what_happens_to_it(self) -> None:
        under = position("4♥", FOUR, "3♥ 2♠ 6♠", max_attempts=1, on_cap="bottom").announce(1, 0, 0, 0, 0)
        assert (under.centre, under.pile) == ("2♠", "6♠ 4♥ 3♥")
        assert position("4♥", FOUR, "3♥ 2♠", max_attempts=1, on_cap="abort").announce(1, 0, 0, 0, 0).over

    def test_d22_a_card_goes_under_the_pile_at_most_40_times(self) -> None:
        game = position("4♠", FOUR, "", max_attempts=1, on_cap="bottom")
        for _ in range(40):
            assert not game.announce(1, 0, 0, 0, 0).over and game.centre == "4♠"
        assert game.announce(1, 0, 0, 0, 0).over and game.packs == FOUR


# ---------------------------------------------------------------- the deck

PLAYERS = pytest.mark.parametrize(("players", "fingers", "cards"), [(2, 4, 36), (3, 3, 32), (4, 4, 36), (5, 5, 40)])


def sheet(players: int, **rules: Any) -> Any:
    """What a kernel is told about the rules."""
    read = read_rules(Rules, "doigt", rules)
    record = plain_record(GAME.table(players, read)).rules
    GAME.prepare(record, players, read)
    return record


def deck(players: int, **rules: Any) -> list[int]:
    record = sheet(players, **rules)
    return record.deck[: record.deck_size]


@PLAYERS
def test_d1_the_deck_fits_the_number_of_players(players: int, fingers: int, cards: int) -> None:
    names = [card_name(card) for card in deck(players)]
    ranks = {name[:-1] for name in names}
    assert len(names) == len(set(names)) == cards == 4 * len(ranks)
    assert ranks == set("A2367JQK") | ({"4"} if players != 3 else set()) | ({"5"} if players == 5 else set())
    assert len(deck(players, deck_rule="always40")) == 40


@PLAYERS
def test_eight_cards_answer_to_every_number(players: int, fingers: int, cards: int) -> None:
    record = sheet(players)
    assert record.fingers == fingers
    for call in range(fingers + 1):
        assert sum(record.answers[card] >> call & 1 for card in deck(players)) == 8
        assert sum(record.robbed_by[card] >> call & 1 for card in deck(players)) == 8
    assert not any(record.answers[card] >> (fingers + 1) for card in deck(players))


@PLAYERS
def test_everybody_is_dealt_a_card_that_is_neither_jack_nor_queen(players: int, fingers: int, cards: int) -> None:
    for setup in ("shuffle_back", "bottom", "removed"):
        cell = make_cell("doigt", players, 20, "random", {"setup_jq": setup}, seed=4)
        for game in range(20):
            hidden, table = replay(cell, game).deal
            tops = [card_name(pack.cards[0]) for pack in hidden.pack]
            pile = [card_name(table.centre), *cards_in(hidden.pile)]
            assert not any(card.startswith(("J", "Q")) for card in tops)
            assert len({*tops, *pile}) == len(tops) + len(pile)
            courts = sum(card.startswith(("J", "Q")) for card in pile)
            assert len(pile) == cards - players - (8 - courts)
            assert courts == 8 or setup == "removed"
