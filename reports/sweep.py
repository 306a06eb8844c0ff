"""The cells of a sweep as people read them in a terminal: a line for each, and what it means."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.console import WIDTH, count, percent
from simcore.result import BAND, Result
from simcore.store import Stored

WIDEST, WIDEST_TABLE = 24, 200  # characters of a value, and of a table that is no screen's
VERDICTS = {"fair": "fair", "unfair": "unfair", "unsure": "more games"}


def show(title: str, question: str, names: Sequence[str], cells: Iterable[Stored], out: TextIO) -> None:
    """Prints finished cells, one a line, each forgotten before the next; names: the factors that are shown."""
    console = Console(file=out, width=WIDTH if not out.isatty() else None, highlight=False)
    console.print(Text(title, style="bold"))
    if question:
        console.print(Text(question))
    table = _table(names, cells)
    needed = max(console.width, console.measure(table, options=console.options.update(width=WIDEST_TABLE)).maximum)
    console.print(table, width=None if out.isatty() else needed, crop=out.isatty())
    console.print(
        f"seat 1 and furthest: points more or less than the fair share, ± half of the 95 % interval. "
        f"fair: every seat within {100 * BAND:g} point, surely; unfair: one is surely further away."
    )


def _table(names: Sequence[str], cells: Iterable[Stored]) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    for name in names:  # a long name is broken between its words, a value never
        table.add_column(name.replace("_", " "), overflow="fold")
    for name in ("games", "seat 1", "furthest", "seats"):
        table.add_column(name, justify="right", no_wrap=True)
    for entry in cells:
        assert entry.result is not None
        table.add_row(*(text(entry.factors.get(name)) for name in names), *_numbers(entry.result))
    for column in table.columns[: len(names)]:
        words = [*str(column.header).split(), *map(str, column.cells)]
        column.min_width = min(WIDEST, max(map(len, words)))
    return table


def varying(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """The factors in which cells differ, from the factors of each; the first one when they do in none."""
    names = list(dict.fromkeys(name for factors in cells for name in factors))
    return [name for name in names if len({text(factors.get(name)) for factors in cells}) > 1] or names[:1]


def text(value: object) -> str:
    """A factor's value as it is written in an experiment file."""
    return "" if value is None else ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _numbers(result: Result) -> tuple[str, ...]:
    fair = 1 / result.cell.players
    shares = [line.win_share for line in result.seat_lines]
    furthest = max(range(len(shares)), key=lambda seat: abs(shares[seat].estimate - fair))
    return (
        count(result.games),
        points(shares[0].estimate - fair, shares[0].low, shares[0].high),
        f"{furthest + 1}: {percent(shares[furthest])[0]}",
        VERDICTS[result.fairness.answer],
    )


def points(change: float, low: float, high: float) -> str:
    """A difference of shares in points, with half of its interval's width."""
    half = 50 * (high - low)
    return f"{100 * change:+.2f} ± {half:.2f}"
