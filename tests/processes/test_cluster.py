"""Sweeps on a real Dask scheduler and worker processes, all on loopback: the same integers, whoever is lost."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import pytest
from test_engine import PLUGIN

from experiments import cluster, cluster_worker, sweep_run
from experiments.cluster import Cluster, Task, Workers, connected
from experiments.sweep import Sweep, sweep_all
from simcore.api import make_cell
from simcore.cell import Book
from simcore.crew import Player
from simcore.engine import Run, run, run_each
from simcore.errors import IllegalAction, UsageError
from simcore.loop import BLOCKS, CARRY
from simcore.registry import load_plugin
from simcore.sequential import UntilWidth
from simcore.store import alone
from simcore.tally import Tally

KilledWorker = pytest.importorskip("distributed").KilledWorker

ROOT = Path(__file__).resolve().parents[2]
MIXED = "random,random+random,random"  # two names, one kernel
TWO_CELLS = 'title = "Two"\ngame = "doigt"\nplayers = [2, 3]\ngames = {games}\nstrategies = {strategies}\n'
LOOPBACK = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")


def cell_of(games=20_000, players=3, strategies="random", **rules):
    return make_cell("doigt", players, games, strategies, rules)


@contextmanager
def process(*words, **variables):
    """A process of Dask, which is ended in the end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    words = [sys.executable, "-m", *map(str, words)]
    started = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def appears(path, seconds=60):
    """The content of a file, once it is there and whole."""
    for _ in range(10 * seconds):
        if path.exists() and path.read_text():
            return json.loads(path.read_text())
        time.sleep(0.1)
    raise AssertionError(f"{path} does not appear")


@contextmanager
def scheduler(folder, **variables):
    """The address of a new scheduler, and its process."""
    place = folder / "scheduler.json"
    words = ("distributed.cli.dask_scheduler", *LOOPBACK, "--port", 0, "--scheduler-file", place)
    with process(*words, **variables) as started:
        yield appears(place)["address"], started


def worker(address, folder, threads=1):
    """A new worker, which is one process."""
    words = ("--nthreads", threads, "--no-nanny", "--local-directory", folder)
    return process("distributed.cli.dask_worker", address, *LOOPBACK, *words)


@contextmanager
def two_workers(folder, **variables):
    """A crew of two workers on a scheduler of their own, and the process of one of them."""
    with (
        scheduler(folder, **variables) as (address, _),
        worker(address, folder) as one,
        worker(address, folder),
        connected(Cluster(address)) as crew,  # when there is one worker at least
    ):
        crew._client.wait_for_workers(2, timeout=60)
        yield crew, one


@pytest.fixture(scope="module")
def crew(tmp_path_factory):
    with two_workers(tmp_path_factory.mktemp("dask")) as (both, _):
        yield both


def written(folder, games=20_000, strategies='"random"', extra=""):
    path = folder / "test.toml"
    path.write_text(TWO_CELLS.format(games=games, strategies=strategies) + extra)
    return str(path)


def content(path):
    """Everything in a results file but when, how fast and by which command it was made."""
    with closing(sqlite3.connect(path)) as file:
        tables = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {name: sorted(file.execute(f"SELECT * FROM {name}"), key=repr) for name in tables if name != "log"}
    found["meta"] = [row for row in found["meta"] if row[0] != "command"]
    return found


def command(*words, **options):
    words = [sys.executable, "-m", "experiments.cli", *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=120, **options)


# The same integers


@pytest.mark.parametrize(
    ("strategies", "until"),
    [('"random"', None), (f'["random,random+random", "{MIXED}"]', None), ('"random"', UntilWidth(0.011))],
    ids=["two cells", "mixed line-ups", "stopping rule"],
)
def test_a_results_file_is_the_same_from_one_thread_from_two_and_from_a_cluster(crew, tmp_path, strategies, until):
    exclude = '[[exclude]]\nplayers = 2\nstrategies = "{}"\n[[exclude]]\nplayers = 3\nstrategies = "{}"\n'
    extra = exclude.format(MIXED, "random,random+random") if "[" in strategies else ""
    path = written(tmp_path, 90_000, strategies, extra)
    found = []
    for name, threads, play in (("one", 1, None), ("two", 2, None), ("dask", 1, crew.player(until))):
        asked = Sweep(path, {}, str(tmp_path / f"{name}.db"), threads, quiet=True, until=until)
        done = sweep_all(asked, play)
        assert done.played == 2 and not done.failed and not done.interrupted
        found.append(content(asked.output))
    assert found[0] == found[1] == found[2]
    if until:
        assert {row[-2] for row in found[0]["cell"]} == {"width reached"}
        assert all(20_000 <= row[-3] < 90_000 for row in found[0]["cell"])


