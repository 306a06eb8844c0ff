"""What a report takes from results files: the reference cell for each number of players, and cells beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reports.balance.claims import Graded, around, both
from reports.sweep import text
from simcore.contract import WHOLE
from simcore.errors import UsageError
from simcore.result import Result
from simcore.results import Results
from simcore.rules import changed
from simcore.stats import Estimate, Sample, share
from simcore.store import Stored


@dataclass(frozen=True)
class Study:
    """The results files of one game that a report is made from, and the band within which a seat is fair."""

    files: Sequence[Results]
    band: float

    def __post_init__(self) -> None:
        games = {entry.cell.game.name for file in self.files for entry in file.cells}
        if len(games) > 1:
            raise UsageError(
                f"report: these are files of several games ({', '.join(sorted(games))}); give one at a time"
            )
        if not any(file.finished for file in self.files):
            raise UsageError("report: no cell is finished yet; play the sweep to its end, with --resume")
        if not self.references:
            why = "other strategies sit at other seats, so that seats cannot be compared"
            raise UsageError(f"report: in all cells of the first file {why}; play with rotate = true")

    @property
    def game(self) -> Any:
        """The game."""
        return self.files[0].cells[0].cell.game

    @property
    def references(self) -> dict[int, Stored]:
        """The cell that speaks for each number of players: of the first file, the one with the fewest changed rules."""
        first = next(file for file in self.files if file.finished)
        found: dict[int, Stored] = {}
        like = [entry for entry in first.finished if entry.cell.rotations > 1 or len(entry.cell.names) == 1]
        for entry in sorted(like, key=lambda one: len(changed(one.cell.rules))):
            found.setdefault(entry.cell.players, entry)
        return dict(sorted(found.items()))

    @property
    def unfinished(self) -> int:
        """Cells that are still to be played."""
        return sum(len(file.cells) - len(file.finished) for file in self.files)


def result_of(entry: Stored) -> Result:
    """The result of a finished cell."""
    assert entry.result is not None
    return entry.result


def seat_samples(result: Result) -> list[Sample]:
    """The win share of each seat, as sums."""
    tally, rotations = result.tally, result.cell.rotations
    return [Sample(tally.deals, rotations, *tally.total(f"share_seat_{s}"), WHOLE) for s in range(result.cell.players)]


def family_of(players: int) -> int:
    """How many shares are told at once; of two seats, one says all."""
    return players if players > 2 else 1


def seat_shares(result: Result) -> list[Estimate]:
    """The win share of each seat; the 95 % intervals hold for all at once."""
    return [share(sample, family_of(result.cell.players)) for sample in seat_samples(result)]


def fairness_of(result: Result, band: float, many: int = 1) -> Graded:
    """Whether every seat is within the band of the fair share, and how surely.

    many: how many cells this one is picked from, so that it is not the luckiest of them.
    """
    players = result.cell.players
    spans = [both(sample, many * family_of(players)) for sample in seat_samples(result)]
    return around(spans, 1 / players, band)


def all_fairness(study: Study) -> dict[int, Graded]:
    """Whether the seats are fair with each number of players, all of these at once."""
    many = len(study.references)
    return {n: fairness_of(result_of(entry), study.band, many) for n, entry in study.references.items()}


def furthest(result: Result) -> int:
    """The seat that is furthest from the fair share."""
    fair = 1 / result.cell.players
    shares = seat_shares(result)
    return max(range(len(shares)), key=lambda seat: abs(shares[seat].estimate - fair))


def first_seat(result: Result) -> Estimate:
    """The first player's win share less the fair share, with a 95 % interval of its own."""
    found, fair = share(seat_samples(result)[0]), 1 / result.cell.players
    return Estimate(found.n, found.estimate - fair, found.low - fair, found.high - fair, found.method, found.sd)


def grids(study: Study) -> Iterator[Results]:
    """The files whose cells vary rules, one factor or more, other than rulings flipped one at a time."""
    for file in study.files:
        if any(entry.base for entry in file.cells):
            continue
        if len({variant(entry) for entry in file.finished}) > 1:
            yield file


def variant(entry: Stored) -> str:
    """What sets a cell apart beside the number of players and the line-up: its rules, in words."""
    rules = {name: text(value) for name, value in entry.factors.items() if name not in ("players", "strategies")}
    return ", ".join(value if name == "variant" else f"{name}={value}" for name, value in rules.items())


def metric(result: Result, name: str) -> Estimate | None:
    """A metric of the game, None where it does not count it or has nothing to divide by."""
    found = result.metric_estimates.get(name)
    return None if found is None or found.estimate != found.estimate else found
