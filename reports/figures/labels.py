"""Labels that stand beside what they name: at the ends of lines, on top of lines, and beside dots."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation

from reports.figures.sheet import Sheet, arranged, own_width
from reports.figures.style import INK, LINE, as_ink, extent, label, points
from reports.figures.text import SMALL, height, spread, widest, width, wrap

LEADER = 12.0  # points from the end of a line to its label
ASIDE = 7.0  # points from a dot to its label
NEAR = 2.5  # points between a label and what it must not touch


NARROW = 3  # figures in a row leave less room than two


@dataclass(frozen=True)
class End:
    """A label for the end of a line at (x, y); with a leader when the line has a colour of its own."""

    text: str
    x: float
    y: float
    colour: str = ""


def room_for_ends(axes: Axes) -> float:
    """Points that labels on the right of these axes may be wide."""
    return 0.26 * own_width(axes)


def _in_room(axes: Axes, text: str) -> list[str]:
    """The lines of a label: where there is little room the first one only, in more lines."""
    if not isinstance(axes.figure, Sheet) or axes.figure.columns < NARROW:
        return [line for part in text.split("\n") for line in wrap(part, room_for_ends(axes))]
    words = text.split("\n")[0].replace("\u00a0%", "\u202f%").replace("\u00a0", " ")
    return wrap(words, max(room_for_ends(axes), widest(words.split(" "))))


def at_the_ends(axes: Axes, ends: Sequence[End]) -> None:
    """Labels lines at their right ends, none over another."""
    found: list[Annotation] = []
    lines = [_in_room(axes, end.text) for end in ends]
    for end, texts in zip(ends, lines, strict=True):
        style: dict[str, Any] = {"color": as_ink(end.colour) if end.colour else INK, "ha": "left"}
        if end.colour:
            style["arrowprops"] = {"arrowstyle": "-", "color": end.colour, "lw": 0.8, "shrinkA": 1, "shrinkB": 5}
            style["arrowprops"]["relpos"] = (0, 0.5)
        text = label(axes, "\n".join(texts), (end.x, end.y), (LEADER if end.colour else 5, 0), **style)
        found.append(text)

    def step() -> None:
        wanted = points(axes, [end.x for end in ends], [end.y for end in ends])[:, 1]
        _, right, low, high = extent(axes)
        sizes = [height(len(texts)) + 1 for texts in lines]
        placed = spread(wanted, sizes, low - 4, high + 4)
        for text, end, at, middle in zip(found, ends, wanted, placed, strict=True):
            x = right - points(axes, end.x, end.y)[0, 0] + (LEADER if end.colour else 5)
            text.set_position((x, middle - at))

    arranged(axes, step)


def on_top(axes: Axes, texts: Sequence[str], xs: Sequence[float], y: float) -> None:
    """Labels upright lines at their upper ends at height y, none over another and none outside of the axes."""
    style = {"arrowstyle": "-", "color": LINE, "lw": 0.8, "shrinkA": 0, "shrinkB": 0, "relpos": (0.5, 0)}
    found = [
        label(axes, text, (x, y), (0, 6), va="bottom", arrowprops=style) for text, x in zip(texts, xs, strict=True)
    ]

    def step() -> None:
        wanted = points(axes, xs, y)[:, 0]
        left, right, _, _ = extent(axes)
        sizes = [width(text) + 8 for text in texts]
        for text, at, middle in zip(found, wanted, spread(wanted, sizes, left, right), strict=True):
            text.set_position((middle - at, 6))

    arranged(axes, step)


@dataclass(frozen=True)
class Dots:
    """Dots with upright intervals at x, the labels that name them, and a level line that labels must not touch."""

    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray
    texts: Sequence[str]
    line: float


def beside_dots(axes: Axes, dots: Dots) -> None:
    """Labels every dot on its right; where there is no room for that, beyond its interval, away from the line."""
    found = [label(axes, text, (x, y)) for text, x, y in zip(dots.texts, dots.x, dots.y, strict=True)]

    def step() -> None:
        for _ in range(4):
            places, texts = _beside(axes, dots), list(dots.texts)
            if places is None:
                texts = _short(axes, dots)
                places = _beyond(axes, dots, texts)
            for text, (by, ha), written in zip(found, places, texts, strict=True):
                text.set_text(written)
                text.set_position(by)
                text.set_horizontalalignment(ha)
            if not _make_room(axes, dots, [by[1] for by, _ in places]):
                return

    arranged(axes, step)


Places = list[tuple[tuple[float, float], Literal["left", "center"]]]


def _beside(axes: Axes, dots: Dots) -> Places | None:
    """Offsets on the right of the dots; None when a label would reach the next dot."""
    at, line = points(axes, dots.x, dots.y), points(axes, dots.x[0], dots.line)[0, 1]
    right = extent(axes)[1]
    ends = [*at[1:, 0], right + ASIDE]
    half = height() / 2
    places: Places = []
    for (x, y), text, end in zip(at, dots.texts, ends, strict=True):
        if x + ASIDE + width(text) > end - ASIDE:
            return None
        if abs(y - line) < half + NEAR:
            y_free = line + (half + NEAR) * (1 if y >= line else -1)
            places.append(((ASIDE, y_free - y), "left"))
        else:
            places.append(((ASIDE, 0.0), "left"))
    return places


def _short(axes: Axes, dots: Dots) -> list[str]:
    """The labels, without % when they are wider than the dots are apart: the axis says it too."""
    apart = np.diff(points(axes, dots.x, dots.y)[:, 0]).min(initial=np.inf)
    return [text.rstrip("%\u00a0\u202f ") if widest(dots.texts) + 2 > apart else text for text in dots.texts]


def _beyond(axes: Axes, dots: Dots, texts: Sequence[str]) -> Places:
    """Offsets above the intervals of dots above the line, below those of the others, none over another."""
    at, line = points(axes, dots.x, dots.y), points(axes, dots.x[0], dots.line)[0, 1]
    tops, bottoms = points(axes, dots.x, dots.high)[:, 1], points(axes, dots.x, dots.low)[:, 1]
    half = height() / 2
    boxes: list[tuple[float, float, float]] = []
    places: Places = []
    left, right, _, _ = extent(axes)
    for number, ((dot, y), text) in enumerate(zip(at, texts, strict=True)):
        way = 1 if y >= line else -1
        middle = max(tops[number], line) if way > 0 else min(bottoms[number], line)
        middle += way * (half + NEAR + 2)
        reach = width(text) / 2 + 1
        x = max(min(dot, right - reach), left + reach + 1)
        others = [(tops[one], bottoms[one]) for one in range(len(at)) if one != number and abs(at[one, 0] - x) < reach]
        boxes_near = [box for box in boxes if abs(box[0] - x) < box[2] + reach]
        while any(abs(box[1] - middle) < 2 * half for box in boxes_near) or any(
            bottom - half - NEAR < middle < top + half + NEAR for top, bottom in others
        ):
            middle += way
        boxes.append((x, middle, reach))
        places.append(((x - dot, middle - y), "center"))
    return places


def _make_room(axes: Axes, dots: Dots, offsets: Sequence[float]) -> bool:
    """Widens the upright axis so that labels at these offsets are inside; whether that was needed."""
    middles = points(axes, dots.x, dots.y)[:, 1] + offsets
    _, _, low, high = extent(axes)
    half = height() / 2 + 1
    above, below = max(0.0, middles.max() + half - high), max(0.0, low - middles.min() + half)
    if above + below < 0.5 or high - low < 4 * SMALL:
        return False
    bottom, top = axes.get_ylim()
    scale = (top - bottom) / max(high - low - above - below, 20)
    axes.set_ylim(bottom - below * scale, top + above * scale)
    return True