def test_what_a_heavy_tailed_game_counts_beyond_64_bits_comes_back_exactly(crew):
    rules = {"stakes": [1000, 1000, 9, 9, 9], "stake_mult": 100, "deals": 40}
    cell = make_cell("nain-jaune", 3, 300, "random", rules)
    (done,) = run_each([cell], crew=crew)
    alone = run(cell).tally
    assert done.tally.digest() == alone.digest()
    assert (done.tally.scores == alone.scores).all() and alone.scores.any()


def test_carries_survive_packing():
    cell = make_cell("nain-jaune", 3, 1, "random")
    book = Book.of(cell)
    book.record.carries[3, 2, 1] = 5
    book.record.sums[BLOCKS - 1, 0, 0] = -7
    book.record.prints[0] = 2**64 - 1
    found = cluster_worker.unpack(cell, cluster_worker.pack(book))
    assert found.sums[3, 2, 1] == 5 << CARRY and found.sums[BLOCKS - 1, 0, 0] == -7
    assert found.prints[0] == 2**64 - 1 and found.columns == book.columns


class Ready:
    """Chunks that were played at once."""

    def __init__(self, chunks):
        self.result = lambda: chunks


class Slow:
    """A crew that plays at once and says how long it took; remembers what it was asked."""

    seconds = (1.0, 10.0)

    def __init__(self, slots, rate):
        self.slots, self._rate, self.tasks = slots, rate, []

    def submit(self, player, first, sizes):
        self.tasks.append((first, sum(sizes), len(sizes)))
        chunks = player.play(first, sizes)
        for chunk in chunks:
            chunk.seconds = chunk.deals / self._rate
        return Ready(chunks)


