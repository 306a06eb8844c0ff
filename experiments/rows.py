"""One row per game, written to a file while the games are played: CSV, or Parquet with the extra."""

import csv
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from simcore.cell import Cell
from simcore.contract import WHOLE
from simcore.engine import RowSink
from simcore.errors import UsageError


def columns(cell: Cell) -> list[str]:
    """The columns of a file of games."""
    seats = range(1, cell.players + 1)
    return [
        *("players", "game", "deal", "rotation"),
        *(f"share_{seat}" for seat in seats),
        *(f"{cell.game.score}_{seat}" for seat in seats),
        *cell.game.counted(cell.players),
    ]


def check_writable(path: str) -> None:
    """Refuses, before anything is played, a file that could not be written.

    Raises UsageError with the reason.
    """
    file = Path(path)
    if file.suffix not in (".csv", ".parquet"):
        raise UsageError(f"--out-games {path}: its name must end in .csv or .parquet")
    if file.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise UsageError(f'--out-games {path}: Parquet needs pyarrow; install "simcore[parquet]" or write a .csv')
    check_file("--out-games", path)


def check_file(option: str, path: str) -> None:
    """Refuses a file that could not be written.

    Raises UsageError with the reason.
    """
    file = Path(path)
    try:
        existed = file.exists()
        with file.open("ab"):
            pass
        if not existed:
            os.remove(file)
    except OSError as error:
        raise UsageError(f"{option} {path}: it cannot be written ({error.strerror or error})") from None


@contextmanager
def games_file(path: str | None, cell: Cell) -> Iterator[RowSink | None]:
    """A sink that writes each game's row to the file; nothing without a path."""
    if path is None:
        yield None
    elif path.endswith(".csv"):
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns(cell))
            yield lambda first, rows: writer.writerows(_rows(cell, first, rows))
    else:
        yield from _parquet(path, cell)


def _rows(cell: Cell, first: int, rows: np.ndarray) -> Iterator[list[Any]]:
    """Rows as lists: shares as fractions of a win, everything else as integers."""
    for place, numbers in enumerate(rows.tolist()):
        game = first + place
        shares = [share / WHOLE for share in numbers[: cell.players]]
        yield [cell.players, game, *divmod(game, cell.rotations), *shares, *numbers[cell.players :]]


def _parquet(path: str, cell: Cell) -> Iterator[RowSink]:
    import pyarrow
    import pyarrow.parquet

    names = columns(cell)
    kinds = [pyarrow.float64() if name.startswith("share_") else pyarrow.int64() for name in names]
    schema = pyarrow.schema(list(zip(names, kinds, strict=True)))
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:

        def write(first: int, rows: np.ndarray) -> None:
            values = zip(*_rows(cell, first, rows), strict=True)
            arrays = [pyarrow.array(column, kind) for column, kind in zip(values, kinds, strict=True)]
            writer.write_table(pyarrow.table(arrays, schema=schema))

        yield write
