"""Which rules matter, as people read it in a terminal: effects of a grid, parts of a change, flipped rulings."""

from collections.abc import Sequence
from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.console import WIDTH
from simcore.paired import Difference
from simcore.rulings import NO, OPEN, YES, Flip
from simcore.sensitivity import Contribution, Effect

VERDICTS = (YES, OPEN, NO)
SMALL = 0.001  # a smaller share of the variance is not listed


def _console(out: TextIO) -> Console:
    return Console(file=out, width=WIDTH if not out.isatty() else None, highlight=False)


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    table.add_column(columns[0], overflow="fold")
    for name in columns[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def show_rulings(title: str, flips: Sequence[Flip], band: float, out: TextIO) -> None:
    """Prints every flipped ruling, those that matter first."""
    console = _console(out)
    console.print(Text(title, style="bold"))
    several = len({flip.players for flip in flips}) > 1
    table = _table("ruling", *(["players"] if several else []), "seat moved most", "length %", "ties", "matters")
    table.columns[0].min_width = 26
    for flip in sorted(flips, key=lambda one: (VERDICTS.index(one.verdict), -abs(one.furthest.change))):
        moves = (_points(flip.furthest, True), _relative(flip.length), _points(flip.ties).partition(" ±")[0])
        table.add_row(flip.ruling, *([str(flip.players)] if several else []), *moves, flip.verdict)
    console.print(table)
    console.print(
        f"Seats and ties in points. yes: the win share of a seat, the length or the ties surely move by more than "
        f"{100 * band:g} (points, per cent); no: surely none of them does. All intervals hold at once."
    )


def _points(found: Difference | None, with_name: bool = False) -> str:
    if found is None:
        return ""
    name = f"{found.what.removeprefix('seat ')}: " if with_name else ""
    return f"{name}{100 * found.change:+.2f} ± {50 * (found.high - found.low):.2f}"


def _relative(found: Difference | None) -> str:
    if found is None or not found.before:
        return ""
    return f"{100 * found.change / found.before:+.1f}"


def show_effects(title: str, number: str, effects: Sequence[Effect], out: TextIO) -> None:
    """Prints what makes a number differ over a grid."""
    console = _console(out)
    console.print(Text(f"{title}: what makes {number} differ", style="bold"))
    table = _table("factors", "share of the variance", "95 % interval")
    for effect in effects:
        if effect.high > SMALL:
            low, high = 100 * max(effect.low, 0.0), 100 * min(effect.high, 1.0)
            share = f"{100 * max(effect.share, 0.0):.1f} %"
            table.add_row(" with ".join(effect.factors), share, f"{low:.1f} to {high:.1f} %")
    console.print(table)
    if not any(effect.low > 0 for effect in effects):
        console.print("Cannot say yet: nothing stands out from the noise of the games. Play more of them.")
    console.print(
        "A line with several factors is what they do together beyond what each does alone. "
        "The noise of the games is subtracted. A seat's share counts as a part of its fair share."
    )


def show_parts(
    title: str, number: str, whole: float, parts: Sequence[Contribution], is_share: bool, cells: int, out: TextIO
) -> None:
    """Prints what each changed rule adds to the whole change."""
    console = _console(out)
    scale, unit = (100.0, " points") if is_share else (1.0, "")
    console.print(Text(f"{title}: {number} changes by {scale * whole:+.3f}{unit}", style="bold"))
    table = _table("rule", "part", "95 % interval")
    for part in sorted(parts, key=lambda one: -abs(one.value)):
        span = f"{scale * part.low:+.3f} to {scale * part.high:+.3f}"
        table.add_row(part.rule, f"{scale * part.value:+.3f}", span)
    table.add_row("all together", f"{scale * sum(part.value for part in parts):+.3f}", "")
    console.print(table)
    console.print(
        f"A rule's part is what changing it adds, on average over all orders of changing the rules one by one "
        f"(Shapley), from {cells} cells on the same deals. The parts add up to the whole change."
    )


def effects_document(number: str, effects: Sequence[Effect]) -> dict[str, Any]:
    """The effects as plain numbers, ready for JSON."""
    return {"schema": 1, "number": number, "effects": [_numbers(effect) for effect in effects]}


def _numbers(effect: Effect) -> dict[str, Any]:
    """An effect as JSON can hold it, which has no NaN."""
    return {name: None if value != value else value for name, value in vars(effect).items()}


def parts_document(number: str, whole: float, parts: Sequence[Contribution]) -> dict[str, Any]:
    """The parts as plain numbers, ready for JSON."""
    return {"schema": 1, "number": number, "change": whole, "parts": [vars(part) for part in parts]}


def rulings_document(flips: Sequence[Flip], band: float) -> dict[str, Any]:
    """The rulings as plain numbers, ready for JSON."""
    return {
        "schema": 1,
        "band": band,
        "rulings": [
            {
                "ruling": flip.ruling,
                "players": flip.players,
                "verdict": flip.verdict,
                "moves": [
                    {"what": one.what, "before": one.before, "change": one.change, "low": one.low, "high": one.high}
                    for one in (*flip.seats, flip.length, flip.ties)
                    if one is not None
                ],
            }
            for flip in flips
        ],
    }
