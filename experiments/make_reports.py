"""The finished reports of docs/reports: plays their experiments, as far as they are not played yet, and writes them."""

import subprocess
import sys
from pathlib import Path

REPORTS = {
    "doigt": ("doigt-players", "doigt-tournament", "doigt-bonus", "doigt-rulings"),
    "paris": ("paris-players", "paris-tournament", "paris-draws", "paris-endgame", "paris-rulings"),
    "nain-jaune": ("nain-jaune-players", "nain-jaune-tournament", "nain-jaune-readings", "nain-jaune-rulings"),
}
OPTIONS = {
    "nain-jaune-readings": ("--rule", "deals=n", "--games", "50k"),  # as in nain-jaune-players, to compare the seats
    "paris-endgame": ("--games", "150k"),
}
ROOT = Path(__file__).resolve().parents[1]
PLAYED, PAGES = ROOT / ".reports", ROOT / "docs" / "reports"


def main() -> None:
    """Writes every report in every language; ends with the exit code of a command that fails."""
    PLAYED.mkdir(exist_ok=True)
    PAGES.mkdir(exist_ok=True)
    for game, experiments in REPORTS.items():
        for name in experiments:
            resume = ["--resume"] if (PLAYED / f"{name}.db").exists() else []
            _simulate("sweep", name, *OPTIONS.get(name, ()), "-o", f"{name}.db", *resume)
        for language in ("en", "fr"):
            page = PAGES / f"{game}.{language}.html"
            _simulate("report", *(f"{name}.db" for name in experiments), "-o", str(page), "--lang", language)


def _simulate(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "experiments.cli", *words], cwd=PLAYED, stdout=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
