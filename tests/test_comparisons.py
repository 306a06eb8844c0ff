"""The commands that compare: cells, files, tournaments, and rules that matter."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simcore.api import make_cell
from simcore.engine import run
from simcore.errors import UsageError
from simcore.paired import compare
from simcore.result import Result
from simcore.tournament import MIXED, Tournament, entries, matches

ROOT = Path(__file__).resolve().parents[1]
GRID = """
title = "Hearts and thefts"
game = "doigt"
players = 4
games = 3000
strategies = "random"
[grid]
heart_bonus = ["0", "1"]
steal = ["off", "on"]
"""
RULINGS = """
title = "Rulings"
game = "doigt"
players = 4
games = 3000
strategies = "random"
rulings = true
[numbers]
max_attempts = [20]
[companions]
on_cap = { max_attempts = 20 }
"""


def simulate(*words, cwd=ROOT):
    command = [sys.executable, "-m", "experiments.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=300)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two sweeps: a full grid, and every ruling flipped."""
    folder = tmp_path_factory.mktemp("sweeps")
    for name, text in (("grid", GRID), ("rulings", RULINGS)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
        done = simulate("sweep", str(folder / f"{name}.toml"), "-o", str(folder / f"{name}.db"), "-q")
        assert done.returncode == 0, done.stderr
    return folder


def test_two_cells_are_compared_deal_for_deal():
    done = simulate("compare", "--game", "doigt", "-n", "4000", "-s", "random", "--to", "heart_bonus=0", "--json", "-q")
    found = json.loads(done.stdout)
    cells = [make_cell("doigt", 4, 4000, "random", rules) for rules in ({}, {"heart_bonus": "0"})]
    before, after = (Result(run(cell)) for cell in cells)
    expected = {one.what: one for one in compare(before, after)}
    assert found["paired"] and found["family"] == len(expected) == len(found["differences"])
    for line in found["differences"]:
        one = expected[line["what"]]
        assert (line["before"], line["after"], line["low"], line["high"]) == (one.before, one.after, one.low, one.high)
    for seat in range(4):
        change = after.seat_lines[seat].win_share.estimate - before.seat_lines[seat].win_share.estimate
        assert found["differences"][seat]["change"] == pytest.approx(change, abs=1e-12)


def test_the_words_of_a_comparison_are_its_numbers():
    words = ("compare", "--game", "doigt", "-n", "4000", "-s", "random", "--to", "steal=off", "-q")
    done, numbers = simulate(*words, "--band", "5%"), json.loads(simulate(*words, "--band", "5%", "--json").stdout)
    for line in numbers["differences"][:4]:
        span = f"{100 * line['change']:+.2f} points, 95 %: {100 * line['low']:.2f} to {100 * line['high']:.2f}"
        sentence = f"Moves {line['what']} by {span}; {line['verdict']} your ± 5 point band."
        assert line["verdict"] == "inside" and sentence in done.stdout
    assert "on the same deals" in done.stdout and "10 numbers at once" in done.stdout


def test_cells_of_one_file_and_of_two(files):
    label = "heart_bonus={}, steal=on, players=4, strategies=random"
    one = simulate("compare", str(files / "grid.db"), "--cell", label.format(0), "--to-cell", label.format(1), "--json")
    direct = simulate(
        *("compare", "--game", "doigt", "-n", "3000", "-s", "random", "--from", "heart_bonus=0"), "--json", "-q"
    )
    assert json.loads(one.stdout)["differences"] == json.loads(direct.stdout)["differences"]
    same = json.loads(simulate("compare", str(files / "grid.db"), str(files / "grid.db"), "--json").stdout)
    assert len(same) == 4
    assert all(line["change"] == line["low"] == line["high"] == 0 for pair in same for line in pair["differences"])


def test_flipped_rulings_that_matter_and_those_that_do_not(files):
    found = json.loads(simulate("sensitivity", str(files / "rulings.db"), "--json").stdout)["rulings"]
    verdicts = {line["ruling"]: line["verdict"] for line in found}
    assert verdicts["announcer_plays=false"] == "yes"  # fewer fingers to guess
    assert verdicts["deck_rule=always40"] == "yes"  # longer games
    assert verdicts["fingers_2p=1"] == "no"  # there are four players
    text = simulate("sensitivity", str(files / "rulings.db")).stdout
    assert all(ruling.split("=")[0] in text for ruling in verdicts)


def test_effects_of_a_grid(files):
    effects = json.loads(simulate("sensitivity", str(files / "grid.db"), "--number", "attempts", "--json").stdout)[
        "effects"
    ]
    shares = {tuple(effect["factors"]): effect["share"] for effect in effects}
    assert shares["heart_bonus",] > 0.9  # thefts change no announcement of random players but the last
    assert sum(shares.values()) == pytest.approx(1)
    assert "Cannot say yet" not in simulate("sensitivity", str(files / "grid.db"), "--number", "attempts").stdout


def test_a_grid_of_too_few_games_is_said_to_tell_nothing(tmp_path):
    text = (
        'title = "T"\ngame = "doigt"\nplayers = 3\ngames = 300\nstrategies = "random"\n[grid]\nsteal = ["on", "off"]\n'
    )
    (tmp_path / "few.toml").write_text(text, encoding="utf-8")
    assert simulate("sweep", str(tmp_path / "few.toml"), "-o", str(tmp_path / "few.db"), "-q").returncode == 0
    told = simulate("sensitivity", str(tmp_path / "few.db")).stdout
    assert "Cannot say yet: nothing stands out from the noise of the games." in told


def test_parts_of_a_change_add_up():
    done = simulate(
        *("attribute", "-g", "doigt", "-n", "3000", "-s", "random", "--to", "steal=off", "--to", "heart_bonus=0"),
        *("--number", "attempts", "--json", "-q"),
    )
    found = json.loads(done.stdout)
    ends = [
        Result(run(make_cell("doigt", 4, 3000, "random", rules))) for rules in ({}, {"steal": "off", "heart_bonus": 0})
    ]
    change = ends[1].metric_estimates["attempts"].estimate - ends[0].metric_estimates["attempts"].estimate
    assert found["change"] == pytest.approx(change)
    assert sum(part["value"] for part in found["parts"]) == pytest.approx(change)


POOL = ["coin", "biased", "minimax"]  # against the same announcer


@pytest.fixture(scope="module")
def played():
    cells = matches("doigt", 3, 6000, POOL)
    return cells, Tournament(POOL, [(match, Result(run(match.cell))) for match in cells])


def test_a_tournament_plays_each_alone_among_each_and_all_mixed(played):
    cells, found = played
    assert [(match.focal, match.field) for match in cells if match.field != MIXED] == [
        (one, other) for one in POOL for other in POOL if one != other
    ]
    assert sum(match.field == MIXED for match in cells) == 1
    assert len({match.cell.kernel for match in cells}) == 1
    for match in cells[:2]:
        alone = Result(run(make_cell("doigt", 3, 6000, [match.focal, match.field, match.field])))
        assert found.share(match.focal, match.field) == alone.strategy_lines[0].win_share
    assert found.share("coin", "coin") is None
    assert sum(found.mixed(name).estimate for name in POOL) / 3 == pytest.approx(1 / 3)


def test_ranks_are_by_the_mean_over_fields(played):
    _, found = played
    means = []
    for standing in found.standings():
        shares = [found.share(standing.name, field) for field in POOL]
        assert standing.mean == pytest.approx(np.mean([one.estimate if one else 1 / 3 for one in shares]))
        means.append(standing.mean)
    assert means == sorted(means, reverse=True)


def test_dominated_only_when_surely_worse_in_every_field(played):
    """Known truth: shares are replaced by given ones with given noise in every block."""
    _, found = played

    def stand_in(shares, noise):
        dice = np.random.default_rng(7)
        errors = {key: dice.normal(0, noise, 64) for key in [(one, field) for one in POOL for field in POOL]}
        found._errors = lambda name, field: (shares[name, field], errors[name, field])
        return found.dominations()

    better = {("coin", field): 0.40 for field in POOL} | {("biased", field): 0.35 for field in POOL}
    better |= {("minimax", field): 0.30 for field in POOL}
    assert set(stand_in(better, 0.01)) == {("coin", "biased"), ("coin", "minimax"), ("biased", "minimax")}
    once_worse = better | {("coin", "minimax"): 0.34}
    assert ("coin", "biased") not in stand_in(once_worse, 0.01)
    assert stand_in(better, 2.0) == []
    del found._errors


def test_equal_strategies_are_seldom_called_dominated():
    """Under 5 % of pools of equal strategies have any domination, as Holm promises for all claims at once."""
    dice, wrong = np.random.default_rng(3), 0
    found = Tournament.__new__(Tournament)
    found.pool, found.players = POOL, 3
    for _ in range(400):
        errors = {(one, field): dice.normal(0, 1, 64) for one in POOL for field in POOL}
        means = {key: values.mean() for key, values in errors.items()}
        found._errors = lambda name, field, e=errors, m=means: (m[name, field], e[name, field] - m[name, field])
        wrong += bool(found.dominations())
    assert wrong / 400 < 0.05


def test_a_tournament_on_the_command_line():
    words = ("tournament", "--game", "doigt", "-p", "3", "--pool", ",".join(POOL), "-n", "6000", "-q")
    text, found = simulate(*words).stdout, json.loads(simulate(*words, "--json").stdout)
    assert [line["focal"] for line in found["table"][:2]] == ["coin", "coin"]
    for line in found["table"]:
        assert f"{100 * line['win_share']:.2f} ± {50 * (line['high'] - line['low']):.2f}" in text
    assert re.search(r"Repeat it: simulate tournament --game doigt --players 3 --pool coin,biased,minimax", text)
    assert all(0 < line["win_share"] < 1 for line in found["mixed"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["compare"], "give one or two results files, or --game"),
        (["compare", "--game", "doigt"], "both are the same"),
        (["compare", "--game", "doigt", "--to", "heart_bonu=0"], 'did you mean "heart_bonus"'),
        (["compare", "missing.db"], "there is no such file"),
        (["compare", "README.md"], "it is not a results file"),
        (["compare", "--game", "doigt", "--to", "steal=off", "--band", "x"], "--band x: give a share"),
        (["tournament", "--game", "doigt", "--pool", "ev"], "at least two strategies"),
        (["tournament", "--game", "doigt", "--pool", "ev,ev"], "each once"),
        (["attribute", "--game", "doigt"], "give 1 to 10 rules that change"),
        (
            ["attribute", "--game", "doigt", "--to", "steal=off", "--number", "seat1", "-n", "100"],
            'did you mean "seat 1"',
        ),
        (["sensitivity", "missing.db"], "there is no such file"),
        (["--game", "doigt", "--until-width", "0.2%", "--until-decided"], "choose one"),
        (["--game", "doigt", "--until-width", "200%"], "between 0 and 100 %"),
    ],
)
def test_wrong_input_is_one_sentence_and_exit_2(words, says):
    done = simulate(*words, cwd=ROOT)
    assert done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr


def test_a_pool_of_all_is_every_strategy_of_the_game():
    assert set(entries("nain-jaune", "all")) >= {"random", "stop_counter", "lowest"}
    with pytest.raises(UsageError):
        entries("nain-jaune", "random")
