"""What docs/ci.md and the action hand to a CI: their scripts run here, as there, with its variables set."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from gates import TOY, as_of_now, kept, toy_document

from experiments.drift_commands import CHECK_HELP

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / ".github/actions/drift/action.yml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
CODES = ("0", "1", "2", "3", "4", "5", "70")


@pytest.fixture
def theirs(tmp_path):
    """Somebody's repository: a game, a baseline of it in place, and one of a game that favoured a seat."""
    shutil.copy(TOY, tmp_path / "highest_card.py")
    (tmp_path / "baselines").mkdir()
    kept(toy_document(), tmp_path / "baselines" / "toy.json")
    kept(as_of_now(toy_document(favour=2500)), tmp_path / "drift.json")
    return tmp_path


def variables(folder, step, inputs):
    """What a step finds in its environment."""
    given = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()} | inputs
    env = {"GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    for name, text in step["env"].items():
        filled = re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: given[match[1]], text)
        env[name] = filled.replace("${{ runner.temp }}", str(folder))
    assert not any("${{" in value for value in env.values())
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**os.environ, **env, "PATH": path, "SIMCORE_CACHE_DIR": os.environ.get("SIMCORE_CACHE_DIR", str(folder))}


def act(folder, **inputs):
    """The step of the action that checks."""
    (step,) = [step for step in ACTION["runs"]["steps"] if step.get("id") == "check"]
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    env = variables(folder, step, {name.replace("_", "-"): value for name, value in inputs.items()})
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=300, env=env)


def test_the_action_passes_where_nothing_has_moved(theirs):
    done = act(theirs)
    assert done.returncode == 0, done.stderr
    assert "::error" not in done.stdout
    assert (theirs / "output").read_text() == "exit-code=0\n"
    assert "| baselines/toy.json | players=2 | PASS |" in (theirs / "summary.md").read_text()
    assert 'failures="0"' in (theirs / "drift.xml").read_text()


def test_the_action_fails_on_a_drift_and_annotates_it(theirs):
    done = act(theirs, baselines="baselines/*.json drift.json", junit="other.xml")
    assert done.returncode == 1
    assert "::error file=drift.json,title=win rates%3A FAIL::players=2: win shares have moved" in done.stdout
    assert (theirs / "output").read_text() == "exit-code=1\n"
    assert (theirs / "other.xml").exists()


def test_every_input_of_the_action_does_something(theirs):
    """30 points are allowed; exact allows nothing; a small budget measures nothing, so that nothing is excused."""
    assert act(theirs, baselines="drift.json", tolerance="30%").returncode == 0
    assert act(theirs, baselines="drift.json", tolerance="30%", exact="true").returncode == 5
    assert act(theirs, baselines="drift.json", max_games="6400").returncode == 3
    assert act(theirs, baselines="drift.json", max_games="6400", allow_inconclusive="true").returncode == 3
    assert act(theirs, baselines="none/*.json").returncode == 4
    assert act(theirs, baselines="").returncode == 2


def test_the_action_installs_the_simcore_that_it_belongs_to():
    (step,) = [step for step in ACTION["runs"]["steps"] if step.get("name") == "Install simcore"]
    folder = ROOT / ".github" / "actions" / "drift"
    where = subprocess.run(
        ["bash", "-c", step["run"].replace("python -m pip install --quiet", "printf '%s'")],
        capture_output=True,
        text=True,
        env={"GITHUB_ACTION_PATH": str(folder), "INSTALL": ""},
    ).stdout
    assert Path(where).resolve() == ROOT


@pytest.mark.parametrize("code", CODES)
def test_every_exit_code_is_documented(code):
    assert re.search(rf"^\| {code} \|", PAGE, re.MULTILINE)
    assert re.search(rf"\b{code}\b", CHECK_HELP)


def test_workflows_in_the_page_are_yaml_with_inputs_that_the_action_has():
    flows = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
    assert flows
    steps = [step for flow in flows for job in flow["jobs"].values() for step in job["steps"]]
    given = {name for step in steps if "actions/drift" in step.get("uses", "") for name in step.get("with", {})}
    assert given and given <= set(ACTION["inputs"])
