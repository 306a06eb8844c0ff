"""Measures our speed, side by side with hand-written C doing the same work where it can be built."""

import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from experiments.cluster import Cluster, connected
from experiments.sweep import Sweep, sweep_all
from simcore.api import make_cell
from simcore.engine import run

LIMIT = Path(__file__).resolve().parents[2] / "shared" / "limit"
ROUNDS = 5
RATIOS = (
    ("ours 1 thread", "C b"),
    ("ours 1 thread", "C a"),
    ("ours 2 threads", "ours 1 thread"),
    ("2 workers", "2 threads"),
)
CELLS = """
title = "24 cells"
game = "doigt"
players = [3, 4, 5]
games = 200_000
strategies = "random"

[grid]
heart_bonus = [0, "red"]
extra_bonus = [0, 1]
steal = ["off", "on"]
"""


@dataclass(frozen=True)
class Work:
    """Random play of a game that a C program does too."""

    game: str
    players: int
    games: int
    rules: dict[str, Any]
    c_name: str

    def ours(self, threads: int, games: int = 0) -> float:
        """Games a second of the engine, kernel and tally."""
        done = run(make_cell(self.game, self.players, games or self.games, "random", self.rules), threads)
        return done.tally.games / done.seconds

    def build_c(self, folder: str) -> str | None:
        """The C program, or None where there is no source or no compiler."""
        compiler = shutil.which("gcc") or shutil.which("cc")
        source = LIMIT / f"{self.c_name}.c"
        if compiler is None or not source.is_file():
            return None
        program = str(Path(folder) / self.game)
        command = [
            compiler,
            "-O3",
            "-march=native",
            f"-DPLAYERS={self.players}",
            str(source),
            "-o",
            program,
            "-lpthread",
        ]
        return program if subprocess.run(command, capture_output=True).returncode == 0 else None


WORKS = (
    Work("doigt", 4, 1_000_000, {}, "doigt"),
    Work("paris", 3, 200_000, {"draw_table": "T2", "shortage": "round_robin"}, "paris"),
    Work("nain-jaune", 4, 500_000, {"opera": "first_possession"}, "nain"),
)


def c_rate(program: str, mode: str, games: int) -> float:
    """Games a second of the C program in one thread."""
    done = subprocess.run([program, mode, str(games), "1"], capture_output=True, text=True, check=True)
    found = re.search(r"games/s\(wall\) (\d+)", done.stdout)
    assert found, done.stdout
    return float(found[1])


def whole(*options: str) -> float:
    """Seconds of a whole command, from start to end; the median of several."""
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        command = [sys.executable, "-m", "experiments.cli", *options, "--quiet"]
        subprocess.run(command, capture_output=True, check=True)
        seconds.append(time.perf_counter() - start)
    return median(seconds)


def measure(work: Work, folder: str) -> dict[str, list[float]]:
    """Rates of us and of C, interleaved, so that a machine that changes its speed changes both."""
    program = work.build_c(folder)
    if program is None:
        print(f"no C program for {work.game} here: ours alone")
    work.ours(1, 1000)
    rates: dict[str, list[float]] = {name: [] for name in ("ours 1 thread", "ours 2 threads", "C b", "C a")}
    for _ in range(ROUNDS):
        rates["ours 1 thread"].append(work.ours(1))
        rates["ours 2 threads"].append(work.ours(2))
        if program:
            rates["C b"].append(c_rate(program, "b", work.games))
            rates["C a"].append(c_rate(program, "a", work.games // 5))
    return rates


def sweeps(folder: str) -> None:
    """Prints how fast an experiment of 24 small cells goes, on two threads and in two worker processes, in turn."""
    file = Path(folder) / "cells.toml"
    file.write_text(CELLS, encoding="utf-8")
    rates: dict[str, list[float]] = {"2 threads": [], "2 workers": []}
    shares = []
    with connected(Cluster(workers=2)) as workers:
        for turn in range(ROUNDS + 1):  # the first one warms up
            for name, play in (("2 threads", None), ("2 workers", workers.player(None))):
                done = sweep_all(Sweep(str(file), {}, f"{folder}/{name}-{turn}.db", 2, quiet=True), play)
                if turn:
                    rates[name].append(24 * 200_000 / done.seconds)
                    shares += [done.share_in_kernels] if play is None else []
    print("sweep of 24 cells of doigt, 200 000 games each, random")
    show(rates)
    print(f"part of two threads' time in games: {median(shares):.2f} ({min(shares):.2f} to {max(shares):.2f})")


def main() -> None:
    """Prints the rates of every game and of sweeps, and the seconds of whole commands."""
    print(f"{platform.machine()}, Python {platform.python_version()}; medians of {ROUNDS} interleaved rounds")
    with tempfile.TemporaryDirectory() as folder:
        for work in WORKS:
            print(f"{work.game}, {work.players} players, random")
            show(measure(work, folder))
        sweeps(folder)
    doigt = ("--game", "doigt", "--players", "4", "--strategies", "random", "-n")
    print(f"whole command, doigt, random, 1e6 games: {whole(*doigt, '1e6'):.2f} s")
    print(f"whole command, doigt, random, 1e3 games: {whole(*doigt, '1e3'):.2f} s")
    paris = ("--game", "paris", "--players", "3", "-n", "1e5")
    print(f"whole command, paris, default line-up, 1e5 games: {whole(*paris):.2f} s")
    nain = ("--game", "nain-jaune", "--players", "4", "-n", "1e6")
    print(f"whole command, nain-jaune, default line-up, 1e6 games: {whole(*nain):.2f} s")


def show(rates: dict[str, list[float]]) -> None:
    """Prints the rates, and the ratios round by round."""
    for name, found in rates.items():
        if found:
            print(f"{name:15} {median(found):12,.0f} games/s")
    for top, bottom in RATIOS:
        if rates.get(bottom):
            ratios = [a / b for a, b in zip(rates[top], rates[bottom], strict=True)]
            print(f"{top} / {bottom}: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
