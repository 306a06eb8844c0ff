"""The plug-in of pytest, as its users have it: files of tests, run by pytest in a process of their own."""

import os
import shutil
import subprocess
import sys

import pytest
from gates import TOY, as_of_now, kept, toy_document

TESTS = """
from simcore.pytest_plugin import assert_balanced as balanced


def test_two_equal_seats_are_fair(assert_balanced):
    assert_balanced(game="highest", players=2, band=0.02, plugin="highest_card.py")


def test_a_favoured_seat_is_not():
    balanced(game="highest", players=2, band=0.02, rules={"favour": 2000}, plugin="highest_card.py")


def test_it_cannot_be_said_with_few_games(assert_balanced):
    assert_balanced(game="highest", players=2, band=0.001, games=2000, plugin="highest_card.py")


def test_a_band_is_a_share(assert_balanced):
    assert_balanced(game="highest", players=2, band="1%", plugin="highest_card.py")


def test_nothing_has_drifted(assert_no_drift):
    assert_no_drift("same.json", exact=True)


def test_the_first_seat_lost_its_favour(assert_no_drift):
    assert_no_drift(["same.json", "favour.json"])


def test_it_cannot_be_compared(assert_no_drift):
    assert_no_drift("missing.json")


def test_no_baseline_is_no_pass(assert_no_drift):
    assert_no_drift([])
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory, forgotten_plugins):
    folder = tmp_path_factory.mktemp("theirs")
    shutil.copy(TOY, folder / "highest_card.py")
    kept(toy_document(), folder / "same.json")
    kept(as_of_now(toy_document(favour=2500)), folder / "favour.json")
    (folder / "test_mine.py").write_text(TESTS)
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "--tb=short", "test_mine.py"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=300, env=env).stdout


def test_pytest_finds_the_fixtures_by_itself(told):
    assert "2 passed, 6 failed" in told or "6 failed, 2 passed" in told
    assert "PASSED test_mine.py::test_two_equal_seats_are_fair" in told
    assert "PASSED test_mine.py::test_nothing_has_drifted" in told


@pytest.mark.parametrize(
    "says",
    [
        "AssertionError: Highest card, 2 players, seed 1: ",
        "Unfair seats: seat ",
        "Cannot say yet whether the seats are fair within 0.1 points",
        "band='1%': give a share of the wins as a number between 0 and 1, such as 0.01",
        "win shares have moved by more than 5 points: seat 1",
        "CANNOT COMPARE  missing.json: it cannot be read",
        "there is no baseline to check",
    ],
)
def test_each_failure_says_why(told, says):
    assert says in told


def test_a_plain_run_of_pytest_imports_nothing_heavy():
    code = "import sys, pytest, simcore.pytest_plugin; print(sorted({'numba', 'pandas', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n"
