"""What figures are drawn on: sheets that make room for every text, and axes with nothing on them that says nothing."""

from collections.abc import Callable, Sequence
from math import nan
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import LayoutEngine
from matplotlib.text import Text

from reports.figures.files import as_svg
from reports.figures.style import GREY, INCH, INK, bare, extent, figure_width, label
from reports.figures.text import LARGE, SMALL, height, wrap

WIDE, HIGH = 7.0, 3.5  # inches, the real size of a figure
MARGIN = 7.0  # points, around all
GAP = 14.0  # points, between the axes of a sheet
ROUNDS = 5  # of making room, at most; texts move little after the first
PLACE = (0.1, 0.2, 0.7, 0.6)  # of axes before they are placed
STILL = 0.001  # parts of the sheet that nobody sees move


class Plot(Axes):
    """Axes on a sheet; `arrange` has what places its labels once its size is known."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.arrange: list[Callable[[], None]] = []
        self.heading = ""
        self.is_first = True  # in its row
        self.lift = 0.0  # points between the axes and the heading, which other texts need
        self.least = 0.0  # points that it needs from left to right, with its names
        self.weight = 1.0  # of its width among those in its row
        self.limits = self.widened = (nan, nan)  # of its upright axis, before and after room is made for labels
        self.most = (np.inf, np.inf)  # the largest width and height, in points
        super().__init__(*args, **kwargs)

    def _repr_svg_(self) -> str:
        """The whole sheet, as a notebook shows it."""
        return as_svg(self.figure)  # type: ignore[arg-type]


class Sheet(Figure):
    """A figure with one title above and notes below its axes, which stand in rows; it shows itself in a notebook."""

    def __init__(self, rows: int = 1, columns: int = 1, many: int = 1, wide: float = WIDE, high: float = HIGH):
        super().__init__(figsize=(wide, high), dpi=100, facecolor="white", edgecolor="white", layout=Fit())
        FigureCanvasAgg(self)
        self.has_headings = False  # each of its axes one of its own, rather than one title for all
        self.headline, self.footer = "", ""
        self.notes: list[str] = []
        self.rows = rows
        self.columns = columns
        self.plots: list[Plot] = []
        for one in range(many):
            plot = self.add_axes(PLACE, label=str(one), axes_class=Plot)
            assert isinstance(plot, Plot)
            plot.is_first = one % columns == 0
            self.plots.append(plot)
        self.above = self.text(0, 1, "", va="top", fontsize=LARGE, fontweight="bold", color=INK, parse_math=False)
        self.below = self.text(0, 0, "", va="bottom", fontsize=SMALL, color=GREY, parse_math=False)

    def _repr_svg_(self) -> str:
        """The sheet as a notebook shows it."""
        return as_svg(self)

    def write(self) -> tuple[float, float]:
        """Puts the title, the notes and the footer where they belong; the points that they take above and below."""
        wide, high = (INCH * inches for inches in self.get_size_inches())
        room = wide - 2 * MARGIN
        title = wrap(self.headline, room, LARGE, bold=True) if self.headline else []
        lines = [line for note in self.notes for line in wrap(note, room)]
        lines += wrap(self.footer, room) if self.footer else []
        for text, shown, y in ((self.above, title, 1 - MARGIN / high), (self.below, lines, MARGIN / high)):
            text.set_text("\n".join(shown))
            text.set_position((MARGIN / wide, y))
        above = MARGIN + (height(len(title), LARGE) + 8 if title else 0)
        below = MARGIN + (height(len(lines)) + 8 if lines else 0)
        return above, below


class Fit(LayoutEngine):
    """Gives the axes of a sheet all the room that the texts leave, and has their labels placed."""

    _adjust_compatible = False
    _colorbar_gridspec = False

    def execute(self, fig: Figure) -> None:
        """Places everything; called whenever the sheet is drawn."""
        if not isinstance(fig, Sheet):
            return
        above, below = fig.write()
        _begin(fig.plots)
        places = np.full((len(fig.plots), 4), nan)
        for _ in range(ROUNDS):
            before, places = places, np.array(_places(fig, above, below))
            for plot, (x, y, wide, high) in zip(fig.plots, places.tolist(), strict=True):
                plot.set_position((x, y, wide, high))
                _arrange(plot)
            if np.abs(places - before).max() < STILL:
                break
        for plot in fig.plots:
            plot.widened = plot.get_ylim()


def _begin(plots: Sequence[Plot]) -> None:
    """Puts all where it was before it was arranged, so that a sheet drawn twice looks the same."""
    for plot in plots:
        if plot.get_ylim() == plot.widened:
            plot.set_ylim(plot.limits)
        plot.limits = plot.get_ylim()
    for plot in plots:
        plot.set_position(PLACE)
        _arrange(plot)


def _arrange(plot: Plot) -> None:
    if plot.heading:
        room = plot.get_position().width * figure_width(plot)
        text = "\n".join(wrap(plot.heading, max(room, 60), SMALL + 1, bold=True))
        plot.set_title(text, loc="left", pad=6 + plot.lift, fontsize=SMALL + 1, fontweight="bold", color=INK)
    for step in plot.arrange:
        step()
    _no_formulas([*plot.get_xticklabels(), *plot.get_yticklabels(), plot.xaxis.label, *plot.texts])


def _overhang(plot: Plot) -> np.ndarray:
    """Points that its texts need on the left, the right, above and below the axes."""
    dots = plot.figure.dpi
    inner, outer = plot.get_window_extent(), plot.get_tightbbox(RendererAgg(1, 1, dots))
    if outer is None:
        return np.zeros(4)
    beyond = np.array([inner.x0 - outer.x0, outer.x1 - inner.x1, outer.y1 - inner.y1, inner.y0 - outer.y0])
    return np.maximum([0.0, 0.0, plot.lift, 0.0], beyond * INCH / dots)


def _places(sheet: Sheet, above: float, below: float) -> list[tuple[float, float, float, float]]:
    """Left, bottom, width, height of all axes, as parts of the sheet."""
    wide, high = (INCH * inches for inches in sheet.get_size_inches())
    need = np.zeros((sheet.rows, sheet.columns, 4))
    weight = np.zeros(sheet.columns)
    for number, plot in enumerate(sheet.plots):
        row, column = divmod(number, sheet.columns)
        need[row, column] = _overhang(plot)
        weight[column] = max(weight[column], plot.weight)
    left, right = need[:, :, 0].max(axis=0), need[:, :, 1].max(axis=0)
    top, bottom = need[:, :, 2].max(axis=1), need[:, :, 3].max(axis=1)
    across = wide - 2 * MARGIN - left.sum() - right.sum() - GAP * (sheet.columns - 1)
    upright = high - above - below - top.sum() - bottom.sum() - GAP * (sheet.rows - 1)
    widths = np.maximum(across, 20.0 * sheet.columns) * weight / weight.sum()
    tall = max(upright / sheet.rows, 20.0)
    places = []
    for number, plot in enumerate(sheet.plots):
        row, column = divmod(number, sheet.columns)
        x = MARGIN + left[: column + 1].sum() + right[:column].sum() + widths[:column].sum() + GAP * column
        y = high - above - top[: row + 1].sum() - bottom[:row].sum() - tall * row - GAP * row
        own_width, own_height = min(widths[column], plot.most[0]), min(tall, plot.most[1])
        places.append((x / wide, (y - own_height) / high, own_width / wide, own_height / high))
    return places


def own_width(axes: Axes) -> float:
    """The points that the axes and their texts have from left to right: the figure's, or their part of a row."""
    columns = axes.figure.columns if isinstance(axes.figure, Sheet) else 1
    return figure_width(axes) / columns


