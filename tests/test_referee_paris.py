"""The engine against the referee: the same cards and decisions must end the same, and so must the compiled game."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from referee_paris import CARDS, DREW, POINT, Referee, words

from simcore.api import make_cell
from simcore.engine import run
from simcore.errors import UsageError
from simcore.games.paris_rules import Rules
from simcore.games.paris_rules import check as refuse_nonsense
from simcore.replay import Replay, replay
from simcore.rules import read_rules, settings

COMBINATIONS: list[tuple[int, dict[str, Any]]] = [
    (3, {"draw_table": "0,20,7"}),
    (4, {"draw_table": "20,20,20,20", "wrong_draw": "12", "discard": "none"}),
    (4, {"draw_table": "T3", "shortage": "proportional", "discard": "none", "starter": "first_bettor"}),
    (4, {"draw_table": "20,16,13,20", "shortage": "equal_seat", "initial_hand": 13, "starter": "lowest_score"}),
    (3, {"draw_table": "20,17,19", "shortage": "round_robin", "wrong_draw": "11", "discard": "none"}),
    (2, {"draw_table": "20,19", "discard": "none", "wrong_draw": "9", "starter": "rotate"}),
    (4, {"discard": "none", "wrong_draw": "12", "shortage": "equal_seat", "starter": "rotate", "mulligan_cost": "4"}),
    (4, {"initial_hand": 13, "jokers": 2, "joker_mode": "insurance", "allow_bet_zero": "true", "wrong_draw": "3"}),
    (2, {"jokers": 2, "joker_mode": "insurance", "bets_allowed": "all", "draw_table": "T7", "initial_hand": 13}),
    (4, {"jokers": 2, "joker_mode": "rebet", "exclusive_bets": "true", "initial_hand": 12, "allow_bet_zero": "true"}),
    (3, {"jokers": 2, "joker_mode": "cancel", "majority": "best_card", "tie_break": "first_to_reach"}),
    (2, {"jokers": 2, "joker_mode": "cancel", "trump_strength": "3", "tie_break": "last_in_column", "discard": "none"}),
    (3, {"jokers": 2, "joker_mode": "shield", "min_cards_before_bet": 4, "initial_hand": 5, "trump_order": "none"}),
    (4, {"jokers": 2, "joker_mode": "trump_shift", "trump_order": "random", "trump_strength": "beats_all"}),
    (3, {"jokers": 2, "joker_mode": "wild0", "majority": "count", "tie_break": "nobody", "min_cards_before_bet": 3}),
    (4, {"jokers": 1, "joker_mode": "wild0", "tie_break": "last_in_column", "majority": "best_card"}),
    (2, {"rounds": 12, "empty_column": "bottom", "tie_break": "nobody", "court_values": "11-12-13-14"}),
    (3, {"rounds": 11, "empty_column": "bottom", "wrong_draw": "0", "discard": "all", "mulligan_first_round": "true"}),
    (4, {"empty_column": "carry_over", "initial_hand": 2, "wrong_draw": "1", "draw_table": "T5"}),
    (2, {"rounds": 1, "initial_hand": 1, "marker_cap": 1, "empty_column": "carry_over", "scoring": "sum"}),
    (4, {"rounds": 1, "initial_hand": 3, "final_tie": "split", "scoring": "min_then_sum", "wrong_draw": "2"}),
    (3, {"mulligan_first_round": "true", "mulligan_cost": "4", "initial_hand": 3, "discard": "all", "wrong_draw": "3"}),
    (4, {"last_player_limit": "0", "min_cards_before_bet": 4, "marker_cap": 54, "initial_hand": 13}),
    (3, {"last_player_limit": "1", "exclusive_bets": "true", "allow_bet_zero": "true", "bets_allowed": "all"}),
    (2, {"rounds": 2, "tie_break": "first_to_reach", "starter": "first_bettor", "initial_hand": 10}),
    (4, {"rounds": 3, "scoring": "sum", "point_values": "1-1-1", "final_tie": "split", "starter": "lowest_score"}),
    (3, {"rounds": 5, "scoring": "product", "point_values": "1-3-5", "starter": "lowest_score"}),
    (4, {"discard_choice": "random", "discard": "ceil_half", "jokers": 2, "joker_mode": "wild12", "bets": "hidden"}),
]


def name_of(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}={setting}" for name, setting in value.items()) or "default"
    return f"{value}p"


def single_rules() -> Iterator[tuple[int, dict[str, Any]]]:
    """Every value of every rule that is not its default, with what it needs, at 2, 3 and 4 players in turn."""
    number = 0
    for name, (default, setting) in settings(Rules).items():
        for value in [option.name for option in setting.options] or numbers(setting):
            if value != default:
                yield 2 + number % 3, {**companions(name, value), name: value}
                number += 1


def numbers(setting: Any) -> list[int]:
    """All values of a narrow range, some of a wide one."""
    every = range(setting.least, setting.most + 1)
    return list(every) if len(every) <= 13 else [1, 2, 5, 8, 20, setting.most]


def companions(name: str, value: Any) -> dict[str, Any]:
    if name == "empty_column" and value == "bottom":
        return {"rounds": 10}
    if name == "rounds" and value > 8:
        return {"empty_column": "bottom"}
    return {"jokers": 2} if name == "joker_mode" else {}


def random_rules(random: Random, players: int) -> dict[str, Any]:
    """About half of the rules at their default, the others at any value; again while such rules are refused."""
    while True:
        rules = {}
        for name, (default, setting) in settings(Rules).items():
            value = random.choice([option.name for option in setting.options] or range(setting.least, setting.most + 1))
            rules[name] = random.choice([default, value])
        try:
            refuse_nonsense(read_rules(Rules, "paris", rules), players)
            return rules
        except UsageError:
            continue


def second_opinion(players: int, rules: Any, game: Replay) -> dict[str, Any]:
    """What the referee says about a replayed game."""
    hands = [words(int(hand.cards)) for hand in game.deal[0].hand]
    decisions = [(entry.point, entry.seat, entry.action) for entry in game.decisions]
    return Referee(players, rules, hands, piles(game), decisions, game.events).play()


def piles(game: Replay) -> Iterator[list[str]]:
    """The point cards in their order; the first ones are told when they were turned up before the first decision."""
    turned_up = [value for kind, _, value in game.events if kind == POINT]
    for column, pile in enumerate(game.deal[0].pile):
        cards = [int(pile.cards[index]) for index in range(pile.first, pile.end)]
        yield [CARDS[card] for card in (turned_up[column : column + 1] if len(cards) < 8 else []) + cards]


def flat(values: Iterable[Any]) -> list[int]:
    return [int(number) for value in values for number in np.atleast_1d(value)]


def check(players: int, rules: dict[str, Any], games: int, line_up: str = "random", seed: int = 20) -> None:
    cell = make_cell("paris", players, games, line_up, rules, seed)
    compiled: list[list[int]] = []
    run(cell, rows=lambda first, rows: compiled.extend(rows.tolist()))
    for number in range(games):
        game = replay(cell, number)
        row = game.outcome
        said = {name: getattr(row, name) for name in row.dtype.names}
        assert flat(said.values()) == compiled[number], f"game {number}: the compiled game is another"
        expected = second_opinion(players, cell.rules, game)
        told = {name: flat([said[name]]) for name in expected}
        assert told == {name: flat([value]) for name, value in expected.items()}, f"game {number} of {players}, {rules}"


@pytest.mark.parametrize("players", [2, 3, 4], ids=name_of)
def test_default_rules(players: int) -> None:
    check(players, {}, 150)


def test_rotated_seats() -> None:
    check(3, {}, 60, "patient,patient:reserve=2,patient:reserve=5")  # three names, one kernel


@pytest.mark.parametrize(("players", "rules"), list(single_rules()), ids=name_of)
def test_single_rule(players: int, rules: dict[str, Any]) -> None:
    check(players, rules, 8)


@pytest.mark.parametrize(("players", "rules"), COMBINATIONS, ids=name_of)
def test_combination(players: int, rules: dict[str, Any]) -> None:
    check(players, rules, 20)


@pytest.mark.parametrize("batch", range(8), ids="batch{}".format)
def test_random_rules(batch: int) -> None:
    """Combinations that nobody thought of."""
    random = Random(batch)
    for seed in range(15):
        players = random.randint(2, 4)
        check(players, random_rules(random, players), 4, seed=seed)


@pytest.mark.parametrize("change", [1, -1, None], ids=["more", "less", "untold"])
def test_referee_objects(change: int | None) -> None:
    """No event of a game can be left out or say something else, but for cards drawn and then changed."""
    cell = make_cell("paris", 3, 1, "random", {"jokers": 2, "joker_mode": "cancel"}, 20)
    game = replay(cell, 0)
    for at, (kind, seat, value) in list(enumerate(game.events))[::7]:
        if kind == DREW:
            continue
        altered = [] if change is None else [(kind, seat, value + change)]
        with pytest.raises(AssertionError):
            second_opinion(3, cell.rules, replace(game, events=(*game.events[:at], *altered, *game.events[at + 1 :])))
