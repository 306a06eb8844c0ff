"""Results as people read them in a terminal: a table, a verdict in plain words, and how to repeat it."""

import json
from collections.abc import Iterable, Sequence
from math import floor, isnan, log10
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from simcore.contract import Metric
from simcore.result import QUANTILES, Line, Result
from simcore.stats import Estimate

WIDTH = 80
STOPPED = {
    "width reached": "Stopped after {games} games: every seat's interval is as narrow as was asked.",
    "width not reached": "All {games} games are played, and a seat's interval is wider than was asked.",
    "undecided": "All {games} games are played, and it is not decided whether all seats are fair within the band.",
    "fair": "Stopped after {games} games: all seats are fair within the band, surely, however often one looks.",
    "unfair": "Stopped after {games} games: a seat is outside of the band, surely, however often one looks.",
}
HEAVY = (
    "The mean of the {score} hangs on a few large pots. The median does not, nor does\n"
    "the trimmed mean, which leaves out the lowest and the highest 5 % of games."
)


def show(result: Result, command: str, out: TextIO) -> None:
    """Prints a result: who wins how often, how the game goes, what it means, how to repeat it."""
    console = Console(file=out, width=WIDTH if not out.isatty() else None, highlight=False, soft_wrap=False)
    cell = result.cell
    console.print(Text(f"{cell.game.title}, {cell.players} players, {count(result.games)} games", style="bold"))
    if result.interrupted:
        console.print(f"Interrupted: these numbers stand on {count(result.games)} of {count(asked(result))} games.")
    console.print(_lines_table(result, "seat", result.seat_lines))
    if len(cell.names) > 1:
        console.print(_lines_table(result, "strategy", result.strategy_lines))
    if cell.game.is_heavy_tailed:
        console.print(_spread_table(result))
        console.print(HEAVY.format(score=cell.game.score), soft_wrap=False)
    console.print(_metrics_table(result))
    for row in dict.fromkeys(metric.row for metric in cell.game.metrics if metric.row):
        shown = [m for m in cell.game.metrics if m.row == row and not is_said_already(result, m)]
        if shown:
            console.print(_labels_table(result, row, shown))
    for sentence in verdict(result):
        console.print(sentence, soft_wrap=True)
    console.print(f"\nRepeat it: {command}", soft_wrap=True)
    console.print(f"seed {cell.seed} · digest {result.digest} · {speed(result)}", soft_wrap=True)


def asked(result: Result) -> int:
    """Games that the run was to play."""
    return result.cell.deals * result.cell.rotations


def count(number: float) -> str:
    """A whole number with its thousands apart: 1 000 000."""
    return f"{round(number):,}".replace(",", " ")


def speed(result: Result) -> str:
    """Games a second, with the seconds of play."""
    return f"{count(result.games / max(result.seconds, 1e-9))} games/s ({result.seconds:.2f} s of play)"


def _lines_table(result: Result, heading: str, lines: Iterable[Line]) -> Table:
    fair = f"{100 / result.cell.players:.2f} %"
    mixed = result.cell.rotations > 1
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    table.add_column(heading)
    if heading == "seat" and not mixed:
        table.add_column("strategy", overflow="fold")
    for name in ("wins", "95 % interval", "fair", result.cell.game.score):
        table.add_column(name, justify="right", no_wrap=True)
    for line in lines:
        sitting = [line.strategy] if heading == "seat" and not mixed else []
        table.add_row(line.label, *sitting, *percent(line.win_share), fair, plain(line.score, places(line.score)))
    return table


def _spread_table(result: Result) -> Table:
    """Where the scores of a heavy-tailed game lie, for each seat, or for each strategy of a mixed line-up."""
    mixed = len(result.cell.names) > 1
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    table.add_column(result.cell.game.score)
    for name in ("mean", "trimmed mean", "5 %", "25 %", "median", "75 %", "95 %"):
        table.add_column(name, justify="right", no_wrap=True)
    for line in result.strategy_lines if mixed else result.seat_lines:
        quantiles = [count(line.spread[name].estimate) for name in QUANTILES]
        label = line.label if mixed else f"seat {line.label}"
        table.add_row(label, _around(line.score), _around(line.spread["trimmed_mean"]), *quantiles)
    return table


def _metrics_table(result: Result) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    table.add_column("the game")
    for name in ("mean", "95 % interval", "spread (sd)"):
        table.add_column(name, justify="right", no_wrap=True)
    for metric in result.cell.game.measures(result.cell.players):
        estimate = result.metric_estimates[metric.name]
        if not estimate.n or metric.row or is_said_already(result, metric):
            continue
        if metric.is_share:
            table.add_row(metric.meaning, *percent(estimate), "")
        else:
            digits = places(estimate)
            interval = f"{estimate.low:.{digits}f} to {estimate.high:.{digits}f}"
            spread = "" if isnan(estimate.sd) else f"{estimate.sd:.2f}"
            table.add_row(metric.meaning, plain(estimate, digits), interval, spread)
    return table


