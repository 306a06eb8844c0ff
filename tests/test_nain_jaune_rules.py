"""The rules of Nain jaune, one at a time: every ruling and every value of every rule, on hands fixed by the test."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from table_nain_jaune import QUIET, Table, cards_of, deal, names_of, reckon, sheet, shuffled

from simcore.api import make_cell
from simcore.cards import RANKS, SUITS, card_name
from simcore.contract import WHOLE
from simcore.engine import run
from simcore.errors import UsageError
from simcore.games.nain_jaune import GAME, PLAY
from simcore.games.nain_jaune_rules import Rules
from simcore.games.nain_jaune_score import MOST_CHIPS
from simcore.games.nain_jaune_table import (
    BROKE,
    CUT_OFF,
    DEAL,
    DECLINED,
    FIRST,
    FIVE,
    FORGOT,
    GAVE,
    HAND,
    LEFT,
    OPERA,
    OUT,
    PAID,
    PLAYED,
    PUT,
    REFUNDED,
    SHARED,
    SITS_OUT,
    STAKED,
    STOPPED,
    SWEPT,
    TALON,
    TOOK,
)
from simcore.plain import rebuild
from simcore.replay import replay
from simcore.rules import settings

NO_STAKES = {"stakes": "0,0,0,0,0"}
NO_OPERA = {"opera": "none"}
BARE = {**NO_STAKES, **NO_OPERA}  # nothing but the payment for hands
TEN, JACK, QUEEN, KING, DWARF = BOARD = ("10♦", "J♣", "Q♠", "K♥", "7♦")

is_legal = rebuild(GAME.is_legal, QUIET)


class TestDeal:
    @pytest.mark.parametrize(
        ("players", "each", "talon"),
        [(2, 22, 8), (3, 15, 7), (4, 12, 4), (5, 9, 7), (6, 8, 4), (7, 7, 3), (8, 6, 4)],
    )
    def test_n1_n23_cards_each_and_in_the_talon(self, players: int, each: int, talon: int) -> None:
        hands, left = shuffled(players)
        assert [hand.bit_count() for hand in hands] == [each] * players and left.bit_count() == talon
        assert sum(hands) + left == (1 << 52) - 1

    @pytest.mark.parametrize("players", range(2, 9))
    def test_n1_variant_one_number_of_cards_for_all_numbers_of_players(self, players: int) -> None:
        hands, left = shuffled(players, deal_table="5")
        assert [hand.bit_count() for hand in hands] == [5] * players and left.bit_count() == 52 - 5 * players

    @pytest.mark.parametrize(("players", "each"), list(enumerate([26, 16, 10, 10, 7, 3, 1], 2)))
    def test_n1_variant_seven_numbers_for_2_to_8_players(self, players: int, each: int) -> None:
        hands, _ = shuffled(players, deal_table="26,16,10,10,7,3,1")
        assert [hand.bit_count() for hand in hands] == [each] * players

    def test_n2_the_first_player_of_the_first_deal_sits_after_the_dealer(self) -> None:
        game = deal("2♥", "3♥", "4♥")
        assert game.told(DEAL) == [(2, 0)] and game.told(FIRST) == [(0, 0)] and game.asked == 0

    def test_n2_variant_the_dealer_plays_first(self) -> None:
        game = deal("2♥", "3♥", "4♥", first_player="dealer", deals=2)
        assert game.told(DEAL) == [(0, 0)] and game.told(FIRST) == [(0, 0)] and game.asked == 0
        game.play("2♥").deal("2♥", "3♥", "4♥")
        assert game.told(DEAL)[1] == (1, 1) and game.asked == 1

    def test_n2_the_dealer_moves_one_seat_each_deal(self) -> None:
        hands = ("2♥", "3♥", "4♥")
        game = deal(*hands, deals=5)
        for first in (0, 1, 2, 0, 1):
            assert game.asked == first
            game.play(hands[first])
            if not game.over:
                game.deal(*hands)
        assert game.told(DEAL) == [(2, 0), (0, 1), (1, 2), (2, 3), (0, 4)]

    # seat 0 goes out, seat 1 pays 10, seat 2 pays 3
    @pytest.mark.parametrize(("dealer", "seat"), [("rotate", 0), ("winner", 0), ("loser", 1)])
    def test_n2_who_deals_next(self, dealer: str, seat: int) -> None:
        game = deal("2♥", "K♦", "3♥", dealer=dealer, deals=2, **BARE).play("2♥").deal("A♥", "A♦", "A♠")
        assert game.told(DEAL) == [(2, 0), (seat, 1)] and game.asked == seat + 1

    def test_n2_variant_the_winner_deals_again(self) -> None:
        game = deal("5♥ 9♣", "6♦ 7♣", "A♠ A♣", dealer="winner", deals=3).play("5♥ 6♦ 7♣")
        assert game.table.dealer == 1 and game.table.first == 2
        game.deal("5♥ 9♣", "K♦ 7♣", "2♠ A♣").play("2♠ A♣")
        assert game.table.dealer == 2 and game.table.first == 0

    def test_n2_variant_chips_lost_are_those_of_the_deal_and_stakes_count(self) -> None:
        """Seat 1 has least in all, and pays most for the hand; the dealer, seat 2, alone has staked."""
        said = {"chips": (0, -100, 0), "dealer": "loser", "deals": 2, "opera": "none"}
        assert deal("2♥", "K♦", "3♥", **said).play("2♥").table.dealer == 1
        assert deal("2♥", "K♦", "3♥", stake_by="dealer", **said).play("2♥").table.dealer == 2

    def test_n2_variant_of_equal_losers_the_lowest_seat_deals(self) -> None:
        assert deal("2♥", "K♦", "Q♦", dealer="loser", deals=2, **BARE).play("2♥").table.dealer == 1

    def test_n2_everybody_has_a_hand_of_the_deck(self) -> None:
        game = deal("2♥ 3♥", "4♥ 5♥", "6♥ 7♥")
        assert game.told(HAND) == [(0, cards_of("2♥ 3♥")), (1, cards_of("4♥ 5♥")), (2, cards_of("6♥ 7♥"))]

    def test_n24_cards_played_are_seen_by_all_until_the_next_deal(self) -> None:
        game = deal("2♥ 9♥", "3♦ 5♥", deals=2).play("2♥ 3♦")
        assert names_of(game.table.played) == "2♥ 3♦" and [seat.cards for seat in game.table.seat] == [1, 1]
        game.play("5♥").deal("A♥ 2♥", "K♦ Q♦")
        assert game.table.played == 0 and [seat.cards for seat in game.table.seat] == [2, 2]

    def seen(self, talon: str) -> list[list[int]]:
        """What everybody, then each hand, sees of the talon: during the deal, and after it."""
        game = deal("2♥", "3♥", "4♥", talon=talon, deals=2)
        found = []
        for _ in range(2):
            found.append([game.table.talon, *(hand.talon for hand in game.hidden.hand)])
            if game.asked is not None:
                game.play("2♥")
        game.deal("2♦", "3♦", "4♦")
        assert game.table.talon == 0
        return found

    def test_n25_nobody_sees_the_talon(self) -> None:
        assert self.seen("hidden") == [[0, 0, 0, 0]] * 2

    def test_n25_variant_it_is_shown_when_the_deal_is_over(self) -> None:
        left = (1 << 52) - 1 ^ cards_of("2♥ 3♥ 4♥")
        assert self.seen("shown_at_end") == [[0, 0, 0, 0], [left, 0, 0, 0]]
        assert deal("2♥", "3♥", "4♥", talon="shown_at_end").play("2♥").told(TALON) == [(0, left)]

    def test_n25_variant_the_dealer_alone_sees_it(self) -> None:
        left = (1 << 52) - 1 ^ cards_of("2♥ 3♥ 4♥")
        assert self.seen("dealer_sees") == [[0, 0, 0, left]] * 2


class TestStakes:
    def test_n18_everybody_stakes_1_2_3_4_5_before_every_deal(self) -> None:
        game = deal("2♥", "3♥", "4♥", deals=2)
        assert game.pots == [3, 6, 9, 12, 15] and game.chips == [-15] * 3
        game.play("2♥").deal("2♥", "3♥", "4♥")
        assert game.told(STAKED) == 2 * [(0, 15), (1, 15), (2, 15)]

    def test_n18_variant_the_dealer_alone_stakes_once(self) -> None:
        game = deal("2♥", "3♥", "4♥", deals=2, stake_by="dealer", **NO_OPERA)
        assert game.pots == [1, 2, 3, 4, 5] and game.chips == [0, 0, -15]
        game.play("2♥").deal("2♥", "3♥", "4♥")
        assert game.pots == [2, 4, 6, 8, 10] and game.told(STAKED) == [(2, 15), (0, 15)]

    @pytest.mark.parametrize("stakes", ["1,2,3,4,5", "3,3,3,3,3", "5,4,3,2,1", "0,0,0,0,1000", "0,0,0,0,0"])
    def test_n18_stakes_in_the_order_of_the_board(self, stakes: str) -> None:
        each = [int(stake) for stake in stakes.split(",")]
        game = deal("2♥", "3♥", stakes=stakes)
        assert game.pots == [2 * stake for stake in each] and game.chips == [-sum(each)] * 2

    @pytest.mark.parametrize("times", [1, 2, 7, 100])
    def test_n27_times_the_stakes(self, times: int) -> None:
        game = deal("2♥", "3♥", stake_mult=times)
        assert game.pots == [2 * times * stake for stake in (1, 2, 3, 4, 5)] and game.chips == [-15 * times] * 2

    def test_pots_are_counted_when_play_begins(self) -> None:
        game = deal("2♥", "3♥", pots={DWARF: 7}, deals=2, **NO_OPERA).play("2♥").deal("2♥", "3♥").play("3♥")
        assert game.outcome.pots == [2 + 4, 4 + 8, 6 + 12, 8 + 16, 17 + 27]


class TestPlay:
    HAND, OTHER = "5♥ 2♠ 2♣ K♦", "8♥ 8♦ 8♠ 8♣"

    @pytest.mark.parametrize(("first_lead", "legal"), [("free", "2♠ 2♣ 5♥ K♦"), ("lowest", "2♠ 2♣"), ("highest", "K♦")])
    def test_n3_which_card_may_open_a_deal(self, first_lead: str, legal: str) -> None:
        game = deal(self.HAND, self.OTHER, first_lead=first_lead)
        assert game.legal == legal and game.follows == ""

    @pytest.mark.parametrize(
        ("first_lead", "opens", "legal"), [("lowest", "2♣", "2♠ 5♥ K♦"), ("highest", "K♦", "2♠ 2♣ 5♥")]
    )
    def test_n3_variant_later_leads_are_free(self, first_lead: str, opens: str, legal: str) -> None:
        assert deal(self.HAND, self.OTHER, first_lead=first_lead).play(opens).legal == legal

    def test_n3_variant_every_deal_is_opened_so(self) -> None:
        for first_lead, opens, legal in (("lowest", "A♥ 2♥", "3♠"), ("highest", "2♥ A♥", "9♦")):
            game = deal("A♥ 2♥", "8♥ K♥", first_lead=first_lead, deals=2).play(opens).deal("A♦ 2♦", "9♦ 3♠")
            assert game.asked == 1 and game.legal == legal

    def test_n4_who_can_go_on_must(self) -> None:
        game = deal("2♥ 3♥ 9♥", "3♦ 5♦ 9♦").play("2♥")
        assert game.asked == 0 and game.legal == "3♥" and game.follows == "3"

    def test_n4_variant_who_can_go_on_may_keep_the_card(self) -> None:
        game = deal("2♥ 3♥ 9♥", "3♦ 5♦ 9♦", compulsory="false").play("2♥")
        assert game.asked == 0 and game.legal == "3♥ pass"
        game.play("pass")
        assert game.asked == 1 and game.legal == "3♦ pass" and game.follows == "3"
        assert game.play("3♦").asked == 1 and game.legal == "5♦ 9♦"  # nobody has a 4

    def test_n5_the_next_in_turn_who_has_the_rank_must_play_it(self) -> None:
        game = deal("3♥ 9♥", "9♦ K♦", "4♠ 9♠", "4♣ 9♣").play("3♥")
        assert game.asked == 2 and game.legal == "4♠" and game.follows == "4"

    def test_n5_the_turn_passes_on_past_the_last_seat(self) -> None:
        game = deal("3♥ 5♥", "9♦ K♦", "4♠ 9♠").play("3♥ 4♠")
        assert game.asked == 0 and game.legal == "5♥"

    def test_n5_who_is_passed_over_is_known_to_have_none(self) -> None:
        game = deal("3♥ 9♥ 9♠", "9♦ K♦ K♠", "4♠ 6♦ 8♠", deals=2).play("3♥")
        assert game.without("4") == [0, 1] and game.without("5") == []
        game.play("4♠")
        assert game.without("5") == [0, 1, 2] and game.asked == 2
        game.play("6♦ 8♠").deal("2♥ 2♦ 2♠", "3♥ 3♦ 3♠", "4♥ 4♦ 4♠")
        assert [game.without(rank) for rank in RANKS] == [[]] * 13

    @pytest.mark.parametrize("rules", [{"stop_rule": "skip_rank"}, {"wrap": "true"}, {"forget_prob": 1}], ids=str)
    def test_n5_it_is_known_in_the_variants_too(self, rules: dict[str, Any]) -> None:
        game = deal("3♥ 9♥", "9♦ K♦", "4♠ 6♦", **rules).play("3♥")
        assert game.without("4") == [0, 1]
        assert game.play("4♠").without("5") == [0, 1, 2]

    def test_n5_variant_nothing_is_known_when_cards_may_be_kept(self) -> None:
        game = deal("3♥ 9♥", "9♦ K♦", "4♠ 9♠", compulsory="false").play("3♥ 4♠")
        assert [game.without(rank) for rank in RANKS] == [[]] * 13

    def test_n4_variant_when_all_keep_it_the_last_player_leads(self) -> None:
        game = deal("2♥ 3♥ 9♥", "3♦ 5♦ 9♦", "3♣ 5♣ 9♣", compulsory="false").play("2♥ pass pass pass")
        assert game.asked == 0 and game.follows == "" and game.legal == "3♥ 9♥"
        assert game.told(DECLINED) == [(0, 2), (1, 2), (2, 2)] and game.told(STOPPED) == [(0, 2)]

    def test_n4_variant_only_who_has_the_rank_is_asked(self) -> None:
        game = deal("2♥ 9♥", "4♦ 9♦", "3♣ 9♣", compulsory="false").play("2♥")
        assert game.asked == 2 and game.legal == "3♣ pass"

    def test_n4_variant_a_lead_is_never_kept(self) -> None:
        game = deal("2♥ 9♥", "3♦ 9♦", compulsory="false")
        assert game.legal == "2♥ 9♥"
        assert game.play("2♥ pass").legal == "9♥"

    def test_n6_the_owner_chooses_among_cards_of_a_rank(self) -> None:
        game = deal("6♥ 7♦ 7♠ K♣", "8♥ 9♥ 10♥ J♥").play("6♥")
        assert game.legal == "7♦ 7♠"
        assert game.play("7♠").asked == 1 and game.hidden.hand[0].cards == cards_of("7♦ K♣")

    def test_n6_suits_do_not_matter(self) -> None:
        game = deal("A♥ 2♦ 3♠ 4♣", "5♥ 9♥ 9♠ 9♣").play("A♥ 2♦ 3♠ 4♣")
        assert game.over

    def test_n7_when_nobody_has_the_rank_the_last_player_leads_any_card(self) -> None:
        game = deal("3♥ 9♥ 9♦", "4♠ 9♠ K♦").play("3♥ 4♠")
        assert game.asked == 1 and game.legal == "9♠ K♦" and game.follows == ""
        assert game.told(STOPPED) == [(1, 4)]

    def test_n7_variant_the_missing_rank_is_skipped(self) -> None:
        game = deal("3♥ 9♥", "6♦ 9♦", "5♠ 9♠", stop_rule="skip_rank").play("3♥")
        assert game.asked == 2 and game.legal == "5♠" and game.follows == "5"
        assert game.told(STOPPED) == [(0, 3)]
        assert game.play("5♠").asked == 1 and game.legal == "6♦"

    def test_n7_variant_the_rank_after_it_is_asked_of_the_last_player_first(self) -> None:
        game = deal("3♥ 5♥ 9♥", "5♦ 9♦ K♦", stop_rule="skip_rank").play("3♥")
        assert game.asked == 0 and game.legal == "5♥"

    def test_n7_variant_several_missing_ranks_are_several_stops(self) -> None:
        game = deal("3♥ A♥", "8♦ K♦", stop_rule="skip_rank", **NO_OPERA).play("3♥")
        assert game.asked == 1 and game.legal == "8♦" and game.told(STOPPED) == [(0, rank) for rank in (3, 4, 5, 6)]
        game.play("8♦ K♦")
        assert game.outcome.stops == 4 + 4 and game.outcome.leads == 1

    def test_n7_variant_kept_cards_are_skipped_too(self) -> None:
        game = deal("3♥ 4♥ 5♥", "4♦ 9♦ K♦", stop_rule="skip_rank", compulsory="false").play("3♥ pass pass")
        assert game.asked == 0 and game.legal == "5♥ pass" and game.told(STOPPED) == [(0, 3)]

    def test_n8_after_a_king_its_player_leads_and_it_is_no_stop(self) -> None:
        game = deal("Q♥ 2♥", "K♣ A♣", "A♥ 3♥").play("Q♥ K♣")
        assert game.asked == 1 and game.legal == "A♣" and game.follows == "" and game.told(STOPPED) == []
        game.play("A♣")
        assert game.outcome.leads == 2 and game.outcome.stops == 0

    def test_n8_a_missing_king_is_a_stop(self) -> None:
        game = deal("Q♥ 2♥", "4♣ A♣").play("Q♥")
        assert game.asked == 0 and game.legal == "2♥" and game.told(STOPPED) == [(0, 12)]

    @pytest.mark.parametrize(("card", "stops"), [("J♥", [(0, 11), (0, 12)]), ("K♦", [])])
    def test_n8_variant_past_the_king_nothing_is_skipped(self, card: str, stops: list[tuple[int, int]]) -> None:
        game = deal(f"{card} 2♥", "A♣ 4♣", stop_rule="skip_rank").play(card)
        assert game.asked == 0 and game.legal == "2♥" and game.follows == "" and game.told(STOPPED) == stops

    def test_n9_aces_do_not_follow_kings(self) -> None:
        game = deal("K♦ A♥ 3♥", "A♣ 2♣ 4♣").play("K♦")
        assert game.follows == "" and game.legal == "A♥ 3♥"

    def test_n9_variant_aces_follow_kings(self) -> None:
        game = deal("K♦ 2♥", "A♣ 3♣", wrap="true").play("K♦")
        assert game.asked == 1 and game.legal == "A♣" and game.follows == "A"
        assert game.play("A♣").asked == 0 and game.legal == "2♥"

    def test_n9_variant_a_missing_ace_is_a_stop(self) -> None:
        game = deal("K♦ 2♥", "9♣ 3♣", wrap="true").play("K♦")
        assert game.asked == 0 and game.follows == "" and game.told(STOPPED) == [(0, 0)]

    def test_n9_variant_ranks_are_skipped_past_the_king(self) -> None:
        game = deal("Q♦ 9♥", "9♣ 2♣", wrap="true", stop_rule="skip_rank").play("Q♦")
        assert game.asked == 1 and game.legal == "2♣" and game.told(STOPPED) == [(0, 12), (0, 0)]

    def test_n9_variant_the_same_rank_comes_last(self) -> None:
        game = deal("9♥ 9♦", "9♠ 9♣", wrap="true", stop_rule="skip_rank").play("9♥")
        assert game.asked == 0 and game.legal == "9♦" and len(game.told(STOPPED)) == 12

    def test_n9_variant_when_all_ranks_are_kept_the_last_player_leads(self) -> None:
        """After an ace: 2, 3, 9, 10 and king are held, and kept; so are 4 to 8, jack, queen and ace, by nobody."""
        free = {"compulsory": "false", "wrap": "true", "stop_rule": "skip_rank"}
        game = deal("A♥ 2♦ 9♠", "3♣ K♥ 10♦", **free).play("A♥ pass pass pass pass pass")
        assert game.asked == 0 and game.follows == "" and game.legal == "2♦ 9♠"
        assert len(game.told(STOPPED)) == 13

    def test_n26_every_lead_plays_a_card_so_that_a_deal_ends(self) -> None:
        game = deal("2♥ 4♥ 6♥ 8♥", "2♦ 4♦ 6♦ 8♦", **NO_OPERA).play("8♥ 6♥ 4♥ 2♥")
        assert game.over and game.outcome.leads == game.outcome.plays == 4 and game.outcome.stops == 3

    def test_a_player_with_one_legal_card_is_asked(self) -> None:
        assert deal("2♥ 3♥", "4♥ 5♥").play("2♥").asked == 0

    @pytest.mark.parametrize("word", ["4♥", "9♥", "K♠", "pass"])
    def test_an_illegal_card_stops_the_game(self, word: str) -> None:
        """Another player's, one of another rank, one of the talon, and none at all."""
        game = deal("2♥ 3♥ 9♥", "4♥ 5♥ 6♥").play("2♥").cheat(word)
        assert game.table.fault == 1 and game.over and game.asked is None

    @pytest.mark.parametrize("action", [-64, -62, -1, 52, 53, 64, 64 + 4, 10**6])
    def test_no_number_outside_of_the_cards_is_legal(self, action: int) -> None:
        game = deal("2♥ 3♥", "4♥ 5♥")
        assert not is_legal(PLAY, game.table, game.hidden.hand[0], 0, action)

    def test_cards_leads_and_stops_are_counted(self) -> None:
        game = deal("3♥ 9♥ K♣", "4♠ 9♠ J♦").play("3♥ 4♠ J♦ 9♠")
        outcome = game.outcome
        assert (outcome.plays, outcome.leads, outcome.stops, outcome.deals) == (4, 3, 2, 1)
        assert game.turns == [0, 1, 1, 1] and game.told(OUT) == [(1, 0)]


