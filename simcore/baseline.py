"""Baselines: what an engine played, in a small JSON file that is kept beside the code, one line for each block.

The file is described in docs/ci.md. It holds integers and fingerprints alone, and a checksum, so that nobody can make
a gate wider by hand.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from simcore.api import make_cell
from simcore.baseline_form import fault
from simcore.cell import Cell
from simcore.crew import Chunk as PlayedChunk
from simcore.crew import Player, illegal_action, warm
from simcore.engine import run
from simcore.errors import UsageError
from simcore.kernel import fingerprint
from simcore.loop import BLOCKS
from simcore.registry import ensure_plugin, find_game, strategies
from simcore.replay import replay
from simcore.rng import DEAL, SEAT, game_key, stream_key
from simcore.rules import changed, settings
from simcore.store import makers, versions
from simcore.tally import Tally
from simcore.traced import BY_DEAL, BY_GAME, DEALT, DECIDED, PLAYED, traced

SCHEMA = 1
TOLERANCE, ALPHA = 0.005, 0.01
EARLY = 512  # games of which a short fingerprint is kept
TOLD = 8  # games of which every decision is kept
PART = 16  # a partial replay plays one deal in so many, or more: the first ones
GROWTH = 10  # each range of deals is longer than all before it by one part in so many
SHORT = 2**20 - 1  # bits of a short fingerprint
KINDS = ("deal", "decisions", "outcome")


class Incomparable(Exception):
    """A baseline that cannot be compared with what is played now; the message says why, and what would do."""


@dataclass(frozen=True)
class Baseline:
    """A file's contents: `document` as JSON has it."""

    path: str
    document: dict[str, Any]

    def cells(self) -> Iterator[tuple[dict[str, Any], Cell]]:
        """Each cell as it was written, and as it is played now.

        Raises Incomparable when it cannot be played any more.
        """
        game, seed = self.document["game"], self.document["seed"]
        try:
            for plugin in self.document["plugins"]:
                ensure_plugin(self._found(plugin))
            for kept in self.document["cells"]:
                how = (kept["line_up"], kept["rules"], seed, kept["rotate"])
                cell = make_cell(game, kept["players"], kept["games"], *how)
                yield kept, replace(cell, game=traced(cell.game))
        except UsageError as error:
            why = f"{str(error).removeprefix('--')}{self._twin(str(error))}"
            raise Incomparable(
                f"{self.path}: {why}; renew it from its experiment file: "
                f'simulate baseline CONFIG -o {self.path} --update --reason "why"'
            ) from error

    def _found(self, plugin: str) -> str:
        """A plug-in file from where we are, or from where the baseline lies."""
        beside = Path(self.path).parent / plugin
        return str(beside) if not Path(plugin).exists() and beside.exists() else plugin

    def _twin(self, error: str) -> str:
        """A strategy that has the code of one that is gone."""
        for key, mark in self.document["code"].items():
            kind, _, name = key.rpartition(" ")
            if kind.startswith("strategy") and f'"{name}"' in error:
                known = strategies(find_game(self.document["game"]))
                twins = [other for other, entry in known.items() if mark == fingerprint(called(name, entry.decide))]
                return "".join(f'; "{twin}" has its code: was it renamed?' for twin in twins[:1])
        return ""