@pytest.mark.parametrize("slots", [1, 7])
def test_tasks_take_their_seconds_and_share_what_is_left(slots):
    crew, cell = Slow(slots, rate=512), cell_of(40_000)
    (done,) = run_each([cell], crew=crew)
    assert done.tally.digest() == run(cell).tally.digest()
    firsts, deals, _ = zip(*crew.tasks, strict=True)
    assert list(firsts) == [sum(deals[:place]) for place in range(len(deals))] and sum(deals) == 40_000
    assert max(deals) <= 5120  # ten seconds
    later = list(zip(firsts, deals, strict=True))[4 * slots + 8 : -1]
    assert later
    for first, size in later:
        assert size == min(5120, max(512, (40_000 - first) // (2 * slots)), 40_000 - first)


def test_with_many_workers_tasks_are_so_long_that_the_driver_keeps_up(crew):
    many = Workers(crew._client, Cluster("tcp://a:1"))
    assert many.seconds == (0.4, 1.0)
    many._slots = 1000
    assert many.seconds == (5.0, 10.0)


def test_workers_that_join_later_lengthen_the_tasks_to_come():
    class Growing(Slow):
        @property
        def seconds(self):
            return (1.0, 1.0) if len(self.tasks) < 20 else (5.0, 5.0)

    crew = Growing(1, rate=512)
    list(run_each([cell_of(40_000)], crew=crew))
    sizes = [deals for _, deals, _ in crew.tasks]
    assert set(sizes[5:20]) == {512} and set(sizes[23:-1]) == {2560}


def test_a_worker_of_several_threads_plays_the_same_games(tmp_path):
    cells = [cell_of(150_000, 4, MIXED + ",random"), cell_of(20_000, 2)]
    with scheduler(tmp_path) as (address, _), worker(address, tmp_path, 3), connected(Cluster(address)) as crew:
        assert crew.slots == 3
        played = list(run_each(cells, crew=crew))
    assert [done.tally.digest() for done in played] == [run(cell).tally.digest() for cell in cells]


def test_the_next_cell_begins_with_the_shortest_tasks_that_are_worth_it():
    crew = Slow(2, rate=1000)
    list(run_each([cell_of(9_000), cell_of(9_000, strategies=MIXED)], crew=crew))
    starts = [place for place, (first, _, _) in enumerate(crew.tasks) if first == 0]
    assert crew.tasks[starts[0]][1] == 64
    assert crew.tasks[starts[1]][1] == 1000 // 3  # games of a second, in deals


def test_a_task_ends_a_chunk_wherever_the_stopping_rule_looks():
    crew = Slow(1, rate=30_000)
    cell, until = cell_of(200_000), UntilWidth(0.011)
    (done,) = run_each([cell], crew=crew, until=until)
    alone = run(cell, threads=1, until=until, chunk=100)
    assert done.stopped == alone.stopped == "width reached"
    assert done.tally.digest() == alone.tally.digest() and done.tally.deals == alone.tally.deals < 200_000
    assert max(chunks for _, _, chunks in crew.tasks) > 3


def test_a_range_of_deals_is_a_part_of_the_whole():
    cell = cell_of(5_000, strategies=MIXED)
    parts = Player(cell).play(0, [600, 7]) + Player(cell).play(607, [cell.deals - 607])
    tally = Tally(cell)
    for part in reversed(parts):
        tally.add(part.deals, part.book)
    assert [part.first for part in parts] == [0, 600, 607]
    assert tally.digest() == run(cell).tally.digest()


def test_no_more_than_two_tasks_a_worker_are_ever_out(crew):
    out = []

    def look(place, games, asked):
        out.append(len(crew._client.futures))

    list(run_each([cell_of(60_000), cell_of(60_000, 2)], progress=look, crew=crew))
    assert len(out) > 8 and max(out) <= 2 * 2 + 1


# Who is lost


def refusal(address):
    """Why a scheduler's workers cannot be had."""
    with pytest.raises(UsageError) as told, connected(Cluster(address)):
        pass
    return str(told.value)


def stopped_and_killed(victim, seconds=1.5, after=0):
    """Stops a worker after so many games, so that it keeps the tasks that it is given, and kills it later."""

    def progress(place, games, asked):
        if games >= after and victim.poll() is None and not timers:
            victim.send_signal(signal.SIGSTOP)
            timers.append(threading.Timer(seconds, victim.kill))
            timers[0].start()

    timers = []
    return progress


def test_a_worker_that_is_killed_costs_time_and_no_result(tmp_path):
    cells = [cell_of(150_000, 4), cell_of(20_000, 2)]
    with two_workers(tmp_path) as (crew, victim):
        played = list(run_each(cells, progress=stopped_and_killed(victim), crew=crew))
        assert victim.wait(30) == -signal.SIGKILL
        assert len(crew._client.nthreads()) == 1
    assert [done.tally.digest() for done in played] == [run(cell).tally.digest() for cell in cells]


def test_deals_that_no_worker_survives_fail_their_cell_and_no_other(tmp_path):
    cells, none = [cell_of(20_000_000, 4), cell_of(20_000, 2)], {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with two_workers(tmp_path, **none) as (crew, victim):
        progress = stopped_and_killed(victim, after=1_000_000)  # when tasks are long, so that it has begun one
        failed, played = run_each(cells, progress=progress, crew=crew)
    assert isinstance(failed, IllegalAction)
    assert str(failed).startswith("1 workers died over deals ")
    assert played.tally.digest() == run(cells[1]).tally.digest()


def test_a_scheduler_without_workers_and_one_that_dies_are_told(tmp_path):
    with scheduler(tmp_path) as (address, died):
        assert refusal(address) == f"--cluster {address}: the scheduler has no workers; start some with: dask worker"
        with worker(address, tmp_path), connected(Cluster(address)) as crew, pytest.raises(UsageError) as told:
            list(run_each([cell_of(10**9)], progress=lambda *_: died.kill(), crew=crew))
    kept = "finished cells are kept, go on with --resume"
    assert str(told.value) == f"--cluster {address}: the scheduler is gone; {kept}"


def test_nobody_waits_for_ever_for_a_worker(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE_SECONDS", 1)
    with scheduler(tmp_path) as (address, _), worker(address, tmp_path) as only, connected(Cluster(address)) as crew:
        cells = run_each([cell_of(10**9)], progress=lambda *_: only.kill(), crew=crew)
        with pytest.raises(UsageError, match="there was no worker for 1 s; finished cells are kept, go on with"):
            list(cells)


def test_a_worker_that_is_stopped_is_named_and_nobody_waits_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 1)
    with two_workers(tmp_path) as (crew, stopped):
        (address,) = (name for name, number in crew._client.run(os.getpid).items() if number == stopped.pid)
        stopped.send_signal(signal.SIGSTOP)
        with pytest.raises(UsageError) as told:
            crew.check()
    assert str(told.value).endswith(f": worker {address}: no answer for 2 s; end it or let it go on")


# Who is refused


@contextmanager
def port(listens):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if listens:
            silent.listen()
        yield silent.getsockname()[1]


@pytest.mark.parametrize("listens", [False, True], ids=["nobody", "somebody silent"])
def test_no_scheduler_is_told_within_ten_seconds_and_before_a_file_is_made(tmp_path, listens):
    with port(listens) as number:
        start = time.monotonic()
        where = f"tcp://127.0.0.1:{number}"
        done = command("sweep", written(tmp_path), "-o", tmp_path / "r.db", "--cluster", where)
        assert time.monotonic() - start < 10
    assert done.returncode == 2
    assert done.stderr.startswith(f"simulate: --cluster {where}: no Dask scheduler answers there (")
    assert done.stderr.endswith("; start one with: dask scheduler\n") and done.stderr.count("\n") == 1
    assert not (tmp_path / "r.db").exists()


def test_somebody_who_is_no_scheduler_is_told(crew):
    for address in crew._client.nthreads():
        start = time.monotonic()
        told = f"--cluster {address}: no Dask scheduler answers there (it is a Worker); start one with: dask scheduler"
        assert refusal(address) == told
        assert time.monotonic() - start < 10


@pytest.mark.parametrize("address", ["tcp://far.away:8786", "far.away:8786"])
def test_a_name_that_is_looked_up_for_ever_is_told_in_time(monkeypatch, address):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1.2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(20))
    start = time.monotonic()
    assert "no Dask scheduler answers there (the name far.away is not found in time);" in refusal(address)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("address", ["scheduler", "http://127.0.0.1:1"])
def test_what_is_no_address_is_told_at_once(address):
    assert refusal(address).startswith(f"--cluster {address}: no Dask scheduler answers there (")


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError) as told, connected(Cluster(workers=2)):
        pass
    assert str(told.value) == '--workers 2: it needs Dask: pip install "simcore[distributed]"'


def test_dask_is_not_imported_before_it_is_used():
    code = (
        "import sys, experiments.cli, experiments.sweep_run; print(sorted({'dask', 'distributed'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.stdout == "[]\n"


def test_a_worker_with_another_version_is_refused(crew, monkeypatch):
    there = cluster_worker.all_versions()
    monkeypatch.setattr(cluster_worker, "all_versions", lambda: {**there, "numba": "0.1"})
    sentence = f"its numba is {there['numba']}, here it is 0.1; install the same"
    with pytest.raises(UsageError, match=rf"^--cluster tcp://127.*: worker tcp://127.*: {sentence}$"):
        crew.check()
    fresh = Workers(crew._client, crew._cluster)  # and one that joins later
    with pytest.raises(UsageError, match=rf"^worker tcp://127.*: {sentence}; finished cells are kept"):
        list(run_each([cell_of()], crew=fresh))


@pytest.mark.parametrize("what", ["the engine loop", "the game doigt", "the strategy doigt random"])
def test_a_worker_with_other_source_is_refused(crew, monkeypatch, what):
    code = cluster_worker.code
    monkeypatch.setattr(cluster_worker, "code", lambda cell: {**code(cell), what: "other"})
    fresh = Workers(crew._client, crew._cluster)
    with pytest.raises(
        UsageError, match=f"^worker tcp://127.*: {what} is not the same there as here; install the same"
    ):
        list(run_each([cell_of()], crew=fresh))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"address": "tcp://a:1", "workers": 2}, "--cluster and --workers: choose one"),
        ({"address": "tcp://a:1", "threads": 2}, "--threads and --cluster: choose one"),
        ({"workers": 2, "threads": 2}, "--threads and --workers: choose one"),
        (
            {"address": "tcp://a:1", "dry_run": True},
            "--dry-run and --cluster: choose one; a dry run measures the threads of this machine",
        ),
        ({"workers": 0}, "--workers 0: give a whole number from 1 to 1024"),
    ],
)
def test_where_to_play_is_said_once(words, sentence):
    with pytest.raises(UsageError) as told:
        sweep_run.elsewhere(**{"address": None, "workers": None, "threads": None, "plugins": [], **words})
    assert str(told.value) == sentence