FACE = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


class TestHands:
    """N10, N11: what the others pay to who goes out."""

    @pytest.mark.parametrize(
        ("hand_payment", "costs"),
        [("points10", (*FACE, 10, 10, 10)), ("points_11_12_13", (*FACE, 11, 12, 13)), ("per_card", (1,) * 13)],
    )
    def test_n10_what_a_card_costs(self, hand_payment: str, costs: tuple[int, ...]) -> None:
        for rank, cost in zip(RANKS, costs, strict=True):
            for suit in SUITS[1:]:
                game = deal("A♥", f"{rank}{suit}", hand_payment=hand_payment, **BARE).play("A♥")
                assert game.chips == [cost, -cost]

    def test_n10_everybody_pays_for_all_cards_in_seat_order(self) -> None:
        game = deal("8♥ 9♥", "A♣ K♠", "2♣ 3♣", "8♦ 10♥", **BARE).play("8♥ 9♥")
        assert game.told(PAID) == [(1, 11), (2, 5), (3, 18)] and game.chips == [34, -11, -5, -18]
        assert game.outcome.from_hands == 34

    def test_n10_cards_played_cost_nothing(self) -> None:
        game = deal("8♥ A♥ K♦", "9♣ 10♠ 3♥", "J♣ Q♦ K♣", **BARE).play("8♥ 9♣ 10♠ J♣ Q♦ K♣")
        assert game.told(OUT) == [(2, 0)] and game.chips == [-11, -3, 14]

    @pytest.mark.parametrize(
        ("opera_payment", "hand_payment", "paid"),
        [
            ("points", "points10", (11, 19)),
            ("per_card", "points10", (2, 2)),
            ("double_points", "points10", (22, 38)),
            ("points", "points_11_12_13", (14, 19)),
            ("per_card", "points_11_12_13", (2, 2)),
            ("double_points", "points_11_12_13", (28, 38)),
            ("points", "per_card", (2, 2)),
            ("per_card", "per_card", (2, 2)),
            ("double_points", "per_card", (4, 4)),
        ],
    )
    def test_n11_what_hands_cost_at_a_grand_opera(
        self, opera_payment: str, hand_payment: str, paid: tuple[int, int]
    ) -> None:
        rules = {"opera_payment": opera_payment, "hand_payment": hand_payment, **NO_STAKES}
        game = deal("2♥ 3♥", "A♣ K♠", "9♣ 10♣", **rules).play("2♥ 3♥")
        assert game.outcome.opera == 1 and game.chips == [sum(paid), -paid[0], -paid[1]]

    @pytest.mark.parametrize("opera_payment", ["points", "per_card", "double_points"])
    def test_n11_variants_change_nothing_without_a_grand_opera(self, opera_payment: str) -> None:
        game = deal("2♥ K♠", "3♥ 9♣", opera_payment=opera_payment, **NO_STAKES).play("2♥ 3♥ 9♣")
        assert game.outcome.opera == 0 and game.chips == [-10, 10]


