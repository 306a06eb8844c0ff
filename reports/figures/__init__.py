"""Figures of a report, each drawn from a tidy frame, with its numbers and names written where they belong.

All take `ax`, the axes to draw in (new ones when None, on a sheet that a notebook shows), `title` (one message),
`footer` (games and seed) and `words` (ENGLISH, or those of another language), and give back the axes.
"""

from collections.abc import Callable, Mapping
from itertools import cycle
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.figures.bars import game_length, tornado
from reports.figures.files import as_svg, save
from reports.figures.frames import INTERVAL, check, column, digits, full, one_row_each, positive, texts
from reports.figures.grid import advantage_map, payoff_matrix
from reports.figures.labels import Dots, End, at_the_ends, beside_dots
from reports.figures.sheet import HIGH, WIDE, Plot, Sheet, finish, fit, name_axes, start
from reports.figures.style import BLUE, COLOURS, GREY, INCH, PALE, Numbers, Ticks
from reports.figures.words import ENGLISH, Words
from simcore.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "ENGLISH",
    "Words",
    "advantage_map",
    "as_svg",
    "convergence",
    "course",
    "game_length",
    "panels",
    "payoff_matrix",
    "save",
    "seat_shares",
    "tornado",
]

FEW_SEATS = 4  # leave room for labels at their right
MARKERS = ("o", "s", "^", "D", "v")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)))


def seat_shares(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    band: float = 0.01,
    players: int | None = None,
    title: str = "",
    footer: str = "",
    words: Words = ENGLISH,
) -> Axes:
    """How often each seat wins: a dot with its interval, around the dashed fair share.

    frame: seat (1 to n), estimate, low, high (shares of wins, 0 to 1, with the ends of the interval, NaN for none), n
    (games). band: shares around fair that do not matter, shaded. players: unless given, what frame.attrs says, or
    else the last seat. Without a footer the number of games stands there. Raises UsageError for a frame that cannot be
    drawn.
    """
    check("seat_shares", frame, (), ["seat", *INTERVAL, "n"])
    full("seat_shares", frame, ["seat", "estimate"])
    one_row_each("seat_shares", frame, ["seat"])
    positive("seat_shares", "band", band)
    axes = start(ax)
    frame = frame.sort_values("seat")
    seats, shares, low, high = (column(frame, name) for name in ("seat", *INTERVAL))
    low, high = (np.where(np.isnan(end), shares, end) for end in (low, high))
    fair = 1 / (players or frame.attrs.get("players") or seats.max())
    _draw_fair(axes, fair, band)
    axes.vlines(seats, low, high, color=BLUE, linewidth=2.2, zorder=3)
    axes.plot(seats, shares, "o", color=BLUE, markersize=7, markeredgecolor="white", zorder=4, clip_on=False)
    axes.set_xlim(seats.min() - 0.5, seats.max() + (0.6 if len(seats) <= FEW_SEATS else 0.9))
    axes.set_xticks(seats, [words.count(seat) for seat in seats])
    _share_axis(axes, [*low, *high, fair - 1.6 * band, fair + 1.6 * band], words)
    name_axes(axes, words.seat, words.wins)
    decimals = [0 if share in (0, 1) else digits(*ends) for share, *ends in zip(shares, low, high, strict=True)]
    labels = [words.percent(share, places) for share, places in zip(shares, decimals, strict=True)]
    at_the_ends(axes, [_fair_end(fair, band, axes.get_xlim()[1], words)])
    beside_dots(axes, Dots(seats, shares, low, high, labels, fair))
    if isinstance(axes, Plot):
        axes.weight = len(seats) + 0.5
    games = sorted(set(column(frame, "n")))
    return finish(axes, title, footer or (words.footer.format(games=words.count(games[0])) if len(games) == 1 else ""))


