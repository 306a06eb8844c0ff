"""Baselines of the small game, as an older or another engine would have written them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simcore.api import make_cell
from simcore.baseline import make, write
from simcore.registry import ensure_plugin

TOY = str(Path(__file__).with_name("highest_card.py"))
GAMES, TOLERANCE = 12_800, 0.05


def toy_cells(players=(2, 3), games=GAMES, favour=0, seed=1, line_up="random"):
    """Cells of the highest card, by label; favour: how often the first seat just wins, in ten thousandths."""
    ensure_plugin(TOY)
    rules = {"favour": favour}
    return {f"players={count}": make_cell("highest", count, games, line_up, rules, seed) for count in players}


def toy_document(tolerance=TOLERANCE, **cells):
    """The baseline of these cells."""
    return make(toy_cells(**cells), "The highest card", tolerance, plugins=[TOY])


def as_of_now(document):
    """The baseline of an engine that played otherwise what it believed to be seed 1 and the rules as ever."""
    document["seed"] = 1
    for cell, now in zip(document["cells"], toy_document(players=players(document), games=64)["cells"], strict=True):
        cell["rules"], cell["rules_sha256"] = now["rules"], now["rules_sha256"]
    return document


def players(document):
    return [cell["players"] for cell in document["cells"]]


def kept(document: dict[str, Any], path: Path) -> str:
    """Writes it, with a checksum; the path."""
    write(document, str(path))
    return str(path)


def tampered(path: str, change: Callable[[dict[str, Any]], Any], to: Path) -> str:
    """A copy in which something is changed and the checksum made anew."""
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    change(document)
    return kept(document, to)
