"""What a baseline's file must look like, so that one that is complete nonsense is told from one that is merely old."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simcore.loop import BLOCKS

Share = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]


class Strict(BaseModel):
    """No other keys, no other types."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ToldForm(Strict):
    """A game of which all is kept."""

    actions: list[int]
    scores: list[int]
    shares: list[int]


class CellForm(Strict):
    """A cell of the file."""

    label: str
    players: Count
    line_up: Annotated[list[str], Field(min_length=1)]
    rotate: bool
    rules: dict[str, Any]
    rules_sha256: str
    games: Count
    deals: Count
    columns: list[str]
    blocks: Annotated[list[list[int | str]], Field(min_length=BLOCKS, max_length=BLOCKS)]
    early: list[str]
    told: list[ToldForm]
    ranges: Annotated[list[list[int | str]], Field(min_length=1)]

    @model_validator(mode="after")
    def _fits(self) -> "CellForm":
        if any(len(row) != len(self.columns) for row in self.blocks):
            raise ValueError("a block has another number of columns")
        if any(len(row) != 4 for row in self.ranges) or self.ranges[-1][0] != self.deals:
            raise ValueError("its ranges do not end with its last deal")
        return self


class Form(Strict):
    """The whole file."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=True)

    schema_: int = Field(alias="schema")
    kind: str
    title: str
    game: str
    seed: int
    tolerance: Share
    alpha: Share
    plugins: list[str]
    created_with: dict[str, str]
    random: dict[str, str]
    code: dict[str, str]
    defaults: dict[str, dict[str, Any]]
    cells: list[CellForm]
    history: list[dict[str, str]]
    checksum: str

    @model_validator(mode="after")
    def _once(self) -> "Form":
        if len({cell.label for cell in self.cells}) != len(self.cells):
            raise ValueError("a cell is there twice")
        return self


def fault(document: Mapping[str, Any]) -> str:
    """The first thing that is wrong with a file's contents; nothing when all is well."""
    try:
        Form.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place}: {first['msg']}" if place else first["msg"]
    return ""