@pytest.mark.parametrize("fails", [False, True], ids=["the sweep ends well", "the sweep fails"])
def test_how_a_sweep_ended_is_told_also_when_its_workers_cannot_be_ended(monkeypatch, fails):
    class Stuck:
        scheduler_address = "tcp://127.0.0.1:1"

        def close(self):
            raise TimeoutError("they hang")

    monkeypatch.setattr(cluster, "_local", lambda workers: Stuck())
    told = pytest.raises(UsageError, match="outcome") if fails else nullcontext()
    with told, cluster._scheduler(Cluster(workers=1)) as address:
        assert address == Stuck.scheduler_address
        if fails:
            raise UsageError("outcome")


class Never:
    """In place of workers: they must not be started."""

    def __enter__(self):
        raise AssertionError("started")

    def __exit__(self, *error):
        pass


def test_a_results_file_that_cannot_be_used_is_told_before_workers_are_started(tmp_path, monkeypatch):
    monkeypatch.setattr(sweep_run, "connected", lambda cluster: Never())
    path, output = written(tmp_path, 64), str(tmp_path / "r.db")
    sweep_all(Sweep(path, {}, output, 1, quiet=True))
    before = content(output)
    for resume, seed, sentence in ((False, 1, "it exists; go on"), (True, 2, "this is another experiment: the cell")):
        with pytest.raises(UsageError, match=f"^{output}: {sentence}"):
            sweep_run.run_on(Sweep(path, {"seed": seed}, output, resume=resume), Cluster("tcp://a:1"))
    with alone(output), pytest.raises(UsageError, match=f"^{output}: another sweep is writing it"):
        sweep_run.run_on(Sweep(path, {}, output, resume=True), Cluster("tcp://a:1"))
    with pytest.raises(AssertionError, match="started"):
        sweep_run.run_on(Sweep(path, {}, output, resume=True), Cluster("tcp://a:1"))
    assert content(output) == before and sorted(p.name for p in tmp_path.iterdir()) == ["r.db", "test.toml"]


