"""The engine: one answer whatever the threads, chunks and caches; and nothing hidden when a run goes wrong."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from simcore.api import make_cell
from simcore.cell import Book, Rows, workspace
from simcore.contract import WHOLE
from simcore.crew import CHUNK_SECONDS, Threads
from simcore.engine import run, run_each
from simcore.errors import IllegalAction
from simcore.kernel import fingerprint
from simcore.plain import plain_record, rebuild
from simcore.registry import load_plugin
from simcore.replay import replay
from simcore.result import Result
from simcore.sequential import UntilWidth
from simcore.tally import Tally

ROOT = Path(__file__).resolve().parents[1]
MIXED = "random,random+random,random+random+random,random+random+random+random"  # four names, one kernel


def cell_of(strategies="random", games=3001, players=4, seed=1, rotate=True, **rules):
    return make_cell("doigt", players, games, strategies, rules, seed, rotate)


def same(one, other):
    """Whether two tallies are alike in every integer."""
    return (one.deals, one.prints, one.sums.tolist()) == (other.deals, other.prints, other.sums.tolist())


def digest(cell, **how):
    return run(cell, **how).tally.digest()


# One answer


@pytest.mark.parametrize("strategies", ["random", MIXED])
def test_threads_and_chunks_do_not_change_a_number(strategies):
    cell = cell_of(strategies)
    first = run(cell, threads=1).tally
    for threads, chunk in [(2, None), (3, 7), (7, 1), (1, 13), (2, 64), (7, 4000)]:
        assert same(first, run(cell, threads=threads, chunk=chunk).tally)


def test_rows_arrive_in_game_order_and_add_up_to_the_tally():
    cell, seen = cell_of(MIXED, 2000), []
    tally = run(cell, threads=3, chunk=7, rows=lambda first, rows: seen.append((first, rows.copy()))).tally
    assert [first for first, _ in seen] == np.cumsum([0, *(len(rows) for _, rows in seen[:-1])]).tolist()
    numbers = np.concatenate([rows for _, rows in seen])
    assert len(numbers) == tally.games
    for seat in range(4):
        assert numbers[:, seat].sum() == tally.total(f"share_seat_{seat}")[0]
        assert (numbers[:, seat] ** 2).sum() == tally.total(f"share_seat_{seat}")[2]
        per_deal = numbers[:, seat].reshape(-1, 4).sum(axis=1)
        assert (per_deal**2).sum() == tally.total(f"share_seat_{seat}")[1]


@pytest.mark.parametrize("strategies", ["random", MIXED])
def test_loop_gives_the_same_numbers_compiled_and_plain(strategies):
    games = 60 if strategies == "random" else 240
    cell = cell_of(strategies, games)
    assert cell.deals == 60
    play, sums = rebuild(cell.kernel.play_deals, {}), Book.of(cell)
    with np.errstate(over="ignore"):
        played = play(*workspace(cell, plain_record), 0, 60, *Rows.of(cell), sums.record)
    assert played == games
    tally = Tally(cell)
    tally.add(60, sums)
    assert same(tally, run(cell).tally)
    assert tally.digest() == digest(cell)


def test_a_game_replayed_alone_is_the_game_of_the_run():
    cell, rows = cell_of(MIXED, 400), []
    run(cell, rows=lambda first, chunk: rows.extend(chunk.tolist()))
    for number in (0, 1, 2, 3, 4, 199, 398, 399):
        assert list(replay(cell, number).outcome.tolist()[0]) == rows[number][:4]
        assert list(replay(cell, number).outcome.tolist()[1]) == rows[number][4:8]
        assert list(replay(cell, number).outcome.tolist()[2:]) == rows[number][8:]


def test_seeds_and_rules_make_different_games():
    digests = {digest(cell_of(seed=1)), digest(cell_of(seed=2)), digest(cell_of(steal="off")), digest(cell_of(MIXED))}
    assert len(digests) == 4


def test_more_games_begin_with_the_same_games():
    few, many = [], []
    run(cell_of(games=100), rows=lambda first, rows: few.extend(rows.tolist()))
    run(cell_of(games=900), rows=lambda first, rows: many.extend(rows.tolist()))
    assert many[:100] == few


# Deals and seats


PLUGIN = '''
import numpy as np
from simcore.contract import Parameter, strategy
from simcore.games.doigt import ANNOUNCE, KEEP, announcement
from simcore.rng import below


@strategy("doigt", answers=(ANNOUNCE, KEEP), cheats=Parameter(0, 0, 100, "illegal answers in a hundred"))
def stubborn(point, table, seat, hand, params, stream):
    """Calls zero and leaves its fingers on the card; cheats now and then by a third finger."""
    if below(stream, 1000) < params.cheats:
        return 3
    return 1 if point == KEEP else announcement(0, 1)


@strategy("doigt", answers=(ANNOUNCE, KEEP), patience=Parameter(10000, 0, 10000, "announcements before it fails"))
def faulty(point, table, seat, hand, params, stream):
    """Draws through an array, which only numba's own helpers can make, and fails in the end."""
    weights = np.zeros(4)
    weights[below(stream, 4)] = 1.0
    if table.attempts > params.patience:
        raise ValueError("too long")
    return int(weights[0]) if point == KEEP else announcement(np.argmax(weights), 1)
