"""The parts of a report beside its claims: tables and figures, still without words of a language."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reports.balance.claims import Claim

if TYPE_CHECKING:
    import pandas as pd

Cell = tuple[str, Any]  # how Language writes it, and what
Panel = tuple[int | str | None, dict[str, Any], "pd.DataFrame"]  # heading: players, or words; options; frame


@dataclass(frozen=True)
class Table:
    """A table: its section, a caption, the heads of its columns, and rows of cells; the first cell names the row."""

    section: str
    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Picture:
    """A figure to be drawn: its section and name, the kind of figure, and its panels.

    claims: their sentences are the caption and the text that is read out. options: what the figure takes beside frames.
    """

    section: str
    name: str
    kind: str
    panels: Sequence[Panel]
    claims: Sequence[Claim]
    options: dict[str, Any] = field(default_factory=dict)
    games: int = 0


@dataclass
class Findings:
    """All that a report says."""

    claims: list[Claim] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    notes: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)  # section, English text, what fills it

    def add(self, other: "Findings") -> None:
        """Takes over what another part has found."""
        self.claims += other.claims
        self.tables += other.tables
        self.pictures += other.pictures
        self.notes += other.notes
