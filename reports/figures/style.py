"""How figures look: colours that all can tell apart, axes with nothing superfluous, labels, and ticks."""

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.text import Annotation
from matplotlib.ticker import Formatter, MaxNLocator

from reports.figures.text import SMALL

INCH = 72.0  # points
BLUE, VERMILLION, GREEN, PURPLE, BLACK = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000"  # Okabe and Ito's
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, BLACK)
INK, GREY, LINE, PALE = "#1A1A1A", "#5A5A5A", "#8C8C8C", "#ECECEC"


def luminance(colour: str | tuple[float, float, float]) -> float:
    """Relative luminance, 0 (black) to 1 (white), as WCAG defines it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str | tuple[float, float, float], other: str | tuple[float, float, float]) -> float:
    """How far two colours are apart, 1 to 21; text needs 4.5."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: str | tuple[float, float, float]) -> str:
    """Black or white, whichever reads better on this colour."""
    return max(("#000000", "#FFFFFF"), key=lambda ink: contrast(ink, colour))


def as_ink(colour: str) -> str:
    """The colour, darkened until a text in it reads well on white."""
    parts = np.array(to_rgb(colour))
    while contrast((parts[0], parts[1], parts[2]), "#FFFFFF") < 4.6:
        parts *= 0.97
    return "#" + "".join(f"{round(255 * part):02X}" for part in parts)


def bare(axes: Axes) -> None:
    """Leaves on the axes the two spines that say something."""
    axes.set_facecolor("white")
    axes.grid(visible=False)
    axes.minorticks_off()
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(LINE)
        spine.set_linewidth(0.8)
    axes.tick_params(labelsize=SMALL, labelcolor=INK, color=LINE, width=0.8, length=3, pad=3)


def no_frame(axes: Axes) -> None:
    """Takes away spines and ticks."""
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([])


def label(axes: Axes, text: str, at: tuple[float, float], by: tuple[float, float] = (0, 0), **style: Any) -> Annotation:
    """A label `by` points from a place in the axes."""
    style = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "center", "linespacing": 1.15, **style}
    return axes.annotate(text, at, by, textcoords="offset points", annotation_clip=False, **style)


def points(axes: Axes, x: Any, y: Any) -> np.ndarray:
    """Where these data are, in points from the lower left corner of the figure; shape (many, 2)."""
    both = np.column_stack(np.broadcast_arrays(np.atleast_1d(x), np.atleast_1d(y))).astype(float)
    found: np.ndarray = axes.transData.transform(both) * INCH / axes.figure.dpi
    return found


def figure_width(axes: Axes) -> float:
    """The width of the figure that the axes are in, in points."""
    return float(axes.figure.bbox.width * INCH / axes.figure.dpi)


def extent(axes: Axes) -> np.ndarray:
    """Left, right, lower and upper end of the axes, in points from the lower left corner of the figure."""
    box = axes.get_window_extent()
    return np.array([box.x0, box.x1, box.y0, box.y1]) * INCH / axes.figure.dpi


class Numbers(Formatter):
    """Ticks written by a function of the value and its decimals, as many as their distance needs."""

    def __init__(self, write: Callable[[float, int], str], scale: float = 1.0):
        self.write, self.scale, self.digits = write, scale, 0

    def set_locs(self, locs: Any) -> None:
        """Learns how far the ticks are apart."""
        super().set_locs(locs)
        steps = np.diff(np.unique(np.asarray(locs, float))) * self.scale
        self.digits = 0
        while (
            self.digits < 4
            and len(steps)
            and abs(steps * 10**self.digits - np.round(steps * 10**self.digits)).max() > 1e-6
        ):
            self.digits += 1

    def __call__(self, x: float, pos: int | None = None) -> str:
        """The text of a tick."""
        return self.write(x, self.digits)


class Ticks(MaxNLocator):
    """At most six round ticks, none of them outside of what there can be."""

    def __init__(self, low: float = -np.inf, high: float = np.inf, most: int = 5, whole: bool = False):
        super().__init__(nbins=most, steps=[1, 2, 2.5, 5, 10], integer=whole, min_n_ticks=1 if whole else 2)
        self.low, self.high = low, high

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """The ticks between the ends of the axis."""
        found = np.asarray(super().tick_values(vmin, vmax))
        slack = 1e-9 * (vmax - vmin)
        inside = (found >= max(self.low, vmin) - slack) & (found <= min(self.high, vmax) + slack)
        return found[inside]