'''


@pytest.fixture(scope="module")
def stubborn(tmp_path_factory):
    """The path of a plug-in whose strategy never matches; loaded."""
    path = tmp_path_factory.mktemp("plugin") / "stubborn.py"
    path.write_text(PLUGIN)
    load_plugin(str(path))
    return path


def test_deals_do_not_depend_on_the_strategies(stubborn):
    for number in (0, 1, 77):
        one, other = (replay(cell_of(name, 100), number) for name in ("random", "stubborn"))
        assert one.deal[0] == other.deal[0]
        assert [seat.top for seat in one.deal[1].seat] == [seat.top for seat in other.deal[1].seat]
        assert one.deal[1].centre == other.deal[1].centre
        assert one.decisions != other.decisions


def test_deals_of_two_games_and_of_two_seeds_differ():
    piles = [tuple(replay(cell_of(seed=seed), number).deal[0].pile.cards) for seed in (1, 2) for number in (0, 1)]
    assert len(set(piles)) == 4


def test_every_strategy_sits_once_in_every_seat_of_every_deal():
    cell, orders = cell_of(MIXED, 4 * 30), set()
    for deal in range(30):
        seatings = [replay(cell, 4 * deal + rotation).strategies for rotation in range(4)]
        for seat in range(4):
            assert len({seating[seat] for seating in seatings}) == 4
        orders.add(tuple(sorted(seatings)))
    assert len(orders) == 6  # all the ways to sit round a table, up to rotation


def test_rotations_of_a_deal_share_its_cards():
    cell = cell_of(MIXED, 8)
    piles = [replay(cell, number).deal[0] for number in range(8)]
    assert piles[0] == piles[1] == piles[2] == piles[3]
    assert piles[4] != piles[0]


@pytest.mark.parametrize(("asked", "played"), [(1, 4), (4, 4), (5, 8), (3001, 3004)])
def test_a_mixed_line_up_plays_whole_deals(asked, played):
    result = Result(run(cell_of(MIXED, asked)))
    assert result.games == played
    assert [line.win_share.n for line in result.strategy_lines] == [played] * 4


@pytest.mark.parametrize("strategies", ["random", MIXED])
def test_shares_sum_to_one(strategies):
    tally = run(cell_of(strategies)).tally
    for kind, count in (("seat", 4), ("strategy", len(tally.cell.names))):
        assert sum(tally.total(f"share_{kind}_{place}")[0] for place in range(count)) == tally.games * WHOLE


# Runs that go wrong, or on


@pytest.mark.parametrize(("threads", "chunk"), [(1, None), (3, 5)])
def test_an_illegal_action_tells_who_where_and_how_to_see_it_again(stubborn, threads, chunk):
    line_up = "stubborn,stubborn,stubborn:cheats=1,stubborn"
    cell = cell_of(line_up, 5000, rotate=False, seed=11, max_attempts=3)
    with pytest.raises(IllegalAction) as told:
        run(cell, threads=threads, chunk=chunk)
    message = str(told.value)
    assert '"stubborn:cheats=1"' in message
    assert "seat 3" in message
    command = message.split("see it with: ")[1]
    for words in ("simulate replay", "--game doigt", "--players 4", f"--strategies {line_up}", "--seed 11"):
        assert words in command
    for words in ("--rule max_attempts=3", f"--plugin {stubborn}", "--no-rotate"):
        assert words in command
    number = int(command.split("--number ")[1])
    assert number > 0
    for game in range(number):
        replay(cell, game)
    with pytest.raises(IllegalAction):
        replay(cell, number)


def test_an_error_in_a_strategy_tells_who_where_and_how_to_see_it_again(stubborn):
    cell = cell_of("faulty,faulty,faulty:patience=100,faulty", 400)
    with pytest.raises(IllegalAction) as told:
        run(cell, threads=2)
    assert '"faulty:patience=100" raised ValueError: too long at' in str(told.value)
    number = int(str(told.value).split("--number ")[1])
    with pytest.raises(IllegalAction, match="too long"):
        replay(cell, number)
    assert run(cell_of("faulty,faulty,faulty:patience=10000,faulty", 400)).tally.games == 400


@pytest.mark.parametrize("on_cap", ["discard", "bottom", "abort"])
def test_a_line_up_that_never_matches_ends_and_is_counted_as_cut_off(stubborn, on_cap):
    result = Result(run(cell_of("stubborn", 500, on_cap=on_cap)))
    assert result.metric_estimates["cut_off"].estimate == 1
    assert result.metric_estimates["rounds"].estimate == 0
    for line in result.seat_lines:
        assert (line.score.estimate, line.win_share.estimate) == (1, 1 / 4)
    cards = {"discard": range(24, 33), "bottom": range(40, 90), "abort": range(1, 2)}[on_cap]
    attempts = result.metric_estimates["attempts"].estimate
    assert cards.start <= attempts / 1000 <= cards.stop - 1


def test_progress_counts_up_to_the_end():
    calls = []
    run(cell_of(MIXED, 3001), threads=3, chunk=50, progress=lambda *call: calls.append(call))
    done = [games for games, _ in calls]
    assert done == [200 * (call + 1) for call in range(15)] + [3004]
    assert {asked for _, asked in calls} == {3004}


class _Stop:
    """A progress callback that is interrupted once, on its third call."""

    def __init__(self):
        self.calls = 0

    def __call__(self, done, asked):
        self.calls += 1
        if self.calls == 3:
            raise KeyboardInterrupt


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupted_run_is_a_shorter_run(threads):
    """Ctrl-C keeps the chunks that are done or in work, each of them once, and says so."""
    stopped = run(cell_of(games=20_000), threads=threads, chunk=100, progress=_Stop())
    assert stopped.interrupted
    assert 300 <= stopped.tally.deals < 20_000
    whole = run(cell_of(games=stopped.tally.deals), threads=2)
    assert not whole.interrupted
    assert same(whole.tally, stopped.tally)


class _Interrupting:
    """A crew that sends so many Ctrl-C while its first task is waited for."""

    slots, seconds = 1, (CHUNK_SECONDS, CHUNK_SECONDS)

    def __init__(self, times):
        self._times = times

    def submit(self, player, first, sizes):
        return _Asked(self, player, first, sizes)


class _Asked:
    def __init__(self, crew, *words):
        self._crew, self._words = crew, words

    def result(self):
        times, self._crew._times = self._crew._times, 0
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        player, *words = self._words
        return player.play(*words)


SHORT = [(64, 2), (64, 3), (64, 4)]  # games and players of cells of a single task


def test_after_one_ctrl_c_what_is_yielded_are_the_first_cells():
    cells = [cell_of(games=games, players=players) for games, players in SHORT]
    played = list(run_each(cells, crew=_Interrupting(1)))
    assert [same(done.tally, run(cell).tally) for done, cell in zip(played, cells, strict=False)] == [True, True]


@pytest.mark.parametrize("times", [2, 3])
def test_a_second_ctrl_c_ends_at_once_and_leaves_no_half_of_a_cell(times):
    before, found = signal.getsignal(signal.SIGINT), []
    with pytest.raises(KeyboardInterrupt):
        found.extend(
            run_each([cell_of(games=games, players=players) for games, players in SHORT], crew=_Interrupting(times))
        )
    assert not found
    with pytest.raises(KeyboardInterrupt):
        list(run_each([cell_of(games=20_000)], crew=_Interrupting(times)))
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_while_progress_is_shown_ends_at_once_too():
    def progress(games, asked):
        calls.append(games)
        signal.raise_signal(signal.SIGINT)

    calls = []
    with pytest.raises(KeyboardInterrupt):
        run(cell_of(games=20_000), threads=1, chunk=100, progress=progress)
    assert calls == [100, 200]


def test_rows_that_cannot_be_taken_end_the_run_and_no_part_of_it_is_told():
    def rows(first, numbers):
        if first:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(cell_of(games=5000), threads=1, chunk=100, rows=rows)


class _Long(Threads):
    """Threads that are given tasks of a second."""

    seconds = (1.0, 1.0)


FAILS_LATE = ("faulty:patience=154", 120_000, 3)  # of these games, number 36 135 is the first that raises an error


@pytest.mark.parametrize("crew", [(Threads, 1), (_Long, 1), (Threads, 8), (_Long, 8)])
def test_an_error_after_the_game_where_a_cell_stops_changes_nothing(stubborn, crew):
    kind, threads = crew
    with kind(threads) as players:
        stopped, whole = (
            next(run_each([cell_of(*FAILS_LATE)], until=until, crew=players)) for until in (UntilWidth(0.5), None)
        )
    assert (stopped.stopped, stopped.tally.deals) == ("width reached", 20_000)
    assert stopped.tally.digest() == digest(cell_of("faulty:patience=154", 20_000, 3))
    assert isinstance(whole, IllegalAction) and "--number 36135" in str(whole)


@pytest.mark.parametrize(("threads", "chunk"), [(1, 1), (8, 1), (8, 7), (3, None)])
def test_of_many_errors_the_first_game_is_told(stubborn, threads, chunk):
    cell = cell_of("faulty,faulty,faulty:patience=30,faulty", 400, rotate=False)
    with pytest.raises(IllegalAction) as told:
        run(cell, threads=threads, chunk=chunk)
    number = int(str(told.value).split("--number ")[1])
    for game in range(number):
        replay(cell, game)


MEMORY = """
import resource
from simcore.api import make_cell
from simcore.engine import run
peaks = []
for games in (20_000, 400_000):
    run(make_cell("doigt", 4, games, "random"), threads=2)
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print((peaks[1] - peaks[0]) / 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux only")
def test_memory_does_not_grow_with_the_number_of_games():
    """Less than 20 MB between 20 thousand and 400 thousand games; rows of the latter would take 45 MB."""
    assert float(python(MEMORY, {})) < 20


# Fingerprints


def twin(factor=3, offset=5, **options):
    """A small compiled function of this constant, this closure value and these options."""
    names = {"FACTOR": factor}
    source = "def outer(offset):\n    def f(x):\n        return FACTOR * x + offset\n    return f\n"
    exec(source, names)
    return njit(**options)(names["outer"](offset))


def written(body, **names):
    """A compiled function from its text and its globals."""
    space = dict(names)
    exec(f"def f(x, k=2):\n    {body}\n", space)
    return njit(space["f"])


def test_fingerprint_is_that_of_the_meaning():
    assert fingerprint(twin()) == fingerprint(twin())
    one, other = written('"""Said."""; return x + 1'), written('"""Said otherwise."""; return x + 1')
    assert fingerprint(one) == fingerprint(other)


DIFFERENCES = {
    "global": (twin(), twin(factor=4)),
    "closure": (twin(), twin(offset=6)),
    "error model": (twin(), twin(error_model="numpy")),
    "fastmath": (twin(), twin(fastmath=True)),
    "code": (written("return x + 1"), written("return x - 1")),
    "constant": (written("return x + 1"), written("return x + 2")),
    "type": (written("return x + A", A=1), written("return x + A", A=1.0)),
    "array": (written("return x + A[0]", A=np.array([1, 2])), written("return x + A[0]", A=np.array([3, 2]))),
    "dtype": (written("return x + A[0]", A=np.array([1])), written("return x + A[0]", A=np.array([1], np.int32))),
    "tuple": (written("return x + A[0]", A=(1, 2)), written("return x + A[0]", A=(2, 2))),
    "callee's global": (written("return g(x)", g=twin()), written("return g(x)", g=twin(factor=4))),
    "callee's code": (
        written("return g(x)", g=written("return x * 2")),
        written("return g(x)", g=written("return -x")),
    ),
}


@pytest.mark.parametrize(("one", "other"), DIFFERENCES.values(), ids=DIFFERENCES.keys())
def test_fingerprint_changes_with_what_a_function_is_made_of(one, other):
    assert fingerprint(one) != fingerprint(other)


# The disk cache, with a stranger's package: a game as small as a game can be


TOY = '''
"""Each seat says 0 or 1, and scores when that and a hidden card make PRIZE."""

