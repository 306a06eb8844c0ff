"""Stored results as pandas frames: one row per cell, seat or strategy, and number."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from simcore.store import Stored, opened

if TYPE_CHECKING:
    import pandas as pd


class Results:
    """All cells of a results file; nothing is played and nothing is printed."""

    def __init__(self, cells: list[Stored], about: dict[str, Any]):
        self.cells, self.about = cells, about

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, label: str) -> Stored:
        """The cell with this label; KeyError when there is none."""
        found = [entry for entry in self.cells if entry.label == label]
        if not found:
            raise KeyError(label)
        return found[0]

    @property
    def finished(self) -> list[Stored]:
        """The cells that have been played."""
        return [entry for entry in self.cells if entry.result is not None]

    @cached_property
    def seats(self) -> "pd.DataFrame":
        """Win share and score by cell and seat, with n, estimate, low, high, method."""
        return self._frame("seats")

    @cached_property
    def strategies(self) -> "pd.DataFrame":
        """Win share and score by cell and strategy."""
        return self._frame("strategies")

    @cached_property
    def metrics(self) -> "pd.DataFrame":
        """The game's metrics by cell."""
        return self._frame("metrics")

    @cached_property
    def frame(self) -> "pd.DataFrame":
        """Everything in one long frame; `table` says which of the three a row is from."""
        import pandas as pd

        parts = [(name, getattr(self, name)) for name in ("seats", "strategies", "metrics")]
        frame: pd.DataFrame = pd.concat([part.assign(table=name) for name, part in parts], ignore_index=True)
        return frame.astype({"seat": "Int64"})

    def _frame(self, name: str) -> "pd.DataFrame":
        import pandas as pd

        columns = ["cell", *self._factors()]
        parts = [
            getattr(entry.result, name).rename(columns={"strategy": "plays"}).assign(**self._row(entry))
            for entry in self.finished
        ]
        if not parts:
            return pd.DataFrame(columns=columns)
        frame: pd.DataFrame = pd.concat(parts, ignore_index=True)
        frame = frame[[*columns, *(column for column in frame.columns if column not in columns)]]
        for factor in self._factors():  # one kind in a column: whole numbers, or else texts
            given = frame[factor].dropna()
            is_whole = all(isinstance(value, int) for value in given)
            frame[factor] = frame[factor].astype("Int64") if is_whole else given.map(str).reindex(frame.index)
        frame.attrs = {name: self.about[name] for name in ("title", "command", "versions")}
        return frame

    def _factors(self) -> list[str]:
        """What cells differ in, in the order of the file."""
        return list(dict.fromkeys(name for entry in self.cells for name in entry.factors))

    def _row(self, entry: Stored) -> dict[str, Any]:
        values = {name: entry.factors.get(name) for name in self._factors()}
        texts = {name: ",".join(map(str, v)) if isinstance(v, list) else v for name, v in values.items()}
        return {"cell": entry.label, **texts}


def load_results(path: str) -> Results:
    """The results of a sweep, as frames and as Result objects.

    Raises UsageError for a file that is missing, something else, or of another schema.
    """
    with opened(path) as store:
        names = ("title", "question", "command", "versions", "experiment")
        return Results(list(store.cells()), {name: store.meta(name) for name in names})
