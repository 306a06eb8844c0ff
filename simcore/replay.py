"""One game again, by its number: the same loop and rules without numba, with every event recorded."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.cell import Cell, Rows, workspace
from simcore.contract import event
from simcore.errors import IllegalAction, UsageError
from simcore.loop import take_seats
from simcore.plain import plain_record, rebuild
from simcore.rules import changed


@dataclass(frozen=True)
class Decision:
    """One answer of a strategy."""

    point: int
    seat: int
    action: int


@dataclass(frozen=True)
class Replay:
    """A game that was played: who sat where, the deal, what was decided and what happened, and its outcome row.

    deal: the hidden record and the table as they were after the deal. events: (kind, seat, value) in order.
    """

    strategies: tuple[str, ...]
    deal: tuple[Any, Any]
    decisions: tuple[Decision, ...]
    events: tuple[tuple[int, int, int], ...]
    outcome: Any


def replay(cell: Cell, number: int, actions: Sequence[int] = ()) -> Replay:
    """Plays game `number` of the cell in plain Python.

    actions: answers that are taken in place of the strategies' first ones. Raises UsageError for a number that
    is not in the run, IllegalAction when a strategy breaks the rules.
    """
    if not 0 <= number < cell.deals * cell.rotations:
        raise UsageError(f"--number {number}: give a whole number from 0 to {cell.deals * cell.rotations - 1}")
    return _Recorder(cell, actions).play(number)


class _Recorder:
    """Stands between the loop and the strategies, and writes down what passes."""

    def __init__(self, cell: Cell, actions: Sequence[int]):
        self._cell, self._actions = cell, actions
        self._decisions: list[Decision] = []
        self._events: list[tuple[int, int, int]] = []
        self._deal: tuple[Any, Any] | None = None
        self._choose = rebuild(cell.kernel.choose, {event: self._event})
        replaced = {event: self._event, cell.kernel.choose: self._decide}
        self._play_game = rebuild(cell.kernel.play_game, replaced)

    def play(self, number: int) -> Replay:
        cell, space, rows = self._cell, workspace(self._cell, plain_record), Rows.of(self._cell)
        deal, rotation = divmod(number, cell.rotations)
        with np.errstate(over="ignore"):  # 64-bit arithmetic wraps, as it does compiled
            if cell.rotations > 1:
                for turn in range(rotation + 1):
                    take_seats(space.cell, space.seats, deal, turn)
            self._hidden, self._table = space.hidden, space.table
            self._play_game(*space, deal, rows.outcome(0))
        names = tuple(cell.line_up[int(seat.slot)].text for seat in space.seats.seat)
        deal_played = self._deal or (deepcopy(space.hidden), deepcopy(space.table))  # nobody had anything to decide
        return Replay(names, deal_played, tuple(self._decisions), tuple(self._events), rows.outcome(0))

    def _event(self, kind: Any, seat: Any, value: Any) -> None:
        self._events.append((int(kind), int(seat), int(value)))

    def _decide(self, point: int, table: Any, seat: Any, hand: Any, seats: Any) -> Any:
        if self._deal is None:
            self._deal = (deepcopy(self._hidden), deepcopy(self._table))
        name = self._cell.line_up[int(seats.seat[int(seat)].slot)].text
        where = f"at {self._cell.game.points[point]} on seat {int(seat) + 1}"
        try:
            action = int(self._choose(point, table, seat, hand, seats))
        except Exception as error:  # a strategy is a stranger's code
            raise IllegalAction(f'strategy "{name}" raised {type(error).__name__}: {error} {where}') from error
        if len(self._decisions) < len(self._actions):
            action = self._actions[len(self._decisions)]
        self._decisions.append(Decision(point, int(seat), action))
        if not self._cell.game.is_legal(point, table, hand, seat, action):
            raise IllegalAction(f'strategy "{name}" answered {action} {where}, which the rules forbid')
        return action


def transcript(cell: Cell, number: int, language: str, actions: Sequence[int] = ()) -> list[str]:
    """The lines of a game that people can follow with real cards, in French or English; actions as in `replay`."""
    from importlib import import_module

    game = replay(cell, number, actions)
    narrator = import_module(cell.game.narrator)
    lines: list[str] = narrator.narrate(game.events, cell.players, language)
    end = result_line(game.outcome.score, game.outcome.share, language)
    return [*_heading(cell, number, game, language), "", *lines[lines[:1] == [""] :], "", end]


HEADING = {"en": "{title}, game {number}, seed {seed}", "fr": "{title}, partie {number}, graine {seed}"}
SEAT = {"en": "player {seat}: {name}", "fr": "joueur {seat}\u202f: {name}"}
RESULT = {"en": "End: {scores}. {winners}", "fr": "Fin\u202f: {scores}. {winners}"}
WINS = {"en": "Player {seats} wins.", "fr": "Le joueur {seats} gagne."}
SHARE = {"en": "Players {seats} share the win.", "fr": "Les joueurs {seats} se partagent la victoire."}
AND = {"en": " and ", "fr": " et "}


def _heading(cell: Cell, number: int, game: Replay, language: str) -> list[str]:
    title = HEADING[language].format(title=cell.game.title, number=number, seed=cell.seed)
    seats = [SEAT[language].format(seat=seat + 1, name=name) for seat, name in enumerate(game.strategies)]
    return [title, "; ".join(seats) if language == "en" else "\u202f; ".join(seats)]


def result_line(scores: Sequence[int], shares: Sequence[int], language: str) -> str:
    """The last line of a transcript: every seat's score, and who wins."""
    told = [f"{SEAT[language].format(seat=seat + 1, name=score)}" for seat, score in enumerate(scores)]
    winners = [str(seat + 1) for seat, won in enumerate(shares) if won]
    words = (WINS if len(winners) == 1 else SHARE)[language].format(seats=AND[language].join(winners))
    return RESULT[language].format(scores=", ".join(told), winners=words)


def replay_command(cell: Cell, number: int) -> str:
    """The command that shows this game."""
    return f"simulate replay {' '.join(cell_options(cell))} --number {number}"


def cell_options(cell: Cell) -> list[str]:
    """The options that describe a cell on the command line."""
    words = [entry.text for entry in cell.line_up]
    names = words[:1] if len(set(words)) == 1 else words
    options = [f"--game {cell.game.name}", f"--players {cell.players}", f"--strategies {','.join(names)}"]
    options += [f"--rule {name}={value}" for name, value in changed(cell.rules).items()]
    options += [f"--plugin {path}" for path in cell.plugins]
    return [*options, f"--seed {cell.seed}", *([] if cell.rotate else ["--no-rotate"])]
