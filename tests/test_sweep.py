"""Sweeps: one file of exact results, whatever ends them early."""

import json
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from experiments import cli, sweep_commands, sweep_run
from experiments.config import Experiment, load
from experiments.export import export
from experiments.plan import plan
from experiments.sweep import Sweep, sweep_all
from simcore import load_results, simulate
from simcore.engine import run, run_each
from simcore.errors import IllegalAction, UsageError
from simcore.registry import ensure_plugin, find_game, load_plugin, plugin_path, strategies
from simcore.result import Result
from simcore.sequential import UntilWidth
from simcore.store import TABLES, alone

ROOT = Path(__file__).resolve().parents[1]
SIMULATE = [sys.executable, "-m", "experiments.cli"]
SMALL = """
title = "Small"
question = "Does it matter?"
game = "doigt"
players = [2, 3]
games = 300
strategies = "random"
seed = 5

[grid]
heart_bonus = [0, "red"]
steal = ["off", "on"]
"""
MANY = """
title = "Many"
game = "doigt"
players = [2, 3]
games = {games}
strategies = "random"

[grid]
max_attempts = {attempts}
"""


def written(folder, text=SMALL, name="test.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def sweep_of(folder, text=SMALL, name="results.db", **options):
    return Sweep(written(folder, text), {}, str(folder / name), threads=1, quiet=True, **options)


def command(*words, cwd=ROOT, **options):
    words = [*SIMULATE, *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, cwd=cwd, timeout=300, **options)


def content(path):
    """Everything in a file but when it was made, how fast, and by which command."""
    with closing(sqlite3.connect(path)) as file:
        tables = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        found = {name: sorted(file.execute(f"SELECT * FROM {name}"), key=repr) for name in tables if name != "log"}
    found["meta"] = [row for row in found["meta"] if row[0] != "command"]
    return found


def finished(path):
    with closing(sqlite3.connect(path, timeout=10)) as file:
        return file.execute("SELECT count(*) FROM cell WHERE deals IS NOT NULL").fetchone()[0]


def digests_in_copy(path):
    """The finished cells of a file that was cut off, without touching it: a sweep shall mend it itself."""
    copy = path.parent / "copy" / path.name
    copy.parent.mkdir(exist_ok=True)
    for ending in ("", "-wal", "-journal"):
        Path(f"{copy}{ending}").unlink(missing_ok=True)
        if Path(f"{path}{ending}").exists():
            shutil.copy(f"{path}{ending}", f"{copy}{ending}")
    return {entry.label: entry.result.digest for entry in load_results(str(copy)).finished}


def nothing(cells, progress):
    """A way to play that plays no cell."""
    return iter(())


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    sweep_all(sweep_of(folder))
    return folder / "results.db"


# What is in it


def test_every_cell_is_what_a_run_of_its_own_gives(small):
    results = load_results(str(small))
    assert len(results) == len(results.finished) == 8
    for entry in results.cells:
        rules = {name: entry.factors[name] for name in ("heart_bonus", "steal")}
        alone = simulate("doigt", entry.factors["players"], 300, "random", rules, seed=5, threads=2)
        assert entry.result.digest == alone.digest
        assert (entry.result.tally.sums == alone.tally.sums).all()
        pd.testing.assert_frame_equal(entry.result.seats, alone.seats)
        pd.testing.assert_frame_equal(entry.result.metrics, alone.metrics)
        assert entry.result.document() == alone.document()
    with closing(sqlite3.connect(small)) as file:
        stored = [row[0] for row in file.execute("SELECT digest FROM cell ORDER BY id")]
    assert stored == [entry.result.digest for entry in results.cells]


def test_histograms_and_integers_beyond_64_bits_come_back_exactly(tmp_path):
    text = 'title = "T"\ngame = "nain-jaune"\nplayers = 3\ngames = 300\n[rules]\nstakes = [1000, 1000, 9, 9, 9]\n'
    sweep_all(sweep_of(tmp_path, text + "stake_mult = 100\ndeals = 40\n"))
    (entry,) = load_results(str(tmp_path / "results.db")).cells
    alone = Result(run(entry.cell))
    assert entry.result.digest == alone.digest
    assert (entry.result.tally.scores == alone.tally.scores).all()
    assert entry.result.document() == alone.document()
    with closing(sqlite3.connect(tmp_path / "results.db")) as file:
        file.execute("UPDATE block SET sums = replace(sums, '[', '[' || '36893488147419103232') WHERE block = 3")
        file.commit()
    (entry,) = load_results(str(tmp_path / "results.db")).cells
    assert str(entry.result.tally.sums[3, 0, 0]).startswith("36893488147419103232")


def test_threads_and_order_of_work_leave_no_trace(small, tmp_path):
    sweep = Sweep(written(tmp_path), {}, str(tmp_path / "other.db"), threads=3, quiet=True)
    sweep_all(sweep)
    assert content(tmp_path / "other.db") == content(small)


def test_a_finished_sweep_is_one_file(small):
    load_results(str(small))
    assert [path.name for path in small.parent.glob("results*")] == ["results.db"]


def test_every_table_and_column_is_documented(small):
    page = (ROOT / "docs/results-file.md").read_text(encoding="utf-8")
    with closing(sqlite3.connect(small)) as file:
        tables = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        names = [row[0] for row in file.execute("SELECT name FROM meta")]
        assert len(tables) == TABLES.count("CREATE TABLE")
        for table in tables:
            section = page.split(f"## `{table}`")[1].split("\n## ")[0]
            columns = [row[1] for row in file.execute(f"PRAGMA table_info({table})")]
            assert [column for column in columns if f"| `{column}` |" not in section] == []
        section = page.split("## `meta`")[1].split("\n## ")[0]
        assert [name for name in names if f"`{name}`" not in section] == []


def test_the_file_says_what_made_it(tmp_path):
    done = command("sweep", written(tmp_path), "-o", tmp_path / "r.db", "-q", "--games", "64")
    assert done.returncode == 0, done.stderr
    about = load_results(str(tmp_path / "r.db")).about
    assert about["command"] == f"simulate sweep {tmp_path}/test.toml -o {tmp_path}/r.db -q --games 64"
    assert set(about["versions"]) == {"python", "simcore", "numba", "numpy"}
    assert (about["title"], about["question"]) == ("Small", "Does it matter?")
    assert about["experiment"]["games"] == 64


def test_a_cell_that_stops_early_says_why(tmp_path):
    text = SMALL.replace("300", "60_000").replace("[2, 3]", "2").replace(', "red"', "")
    sweep_all(sweep_of(tmp_path, text, until=UntilWidth(0.5)))
    for entry in load_results(str(tmp_path / "results.db")).cells:
        assert (entry.stopped, entry.result.stopped, entry.result.games) == ("width reached", "width reached", 20_000)


# Ended early


def test_resuming_plays_what_is_left_and_nothing_else(small, tmp_path):
    sweep = sweep_of(tmp_path)
    played = []

    def three(cells, progress):
        for entry in cells[:3]:
            played.append(entry.label)
            yield run(entry.cell, 1)

    def rest(cells, progress):
        for entry in cells:
            played.append(entry.label)
            yield run(entry.cell, 1)

    first = sweep_all(sweep, three)
    assert (first.played, first.interrupted) == (3, True)
    again = sweep_all(Sweep(sweep.file, {}, sweep.output, 1, resume=True, quiet=True), rest)
    assert (again.played, again.interrupted) == (5, False)
    assert played == [entry.label for entry in plan(load(sweep.file), sweep.file)]
    assert content(sweep.output) == content(small)


def test_a_sweep_can_be_read_while_it_is_written(tmp_path):
    sweep, seen = sweep_of(tmp_path), []

    def play(cells, progress):
        for entry in cells:
            seen.append(len(load_results(sweep.output).finished))
            yield run(entry.cell, 1)

    assert sweep_all(sweep, play).played == 8
    assert seen == list(range(8))
    assert [path.name for path in tmp_path.iterdir() if "results" in path.name] == ["results.db"]


def test_ctrl_c_keeps_finished_cells_says_how_to_go_on_and_exits_130(tmp_path):
    file = written(tmp_path, MANY.format(games=4000, attempts=list(range(10, 50))))
    output = tmp_path / "r.db"
    words = [*SIMULATE, "sweep", file, "-o", str(output), "-j", "1"]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not (output.exists() and finished(output) >= 3) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    kept = finished(output)
    assert 3 <= kept < 80
    assert len([line for line in out.splitlines() if " ± " in line and "furthest" not in line]) == kept
    assert f"finished cells are kept. Go on with the same command and --resume -o {output}" in said
    assert "Traceback" not in said
    assert sweep_all(Sweep(file, {}, str(output), resume=True, quiet=True)).played == 80 - kept
    whole = sweep_all(Sweep(file, {}, str(tmp_path / "whole.db"), quiet=True))
    assert whole.played == 80 and content(output) == content(tmp_path / "whole.db")


class Interrupting:
    """A crew that sends two Ctrl-C while it is waited for, after so many tasks."""

    slots, seconds = 1, (0.05, 0.05)

    def __init__(self, tasks):
        self._left = tasks

    def submit(self, player, first, sizes):
        return Waited(self, player, first, sizes)


class Waited:
    def __init__(self, crew, player, first, sizes):
        self._crew, self._play = crew, lambda: player.play(first, sizes)

    def result(self):
        self._crew._left -= 1
        if self._crew._left == -1:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        return self._play()


@pytest.mark.parametrize("tasks", [0, 1, 5])
def test_a_second_ctrl_c_loses_no_cell_and_puts_none_in_the_place_of_another(tmp_path, tasks):
    text = MANY.format(games=64, attempts=[10, 20, 30, 40])  # each cell is one task
    sweep, crew = sweep_of(tmp_path, text), Interrupting(tasks)
    done = sweep_all(sweep, lambda cells, progress: run_each((one.cell for one in cells), None, progress, crew=crew))
    assert (done.played, done.interrupted, done.failed) == (tasks, True, {})
    again = sweep_all(Sweep(sweep.file, {}, sweep.output, 1, resume=True, quiet=True))
    assert (again.played, again.interrupted) == (8 - tasks, False)
    sweep_all(sweep_of(tmp_path, text, "whole.db"))
    assert content(sweep.output) == content(tmp_path / "whole.db")


def test_ctrl_c_in_a_dry_run_exits_130_in_one_sentence(tmp_path, monkeypatch, capsys):
    def interrupted(cells, threads):
        for done in run_each(cells, threads):
            yield done
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(sweep_run, "run_each", interrupted)
    text = SMALL.replace("[2, 3]", "[2, 3, 4, 5]").replace("300", "200_000")
    monkeypatch.setattr(sys, "argv", ["simulate", "sweep", written(tmp_path, text), "--dry-run", "-j", "1"])
    assert cli._guarded() == 130
    assert capsys.readouterr().err == "interrupted\n"


PLUGIN = '''
from simcore.contract import strategy
from simcore.games.doigt import ANNOUNCE, KEEP, announcement
from simcore.rng import below, coin


@strategy("doigt", answers=(ANNOUNCE, KEEP))
def clumsy(point, table, seat, hand, params, stream):
    """Plays at random, and calls a number that there is not where three sit at the table."""
    if point == KEEP:
        return coin(stream)
    if len(table.seat) == 3:
        return announcement(9, 1)
    return announcement(below(stream, table.rules.fingers + 1), 1)
'''


def test_one_failing_cell_does_not_stop_the_others(tmp_path):
    (tmp_path / "mine.py").write_text(PLUGIN, encoding="utf-8")
    text = SMALL.replace('"random"', '"clumsy"').replace('"off", ', "")
    file, plugin = written(tmp_path, text), tmp_path / "mine.py"
    words = ["sweep", file, "-o", tmp_path / "r.db", "--plugin", plugin]
    done = command(*words)
    failed = [f"heart_bonus={bonus}, steal=on, players=3, strategies=clumsy" for bonus in ("0", "red")]
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    for label in failed:
        told = [place for place, line in enumerate(lines) if line.startswith(f"cell {label} failed: ")]
        assert len(told) == 2  # at once and at the end
        assert "clumsy" in lines[told[0]] and "simulate replay" in lines[told[0]]
        assert f"--plugin {plugin}" in lines[told[0]]
        shown = lines[told[0]].split("see it with: ")[1]
        again = command(*shlex.split(shown)[1:])
        assert again.returncode == 1
        assert lines[told[0]] == f"cell {label} failed: {again.stderr.splitlines()[-1][10:]}; see it with: {shown}"
        assert told[0] < next(place for place, line in enumerate(lines) if "cells in" in line) < told[1]
    results = load_results(str(tmp_path / "r.db"))
    assert [entry.label for entry in results.cells if entry.result is None] == failed
    assert len(results.finished) == 2
    quiet = command(*words, "--resume", "-q")
    assert quiet.returncode == 1 and all(label in quiet.stderr for label in failed)


def test_cells_that_failed_are_told_before_an_error_that_ends_the_sweep(tmp_path, capsys):
    def play(cells, progress):
        yield IllegalAction("it answered 3")
        raise UsageError("worker tcp://a:1: its numba is 0.1, here it is 0.2; install the same")

    sweep = sweep_of(tmp_path)
    with pytest.raises(UsageError, match="its numba is"):
        sweep_run.run(sweep, play)
    label = plan(load(sweep.file), sweep.file)[0].label
    assert capsys.readouterr().err == f"cell {label} failed: it answered 3\n"


def test_a_plug_in_that_is_loaded_is_not_loaded_again_before_it_changes(tmp_path):
    path, game = tmp_path / "kept.py", find_game("doigt")
    path.write_text(PLUGIN.replace("clumsy", "kept"), encoding="utf-8")
    ensure_plugin(str(path))
    first = strategies(game)["kept"]
    ensure_plugin(str(path))
    assert strategies(game)["kept"] is first and plugin_path(first) == str(path)
    path.write_text(PLUGIN.replace("clumsy", "kept").replace("+ 1), 1)", "+ 1), 0)"), encoding="utf-8")
    ensure_plugin(str(path))
    assert strategies(game)["kept"] is not first
    path.unlink()
    with pytest.raises(UsageError, match="there is no such file"):
        ensure_plugin(str(path))


def test_a_strategy_that_does_not_compile_fails_its_cell_only(tmp_path):
    broken = PLUGIN.replace("clumsy", "broken").replace("len(table.seat) == 3", "table.nofield == 3")
    (tmp_path / "mine.py").write_text(broken, encoding="utf-8")
    text = SMALL.replace('"random"', '["random", "broken"]').replace("[2, 3]", "2").replace('"off", ', "")
    done = command("sweep", written(tmp_path, text), "-o", tmp_path / "r.db", "--plugin", tmp_path / "mine.py")
    assert done.returncode == 1
    line = broken.splitlines().index("    if table.nofield == 3:") + 1
    told = f"mine.py, line {line}: strategy \"broken\" cannot be compiled: there is no field called 'nofield'"
    for bonus in ("0", "red"):
        label = f"heart_bonus={bonus}, steal=on, players=2, strategies=broken"
        assert done.stderr.count(f"cell {label} failed: {told}\n") == 2  # at once and at the end
    assert len(load_results(str(tmp_path / "r.db")).finished) == 2


# Refused


def test_a_file_that_exists_is_not_written_over(small):
    before = content(small)
    with pytest.raises(UsageError) as caught:
        sweep_all(sweep_of(small.parent))
    assert str(caught.value) == f"{small}: it exists; go on in it with --resume, or write another file with -o"
    assert content(small) == before


ANOTHER = [
    (("seed = 5", "seed = 6"), "the cell heart_bonus=0, steal=off, players=2, strategies=random was to be played "
     "otherwise: seed = 5, not 6 (and 8 more)"),
    (("300", "400"), "the cell heart_bonus=0, steal=off, players=2, strategies=random was to be played otherwise: "
     "games_asked = 300, not 400 (and 8 more)"),
    (("[grid]", "[rules]\nzero_is_even = false\n[grid]"), "the cell heart_bonus=0, steal=off, players=2, "
     "strategies=random was to be played otherwise: zero_is_even = true, not false (and 8 more)"),
    (("[2, 3]", "[2]"), "it has the cell heart_bonus=0, steal=off, players=3, strategies=random (and 4 more)"),
    (("[2, 3]", "[2, 3, 4]"), "it lacks the cell heart_bonus=0, steal=off, players=4, strategies=random (and 4 more)"),
    (("Small", "Tiny"), "title is Small, not Tiny"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "difference"), ANOTHER, ids=[change[1] for change, _ in ANOTHER])
def test_another_experiment_does_not_go_on_in_the_file(small, tmp_path, change, difference):
    before = content(small)
    file = written(tmp_path, SMALL.replace(*change))
    with pytest.raises(UsageError) as caught:
        sweep_all(Sweep(file, {}, str(small), threads=1, resume=True, quiet=True))
    assert str(caught.value) == f"{small}: this is another experiment: {difference}"
    assert content(small) == before


def test_another_stopping_rule_does_not_go_on_in_the_file(small):
    with pytest.raises(UsageError, match="until is nothing, not UntilWidth"):
        sweep_all(sweep_of(small.parent, resume=True, until=UntilWidth(0.1)))


def test_a_file_made_by_other_rules_is_refused(tmp_path):
    sweep = sweep_of(tmp_path)
    sweep_all(sweep, nothing)
    for kind, name in (("game", "doigt"), ("engine", "loop")):
        with closing(sqlite3.connect(sweep.output)) as file:
            old = "SELECT fingerprint FROM made_by WHERE kind = ?"
            (mark,) = file.execute(old, (kind,)).fetchone()
            change = "UPDATE made_by SET fingerprint = ? WHERE kind = ?"
            file.execute(change, ("0" * len(mark), kind))
            file.commit()
            with pytest.raises(UsageError) as caught:
                sweep_all(Sweep(sweep.file, {}, sweep.output, 1, resume=True, quiet=True))
            said = f"{sweep.output}: this is another experiment: the {kind} {name} is not what it was"
            assert str(caught.value) == said
            file.execute(change, (mark, kind))
            file.commit()
    assert sweep_all(Sweep(sweep.file, {}, sweep.output, 1, resume=True, quiet=True)).played == 8


def test_a_file_made_by_another_version_of_a_strategy_is_refused(tmp_path):
    plugin = tmp_path / "changing.py"
    plugin.write_text(PLUGIN.replace("clumsy", "changing"), encoding="utf-8")
    load_plugin(str(plugin))
    sweep = sweep_of(tmp_path, SMALL.replace('"random"', '"changing"'))
    sweep_all(sweep, nothing)
    again = Sweep(sweep.file, {}, sweep.output, 1, resume=True, quiet=True)
    assert not sweep_all(again, nothing).failed  # nothing has changed yet
    plugin.write_text(PLUGIN.replace("clumsy", "changing").replace("+ 1), 1)", "+ 1), 0)"), encoding="utf-8")
    load_plugin(str(plugin))
    with pytest.raises(UsageError) as caught:
        sweep_all(again, nothing)
    said = f"{sweep.output}: this is another experiment: the strategy doigt changing is not what it was"
    assert str(caught.value) == said


def test_an_experiment_without_cells_is_an_error_and_leaves_no_file(tmp_path):
    file = written(tmp_path, f"{SMALL}\n[[exclude]]\nplayers = [2, 3]")
    done = command("sweep", file, "-o", tmp_path / "r.db")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"simulate: {file}: there are no cells; [[exclude]] takes them all\n"
    assert list(tmp_path.glob("r.db*")) == []


def test_a_second_sweep_on_a_file_that_is_being_written_refuses(small):
    before = content(small)
    with alone(str(small)):
        done = command("sweep", small.parent / "test.toml", "-o", small, "--resume")
    assert done.returncode == 2
    said = f"{small}: another sweep is writing it; wait for it, or write another file with -o"
    assert done.stderr == f"simulate: {said}\n"
    assert content(small) == before
    assert command("sweep", small.parent / "test.toml", "-o", small, "--resume", "-q").returncode == 0


def test_of_two_sweeps_that_start_together_one_refuses(small, tmp_path):
    file, output = written(tmp_path), tmp_path / "r.db"
    words = [*SIMULATE, "sweep", file, "-o", str(output), "-q"]
    both = [subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=120)[1].decode() for process in both]
    assert sorted(process.returncode for process in both) == [0, 2], said
    assert "another sweep is writing it" in "".join(said) or "it exists" in "".join(said)
    assert content(output) == content(small)
    assert not Path(f"{output}-writer").exists()


