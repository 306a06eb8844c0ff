"""The engine against the referee: the same cards and decisions must end the same, and so must the compiled game."""

from dataclasses import asdict
from random import Random
from typing import Any

import numpy as np
import pytest
from referee_doigt import Referee

from simcore.api import make_cell
from simcore.cards import card_name
from simcore.engine import run
from simcore.games.doigt_rules import Rules
from simcore.replay import Replay, replay
from simcore.rules import settings

VARIANTS: list[tuple[int, dict[str, Any]]] = [
    (4, {"deck_rule": "always40"}),
    (3, {"deck_rule": "always40"}),
    (2, {"fingers_2p": 1}),
    (3, {"fingers_per_player": 2}),
    (5, {"fingers_per_player": 2}),
    (4, {"setup_jq": "bottom"}),
    (3, {"setup_jq": "removed"}),
    (4, {"after_success": "winner_again"}),
    (5, {"after_success": "round_robin_start"}),
    (2, {"forbid_impossible_call": "true"}),
    (4, {"forbid_impossible_call": "true"}),
    (2, {"announcer_plays": "false"}),
    (4, {"announcer_plays": "false"}),
    (4, {"king_zero_theft": "false"}),
    (3, {"zero_is_even": "false"}),
    (5, {"max_thefts": "1"}),
    (3, {"theft_replacement": "draw_pile"}),
    (5, {"theft_replacement": "draw_pile"}),
    (5, {"theft_replacement": "none"}),
    (5, {"empty_pack": "draw_pile"}),
    (4, {"heart_bonus": "0"}),
    (4, {"heart_bonus": "red"}),
    (3, {"heart_chain": "true"}),
    (3, {"extra_bonus": 0}),
    (4, {"extra_bonus": 2}),
    (5, {"bonus_scale": "true"}),
    (4, {"steal": "off"}),
    (2, {"no_repeat_call": "true"}),
    (4, {"no_repeat_call": "true"}),
    (4, {"end_rule": "immediate"}),
    (3, {"max_attempts": 5}),
    (4, {"max_attempts": 5, "on_cap": "bottom"}),
    (5, {"max_attempts": 2, "on_cap": "bottom"}),
    (3, {"max_attempts": 5, "on_cap": "abort"}),
    (4, {"tie": "last_winner"}),
    (3, {"tie": "fewest_rounds"}),
    # combinations
    (2, {"heart_bonus": "red", "heart_chain": "true", "end_rule": "immediate"}),
    (4, {"heart_bonus": "red", "heart_chain": "true", "max_attempts": 2, "on_cap": "bottom"}),
    (3, {"heart_chain": "true", "max_attempts": 1, "on_cap": "bottom", "end_rule": "immediate"}),
    (5, {"theft_replacement": "none", "empty_pack": "draw_pile", "max_thefts": "1"}),
    (4, {"theft_replacement": "draw_pile", "empty_pack": "draw_pile", "max_attempts": 2, "on_cap": "bottom"}),
    (3, {"empty_pack": "draw_pile", "max_attempts": 2, "on_cap": "bottom", "after_success": "winner_again"}),
    (5, {"theft_replacement": "draw_pile", "max_thefts": "1", "extra_bonus": 2, "bonus_scale": "true"}),
    (5, {"announcer_plays": "false", "bonus_scale": "true", "extra_bonus": 2, "no_repeat_call": "true"}),
    (2, {"announcer_plays": "false", "fingers_2p": 1, "no_repeat_call": "true", "forbid_impossible_call": "true"}),
    (4, {"fingers_per_player": 2, "bonus_scale": "true", "zero_is_even": "false", "forbid_impossible_call": "true"}),
    (2, {"deck_rule": "always40", "max_thefts": "1", "zero_is_even": "false", "king_zero_theft": "false"}),
    (5, {"after_success": "winner_again", "max_attempts": 5, "tie": "last_winner"}),
    (4, {"after_success": "round_robin_start", "max_attempts": 2, "on_cap": "bottom", "tie": "fewest_rounds"}),
    (3, {"max_attempts": 1, "on_cap": "abort", "tie": "last_winner"}),
    (2, {"max_attempts": 1, "tie": "fewest_rounds", "setup_jq": "removed", "theft_replacement": "none"}),
]


def name_of(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}={setting}" for name, setting in value.items()) or "default"
    return f"{value}p"


def second_opinion(players: int, rules: Any, game: Replay) -> dict[str, Any]:
    """What the referee says about a replayed game."""
    hidden, table = game.deal
    face_up = [card_name(pack.cards[pack.first & 63]) for pack in hidden.pack]
    pile = [card_name(card) for card in (table.centre, *ring(hidden.pile))]
    decisions = [(entry.point, entry.seat, entry.action) for entry in game.decisions]
    return asdict(Referee(players, rules, face_up, pile, decisions).play())


def ring(pile: Any) -> list[int]:
    return [pile.cards[index & 63] for index in range(pile.first, pile.end)]


def check(players: int, rules: dict[str, Any], games: int, line_up: str = "random", seed: int = 20) -> None:
    cell = make_cell("doigt", players, games, line_up, rules, seed)
    compiled = np.zeros((games, 2 * players + 6), np.int64)

    def keep(first: int, rows: Any) -> None:
        compiled[first : first + len(rows)] = rows

    run(cell, rows=keep)
    for number in range(games):
        game = replay(cell, number)
        row = game.outcome
        said = {name: getattr(row, name) for name in row.dtype.names}
        said = {name: [int(v) for v in value] if np.ndim(value) else int(value) for name, value in said.items()}
        assert said == second_opinion(players, cell.rules, game), f"game {number} of {players} players, {rules}"
        flat = [*said["share"], *said["score"], *(v for v in said.values() if not isinstance(v, list))]
        assert flat == compiled[number].tolist(), f"game {number}: the compiled game is another"


@pytest.mark.parametrize("players", [2, 3, 4, 5], ids=name_of)
def test_default_rules(players: int) -> None:
    check(players, {}, 400)


def test_rotated_seats() -> None:
    check(3, {}, 90, "ev,random,random")


@pytest.mark.parametrize(("players", "rules"), VARIANTS, ids=name_of)
def test_variant(players: int, rules: dict[str, Any]) -> None:
    check(players, rules, 45)


@pytest.mark.parametrize("batch", range(8), ids="batch{}".format)
def test_random_rules(batch: int) -> None:
    """About half of the rules at their default, the others at any value: combinations that nobody thought of."""
    random = Random(batch)
    for seed in range(25):
        check(random.randint(2, 5), random_rules(random), 4, seed=seed)


def random_rules(random: Random) -> dict[str, Any]:
    rules = {}
    for name, (default, setting) in settings(Rules).items():
        numbers = (1, 2, 5, 20) if name == "max_attempts" else range(setting.least, setting.most + 1)
        value = random.choice([option.name for option in setting.options] or list(numbers))
        rules[name] = random.choice([default, value])
    return rules
