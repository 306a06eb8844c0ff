"""Experiment files: TOML that says which game, players, strategies and rules to compare, checked key by key."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from experiments.numbers import read_count
from simcore.api import DEFAULT_SEED
from simcore.errors import UsageError, nearest

Value = str | int | bool | list[int]
Values = Annotated[list[Value], Field(min_length=1)]
Rules = dict[str, Value]


def _count(given: Any) -> Any:
    """Games as people write them: 20000, 2e4, "20k"."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise ValueError("give a whole number from 1 to 1e12, such as 20_000 or 2e4")
    try:
        return read_count("games", str(given))
    except UsageError as error:
        raise ValueError(str(error).partition(": ")[2]) from None


def _several(given: Any) -> Any:
    """One value stands for a list of one."""
    return [given] if isinstance(given, int | str) and not isinstance(given, bool) else given


class Strict(BaseModel):
    """A table of a file: no key that is not known, no type that is not right."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Variant(Strict):
    """A set of rules with a name."""

    name: Annotated[str, Field(min_length=1)]
    rules: Rules = {}


class Experiment(Strict):
    """What an experiment file says: the cells are variants x grid x zip x players x line-ups, without the excluded."""

    title: str
    question: str = ""
    game: str
    players: Annotated[list[int], BeforeValidator(_several), Field(min_length=1)]
    games: Annotated[int, BeforeValidator(_count)]
    seed: Annotated[int, Field(ge=0)] = DEFAULT_SEED
    strategies: Annotated[list[str], BeforeValidator(_several), Field(min_length=1)] | None = None
    pool: Annotated[list[str], Field(min_length=1)] | None = None
    rotate: bool = True
    rules: Rules = {}
    grid: dict[str, Values] = {}
    zip: dict[str, Values] = {}
    variant: list[Variant] = []
    exclude: list[dict[str, Value | list[Value]]] = []
    rulings: bool = False
    numbers: dict[str, Values] = {}
    companions: dict[str, Rules] = {}

    @model_validator(mode="after")
    def _belongs_together(self) -> "Experiment":
        if self.strategies is not None and self.pool is not None:
            raise ValueError("give strategies (line-ups) or pool (each plays against itself), not both")
        lengths = {name: len(values) for name, values in self.zip.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"zip: lists that go together are equally long, these have {_lengths(lengths)}")
        twice = sorted(set(self.grid) & set(self.zip))
        if twice:
            raise ValueError(f"grid.{twice[0]}: it is in zip too; leave it in one of them")
        names = [variant.name for variant in self.variant]
        again = next((name for name in names if names.count(name) > 1), None)
        if again:
            raise ValueError(f'variant: two have the name "{again}"')
        return self


def _lengths(lengths: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {length}" for name, length in lengths.items())


def load(path: str, overrides: Mapping[str, Any] | None = None) -> Experiment:
    """The experiment of a file, with these keys in place of the file's.

    Raises UsageError in one sentence: the file, the key, what it takes.
    """
    try:
        with Path(path).open("rb") as file:
            given = tomllib.load(file)
    except OSError as error:
        raise UsageError(f"{path}: it cannot be read ({error.strerror or error})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: it is not a TOML file: {error}") from None
    for key, value in (overrides or {}).items():
        given[key] = {**given.get(key, {}), **value} if isinstance(value, Mapping) else value
    try:
        return Experiment.model_validate(given)
    except ValidationError as error:
        raise UsageError(f"{path}: {_sentence(error)}") from None


def _sentence(error: ValidationError) -> str:
    """The first trouble of a file, in words."""
    first = error.errors()[0]
    place, kind = first["loc"], first["type"]
    name = _key(place)
    if kind == "extra_forbidden":
        return f'there is no key "{name}"{nearest(str(place[-1]), _known(place))}'
    if kind == "missing":
        return f"{name} is missing"
    if kind == "value_error":
        reason = str(first["ctx"]["error"])
        return f"{name} = {first['input']!r}: {reason}" if place else reason
    return f"{name} = {first['input']!r}: {_words(kind, first['msg'])}"


def _key(place: Sequence[int | str]) -> str:
    """A place in the file as a key: variant.2.name; without the kinds of value that were tried there."""
    words = [str(part + 1) if isinstance(part, int) else part for part in place]
    return ".".join(word for word in words if word not in ("str", "int", "bool", "list[int]") and "[" not in word)


def _known(place: Sequence[int | str]) -> list[str]:
    return list(Variant.model_fields if place[0] == "variant" else Experiment.model_fields)


WORDS = {
    "int_type": "it takes a whole number",
    "int_from_float": "it takes a whole number",
    "string_type": "it takes a text in quotes",
    "bool_type": "it takes true or false",
    "list_type": "it takes a list",
    "dict_type": "it takes a table",
    "model_type": "it takes a table",
    "too_short": "it takes at least one value",
    "string_too_short": "it takes at least one letter",
    "greater_than_equal": "it takes a number from 0 up",
}


def _words(kind: str, message: str) -> str:
    return WORDS.get(kind, message)
