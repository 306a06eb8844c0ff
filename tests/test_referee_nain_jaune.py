"""The engine against the referee: the same cards and decisions must end the same, and so must the compiled game."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from referee_nain_jaune import LIMIT, MARKED, PASS, Asked, Card, Dealt, Referee, Seen

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

Rulebook = dict[str, Any]

SAMPLES: dict[str, list[Any]] = {  # values of rules that take numbers
    "deal_table": ["1", "2", "6", "26", "26,17,13,10,8,7,6", "4,4,4,4,4,4,4", "22,16,12,10,7,6,5"],
    "pot_cap": [1, 2, 3, 1000],
    "forget_prob": [1, 30, 100],
    "stakes": ["0,0,0,0,0", "5,4,3,2,1", "3,3,3,3,3", "0,0,0,0,1000"],
    "stake_mult": [2, 5, 100],
    "start_chips": [15, 50, 100, 120, 200, 10_000_000],
    "deals": [2, 3, 9, 200, "n"],
}
NEEDS: dict[str, tuple[int, Rulebook]] = {  # players, and rules without which this one changes nothing
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

COMBINATIONS: list[tuple[int, Rulebook]] = [
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
    (2, {"dealer": "loser", "deals": 8}),  # everybody wins some deals: then who won least is the loser
    (3, {"dealer": "loser", "deals": 8, "stake_by": "dealer", "first_player": "dealer"}),
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
OF_FIVE: list[tuple[int, Rulebook]] = [  # with opera_five; played are the games in which it happens
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
        rank = int(table.follows) + 1
        chips, sizes = [int(owner.chips) for owner in table.seat], [int(owner.cards) for owner in table.seat]
        pots = [int(table.pot[CARDS.index(card)]) for card in MARKED]
        seen = Seen(rank, chips, sizes, pots, cards_of(int(table.played)), cards_of(int(hand.talon)))
        legal = cards_of(int(hand.legal))
        answer: int = self.choose(point, table, seat, hand, seats)
        self.game.decisions.append(Asked(int(seat), [*CARDS, PASS][answer], legal, seen))
        return answer


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
        try:
            opinion = second_opinion(players, cell.rules, game)
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error
        assert game.outcome == opinion, where
        played.append(game)
        most_deals -= len(game.deals)
        if most_deals <= 0:
            break
    return played


def objects(players: int, rules: Any, game: Game) -> bool:
    """Whether these cannot be the rules of the game: something should have been otherwise, or ended otherwise."""
    try:
        return second_opinion(players, rules, game) != game.outcome
    except AssertionError:
        return True


def single_rules() -> Iterator[tuple[str, Any]]:
    """Every value of every rule that is not its default; of numbers, those of SAMPLES."""
    for name, (default, setting) in settings(Rules).items():
        values = [*SAMPLES.get(name, []), *(option.name for option in setting.options)]
        yield from ((name, value) for value in dict.fromkeys(values) if value != default)


def random_rules(random: Random) -> Rulebook:
    """About half of the rules at their default, the others at any value; chips last for some deals."""
    values = {name: [option.name for option in setting.options] for name, (_, setting) in settings(Rules).items()}
    sizes = [",".join(str(random.randint(1, 52 // players)) for players in range(2, 9)) for _ in range(2)]
    stakes = ",".join(str(random.randint(0, 9)) for _ in range(5))
    numbers: dict[str, list[Any]] = {
        "deal_table": ["standard", "1", "2", "4", *sizes],
        "pot_cap": [1, 2, 4],
        "forget_prob": [5, 50, 100],
        "stakes": [stakes, "5,5,5,5,5"],
        "stake_mult": [2, 3],
        "start_chips": [30, 60, 100, 150],
        "deals": [2, 5, 12, "n"],
    }
    return {name: random.choice(numbers.get(name, values[name])) for name in values if random.random() < 0.5}


def sound_rules(random: Random, players: int) -> Rulebook:
    """Such rules that are not refused at this number of players."""
    while True:
        rules = random_rules(random)
        try:
            make_cell("nain-jaune", players, 1, "random", rules)
        except UsageError:
            continue
        return rules


@pytest.mark.parametrize("players", range(2, 9), ids=name_of)
def test_default_rules(players: int) -> None:
    check(players, {}, 120)


@pytest.mark.parametrize("players", range(2, 9), ids=name_of)
def test_many_deals(players: int) -> None:
    check(players, {"deals": 25}, 10)


@pytest.mark.parametrize(("name", "value"), list(single_rules()), ids=name_of)
def test_single_rule(name: str, value: Any) -> None:
    """It is played, and without it the same cards and answers would have been wrong, or the outcome another."""
    players, needs = NEEDS.get(f"{name}={value}", NEEDS[name])
    other = INSTEAD.get(f"{name}={value}", settings(Rules)[name][0])
    games = check(players, {**needs, name: value}, GAMES.get(name, 25))
    without = make_cell("nain-jaune", players, len(games), "random", {**needs, name: other})
    assert any(objects(players, without.rules, game) for game in games)
    if name != "talon":  # what is seen of it; `random` looks at nothing
        assert [game.row for game in games] != compiled_rows(without)


def test_partial_then_end_is_standard() -> None:
    players, needs = NEEDS["insolvency"]
    games = check(players, {**needs, "insolvency": "partial_then_end"}, 25)
    assert [game.row for game in games] == [game.row for game in check(players, needs, 25)]


@pytest.mark.parametrize(("players", "rules"), COMBINATIONS, ids=name_of)
def test_combination(players: int, rules: Rulebook) -> None:
    check(players, rules, 20, most_deals=150)


@pytest.mark.parametrize(("players", "rules"), OF_FIVE, ids=name_of)
def test_all_five_marked_cards_in_one_hand(players: int, rules: Rulebook) -> None:
    games = check(players, {**rules, "opera_five": "true"}, 600, only="opera", most_deals=30)
    assert any(game.outcome["plays"] == [0] or len(game.deals) > 1 for game in games)


@pytest.mark.parametrize("players", [4, 6, 8], ids=name_of)
def test_grand_opera_of_whole_hands(players: int) -> None:
    """They are rare: one run of all cards, or runs that end where nobody goes on."""
    assert check(players, {}, 20_000, only="opera", most_deals=20)


def game_end(games: list[Game]) -> Iterator[tuple[int, ...]]:
    """How games ended: deals, whether somebody was broke, whether they were cut off, chips left in pots."""
    for game in games:
        yield tuple(game.outcome[name][0] for name in ("deals", "bankrupt", "cut_off", "pots_left"))


TO_THE_LIMIT = {  # 2^17 chips a player and deal; hands of one card, so that pots are seldom taken
    "stakes": "1000,1000,48,0,0",
    "stake_mult": 64,
    "deal_table": "1",
    "opera": "none",
    "holding_penalty": "none",
}


def test_cut_off_by_pots() -> None:
    games = check(8, {**TO_THE_LIMIT, "deals": 40}, 30)
    assert {*game_end(games)} >= {(32, 0, 1, LIMIT), (40, 0, 0, 9900032)}
    check(8, {**TO_THE_LIMIT, "deals": 40, "leftover": "split"}, 6)


@pytest.mark.parametrize("insolvency", ["partial_then_end", "eliminate", "credit"])
def test_broke_at_the_limit(insolvency: str) -> None:
    """After 32 deals nobody can stake again: the game is not cut off, it is over."""
    bank = {"start_chips": 2**22 + 2**16, "end": "bankrupt", "hand_payment": "per_card", "insolvency": insolvency}
    games = check(8, {**TO_THE_LIMIT, **bank}, 60, most_deals=2000)
    assert (32, 1, 0, LIMIT) in game_end(games)


@pytest.mark.parametrize("dealer", ["rotate", "loser"])
def test_cut_off_by_chips(dealer: str) -> None:
    """The pots are empty after each deal; who wins goes on winning where the loser deals."""
    stakes = {"stakes": "1000,1000,1000,1000,1000", "stake_mult": 100, "stake_by": "dealer", "carry_over": "to_winner"}
    games = check(2, {**stakes, "deal_table": "1", "dealer": dealer, "deals": 80}, 4)
    assert [end[2:] for end in game_end(games)] == [(int(dealer == "loser"), 0)] * 4


def test_cut_off_after_10_000_deals() -> None:
    rules = {"deal_table": "1", "stakes": "0,0,0,0,0", "start_chips": 50, "end": "bankrupt"}
    assert list(game_end(check(2, rules, 1))) == [(10_000, 0, 1, 0)]


@pytest.mark.parametrize("batch", range(10), ids="batch{}".format)
def test_random_rules(batch: int) -> None:
    """Combinations that nobody thought of."""
    random = Random(batch)
    for seed in range(60):
        players = random.randint(2, 8)
        check(players, sound_rules(random, players), 4, seed=seed, most_deals=15)


@pytest.mark.parametrize("rules", [{}, {"deals": 4, "compulsory": "false"}], ids=name_of)
def test_replay_is_what_was_watched(rules: Rulebook) -> None:
    cell = make_cell("nain-jaune", 4, 5, "random", rules, 20)
    for number in range(5):
        game, other = Watcher(cell).play(number), replay(cell, number)
        answers = [(asked.seat, asked.answer) for asked in game.decisions]
        assert answers == [(entry.seat, [*CARDS, PASS][entry.action]) for entry in other.decisions]
        assert game.row == np.hstack(other.outcome.tolist()).tolist()


GAME_OF_THREE = Watcher(make_cell("nain-jaune", 3, 1, "random", {"deals": 3}, 20)).play(0)
SEVEN, ACE = MARKED[4], Card(1, "♠")
ALTERED_DECISIONS: dict[str, Callable[[Asked], list[Asked]]] = {
    "untold": lambda asked: [],
    "twice": lambda asked: [asked, asked],
    "of another": lambda asked: [asked._replace(seat=(asked.seat + 1) % 3)],
    "answer": lambda asked: [asked._replace(answer=PASS)],
    "may pass": lambda asked: [asked._replace(legal=asked.legal | {PASS})],
    "may not": lambda asked: [asked._replace(legal=asked.legal - {asked.answer})],
    "asked for": lambda asked: [asked._replace(seen=asked.seen._replace(rank=asked.seen.rank + 1))],
    "chips": lambda asked: [asked._replace(seen=asked.seen._replace(chips=[*asked.seen.chips[:2], 999]))],
    "sizes": lambda asked: [asked._replace(seen=asked.seen._replace(sizes=[*asked.seen.sizes[:2], 20]))],
    "pots": lambda asked: [asked._replace(seen=asked.seen._replace(pots=[*asked.seen.pots[:4], -1]))],
    "played": lambda asked: [asked._replace(seen=asked.seen._replace(played=asked.seen.played ^ {ACE}))],
    "talon": lambda asked: [asked._replace(seen=asked.seen._replace(talon={ACE}))],
}
ALTERED_DEALS: dict[str, Callable[[Dealt], list[Dealt]]] = {
    "untold": lambda dealt: [],
    "twice": lambda dealt: [dealt, dealt],
    "number": lambda dealt: [dealt._replace(number=dealt.number + 1)],
    "dealer": lambda dealt: [dealt._replace(dealer=(dealt.dealer + 1) % 3)],
    "first": lambda dealt: [dealt._replace(first=dealt.dealer)],
    "hand too small": lambda dealt: [dealt._replace(hands=[*dealt.hands[:2], set(list(dealt.hands[2])[1:])])],
    "same hand": lambda dealt: [dealt._replace(hands=[dealt.hands[0], *dealt.hands[:2]])],
    "hands exchanged": lambda dealt: [dealt._replace(hands=dealt.hands[::-1])],
    "forgotten": lambda dealt: [dealt._replace(forgotten={SEVEN: 0})],
    "no pot": lambda dealt: [dealt._replace(forgotten={ACE: 0})],
}


@pytest.mark.parametrize("alter", ALTERED_DECISIONS.values(), ids=ALTERED_DECISIONS)
def test_referee_objects_to_a_decision(alter: Callable[[Asked], list[Asked]]) -> None:
    """No decision can be left out, or be another, on another table."""
    game, told = GAME_OF_THREE, GAME_OF_THREE.decisions
    for at in range(0, len(told), 5):
        altered = [*told[:at], *alter(told[at]), *told[at + 1 :]]
        assert objects(3, Rules(deals=3), game._replace(decisions=altered)), f"decision {at}"


@pytest.mark.parametrize("alter", ALTERED_DEALS.values(), ids=ALTERED_DEALS)
def test_referee_objects_to_a_deal(alter: Callable[[Dealt], list[Dealt]]) -> None:
    game, told = GAME_OF_THREE, GAME_OF_THREE.deals
    for at in range(3):
        altered = [*told[:at], *alter(told[at]), *told[at + 1 :]]
        assert objects(3, Rules(deals=3), game._replace(deals=altered)), f"deal {at}"


@pytest.mark.parametrize("name", GAME_OF_THREE.outcome)
def test_referee_objects_to_an_outcome(name: str) -> None:
    other = {**GAME_OF_THREE.outcome, name: [GAME_OF_THREE.outcome[name][0] + 1, *GAME_OF_THREE.outcome[name][1:]]}
    assert objects(3, Rules(deals=3), GAME_OF_THREE._replace(outcome=other))
    assert not objects(3, Rules(deals=3), GAME_OF_THREE)


def test_referee_objects_to_a_talon_that_nobody_may_see() -> None:
    assert objects(3, Rules(deals=3), GAME_OF_THREE._replace(shown=[{ACE}]))