class TestPots:
    def test_who_plays_a_marked_card_takes_what_lies_on_it(self) -> None:
        game = deal("9♥ 10♦ A♥", "J♣ Q♠ K♥", pots={TEN: 5}).play("9♥ 10♦ J♣ Q♠")
        assert game.chips == [-15 + 7, -15 + 4 + 6] and game.pots == [0, 0, 0, 8, 10]
        assert game.moved(TOOK) == [(0, 7, TEN), (1, 4, JACK), (1, 6, QUEEN)]

    def test_other_cards_of_their_ranks_and_suits_take_nothing(self) -> None:
        others = [f"{rank}{suit}" for rank in ("7", "10", "J", "Q", "K") for suit in SUITS]
        for card in [card for card in others if card not in BOARD]:
            game = deal(f"{card} A♥", "2♥ 3♥").play(card)
            assert game.pots == [2, 4, 6, 8, 10] and game.told(TOOK) == []

    @pytest.mark.parametrize(("card", "chips"), list(zip(BOARD, (2, 4, 6, 8, 10), strict=True)))
    def test_n16_a_pot_on_the_last_card_is_taken_before_hands_are_paid(self, card: str, chips: int) -> None:
        game = deal(card, "9♣", **NO_OPERA).play(card)
        assert game.chips == [-15 + chips + 9, -15 - 9]
        kinds = [kind for kind, _, _ in game.events if kind in (TOOK, OUT, PAID)]
        assert kinds == [TOOK, OUT, PAID] and sum(game.pots) == 30 - chips

    # seat 0 goes out, seat 1 holds the 7♦ and a 9, with 10 chips on the 7♦ and 5 of them its own
    @pytest.mark.parametrize(
        ("penalty", "winner", "holder", "pot"),
        [("double_pot", 0, -10, 20), ("base_stake", 0, -5, 15), ("pay_winner", 10 + 10, -10, 0), ("none", 0, 0, 10)],
    )
    def test_n12_what_a_marked_card_in_a_hand_costs(self, penalty: str, winner: int, holder: int, pot: int) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", holding_penalty=penalty, **NO_OPERA).play("2♥ 3♥")
        assert game.chips == [-15 + 16 + winner, -15 - 16 + holder] and game.pots == [2, 4, 6, 8, pot]
        assert game.outcome.doubled == [0, 0, 0, 0, 1] and game.outcome.left == [1, 1, 1, 1, 0]

    @pytest.mark.parametrize(("penalty", "due"), [("double_pot", 50), ("base_stake", 5), ("pay_winner", 50)])
    def test_n12_what_was_left_by_deals_before_counts(self, penalty: str, due: int) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", holding_penalty=penalty, pots={DWARF: 40}, **NO_OPERA).play("2♥ 3♥")
        assert game.chips[1] == -15 - 16 - due
        assert game.pots[4] == (0 if penalty == "pay_winner" else 50 + due)

    def test_n12_variant_the_base_stake_is_one_players_stake_times_stake_mult(self) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", holding_penalty="base_stake", stake_mult=3, **NO_OPERA).play("2♥ 3♥")
        assert game.chips[1] == -45 - 16 - 15 and game.pots[4] == 30 + 15

    def test_n12_variant_the_base_stake_is_due_to_a_board_that_the_dealer_fills(self) -> None:
        rules = {"holding_penalty": "base_stake", "stake_by": "dealer"}
        game = deal("2♥ 3♥", "7♦ 9♣", **rules, **NO_OPERA).play("2♥ 3♥")
        assert game.chips == [16, -15 - 16 - 5] and game.pots[4] == 5 + 5

    def test_n12_all_marked_cards_in_hands_in_the_order_of_the_board(self) -> None:
        game = deal("2♥ 3♥", "7♦ K♥", "J♣ 10♦", **NO_OPERA).play("2♥ 3♥")
        assert game.moved(PUT) == [(2, 3, TEN), (2, 6, JACK), (1, 12, KING), (1, 15, DWARF)]
        assert game.pots == [6, 12, 9, 24, 30]
        kinds = [kind for kind, _, _ in game.events if kind in (PAID, PUT)]
        assert kinds == [PAID] * 2 + [PUT] * 4

    def test_n12_variant_the_winner_gets_the_pot_and_as_much_from_the_holder(self) -> None:
        game = deal("2♥ 3♥", "7♦ K♥", "J♣ 9♦", holding_penalty="pay_winner", **NO_OPERA).play("2♥ 3♥")
        assert game.moved(GAVE) == [(2, 6, JACK), (1, 12, KING), (1, 15, DWARF)]
        assert game.moved(LEFT) == [(0, 6, JACK), (0, 12, KING), (0, 15, DWARF)]
        assert game.outcome.from_pots == 2 * (6 + 12 + 15) and game.pots == [3, 0, 9, 0, 0]

    def test_n12_a_card_that_was_played_costs_nothing(self) -> None:
        game = deal("6♥ 7♦ A♥", "8♣ 9♣ 10♥", **NO_OPERA).play("6♥ 7♦ 8♣ 9♣ 10♥")
        assert game.chips == [-15 + 10 - 1, -15 + 1] and game.told(PUT) == []

    # the 7♦ with 2 players and stakes of 5: each deal brings 10
    @pytest.mark.parametrize(
        ("cap", "penalty", "before", "due"),
        [
            ("none", "double_pot", 90, 100),
            (1, "double_pot", 0, 0),
            (2, "double_pot", 0, 10),
            (2, "double_pot", 4, 6),
            (2, "double_pot", 10, 0),
            (2, "double_pot", 90, 0),  # nothing is taken out
            (3, "double_pot", 4, 14),
            (3, "double_pot", 5, 15),
            (3, "double_pot", 6, 14),
            (1000, "double_pot", 90, 100),
            (1, "base_stake", 0, 0),
            (2, "base_stake", 0, 5),
            (2, "base_stake", 7, 3),
            (2, "base_stake", 90, 0),
        ],
    )
    def test_n12_variant_a_cap_on_what_a_penalty_brings_a_pot_to(
        self, cap: int | str, penalty: str, before: int, due: int
    ) -> None:
        rules = {"pot_cap": cap, "holding_penalty": penalty, **NO_OPERA}
        game = deal("2♥ 3♥", "7♦ 9♣", pots={DWARF: before}, **rules).play("2♥ 3♥")
        assert game.chips[1] == -15 - 16 - due and game.pots[4] == before + 10 + due
        assert game.moved(PUT) == [(1, due, DWARF)]

    def test_n12_variant_the_cap_is_in_multiples_of_what_the_dealer_stakes(self) -> None:
        rules = {"pot_cap": 3, "stake_by": "dealer", "stake_mult": 2, **NO_OPERA}
        game = deal("2♥ 3♥", "7♦ 9♣", pots={DWARF: 15}, **rules).play("2♥ 3♥")
        assert game.pots[4] == 3 * 10  # 15 + 10 + 5

    def test_n13_pots_that_nobody_took_stay_and_stakes_are_added(self) -> None:
        game = deal("2♥ 10♦", "7♦ 9♣", deals=2, **NO_OPERA).play("10♦ 2♥")
        assert game.pots == [0, 4, 6, 8, 20]
        assert game.deal("2♥ 3♥", "4♥ 5♥").pots == [2, 8, 12, 16, 30]

    def test_n13_variant_they_go_back_in_equal_parts_and_odd_chips_stay(self) -> None:
        """On the board: 3 + 2, 6, 9 + 1, 12, 15."""
        rules = {"carry_over": "refund", "deals": 2, **NO_OPERA}
        game = deal("2♥ J♣", "3♦ 9♣", "4♦ 8♣", pots={TEN: 2, QUEEN: 1}, **rules).play("J♣ 2♥")
        assert game.pots == [2, 0, 1, 0, 0]
        assert game.chips == [-15 + 6 + 24 + 13, -15 - 12 + 13, -15 - 12 + 13]
        assert game.moved(REFUNDED)[:4] == [(0, 1, TEN), (1, 1, TEN), (2, 1, TEN), (0, 3, QUEEN)]
        assert game.outcome.from_pots == 6
        assert game.deal("2♥ 3♥", "4♥ 5♥", "6♥ 7♥").pots == [5, 6, 10, 12, 15]

    def test_n13_variant_penalties_go_back_in_equal_parts_too(self) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", carry_over="refund", **NO_OPERA).play("2♥ 3♥")
        assert game.chips == [-15 + 16 + 20, -15 - 16 - 10 + 20] and game.pots == [0] * 5

    def test_n13_variant_the_dealer_who_staked_alone_gets_all_back(self) -> None:
        rules = {"carry_over": "refund", "stake_by": "dealer", **NO_OPERA}
        game = deal("2♥ J♣", "3♦ 9♣", "4♦ 8♣", pots={TEN: 4}, **rules).play("J♣ 2♥")
        assert game.chips == [2 + 24, -12, -15 - 12 + 5 + 3 + 4 + 5] and game.pots == [0] * 5

    def test_n13_variant_who_goes_out_gets_them(self) -> None:
        game = deal("2♥ J♣", "3♦ 9♣", "4♦ 8♣", carry_over="to_winner", deals=2, **NO_OPERA).play("J♣ 2♥")
        assert game.chips == [-15 + 24 + 45, -27, -27] and game.pots == [0] * 5
        assert game.moved(LEFT) == [(0, 3, TEN), (0, 9, QUEEN), (0, 12, KING), (0, 15, DWARF)]
        assert game.outcome.from_pots == 45 and game.outcome.left == [1, 0, 1, 1, 1]
        assert game.deal("2♥ 3♥", "4♥ 5♥", "6♥ 7♥").pots == [3, 6, 9, 12, 15]

    def test_n13_variant_who_goes_out_gets_the_penalties_too(self) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", carry_over="to_winner", **NO_OPERA).play("2♥ 3♥")
        assert game.chips == [-15 + 16 + 40, -15 - 16 - 10]

    def test_n17_nobody_forgets(self) -> None:
        game = deal("2♥ 10♦", "3♦ 9♣", forgets=TEN, **NO_OPERA).play("10♦ 2♥")
        assert game.told(FORGOT) == [] and game.outcome.taken == [1, 0, 0, 0, 0]

    @pytest.mark.parametrize("forget_prob", [1, 50, 100])
    def test_n17_variant_what_is_forgotten_stays_and_is_left(self, forget_prob: int) -> None:
        rules = {"forget_prob": forget_prob, "deals": 2, **NO_OPERA}
        game = deal("J♣ 10♦", "K♥ 9♣", forgets=TEN, **rules).play("10♦ J♣")
        assert game.told(FORGOT) == [(0, 37)] and game.moved(TOOK) == [(0, 4, JACK)]
        assert game.pots == [2, 0, 6, 16, 10] and game.told(PUT) == [(1, (8 << 6) + 48)]
        outcome = game.outcome
        assert (outcome.taken, outcome.doubled, outcome.left) == ([0, 1, 0, 0, 0], [0, 0, 0, 1, 0], [1, 0, 1, 0, 1])
        assert game.deal("2♥ 3♥", "10♦ 4♥").pots == [4, 4, 12, 24, 20]
        game.play("10♦ 4♥")
        assert game.moved(TOOK)[1:] == [(1, 4, TEN)] and game.outcome.taken == [1, 1, 0, 0, 0]

    def test_n17_variant_what_is_forgotten_at_a_grand_opera_is_swept(self) -> None:
        game = deal("J♣ 10♦", "2♥ 9♣", forgets=TEN, forget_prob=50).play("10♦ J♣")
        assert game.outcome.opera == 1 and game.pots == [0] * 5 and game.outcome.taken == [1] * 5
        assert game.moved(SWEPT) == [(0, 2, TEN), (0, 6, QUEEN), (0, 8, KING), (0, 10, DWARF)]

    @pytest.mark.parametrize("forget_prob", [0, 100])
    def test_n17_variant_none_or_all_are_forgotten(self, forget_prob: int) -> None:
        """With the real chance, in replays."""
        cell = make_cell("nain-jaune", 3, 20, "random", {"forget_prob": forget_prob, **NO_OPERA})
        for number in range(20):
            game = replay(cell, number)
            played = sum(kind == PLAYED and card_name(card) in BOARD for kind, _, card in game.events)
            assert played > 0 and game.outcome.pots_taken == (0 if forget_prob else played)
            assert sum(kind == FORGOT for kind, _, _ in game.events) == (played if forget_prob else 0)

    def test_taken_doubled_and_left_make_a_deal(self) -> None:
        game = deal("6♥ 7♦ 9♥", "8♣ K♥ 2♣", **NO_OPERA).play("6♥ 7♦ 8♣ 9♥")
        outcome = game.outcome
        assert (outcome.taken, outcome.doubled, outcome.left) == ([0, 0, 0, 0, 1], [0, 0, 0, 1, 0], [1, 1, 1, 0, 0])
        assert outcome.pots_taken == 1 and outcome.pots == [2, 4, 6, 8, 10]
        assert (outcome.from_pots, outcome.from_hands, outcome.income) == (10, 12, 22)
        assert outcome.pots_left == 2 + 4 + 6 + 16 and sum(outcome.score) == -28


