"""Kernels: one compiled function per game, roster and number of players, from a cache that is never stale."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from simcore.contract import Game, Strategy, record, rule
from simcore.disk_cache import CachedKernel
from simcore.loop import deal_player, no_prints
from simcore.plain import NO_COMPILER
from simcore.rng import STREAM


@dataclass(frozen=True)
class Kernel:
    """A roster of strategies for a game, ready to play; `play` is compiled, the others also run as plain Python."""

    game: Game
    roster: tuple[Strategy, ...]
    play: Callable[..., int]
    play_game: Callable[..., None]
    play_deals: Callable[..., int]
    choose: Callable[..., int]

    def mind(self) -> np.dtype:
        """One line-up entry: which roster number answers each point, then each strategy's parameters."""
        parameters = [(f"of_{number}", record(*(s.parameters or ("none",)))) for number, s in enumerate(self.roster)]
        return record(("part", np.int64, (len(self.game.points),)), *parameters)

    def cell(self, players: int) -> np.dtype:
        """What stays the same over a run."""
        return record(
            *(("deal_key", np.uint64), ("lineup_key", np.uint64), ("seat_key", np.uint64, (players,))),
            *("rotations", "groups", "columns", "keeps_rows", ("group", np.int64, (players,))),
        )

    def seats(self, players: int) -> np.dtype:
        """Who sits where, with each seat's random stream."""
        seat = record(("stream", STREAM), "slot")
        return record(
            ("seat", seat, (players,)), ("mind", self.mind(), (players,)), ("order", STREAM), ("decided", np.uint64)
        )


@cache
def kernel(game: Game, roster: tuple[Strategy, ...]) -> Kernel:
    """The kernel of a game for a roster; built once a process, compiled once a machine."""
    names: dict[str, Any] = {"rule": rule, **{f"decide_{k}": s.decide for k, s in enumerate(roster)}}
    exec(_choose_text(game, roster), names)
    choose = names["choose"]
    remembers = any(names_used(entry.decide) & set(game.history) for entry in roster)
    rules = (game.deal, game.turns(choose, remembers), game.is_over, game.finish)
    play_game, play_deals = deal_player(*rules, game.add_prints or no_prints)
    play = play_deals if NO_COMPILER else CachedKernel(play_deals, fingerprint(play_deals))
    return Kernel(game, roster, play, play_game, play_deals, choose)


def _choose_text(game: Game, roster: Sequence[Strategy]) -> str:
    """Source of `choose`: at each point a flat `if` over the strategies that answer it, which all inline."""
    lines = [
        "@rule",
        "def choose(point, table, seat, hand, seats):",
        "    mind = seats.mind[seats.seat[seat].slot]",
        "    stream = seats.seat[seat].stream",
    ]
    for point in range(len(game.points)):
        able = [number for number, entry in enumerate(roster) if point in entry.answers]
        lines.append(f"    if point == {point}:")
        for number in able[1:]:
            lines.append(f"        if mind.part[{point}] == {number}:")
            lines.append(f"            return decide_{number}(point, table, seat, hand, mind.of_{number}, stream)")
        lines.append(f"        return decide_{able[0]}(point, table, seat, hand, mind.of_{able[0]}, stream)")
    return "\n".join([*lines, "    return -1", ""])


def fingerprint(function: Callable[..., Any]) -> str:
    """A digest of all that a compiled function is made of: its code, and the code and constants that it reaches."""
    digest = hashlib.sha256()
    _Walker(digest).visit(function)
    return digest.hexdigest()[:32]


def names_used(function: Callable[..., Any]) -> set[str]:
    """Every name and attribute in the code of a function and of all functions that it reaches."""
    walker = _Walker(hashlib.sha256())
    walker.visit(function)
    return walker.names


class _Walker:
    """Feeds functions, closures and global constants into a digest, each once, in the order they are met."""

    def __init__(self, digest: Any):
        self._digest = digest
        self._seen: dict[int, int] = {}
        self.names: set[str] = set()

    def visit(self, value: Any) -> None:
        if id(value) in self._seen and not isinstance(value, int | str | bytes):
            self._add(f"seen {self._seen[id(value)]}")
        elif callable(getattr(value, "py_func", value)) and hasattr(getattr(value, "py_func", value), "__code__"):
            self._seen[id(value)] = len(self._seen)
            options = getattr(value, "targetoptions", {})
            marks = [getattr(value, mark, None) for mark in ("inlined", "apart")]
            self._add(f"compiled with {sorted(options.items())} {marks}")
            self._function(getattr(value, "py_func", value))
        elif isinstance(value, ModuleType):
            self._module(value)
        elif isinstance(value, np.ndarray):
            self._add(f"array {value.dtype.descr} {value.shape}")
            self._digest.update(value.tobytes())
        elif isinstance(value, tuple | list):
            self._add(f"{type(value).__name__} {len(value)}")
            for entry in value:
                self.visit(entry)
        else:
            self._add(f"{type(value)} {value!r}")

    def _add(self, text: str) -> None:
        self._digest.update(text.encode() + b"\n")

    def _function(self, function: Any) -> None:
        self._add(f"function {function.__name__}")
        self._code(function.__code__, function.__globals__)
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).items()):
            self.visit(value)
        for cell in function.__closure__ or ():
            self.visit(cell.cell_contents)

    def _code(self, code: CodeType, names: dict[str, Any]) -> None:
        self._digest.update(code.co_code)
        for constant in code.co_consts[1:] if code.co_consts and isinstance(code.co_consts[0], str) else code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant, names)
            else:
                self._add(repr(constant))
        self.names.update(code.co_names)
        for name in code.co_names:
            self._add(name)
            if name in names:
                self.visit(names[name])

    def _module(self, module: ModuleType) -> None:
        """A module used by attribute: its whole file, unless it is numpy or the like."""
        self._add(f"module {module.__name__} {getattr(module, '__version__', '')}")
        path = getattr(module, "__file__", None)
        if path and not hasattr(module, "__version__") and path.endswith(".py"):
            with open(path, "rb") as source:
                self._digest.update(source.read())
