"""Figures made of bars: how long games are, and what each rule changes."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from reports.figures.frames import INTERVAL, check, column, digits, full, one_row_each, positive, texts
from reports.figures.labels import End, at_the_ends, on_top
from reports.figures.sheet import arranged, finish, name_axes, own_width, start
from reports.figures.style import BLUE, INK, PALE, VERMILLION, Numbers, Ticks, extent, label
from reports.figures.text import height, width, wrap
from reports.figures.words import ENGLISH, Words
from simcore.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

LEVELS = (0.05, 0.5, 0.95)
FEW = 5.0  # units that an axis of lengths has at least
NAMES = 0.32  # of the width of the figure, at most, for the names of rules
ROW, TALL_ROW = 21.0, 27.0  # points, a rule's height, with a name in one line and in two


def game_length(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    cut_off: float | None = None,
    unit: str = "",
    title: str = "",
    footer: str = "",
    words: Words = ENGLISH,
) -> Axes:
    """How long games are, as a part of all games, with lines at the 5th, 50th and 95th percentile.

    frame: length (turns, or what `unit` says: the number itself where width is 1, else the lower edge of the bin),
    width (of the bin, in the same unit), count (games that ended there). cut_off: the share of all games (0 to 1) that
    a limit ended, which are not in the frame; they have a bar of their own. Percentiles are of the games in the frame;
    inside a bin wider than 1 they are interpolated. Raises UsageError for a frame that cannot be drawn.
    """
    check("game_length", frame, (), ["length", "width", "count"])
    full("game_length", frame, ["length", "width", "count"])
    one_row_each("game_length", frame, ["length"])
    positive("game_length", "width", float(frame["width"].min()))
    if frame["count"].min() < 0 or frame["count"].sum() <= 0:
        raise UsageError("game_length: the counts must be 0 or more, and some games must have ended")
    if cut_off is not None and not 0 <= cut_off <= 1:
        raise UsageError(f"game_length: cut_off = {cut_off:g}: give a share from 0 to 1")
    axes = start(ax)
    frame = frame.sort_values("length")
    length, wide, count = (column(frame, name) for name in ("length", "width", "count"))
    left = np.where(wide == 1, length - 0.5, length)
    shares = count / count.sum() * (1 - (cut_off or 0.0))
    thin = 0.0 if len(length) > 60 else 0.8
    axes.bar(left, shares, wide, align="edge", color=BLUE, edgecolor="white", linewidth=thin)
    low, high = left[0], (left + wide)[-1]
    top = max(shares.max(), cut_off or 0.0)
    if high - low < FEW:
        low, high = (low + high - FEW) / 2, (low + high + FEW) / 2
    axes.set_xlim(low, high)
    axes.xaxis.set_major_locator(Ticks(low, high, 6, whole=True))
    if cut_off is not None:
        _draw_cut_off(axes, cut_off, high, max((high - low) * 0.04, float(wide[-1])), words)
    axes.set_ylim(0, top * 1.22)
    _draw_levels(axes, [_level(length, wide, count, level) for level in LEVELS], top, words)
    axes.xaxis.set_major_formatter(Numbers(lambda value, _: words.count(value)))
    axes.yaxis.set_major_locator(Ticks(0, 1, 4))
    axes.yaxis.set_major_formatter(Numbers(words.percent, 100))
    name_axes(axes, unit or words.length, words.of_games)
    return finish(axes, title, footer)


def _draw_cut_off(axes: Axes, share: float, end: float, wide: float, words: Words) -> None:
    """The bar of the games that were cut off, apart from the others on their right."""
    left = end + wide
    axes.bar([left], [share], wide, align="edge", color="white", edgecolor=VERMILLION, hatch="////", gid="cut off")
    axes.set_xlim(axes.get_xlim()[0], left + wide)
    text = f"{words.cut_off}\n{words.percent(share, 0 if share in (0, 1) else 1 if share >= 0.001 else 3)}"
    at_the_ends(axes, [End(text, left + wide, 0.0)])


def _level(length: np.ndarray, wide: np.ndarray, count: np.ndarray, level: float) -> float:
    """The length that this part of the games does not pass."""
    wanted, passed = level * count.sum(), np.cumsum(count)
    place = int(np.searchsorted(passed, wanted - 1e-9))
    if wide[place] == 1:
        return float(length[place])
    before = passed[place] - count[place]
    return float(length[place] + wide[place] * (wanted - before) / count[place])


def _draw_levels(axes: Axes, lengths: list[float], top: float, words: Words) -> None:
    """Upright lines at the percentiles, with labels above them."""
    labels = []
    for level, length in zip(LEVELS, lengths, strict=True):
        written = words.count(length)
        text = words.median if level == 0.5 else words.quantile
        labels.append(text.format(level=words.percent(level, 0), length=written))
        dash = "-" if level == 0.5 else (0, (3, 2))
        axes.vlines(length, 0, top * 1.06, color=INK, linewidth=1.2, linestyle=dash, zorder=3)
    on_top(axes, labels, lengths, top * 1.06)


def tornado(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    band: float | None = 0.01,
    unit: str | None = None,
    title: str = "",
    footer: str = "",
    words: Words = ENGLISH,
) -> Axes:
    """What each rule changes: bars with their intervals, the largest on top.

    frame: rule (text), estimate, low, high (a change of a share, -1 to 1, drawn in points; or of anything else when
    `unit` names it, drawn as it is; with the ends of its interval, NaN for none). band: changes that do not matter, in
    the numbers of the frame, shaded. Bars whose interval contains 0 are hatched. Raises UsageError for a frame that
    cannot be drawn.
    """
    check("tornado", frame, ["rule"], INTERVAL)
    full("tornado", frame, ["estimate"])
    one_row_each("tornado", frame, ["rule"])
    if band is not None:
        positive("tornado", "band", band)
    axes = start(ax)
    frame = frame.iloc[np.argsort(-np.abs(column(frame, "estimate")), kind="stable")]
    estimates, low, high = (column(frame, name) for name in INTERVAL)
    low, high = (np.where(np.isnan(end), estimates, end) for end in (low, high))
    scale = 1.0 if unit is None else 0.01
    if band is not None:
        axes.axvspan(-band, band, color=PALE, linewidth=0, zorder=0)
    is_open = (low < high) & (low <= 0) & (high >= 0)
    for row, (value, left, right) in enumerate(zip(estimates, low, high, strict=True)):
        _draw_bar(axes, row, value, is_open[row])
        if left < right:
            axes.plot([left, right], [row, row], color=INK, linewidth=1.3, marker="|", markersize=6, zorder=4)
    axes.axvline(0, color=INK, linewidth=1, zorder=3)
    axes.set_ylim(len(frame) - 0.4, -0.6)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    lines = _name_rules(axes, texts(frame, "rule"))
    decimals = [digits(a * scale, b * scale) for a, b in zip(low, high, strict=True)]
    values = [words.points(value * scale, places) for value, places in zip(estimates, decimals, strict=True)]
    _label_bars(axes, estimates, low, high, values, band or 0.0)
    axes.xaxis.set_major_locator(Ticks(most=6))
    axes.xaxis.set_major_formatter(Numbers(lambda value, places: words.points(value * scale, places), 100 * scale))
    name_axes(axes, unit or words.change, "")
    notes = [words.tornado_key] if is_open.any() else []
    return finish(axes, title, footer, notes, inner=(ROW if lines == 1 else TALL_ROW) * len(frame))


def _draw_bar(axes: Axes, row: int, value: float, is_open: bool) -> None:
    colour = BLUE if value >= 0 else VERMILLION
    style: dict[str, Any] = {"color": "white", "edgecolor": colour, "hatch": "////"} if is_open else {"color": colour}
    axes.barh(row, value, 0.62, linewidth=1, zorder=2, **style)


def _name_rules(axes: Axes, rules: list[str]) -> int:
    """Writes the rules at the left end of the axes, in two lines at most; how many lines the longest has."""
    room = NAMES * own_width(axes)
    names = [wrap(rule, room, most=2) for rule in rules]
    for row, lines in enumerate(names):
        for number, line in enumerate(lines):
            down = (number - (len(lines) - 1) / 2) * height()
            at = (0, row)
            label(axes, line, at, (-6, -down), xycoords=("axes fraction", "data"), ha="right")
    return max(map(len, names))


def _label_bars(
    axes: Axes, values: np.ndarray, low: np.ndarray, high: np.ndarray, written: list[str], band: float
) -> None:
    """Numbers beyond the whiskers, and an axis wide enough for them."""
    ends = np.where(values >= 0, np.maximum(high, 0), np.minimum(low, 0))
    for row, (value, end, text) in enumerate(zip(values, ends, written, strict=True)):
        way = 1 if value >= 0 else -1
        label(axes, text, (end, row), (6 * way, 0), ha="left" if way > 0 else "right")
    lengths = np.array([width(text) + 14 for text in written])

    def step() -> None:
        start_, stop, *_ = extent(axes)
        left, right = min(low.min(), -band, 0.0), max(high.max(), band, 0.0)
        span = (right - left) or 1.0
        axes.set_xlim(left - 0.03 * span, right + 0.03 * span)
        for _ in range(6):
            scale = np.ptp(axes.get_xlim()) / max(stop - start_, 20)
            away = lengths * scale * np.where(values >= 0, 1, -1)
            axes.set_xlim(min(left - 0.03 * span, (ends + away).min()), max(right + 0.03 * span, (ends + away).max()))

    arranged(axes, step)
