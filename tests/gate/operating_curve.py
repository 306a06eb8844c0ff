"""How often the gate says what, as the first seat is favoured more and more: the figure of docs/ci.md.

    python tests/gate/operating_curve.py

plays each drift a hundred times at the size of a committed baseline, on ten baselines and streams of random numbers
of their own, and writes docs/ci/operating-curve.csv, .svg and .png (which is not kept). It takes some twenty minutes
on two cores.
"""

import sys
from collections import Counter
from copy import deepcopy
from functools import cache
from pathlib import Path

import pandas as pd
from gates import toy_document
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.figures.files import save
from reports.figures.style import BLUE, GREY, PALE, VERMILLION, as_ink, bare
from simcore.baseline import TOLERANCE, Baseline
from simcore.drift import DRIFT, PASS, UNDECIDED, check, opened

GAMES, BASELINES, REPEATS = 2_000_000, 10, 100
DRIFTS = (0, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 1)  # points
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "ci"
LOOKS = {PASS: (BLUE, "o", "PASS"), UNDECIDED: (GREY, "s", "INCONCLUSIVE"), DRIFT: (VERMILLION, "^", "FAIL")}


@cache
def baseline(players: int, number: int):
    """A baseline of unchanged games, with a seed of its own."""
    return toy_document(TOLERANCE, players=(players,), games=GAMES, seed=1000 + number)


def favour(players: int, points: float) -> int:
    """How often the first seat must just win, in ten thousandths, to gain so many points."""
    return round(100 * points * players / (players - 1))


def answer(players: int, points: float, repeat: int, baselines: int) -> str:
    """What the gate says of an engine with other random numbers and a favoured first seat."""
    document = deepcopy(baseline(players, repeat % baselines))
    document["seed"] = 2000 + repeat
    document["cells"][0]["rules"] = {"favour": favour(players, points)}
    found = opened(Baseline("planted", document))
    check([found])
    return found.answer


def answers(players: int, points: float, repeats: int, baselines: int = BASELINES) -> Counter[str]:
    """How often it says what, against so many baselines in turn."""
    return Counter(answer(players, points, repeat, baselines) for repeat in range(repeats))


def measured() -> pd.DataFrame:
    """Shares of the three answers: players, drift (points), answer, share, n."""
    rows = []
    for players in (2, 4):
        for points in DRIFTS:
            found = answers(players, points, REPEATS)
            print(players, points, dict(found), file=sys.stderr, flush=True)
            rows += [(players, points, LOOKS[word][2], found[word] / REPEATS, REPEATS) for word in LOOKS]
    return pd.DataFrame(rows, columns=["players", "drift", "answer", "share", "n"])


def draw(axes: Axes, frame: pd.DataFrame, players: int) -> None:
    """The three curves of one number of players."""
    bare(axes)
    axes.axvspan(0, 100 * TOLERANCE, color=PALE, zorder=0)
    for colour, marker, word in LOOKS.values():
        one = frame[(frame["players"] == players) & (frame["answer"] == word)]
        axes.plot(one["drift"], 100 * one["share"], color=colour, marker=marker, markersize=5, linewidth=1.6)
    middle = 100 * TOLERANCE
    for word, x, y in (("PASS", 0.02, 92), ("INCONCLUSIVE", middle + 0.015, 103), ("FAIL", 0.84, 92)):
        colour = next(colour for colour, _, name in LOOKS.values() if name == word)
        axes.text(x, y, word, color=as_ink(colour), fontsize=10, fontweight="bold")
    axes.set_title(f"{players} players", loc="left", fontsize=11, pad=14)
    axes.set_xlabel("true change of the first seat's share, in points", fontsize=10)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 20), [f"{share} %" for share in range(0, 101, 20)])


def figure(frame: pd.DataFrame) -> Figure:
    """Both numbers of players side by side."""
    sheet = Figure(figsize=(10, 4.4), layout="constrained")
    for axes, players in zip(sheet.subplots(1, 2, sharey=True), (2, 4), strict=True):
        draw(axes, frame, players)
    sheet.suptitle("What the gate says: the tolerance of half a point is shaded", x=0.01, ha="left", fontsize=13)
    note = f"{GAMES:,} games a baseline, other random numbers, at most twice as many new games; {REPEATS} gates a point"
    sheet.supxlabel(note, fontsize=9, color=GREY, x=0.01, ha="left")
    return sheet


if __name__ == "__main__":
    found = measured()
    FOLDER.mkdir(exist_ok=True)
    save(figure(found), FOLDER, "operating-curve", found)
