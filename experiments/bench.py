"""Measures our speed, side by side with hand-written C doing the same work where it can be built."""

import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from simcore.api import make_cell
from simcore.engine import run

LIMIT = Path(__file__).resolve().parents[2] / "shared" / "limit"
GAMES = 1_000_000
ROUNDS = 5


def ours(threads: int, games: int = GAMES) -> float:
    """Games a second of the engine, kernel and tally, for random play of doigt at four players."""
    done = run(make_cell("doigt", 4, games, "random"), threads)
    return done.tally.games / done.seconds


def build_c(folder: str) -> str | None:
    """The C program for the same work, or None where there is no source or no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    source = LIMIT / "doigt.c"
    if compiler is None or not source.is_file():
        return None
    program = str(Path(folder) / "doigt")
    command = [compiler, "-O3", "-march=native", "-DPLAYERS=4", str(source), "-o", program, "-lpthread"]
    return program if subprocess.run(command, capture_output=True).returncode == 0 else None


def c_rate(program: str, mode: str, games: int) -> float:
    """Games a second of the C program in one thread."""
    done = subprocess.run([program, mode, str(games), "1"], capture_output=True, text=True, check=True)
    found = re.search(r"games/s\(wall\) (\d+)", done.stdout)
    assert found, done.stdout
    return float(found[1])


def whole(games: str) -> float:
    """Seconds of a whole command, from start to end."""
    command = [sys.executable, "-m", "experiments.cli", "--game", "doigt", "--players", "4", "-n", games]
    start = time.perf_counter()
    subprocess.run([*command, "--strategies", "random", "--quiet"], capture_output=True, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Interleaves the measurements, so that a machine that changes its speed changes both."""
    print(f"{platform.machine()}, Python {platform.python_version()}; medians of {ROUNDS} interleaved rounds")
    with tempfile.TemporaryDirectory() as folder:
        program = build_c(folder)
        if program is None:
            print("no C programs here: ours alone")
        ours(1, 1000)
        rates: dict[str, list[float]] = {name: [] for name in ("ours 1 thread", "ours 2 threads", "C b", "C a")}
        for _ in range(ROUNDS):
            rates["ours 1 thread"].append(ours(1))
            rates["ours 2 threads"].append(ours(2))
            if program:
                rates["C b"].append(c_rate(program, "b", GAMES))
                rates["C a"].append(c_rate(program, "a", GAMES // 5))
    show(rates)
    print(f"whole command, 1e6 games: {median(whole('1e6') for _ in range(ROUNDS)):.2f} s")
    print(f"whole command, 1e3 games: {median(whole('1e3') for _ in range(ROUNDS)):.2f} s")


def show(rates: dict[str, list[float]]) -> None:
    """Prints the rates, and the ratios round by round."""
    for name, found in rates.items():
        if found:
            print(f"{name:15} {median(found):12,.0f} games/s")
    for top, bottom in (("ours 1 thread", "C b"), ("ours 1 thread", "C a"), ("ours 2 threads", "ours 1 thread")):
        if rates[bottom]:
            ratios = [a / b for a, b in zip(rates[top], rates[bottom], strict=True)]
            print(f"{top} / {bottom}: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