# Strategies of one's own


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    path = tmp_path_factory.mktemp("plugin") / "stubborn.py"
    path.write_text(PLUGIN)
    load_plugin(str(path))
    return path


def test_a_cell_whose_strategy_cheats_fails_with_the_same_sentence_and_no_other(crew, plugin):
    fresh = Workers(crew._client, Cluster("tcp://a:1", plugins=(str(plugin),)))
    cheat = "stubborn,stubborn,stubborn:cheats=1,stubborn"
    cells = [cell_of(20_000, 4, "stubborn", max_attempts=3), cell_of(5_000, 4, cheat, max_attempts=3), cell_of()]
    there, here = (list(run_each(cells, crew=players)) for players in (fresh, None))
    assert [type(done) for done in there] == [Run, IllegalAction, Run]
    assert str(there[1]) == str(here[1])
    assert '"stubborn:cheats=1" answered 3' in str(there[1]) and f"--plugin {plugin}" in str(there[1])
    for place in (0, 2):
        assert there[place].tally.digest() == here[place].tally.digest()


def test_an_error_after_the_game_where_a_cell_stops_changes_nothing_there_either(crew, plugin):
    fresh = Workers(crew._client, Cluster("tcp://a:1", plugins=(str(plugin),)))
    cell = cell_of(120_000, 3, "faulty:patience=154")  # from game 36 135 on it raises errors
    for until, kind in ((UntilWidth(0.5), Run), (None, IllegalAction)):
        there, here = (next(run_each([cell], until=until, crew=players)) for players in (fresh, None))
        assert type(there) is type(here) is kind
        if until:
            assert there.stopped == "width reached" and there.tally.digest() == here.tally.digest()
        else:
            assert str(there) == str(here)


