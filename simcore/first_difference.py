"""The first game that an engine plays otherwise than a baseline says, and where it leaves the old way."""

from dataclasses import dataclass, replace
from typing import Any

from simcore.baseline import early, ranges
from simcore.cell import Cell
from simcore.drift import Checked
from simcore.errors import IllegalAction
from simcore.registry import find_game
from simcore.replay import replay, replay_command, result_line, transcript


@dataclass(frozen=True)
class First:
    """The first game that differs: game `least`, or one from `least` to `most` when it cannot be said which.

    line: the number of the transcript's first other line; was, now: that line with the old and the new decisions, as
    far as the old ones are known. transcript: the new game where they are not. command: shows game `least`.
    """

    least: int
    most: int
    command: str
    line: int = 0
    was: str = ""
    now: str = ""
    transcript: tuple[str, ...] = ()


def first_difference(one: Checked, threads: int | None = None) -> First | None:
    """What differs first in a cell; nothing for one that has not been seen to differ."""
    if not one.differs:
        return None
    cell = replace(one.cell, game=find_game(one.cell.game.name))
    least, most = _early(one) or _later(one, threads)
    where = First(least, most, replay_command(cell, least))
    if least < most:
        return where
    told = one.kept["told"]
    try:
        if least < len(told) and "deal" not in one.differs:
            where = _lines(where, cell, told[least])
        return where if where.was else replace(where, transcript=tuple(transcript(cell, least, "en")))
    except IllegalAction as error:  # of a game that does not look at what it is answered
        return replace(where, was=str(error))


def _early(one: Checked) -> tuple[int, int] | None:
    """The first of those games of which each has a fingerprint."""
    marks, now = "".join(one.kept["early"]), "".join(early(one.cell))
    places = range(0, len(marks), 5)
    return next(((place // 5,) * 2 for place in places if marks[place : place + 5] != now[place : place + 5]), None)


def _later(one: Checked, threads: int | None) -> tuple[int, int]:
    """The first range of deals that differs; in it the game, or the deal's games, if these alone differ."""
    begin, each = 0, one.cell.rotations
    for then, now in zip(one.kept["ranges"], ranges(one.cell, threads), strict=True):
        if then != now:
            change, by_deal, by_game = (
                (int(b, 16) - int(a, 16)) % 2**64 for a, b in zip(then[1:], now[1:], strict=True)
            )
            game, deal = _lone(change, by_game), _lone(change, by_deal)
            if begin * each <= game < now[0] * each:
                return game, game
            if begin <= deal < now[0]:
                return deal * each, deal * each + each - 1
            return begin * each, now[0] * each - 1
        begin = now[0]
    raise AssertionError("fingerprints differ, and no range does")


def _lone(change: int, weighted: int) -> int:
    """The number that, times a change modulo 2**64, gives the weighted change; -1 when there is none."""
    zeros = (change & -change).bit_length() - 1
    if zeros < 0 or weighted % 2**zeros:
        return -1
    modulus = 2 ** (64 - zeros)
    inverse = pow(change >> zeros, -1, modulus)
    return int((weighted >> zeros) * inverse % modulus)


def _lines(where: First, cell: Cell, told: dict[str, Any]) -> First:
    """The first line of the transcript that is another with the decisions of old, or with the result of old."""
    actions, new_lines = told["actions"], transcript(cell, where.least, "en")
    now = [decision.action for decision in replay(cell, where.least).decisions]
    same = next((place for place, (old, new) in enumerate(zip(actions, now, strict=False)) if old != new), -1)
    if same < 0:
        was = result_line(told["scores"], told["shares"], "en")
        if was == new_lines[-1]:
            return replace(where, was="its decisions, scores and winners are as they were; a metric is another one")
        return replace(where, line=len(new_lines), was=was, now=new_lines[-1])
    try:
        old_lines = transcript(cell, where.least, "en", actions[: same + 1])
    except IllegalAction:  # what was decided then, the rules now forbid
        return replace(where, was=f"decision {same + 1} was {actions[same]}, which the rules now forbid")
    pairs = enumerate(zip(old_lines, new_lines, strict=False), 1)
    silent = (0, f"decision {same + 1}: {actions[same]}", f"decision {same + 1}: {now[same]}")
    line, was, is_now = next(((n, a, b) for n, (a, b) in pairs if a != b), silent)
    return replace(where, line=line, was=was.strip(), now=is_now.strip())
