"""The game of docs/first-game.md, taken from the page: it is complete, small, and keeps what every game must keep."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from simcore.api import make_cell
from simcore.contract import WHOLE
from simcore.engine import run
from simcore.errors import UsageError
from simcore.registry import find_game, game_names, load_plugin
from simcore.replay import replay, transcript
from simcore.result import Result

PAGE = Path(__file__).resolve().parents[1] / "docs/first-game.md"
(CODE,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
WORDS = ("narrate", "random", "GAME")  # not rules: the transcript, a strategy, the list of all pieces


@pytest.fixture(scope="module", autouse=True)
def bataille(tmp_path_factory):
    file = tmp_path_factory.mktemp("game") / "bataille.py"
    file.write_text(CODE, encoding="utf-8")
    load_plugin(str(file))


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


@pytest.mark.parametrize("tie", ["nobody", "first"])
def test_the_oracle_of_the_page(tie):
    """1/17 of the rounds of two players have equal cards; these are nobody's, or the first player's."""
    found = Result(run(make_cell("bataille", 2, 200_000, "random", {"tie": tie})))
    nobody = found.metric_estimates["nobody"]
    score = [line.score for line in found.seat_lines]
    equal = 1 / 17 if tie == "nobody" else 0
    assert abs(nobody.estimate - equal) <= max(2 * (nobody.high - nobody.low), 1e-12)
    for seat, rounds in enumerate([5 * (8 / 17 + (1 / 17 if tie == "first" else 0)), 5 * 8 / 17]):
        assert abs(score[seat].estimate - rounds) <= 2 * (score[seat].high - score[seat].low)


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


def test_threads_and_chunks_do_not_change_a_number():
    cell = make_cell("bataille", 2, 5000, "random")
    assert len({run(cell, threads=threads, chunk=chunk).tally.digest() for threads, chunk in [(1, None), (3, 7)]}) == 1


def test_it_is_told_in_both_languages():
    cell = make_cell("bataille", 2, 10, "random")
    assert any(line.startswith("Player 1 holds ") for line in transcript(cell, 3, "en"))
    assert any(line.startswith("Joueur 1 a en main ") for line in transcript(cell, 3, "fr"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"players": 5}, "--players 5: bataille takes 2 to 4 players"),
        ({"players": 2, "rules": {"cards": 14}}, "rule cards = 14: it takes a whole number from 1 to 13"),
    ],
)
def test_bad_input_gives_its_sentence(words, says):
    with pytest.raises(UsageError) as refused:
        make_cell("bataille", games=1, **words)
    assert str(refused.value) == says


def plugged(tmp_path, code):
    file = tmp_path / "game.py"
    file.write_text(code, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        load_plugin(str(file))
    return str(refused.value)


def test_a_game_with_the_name_of_a_built_in_one_is_refused(tmp_path):
    assert '"doigt" is the name of a built-in game' in plugged(
        tmp_path, CODE.replace('name="bataille"', 'name="doigt"')
    )


def test_a_game_whose_records_cannot_be_made_is_refused(tmp_path):
    assert "attributes of their own called round" in plugged(tmp_path, CODE.replace('"played"', '"round"'))
