import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SIMULATE = [sys.executable, "-m", "experiments.cli"]


def simulate(*words, **options):
    return subprocess.run([*SIMULATE, *words], capture_output=True, text=True, cwd=ROOT, timeout=300, **options)


REFUSED = [
    (["--game", "dogt"], 'did you mean "doigt"'),
    (["--game", "doigt", "--strategies", "randm"], 'did you mean "random"'),
    (["--game", "doigt", "--strategies", "adaptive:memry=9"], 'did you mean "memory"'),
    (["--game", "doigt", "--strategies", "adaptive:memory=900"], "from 1 to 100"),
    (["--game", "doigt", "--strategies", "random:memory=9"], "it takes none"),
    (["--game", "doigt", "--rule", "heart_bonu=1"], 'did you mean "heart_bonus"'),
    (["--game", "doigt", "--rule", "heart_bonus=7"], "it takes 0, 1, red"),
    (["--game", "doigt", "--rule", "max_attempts=0"], "from 1 to 1000000"),
    (["--game", "doigt", "--rule", "heart_bonus"], "name=value"),
    (["--game", "doigt", "--players", "7"], "2 to 5 players"),
    (["--game", "doigt", "--players", "4-2"], "a range such as 2-5"),
    (["--game", "doigt", "-n", "0"], "from 1 to 1e12"),
    (["--game", "doigt", "-n", "1.5"], "whole number"),
    (["--game", "doigt", "-n", "1e30"], "from 1 to 1e12"),
    (["--game", "doigt", "-n", "1e999999"], "from 1 to 1e12"),
    (["--game", "doigt", "--strategies", "ev,ev"], "2 strategies for 4 players"),
    (["--game", "doigt", "--plugin", "missing.py"], "no such file"),
    (["--game", "doigt", "--plugin", "simcore/errors.py"], "defines no strategy and no game"),
    (["--game", "doigt", "--out-games", "/nonexistent/games.csv"], "cannot be written"),
    (["--game", "doigt", "--out-games", "games.txt"], ".csv or .parquet"),
    (["--game", "doigt", "--threads", "0"], "from 1 to 1024"),
    (["--game", "doigt", "--seed", "-1"], "--seed -1"),
    (["--game", "doigt", "--json", "--csv"], "choose one"),
    (["--gmae", "doigt"], "--gmae"),
    (["replay", "--game", "doigt", "--number", "-1"], "--number -1"),
    (["replay", "--game", "doigt", "--number", "1", "--lang", "de"], "en or fr"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_wrong_input_is_one_sentence_and_exit_2(words, says):
    done = simulate(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_json_is_one_document_per_player_count_with_the_promised_names():
    done = simulate("--game", "doigt", "--players", "2,4", "-n", "2_000", "--strategies", "random", "--json")
    documents = [json.loads(line, parse_constant=pytest.fail) for line in done.stdout.splitlines()]
    assert [document["players"] for document in documents] == [2, 4]
    for document in documents:
        assert document["schema"] == 1
        assert document["games"] == 2000
        assert list(document["seats"][0]) == ["seat", "strategy", "games", "win_share", "low", "high", "score_mean"]
        assert {"attempts", "rounds", "thefts", "extras", "tied", "cut_off"} <= set(document["metrics"])
        assert sum(seat["win_share"] for seat in document["seats"]) == pytest.approx(1)
        assert document["digest"]


def test_the_printed_command_repeats_the_run():
    first = simulate("--game", "doigt", "-n", "3k", "--strategies", "random", "--seed", "9", "--rule", "steal=off")
    command = re.search(r"Repeat it: simulate (.*)", first.stdout)[1].split()
    again = simulate(*command)
    digest = r"digest (\w+)"
    assert re.search(digest, again.stdout)[1] == re.search(digest, first.stdout)[1]
    other = simulate(*[word if word != "9" else "10" for word in command])
    assert re.search(digest, other.stdout)[1] != re.search(digest, first.stdout)[1]


def test_numbers_go_to_stdout_and_notes_to_stderr():
    loud = simulate("--game", "doigt", "-n", "1e4", "--strategies", "random", "--json")
    quiet = simulate("--game", "doigt", "-n", "1e4", "--strategies", "random", "--json", "--quiet")
    assert loud.stdout == quiet.stdout
    assert quiet.stderr == ""


def test_csv_has_one_number_a_line():
    done = simulate("--game", "doigt", "-n", "1000", "--strategies", "random", "--csv")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert {row["table"] for row in rows} == {"seats", "strategies", "metrics"}
    assert all(float(row["low"]) <= float(row["estimate"]) <= float(row["high"]) for row in rows)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_out_games_writes_one_row_per_game_that_adds_up_to_the_table(tmp_path, ending):
    import pandas as pd

    path = tmp_path / f"games.{ending}"
    options = ["--game", "doigt", "-n", "2000", "--strategies", "random", "--json", "--out-games", str(path)]
    document = json.loads(simulate(*options).stdout)
    rows = pd.read_csv(path) if ending == "csv" else pd.read_parquet(path)
    assert list(rows["game"]) == list(range(2000))
    assert rows["attempts"].mean() == pytest.approx(document["metrics"]["attempts"]["mean"])
    for seat in document["seats"]:
        assert rows[f"share_{seat['seat']}"].mean() == pytest.approx(seat["win_share"])
        assert rows[f"cards_{seat['seat']}"].mean() == pytest.approx(seat["score_mean"])


def test_a_broken_pipe_is_silent():
    command = f"{' '.join(SIMULATE)} rules --game doigt | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, timeout=100)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_ctrl_c_prints_what_there_is_and_exits_130():
    command = [*SIMULATE, "--game", "doigt", "-n", "1e11", "--strategies", "random", "--json"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    simulate("--game", "doigt", "-n", "1000", "--strategies", "random")  # as long as start-up and compiling take
    time.sleep(3)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130
    document = json.loads(out)
    assert document["interrupted"] is True
    assert 0 < document["games"] < 10**11
    assert str(document["games"]) in err


def test_help_starts_with_examples_and_fits_80_columns():
    for words in ([], ["replay"], ["strategies"], ["rules"], ["games"]):
        text = simulate(*words, "--help").stdout
        assert max(map(len, text.splitlines())) <= 84
    assert simulate("--help").stdout.index("Examples") < 200


def test_completion_knows_games_strategies_and_rules():
    def complete(line):
        words = line.split(" ")
        env = {
            **os.environ,
            "_SIMULATE_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        }
        return simulate(env=env).stdout.split()

    assert "doigt" in complete("simulate --game d")
    assert "random" in complete("simulate --game doigt --strategies ra")
    assert "heart_bonus=" in complete("simulate --game doigt --rule heart_b")


def test_lists_name_every_strategy_rule_and_value():
    from simcore.registry import find_game, plugin_path, strategies
    from simcore.rules import settings

    game = find_game("doigt")
    listed = simulate("strategies", "--game", "doigt").stdout
    assert all(name in listed for name, entry in strategies(game).items() if plugin_path(entry) is None)
    rules = simulate("rules", "--game", "doigt").stdout
    for name, (_, setting) in settings(game.rules).items():
        assert name in rules
        assert all(option.name in rules for option in setting.options)
    assert "Jeu du doigt" in simulate("games").stdout


def test_a_replay_tells_the_game_with_that_number_in_both_languages():
    words = ["replay", "--game", "doigt", "--players", "3", "--strategies", "random", "--number", "12"]
    english, french = simulate(*words).stdout, simulate(*words, "--lang", "fr").stdout
    assert "Round 1" in english
    assert "Manche 1" in french
    assert "player 1: random" in english


@pytest.fixture(scope="module")
def bataille(tmp_path_factory):
    """The file of docs/first-game.md."""
    file = tmp_path_factory.mktemp("plugin") / "bataille.py"
    page = (ROOT / "docs/first-game.md").read_text(encoding="utf-8")
    file.write_text(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["games"], "Petite bataille, 2 to 4 players"),
        (["strategies", "--game", "bataille"], "random (decides PLAY"),
        (["rules", "--game", "bataille"], "tie (B2)"),
        (["replay", "--game", "bataille", "--players", "2", "--number", "3"], "Player 1 holds"),
        (["replay", "--game", "bataille", "--players", "2", "--number", "3", "--lang", "fr"], "Joueur 1 a en main"),
        (["--game", "bataille", "--players", "2", "-n", "1e4"], "rounds that nobody wins"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_a_plug_in_brings_a_game(bataille, words, says):
    done = simulate(*words, "--plugin", bataille)
    assert says in done.stdout
    assert done.returncode == 0
    refused = simulate(*words)
    assert says not in refused.stdout
    assert refused.returncode == (0 if words == ["games"] else 2)


def test_the_printed_command_repeats_the_run_of_a_plugged_game(bataille):
    first = simulate("--game", "bataille", "--players", "2", "-n", "1e4", "--plugin", bataille)
    again = simulate(*re.search(r"Repeat it: simulate (.*)", first.stdout)[1].split())
    assert again.returncode == 0
    assert re.findall(r"digest \w+", again.stdout) == re.findall(r"digest \w+", first.stdout) != []
