import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.config import load
from experiments.plan import plan
from simcore import load_results

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "README.md",
    "docs/first-strategy.md",
    "docs/first-game.md",
    "docs/scaling.md",
    "docs/games/doigt.md",
    "docs/games/paris.md",
    "docs/games/nain-jaune.md",
]
FILES = {"docs/first-strategy.md": "my.py", "docs/first-game.md": "bataille.py"}  # what their Python is saved as


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


COMMANDS = [
    (page, line)
    for page in PAGES
    for block in blocks(page, "sh")
    for line in block.splitlines()
    if line.startswith("simulate")
]


@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_every_command_in_the_documents_runs(page, command, tmp_path):
    for source, name in FILES.items():
        (tmp_path / name).write_text(blocks(source, "python")[0], encoding="utf-8")
    words = shlex.split(command)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "experiments.cli", *words], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_page_of_experiments_runs_from_its_first_command_to_its_last(tmp_path):
    """In one folder, with the file that the page shows; then its Python, and that of the next page."""
    page = "docs/experiments.md"
    first, *others = blocks(page, "toml")
    (tmp_path / "my.toml").write_text(first, encoding="utf-8")
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    assert len(lines) > 8
    for line in lines:
        command = [sys.executable, "-m", "experiments.cli", *shlex.split(line)[1:]]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
        assert done.returncode == 0, f"{line}: {done.stderr}"
    for text in others:
        (tmp_path / "other.toml").write_text(text, encoding="utf-8")
        assert plan(load(str(tmp_path / "other.toml")), "")
    for code in [*blocks(page, "python"), *blocks("docs/results-file.md", "python")]:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, cwd=tmp_path)
        assert done.returncode == 0 and done.stdout, done.stderr
    line = load_results(str(tmp_path / "my.db")).cells[0].result.seat_lines[0].win_share
    share, _, half = done.stdout.split()[:3]  # as read without simcore
    assert float(share) == pytest.approx(line.estimate, abs=1e-4)
    assert float(half) == pytest.approx((line.high - line.low) / 2, rel=0.3)  # 64 blocks know it that well


def test_the_page_of_reports_runs_from_its_first_command_to_its_last(tmp_path):
    lines = [line for block in blocks("docs/reports.md", "sh") for line in block.splitlines()]
    for line in lines:
        command = [sys.executable, "-m", "experiments.cli", *shlex.split(line)[1:]]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
        assert done.returncode == 0, f"{line}: {done.stderr}"
    (code,) = blocks("docs/reports.md", "python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    written = {path.name for path in tmp_path.iterdir()}
    assert {"players.db", "report.html", "rapport.html", "figures", "run.html", "seats.png"} <= written


def test_the_page_of_ci_runs_from_its_first_command_to_its_last(tmp_path):
    """And its tests in pytest; what it shows of a check is what the check says."""
    page = "docs/ci.md"
    (tmp_path / "my.toml").write_text(blocks(page, "toml")[0], encoding="utf-8")
    first, *later = blocks(page, "sh")
    done = [
        subprocess.run(
            [sys.executable, "-m", "experiments.cli", *shlex.split(line)[1:]],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=300,
        )
        for block in (first, *later)
        for line in block.splitlines()
    ]
    assert [one.returncode for one in done] == [0] * len(done), [one.stderr for one in done]
    assert f"```\n{done[1].stdout}```" in (ROOT / page).read_text(encoding="utf-8")
    assert "seat 1" in done[-1].stdout and "->" in done[-1].stdout
    (tmp_path / "test_balance.py").write_text(blocks(page, "python")[0], encoding="utf-8")
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "test_balance.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
    )
    assert tested.returncode == 0 and "2 passed" in tested.stdout, tested.stdout


def test_the_python_in_the_readme_runs():
    code = "\n".join(blocks("README.md", "python"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "win_share" in done.stdout


def test_the_first_strategy_is_under_30_lines():
    (code,) = blocks("docs/first-strategy.md", "python")
    assert len(code.splitlines()) < 30


@pytest.mark.parametrize("game", ["doigt", "paris", "nain-jaune"])
def test_the_rules_page_names_every_rule_and_value(game):
    from simcore.registry import find_game
    from simcore.rules import settings

    page = (ROOT / f"docs/games/{game}.md").read_text(encoding="utf-8")
    for name, (_, setting) in settings(find_game(game).rules).items():
        assert f"`{name}" in page
        assert all(option.name in page for option in setting.options)


def test_the_output_in_the_readme_is_real():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    digest = re.search(r"digest (\w+)", page)[1]
    command = ["--game", "doigt", "--players", "4", "-n", "1e5"]
    done = subprocess.run(
        [sys.executable, "-m", "experiments.cli", *command], capture_output=True, text=True, timeout=300, cwd=ROOT
    )
    assert f"digest {digest}" in done.stdout
