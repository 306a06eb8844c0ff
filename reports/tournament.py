"""A tournament as people read it in a terminal: who does how well among whom, the ranks, and who is dominated."""

from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.console import WIDTH, count
from simcore.stats import Estimate
from simcore.tournament import Tournament


def show(title: str, found: Tournament, out: TextIO) -> None:
    """Prints the table of win shares, the ranks, and what follows."""
    console = Console(file=out, width=max(WIDTH, 20 + 15 * (len(found.pool) + 1)), highlight=False)
    fair = 100 / found.players
    console.print(Text(f"{title}, {found.players} players, {count(found.games)} games a cell", style="bold"))
    console.print("Wins in per cent of the row's strategy: alone among copies of the column's, and where all meet.")
    console.print(_table(found))
    console.print(_ranks(found))
    dominated = [standing for standing in found.standings() if standing.dominated_by]
    for standing in dominated:
        console.print(f"{standing.name} is dominated, among those supplied, by {', '.join(standing.dominated_by)}.")
    if not dominated:
        console.print("No strategy is surely dominated by another one of those supplied.")
    console.print(
        f"Fair is {fair:.2f} %. Dominated: surely worse in every field, 95 % sure of all such claims at once."
    )


def _table(found: Tournament) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    table.add_column("one … among")
    for name in [*found.pool, "all mixed"]:
        table.add_column(name, justify="right", no_wrap=True)
    for focal in found.pool:
        cells = [_percent(found.share(focal, field)) for field in found.pool]
        table.add_row(focal, *cells, _percent(found.mixed(focal)))
    return table


def _ranks(found: Tournament) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    for name in ("rank", "strategy"):
        table.add_column(name)
    table.add_column("mean over fields", justify="right")
    for rank, standing in enumerate(found.standings(), start=1):
        table.add_row(str(rank), standing.name, f"{100 * standing.mean:.2f} %")
    return table


def _percent(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    return f"{100 * estimate.estimate:.2f} ± {50 * (estimate.high - estimate.low):.2f}"


def document(found: Tournament) -> dict[str, Any]:
    """Everything as plain numbers, ready for JSON."""
    return {
        "schema": 1,
        "players": found.players,
        "games": found.games,
        "table": [
            {"focal": focal, "field": field, **_numbers(found.share(focal, field))}
            for focal in found.pool
            for field in found.pool
            if focal != field
        ],
        "mixed": [{"strategy": name, **_numbers(found.mixed(name))} for name in found.pool],
        "ranks": [
            {"strategy": one.name, "mean": one.mean, "dominated_by": list(one.dominated_by)}
            for one in found.standings()
        ],
    }


def _numbers(estimate: Estimate | None) -> dict[str, float]:
    assert estimate is not None
    return {"win_share": estimate.estimate, "low": estimate.low, "high": estimate.high}