def called(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A copy of a function under another name."""
    copy = FunctionType(function.__code__, function.__globals__, name, function.__defaults__, function.__closure__)
    copy.__dict__.update(function.__dict__)
    return copy


def make(
    cells: Mapping[str, Cell],
    title: str,
    tolerance: float = TOLERANCE,
    alpha: float = ALPHA,
    history: Sequence[Mapping[str, Any]] = (),
    plugins: Sequence[str] = (),
    threads: int | None = None,
) -> dict[str, Any]:
    """Plays cells of one game and one seed, by label, and returns the document of a baseline.

    Raises UsageError for cells that do not belong together.
    """
    played = list(cells.values())
    if len({(cell.game.name, cell.seed) for cell in played}) != 1:
        raise UsageError("a baseline holds cells of one game and one seed")
    first = played[0]
    return {
        "schema": SCHEMA,
        "kind": "simcore baseline",
        "title": title,
        "game": first.game.name,
        "seed": first.seed,
        "tolerance": tolerance,
        "alpha": alpha,
        "plugins": list(plugins),
        "created_with": versions(),
        "random": known_answer(),
        "code": code(played),
        "defaults": defaults(played),
        "cells": [_cell(label, cell, threads) for label, cell in cells.items()],
        "history": [dict(entry) for entry in history],
    }


def code(cells: Sequence[Cell]) -> dict[str, str]:
    """Fingerprints of the source that these cells follow from."""
    plain = [replace(cell, game=_untraced(cell)) for cell in cells]
    return {f"{kind} {name}": mark for (kind, name), mark in makers(plain).items()}


def _untraced(cell: Cell) -> Any:
    return find_game(cell.game.name)


def defaults(cells: Sequence[Cell]) -> dict[str, Any]:
    """What rules and strategies are when nothing is said of them."""
    rules = {name: default for name, (default, _) in settings(type(cells[0].rules)).items()}
    parts = {part.name: part for cell in cells for entry in cell.line_up for part in entry.parts}
    return {
        "rules": rules,
        "parameters": {
            name: {key: parameter.default for key, parameter in part.parameters.items()}
            for name, part in sorted(parts.items())
        },
        "parts": {entry.text: "+".join(part.name for part in entry.parts) for cell in cells for entry in cell.line_up},
    }


def known_answer() -> dict[str, str]:
    """The scheme of random numbers, and a few of its words."""
    with np.errstate(over="ignore"):
        words = [int(game_key(stream_key(1, stream), 1)) for stream in (DEAL, SEAT)]
    return {
        "scheme": "splitmix64 and xoshiro256**, keyed by seed, stream and deal",
        "words": " ".join(map(hexed, words)),
    }


def hexed(number: Any) -> str:
    """64 bits in 16 hexadecimal digits."""
    return f"{int(number):016x}"


def rules_hash(cell: Cell) -> str:
    """A digest of all rules of a cell, those that are as ever too."""
    values = {name: getattr(cell.rules, name) for name in settings(type(cell.rules))}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def whole(cell: Cell) -> Cell:
    """The cell with so many games that every block has as many deals."""
    deals = -(-cell.deals // BLOCKS) * BLOCKS
    return replace(cell, games_asked=deals * cell.rotations)


def part(kept: Mapping[str, Any]) -> tuple[int, str]:
    """How many deals a partial replay plays, and what their fingerprints add up to."""
    total = 0
    for end, *marks in kept["ranges"]:
        total += int(marks[0], 16)
        if end * PART >= kept["deals"]:
            return end, hexed(total % 2**64)
    raise AssertionError("the last range ends with the last deal")


def ranges(cell: Cell, threads: int | None = None) -> Iterator[list[Any]]:
    """Consecutive deals, in ranges ever longer: where each ends, and its fingerprints.

    These are the sum over all kinds, and two that lead to a lone game or deal that differs: that sum with each
    game's part times the deal's number, and times the game's.
    """
    end = 0
    while end < cell.deals:
        first, end = end, min(cell.deals, max(early_deals(cell), end + end // GROWTH))
        total = run(replace(cell, games_asked=end * cell.rotations), threads, first=first).tally.traces
        sums = total.sum(axis=1, dtype=np.uint64)
        yield [end, everything(sums), hexed(sums[BY_DEAL]), hexed(sums[BY_GAME])]


def everything(sums: np.ndarray) -> str:
    """The fingerprints of all kinds together."""
    return hexed(sums[: len(KINDS)].sum(dtype=np.uint64))


def early_deals(cell: Cell) -> int:
    """Deals of which each game has a short fingerprint."""
    return min(-(-EARLY // cell.rotations), cell.deals)


def columns(cell: Cell) -> list[str]:
    """What each block keeps the sum of: shares of the win and scores by seat, then shares by strategy."""
    return cell.columns[: 2 * cell.players + len(cell.names)]


def _cell(label: str, asked: Cell, threads: int | None) -> dict[str, Any]:
    cell = whole(replace(asked, game=traced(_untraced(asked))))
    tally = run(cell, threads).tally
    return {
        "label": label,
        "players": cell.players,
        "line_up": [entry.text for entry in cell.line_up],
        "rotate": cell.rotate,
        "rules": changed(cell.rules),
        "rules_sha256": rules_hash(cell),
        "games": cell.games_asked,
        "deals": tally.deals,
        "columns": [*columns(cell), *KINDS],
        "blocks": rows(tally),
        "ranges": list(ranges(cell, threads)),
        "early": early(cell),
        "told": [told(cell, number) for number in range(min(TOLD, cell.games_asked))],
    }


def rows(tally: Tally) -> list[list[Any]]:
    """Each block's sums and fingerprints."""
    places = [tally.cell.columns.index(name) for name in columns(tally.cell)]
    return [
        [*(int(tally.sums[block, 0, place]) for place in places), *map(hexed, tally.traces[: len(KINDS), block])]
        for block in range(BLOCKS)
    ]


def early(cell: Cell) -> list[str]:
    """Short fingerprints of the first games, as five hexadecimal digits each, in lines of 32."""
    deals = early_deals(cell)
    warm(cell)
    chunk = Player(cell).play(0, [deals])[0]
    if not isinstance(chunk, PlayedChunk):
        raise chunk.error
    if chunk.games < deals * cell.rotations:
        raise illegal_action(cell, chunk.games)
    marks = chunk.book.record.early[: chunk.games]
    short = marks[:, DEALT] ^ (marks[:, DECIDED] << np.uint64(1)) ^ (marks[:, PLAYED] << np.uint64(2))
    words = [f"{int(mark) >> 40 & SHORT:05x}" for mark in short]
    return ["".join(words[start : start + 32]) for start in range(0, len(words), 32)]


def told(cell: Cell, number: int) -> dict[str, list[int]]:
    """What was decided in a game, and what it came to."""
    game = replay(cell, number)
    return {
        "actions": [one.action for one in game.decisions],
        "scores": [int(score) for score in game.outcome.score],
        "shares": [int(share) for share in game.outcome.share],
    }


def checksum(document: Mapping[str, Any]) -> str:
    """A digest of everything else in the file."""
    rest = {name: value for name, value in document.items() if name != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def write(document: Mapping[str, Any], path: str) -> None:
    """Writes a baseline, whole or not at all.

    Raises UsageError when it cannot be written.
    """
    text = _text({**document, "checksum": checksum(document)}) + "\n"
    unborn = Path(f"{path}-new")
    try:
        unborn.write_text(text, encoding="utf-8")
        unborn.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: it cannot be written ({error.strerror})") from error


def _text(value: Any, indent: str = "") -> str:
    """JSON with sorted keys; a list of plain values is one line."""
    inner = f"{indent} "
    if isinstance(value, Mapping) and value:
        lines = [f"{inner}{json.dumps(key)}: {_text(value[key], inner)}" for key in sorted(value)]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(entry, list | Mapping) for entry in value):
        return "[\n" + ",\n".join(f"{inner}{_text(entry, inner)}" for entry in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def read(path: str) -> Baseline:
    """A baseline from its file.

    Raises Incomparable for a file that is missing, cut off, edited by hand, or of another schema.
    """
    anew = "make it with simulate baseline CONFIG -o FILE"
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        proof = checksum(document) if isinstance(document, dict) else ""
    except OSError as error:
        raise Incomparable(f"{path}: it cannot be read ({error.strerror}); {anew}") from error
    except (ValueError, RecursionError) as error:
        raise Incomparable(
            f"{path}: it is empty, cut off or no JSON; take it from version control, or {anew}"
        ) from error
    if not isinstance(document, dict) or document.get("kind") != "simcore baseline":
        raise Incomparable(f"{path}: it is not a baseline; {anew}")
    if document.get("schema") != SCHEMA:
        made_with = document.get("created_with")
        maker = made_with.get("simcore", "unknown") if isinstance(made_with, dict) else "unknown"
        raise Incomparable(
            f"{path}: its schema is {document.get('schema')}, this simcore reads {SCHEMA}; check it with the simcore "
            f"that made it ({maker}), or {anew}"
        )
    if document.get("checksum") != proof:
        raise Incomparable(f"{path}: it was edited by hand; take it from version control, or delete it and {anew}")
    if problem := fault(document):
        raise Incomparable(f"{path}: it is not complete: {problem}; {anew}")
    if not document["cells"]:
        raise Incomparable(f"{path}: it has no cells, so that it measures nothing; {anew}")
    return Baseline(path, document)