from dataclasses import dataclass

import numpy as np

from simcore.contract import WHOLE, Game, Metric, record, rule
from simcore.rng import shuffle

PRIZE = 1


@dataclass(frozen=True)
class Rules:
    """Nothing can be changed."""


@rule
def deal(table, hidden, shuffler):
    for place in range(8):
        hidden.cards[place] = place
    shuffle(shuffler, hidden.cards, 0, 2, 8)
    table.left, table.fault = len(table.seat), 0


def turns(choose, remembers):
    @rule
    def turn(table, hidden, seats):
        table.left -= 1
        action = choose(0, table, table.left, hidden.pack[table.left], seats)
        table.seat[table.left].score = np.int64((hidden.cards[0] + action) % 3 == PRIZE)

    return turn


@rule
def is_over(table):
    return table.left == 0


@rule
def finish(table, hidden, outcome):
    winners = 0
    for seat in range(len(table.seat)):
        outcome.score[seat] = table.seat[seat].score
        winners += table.seat[seat].score
    for seat in range(len(table.seat)):
        outcome.share[seat] = WHOLE // winners * table.seat[seat].score if winners else WHOLE // len(table.seat)
    outcome.winners = winners


GAME = Game(
    name="toy", title="Toy", least_players=2, most_players=4, rules=Rules, points=("SAY",),
    metrics=(Metric("winners", "seats that score"),), score="points",
    table=lambda players, rules: record("rules", "left", "fault", ("seat", record("score"), (players,))),
    hidden=lambda players: record(("cards", np.int64, (64,)), ("pack", record("first"), (players,))),
    prepare=lambda sheet, players, rules: None, deal=deal, turns=turns, is_over=is_over, finish=finish,
    is_legal=rule(lambda point, table, hand, seat, action: 0 <= action <= 1),
    default_parts=("flip",), default_line_up="flip",
)
'''
TOY_STRATEGIES = '''
"""The toy's only strategy."""

