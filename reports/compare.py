"""Two cells side by side: what changes from one to the other, in numbers and in plain words."""

from collections.abc import Sequence
from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.console import WIDTH
from simcore.paired import Difference


def show(title: str, differences: Sequence[Difference], paired: bool, band: float, family: int, out: TextIO) -> None:
    """Prints every difference with its interval, what pairing gained, and a sentence for each seat."""
    console = Console(file=out, width=WIDTH if not out.isatty() else None, highlight=False)
    console.print(Text(title, style="bold"))
    console.print(_table(differences, paired))
    for sentence in sentences(differences, band):
        console.print(sentence, soft_wrap=True)
    how = "deal for deal, on the same deals" if paired else "as two separate runs: they have not played the same deals"
    console.print(
        f"\nCompared {how}. The intervals hold for all {family} numbers at once, 95 % (Bonferroni).",
        soft_wrap=True,
    )


def _table(differences: Sequence[Difference], paired: bool) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    table.add_column("what", overflow="fold")
    for name in ("before", "after", "change", "95 % interval", *(["pairing"] if paired else [])):
        table.add_column(name, justify="right", no_wrap=True)
    for entry in differences:
        gain = [f"× {entry.gain:.1f}" if entry.gain < 1000 else "no change seen"] if paired else []
        table.add_row(entry.what, *_numbers(entry), *gain)
    return table


def _numbers(entry: Difference) -> tuple[str, ...]:
    scale, unit = (100.0, " %") if entry.is_share else (1.0, "")
    half = scale * (entry.high - entry.low) / 2
    digits = 2 if half >= 0.05 or half == 0 else 3
    low, high = scale * entry.low, scale * entry.high
    return (
        f"{scale * entry.before:.{digits}f}{unit}",
        f"{scale * entry.after:.{digits}f}{unit}",
        f"{scale * entry.change:+.{digits}f}",
        f"{low:+.{digits}f} to {high:+.{digits}f}",
    )


def sentences(differences: Sequence[Difference], band: float) -> list[str]:
    """What the differences say about the seats, in plain words."""
    return [sentence(entry, band) for entry in differences if entry.what.startswith("seat ")]


def sentence(entry: Difference, band: float) -> str:
    """One seat's change, and whether it is outside of the band."""
    span = f"{100 * entry.change:+.2f} points, 95 %: {100 * entry.low:.2f} to {100 * entry.high:.2f}"
    edge = f"your ± {100 * band:g} point band"
    verdict = {
        "outside": f"outside {edge}",
        "inside": f"inside {edge}",
        "straddles": f"not sure yet on which side of {edge}: play more games",
    }
    return f"Moves {entry.what} by {span}; {verdict[entry.against(band)]}."


def document(title: str, differences: Sequence[Difference], paired: bool, band: float) -> dict[str, Any]:
    """Everything as plain numbers, ready for JSON."""
    return {
        "schema": 1,
        "compared": title,
        "paired": paired,
        "band": band,
        "family": len(differences),
        "differences": [
            {
                "what": entry.what,
                "before": entry.before,
                "after": entry.after,
                "change": entry.change,
                "low": entry.low,
                "high": entry.high,
                "gain": entry.gain if entry.gain < float("inf") else None,
                "verdict": entry.against(band) if entry.is_share else None,
            }
            for entry in differences
        ],
    }
