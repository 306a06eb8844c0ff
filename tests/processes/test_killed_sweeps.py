"""Sweeps that are killed at random moments, and what a thousand cells cost: real processes, and a minute of them."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_sweep import MANY, ROOT, SIMULATE, content, digests_in_copy, written

from simcore import load_results

KILLS = 50


def start(file, output):
    words = [*SIMULATE, "sweep", file, "-o", str(output), "-q", "--threads", "1", "--resume"]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def written_at(output):
    """When a cell was last written, in nanoseconds; 0 for never."""
    log = Path(f"{output}-wal")
    return log.stat().st_mtime_ns if log.exists() and log.stat().st_size else 0


def killed_at(process, output, before, moment, from_start):
    """Kills a sweep this many seconds after its start, or after its first cell; whether it was still alive."""
    while not from_start and written_at(output) == before and process.poll() is None:
        time.sleep(0.001)
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        process.kill()
    said = process.communicate(timeout=60)[1]
    assert process.returncode in (0, -signal.SIGKILL), said
    return process.returncode != 0


def test_a_file_that_was_killed_at_50_random_moments_is_the_undisturbed_one(tmp_path):
    file = written(tmp_path, MANY.format(games=150, attempts=list(range(10, 40))))
    whole = tmp_path / "whole.db"
    assert start(file, whole).wait(120) == 0
    expected = content(whole)
    digests = {entry.label: entry.result.digest for entry in load_results(str(whole)).finished}
    assert len(digests) == 60
    moments, kills, files, between = random.Random(7), 0, 0, 0
    while kills < KILLS:
        output = tmp_path / f"killed-{files}.db"
        files += 1
        alive = True
        while alive:
            from_start, before = moments.random() < 0.2, written_at(output)
            moment = moments.uniform(0, 1 if from_start else 0.2)
            alive = killed_at(start(file, output), output, before, moment, from_start)
            kills += alive
            found = digests_in_copy(output) if output.exists() else {}
            assert found.items() <= digests.items()
            between += alive and 0 < len(found) < 60
        assert content(output) == expected
    assert between > KILLS / 2  # most kills met a sweep in the middle of its cells


FLAT = """
import sys
from pathlib import Path
from experiments.sweep import Sweep, _locally
from experiments.sweep_run import run

sweep, pages = Sweep(sys.argv[1], {}, sys.argv[2], 1, quiet=True), []


def play(cells, progress):
    for place, done in enumerate(_locally(sweep)(cells, progress)):
        if place in (199, 999):
            pages.append(Path("/proc/self/statm").read_text().split()[1])
        yield done


assert run(sweep, play) == 0
pages.append(Path("/proc/self/statm").read_text().split()[1])
print(*pages, file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")
def test_memory_stays_flat_over_a_thousand_cells(tmp_path):
    text = MANY.format(games=64, attempts=list(range(1, 501)))
    words = [sys.executable, "-c", FLAT, written(tmp_path, text), str(tmp_path / "r.db")]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=200)
    early, *later = map(int, done.stderr.split())
    assert len(done.stdout.splitlines()) > 1000
    megabytes = [(late - early) * os.sysconf("SC_PAGE_SIZE") / 2**20 for late in later]
    assert megabytes[0] < 4, f"{megabytes[0]:.1f} MB more after 1000 cells than after 200"
    assert megabytes[1] < 25, f"{megabytes[1]:.1f} MB more with the table than after 200 cells"
