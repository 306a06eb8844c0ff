"""Texts in figures: how wide they are, where they break, and how labels keep out of each other's way."""

import re
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

SMALL = 9.0  # points, the least
LARGE = 11.5
LEADING = 1.25  # height of a line, in sizes of the text
ELLIPSIS = "…"
PIXELS = 1.04  # how much wider letters are that are moved to whole pixels
BREAKS = (r"[^,:;/]*[,:;/]*", r"[^=_+-]*[=_+-]*")  # where a long word breaks, the better ones first

_MEASURE = TextToPath()


@lru_cache(4096)
def width(text: str, size: float = SMALL, bold: bool = False) -> float:
    """The width of one line of text on any screen, in points: small pixels make it a little wider than on paper."""
    font = FontProperties(size=size, weight="bold" if bold else "normal")
    return PIXELS * float(_MEASURE.get_text_width_height_descent(text, font, ismath=False)[0])


def widest(texts: Sequence[str], size: float = SMALL, bold: bool = False) -> float:
    """The width of the widest text, in points; 0 when there is none."""
    return max((width(text, size, bold) for text in texts), default=0.0)


def height(lines: int = 1, size: float = SMALL) -> float:
    """The height of this many lines, in points."""
    return lines * size * LEADING


def wrap(text: str, points: float, size: float = SMALL, bold: bool = False, most: int = 99) -> list[str]:
    """The text in lines no wider than `points`; what does not fit in `most` lines is cut, with an ellipsis."""
    lines: list[str] = []
    for part in _parts(text, points, size, bold):
        joined = lines[-1] + part if lines else part
        if lines and width(joined.rstrip(" "), size, bold) <= points:
            lines[-1] = joined
        else:
            lines.append(part)
    if len(lines) > most:
        lines[most - 1 :] = [shorten("".join(lines[most - 1 :]), points, size, bold)]
    return [line.strip(" ") for line in lines] or [""]


def _parts(text: str, points: float, size: float, bold: bool) -> list[str]:
    """Pieces that may stand on lines of their own: words; pieces of those too long, cut at signs, or anywhere."""
    parts = re.findall(r"[^ ]* *", text)
    for pattern in BREAKS:
        parts = [
            piece
            for part in parts
            for piece in ([part] if width(part.rstrip(" "), size, bold) <= points else re.findall(pattern, part))
        ]
    return [piece for part in parts for piece in _anywhere(part, points, size, bold) if piece]


def _anywhere(text: str, points: float, size: float, bold: bool) -> list[str]:
    """The text in pieces no wider than `points`, one letter at least."""
    pieces = []
    while len(text) > 1 and width(text.rstrip(" "), size, bold) > points:
        kept = next(n for n in range(len(text) - 1, 0, -1) if n == 1 or width(text[:n], size, bold) <= points)
        pieces.append(text[:kept])
        text = text[kept:]
    return [*pieces, text]


def shorten(text: str, points: float, size: float = SMALL, bold: bool = False) -> str:
    """The text, or its two ends around an ellipsis, no wider than `points`."""
    if width(text, size, bold) <= points:
        return text

    def cut(kept: int) -> str:
        return text[: kept - kept // 2].rstrip(" ") + ELLIPSIS + text[len(text) - kept // 2 :].lstrip(" ")

    fits = bisect(range(2, len(text)), points, key=lambda kept: width(cut(kept), size, bold))
    return cut(fits + 1) if fits else ELLIPSIS


def spread(wanted: Sequence[float] | np.ndarray, sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Middles of labels of these sizes, near to those wanted, in their order, none over another, within low and high.

    Labels that need more room than there is go beyond `low`.
    """
    order = sorted(range(len(wanted)), key=lambda one: wanted[one])
    if not order:
        return []
    size = np.array([sizes[one] for one in order], float)
    steps = np.concatenate([[0.0], np.cumsum((size[1:] + size[:-1]) / 2)])
    free = _rising(np.array([wanted[one] for one in order], float) - steps)
    free = np.minimum(np.maximum(free, low + size[0] / 2), high - size[-1] / 2 - steps[-1])
    placed = dict(zip(order, (float(place) for place in free + steps), strict=True))
    return [placed[one] for one in range(len(wanted))]


def _rising(values: np.ndarray) -> np.ndarray:
    """The nearest values that never fall: neighbours in the wrong order are pooled."""
    pools: list[tuple[float, int]] = []
    for value in values:
        pools.append((float(value), 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (left, many), (right, more) = pools[-2:]
            pools[-2:] = [((left * many + right * more) / (many + more), many + more)]
    return np.concatenate([np.full(many, mean) for mean, many in pools])
