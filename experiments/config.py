"""Experiment files: TOML that says which game, players, strategies and rules to compare, checked key by key."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from experiments.numbers import read_count
from simcore.api import DEFAULT_SEED
from simcore.errors import UsageError, nearest

MOST_SEED = 2**63 - 1
Value = str | int | bool | list[int]
Values = Annotated[list[Value], Field(min_length=1)]
Rules = dict[str, Value]


def _count(given: Any) -> Any:
    """Games as people write them: 20000, 2e4, "20k"."""
    try:
        return read_count("games", "" if isinstance(given, bool) else str(given))
    except UsageError:
        raise ValueError('it takes a whole number from 1 to 1e12, such as 20_000, 2e4 or "20k"') from None


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

    title: Annotated[str, Field(min_length=1)]
    question: str = ""
    game: str
    players: Annotated[list[int], BeforeValidator(_several), Field(min_length=1)]
    games: Annotated[int, BeforeValidator(_count)]
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] = DEFAULT_SEED
    strategies: Annotated[list[str], BeforeValidator(_several), Field(min_length=1)] | None = None
    pool: Annotated[list[str], Field(min_length=1)] | None = None
    tournament: Annotated[list[str], Field(min_length=2)] | None = None
    rotate: bool = True
    course: bool = False
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
        if sum(given is not None for given in (self.strategies, self.pool, self.tournament)) > 1:
            raise ValueError(
                "give one of strategies (line-ups), pool (each plays against itself) and tournament (each against each)"
            )
        self._check_tables()
        check_once("players", self.players)
        check_once("strategies", self.strategies or [])
        check_once("pool", self.pool or [])
        check_once("tournament", self.tournament or [])
        check_once("variant: the name", [variant.name for variant in self.variant], "")
        return self

    def _check_tables(self) -> None:
        lengths = {name: len(values) for name, values in self.zip.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"zip: lists that go together are equally long, these have {_lengths(lengths)}")
        varied: list[tuple[str, Mapping[str, Any]]] = [("grid", self.grid), ("zip", self.zip), ("rules", self.rules)]
        varied += [(f"variant.{place + 1}", variant.rules) for place, variant in enumerate(self.variant)]
        for place, (table, names) in enumerate(varied[:2]):
            for other, others in varied[place + 1 :]:
                twice = next((name for name in names if name in others), None)
                if twice:
                    raise ValueError(f"{table}.{twice}: it is in {other} too; leave it in one of them")
        if self.rulings:
            unused = [name for name in ("grid", "zip", "variant") if getattr(self, name)]
            why = "rulings = true flips one rule at a time; put it into another file"
        else:
            unused = [name for name in ("numbers", "companions") if getattr(self, name)]
            why = "it goes with rulings = true only"
        if unused:
            raise ValueError(f"{unused[0]}: {why}")


def check_once(key: str, values: Sequence[Any], colon: str = ":") -> None:
    """Raises ValueError for a value that a list has twice."""
    again = next((value for value in values if values.count(value) > 1), None)
    if again is not None:
        raise ValueError(f"{key}{colon} {toml(again)} is there twice")


def _lengths(lengths: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {length}" for name, length in lengths.items())


def load(path: str, overrides: Mapping[str, Any] | None = None) -> Experiment:
    """The experiment of a file, with these keys in place of the file's.

    Raises UsageError in one sentence: the file, the key, what it takes.
    """
    given = _read(path)
    for key, value in (overrides or {}).items():
        _override(given, key, value)
    try:
        return Experiment.model_validate(given)
    except ValidationError as error:
        raise UsageError(f"{path}: {_sentence(error)}") from None


def _read(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: it cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: byte {error.start + 1} is not UTF-8; save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: it is not a TOML file: {error}") from None


def _override(given: dict[str, Any], key: str, value: Any) -> None:
    """Puts a value in place of the file's; a rule also in place of what a variant, the grid or zip make of it."""
    if key == "strategies":
        given.pop("pool", None)
        given.pop("tournament", None)
    if not isinstance(value, Mapping):
        given[key] = value
        return
    given[key] = {**(given[key] if isinstance(given.get(key), dict) else {}), **value}
    variants = given.get("variant")
    named = [entry.get("rules") for entry in variants if isinstance(entry, dict)] if isinstance(variants, list) else []
    for table in (given.get("grid"), given.get("zip"), *named):
        for name in value:
            if isinstance(table, dict):
                table.pop(name, None)


def _sentence(error: ValidationError) -> str:
    """The first trouble of a file, in words; a key that is not known comes first, because another may be missed."""
    first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
    place, kind = first["loc"], first["type"]
    name = _key(place)
    if kind == "extra_forbidden":
        return f'there is no key "{name}"{nearest(str(place[-1]), _known(place))}'
    if kind == "missing":
        return f"{name} is missing"
    if kind == "value_error":
        reason = str(first["ctx"]["error"])
        return f"{name} = {toml(first['input'])}: {reason}" if place else reason
    return f"{name} = {toml(first['input'])}: {_words(place, kind, first['msg'])}"


def toml(value: Any) -> str:
    """A value as it is written in a file, cut where it is long."""
    if isinstance(value, list):
        text = f"[{', '.join(map(toml, value))}]"
    elif isinstance(value, dict):
        text = f"{{ {', '.join(f'{name} = {toml(entry)}' for name, entry in value.items())} }}"
    else:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, bool | str) else str(value)
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def _key(place: Sequence[int | str]) -> str:
    """A place in the file as a key: variant.2.name; without the kinds of value that were tried there."""
    words = [str(part + 1) if isinstance(part, int) else part for part in place]
    return ".".join(word for word in words if word not in KINDS and "[" not in word)


def _known(place: Sequence[int | str]) -> list[str]:
    return list(Variant.model_fields if place[0] == "variant" else Experiment.model_fields)


LONG = 60  # letters of a wrong value that a sentence repeats
KINDS = ("str", "int", "bool", "list[int]")  # of a Value
ANY_VALUE = "it takes a text in quotes, a whole number, true or false, or a list of whole numbers"
LISTS = {
    "players": "it takes whole numbers, such as 4 or [2, 3, 4]",
    "strategies": 'it takes line-ups in quotes, such as "random" or ["random", "ev,random,random"]',
    "pool": 'it takes a list of strategies in quotes, such as ["random", "ev"]',
    "tournament": 'it takes a list of at least two strategies in quotes, such as ["random", "ev"]',
    "variant": "write it as [[variant]]",
    "exclude": "write it as [[exclude]]",
}
WORDS = {
    "int_type": "it takes a whole number",
    "int_from_float": "it takes a whole number",
    "string_type": "it takes a text in quotes",
    "bool_type": "it takes true or false",
    "list_type": "it takes a list, such as [0, 1]",
    "dict_type": "it takes a table of names and values",
    "model_type": "it takes a table of names and values",
    "too_short": "it takes at least one value",
    "string_too_short": "it takes at least one letter",
    "greater_than_equal": f"it takes a whole number from 0 to {MOST_SEED}",
    "less_than_equal": f"it takes a whole number from 0 to {MOST_SEED}",
}


def _words(place: Sequence[int | str], kind: str, message: str) -> str:
    if any(part in KINDS for part in place[1:]):
        return ANY_VALUE
    if place[0] in LISTS and kind.endswith("_type"):
        return LISTS[str(place[0])]
    return WORDS.get(kind, message)
