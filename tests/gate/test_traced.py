"""Fingerprints of deals, decisions and outcomes: of the games that are played anyway, and of all that was asked."""

from dataclasses import replace

import pytest

from simcore.api import make_cell
from simcore.engine import run
from simcore.loop import BLOCKS
from simcore.traced import DEALT, DECIDED, PLAYED, traced

CELLS = (("doigt", 3, "random,ev,habit"), ("paris", 2, "random"), ("nain-jaune", 3, "random,highest,lowest"))
every_game = pytest.mark.parametrize(("game", "players", "line_up"), CELLS)


def watched_cell(game="doigt", players=3, line_up="random,ev,habit", games=4000, **more):
    cell = make_cell(game, players, games, line_up, **more)
    return replace(cell, game=traced(cell.game))


def prints(cell, **how):
    return run(cell, **how).tally.traces


@every_game
def test_a_traced_game_is_the_same_game(game, players, line_up):
    cell = make_cell(game, players, 2000, line_up)
    plain, marked = run(cell).tally, run(watched_cell(game, players, line_up, 2000)).tally
    assert marked.digest() == plain.digest()
    assert marked.traces[PLAYED].tolist() == plain.prints
    assert len({*marked.traces[DEALT].tolist(), *marked.traces[DECIDED].tolist()}) == 2 * BLOCKS


@every_game
def test_fingerprints_do_not_depend_on_threads_chunks_or_where_one_begins(game, players, line_up):
    cell = watched_cell(game, players, line_up)
    whole = prints(cell)
    assert (prints(cell, threads=1, chunk=7) == whole).all()
    first = prints(replace(cell, games_asked=640 * cell.rotations))
    rest = run(cell, first=640).tally
    assert rest.deals == cell.deals - 640
    assert (first + rest.traces == whole).all()


def test_another_strategy_leaves_the_deals_as_they_are():
    one, other = prints(watched_cell(line_up="random")), prints(watched_cell(line_up="habit:again=50"))
    assert (one[DEALT] == other[DEALT]).all()
    assert (one[DECIDED] != other[DECIDED]).all()
    assert (one[PLAYED] != other[PLAYED]).all()


def test_another_seed_changes_all_three():
    assert (prints(watched_cell()) != prints(watched_cell(seed=2))).all()


def test_a_rule_that_plays_no_part_in_decisions_changes_outcomes_alone():
    """`tie` says who takes a shared win: nobody decides anything else."""
    one, other = prints(watched_cell()), prints(watched_cell(rules={"tie": "last_winner"}))
    assert (one[DEALT] == other[DEALT]).all()
    assert (one[DECIDED] == other[DECIDED]).all()
    assert (one[PLAYED] != other[PLAYED]).all()