def test_deals_that_no_worker_survives_after_the_game_where_a_cell_stops_change_nothing(crew):
    class Dying(Slow):
        """From a deal on, no worker survives."""

        def submit(self, player, first, sizes):
            task = super().submit(player, first, sizes)
            return task if first < 20_000 else Task(crew, Dead(), player.cell, first, sum(sizes))

    class Dead:
        def result(self, timeout):
            raise KilledWorker("task", None, 3)

    cell = cell_of(200_000)
    stopped, failed = (next(run_each([cell], until=until, crew=Dying(8, 30_000))) for until in (UntilWidth(0.5), None))
    assert (stopped.stopped, stopped.tally.deals) == ("width reached", 20_000)
    assert str(failed).startswith("4 workers died over deals ")


def test_a_plugin_that_a_worker_does_not_find_is_told(crew, plugin, tmp_path):
    gone = tmp_path / "gone.py"
    fresh = Workers(crew._client, Cluster("tcp://a:1", plugins=(str(gone),)))
    with pytest.raises(UsageError, match=rf"^worker tcp://127.*: --plugin {gone}: there is no such file; finished"):
        list(run_each([cell_of()], crew=fresh))


# On the command line


def test_worker_processes_of_this_machine_write_the_same_file(tmp_path):
    path = written(tmp_path)
    sweep_all(Sweep(path, {}, str(tmp_path / "here.db"), 1, quiet=True))
    done = command("sweep", path, "-o", tmp_path / "there.db", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "there.db") == content(tmp_path / "here.db")
    assert done.stderr.startswith("2 cells in ") and done.stderr.count("\n") == 1
    assert 0 < int(done.stderr.split(" % of the time in games")[0].split()[-1]) <= 100


def test_where_workers_come_and_go_nobody_says_which_part_of_the_time_they_played(crew, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sweep_run, "connected", lambda cluster: nullcontext(crew))
    output = str(tmp_path / "r.db")
    assert sweep_run.run_on(Sweep(written(tmp_path, 64), {}, output), Cluster("tcp://a:1")) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("2 cells in ") and line.endswith(f" s, written to {output}")


def finished(path):
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=10)) as file:
        return file.execute("SELECT count(*) FROM cell WHERE deals IS NOT NULL").fetchone()[0]


def started_with_worker(path, output, *words):
    sweep = ("sweep", path, "-o", str(output), "--workers", "1", "-q", *words)
    return subprocess.Popen(
        [sys.executable, "-m", "experiments.cli", *sweep],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_a_cell(output):
    deadline = time.monotonic() + 60
    while not finished(output) and time.monotonic() < deadline:
        time.sleep(0.05)


def test_a_driver_that_is_killed_leaves_no_worker_and_its_sweep_goes_on_later(tmp_path):
    path, output = written(tmp_path, 1_500_000), tmp_path / "r.db"
    started = started_with_worker(path, output)
    try:
        wait_for_a_cell(output)
    finally:
        started.kill()
    started.communicate(timeout=30)  # until its last process has ended, which has the same stderr
    assert finished(output) == 1
    done = command("sweep", path, "-o", output, "--workers", 1, "--resume", "-q")
    assert done.returncode == 0, done.stderr
    sweep_all(Sweep(path, {}, str(tmp_path / "whole.db"), quiet=True))
    assert content(output) == content(tmp_path / "whole.db")


def test_ctrl_c_reaches_the_driver_only_and_the_sweep_goes_on_later(tmp_path):
    """As at a terminal: all processes of the group hear it."""
    path, output = written(tmp_path, 4_000_000), tmp_path / "r.db"
    started = started_with_worker(path, output)
    try:
        wait_for_a_cell(output)
        os.killpg(started.pid, signal.SIGINT)
        _, said = started.communicate(timeout=60)
    finally:
        started.kill()
        started.wait()
    assert started.returncode == 130
    assert said == f"interrupted; finished cells are kept. Go on with the same command and --resume -o {output}\n"
    assert finished(output) == 1
