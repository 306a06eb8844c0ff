"""What every game and every strategy must satisfy, whoever wrote it: found by entry points, run in plain Python."""

import itertools
from copy import deepcopy

import numpy as np
import pytest

from simcore.api import make_cell
from simcore.cell import Rows, workspace
from simcore.contract import WHOLE
from simcore.engine import run
from simcore.kernel import kernel
from simcore.loop import take_seats
from simcore.plain import plain_record, rebuild
from simcore.registry import find_game, game_names, strategies
from simcore.replay import replay

GAMES = game_names()
ENTRIES = [(game, name) for game in GAMES for name in strategies(find_game(game))]
PLAYED = 12  # games for each strategy and number of players


def player_counts(name):
    game = find_game(name)
    return range(game.least_players, game.most_players + 1)


def line_up(game, name, players):
    """The strategy on the first seat, with every other strategy of the game taking turns on the others."""
    names = list(strategies(find_game(game)))
    start = names.index(name)
    return [names[(start + step) % len(names)] for step in range(players)]


class Watched:
    """Plays games in plain Python and looks at every decision while it is made."""

    def __init__(self, cell):
        self.cell = cell
        self.choose = rebuild(cell.kernel.choose, {})
        self.play_game = rebuild(cell.kernel.play_game, {cell.kernel.choose: self.decide})
        self.is_legal = rebuild(cell.game.is_legal, {})
        self.asked = 0

    def play(self, number):
        self.space, rows = workspace(self.cell, plain_record), Rows.of(self.cell)
        self.dice = np.random.default_rng(number)
        with np.errstate(over="ignore"):
            if self.cell.rotations > 1:
                take_seats(self.space.cell, self.space.seats, number, 0)
            self.play_game(*self.space, number, rows.outcome(0))
        return rows.outcome(0)

    def decide(self, point, table, seat, hand, seats):
        self.asked += 1
        if self.asked % 5:
            return self.choose(point, table, seat, hand, seats)
        before, seen, held = deepcopy(seats), deepcopy(table), deepcopy(hand)
        action = self.choose(point, table, seat, hand, seats)
        assert table == seen, "a strategy changed the table"
        assert hand == held, "a strategy changed its hand"
        assert self.is_legal(point, table, hand, seat, action)
        unseen = self.permuted(seat)
        assert self.choose(point, table, seat, unseen, before) == action, "it depends on what it cannot see"
        return action

    def permuted(self, seat):
        """The seat's own hand, in a state whose hidden cards are in another order."""
        hidden = self.space.hidden
        keep = deepcopy(hidden)
        hands = getattr(hidden, self.cell.game.hand)
        parts = [part for value in vars(hidden).values() for part in (value if isinstance(value, list) else [value])]
        others = [part for part in parts if part is not hands[seat] and hasattr(part, "cards")]
        for part in others:
            if isinstance(part.cards, list):
                part.cards[:] = [int(card) for card in self.dice.permutation(part.cards)]
        sets = [part for part in others if not isinstance(part.cards, list)]
        unseen = self.dice.permutation([card for part in sets for card in range(64) if int(part.cards) >> card & 1])
        for part in sets:
            count = int(part.cards).bit_count()
            part.cards, unseen = sum(1 << int(card) for card in unseen[:count]), unseen[count:]
        own = deepcopy(hands[seat])
        for name, value in vars(keep).items():
            setattr(hidden, name, value)
        return own


@pytest.mark.parametrize(("game", "name"), ENTRIES, ids=[f"{game}-{name}" for game, name in ENTRIES])
def test_a_strategy_plays_legally_sees_no_hidden_card_and_changes_nothing(game, name):
    for players in player_counts(game):
        cell = make_cell(game, players, 1000, line_up(game, name, players), rotate=False)
        watched = Watched(cell)
        outcomes = [watched.play(number) for number in range(PLAYED)]
        assert watched.asked > PLAYED
        assert all(sum(outcome.share) in (WHOLE, WHOLE - WHOLE % players) for outcome in outcomes)


def replayed_like_the_kernel(cell, games=12):
    """Whether a run's rows are those of its replays."""
    kept = []
    run(cell, rows=lambda first, rows: kept.extend(rows.tolist()))
    for number in range(games):
        outcome = replay(cell, number).outcome.tolist()
        assert kept[number] == np.hstack(outcome).tolist(), f"game {number}"


@pytest.mark.parametrize("game", GAMES)
def test_every_strategy_decides_in_a_kernel_as_in_a_replay(game):
    """One kernel for all strategies of the game, so that it is compiled once."""
    found = find_game(game)
    everybody = kernel(found, tuple(sorted(strategies(found).values(), key=lambda entry: entry.name)))
    players = found.least_players
    for name in strategies(found):
        cell = make_cell(game, players, 200, name)
        cell.__dict__["kernel"] = everybody
        replayed_like_the_kernel(cell)


@pytest.mark.parametrize("game", GAMES)
def test_threads_and_chunks_do_not_change_a_number(game):
    cell = make_cell(game, 3, 1500, "random")
    first = run(cell, threads=1).tally
    for threads, chunk in [(2, None), (3, 7), (7, 13), (2, 4000)]:
        other = run(cell, threads=threads, chunk=chunk).tally
        assert (first.digest(), first.prints) == (other.digest(), other.prints)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_no_memory_of_the_game_before(game):
    cell = make_cell(game, 3, 100, "random")
    alone = replay(cell, 7)
    watched = Watched(cell)
    watched.play(3)
    space, rows = watched.space, Rows.of(cell)
    with np.errstate(over="ignore"):
        rebuild(cell.kernel.play_game, {})(*space, 7, rows.outcome(0))
    assert rows.outcome(0) == alone.outcome


@pytest.mark.parametrize("line_up", ["random", None])
@pytest.mark.parametrize("game", [name for name in GAMES if find_game(name).together])
def test_simultaneous_choices_are_asked_on_the_same_table(game, line_up):
    """Also with the game's default line-up, which may read what happened before."""
    cell = make_cell(game, 4, 100, line_up)
    tables = []
    choose = rebuild(cell.kernel.choose, {})

    def decide(point, table, seat, hand, seats):
        tables.append((point, seat, deepcopy(table)))
        return choose(point, table, seat, hand, seats)

    space, rows = workspace(cell, plain_record), Rows.of(cell)
    with np.errstate(over="ignore"):
        for number in range(12):
            rebuild(cell.kernel.play_game, {cell.kernel.choose: decide})(*space, number, rows.outcome(0))
    simultaneous, asked = [], set()
    for (last, other, before), (point, seat, after) in itertools.pairwise(tables):
        asked = asked | {other} if last in cell.game.together.get(point, ()) else set()
        if seat in asked:  # nobody chooses twice at one moment: this is the next one
            asked = set()
        elif asked:
            simultaneous.append((before, after))
    assert len(simultaneous) > 10 or line_up is None  # a default line-up may have nothing to discard
    assert all(before == after for before, after in simultaneous)
