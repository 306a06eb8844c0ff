"""The course of a game: who leads at each eighth, what comes of it, and that watching changes nothing."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from simcore.api import make_cell, simulate
from simcore.contract import WHOLE
from simcore.course import EIGHTHS, INNER, _deal, _finish, _watch, margin, watched
from simcore.engine import run
from simcore.errors import UsageError
from simcore.histogram import values
from simcore.plain import rebuild
from simcore.registry import find_game
from simcore.replay import replay
from simcore.result import Result

ROOT = Path(__file__).resolve().parents[1]
GAMES = [("doigt", 3, {}), ("paris", 3, {}), ("nain-jaune", 4, {"deals": 4})]
every_game = pytest.mark.parametrize(("game", "players", "rules"), GAMES, ids=[game for game, _, _ in GAMES])


def course_of(story, share, score, steps=EIGHTHS):
    """What is written of a game whose standings after each of so many turns are these."""
    now = SimpleNamespace(standings=[0] * len(share), turn=0)
    table = SimpleNamespace(seat=[None] * len(share))
    hidden = SimpleNamespace(course=SimpleNamespace(leaders=[0] * EIGHTHS, lasts=[0] * EIGHTHS), notes=[])
    made = SimpleNamespace(share=share, score=score, leader_wins=[0] * 7, last_wins=[0] * 7, decided=[0] * 7, thefts=2)
    watch = _watch(lambda table, hidden, seat: now.standings[seat], lambda table, hidden: (now.turn, steps))
    _deal(lambda *_: None)(table, hidden, None)
    for now.turn, now.standings in enumerate(story, start=1):
        watch(table, hidden)
    _finish(lambda *_: None, watch, ("thefts",))(table, hidden, made)
    return made


def test_a_game_worked_by_hand():
    """Three seats, eight turns: 1 leads, 1 and 2 level, 2 leads, 3 catches up and wins."""
    story = [(1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 2, 1), (1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 2, 5)]
    made = course_of(story, share=[0, 0, WHOLE], score=[1, 2, 5])
    third = [0, 0, 0, 0, 1 / 2, 1, 1]  # the winner's part of the lead at 1/8 … 7/8
    assert [wins / WHOLE**2 for wins in made.leader_wins] == third
    assert [wins / WHOLE for wins in made.last_wins] == [1, 1, 1, 1, 0, 0, 0]  # last, alone or not; then seat 1 is
    assert made.decided == [0, 0, 0, 0, 0, 1, 1]
    assert made.decision_time == 6
    assert made.lead_changes == 2  # from 1 to 2, to 3; level seats leave the lead where it was
    assert (made.margin, made.close, made.used_thefts) == (3, 0, 1)


def test_when_all_are_level_nobody_is_last_and_the_lead_is_shared():
    made = course_of([(1, 1)] * EIGHTHS, share=[WHOLE // 2] * 2, score=[1, 1])
    assert [wins / WHOLE**2 for wins in made.leader_wins] == [1 / 2] * 7
    assert made.last_wins == [0] * 7
    assert made.decided == [1] * 7 and made.decision_time == 1  # those who win have led from the first mark on
    assert (made.lead_changes, made.margin, made.close) == (0, 0, 1)


def test_a_mark_between_two_turns_is_as_things_were_before_it():
    """Two turns: the marks at 1/8 to 3/8 are as at the deal, 4/8 to 7/8 as after the first turn."""
    made = course_of([(1, 0), (1, 2)], share=[0, WHOLE], score=[1, 2], steps=2)
    assert [wins / WHOLE**2 for wins in made.leader_wins] == [1 / 2] * 3 + [0] * 4
    assert [wins / WHOLE for wins in made.last_wins] == [0] * 3 + [1] * 4
    assert made.decided == [0] * 7 and made.decision_time == EIGHTHS


def test_a_game_that_ends_early_is_decided_from_there_on():
    made = course_of([(1, 0), (2, 0)], share=[WHOLE, 0], score=[2, 0])
    assert [wins / WHOLE**2 for wins in made.leader_wins] == [1] * 7
    assert made.decision_time == 1


@pytest.mark.parametrize(("score", "expected"), [([5, 3], 2), ([3, 5], 2), ([1, 4, 4], 0), ([2, 9, 1, 6], 3)])
def test_the_margin_is_between_the_two_best(score, expected):
    assert margin(SimpleNamespace(score=score)) == expected


@every_game
def test_watching_changes_no_game(game, players, rules):
    plain, seen = (run(make_cell(game, players, 4000, "random", rules, course=c)).tally for c in (False, True))
    width = len(plain.cell.columns)
    assert seen.cell.columns[:width] == plain.cell.columns
    assert (seen.sums[:, :, :width] == plain.sums).all()
    assert (seen.scores == plain.scores).all()


@pytest.mark.parametrize("line_up", ["random", "random,random+random,random"])
def test_threads_chunks_and_a_mixed_line_up_change_no_number(line_up):
    cell = make_cell("doigt", 3, 300, line_up, course=True)
    first, second = run(cell, 1, chunk=7).tally, run(cell, 2, chunk=50).tally
    assert first.digest() == second.digest()
    assert (first.lengths == second.lengths).all()


@every_game
def test_lengths_are_counted_in_a_histogram(game, players, rules):
    result = simulate(game, players, 3000, "random", rules, course=True)
    length = result.cell.game.metrics[0].name
    counts = result.tally.lengths
    assert counts.sum() == result.games
    mean = (counts * values()).sum() / counts.sum()
    assert mean == pytest.approx(result.metric_estimates[length].estimate, rel=1e-12)


@every_game
def test_a_kernel_writes_what_a_replay_writes(game, players, rules):
    cell, rows = make_cell(game, players, 20, "random", rules, course=True), []
    run(cell, 1, rows=lambda first, numbers: rows.extend(numbers.copy()))
    for number in range(20):
        row = np.concatenate(
            [np.ravel(replay(cell, number).outcome[name]) for name in replay(cell, 0).outcome.dtype.names]
        )
        assert row.tolist() == rows[number].tolist()


def test_the_leader_at_half_time_is_the_one_that_paris_counts_by_itself():
    found = simulate("paris", 3, 5000, "random", course=True).metric_estimates
    assert found["leader_wins_4"].estimate == pytest.approx(found["ahead_wins"].estimate, abs=1e-4)


@every_game
def test_curves_rise_and_fall_as_they_must(game, players, rules):
    found = simulate(game, players, 3000, "random", rules, course=True).metric_estimates
    decided = [found[f"decided_{part}"].estimate for part in INNER]
    assert decided == sorted(decided) and decided[0] >= 0 and decided[-1] <= 1
    time = 1 - sum(decided) / EIGHTHS  # a game is decided at the mark before which it is not
    assert found["decision_time"].estimate == pytest.approx(time)
    leads = [found[f"leader_wins_{part}"].estimate for part in INNER]
    assert leads[-1] > leads[0] and leads[-1] > 1 / players


@pytest.mark.parametrize("rules", [{}, {"start_chips": 100, "end": "bankrupt"}])
def test_a_game_of_unknown_length_has_no_course(rules):
    with pytest.raises(
        UsageError, match=r"the course of a game .* cannot be told; set rule deals to 2 or more, or to n"
    ):
        make_cell("nain-jaune", 4, 10, "random", rules, course=True)


@every_game
def test_another_process_goes_on_in_a_file_with_courses(game, players, rules, tmp_path):
    text = f'title = "T"\ngame = "{game}"\nplayers = {players}\ngames = 64\nstrategies = "random"\n'
    text += "course = true\n[rules]\n" + "".join(f"{name} = {value}\n" for name, value in rules.items())
    (tmp_path / "t.toml").write_text(text, encoding="utf-8")
    for words in ([], ["--resume"]):
        command = [sys.executable, "-m", "experiments.cli", "sweep", "t.toml", "-o", "t.db", "-q", *words]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=200, env=env)
        assert done.returncode == 0, done.stderr


def test_a_game_that_does_not_say_who_leads_is_refused(monkeypatch):
    from dataclasses import replace

    from simcore import registry

    mute = replace(find_game("doigt"), standing=None, name="mute")
    monkeypatch.setitem(registry._plugged_games, "mute", mute)
    assert watched(mute) is mute
    with pytest.raises(UsageError, match="the course of mute cannot be told: the game does not say who leads"):
        make_cell("mute", 3, 10, "random", course=True)


def test_rules_are_plain_python_and_can_be_rebuilt():
    assert callable(rebuild(watched(find_game("doigt")).finish, {}))


def test_the_command_line_says_the_same(tmp_path):
    import json

    words = [sys.executable, "-m", "experiments.cli", "--game", "doigt", "--players", "3", "-n", "500"]
    words += ["--strategies", "random", "--course", "--json", "-q"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    here = Result(run(make_cell("doigt", 3, 500, "random", course=True))).document()
    assert json.loads(done.stdout)["metrics"] == json.loads(json.dumps(here["metrics"]))


def test_what_a_centre_card_brings_adds_up_to_all_cards_that_are_won():
    """Each player begins with one card (D3); every other card was won with a centre card."""
    result = simulate("doigt", 4, 2000, "random", course=True)
    tally = result.tally
    sums = dict(zip(tally.cell.columns, tally.sums[:, 0].sum(axis=0), strict=True))
    cards = sum(sums[f"score_seat_{seat}"] for seat in range(4))
    assert sum(value for name, value in sums.items() if name.startswith("brought_by")) == cards - 4 * result.games
    assert sum(value for name, value in sums.items() if name.startswith("won_on")) == sums["rounds"]
    assert sums["won_on_5"] == 0 and np.isnan(result.metric_estimates["brought_by_5"].estimate)  # D1
