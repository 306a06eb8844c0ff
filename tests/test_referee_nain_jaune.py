"""The engine against the referee: the same cards and decisions must end the same, and so must the compiled game."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from referee_nain_jaune import MARKED, PASS, Asked, Card, Dealt, Referee

from simcore.api import make_cell
from simcore.cell import Cell, Rows, workspace
from simcore.contract import event
from simcore.engine import run
from simcore.errors import UsageError
from simcore.games.nain_jaune_rules import Rules
from simcore.games.nain_jaune_table import DEAL, FIRST, FORGOT, HAND, TALON
from simcore.plain import plain_record, rebuild
from simcore.replay import replay
from simcore.rules import settings

SAMPLES: dict[str, list[Any]] = {  # values of rules that take numbers
    "deal_table": ["1", "2", "6", "26", "26,17,13,10,8,7,6", "4,4,4,4,4,4,4", "22,16,12,10,7,6,5"],
    "pot_cap": [1, 2, 3, 1000],
    "forget_prob": [1, 30, 100],
    "stakes": ["0,0,0,0,0", "5,4,3,2,1", "3,3,3,3,3", "0,0,0,0,1000"],
    "stake_mult": [2, 5, 100],
    "start_chips": [15, 50, 100, 120, 200, 10_000_000],
    "deals": [2, 3, 9, 200, "n"],
}
NEEDS: dict[str, tuple[int, dict[str, Any]]] = {  # players, and rules without which this one changes nothing
    "deal_table": (3, {}),
    "deal_table=26": (2, {}),
    "deal_table=26,17,13,10,8,7,6": (5, {}),
    "dealer": (4, {"deals": 4}),
    "first_player": (3, {"stake_by": "dealer"}),
    "first_lead": (7, {}),
    "compulsory": (5, {}),
    "stop_rule": (4, {}),
    "wrap": (3, {}),
    "hand_payment": (6, {}),
    "opera_payment": (3, {"deal_table": "2"}),
    "holding_penalty": (8, {"deals": 2}),
    "pot_cap": (7, {"deals": 6}),
    "pot_cap=1000": (8, {"deals": 150, "deal_table": "1", "opera": "none"}),
    "carry_over": (5, {}),
    "opera": (4, {"deal_table": "2"}),
    "opera_five": (2, {"deal_table": "26"}),
    "opera_penalty": (6, {"deal_table": "2"}),
    "forget_prob": (2, {"deals": 4}),
    "stake_by": (3, {}),
    "stakes": (4, {}),
    "stake_mult": (5, {}),
    "start_chips": (8, {"deals": 8}),
    "start_chips=10000000": (8, {"stakes": "1000,1000,1000,1000,1000", "stake_mult": 100, "deals": 20}),
    "insolvency": (4, {"start_chips": 40, "deals": 5}),
    "deals": (3, {}),
    "deals=200": (2, {"deal_table": "1"}),
    "end": (3, {"start_chips": 30}),
    "leftover": (7, {}),
    "talon": (4, {}),
}
GAMES = {"opera_five": 60, "forget_prob": 40, "deals": 6, "pot_cap": 15, "end": 12}  # to play; of others 25
INSTEAD = {"insolvency=partial_then_end": "credit"}  # it is what "standard" is with start_chips

COMBINATIONS: list[tuple[int, dict[str, Any]]] = [
    # who sits out, who deals, who stakes
    (4, {"start_chips": 40, "insolvency": "eliminate", "deals": 12}),
    (8, {"start_chips": 30, "insolvency": "eliminate", "deals": 12, "stake_by": "dealer"}),
    (5, {"start_chips": 15, "insolvency": "eliminate", "end": "bankrupt", "stake_by": "dealer", "dealer": "loser"}),
    (6, {"start_chips": 20, "insolvency": "eliminate", "end": "bankrupt", "stake_by": "dealer", "dealer": "winner"}),
    (3, {"start_chips": 30, "insolvency": "eliminate", "deals": "n", "dealer": "loser", "first_player": "dealer"}),
    (7, {"start_chips": 60, "insolvency": "eliminate", "deals": 9, "dealer": "winner", "first_player": "dealer"}),
    (8, {"start_chips": 40, "insolvency": "eliminate", "deals": 9, "deal_table": "26,17,13,10,8,7,6"}),
    (6, {"start_chips": 25, "insolvency": "eliminate", "deals": 9, "dealer": "loser", "carry_over": "refund"}),
    (5, {"start_chips": 40, "insolvency": "eliminate", "deals": 6, "dealer": "loser", "carry_over": "refund",
         "deal_table": "1", "hand_payment": "per_card"}),
    (8, {"start_chips": 17, "insolvency": "eliminate", "end": "bankrupt", "leftover": "split", "deal_table": "3"}),
    (4, {"start_chips": 40, "insolvency": "eliminate", "deals": 8, "leftover": "last_winner", "pot_cap": 2}),
    (7, {"stake_by": "dealer", "carry_over": "refund", "deals": "n", "dealer": "loser"}),
    (5, {"stake_by": "dealer", "first_player": "dealer", "dealer": "winner", "deals": 6, "pot_cap": 3}),
    (4, {"talon": "dealer_sees", "dealer": "winner", "first_player": "dealer", "deals": 5, "deal_table": "8"}),
    (6, {"talon": "dealer_sees", "insolvency": "eliminate", "start_chips": 40, "deals": 6}),
    # until somebody cannot stake
    (3, {"start_chips": 60, "end": "bankrupt"}),
    (8, {"start_chips": 100, "end": "bankrupt", "insolvency": "credit"}),
    (6, {"start_chips": 50, "end": "bankrupt", "insolvency": "partial_then_end", "stake_by": "dealer"}),
    (4, {"start_chips": 50, "end": "bankrupt", "insolvency": "credit", "stake_by": "dealer", "dealer": "loser"}),
    (5, {"start_chips": 90, "end": "bankrupt", "insolvency": "eliminate", "holding_penalty": "pay_winner"}),
    (2, {"start_chips": 80, "end": "bankrupt", "leftover": "split", "forget_prob": 50, "dealer": "winner"}),
    # what is played
    (4, {"stop_rule": "skip_rank", "wrap": "true", "compulsory": "false"}),
    (2, {"stop_rule": "skip_rank", "wrap": "true", "compulsory": "false", "deal_table": "2", "opera": "none"}),
    (8, {"stop_rule": "skip_rank", "compulsory": "false", "first_lead": "lowest", "deals": 3}),
    (3, {"stop_rule": "skip_rank", "wrap": "true", "deal_table": "4", "deals": 3, "dealer": "winner"}),
    (5, {"wrap": "true", "compulsory": "false", "first_lead": "highest"}),
    (7, {"stop_rule": "skip_rank", "first_lead": "highest", "opera": "first_possession", "deal_table": "3"}),
    (6, {"compulsory": "false", "opera": "first_possession", "deal_table": "2", "deals": 4}),
    (3, {"stop_rule": "skip_rank", "wrap": "true", "insolvency": "eliminate", "start_chips": 40, "deals": 6}),
    # Grand Opéra
    (2, {"deal_table": "2", "first_lead": "lowest"}),
    (8, {"deal_table": "1", "opera_payment": "double_points", "hand_payment": "points_11_12_13", "deals": 5}),
    (6, {"deal_table": "1", "opera_penalty": "before_sweep", "holding_penalty": "pay_winner", "deals": 5}),
    (7, {"deal_table": "2", "opera_penalty": "before_sweep", "pot_cap": 1, "carry_over": "to_winner", "deals": 5}),
    (5, {"deal_table": "2", "opera": "first_possession", "opera_penalty": "before_sweep", "start_chips": 30,
         "deals": 8, "opera_payment": "per_card", "holding_penalty": "base_stake"}),
    (4, {"deal_table": "3", "opera": "first_possession", "forget_prob": 60, "carry_over": "refund", "deals": 8}),
    (3, {"deal_table": "2", "opera": "first_possession", "opera_payment": "double_points", "hand_payment": "per_card"}),
    (8, {"deal_table": "1", "opera": "none", "deals": 12, "leftover": "split", "pot_cap": 5}),
    # what is paid
    (6, {"holding_penalty": "pay_winner", "start_chips": 50, "deals": 5}),
    (8, {"holding_penalty": "pay_winner", "start_chips": 25, "stake_by": "dealer", "deals": 8, "dealer": "loser"}),
    (7, {"holding_penalty": "pay_winner", "carry_over": "refund", "deals": 4}),
    (8, {"holding_penalty": "base_stake", "pot_cap": 2, "deals": 6, "stake_mult": 3}),
    (5, {"pot_cap": 1, "deals": 6, "start_chips": 100, "insolvency": "credit"}),
    (6, {"pot_cap": 4, "stake_by": "dealer", "deals": 9, "leftover": "last_winner"}),
    (4, {"carry_over": "refund", "stakes": "1,0,2,7,3", "deals": 5, "forget_prob": 20}),
    (3, {"carry_over": "to_winner", "forget_prob": 50, "deals": 5, "holding_penalty": "base_stake"}),
    (5, {"leftover": "split", "carry_over": "refund", "forget_prob": 100, "deals": 3}),
    (6, {"start_chips": 15, "hand_payment": "points_11_12_13", "leftover": "last_winner"}),
    (3, {"stakes": "0,0,0,0,0", "start_chips": 5, "deals": 6, "insolvency": "eliminate"}),
]  # fmt: skip
OF_FIVE: list[tuple[int, dict[str, Any]]] = [  # with opera_five; played are the games in which it happens
    (2, {"deal_table": "26"}),
    (2, {"deal_table": "26", "opera": "none", "opera_payment": "double_points", "stake_by": "dealer"}),
    (2, {"deal_table": "26", "opera_penalty": "before_sweep", "talon": "shown_at_end"}),
    (2, {"deal_table": "26", "opera_penalty": "before_sweep", "holding_penalty": "pay_winner", "deals": 2}),
    (2, {"deal_table": "26", "opera_penalty": "before_sweep", "holding_penalty": "base_stake", "start_chips": 40}),
    (2, {"deal_table": "26", "opera_penalty": "before_sweep", "pot_cap": 1, "deals": 3, "dealer": "loser"}),
    (2, {"deal_table": "26", "opera_penalty": "before_sweep", "holding_penalty": "none", "carry_over": "refund"}),
    (2, {"deal_table": "26", "opera_penalty": "before_sweep", "holding_penalty": "pay_winner", "start_chips": 20}),
    (
        3,
        {"deal_table": "17", "opera_penalty": "before_sweep", "start_chips": 60, "deals": 3, "insolvency": "eliminate"},
    ),
    (3, {"deal_table": "17", "dealer": "winner", "deals": 3, "forget_prob": 50, "leftover": "split"}),
    (4, {"deal_table": "13", "deals": 3, "opera": "first_possession", "opera_payment": "per_card"}),
]

CARDS = [Card(number // 4 + 1, "♥♦♠♣"[number % 4]) for number in range(52)]


def cards_of(numbers: int) -> set[Card]:
    """A set of cards written as a number; bit 52 is the answer "pass"."""
    return {card for number, card in enumerate([*CARDS, PASS]) if numbers >> number & 1}


class Game(NamedTuple):
    """A game that was watched: what the referee is told, and what it has to say."""

    deals: list[Dealt]
    decisions: list[Asked]
    shown: list[set[Card]]
    outcome: dict[str, list[int]]
    row: list[int]


class Watcher:
    """Plays the games of a cell in plain Python, and notes every deal and every decision with what was allowed."""

    def __init__(self, cell: Cell):
        self.cell = cell
        self.choose = rebuild(cell.kernel.choose, {event: self.hear})
        self.play_game = rebuild(cell.kernel.play_game, {event: self.hear, cell.kernel.choose: self.decide})

    def play(self, number: int) -> Game:
        self.game = Game([], [], [], {}, [])
        rows = Rows.of(self.cell)
        with np.errstate(over="ignore"):
            self.play_game(*workspace(self.cell, plain_record), number, rows.outcome(0))
        row = rows.outcome(0)
        self.game.row.extend(rows.numbers(1)[0].tolist())
        self.game.outcome.update({name: np.atleast_1d(getattr(row, name)).tolist() for name in row.dtype.names})
        return self.game

    def hear(self, kind: int, seat: int, value: int) -> None:
        if kind == DEAL:
            self.game.deals.append(Dealt(int(value), int(seat), -1, [], {}))
        elif kind == FIRST:
            self.game.deals[-1] = self.game.deals[-1]._replace(first=int(seat))
        elif kind == HAND:
            self.game.deals[-1].hands.append(cards_of(int(value)))
        elif kind == FORGOT:
            self.game.deals[-1].forgotten[CARDS[value]] = int(seat)
        elif kind == TALON:
            self.game.shown.append(cards_of(int(value)))

    def decide(self, point: int, table: Any, seat: int, hand: Any, seats: Any) -> int:
        legal, talon = cards_of(int(hand.legal)), cards_of(int(hand.talon))
        chips = [int(owner.chips) for owner in table.seat]
        pots = [int(table.pot[CARDS.index(card)]) for card in MARKED]
        answer: int = self.choose(point, table, seat, hand, seats)
        self.game.decisions.append(Asked(int(seat), [*CARDS, PASS][answer], legal, chips, pots, talon))
        return answer


Rulebook = dict[str, Any]


def name_of(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}={setting}" for name, setting in value.items()) or "default"
    return f"{value}p" if isinstance(value, int) else str(value)


def second_opinion(players: int, rules: Any, game: Game) -> dict[str, list[int]]:
    """What the referee says about a game."""
    referee = Referee(players, rules, game.deals, game.decisions)
    verdict = referee.play()
    assert referee.shown == game.shown, f"shown of the talon is {game.shown}, should be {referee.shown}"
    return {name: value if isinstance(value, list) else [value] for name, value in verdict.items()}


def compiled_rows(cell: Cell) -> list[list[int]]:
    rows: list[list[int]] = []
    run(cell, rows=lambda first, chunk: rows.extend(chunk.tolist()))
    return rows


def check(
    players: int, rules: Rulebook, games: int, seed: int = 20, most_deals: int = 20_000, only: str = ""
) -> list[Game]:
    """Plays games on which all must agree, and answers them; stops when there were `most_deals` deals.

    only: a metric; games in which it is 0 are only played by the kernel.
    """
    cell = make_cell("nain-jaune", players, games, "random", rules, seed)
    watcher, compiled, played = Watcher(cell), compiled_rows(cell), []
    column = cell.game.outcome(players).fields[only][1] // 8 if only else 0
    for number in range(games):
        if only and not compiled[number][column]:
            continue
        game = watcher.play(number)
        where = f"game {number} of {players} players, seed {seed}, {rules}"
        assert game.row == compiled[number], f"{where}: the compiled game is another"
        assert game.outcome == second_opinion(players, cell.rules, game), where
        played.append(game)
        most_deals -= len(game.deals)
        if most_deals <= 0:
            break
    return played


def objects(players: int, rules: Rules, game: Game) -> bool:
    """Whether these were not the rules of the game: something should have been otherwise, or another outcome."""
    try:
        return second_opinion(players, rules, game) != game.outcome
    except AssertionError:
        return True


def single_rules() -> Iterator[tuple[str, Any]]:
    """Every value of every rule that is not its default; of numbers, those of SAMPLES."""
    for name, (default, setting) in settings(Rules).items():
        values = SAMPLES.get(name, []) + [option.name for option in setting.options]
        yield from ((name, value) for value in dict.fromkeys(values) if value != default)


def random_rules(random: Random) -> Rulebook:
    """About half of the rules at their default, the others at any value; stakes are such that chips last some deals."""
    values: dict[str, list[Any]] = {
        name: [o.name for o in setting.options] for name, (_, setting) in settings(Rules).items()
    }
    lists = [",".join(str(random.randint(1, 52 // players)) for players in range(2, 9)) for _ in range(2)]
    values["deal_table"] = ["standard", "1", "2", "4", *lists]
    values["pot_cap"] = [1, 2, 4]
    values["forget_prob"] = [5, 50, 100]
    values["stakes"] = [",".join(str(random.randint(0, 9)) for _ in range(5)), "5,5,5,5,5"]
    values["stake_mult"] = [2, 3]
    values["start_chips"] = [30, 60, 100, 150]
    values["deals"] = [2, 5, 12, "n"]
    return {name: random.choice(values[name]) for name in values if random.random() < 0.5}


def sound_rules(random: Random, players: int) -> Rulebook:
    """Such rules that are not refused at this number of players."""
    while True:
        rules = random_rules(random)
        try:
            make_cell("nain-jaune", players, 1, "random", rules)
            return rules
        except UsageError:
            continue