class TestGrandOpera:
    FIRST = ("2♥ 3♥ 9♥", "4♦ 5♦ 9♦", "K♦ K♠ K♣")  # 2♥, 3♥, 4♦, 5♦: seat 1 then leads the 9♦

    def opera(self, hands: tuple[str, ...], cards: str, opera: str) -> tuple[int, list[int]]:
        """Whether it is one, and who went out."""
        game = deal(*hands, opera=opera).play(cards)
        assert game.over and len(game.told(OPERA)) == game.outcome.opera
        return game.outcome.opera, [seat for seat, _ in game.told(OUT)]

    @pytest.mark.parametrize(("opera", "is_one"), [("strict", 1), ("first_possession", 1), ("none", 0)])
    def test_n14_the_first_player_goes_out_before_the_others_have_played(self, opera: str, is_one: int) -> None:
        assert self.opera(("2♥ 3♥ K♦", "9♦ 9♣ A♦", "2♦ 3♦ A♣"), "2♥ 3♥ K♦", opera) == (is_one, [0])

    @pytest.mark.parametrize(("opera", "is_one"), [("strict", 0), ("first_possession", 1), ("none", 0)])
    def test_n14_variant_another_player_plays_all_cards_in_one_turn(self, opera: str, is_one: int) -> None:
        assert self.opera(self.FIRST, "2♥ 3♥ 4♦ 5♦ 9♦", opera) == (is_one, [1])

    @pytest.mark.parametrize("opera", ["strict", "first_possession", "none"])
    def test_n14_variant_not_in_two_turns(self, opera: str) -> None:
        hands = ("2♥ 3♥ 9♥", "4♦ 10♠ 9♦", "5♣ 6♣ 8♣")
        assert self.opera(hands, "2♥ 3♥ 4♦ 5♣ 6♣ 8♣", opera) == (int(opera == "first_possession"), [2])
        hands = ("2♥ 4♥ 9♥", "3♦ 10♦ J♦", "K♦ K♠ K♣")
        assert self.opera(hands, "2♥ 3♦ 4♥ 9♥", opera) == (0, [0])

    def test_n14_variant_who_keeps_a_card_has_not_played(self) -> None:
        game = deal("2♥ 4♥", "3♦ 9♦", compulsory="false").play("2♥ pass 4♥")
        assert game.outcome.opera == 1

    def test_n14_variant_another_player_takes_the_board_too(self) -> None:
        game = deal("9♥ A♥", "10♦ 3♣", opera="first_possession").play("9♥ 10♦ 3♣")
        assert game.outcome.opera == 1 and game.chips == [-15 - 1, -15 + 1 + 30] and game.pots == [0] * 5

    def test_n14_n15_the_winner_takes_the_board_and_marked_cards_cost_nothing(self) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣").play("2♥ 3♥")
        assert game.chips == [-15 + 16 + 30, -15 - 16] and game.pots == [0] * 5
        assert game.moved(SWEPT) == [(0, 2, TEN), (0, 4, JACK), (0, 6, QUEEN), (0, 8, KING), (0, 10, DWARF)]
        assert game.told(PUT) == [] and game.outcome.taken == [1] * 5 and game.outcome.pots_taken == 5
        assert game.outcome.from_pots == 30

    @pytest.mark.parametrize(
        ("penalty", "due"), [("double_pot", 10), ("base_stake", 5), ("pay_winner", 10), ("none", 0)]
    )
    def test_n15_variant_marked_cards_are_paid_for_then_the_pots_are_taken(self, penalty: str, due: int) -> None:
        rules = {"opera_penalty": "before_sweep", "holding_penalty": penalty}
        game = deal("2♥ 3♥", "7♦ 9♣", **rules).play("2♥ 3♥")
        assert game.chips == [-15 + 16 + 30 + due, -15 - 16 - due] and game.pots == [0] * 5
        assert game.outcome.taken == [1] * 5 and game.outcome.from_pots == 30 + due

    def test_n15_variant_nothing_changes_without_a_grand_opera(self) -> None:
        game = deal("2♥ K♠", "3♥ 9♣", opera_penalty="before_sweep").play("2♥ 3♥ 9♣")
        assert game.chips == [-15 - 10, -15 + 10] and game.pots == [2, 4, 6, 8, 10]

    FIVE = ("2♥ 3♥ 4♥ 5♥ 6♥", "10♦ J♣ Q♠ K♥ 7♦")

    def test_n14_all_marked_cards_in_one_hand_are_nothing_special(self) -> None:
        assert deal(*self.FIVE).asked == 0

    @pytest.mark.parametrize("opera", ["strict", "first_possession", "none"])
    def test_n14_variant_who_is_dealt_all_five_wins_at_once(self, opera: str) -> None:
        game = deal(*self.FIVE, opera=opera, opera_five="true")
        assert game.over and game.told(FIVE) == [(1, 0)] and game.told(PLAYED) == []
        assert game.outcome.opera == 1 and game.winners == [1] and game.outcome.plays == 0
        assert game.chips == [-15 - 20, -15 + 20 + 30] and game.pots == [0] * 5

    def test_n14_variant_who_is_dealt_all_five_is_paid_by_the_others_alone(self) -> None:
        game = deal(*self.FIVE, opera_five="true")
        assert game.told(PAID) == [(0, 20)] and game.outcome.from_hands == 20 and game.outcome.from_pots == 30

    @pytest.mark.parametrize("penalty", ["double_pot", "base_stake", "pay_winner", "none"])
    def test_n14_n15_variant_who_wins_with_all_five_owes_nothing_for_them(self, penalty: str) -> None:
        rules = {"opera_five": "true", "opera_penalty": "before_sweep", "holding_penalty": penalty}
        assert deal(*self.FIVE, **rules).chips == [-15 - 20, -15 + 20 + 30]

    def test_n14_variant_four_of_them_are_not_enough(self) -> None:
        assert deal("2♥ 3♥ 4♥ 5♥ 6♥", "10♦ J♣ Q♠ K♥ 8♦", opera_five="true").asked == 0

    def test_n14_variant_a_grand_opera_of_five_is_paid_as_one(self) -> None:
        rules = {"opera_five": "true", "opera": "none", "opera_payment": "per_card"}
        assert deal(*self.FIVE, **rules).chips == [-15 - 5, -15 + 5 + 30]


