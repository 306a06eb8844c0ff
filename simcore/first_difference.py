"""The first game that an engine plays otherwise than a baseline says, and where it leaves the old way."""

from dataclasses import dataclass, replace

from simcore.baseline import early
from simcore.drift import Checked
from simcore.errors import IllegalAction
from simcore.registry import find_game
from simcore.replay import replay, replay_command, transcript


@dataclass(frozen=True)
class First:
    """The number of the first game that differs; None when it is none of the early ones, of which there are `looked`.

    line: the number of the transcript's first other line; was, now: that line with the old and the new decisions, as
    far as the old ones are known. command: shows the game.
    """

    number: int | None
    looked: int
    line: int = 0
    was: str = ""
    now: str = ""
    command: str = ""


def first_difference(one: Checked) -> First | None:
    """What differs first in a cell; nothing for one that has not been seen to differ."""
    if not one.differs:
        return None
    marks, now = "".join(one.kept["early"]), "".join(early(one.cell))
    looked = len(marks) // 5
    found = next((game for game in range(looked) if marks[5 * game : 5 * game + 5] != now[5 * game : 5 * game + 5]), -1)
    if found < 0:
        return First(None, looked)
    cell = replace(one.cell, game=find_game(one.cell.game.name))
    where = First(found, looked, command=replay_command(cell, found))
    told = one.kept["told"]
    return _lines(where, one, told[found]["actions"]) if found < len(told) and "deal" not in one.differs else where


def _lines(where: First, one: Checked, actions: list[int]) -> First:
    """The first line of the transcript that is another with the decisions of old."""
    assert where.number is not None
    cell = replace(one.cell, game=find_game(one.cell.game.name))
    now = [decision.action for decision in replay(cell, where.number).decisions]
    same = next((place for place, (old, new) in enumerate(zip(actions, now, strict=False)) if old != new), -1)
    if same < 0:
        return where
    try:
        old_lines = transcript(cell, where.number, "en", actions[: same + 1])
    except IllegalAction:  # what was decided then, the rules now forbid
        return replace(where, was=f"decision {same + 1} was {actions[same]}, which the rules now forbid")
    new_lines = transcript(cell, where.number, "en")
    pairs = enumerate(zip(old_lines, new_lines, strict=False), 1)
    line, was, is_now = next(((n, a, b) for n, (a, b) in pairs if a != b), (0, "", ""))
    return replace(where, line=line, was=was.strip(), now=is_now.strip())