def test_what_is_no_results_file_is_said(tmp_path, small):
    wrong = tmp_path / "wrong.db"
    with pytest.raises(UsageError) as caught:
        load_results(str(wrong))
    assert str(caught.value) == f"{wrong}: there is no such file"
    wrong.write_text("seat,share\n", encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_results(str(wrong))
    assert str(caught.value) == f"{wrong}: it is not a results file"
    newer = tmp_path / "newer.db"
    newer.write_bytes(small.read_bytes())
    with closing(sqlite3.connect(newer)) as file:
        file.execute("UPDATE meta SET value = '99' WHERE name = 'schema'")
        file.commit()
    with pytest.raises(UsageError) as caught:
        load_results(str(newer))
    assert str(caught.value) == f"{newer}: its schema is 99, this reads 2"


# Where it cannot be written

UNPRIVILEGED = """
import os, sys
from experiments.cli import main
from experiments.config import Experiment, load
from experiments.plan import plan
import experiments.stopping, experiments.sweep_run, pandas, reports.sweep, simcore.results
plan(load(sys.argv[2]), "")
simcore.store.versions()
if os.geteuid() == 0:  # whom no folder is read-only for
    os.setgid(65534)
    os.setuid(65534)
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no modes")
def test_a_read_only_folder_is_said_in_one_sentence(small):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(small, folder / "old.db")
        file = written(folder)
        folder.chmod(0o555)
        try:
            for output, words, kept in (("r.db", (), False), ("old.db", ("--resume",), True)):
                script = [sys.executable, "-c", UNPRIVILEGED, "sweep", file, "-o", str(folder / output), *words]
                done = subprocess.run(script, capture_output=True, text=True, cwd=ROOT, timeout=100)
                end = "; finished cells are kept, go on with --resume" if kept else ""
                assert done.stderr == f"simulate: {folder}/{output}: it cannot be written (Permission denied){end}\n"
                assert (done.returncode, done.stdout) == (2, "")
            assert len(load_results(str(folder / "old.db")).finished) == 8
        finally:
            folder.chmod(0o755)


def test_a_folder_that_is_not_there_is_said(tmp_path):
    sweep = Sweep(written(tmp_path), {}, str(tmp_path / "no" / "r.db"), quiet=True)
    with pytest.raises(UsageError) as caught:
        sweep_all(sweep)
    assert str(caught.value) == f"{tmp_path}/no/r.db: there is no folder {tmp_path}/no"


@pytest.mark.parametrize("most", [30_000, 150_000, 250_000])
def test_on_a_full_disk_nothing_that_was_finished_is_lost(tmp_path, most):
    """No file may grow beyond so many bytes, which looks like a full disk from inside."""
    import resource

    file, output = written(tmp_path, MANY.format(games=150, attempts=list(range(10, 30)))), tmp_path / "r.db"
    words = ("sweep", file, "-o", output, "-q", "-j", "1")
    done = command(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"simulate: {output}: it cannot be written (")
    kept = finished(output) if output.exists() else 0
    assert output.exists() == done.stderr.endswith("; finished cells are kept, go on with --resume\n") == (kept > 0)
    assert (kept > 0) == (most > 100_000) and kept < 40
    assert not Path(f"{output}-new").exists()
    assert command(*words, "--resume").returncode == 0
    sweep_all(Sweep(file, {}, str(tmp_path / "whole.db"), 1, quiet=True))
    assert content(output) == content(tmp_path / "whole.db")


# Before it starts, and how much it takes


def test_a_dry_run_lists_the_cells_and_writes_nothing(tmp_path):
    file = written(tmp_path)
    done = command("sweep", file, "--games", "1e12", "--dry-run", "-o", tmp_path / "r.db")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "8 cells"
    listed = [line.split(" %  ")[1] for line in lines if " %  " in line]
    assert listed == [entry.label for entry in plan(load(file), file)]
    assert all("1,000,000,000,000" in line for line in lines[2:10])
    assert lines[-1].startswith("about ")
    assert [path.name for path in tmp_path.iterdir()] == ["test.toml"]


def test_a_dry_run_states_the_width_that_there_will_be(tmp_path):
    text = SMALL.replace("300", "40_000").replace("[2, 3]", "[2]").replace(', "red"', "").replace('"off", ', "")
    sweep = sweep_of(tmp_path, text)
    sweep_all(sweep)
    (entry,) = load_results(sweep.output).cells
    line = entry.result.seat_lines[0].win_share
    done = command("sweep", sweep.file, "--dry-run")
    stated = float(done.stdout.splitlines()[2].split()[1])
    assert stated == pytest.approx(50 * (line.high - line.low), rel=0.1)


# Out of it


def exported(small, form, output, excel_fr=False):
    export(str(small), form, excel_fr, str(output), sys.stdout)
    return output


def test_frames_hold_the_numbers_of_every_cell(small):
    results = load_results(str(small))
    for name in ("seats", "strategies", "metrics"):
        frame = getattr(results, name)
        for entry in results.cells:
            own = getattr(entry.result, name)
            part = frame[frame["cell"] == entry.label].reset_index(drop=True)
            assert len(part) == len(own)
            for column in own:
                named = "plays" if column == "strategy" else column
                assert part[named].tolist() == pytest.approx(own[column].tolist(), nan_ok=True)
            for factor, value in entry.factors.items():
                assert set(part[factor]) == {value}
    assert list(results.seats.columns[:5]) == ["cell", "heart_bonus", "steal", "players", "strategies"]
    assert results.seats["players"].dtype.kind == "i"
    assert results.seats.attrs["title"] == "Small"
    assert set(results.frame["table"]) == {"seats", "strategies", "metrics"}
    with pytest.raises(KeyError):
        results["no such cell"]


FRAMES = ["estimate", "low", "high", "n"]


@pytest.mark.parametrize(
    ("form", "excel_fr", "read"),
    [
        ("csv", False, pd.read_csv),
        ("csv", True, lambda path: pd.read_csv(path, sep=";", decimal=",", encoding="utf-8-sig")),
        ("parquet", False, pd.read_parquet),
    ],
    ids=["csv", "csv for French spreadsheets", "parquet"],
)
def test_what_is_exported_reads_back_to_the_same_numbers(small, tmp_path, form, excel_fr, read):
    frame = load_results(str(small)).frame
    found = read(exported(small, form, tmp_path / f"out.{form}", excel_fr))
    assert list(found.columns) == list(frame.columns) and len(found) == len(frame)
    for column in FRAMES:
        assert np.array_equal(found[column].to_numpy(float), frame[column].to_numpy(float), equal_nan=True)
    for column in ("cell", "steal", "plays", "metric", "method", "table"):
        assert found[column].fillna("").astype(str).tolist() == frame[column].fillna("").astype(str).tolist()


def test_a_french_csv_has_commas_and_semicolons(small, tmp_path):
    text = exported(small, "csv", tmp_path / "out.csv", excel_fr=True).read_bytes()
    assert text.startswith(b"\xef\xbb\xbfcell;heart_bonus;")
    head, row = (line.split(";") for line in text.decode("utf-8-sig").splitlines()[:2])
    assert row[0] == "heart_bonus=0, steal=off, players=2, strategies=random"
    share = row[head.index("estimate")]
    assert float(share.replace(",", ".")) == load_results(str(small)).frame["estimate"][0]
    assert share.startswith("0,") and "." not in share


def test_json_is_one_document_with_every_cell(small, tmp_path):
    text = exported(small, "json", tmp_path / "out.json").read_text(encoding="utf-8")
    found = json.loads(text, parse_constant=pytest.fail)
    results = load_results(str(small))
    assert [cell["cell"] for cell in found["cells"]] == [entry.label for entry in results.cells]
    for cell, entry in zip(found["cells"], results.cells, strict=True):
        assert cell["factors"] == entry.factors
        assert cell["result"] == json.loads(json.dumps(entry.result.document()))


def test_export_goes_to_the_screen_or_says_what_is_missing(small, tmp_path):
    done = command("export", small, "--csv")
    assert done.stdout == exported(small, "csv", tmp_path / "out.csv").read_text(encoding="utf-8")
    for words, sentence in (
        ({}, "export: choose one of --csv, --parquet and --json"),
        ({"csv": True, "json": True}, "export: choose one of --csv, --parquet and --json"),
        ({"json": True, "excel_fr": True}, "--excel-fr: it goes with --csv"),
        ({"parquet": True}, "--parquet: give a file with -o"),
        ({"csv": True, "output": "no/out.csv"}, "-o no/out.csv: it cannot be written (No such file or directory)"),
        ({"parquet": True, "output": "no/out.parquet"}, "-o no/out.parquet: it cannot be written ("),
    ):
        with pytest.raises(UsageError) as caught:
            sweep_commands.export(str(small), **words)
        assert str(caught.value).startswith(sentence)


def test_factors_of_mixed_kinds_can_be_exported(tmp_path):
    text = 'title = "T"\ngame = "nain-jaune"\nplayers = 3\ngames = 64\n[grid]\npot_cap = ["none", 2]\n'
    sweep = sweep_of(tmp_path, text + "stakes = [[1, 2, 3, 4, 5], [3, 3, 3, 3, 3]]\n")
    sweep_all(sweep)
    found = pd.read_parquet(exported(sweep.output, "parquet", tmp_path / "out.parquet"))
    assert set(found["pot_cap"]) == {"none", "2"} and set(found["stakes"]) == {"1,2,3,4,5", "3,3,3,3,3"}


def test_a_sweep_on_the_command_line_is_the_one_in_python(small, tmp_path):
    done = command("sweep", small.parent / "test.toml", "-o", tmp_path / "r.db")
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "r.db") == content(small)
    assert "Small" in done.stdout and "Does it matter?" in done.stdout
    assert len([line for line in done.stdout.splitlines() if " ± " in line and "furthest" not in line]) == 8
    assert "8 cells in" in done.stderr


def test_the_experiments_that_come_along_are_listed():
    done = command("sweep")
    assert done.returncode == 0
    assert "doigt-bonus: Jeu du doigt: bonus conditions" in done.stdout


def test_every_key_of_a_file_is_documented():
    page = (ROOT / "docs/experiments.md").read_text(encoding="utf-8")
    for name, field in Experiment.model_fields.items():
        is_table = "dict" in str(field.annotation) or "Variant" in str(field.annotation)
        shown = f"[[{name}]]" if name in ("variant", "exclude") else f"[{name}]" if is_table else name
        assert f"| `{shown}` |" in page