def course(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    fair: float | None = None,
    title: str = "",
    footer: str = "",
    words: Words = ENGLISH,
) -> Axes:
    """How the end of a game is foretold by its course: one line for each curve.

    frame: progress (part of the game played, 0 to 1), curve (leader_wins, decided, last_wins or any text), estimate,
    low, high (shares of games, 0 to 1, with the ends of the interval). fair: the fair share of wins, dashed; none
    unless given. Raises UsageError for a frame that cannot be drawn.
    """
    check("course", frame, ["curve"], ["progress", *INTERVAL])
    full("course", frame, ["progress"])
    one_row_each("course", frame, ["curve", "progress"])
    axes = start(ax)
    ends = []
    looks = zip(cycle(COLOURS), cycle(MARKERS), cycle(DASHES))
    for curve, (colour, marker, dash) in zip(dict.fromkeys(texts(frame, "curve")), looks, strict=False):
        part = frame[frame["curve"].astype(str) == curve].sort_values("progress")
        part = part[part["estimate"].notna()]
        if part.empty:
            raise UsageError(f"course: curve {curve} has no estimate at all")
        x, y, low, high = (column(part, name) for name in ("progress", *INTERVAL))
        axes.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(
            x, y, color=colour, marker=marker, linestyle=dash, linewidth=1.6, markersize=5.5, clip_on=False, zorder=3
        )
        ends.append(End(words.curves.get(curve, curve), x[-1], y[-1], colour))
    last = max(column(frame, "progress").max(), min(column(frame, "progress").min() + 0.01, 1))
    if fair is not None:
        axes.axhline(fair, color=GREY, linestyle=(0, (4, 3)), linewidth=1, zorder=1)
        ends.append(End(words.fair.format(share=_share(fair, words)), last, fair))
    first = column(frame, "progress").min()
    axes.set_xlim(0 if last > 2 * first else first - 0.02, last)
    axes.set_ylim(0, 1.02)
    axes.xaxis.set_major_locator(Ticks(0, 1))
    axes.xaxis.set_major_formatter(Numbers(words.percent, 100))
    axes.yaxis.set_major_locator(Ticks(0, 1))
    axes.yaxis.set_major_formatter(Numbers(words.percent, 100))
    name_axes(axes, words.progress, words.games_with)
    at_the_ends(axes, ends)
    return finish(axes, title, footer)


