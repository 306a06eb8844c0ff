"""The game of docs/first-game.md, taken from the page: it is complete, small, and keeps what every game must keep."""

import ast
import importlib.util
import os
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from simcore.api import make_cell
from simcore.cell import Rows, workspace
from simcore.contract import WHOLE
from simcore.engine import run
from simcore.errors import IllegalAction, UsageError
from simcore.plain import plain_record, rebuild
from simcore.registry import find_game, game_names, load_plugin, strategies
from simcore.replay import replay, replay_command, transcript
from simcore.result import Result

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/first-game.md").read_text(encoding="utf-8")
CODE, ORACLE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
WORDS = ("narrate", "random", "GAME")  # not rules: the transcript, a strategy, the list of all pieces

CHEAT = """
@strategy("bataille", answers=(PLAY,))
def cheat(point, table, seat, hand, params, stream):
    \"\"\"Plays a card that it does not have.\"\"\"
    return nth(~hand.cards, 0)
"""

LOWEST = '''
from simcore.bits import nth
from simcore.contract import strategy


@strategy("bataille", answers=(0,))
def lowest(point, table, seat, hand, params, stream):
    """Plays its first card."""
    return nth(hand.cards, 0)
'''


def command(folder, *words):
    words = [sys.executable, "-m", "experiments.cli", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=300, env=env)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory, forgotten_plugins):
    """Where the file of the page lies, which is loaded."""
    made = tmp_path_factory.mktemp("game")
    (made / "bataille.py").write_text(CODE, encoding="utf-8")
    load_plugin(str(made / "bataille.py"))
    return made


def test_its_rules_are_under_100_lines():
    tree = ast.parse(CODE)
    told = {
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    lines = set()
    for node in tree.body:
        names = [getattr(node, "name", "")] + [t.id for t in getattr(node, "targets", []) if isinstance(t, ast.Name)]
        if not isinstance(node, ast.ImportFrom | ast.Import) and not set(names) & set(WORDS):
            lines |= set(range(node.lineno, node.end_lineno + 1))
    written = {number for number, line in enumerate(CODE.splitlines(), 1) if line.strip()}
    assert 40 < len(lines & written - told) < 100


def test_it_is_found_like_any_game():
    assert "bataille" in game_names()
    assert find_game("bataille").title == "Petite bataille"
    assert list(strategies(find_game("bataille"))) == ["random"]


def contract():
    """The tests of every game, which find theirs by entry points."""
    spec = importlib.util.spec_from_file_location("contract_of_games", ROOT / "tests/contract/test_contract.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CONTRACT = {
    "test_simultaneous_choices_are_asked_on_the_same_table": ["random"],
    "test_a_strategy_plays_legally_sees_no_hidden_card_and_changes_nothing": ["random"],
    "test_every_strategy_decides_in_a_kernel_as_in_a_replay": [],
    "test_threads_and_chunks_do_not_change_a_number": [],
    "test_a_game_has_no_memory_of_the_game_before": [],
}


@pytest.mark.parametrize(("test", "words"), CONTRACT.items())
def test_it_keeps_the_contract(test, words):
    getattr(contract(), test)("bataille", *words)


def test_the_contract_has_no_other_test():
    assert {name for name in vars(contract()) if name.startswith("test_")} == set(CONTRACT)


def test_nobody_sees_what_others_choose_in_the_same_round():
    cell = make_cell("bataille", 4, 10, "random")
    rounds = {}
    choose = rebuild(cell.kernel.choose, {})

    def decide(point, table, seat, hand, seats):
        rounds.setdefault(table.played, []).append((seat, deepcopy(table)))
        return choose(point, table, seat, hand, seats)

    space, rows = workspace(cell, plain_record), Rows.of(cell)
    with np.errstate(over="ignore"):
        rebuild(cell.kernel.play_game, {cell.kernel.choose: decide})(*space, 0, rows.outcome(0))
    assert len(rounds) == cell.rules.cards
    for asked in rounds.values():
        assert [seat for seat, _ in asked] == [0, 1, 2, 3]
        assert all(table == asked[0][1] for _, table in asked)


def test_the_oracle_on_the_page_holds(folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {}
    exec(compile(ORACLE, "test_bataille.py", "exec"), names)
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert len(tests) == 1
    tests[0]()


@pytest.mark.parametrize("tie", ["nobody", "first"])
def test_each_of_two_players_wins_8_of_17_rounds_and_the_first_also_equal_ones_if_the_rule_says_so(tie):
    found = Result(run(make_cell("bataille", 2, 200_000, "random", {"tie": tie})))
    nobody = found.metric_estimates["nobody"]
    score = [line.score for line in found.seat_lines]
    if tie == "first":
        assert nobody.estimate == 0
    else:
        assert abs(nobody.estimate - 1 / 17) <= nobody.high - nobody.low
    for seat, rounds in enumerate([5 * (8 / 17 + (1 / 17 if tie == "first" else 0)), 5 * 8 / 17]):
        assert abs(score[seat].estimate - rounds) <= score[seat].high - score[seat].low


@pytest.mark.parametrize("rules", [{}, {"cards": 13}, {"tie": "first", "cards": 1}])
def test_kernel_and_replay_agree_and_rounds_are_conserved(rules):
    cell = make_cell("bataille", 2, 300, "random", rules)
    kept = []
    run(cell, rows=lambda first, rows: kept.extend(rows.tolist()))
    for number in range(20):
        outcome = replay(cell, number).outcome
        assert kept[number] == np.hstack(outcome.tolist()).tolist()
    names = ["share", "share", "won", "won", *cell.game.counted(2)]
    for row in kept:
        assert sum(row[:2]) == WHOLE
        assert row[2] + row[3] + row[names.index("nobody")] == cell.rules.cards == row[names.index("rounds")]


def test_it_is_told_in_both_languages():
    cell = make_cell("bataille", 2, 10, "random", {"cards": 13})
    for language, holds, wins, nobody in [
        ("en", "Player 1 holds ", "wins the round.", "Nobody wins it."),
        ("fr", "Joueur 1 a en main ", "gagne la manche.", "Personne ne la gagne."),
    ]:
        lines = transcript(cell, 3, language)
        rounds, drawn = replay(cell, 3).outcome.score, replay(cell, 3).outcome.nobody
        assert sum(line.startswith(holds) for line in lines) == 1
        assert sum(line.endswith(wins) for line in lines) == sum(rounds)
        assert lines.count(nobody) == drawn > 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"players": 5}, "--players 5: bataille takes 2 to 4 players"),
        ({"players": 2, "rules": {"cards": 14}}, "rule cards = 14: it takes a whole number from 1 to 13"),
        ({"players": 2, "rules": {"tie": "last"}}, "rule tie = last: it takes nobody, first"),
        ({"players": 2, "strategies": "randm"}, 'bataille has no strategy "randm"; did you mean "random"?'),
    ],
)
def test_bad_input_gives_its_sentence(words, says):
    with pytest.raises(UsageError) as refused:
        make_cell("bataille", games=1, **words)
    assert str(refused.value) == says