ELIMINATE = {"start_chips": 30, "insolvency": "eliminate", "deals": 4, "deal_table": "3,2,1,1,1,1,1", **NO_OPERA}


class TestChips:
    """N19: who has how many chips, and who has too few."""

    def test_n19_without_start_chips_everybody_plays_on_credit(self) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", deals=9, **NO_OPERA).play("2♥ 3♥").deal("2♥ 3♥", "7♦ 9♣")
        assert game.chips == [-15 + 16 - 15, -15 - 16 - 10 - 15] and game.asked == 1

    @pytest.mark.parametrize("start", [50, 100, 120, 200])
    def test_n19_start_chips_are_no_score(self, start: int) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", start_chips=start, **NO_OPERA).play("2♥ 3♥")
        assert game.chips == [start + 1, start - 41] and game.outcome.score == [1, -41]

    @pytest.mark.parametrize("insolvency", ["standard", "partial_then_end", "eliminate"])
    def test_n19_who_has_too_few_pays_what_is_there(self, insolvency: str) -> None:
        """Seat 1 has 5 chips after the stakes and owes 16 for the hand, then 10 on the 7♦."""
        rules = {"start_chips": 20, "insolvency": insolvency, "deals": 2, **NO_OPERA}
        game = deal("2♥ 3♥", "7♦ 9♣", **rules).play("2♥ 3♥")
        assert game.chips == [10, 0] and game.told(PAID) == [(1, 5)] and game.moved(PUT) == [(1, 0, DWARF)]

    def test_n19_hands_are_paid_before_marked_cards(self) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", start_chips=35, **NO_OPERA).play("2♥ 3♥")  # 20 left, 16 + 10 due
        assert game.chips == [36, 0] and game.moved(PUT) == [(1, 4, DWARF)] and game.pots[4] == 14

    def test_n19_variant_the_winner_gets_what_is_there_and_the_whole_pot(self) -> None:
        game = deal("2♥ 3♥", "7♦ 9♣", start_chips=35, holding_penalty="pay_winner", **NO_OPERA).play("2♥ 3♥")
        assert game.chips == [36 + 4 + 10, 0] and game.moved(GAVE) == [(1, 4, DWARF)]

    def test_n19_variant_credit_is_paid_below_zero_and_never_ends_a_game(self) -> None:
        rules = {"start_chips": 20, "insolvency": "credit", "deals": 3, **NO_OPERA}
        game = deal("2♥ 3♥", "7♦ 9♣", **rules).play("2♥ 3♥")
        assert game.chips == [5 + 16, 5 - 26] and not game.over
        assert game.deal("2♥ 3♥", "7♦ 9♣").chips == [21 - 15, -21 - 15] and game.asked == 1
        assert game.outcome.bankrupt == 0

    @pytest.mark.parametrize("insolvency", ["standard", "partial_then_end"])
    def test_n19_the_game_ends_when_somebody_cannot_stake(self, insolvency: str) -> None:
        rules = {"start_chips": 30, "insolvency": insolvency, "deals": 9, **BARE, "stakes": "3,3,3,3,3"}
        game = deal("2♥ 3♥", "A♦ 9♣", "8♦ 8♣", **rules).play("2♥ 3♥")  # 15 left each; 10 and 16 due
        assert game.over and game.chips == [40, 5, 0]
        assert game.told(BROKE) == [(1, 5), (2, 0)] and game.outcome.bankrupt == 1 and game.outcome.cut_off == 0
        assert game.winners == [0] and game.outcome.deals == 1

    def test_n19_who_can_just_stake_plays_on(self) -> None:
        game = deal("2♥", "9♣", start_chips=39, deals=3, **NO_OPERA).play("2♥")
        assert game.chips[1] == 15 and not game.over
        assert deal("2♥", "10♣", start_chips=39, deals=3, **NO_OPERA).play("2♥").over

    def test_n19_who_cannot_stake_ends_no_game_that_is_over(self) -> None:
        game = deal("2♥", "10♣", start_chips=20, **NO_OPERA).play("2♥")
        assert game.over and game.told(BROKE) == [] and game.outcome.bankrupt == 0

    def eliminated(self, last: int = 35, **rules: Any) -> Table:
        """After a deal of three players with 2 cards each; seat 1 has paid 15 of 17 chips, seat 2 has paid 2."""
        game = deal("2♥ 3♥", "8♦ 9♣", "A♦ A♣", chips=(30, 30, last), **{**ELIMINATE, **rules})
        return game.play("2♥ 3♥")

    def test_n19_variant_who_cannot_stake_sits_out(self) -> None:
        game = self.eliminated()
        assert game.chips == [32, 0, 18] and game.told(SITS_OUT) == [(1, 0)]
        assert not game.over and game.playing == [0, 2] and game.outcome.bankrupt == 1

    def test_n19_variant_hands_stakes_and_the_turn_are_those_of_who_plays(self) -> None:
        game = self.eliminated()
        assert game.pots == [3, 6, 9, 12, 15] and (game.table.dealer, game.table.first) == (0, 2)
        game.deal("2♥ 6♥ 9♥", "", "5♦ 9♦ K♦")
        assert game.told(DEAL) == [(2, 0), (0, 1)] and game.asked == 2
        assert game.pots == [5, 10, 15, 20, 25] and game.chips == [17, 0, 3]
        assert game.told(HAND)[3:] == [(0, cards_of("2♥ 6♥ 9♥")), (1, 0), (2, cards_of("5♦ 9♦ K♦"))]
        assert game.play("5♦").asked == 0 and game.legal == "6♥"

    def test_n19_variant_who_sits_out_neither_stakes_nor_pays(self) -> None:
        game = self.eliminated().deal("2♥ 6♥ 9♥", "", "5♦ 9♦ K♦").play("5♦ 6♥ 2♥ 9♥")
        assert game.told(STAKED)[3:] == [(0, 15), (2, 15)] and game.told(PAID)[2:] == [(2, 3)]
        assert game.chips == [20, 0, 0]

    def test_n19_variant_who_sits_out_is_not_refunded(self) -> None:
        """Seat 1 has no chips after the first deal, and gets back 11; the K♥ was taken."""
        rules = {**ELIMINATE, "carry_over": "refund"}
        game = deal("Q♥ K♥", "8♦ 9♣", "A♦ A♣", chips=(30, 17, 60), **rules).play("Q♥ K♥")
        assert game.chips == [15 + 12 + 4 + 11, 11, 43 + 11] and game.playing == [0, 2]
        game.deal("2♥ 6♥ 9♥", "", "5♦ 9♦ K♦").play("5♦ 6♥ 2♥ 9♥")
        assert game.chips == [42 + 19, 11, 54 - 19] and game.pots == [0] * 5

    def test_n19_variant_the_deal_passes_over_who_sits_out(self) -> None:
        game = self.eliminated(100).deal("2♥ 6♥ 9♥", "", "5♦ 9♦ K♦").play("5♦ 6♥ 2♥ 9♥")
        game.deal("2♥ 6♥ 9♥", "", "5♦ 9♦ K♦")
        assert game.told(DEAL) == [(2, 0), (0, 1), (2, 2)] and game.told(FIRST) == [(0, 0), (2, 0), (0, 0)]

    @pytest.mark.parametrize(("first_player", "first"), [("after_dealer", 0), ("dealer", 2)])
    def test_n19_variant_when_the_loser_sits_out_the_next_one_deals(self, first_player: str, first: int) -> None:
        game = self.eliminated(dealer="loser", first_player=first_player)
        assert (game.table.dealer, game.table.first) == (2, first)

    def test_n19_variant_a_cap_stays_that_of_all_who_began(self) -> None:
        """On the K♥ at most 2 · 3 · 4; there are 12 of the first deal and 8 of the second."""
        game = self.eliminated(100, pot_cap=2).deal("2♥ 6♥ 9♥", "", "5♦ 9♦ K♥").play("5♦ 6♥ 2♥ 9♥")
        assert game.moved(PUT) == [(2, 4, KING)] and game.pots[3] == 24

    def test_n19_variant_only_the_next_dealer_must_be_able_to_stake(self) -> None:
        """Seat 2 deals first, then seat 0, then seat 1."""
        rules = {"start_chips": 20, "stake_by": "dealer", "deals": 3, **NO_OPERA}
        game = deal("2♥ 3♥", "8♦ 9♣", "A♦ A♣", **rules).play("2♥ 3♥")
        assert game.chips == [20 + 17 + 2, 3, 3] and not game.over
        game.deal("2♥ 3♥", "8♠ 9♠", "A♦ A♣").play("8♠ 9♠")
        assert game.chips == [39 - 15 - 5, 3 + 7, 1] and game.over and game.told(BROKE) == [(1, 10)]

    def test_n19_variant_a_dealer_who_cannot_stake_sits_out_and_the_next_one_deals(self) -> None:
        """Seats 0, then 1, are to deal and cannot."""
        rules = {**ELIMINATE, "stake_by": "dealer", "deal_table": "3,3,2,1,1,1,1"}
        hands = ("3♥ 9♥", "8♦ 9♦", "K♦ K♠", "4♣ 5♣")
        game = deal(*hands, chips=(20, 20, 60, 60), **rules).play("3♥ 4♣ 5♣")
        assert game.chips == [11, 3, 40, 60 - 15 + 46] and game.told(SITS_OUT) == [(0, 11), (1, 3)]
        game.deal("", "", "A♥ A♦ A♠", "5♥ 6♥ 8♥")
        assert game.told(DEAL)[1] == (2, 1) and game.asked == 3 and game.told(STAKED) == [(3, 15), (2, 15)]

    def test_n19_variant_who_need_not_stake_plays_on_with_few_chips(self) -> None:
        rules = {**ELIMINATE, "stake_by": "dealer"}
        game = deal("2♥ 3♥", "8♦ 9♣", "A♦ A♣", chips=(30, 17, 30), **rules).play("2♥ 3♥")
        assert game.chips == [49, 0, 13] and game.playing == [0, 1, 2] and game.table.dealer == 0

    def test_n19_variant_the_game_ends_when_fewer_than_two_are_left(self) -> None:
        game = deal("2♥ 3♥", "8♦ 9♣", "8♠ 9♠", **ELIMINATE).play("2♥ 3♥")
        assert game.over and game.told(SITS_OUT) == [(1, 0), (2, 0)] and game.chips == [45, 0, 0]
        assert game.winners == [0] and game.outcome.bankrupt == 1 and game.outcome.deals == 1


