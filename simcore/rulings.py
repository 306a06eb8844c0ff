"""Rulings read otherwise: what each flipped rule moves, against the rules as they are, and whether that matters."""

from collections.abc import Sequence
from dataclasses import dataclass

from simcore.paired import Difference, compare
from simcore.results import Results
from simcore.rules import settings
from simcore.store import Stored

YES, OPEN, NO = "yes", "more games", "no"  # does it matter


@dataclass(frozen=True)
class Flip:
    """A ruling read otherwise: what it does to the seats, to the length of a game, and to ties.

    code: the ruling's number in the rule sheet. ruling: how it is read, in words.
    """

    ruling: str
    players: int
    seats: Sequence[Difference]
    length: Difference | None
    ties: Difference | None
    band: float
    code: str = ""

    @property
    def furthest(self) -> Difference:
        """The seat that it moves most."""
        return max(self.seats, key=lambda one: abs(one.change))

    def numbers(self) -> list[tuple[float, float, float]]:
        """Change, low and high of all that counts, as shares; the length as a part of the length before."""
        found = [(one.change, one.low, one.high) for one in self.seats]
        if self.ties:
            found.append((self.ties.change, self.ties.low, self.ties.high))
        if self.length and self.length.before:
            scale = self.length.before
            found.append((self.length.change / scale, self.length.low / scale, self.length.high / scale))
        return found

    @property
    def verdict(self) -> str:
        """Whether it matters: something moves surely by more than the band, nothing does, or not sure yet."""
        if any(low > self.band or high < -self.band for _, low, high in self.numbers()):
            return YES
        inside = all(-self.band <= low and high <= self.band for _, low, high in self.numbers())
        return NO if inside else OPEN


def flips(found: Results, band: float, strictness: float = 1) -> list[Flip]:
    """Each flipped ruling of a results file; all intervals hold at once.

    strictness: how many times less often than once in 20 that may fail.
    """
    pairs = [(entry, found[entry.base].result) for entry in found.finished if entry.base]
    played = [(entry, before, entry.result) for entry, before in pairs if before and entry.result]
    family = sum(before.cell.players + 2 for _, before, _ in played)
    rows = []
    for entry, before, after in played:
        changes = {one.what: one for one in compare(before, after, strictness * family)}
        length = changes.get(before.cell.game.metrics[0].name)
        moved = [one for name, one in changes.items() if name.startswith("seat ")]
        words = ruling(entry, found)
        rows.append(Flip(words, before.cell.players, moved, length, changes.get("tied"), band, code(entry, found)))
    return rows


def ruling(entry: Stored, found: Results) -> str:
    """What is read otherwise in a cell, and with what, in words."""
    base = found[entry.base].factors
    words = [f"{name}={_text(value)}" for name, value in flipped(entry, found).items()]
    beside = [f"{name}={_text(value)}" for name, value in base.items() if name not in ("players", "strategies")]
    return ", ".join(words) + (f" (with {', '.join(beside)})" if beside else "")


def flipped(entry: Stored, found: Results) -> dict[str, object]:
    """The rules that a cell reads otherwise, with their values."""
    base = found[entry.base].factors
    return {name: value for name, value in entry.factors.items() if base.get(name) != value}


def code(entry: Stored, found: Results) -> str:
    """The numbers of the rulings that are flipped in a cell."""
    known = settings(type(entry.cell.rules))
    return ", ".join(dict.fromkeys(known[name][1].ruling for name in flipped(entry, found) if name in known))


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
