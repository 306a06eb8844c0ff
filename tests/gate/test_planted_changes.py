"""Changes planted in the source of a game and of the package, each noticed by the very next run, in a process anew."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from gates import TOY

ROOT = Path(__file__).resolve().parents[2]
CONFIG = """title = "The highest card"
game = "highest"
players = [2, 3]
games = 12800
strategies = ["random"]
"""
DOIGT = """title = "Jeu du doigt"
game = "doigt"
players = [2]
games = 25600
strategies = ["habit,adaptive"]
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """One folder of machine code for all tests: whatever is stale there would be found."""
    return tmp_path_factory.mktemp("cache")


def simulate(folder, cache, *words):
    """A command in a folder; a copy of the package there stands before the installed one."""
    env = {**os.environ, "SIMCORE_CACHE_DIR": str(cache), "PYTHONPATH": str(folder)}
    words = [sys.executable, "-m", "experiments.cli", *words]
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=300, env=env)


def check(folder, cache, *words):
    done = simulate(folder, cache, "check", "toy.json", *words)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory, cache):
    """The game's file, an experiment, and its baseline."""
    folder = tmp_path_factory.mktemp("made")
    shutil.copy(TOY, folder / "highest_card.py")
    (folder / "toy.toml").write_text(CONFIG)
    how = ["--plugin", "highest_card.py", "--tolerance", "5%"]
    done = simulate(folder, cache, "baseline", "toy.toml", "-o", "toy.json", *how)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def toy(made, tmp_path):
    """A copy of it to work on."""
    return shutil.copytree(made, tmp_path / "toy")


def copy_packages(folder):
    """The engine and the strategies, to be edited; there they stand before the installed ones."""
    for package in ("simcore", "strategies"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))


