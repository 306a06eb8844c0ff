"""Frames that figures are drawn from: what must be in them, and the sentence that refuses them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from simcore.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

INTERVAL = ("estimate", "low", "high")


def check(figure: str, frame: "pd.DataFrame", texts: Iterable[str] = (), numbers: Iterable[str] = ()) -> None:
    """Raises UsageError when the frame is empty, lacks one of these columns, or has text in one of numbers."""
    numbers = list(numbers)
    for column in (*texts, *numbers):
        if column not in frame.columns:
            there = ", ".join(map(str, frame.columns)) or "none at all"
            raise UsageError(f'{figure}: the frame has no column "{column}"; its columns are: {there}')
    if frame.empty:
        raise UsageError(f"{figure}: the frame has no rows, so there is nothing to draw")
    for column in numbers:
        if frame[column].dtype.kind not in "iufb" or np.isinf(frame[column].astype(float)).any():
            raise UsageError(f'{figure}: column "{column}" must have finite numbers only')


def full(figure: str, frame: "pd.DataFrame", columns: Iterable[str]) -> None:
    """Raises UsageError when one of these columns has a row without a number."""
    for column in columns:
        if frame[column].isna().any():
            raise UsageError(f'{figure}: column "{column}" has a row without a number')


def one_row_each(figure: str, frame: "pd.DataFrame", columns: list[str]) -> None:
    """Raises UsageError when two rows are about the same thing."""
    twice = frame[frame.duplicated(columns)]
    if len(twice):
        which = ", ".join(f"{column} {twice[column].iloc[0]}" for column in columns)
        raise UsageError(f"{figure}: {which} has several rows; give one row for each {' and '.join(columns)}")


def positive(figure: str, name: str, value: float) -> None:
    """Raises UsageError when a band, limit or width is not above 0."""
    if not value > 0:
        raise UsageError(f"{figure}: {name} = {value:g}: give a number above 0")


def digits(low: float, high: float) -> int:
    """Decimals of a percentage that its interval allows: 1, or 2 when it is narrower than a tenth of a point."""
    return 2 if 0 < high - low < 0.001 else 1


def column(frame: "pd.DataFrame", name: str) -> np.ndarray:
    """A column of numbers as float64; NaN where there is none."""
    return frame[name].to_numpy(dtype=float, na_value=np.nan)


def texts(frame: "pd.DataFrame", name: str) -> list[str]:
    """A column of texts."""
    return [str(value) for value in frame[name]]