from simcore.contract import strategy
from simcore.rng import coin


@strategy("toy", answers=(0,))
def flip(point, table, seat, hand, params, stream):
    """A fair coin."""
    return coin(stream)
'''
TOY_PLUGIN = TOY_STRATEGIES.replace("def flip", "def mine")
ENTRY_POINTS = "[simcore.games]\ntoy = toy:GAME\n[simcore.strategies]\ntoy = toy_strategies\n"

PLAY = """
import sys
import numpy as np
from simcore.api import make_cell
from simcore.cell import Book, Rows, workspace
from simcore.engine import run
from simcore.plain import plain_record, rebuild
from simcore.registry import load_plugin
from simcore.tally import Tally
for path in sys.argv[2:]:
    load_plugin(path)
cell = make_cell("toy", 2, 300, sys.argv[1])
sums, tally = Book.of(cell), Tally(cell)
with np.errstate(over="ignore"):
    rebuild(cell.kernel.play_deals, {})(*workspace(cell, plain_record), 0, 300, *Rows.of(cell), sums.record)
tally.add(300, sums)
print(run(cell).tally.digest(), tally.digest())
"""


def start(script, environment, *arguments):
    """A Python process of its own, with these variables."""
    given = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **{name: str(value) for name, value in environment.items()}}
    command = [sys.executable, "-W", "ignore", "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, env=given, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def answer(process):
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return out.strip()


def python(script, environment, *arguments):
    return answer(start(script, environment, *arguments))


def begin_toy(home, shelf, *arguments):
    return start(PLAY, {"PYTHONPATH": home, "SIMCORE_CACHE_DIR": shelf}, *(arguments or ("flip",)))


def toy_digest(*processes):
    """The digest of a toy run; that of the compiled loop must be that of the plain one."""
    digests = [answer(process).split() for process in processes]
    assert all(compiled == plain_one for compiled, plain_one in digests)
    assert len({compiled for compiled, _ in digests}) == 1
    return digests[0][0]


def kernels(shelf):
    """The kernels in a cache folder, with the moment each file was written."""
    return {str(path.relative_to(shelf)): path.stat().st_mtime_ns for path in shelf.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """Folder of the toy's package, its cache after one run, and the digest of that run."""
    home = tmp_path_factory.mktemp("toy")
    info = home / "toy-1.0.dist-info"
    info.mkdir()
    (home / "toy.py").write_text(TOY)
    (home / "toy_strategies.py").write_text(TOY_STRATEGIES)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    shelf = home / "shelf"
    return home, shelf, toy_digest(begin_toy(home, shelf))


@pytest.fixture
def copy(toy, tmp_path):
    """A copy of the toy's package and of its cache, to be changed."""
    home, shelf, _ = toy
    shutil.copytree(home, tmp_path / "home", ignore=shutil.ignore_patterns("shelf"))
    shutil.copytree(shelf, tmp_path / "shelf")
    return tmp_path / "home", tmp_path / "shelf"


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_a_warm_cache_gives_the_same_digest_and_writes_nothing(toy):
    home, shelf, cold = toy
    before = kernels(shelf)
    assert any(name.endswith(".kernel") for name in before)
    assert toy_digest(begin_toy(home, shelf)) == cold
    assert kernels(shelf) == before


def test_an_edited_rule_and_an_edited_strategy_are_not_answered_from_the_cache(toy, copy):
    home, shelf = copy
    edit(home / "toy.py", "PRIZE = 1", "PRIZE = 2")
    rule_edited = toy_digest(begin_toy(home, shelf))
    edit(home / "toy.py", "PRIZE = 2", "PRIZE = 1")
    edit(home / "toy_strategies.py", "return coin(stream)", "return 1 - coin(stream)")
    strategy_edited = toy_digest(begin_toy(home, shelf))
    assert len({toy[2], rule_edited, strategy_edited}) == 3


def test_an_edited_plugin_gives_the_new_answer(copy, tmp_path):
    home, shelf = copy
    plugin = tmp_path / "mine.py"
    plugin.write_text(TOY_PLUGIN)
    first = toy_digest(begin_toy(home, shelf, "mine", plugin))
    edit(plugin, "return coin(stream)", "return coin(stream) & coin(stream)")
    assert toy_digest(begin_toy(home, shelf, "mine", plugin)) != first


def test_an_edited_copy_of_the_package_is_not_answered_from_its_cache(toy, copy):
    """The copy stands before the installed package, and both use one cache folder."""
    home, shelf = copy
    for package in ("simcore", "strategies"):
        shutil.copytree(ROOT / package, home / package, ignore=shutil.ignore_patterns("__pycache__"))
    edit(home / "simcore" / "rng.py", "0xD1342543DE82EF95", "0xD1342543DE82EF97")
    assert toy_digest(begin_toy(home, shelf)) != toy[2]


FINGERPRINT = """
from simcore.api import make_cell
from simcore.kernel import fingerprint
print(fingerprint(make_cell("doigt", 4, 1, "random").kernel.play_deals))
"""


def test_an_edited_constant_of_doigt_makes_another_kernel(tmp_path):
    for package in ("simcore", "strategies"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    installed, copied = python(FINGERPRINT, {}), python(FINGERPRINT, {"PYTHONPATH": tmp_path})
    assert copied == installed
    edit(tmp_path / "simcore" / "games" / "doigt.py", "MOST_RETURNS = 40", "MOST_RETURNS = 41")
    assert python(FINGERPRINT, {"PYTHONPATH": tmp_path}) != installed


def test_a_cache_folder_that_cannot_be_written_is_done_without(toy, tmp_path):
    """A path below a file: chmod would not stop root."""
    file = tmp_path / "file"
    file.write_text("")
    assert toy_digest(begin_toy(toy[0], file / "shelf")) == toy[2]
    assert file.read_text() == ""


def truncate(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip_a_byte(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


@pytest.mark.parametrize("spoil", [truncate, flip_a_byte])
def test_a_spoilt_cache_is_made_anew(toy, copy, spoil):
    home, shelf = copy
    spoilt = list(shelf.rglob("*.kernel"))
    assert len(spoilt) >= 1
    for path in spoilt:
        spoil(path)
    assert toy_digest(begin_toy(home, shelf)) == toy[2]
    healed = kernels(shelf)
    assert toy_digest(begin_toy(home, shelf)) == toy[2]
    assert kernels(shelf) == healed


def test_processes_that_race_for_an_empty_cache_all_give_the_right_answer(toy, tmp_path):
    """Ten of them, on one folder; one kernel is left, and no draft."""
    shelf = tmp_path / "shelf"
    assert toy_digest(*[begin_toy(toy[0], shelf) for _ in range(10)]) == toy[2]
    assert len(list(shelf.iterdir())) == 1
    assert not list(shelf.glob("draft-*"))


TOGETHER = """
import sys
from simcore.api import make_cell
from simcore.engine import run
print(*[run(make_cell("doigt", int(players), 2000, "random")).tally.digest() for players in sys.argv[1:]])
"""


def test_kernels_of_two_processes_do_not_meet_in_a_third(tmp_path):
    """Compiled functions are named by numbers that each process counts anew; a clash would call the other's code."""
    shelf = {"SIMCORE_CACHE_DIR": tmp_path}
    alone = {players: python(TOGETHER, shelf, players) for players in ("3", "4")}
    assert python(TOGETHER, shelf, "3", "4").split() == [alone["3"], alone["4"]]
    assert python(TOGETHER, shelf, "4", "3").split() == [alone["4"], alone["3"]]
