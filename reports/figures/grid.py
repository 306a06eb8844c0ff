"""Figures that are grids of numbers: the first player's advantage by variant, and who beats whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from reports.figures.frames import INTERVAL, check, column, digits, one_row_each, positive, texts
from reports.figures.sheet import MARGIN, Plot, Sheet, finish, own_width, start
from reports.figures.style import GREY, INCH, INK, VERMILLION, as_ink, ink_on, label, no_frame
from reports.figures.text import SMALL, height, shorten, widest, wrap
from reports.figures.words import ENGLISH, Words

if TYPE_CHECKING:
    import pandas as pd

LIMIT = 0.1  # the difference of the darkest colour, unless told otherwise
COLOURS = "PuOr_r"
HATCH = "////"
MANY_ROWS = 12  # more than these have one line each
NAMES = 0.4  # of the width of the figure, at most, for the names of rows
SHORTEST_NAMES = 130.0  # points that long names may take where columns are many
NARROWEST_CELL, WIDEST_CELL = 42.0, 84.0  # points
ASIDE = 6.0  # points from a grid to its names


@dataclass(frozen=True)
class Cell:
    """A number in a grid; lines: how it is written, more than one when cells are narrow."""

    row: int
    column: int
    value: float
    lines: Sequence[str]
    hatched: bool
    outlined: bool = False


@dataclass(frozen=True)
class Grid:
    """Rows and columns with their names in lines, the height of a row in points, and the limit of the colours."""

    rows: Sequence[Sequence[str]]
    columns: Sequence[Sequence[str]]
    height: float
    limit: float


def advantage_map(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    band: float = 0.01,
    limit: float = LIMIT,
    title: str = "",
    footer: str = "",
    words: Words = ENGLISH,
) -> Axes:
    """How much more than fair the first player wins, by variant (rows) and number of players (columns).

    frame: variant (text), players (count), estimate, low, high (the first player's share of wins minus the fair share,
    -1 to 1, with the ends of its interval). band: shares around fair that do not matter. limit: the difference with the
    darkest colour. Cells whose interval contains 0 are hatched, those surely outside of the band outlined; a cell that
    is missing, or has no estimate, has a dash. Raises UsageError for a frame that cannot be drawn.
    """
    check("advantage_map", frame, ["variant"], ["players", *INTERVAL])
    one_row_each("advantage_map", frame, ["variant", "players"])
    positive("advantage_map", "band", band)
    positive("advantage_map", "limit", limit)
    axes = start(ax)
    if isinstance(axes, Plot):
        axes.least = (
            min(SHORTEST_NAMES, widest(texts(frame, "variant")))
            + 3 * ASIDE
            + frame["players"].nunique() * NARROWEST_CELL
        )
    variants, counts = list(dict.fromkeys(texts(frame, "variant"))), sorted(set(column(frame, "players")))
    grid = Grid(
        _names(axes, variants),
        [[words.count(players)] for players in counts],
        15.5 if len(variants) > MANY_ROWS else 22.0,
        limit,
    )
    cells = []
    numbers = (column(frame, name) for name in ("players", *INTERVAL))
    for variant, players, value, low, high in zip(texts(frame, "variant"), *numbers, strict=True):
        place = (variants.index(variant), counts.index(players))
        outside = bool(low > band or high < -band)
        cells.append(Cell(*place, value, [words.points(value, digits(low, high))], bool(low <= 0 <= high), outside))
    draw(axes, grid, cells)
    label(axes, words.players, (0, 0), (-ASIDE, 4), ha="right", va="bottom", color=GREY)
    key = words.map_key.format(band=words.band(band))
    return finish(axes, title, footer, [key], inner=grid.height * len(variants))


def payoff_matrix(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    limit: float = LIMIT,
    title: str = "",
    footer: str = "",
    words: Words = ENGLISH,
) -> Axes:
    """How much more than fair one player of the row's strategy wins among copies of the column's.

    frame: focal, field (texts), estimate, low, high (the focal one's share of wins minus the fair share, -1 to 1, with
    the ends of its interval), dominated (bool: the focal one is surely worse than another one in every field). Rows
    stand in the order of the frame, and columns in that of the rows. Every cell has its number ± half its interval, in
    points; it is hatched when the interval contains 0. Dominated rows have a cross and the word. limit: the difference
    with the darkest colour. Raises UsageError for a frame that cannot be drawn.
    """
    check("payoff_matrix", frame, ["focal", "field", "dominated"], INTERVAL)
    one_row_each("payoff_matrix", frame, ["focal", "field"])
    positive("payoff_matrix", "limit", limit)
    axes = start(ax)
    rows, fields = (list(dict.fromkeys(texts(frame, name))) for name in ("focal", "field"))
    columns = sorted(fields, key=lambda name: rows.index(name) if name in rows else len(rows))
    names, room = _names_and_room(axes, rows, len(columns), words)
    heads, names = _heads(columns, rows, names, min(room, WIDEST_CELL) - 6)
    cells, dominated = [], set()
    for focal, field, surely, *interval in zip(
        *(texts(frame, name) for name in ("focal", "field")),
        frame["dominated"],
        *(column(frame, name) for name in INTERVAL),
        strict=True,
    ):
        value, low, high = interval
        lines = _with_half(value, low, high, words, room)
        cells.append(Cell(rows.index(focal), columns.index(field), value, lines, bool(low <= 0 <= high)))
        dominated |= {rows.index(focal)} if surely else set()
    tallest = max(len(cell.lines) for cell in cells)
    grid = Grid(names, heads, max(24.0 if tallest == 1 else 32.0, height(max(map(len, names))) + 4), limit)
    draw(axes, grid, cells)
    for row in sorted(dominated):
        text = f"× {words.dominated}"
        label(axes, text, (len(columns), row + 0.5), (ASIDE, 0), ha="left", color=as_ink(VERMILLION))
    return finish(axes, title, footer, [words.matrix_key], inner=grid.height * len(rows))


def _names_and_room(axes: Axes, rows: Sequence[str], columns: int, words: Words) -> tuple[list[list[str]], float]:
    """The names of rows, and the points that are left for a cell; a sheet that is too narrow for them is widened."""
    beside = widest([f"× {words.dominated}"]) + 2 * MARGIN + 3 * ASIDE
    short = min(SHORTEST_NAMES, widest(rows) + 1)
    missing = beside + short + columns * NARROWEST_CELL - own_width(axes)
    if missing > 0 and isinstance(axes.figure, Sheet) and len(axes.figure.plots) == 1:
        axes.figure.set_size_inches((own_width(axes) + missing) / INCH, axes.figure.get_figheight())
    if isinstance(axes, Plot):
        axes.least = beside + short + columns * NARROWEST_CELL
    left = own_width(axes) - beside - columns * NARROWEST_CELL
    names = _names(axes, rows, max(left, short))
    return names, (own_width(axes) - beside - widest([line for name in names for line in name])) / columns


def _names(axes: Axes, names: Sequence[str], most: float = inf) -> list[list[str]]:
    """The names of rows, no wider than `most`: in two lines at most, or one when there are many rows."""
    room = min(NAMES * own_width(axes), most)
    if len(names) > MANY_ROWS:
        return [[shorten(name, room)] for name in names]
    return [wrap(name, room if widest([name]) <= room else room * 0.8, most=2) for name in names]


def _heads(
    columns: Sequence[str], rows: Sequence[str], names: list[list[str]], room: float
) -> tuple[list[list[str]], list[list[str]]]:
    """The names of columns and rows; letters for columns when their names are too long to stand there."""
    heads = [wrap(name, room) for name in columns]
    if max(map(len, heads)) <= 3 or not set(columns) <= set(rows) or len(columns) > 26:
        return [wrap(name, room, most=3) for name in columns], names
    letters = {name: chr(ord("A") + number) for number, name in enumerate(columns)}
    marked = [
        [*lines[:-1], f"{lines[-1]}  {letters[name]}"] if name in letters else lines
        for name, lines in zip(rows, names, strict=True)
    ]
    return [[letters[name]] for name in columns], marked


def _with_half(value: float, low: float, high: float, words: Words, room: float) -> list[str]:
    """A number and half its interval, in one line when there is room; the number alone without an interval."""
    decimals = digits(low, high)
    if np.isnan(low) or np.isnan(high):
        return [words.points(value, decimals)]
    half = f"±\u00a0{words.points((high - low) / 2, decimals).lstrip('+')}"
    line = f"{words.points(value, decimals)} {half}"
    return [line] if widest([line]) + 8 <= min(room, WIDEST_CELL) else line.split(" ")


def draw(axes: Axes, grid: Grid, cells: Sequence[Cell]) -> None:
    """Draws the cells, a dash where there is none, and the names of rows and columns."""
    no_frame(axes)
    axes.set_xlim(0, len(grid.columns))
    axes.set_ylim(len(grid.rows), 0)
    if isinstance(axes, Plot):
        axes.most = (WIDEST_CELL * len(grid.columns), grid.height * len(grid.rows))
        axes.lift = height(max(map(len, grid.columns))) + 6
    shades, norm = colormaps[COLOURS], Normalize(-grid.limit, grid.limit, clip=True)
    shown = [cell for cell in cells if not np.isnan(cell.value)]
    for cell in shown:
        red, green, blue, _ = shades(float(norm(cell.value)))
        _draw_cell(axes, cell, (red, green, blue))
    there = {(cell.row, cell.column) for cell in shown}
    for row in range(len(grid.rows)):
        for place in range(len(grid.columns)):
            if (row, place) not in there:
                label(axes, "–", (place + 0.5, row + 0.5), color=GREY).set_in_layout(False)
    for row, lines in enumerate(grid.rows):
        _lines(axes, lines, (0, row + 0.5), -ASIDE, "right", middle=True)
    for place, lines in enumerate(grid.columns):
        _lines(axes, lines, (place + 0.5, 0), 0, "center", middle=False)


def _draw_cell(axes: Axes, cell: Cell, colour: tuple[float, float, float]) -> None:
    corner = (cell.column, cell.row)
    edge: dict[str, Any] = {"edgecolor": "white", "linewidth": 1.5}
    hatch: dict[str, Any] = {"hatch": HATCH, "edgecolor": "#B4B4B4", "linewidth": 0.0}
    patches = [Rectangle(corner, 1, 1, facecolor=colour, **(hatch if cell.hatched else edge))]
    if cell.hatched:
        patches.append(Rectangle(corner, 1, 1, fill=False, **edge))
    if cell.outlined:
        inset = (cell.column + 0.03, cell.row + 0.06)
        patches.append(Rectangle(inset, 0.94, 0.88, fill=False, edgecolor=INK, linewidth=1.2, gid="outline"))
    for patch in patches:
        patch.set_in_layout(False)
        axes.add_artist(patch)
    behind = {"boxstyle": "square,pad=0.15", "facecolor": colour, "edgecolor": "none"} if cell.hatched else None
    for number, line in enumerate(cell.lines):
        down = (number - (len(cell.lines) - 1) / 2) * height()
        place = (cell.column + 0.5, cell.row + 0.5)
        label(axes, line, place, (0, -down), color=ink_on(colour), bbox=behind).set_in_layout(False)


def _lines(axes: Axes, lines: Sequence[str], at: tuple[float, float], x: float, ha: str, middle: bool) -> None:
    """A name in lines around its place, or standing on it; each line by itself, so that a page can align it."""
    for number, line in enumerate(lines):
        below = number - (len(lines) - 1) / 2 if middle else number - (len(lines) - 1)
        shift = (x, -below * height() + (0 if middle else 4))
        label(axes, line, at, shift, ha=ha, va="center" if middle else "bottom", fontsize=SMALL)