def start(ax: Axes | None) -> Axes:
    """The axes to draw in, bare; new ones on a sheet of their own when none are given."""
    axes = Sheet().plots[0] if ax is None else ax
    bare(axes)
    return axes


def name_axes(axes: Axes, x: str, y: str) -> None:
    """Names the horizontal axis below it, and the upright one above its upper end."""
    axes.set_xlabel(x, fontsize=SMALL, color=INK, labelpad=4)
    axes.set_ylabel("")
    if y:
        text = label(axes, y, (0, 1), (0, 7), ha="left", va="bottom", xycoords="axes fraction", color=GREY)
        if isinstance(axes, Plot):  # a name longer than its axes takes no room from others: it is said once in a row
            text.set_in_layout(False)
            text.set_visible(axes.is_first)
            axes.lift = 18.0


def arranged(axes: Axes, step: Callable[[], None]) -> None:
    """Has labels placed whenever the sheet is drawn; on axes of somebody else's figure, now."""
    if isinstance(axes, Plot):
        axes.arrange.append(step)
    else:
        step()


def finish(axes: Axes, title: str, footer: str, notes: Sequence[str] = (), inner: float | None = None) -> Axes:
    """Adds the title, the notes and the footer; inner: points that the axes are to be high, the sheet follows."""
    sheet = axes.figure
    if not isinstance(axes, Plot) or not isinstance(sheet, Sheet):
        return _finish_elsewhere(axes, title, [*notes, footer])
    sheet.notes += [note for note in notes if note and note not in sheet.notes]
    if inner is not None:
        axes.most = (axes.most[0], inner)
    if sheet.has_headings:
        axes.heading = title
        return axes
    sheet.headline, sheet.footer = title, footer
    if inner is not None:
        fit(sheet, inner)
    return axes


def fit(sheet: Sheet, inner: float) -> None:
    """Makes the sheet as high as its texts and rows of axes of this height in points need."""
    above, below = sheet.write()
    _begin(sheet.plots)
    over = np.zeros((sheet.rows, 2))
    for number, plot in enumerate(sheet.plots):
        row = number // sheet.columns
        over[row] = np.maximum(over[row], _overhang(plot)[2:])
    needed = above + below + over.sum() + sheet.rows * inner + GAP * (sheet.rows - 1)
    sheet.set_size_inches(sheet.get_size_inches()[0], needed / INCH)


def _finish_elsewhere(axes: Axes, title: str, notes: Sequence[str]) -> Axes:
    left, right, bottom, _ = extent(axes)
    room = max(right - left, 60)
    axes.set_title(
        "\n".join(wrap(title, room, LARGE, bold=True)) if title else "",
        loc="left",
        pad=22,
        fontsize=LARGE,
        fontweight="bold",
        color=INK,
    )
    lines = "\n".join(line for note in notes if note for line in wrap(note, room))
    outer = axes.get_tightbbox(RendererAgg(1, 1, axes.figure.dpi))
    if lines and outer is not None:
        drop = bottom - outer.y0 * INCH / axes.figure.dpi + 6
        label(axes, lines, (0, 0), (0, -drop), xycoords="axes fraction", ha="left", va="top", color=GREY)
    _no_formulas(axes.findobj(Text))
    return axes


def _no_formulas(texts: Sequence[Any]) -> None:
    """Has dollar signs drawn as they are."""
    for text in texts:
        text.set_parse_math(False)