def test_a_mistake_in_a_rule_is_named_by_a_run_without_the_compiler(tmp_path):
    code = CODE.replace("table.nobody += 1", "table.nobdy += 1")
    (tmp_path / "bataille.py").write_text(code, encoding="utf-8")
    (command,) = re.findall(r"^NUMBA_DISABLE_JIT=1 simulate (.*)$", PAGE, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-m", "experiments.cli", *command.split()],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
    )
    line = code.splitlines().index("        table.nobdy += 1") + 1
    assert done.returncode == 1
    assert f'bataille.py", line {line}, in finish_round' in done.stderr
    assert "no attribute 'nobdy'" in done.stderr


def test_a_mistake_in_a_rule_is_one_sentence(tmp_path):
    (tmp_path / "bataille.py").write_text(CODE.replace("table.nobody += 1", "table.nobdy += 1"), encoding="utf-8")
    done = command(tmp_path, "--plugin", "bataille.py", "--game", "bataille", "--players", "2", "-n", "200", "-q")
    said = "the rules of bataille cannot be compiled: there is no field called 'nobdy'; with NUMBA_DISABLE_JIT=1 before"
    assert done.stderr.startswith(f"simulate: {said} the command") and done.stderr.count("\n") == 1
    assert done.returncode == 2


def test_a_command_to_repeat_and_a_results_file_name_the_file_of_the_game_too(folder):
    (folder / "mine.py").write_text(LOWEST, encoding="utf-8")
    (folder / "two.toml").write_text(
        'title = "T"\ngame = "bataille"\nplayers = 2\ngames = 64\nstrategies = "lowest"\n', encoding="utf-8"
    )
    files = ["--plugin", str(folder / "bataille.py"), "--plugin", str(folder / "mine.py")]
    for path in files[1::2]:
        load_plugin(path)
    assert " ".join(files) in replay_command(make_cell("bataille", 2, 64, "lowest"), 0)
    assert command(folder, "sweep", "two.toml", *files, "-o", "two.db").returncode == 0
    export = command(folder, "export", "two.db", "--csv")  # in a process that has loaded neither
    assert export.returncode == 0 and "lowest" in export.stdout


def plugged(tmp_path, code):
    """What is said when a file with this code is refused."""
    file = tmp_path / "game.py"
    file.write_text(code, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        load_plugin(str(file))
    return str(refused.value)


def test_a_game_with_the_name_of_a_built_in_one_is_refused(tmp_path):
    assert '"doigt" is the name of a built-in game' in plugged(
        tmp_path, CODE.replace('name="bataille"', 'name="doigt"')
    )


def test_a_strategy_file_may_import_the_game_that_it_plays(tmp_path):
    code = CHEAT.replace('"bataille"', '"doigt"').replace("PLAY", "GAME.points.index('KEEP')")
    file = tmp_path / "mine.py"
    head = "from simcore.contract import strategy\nfrom simcore.games.doigt import GAME\n"
    file.write_text(head + code, encoding="utf-8")
    load_plugin(str(file))
    assert "cheat" in strategies(find_game("doigt"))


def test_a_game_whose_records_cannot_be_made_is_refused(tmp_path):
    assert "attributes of their own called round" in plugged(tmp_path, CODE.replace('"played"', '"round"'))


def test_a_strategy_of_a_game_that_is_not_there_is_refused_and_its_game_is_not_kept(tmp_path):
    """Here the game has got another name than its strategy's, which nothing has loaded."""
    code = CODE.replace('name="bataille"', 'name="guerre"').replace('@strategy("bataille"', '@strategy("gerre"')
    says = plugged(tmp_path, code)
    assert says.startswith("--plugin ")
    assert says.endswith('there is no game "gerre"; did you mean "guerre"?')
    assert "guerre" not in game_names()


def test_a_card_that_a_player_does_not_have_stops_the_game(tmp_path):
    file = tmp_path / "guerre.py"
    file.write_text((CODE + CHEAT).replace('"bataille"', '"guerre"'), encoding="utf-8")
    load_plugin(str(file))
    cell = make_cell("guerre", 2, 10, "cheat")
    with pytest.raises(IllegalAction, match=r'"cheat" answered \d+ at PLAY on seat 1, which the rules forbid'):
        replay(cell, 0)
