"""When a run may stop before all its games: a wanted width, or a verdict that looking often does not spoil.

Both look after fixed numbers of deals, in game order, so that neither threads nor chunks change where they stop.
Sources: Chow and Robbins 1965 for the width; Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2024 (asymptotic
confidence sequences) for the verdict.
"""

from dataclasses import dataclass
from math import log, sqrt
from typing import ClassVar

from simcore.contract import WHOLE
from simcore.stats import CONFIDENCE, Sample, share
from simcore.tally import Tally

BATCH = 1000  # deals between looks, or a twentieth of the deals where that is more
FIRST_LOOK = 20 * BATCH
TIGHTEST = 50_000  # deals at which a confidence sequence is tightest
WIDTH_REACHED, FAIR, UNFAIR = "width reached", "fair", "unfair"
WIDTH_NOT_REACHED, UNDECIDED = "width not reached", "undecided"  # all games are played


def next_look(deals: int) -> int:
    """The number of deals, above this one, after which a stopping rule looks again."""
    look = FIRST_LOOK
    while look <= deals:
        look += max(BATCH, look // 20)
    return look


def seat_samples(tally: Tally) -> list[Sample]:
    """The win share of each seat."""
    names = [f"share_seat_{seat}" for seat in range(tally.cell.players)]
    return [Sample(tally.deals, tally.cell.rotations, *tally.total(name), WHOLE) for name in names]


@dataclass(frozen=True)
class UntilWidth:
    """Stops when the interval of every seat's win share is no wider than this."""

    width: float
    spent: ClassVar[str] = WIDTH_NOT_REACHED

    def reason(self, tally: Tally) -> str:
        """Why the run stops here; nothing when it goes on."""
        found = [share(sample) for sample in seat_samples(tally)]
        return WIDTH_REACHED if all(one.high - one.low <= self.width for one in found) else ""


@dataclass(frozen=True)
class UntilDecided:
    """Stops when it is sure, however often one looks, that all seats are fair within the band, or that one is not."""

    band: float
    spent: ClassVar[str] = UNDECIDED

    def reason(self, tally: Tally) -> str:
        """Why the run stops here; nothing when it goes on."""
        return decided(tally, self.band)


StoppingRule = UntilWidth | UntilDecided


def decided(tally: Tally, band: float) -> str:
    """FAIR, UNFAIR, or nothing yet: intervals that hold for all seats and at all looks together."""
    samples = seat_samples(tally)
    fair = 1 / len(samples)
    family = len(samples) if len(samples) > 2 else 1
    gaps = [(abs(sample.mean - fair), half_width(sample, family)) for sample in samples]
    if any(gap - half > band for gap, half in gaps):
        return UNFAIR
    return FAIR if all(gap + half <= band for gap, half in gaps) else ""


def half_width(sample: Sample, family: int) -> float:
    """Half the width of an asymptotic confidence sequence after these deals, shared by a family of them."""
    alpha, deals = (1 - CONFIDENCE) / family, sample.deals
    rho = (-(alpha**2) - 2 * log(alpha) + log(-2 * log(alpha) + 1 - alpha**2)) / TIGHTEST
    spread = deals * rho + 1
    return sqrt(sample.variance * spread / (deals**2 * rho) * log(spread / alpha**2))