def convergence(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    band: float = 0.01,
    fair: float,
    title: str = "",
    footer: str = "",
    words: Words = ENGLISH,
) -> Axes:
    """How a share settles while games are played, within its narrowing interval.

    frame: n (games played, above 0; drawn on a log axis), estimate, low, high (a share of wins, 0 to 1, with the ends
    of its interval), and if there are, outer_low, outer_high (the ends of a confidence sequence, which holds at every
    look). fair: the fair share; band: shares around it that do not matter, shaded. Raises UsageError for a frame that
    cannot be drawn.
    """
    outer = [name for name in ("outer_low", "outer_high") if {"outer_low", "outer_high"} <= set(frame.columns)]
    check("convergence", frame, (), ["n", *INTERVAL, *outer])
    full("convergence", frame, ["n", "estimate"])
    one_row_each("convergence", frame, ["n"])
    positive("convergence", "band", band)
    positive("convergence", "n", float(frame["n"].min()))
    axes = start(ax)
    frame = frame.sort_values("n")
    n, shares, low, high = (column(frame, name) for name in ("n", *INTERVAL))
    _draw_fair(axes, fair, band)
    if outer:
        ends = [column(frame, name) for name in outer]
        axes.fill_between(n, ends[0], ends[1], color=BLUE, alpha=0.12, linewidth=0, zorder=2)
        for end in ends:
            axes.plot(n, end, color=BLUE, linestyle=(0, (3, 2)), linewidth=0.9, zorder=2)
    axes.fill_between(n, low, high, color=BLUE, alpha=0.3, linewidth=0, zorder=2)
    axes.plot(n, shares, color=BLUE, linewidth=1.6, zorder=3)
    axes.plot(n[-1:], shares[-1:], "o", color=BLUE, markersize=7, markeredgecolor="white", zorder=4, clip_on=False)
    axes.vlines(n[-1], low[-1], high[-1], color=BLUE, linewidth=2.2, zorder=3)
    _games_axis(axes, n, words)
    later = slice(len(n) // 3, None)  # the first intervals may be so wide that nothing else is seen
    _share_axis(axes, [*shares[later], *low[later], *high[later], fair - 2 * band, fair + 2 * band], words)
    name_axes(axes, words.games, words.wins.partition(",")[0])
    last = words.percent(shares[-1], digits(low[-1], high[-1]))
    at_the_ends(axes, [End(last, n[-1], shares[-1], BLUE), _fair_end(fair, band, n[-1], words)])
    key = " ".join([words.one_look, *([words.all_looks] if outer else [])])
    return finish(axes, title, footer, [key] if len(n) > 1 else [])


def panels(
    draw: Callable[..., Axes],
    frames: Mapping[str, "pd.DataFrame"],
    *,
    columns: int = 2,
    shared: bool = True,
    each: Mapping[str, Mapping[str, Any]] | None = None,
    title: str = "",
    footer: str = "",
    words: Words = ENGLISH,
    **options: Any,
) -> Figure:
    """One figure for each frame, side by side, under small headings.

    draw: a figure of this module; frames: by heading; columns: figures in a row, fewer when they are too wide for that;
    shared: whether all have the same upright axis; each: options by heading; options: for all. Raises UsageError as
    `draw` does, or without frames.
    """
    if not frames or columns < 1:
        raise UsageError("panels: give at least one frame and one column")
    columns = min(columns, len(frames))
    rows = ceil(len(frames) / columns)
    sheet = Sheet(rows, columns, len(frames), WIDE, HIGH if rows == 1 else 2.6 * rows)
    sheet.has_headings = True
    for plot, (heading, frame) in zip(sheet.plots, frames.items(), strict=True):
        draw(frame, plot, title=heading, words=words, **{**options, **(each or {}).get(heading, {})})
    if columns > 1 and max(plot.least for plot in sheet.plots) > INCH * WIDE / columns:
        fewer: dict[str, Any] = {
            "columns": columns - 1,
            "shared": shared,
            "each": each,
            "title": title,
            "footer": footer,
        }
        return panels(draw, frames, **fewer, words=words, **options)
    sheet.headline, sheet.footer = title, footer
    inner = [plot.most[1] for plot in sheet.plots if np.isfinite(plot.most[1])]
    if inner:
        fit(sheet, max(inner))
    elif shared:
        _share_upright(sheet.plots, columns)
    return sheet


def _share_upright(plots: list[Plot], columns: int) -> None:
    low = min(min(plot.get_ylim()) for plot in plots)
    high = max(max(plot.get_ylim()) for plot in plots)
    for number, plot in enumerate(plots):
        if number:
            plot.sharey(plots[0])
        if number % columns:
            plot.tick_params(labelleft=False)
    plots[0].set_ylim(low, high)


def _draw_fair(axes: Axes, fair: float, band: float) -> None:
    axes.axhspan(fair - band, fair + band, color=PALE, linewidth=0, zorder=0)
    axes.axhline(fair, color=GREY, linestyle=(0, (4, 3)), linewidth=1, zorder=1)


def _fair_end(fair: float, band: float, x: float, words: Words) -> End:
    return End(f"{words.fair.format(share=_share(fair, words))}\n{words.band(band)}", x, fair)


def _share(share: float, words: Words) -> str:
    """A fair share with the decimals that it has, one at most."""
    return words.percent(share, 0 if abs(100 * share - round(100 * share)) < 1e-9 else 1)


def _share_axis(axes: Axes, shown: list[float], words: Words) -> None:
    """An upright axis in per cent that shows all these shares, with some room."""
    low, high = np.nanmin(shown), np.nanmax(shown)
    room = 0.08 * (high - low)
    axes.set_ylim(low - room, high + room)
    axes.yaxis.set_major_locator(Ticks(0, 1))
    axes.yaxis.set_major_formatter(Numbers(words.percent, 100))


def _games_axis(axes: Axes, n: np.ndarray, words: Words) -> None:
    """A logarithmic axis with at most six round numbers of games."""
    axes.set_xscale("log")
    first, last = float(n[0]), float(n[-1])
    axes.set_xlim(first, last) if last > first else axes.set_xlim(first / 2, first * 1.1)
    powers = range(int(np.floor(np.log10(first))), int(np.ceil(np.log10(last))) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [step * 10.0**power for power in powers for step in steps if first <= step * 10.0**power <= last]
        if len(ticks) <= 6:
            break
    ticks = ticks[:: ceil(len(ticks) / 6)] or [last]
    axes.set_xticks(ticks, [words.count(tick) for tick in ticks])
    axes.minorticks_off()