def is_said_already(result: Result, metric: Metric) -> bool:
    """Whether a ratio repeats another number: it divides by something of which each game has one."""
    per = result.metric_estimates.get(metric.per)
    return (bool(metric.of) or metric.row == "seat") and per is not None and per.low == per.high == 1


def _labels_table(result: Result, row: str, shown: Sequence[Metric]) -> Table:
    """The numbers that a game has for each seat, or another thing, with the half-width of their interval."""
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    table.add_column(row)
    for metric in shown:
        table.add_column(f"{metric.name} %" if metric.is_share else metric.name, justify="right", no_wrap=True)
    for word in shown[0].words(result.cell.players):
        estimates = [(metric, result.metric_estimates[f"{metric.name}_{word}"]) for metric in shown]
        cells = [_percent_around(found) if metric.is_share else _around(found) for metric, found in estimates]
        table.add_row(word.removeprefix(f"{row}_").replace("_", " "), *cells)
    return table


def _percent_around(estimate: Estimate) -> str:
    """A rate in per cent and the half-width of its interval."""
    if isnan(estimate.estimate):
        return "–"
    digits = max(2, places(estimate) - 3)
    return f"{100 * estimate.estimate:.{digits}f} ± {50 * (estimate.high - estimate.low):.{digits}f}"


def _around(estimate: Estimate) -> str:
    """An estimate and the half-width of its interval, as short as the interval allows."""
    if isnan(estimate.estimate):  # nothing of the kind came up
        return "–"
    digits = max(1, places(estimate) - 1)
    return f"{plain(estimate, digits)} ± {(estimate.high - estimate.low) / 2:.{digits}f}"


def places(estimate: Estimate) -> int:
    """Decimals worth showing: down to the first digit of the interval's half-width, and one more."""
    half = (estimate.high - estimate.low) / 2
    return 2 if half <= 0 else max(1, min(6, 1 - floor(log10(half))))


def plain(estimate: Estimate, digits: int) -> str:
    """An estimate to this many decimals."""
    return f"{estimate.estimate:.{digits}f}"


def percent(estimate: Estimate) -> tuple[str, str]:
    """A rate and its interval in per cent, to the precision that the interval allows."""
    digits = max(2, places(estimate) - 2)
    low, high = 100 * estimate.low, 100 * estimate.high
    interval = "exact" if estimate.method == "exact" else f"{low:.{digits}f} to {high:.{digits}f} %"
    return f"{100 * estimate.estimate:.{digits}f} %", interval


def verdict(result: Result) -> list[str]:
    """What the numbers say about the seats, in plain words, and about games that were cut off."""
    sentences = [STOPPED[result.stopped].format(games=count(result.games))] if result.stopped else []
    sentences += [_seat_verdict(result)]
    cut = result.metric_estimates.get("cut_off")
    if cut and cut.estimate:
        sentences.append(f"In {100 * cut.estimate:.3g} % of the games a limit was hit (counted, see the rules).")
    return sentences


def _seat_verdict(result: Result) -> str:
    found, players = result.fairness, result.cell.players
    band = f"{100 * result.band:g} point" + ("" if result.band == 0.01 else "s")
    line = result.seat_lines[found.seat]
    fair, won = 1 / players, line.win_share.estimate
    points = 100 * (won - fair)
    aside = f"seat {line.label} wins {100 * won:.2f} %, fair is {100 * fair:.2f} %"
    if found.answer == "fair":
        return f"Fair seats: every seat wins within {band} of its fair share (furthest: {aside})."
    if found.answer == "unfair":
        word = "more" if points > 0 else "less"
        return f"Unfair seats: {aside}, {abs(points):.2f} points {word}: outside {band}."
    needed = found.games_needed
    if needed > 1e11:
        return f"Cannot say yet: {aside}, too close to the edge of {band} to settle."
    within = f"whether the seats are fair within {band}"
    return f"Cannot say yet {within} ({aside}): play about {_round(needed)} games."


def _round(games: float) -> str:
    """Games needed, to one digit, rounded up."""
    power = 10 ** floor(log10(max(games, 1)))
    return count(-(-games // power) * power)


def as_json(result: Result) -> str:
    """One JSON document on one line."""
    return json.dumps(result.document(), ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


CSV_HEADER = "game,players,table,seat,strategy,metric,n,estimate,low,high,method"


def as_csv(result: Result) -> Iterable[str]:
    """Tidy lines, one number each, without the header."""
    start = f"{result.cell.game.name},{result.cell.players}"
    for table, lines in (("seats", result.seat_lines), ("strategies", result.strategy_lines)):
        for line in lines:
            seat = line.label if table == "seats" else ""
            for metric, estimate in line.numbers().items():
                yield f'{start},{table},{seat},"{line.strategy}",{metric},{_csv(estimate)}'
    for name, estimate in result.metric_estimates.items():
        if not estimate.n:
            continue
        yield f"{start},metrics,,,{name},{_csv(estimate)}"


def _csv(estimate: Estimate) -> str:
    return f"{estimate.n},{estimate.estimate!r},{estimate.low!r},{estimate.high!r},{estimate.method}"