class TestEnd:
    def test_n20_a_game_is_one_deal_and_who_goes_out_wins(self) -> None:
        """Also with fewer chips than another."""
        game = deal("9♥ K♥", "A♦ 2♦", "3♦ 4♦", pots={KING: 100}).play("9♥ K♥")
        assert game.over and game.winners == [0]
        game = deal("K♥ A♥ 9♥", "2♦ 3♦ 4♦", pots={KING: 100}).play("K♥ A♥ 2♦ 3♦ 4♦")
        assert game.chips[0] > game.chips[1] and game.winners == [1]

    @pytest.mark.parametrize(("deals", "played"), [(1, 1), (2, 2), (3, 3), ("n", 3), (7, 7)])
    def test_n20_deals_of_a_game(self, deals: int | str, played: int) -> None:
        hands = ("2♥", "3♥", "4♥")
        game = deal(*hands, deals=deals)
        for number in range(played):
            assert not game.over
            if number:
                game.deal(*hands)
            game.play(hands[number % 3])
        assert game.over and game.outcome.deals == played

    def test_n20_of_several_deals_the_richest_wins(self) -> None:
        game = deal("2♥", "3♥", deals=3, **BARE).play("2♥").deal("A♥", "2♣").play("2♣").deal("9♥", "K♦").play("9♥")
        assert game.chips == [3 - 1 + 10, -3 + 1 - 10] and game.winners == [0]
        assert game.outcome.deals_won == [2, 1] and game.outcome.first_player_wins == 3

    def test_n20_who_goes_out_last_need_not_be_the_richest(self) -> None:
        game = deal("2♥", "K♥", deals=2, **BARE).play("2♥").deal("A♥", "2♣").play("2♣")
        assert game.winners == [0]

    def test_n20_the_first_players_wins_are_counted(self) -> None:
        game = deal("2♥ 9♥", "3♦ 5♥", deals=2).play("2♥ 3♦ 5♥")
        assert game.outcome.first_player_wins == 0 and game.outcome.deals_won == [0, 1]

    def test_n20_variant_until_somebody_cannot_stake(self) -> None:
        game = deal("2♥", "9♦", start_chips=50, end="bankrupt", **NO_OPERA).play("2♥")
        assert game.chips == [44, 26] and not game.over
        game.deal("9♥", "8♦").play("8♦")
        assert game.chips == [20, 20] and not game.over
        game.deal("A♥", "6♦").play("A♥")
        assert game.over and game.chips == [10, 0] and game.winners == [0]
        assert game.told(BROKE) == [(0, 10), (1, 0)] and game.outcome.bankrupt == 1 and game.outcome.cut_off == 0

    def test_n20_variant_on_credit_until_somebody_has_too_few_for_a_stake(self) -> None:
        rules = {"start_chips": 20, "insolvency": "credit", "end": "bankrupt", **NO_OPERA}
        game = deal("2♥", "9♦", **rules).play("2♥")
        assert game.over and game.chips == [14, -4] and game.told(BROKE) == [(0, 14), (1, -4)]

    def test_n20_variant_until_one_is_left(self) -> None:
        rules = {"start_chips": 30, "insolvency": "eliminate", "end": "bankrupt", "deal_table": "1", **NO_OPERA}
        game = deal("2♥", "9♦", "A♦", **rules).play("2♥")
        assert game.chips == [25, 6, 14] and game.over and game.winners == [0]
        game = deal("2♥", "9♦", "A♦", chips=(30, 30, 40), **rules).play("2♥")
        assert game.playing == [0, 2] and not game.over and game.asked is None

    # 3 players: 3, 6, 9, 12 and 15 lie on the board, and 2 more on the 10♦
    def test_n21_pots_left_are_nobodys(self) -> None:
        game = deal("2♥", "3♥", "4♥", pots={TEN: 2}, **NO_OPERA).play("2♥")
        assert game.chips == [-15 + 7, -18, -19] and game.outcome.pots_left == 47
        assert game.outcome.from_pots == 0

    def test_n21_variant_they_are_split_and_odd_chips_stay(self) -> None:
        game = deal("2♥", "3♥", "4♥", pots={TEN: 2}, leftover="split", **NO_OPERA).play("2♥")
        assert game.chips == [-8 + 15, -18 + 15, -19 + 15] and game.outcome.pots_left == 2
        assert game.moved(SHARED) == [(0, 1, TEN), (0, 2, JACK), (0, 3, QUEEN), (0, 4, KING), (0, 5, DWARF)]
        assert game.outcome.from_pots == 45 and game.outcome.left == [1] * 5

    def test_n21_variant_they_are_split_among_all_also_those_who_sit_out(self) -> None:
        rules = {"start_chips": 30, "insolvency": "eliminate", "deals": 2, "deal_table": "1", **NO_OPERA}
        game = deal("2♥", "9♦", "A♦", chips=(40, 20, 40), leftover="split", **rules).play("2♥")
        assert game.chips == [31, 0, 24] and game.playing == [0, 2]
        game.deal("3♥", "", "2♦").play("2♦")
        assert game.over and game.pots == [2, 1, 0, 2, 1]
        assert game.chips == [16 - 3 + 23, 0 + 23, 9 + 3 + 23]

    def test_n21_variant_the_winner_of_the_last_deal_gets_them(self) -> None:
        rules = {"leftover": "last_winner", "deals": 2, **NO_OPERA}
        game = deal("2♥", "3♥", **rules).play("2♥")
        assert game.told(LEFT) == [] and game.pots == [2, 4, 6, 8, 10]
        game.deal("2♥", "3♥").play("3♥")
        assert game.chips == [-15 + 3 - 15 - 2, -15 - 3 - 15 + 2 + 60] and game.outcome.pots_left == 0
        assert game.moved(LEFT) == [(1, 4, TEN), (1, 8, JACK), (1, 12, QUEEN), (1, 16, KING), (1, 20, DWARF)]
        assert game.winners == [1] and game.outcome.from_pots == 60

    def test_n21_variant_pots_are_given_away_when_the_game_ends_early_too(self) -> None:
        rules = {"start_chips": 20, "deals": 9, "leftover": "last_winner", **NO_OPERA}
        game = deal("2♥", "3♥", **rules).play("2♥")
        assert game.over and game.chips == [5 + 3 + 30, 2]

    def test_n22_the_equally_rich_share_the_win(self) -> None:
        game = deal("2♥", "3♥", "A♥", deals=2, **BARE).play("2♥").deal("3♥", "4♥", "5♥")
        game.play("4♥")
        assert game.chips == [4 - 3, -3 + 8, -1 - 5] and game.winners == [1]
        game = deal("2♥", "4♥", deals=2, **BARE).play("2♥").deal("4♦", "3♥").play("3♥")
        assert game.chips == [0, 0] and game.winners == [0, 1] and game.outcome.tied == 1
        assert list(game.outcome.share) == [WHOLE // 2] * 2

    def test_n22_of_one_deal_there_is_one_winner(self) -> None:
        game = deal("A♥", "2♦", pots={KING: 3}, chips=(0, 2), **BARE).play("A♥")
        assert game.chips == [2, 0] and game.winners == [0] and game.outcome.tied == 0
        game = deal("A♥", "2♦", chips=(-2, 2), **BARE).play("A♥")
        assert game.chips == [0, 0] and game.winners == [0] and game.outcome.tied == 0


FULL = MOST_CHIPS  # 33,554,432


class TestLimits:
    """Chips stay exact: a game ends before they could be too many to count."""

    def test_the_limit_is_2_to_the_25th(self) -> None:
        assert FULL == 2**25

    @pytest.mark.parametrize(("chips", "cut"), [(FULL - 1, False), (FULL, True), (2 * FULL, True)])
    def test_a_game_ends_before_a_deal_when_all_pots_have_come_to_it(self, chips: int, cut: bool) -> None:
        pots = {TEN: chips - FULL // 2, DWARF: FULL // 2}
        game = deal("2♥", "3♥", pots=pots, deals=3, **BARE)
        assert game.asked == 0  # the first deal is played
        game.play("2♥")
        assert game.over == cut and game.told(CUT_OFF) == [(0, FULL)] * cut
        assert (game.outcome.cut_off, game.outcome.bankrupt) == (int(cut), 0) and game.outcome.pots_left == chips

    @pytest.mark.parametrize(
        ("chips", "cut"),
        [
            ((FULL - 4, 0), False),
            ((FULL - 3, 0), True),  # seat 0 wins 3
            ((0, 4 - FULL), False),
            ((0, 3 - FULL), True),
        ],
    )
    def test_a_game_ends_before_a_deal_when_a_player_has_come_to_it(self, chips: tuple[int, int], cut: bool) -> None:
        game = deal("2♥", "3♥", chips=chips, deals=3, **BARE).play("2♥")
        assert game.over == cut and game.outcome.cut_off == int(cut)

    def test_a_game_that_is_over_anyway_is_not_cut_off(self) -> None:
        assert deal("2♥", "3♥", pots={TEN: FULL}, **BARE).play("2♥").outcome.cut_off == 0

    def test_pots_of_a_game_that_is_cut_off_are_given_away(self) -> None:
        game = deal("2♥", "3♥", pots={TEN: FULL + 1}, deals=3, leftover="split", **BARE).play("2♥")
        assert game.chips == [3 + FULL // 2, -3 + FULL // 2] and game.outcome.pots_left == 1

    @pytest.mark.parametrize(
        ("rules", "games", "is_in_pots"),
        [
            ({"deal_table": "2"}, 6, True),  # most marked cards are in the talon
            ({"carry_over": "to_winner", "deal_table": "5"}, 2, False),
        ],
        ids=str,
    )
    def test_chips_of_games_that_are_cut_off_are_exact(
        self, rules: dict[str, Any], games: int, is_in_pots: bool
    ) -> None:
        """Compiled and with the whole numbers of Python, which have no limit."""
        found: list[np.ndarray] = []
        high = {"stakes": "1000,1000,1000,1000,1000", "stake_mult": 100, "deals": 10_000, **NO_OPERA}
        cell = make_cell("nain-jaune", 3, games, "random", {**high, **rules}, seed=2)
        run(cell, rows=lambda first, rows: found.append(rows.copy()))
        for number, row in enumerate(np.concatenate(found).tolist()):
            game = replay(cell, number)
            assert row == np.hstack(game.outcome.tolist()).tolist()
            assert game.outcome.cut_off == 1 and 5 < game.outcome.deals < 10_000
            assert [event for event in game.events if event[0] == CUT_OFF] == [(CUT_OFF, 0, FULL)]
            *_, (_, pots, chips) = reckon(game.events, 3, [100_000] * 5)
            assert chips == list(game.outcome.score) and sum(pots) == game.outcome.pots_left
            assert sum(pots) + sum(chips) == 0
            assert (sum(pots) >= FULL) == is_in_pots and max(sum(pots), *map(abs, chips)) >= FULL

    @pytest.mark.parametrize("insolvency", ["standard", "credit", "partial_then_end", "eliminate"])
    def test_n20_variant_a_game_in_which_nobody_goes_broke_ends_after_10_000_deals(self, insolvency: str) -> None:
        rules = {"start_chips": 10_000_000, "end": "bankrupt", "insolvency": insolvency, **NO_STAKES}
        if insolvency == "credit":
            rules["hand_payment"] = "per_card"
        found: list[np.ndarray] = []
        cell = make_cell("nain-jaune", 3, 4, "random", rules)
        done = run(cell, rows=lambda first, rows: found.append(rows.copy())).tally
        assert done.total("deals")[0] == 4 * 10_000 and done.total("cut_off")[0] == 4 and done.total("bankrupt")[0] == 0
        assert (np.concatenate(found)[:, 3:6].sum(axis=1) == 0).all()


# ---------------------------------------------------------------- what cannot be played

BANK, LONG = {"start_chips": 100}, {"deals": 3}

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"stakes": "1,2,3,4"}, "rule stakes = 1,2,3,4: give five numbers, one for each marked card"),
    ({"stakes": "1,2,3,4,5,6"}, "rule stakes = 1,2,3,4,5,6: give five numbers, one for each marked card"),
    ({"stakes": "7"}, "rule stakes = 7: give five numbers, one for each marked card"),
    ({"deal_table": "14"}, "rule deal_table = 14: 14 cards for each of 4 players are 56, and there are 52"),
    (
        {"deal_table": "22,15,20,9,8,7,6"},
        "rule deal_table = 22,15,20,9,8,7,6: 20 cards for each of 4 players are 80, and there are 52",
    ),
    ({"deal_table": "9,8,7"}, "rule deal_table = 9,8,7: give one number, or seven for 2 to 8 players"),
    ({"start_chips": 14}, "rule start_chips = 14: staking once takes 15"),
    ({"start_chips": 99, "stake_mult": 7}, "rule start_chips = 99: staking once takes 105"),
    (
        {"opera": "none", "opera_payment": "per_card"},
        "rule opera_payment = per_card: there is no Grand Opéra while opera = none",
    ),
    (
        {"opera": "none", "opera_penalty": "before_sweep"},
        "rule opera_penalty = before_sweep: there is no Grand Opéra while opera = none",
    ),
    (
        {"pot_cap": 2, "holding_penalty": "pay_winner"},
        "rule pot_cap = 2: no penalty is paid on a pot while holding_penalty = pay_winner",
    ),
    (
        {"pot_cap": 2, "holding_penalty": "none"},
        "rule pot_cap = 2: no penalty is paid on a pot while holding_penalty = none",
    ),
    (
        {"insolvency": "partial_then_end", **LONG},
        "rule insolvency = partial_then_end: everybody plays on credit while start_chips = none; set start_chips",
    ),
    (
        {"insolvency": "eliminate", **LONG},
        "rule insolvency = eliminate: everybody plays on credit while start_chips = none; set start_chips",
    ),
    (
        {"end": "bankrupt"},
        "rule end = bankrupt: nobody runs out of chips while start_chips = none; set start_chips",
    ),
    (
        {"end": "bankrupt", **BANK, **LONG},
        "rule deals = 3: the number of deals is open while end = bankrupt",
    ),
    ({"dealer": "winner"}, "rule dealer = winner: there is no next deal; set deals or end"),
    ({"dealer": "loser"}, "rule dealer = loser: there is no next deal; set deals or end"),
    (
        {"insolvency": "eliminate", **BANK},
        "rule insolvency = eliminate: there is no next deal to sit out; set deals or end",
    ),
    (
        {"leftover": "split", "carry_over": "to_winner"},
        "rule leftover = split: no pot is left while carry_over = to_winner",
    ),
    (
        {"leftover": "last_winner", "carry_over": "to_winner"},
        "rule leftover = last_winner: no pot is left while carry_over = to_winner",
    ),
    ({"deal_table": "27"}, "rule deal_table = 27: it takes standard, or numbers from 1 to 26"),
    ({"deal_table": "0"}, "rule deal_table = 0: it takes standard, or numbers from 1 to 26"),
    ({"deal_table": "many"}, "rule deal_table = many: it takes standard, or numbers from 1 to 26"),
    ({"stakes": "1,2,3,4,1001"}, "rule stakes = 1,2,3,4,1001: it takes numbers from 0 to 1000"),
    ({"stakes": "-1,2,3,4,5"}, "rule stakes = -1,2,3,4,5: it takes numbers from 0 to 1000"),
    ({"stake_mult": 0}, "rule stake_mult = 0: it takes a whole number from 1 to 100"),
    ({"stake_mult": 101}, "rule stake_mult = 101: it takes a whole number from 1 to 100"),
    ({"pot_cap": 0}, "rule pot_cap = 0: it takes none, or a whole number from 1 to 1000"),
    ({"pot_cap": 1001}, "rule pot_cap = 1001: it takes none, or a whole number from 1 to 1000"),
    ({"forget_prob": 101}, "rule forget_prob = 101: it takes a whole number from 0 to 100"),
    ({"forget_prob": -1}, "rule forget_prob = -1: it takes a whole number from 0 to 100"),
    ({"start_chips": 0}, "rule start_chips = 0: it takes none, or a whole number from 1 to 10000000"),
    ({"start_chips": 10_000_001}, "rule start_chips = 10000001: it takes none, or a whole number from 1 to 10000000"),
    ({"deals": 0}, "rule deals = 0: it takes n, or a whole number from 1 to 10000"),
    ({"deals": 10_001}, "rule deals = 10001: it takes n, or a whole number from 1 to 10000"),
    ({"opera": "always"}, "rule opera = always: it takes strict, first_possession, none"),
    ({"dealers": "winner"}, 'nain-jaune has no rule "dealers"; did you mean "dealer"?'),
]


