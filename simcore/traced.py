"""Fingerprints of deals and decisions, for those who ask whether an engine still plays the same games.

A traced game is the game with more to write down: its rules are the same functions, and its games are the same games.
It has kernels of its own, so that nobody else pays for it.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from simcore.cell import ROWS
from simcore.contract import Game, procedure, record, rule
from simcore.loop import BLOCKS, FOLD
from simcore.rng import mix64

MOST = 2**63 - 1
DEALT, DECIDED, PLAYED = range(3)  # kinds of fingerprint: the deal, every decision, the outcome row
BY_DEAL, BY_GAME = 3, 4  # sums of all three, times the deal's number and times the game's: where a lone difference is


@cache
def traced(game: Game) -> Game:
    """The game with a fingerprint of what was dealt and of every decision."""
    walkers = _walkers(game.hidden(game.least_players))
    return replace(
        game,
        hidden=lambda players: _with_print(game.hidden(players)),
        deal=_deal(game.deal, *walkers),
        turns=_turns(game.turns),
        add_prints=add_prints,
    )


def _with_print(hidden: np.dtype) -> np.dtype:
    fields = hidden.fields
    assert fields is not None and hidden.names is not None
    own = [(name, fields[name][0]) for name in hidden.names]
    return record(*own, ("dealt", np.uint64), ("before", record(*own)))


Rule = Callable[..., Any]


def _deal(deal: Rule, clear: Rule, fold: Rule, keep: Rule, back: Rule) -> Rule:
    @procedure
    def deal_traced(table, hidden, shuffler):
        """Deals; all that is hidden then, and where the shuffler stands, make the fingerprint.

        It deals twice: from a clean table for the fingerprint, and as any game does, onto what the last one has left.
        """
        a, b, c, d = shuffler.a, shuffler.b, shuffler.c, shuffler.d
        keep(hidden)
        clear(hidden)
        deal(table, hidden, shuffler)
        hidden.dealt = fold(hidden, mix64(shuffler.a ^ mix64(shuffler.b ^ mix64(shuffler.c ^ mix64(shuffler.d)))))
        back(hidden)
        shuffler.a, shuffler.b, shuffler.c, shuffler.d = a, b, c, d
        deal(table, hidden, shuffler)

    return deal_traced


def _turns(turns: Callable[..., Any]) -> Callable[..., Any]:
    """`Game.turns`; it holds functions alone, of which a fingerprint can be made."""

    def traced_turns(choose, remembers):
        @rule
        def choose_traced(point, table, seat, hand, seats):
            """What the seat's strategy answers, with point, seat and answer in the fingerprint."""
            action = choose(point, table, seat, hand, seats)
            asked = mix64(seats.decided ^ np.uint64((np.int64(point) << 8 | np.int64(seat)) & MOST))
            seats.decided = mix64(asked ^ np.uint64(np.int64(action) & MOST))
            return action

        return turns(choose_traced, remembers)

    return traced_turns


@procedure
def add_prints(cell, seats, hidden, number, place, outcome, book):
    """Adds a game's three fingerprints to its block of deals, and keeps those of a chunk's first games."""
    block = (number // cell.rotations) % BLOCKS
    game = mix64(np.uint64(number))
    dealt, decided = mix64(hidden.dealt ^ game), mix64(seats.decided ^ game)
    book.traces[DEALT, block] += dealt
    book.traces[DECIDED, block] += decided
    book.traces[PLAYED, block] += outcome
    together = dealt + decided + outcome
    book.traces[BY_DEAL, block] += together * np.uint64(number // cell.rotations)
    book.traces[BY_GAME, block] += together * np.uint64(number)
    if place < ROWS:
        book.early[place, DEALT], book.early[place, DECIDED], book.early[place, PLAYED] = dealt, decided, outcome
    seats.decided = np.uint64(0)


def _walkers(hidden: np.dtype) -> tuple[Rule, Rule, Rule, Rule]:
    """Rules for a hidden record: make it all zeros, fold all of it into a fingerprint, keep it, and bring it back."""
    clear, fold, keep, back = [], [], [], []
    for loops, leaf, kind in _leaves(hidden, "hidden", ()):
        clear += _written(loops, f"{leaf} = {'ZERO' if kind == 'u' else '0'}")
        number = {"u": leaf, "f": f"np.int64({leaf} * FRACTIONS) & MOST"}.get(kind, f"{leaf} & MOST")
        fold += _written(loops, f"mark = mark * FOLD + np.uint64({number})")
        spare = leaf.replace("hidden.", "hidden.before.", 1)
        keep += _written(loops, f"{spare} = {leaf}")
        back += _written(loops, f"{leaf} = {spare}")
    lines = ["@procedure", "def clear(hidden):", *clear, "    return 0", ""]
    lines += ["@procedure", "def fold(hidden, mark):", *fold, "    return mark", ""]
    lines += ["@procedure", "def keep(hidden):", *keep, "    return 0", ""]
    lines += ["@procedure", "def back(hidden):", *back, "    return 0", ""]
    names: dict[str, Any] = {"np": np, "procedure": procedure, "MOST": MOST, "FOLD": FOLD, "ZERO": np.uint64(0)}
    names["FRACTIONS"] = 2.0**20
    exec("\n".join(lines), names)
    return names["clear"], names["fold"], names["keep"], names["back"]


def _leaves(dtype: np.dtype, place: str, loops: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Every number of a record: the arrays to go through, how it is written there, and its kind of dtype."""
    if dtype.subdtype is not None:
        yield from _leaves(dtype.subdtype[0], f"{place}[i{len(loops)}]", (*loops, place))
    elif dtype.names is not None:
        for name in dtype.names:
            yield from _leaves(dtype[name], f"{place}.{name}", loops)
    else:
        yield loops, place, dtype.kind


def _written(loops: tuple[str, ...], statement: str) -> list[str]:
    """A statement in its loops, as lines of a function."""
    heads = [f"for i{depth} in range(len({place})):" for depth, place in enumerate(loops)]
    return [f"{'    ' * (depth + 1)}{line}" for depth, line in enumerate([*heads, statement])]