def edit(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_rule_that_is_flipped_fails_in_the_very_next_run_and_passes_when_it_is_flipped_back(toy, cache):
    rule = toy / "highest_card.py"
    edit(rule, "hidden.luck < table.rules.favour", "hidden.luck >= table.rules.favour")
    code, told = check(toy, cache)
    assert code == 1
    assert "win shares have moved by more than 5 points: seat 1, seat 2" in told
    assert "changed since: code of the game highest, finish: its hash was " in told
    edit(rule, "hidden.luck >= table.rules.favour", "hidden.luck < table.rules.favour")
    assert check(toy, cache, "--exact")[0] == 0


def test_a_default_of_a_rule_that_is_moved_fails_and_is_named(toy, cache):
    edit(toy / "highest_card.py", "number(0, 0, 10000", "number(3000, 0, 10000")
    code, told = check(toy, cache)
    assert code == 1
    assert "changed since: rule favour: its default was 0, it is 3000" in told
    assert "changed since: rules of players=2, strategies=random: their hash was " in told


def test_a_refactor_that_changes_nothing_passes_bit_for_bit(toy, cache):
    """Another loop, another name, the same games: the code's hash is another one, so all games are played."""
    old = "    for seat in range(1, len(table.seat)):\n        if table.seat[seat].card > table.seat[best].card:\n"
    new = "    for seat in range(len(table.seat)):\n        if table.seat[best].card < table.seat[seat].card:\n"
    edit(toy / "highest_card.py", old, new)
    for words in ([], ["--exact"]):
        code, told = check(toy, cache, *words)
        assert code == 0
        assert told.count("the same games, to the last card (12,800 games)") == 2
        assert "changed since: code of the game highest, finish" in told


def test_a_rule_that_changes_games_but_no_win_rate_passes_by_statistics(toy, cache):
    """The lowest card wins: other winners, and the seats are as good as before."""
    edit(
        toy / "highest_card.py",
        "table.seat[seat].card > table.seat[best].card",
        "table.seat[seat].card < table.seat[best].card",
    )
    code, told = check(toy, cache)
    assert code == 0
    assert told.count("PASS") == 2 and "other games, but no win share has moved" in told
    assert "the first game that differs is game 0" in told
    assert check(toy, cache, "--exact")[0] == 5


def test_a_changed_random_stream_with_the_same_distribution_passes_by_statistics(toy, cache):
    """The package itself is edited, where streams are keyed."""
    copy_packages(toy)
    edit(toy / "simcore" / "rng.py", "0xD1342543DE82EF95", "0xD1342543DE82EF97")
    code, told = check(toy, cache)
    assert code == 0
    assert "other games, but no win share has moved" in told
    assert "changed since: random numbers: other ones" in told


def test_a_strategy_that_is_renamed_cannot_be_compared(toy, cache):
    edit(toy / "highest_card.py", "def random(point", "def guesser(point")
    edit(toy / "highest_card.py", 'default_parts=("random",)', 'default_parts=("guesser",)')
    code, told = check(toy, cache)
    assert code == 4
    assert 'highest has no strategy "random"' in told
    assert '"guesser" has its code: was it renamed?' in told


def test_a_strategy_that_does_not_compile_fails_with_the_reason(toy, cache):
    edit(toy / "highest_card.py", "return below(stream, 52)", "return str(stream)")
    code, told = check(toy, cache)
    assert code == 1
    assert 'strategy "random"' in told


def test_a_strategy_that_breaks_the_rules_fails_with_the_reason(toy, cache):
    edit(toy / "highest_card.py", "return below(stream, 52)", "return 99")
    code, told = check(toy, cache)
    assert code == 1
    assert 'strategy "random" answered 99 at GUESS on seat 1, which the rules forbid' in told


def test_a_game_that_looks_at_no_answer_is_told_of_it_by_the_first_game(toy, cache):
    """Its kernel plays on, its replay does not."""
    edit(toy / "highest_card.py", "table.fault = 1", "table.fault = 0")
    edit(toy / "highest_card.py", "return below(stream, 52)", "return 99")
    code, told = check(toy, cache)
    assert code == 0
    assert "other decisions, but every outcome is the same" in told
    assert 'strategy "random" answered 99 at GUESS on seat 1, which the rules forbid' in told


def test_a_file_that_ends_the_process_is_no_pass(toy, cache):
    with (toy / "highest_card.py").open("a") as file:
        file.write("\nimport sys\n\nsys.exit(0)\n")
    code, told = check(toy, cache)
    assert code == 4
    assert "highest_card.py: line " in told and "SystemExit: 0" in told


def test_a_game_that_remembers_the_one_before_is_not_taken_for_the_same(toy, cache):
    """A cell of the deck that no deal writes: in the gate as in any run, it is what the last game left."""
    old = "    for seat in range(len(table.seat)):\n        outcome.score"
    leak = "    if hidden.deck.cards[63] == 7:\n        best = np.int64(0)\n    hidden.deck.cards[63] = 7\n"
    edit(toy / "highest_card.py", old, leak + old)
    assert check(toy, cache)[0] == 1


def test_a_game_with_fractions_has_fingerprints_too(toy, cache):
    edit(toy / "highest_card.py", '"luck")', '("luck", np.float64))')
    code, told = check(toy, cache)
    assert code == 0, told


def test_a_plugin_is_found_beside_the_baseline_from_anywhere(toy, cache, tmp_path):
    (elsewhere := tmp_path / "elsewhere").mkdir()
    done = simulate(elsewhere, cache, "check", str(toy / "toy.json"))
    assert done.returncode == 0, done.stdout


def test_a_game_that_is_gone_cannot_be_compared(toy, cache):
    (toy / "highest_card.py").unlink()
    code, told = check(toy, cache)
    assert code == 4
    assert "highest_card.py: there is no such file" in told


def test_wrong_options_are_2(toy, cache):
    assert check(toy, cache, "--tolerance", "200%")[0] == 2
    assert check(toy, cache, "--max-games", "0")[0] == 2
    assert check(toy, cache, "--threads", "0")[0] == 2
    assert check(toy, cache, "--junit", "nowhere/drift.xml")[0] == 2
    assert simulate(toy, cache, "check").returncode == 2


@pytest.fixture(scope="module")
def doigt(tmp_path_factory, cache):
    """A copy of the package with Jeu du doigt, and a baseline that it made."""
    folder = tmp_path_factory.mktemp("doigt")
    copy_packages(folder)
    (folder / "toy.toml").write_text(DOIGT)
    done = simulate(folder, cache, "baseline", "toy.toml", "-o", "toy.json")
    assert done.returncode == 0, done.stderr
    return folder


def test_a_parameter_of_a_strategy_that_is_moved_is_noticed_and_named(doigt, cache):
    """What habit does next is a parameter with a default, which is no code."""
    assert check(doigt, cache)[0] == 0
    strategies = doigt / "strategies" / "doigt.py"
    edit(strategies, "again=Parameter(70, ", "again=Parameter(100, ")
    code, told = check(doigt, cache)
    edit(strategies, "again=Parameter(100, ", "again=Parameter(70, ")
    assert code == 1
    assert "changed since: strategy habit: the default of again was 70, it is 100" in told
    assert "line " in told and " was: " in told and " is:  " in told


def test_a_flipped_rule_of_a_real_game_is_noticed_and_named(doigt, cache):
    rules = doigt / "simcore" / "games" / "doigt_rules.py"
    edit(rules, 'heart_bonus: str = choice(\n        "1"', 'heart_bonus: str = choice(\n        "0"')
    code, told = check(doigt, cache)
    edit(rules, 'heart_bonus: str = choice(\n        "0"', 'heart_bonus: str = choice(\n        "1"')
    assert code == 1
    assert "changed since: rule heart_bonus: its default was 1, it is 0" in told