@pytest.mark.parametrize(("rules", "sentence"), REFUSED, ids=[str(rules) for rules, _ in REFUSED])
def test_what_cannot_be_played_is_refused_in_one_sentence(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_cell("nain-jaune", 4, 1, "random", rules)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("players", [1, 9])
def test_n23_two_to_eight_play(players: int) -> None:
    with pytest.raises(UsageError) as refused:
        make_cell("nain-jaune", players, 1, "random")
    assert str(refused.value) == f"--players {players}: nain-jaune takes 2 to 8 players"
    for number in range(2, 9):
        make_cell("nain-jaune", number, 1, "random")


def test_n1_variant_hands_of_fewer_players_must_fit_too_when_players_sit_out() -> None:
    """Four players have 12 cards each, but three would have 18."""
    rules = {"deal_table": "22,18,12,9,8,7,6", "deals": 20, **BANK}
    make_cell("nain-jaune", 4, 1, "random", rules)
    with pytest.raises(UsageError) as refused:
        make_cell("nain-jaune", 4, 1, "random", {**rules, "insolvency": "eliminate"})
    assert "18 cards for each of 3 players are 54, and there are 52" in str(refused.value)


@pytest.mark.parametrize(
    "rules",
    [
        {"deal_table": "13"},
        {"start_chips": 15},
        {"opera": "none", "opera_five": "true", "opera_payment": "per_card", "opera_penalty": "before_sweep"},
        {"pot_cap": 2, "holding_penalty": "base_stake"},
        {"insolvency": "credit"},
        {"insolvency": "partial_then_end", **BANK},
        {"end": "bankrupt", "dealer": "loser", "insolvency": "eliminate", **BANK},
        {"leftover": "split", "carry_over": "refund"},
    ],
    ids=str,
)
def test_what_makes_sense_is_played(rules: dict[str, Any]) -> None:
    assert replay(make_cell("nain-jaune", 4, 1, "random", rules), 0).outcome.deals >= 1


def test_one_number_of_cards_may_be_given_as_a_number() -> None:
    assert make_cell("nain-jaune", 4, 1, "random", {"deal_table": 5}).rules.deal_table == "5"


# ---------------------------------------------------------------- every rule matters

NUMBERS_TRIED: dict[str, tuple[Any, ...]] = {
    "deal_table": ("5", "20,14,11,8,7,6,5"),
    "pot_cap": (1, 2, 1000),
    "forget_prob": (1, 50, 100),
    "stakes": ("5,5,5,5,5", "0,0,0,0,0", "1,2,3,4,6"),
    "stake_mult": (2, 100),
    "start_chips": (50, 100, 120, 200, 10_000_000),
    "deals": (2, "n", 10),
}
MANY = {"deals": 8}
GOES_BROKE = {"start_chips": 60, **MANY}

# rule: what else must be played for it to show
WHERE: dict[str, dict[str, Any]] = {
    "deal_table": {},
    "dealer": MANY,
    "first_player": {"stake_by": "dealer"},
    "first_lead": {},
    "compulsory": {},
    "stop_rule": {},
    "wrap": {},
    "hand_payment": {},
    "opera_payment": {"deal_table": "3"},
    "holding_penalty": MANY,
    "pot_cap": MANY,
    "carry_over": MANY,
    "opera": {"deal_table": "3"},
    "opera_five": {},
    "opera_penalty": {"deal_table": "3"},
    "forget_prob": {},
    "stake_by": {},
    "stakes": {},
    "stake_mult": {},
    "start_chips": MANY,
    "insolvency": GOES_BROKE,
    "deals": {},
    "end": {"start_chips": 60},
    "leftover": {},
    "talon": {},
}


def other_values() -> list[tuple[str, Any]]:
    """Every rule with each value that is not its default."""
    found = []
    for name, (default, setting) in settings(Rules).items():
        values = NUMBERS_TRIED.get(name) or [option.name for option in setting.options]
        found += [(name, value) for value in values if value != default]
    return found


@cache
def rows(rules: tuple[tuple[str, Any], ...]) -> np.ndarray:
    found: list[np.ndarray] = []
    run(make_cell("nain-jaune", 3, 2000, "random", dict(rules), 3), rows=lambda first, rows: found.append(rows.copy()))
    return np.concatenate(found)


# values that change nothing here: only who looks learns from the talon; standard is partial_then_end when there are
# start_chips; 1000 times the stakes, and 10 million chips, are more than ever come up
PLAYS_ALIKE = [
    *(("talon", "shown_at_end"), ("talon", "dealer_sees"), ("insolvency", "partial_then_end")),
    *(("pot_cap", 1000), ("start_chips", 10_000_000)),
]


@pytest.mark.parametrize(("name", "value"), other_values(), ids=str)
def test_every_value_of_every_rule_changes_games(name: str, value: Any) -> None:
    assert name in WHERE, f"say in WHERE what shows the rule {name}"
    plain = rows(tuple(WHERE[name].items()))
    changed = rows(tuple({**WHERE[name], name: value}.items()))
    assert plain.shape == changed.shape and (plain == changed).all() == ((name, value) in PLAYS_ALIKE)


@pytest.mark.parametrize("rules", [{}, {"deals": 8, "start_chips": 60, "insolvency": "eliminate"}], ids=str)
def test_the_usual_rules_are_played_as_the_others_are(rules: dict[str, Any]) -> None:
    """They find the next player in a way of their own; here they are told that they are not the usual rules."""

    def prepare(record: Any, players: int, rules: Any) -> None:
        GAME.prepare(record, players, rules)
        assert record.is_usual
        record.is_usual = 0

    found: list[np.ndarray] = []
    cell = make_cell("nain-jaune", 3, 2000, "random", rules, 3)
    run(replace(cell, game=replace(GAME, prepare=prepare)), rows=lambda first, rows: found.append(rows.copy()))
    assert (np.concatenate(found) == rows(tuple(rules.items()))).all()


@pytest.mark.parametrize(
    "rules", [{"wrap": "true"}, {"stop_rule": "skip_rank"}, {"compulsory": "false"}, {"forget_prob": 1}], ids=str
)
def test_which_rules_are_not_the_usual_ones(rules: dict[str, Any]) -> None:
    assert sheet(3).is_usual and not sheet(3, **rules).is_usual
