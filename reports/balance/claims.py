"""What a report claims: a sentence's numbers, and how sure it is. Every sentence is made from these and nothing else.

A claim is *sure* when an interval that is wrong once in 200 bears it out, *likely* when only one that is wrong once in
10 does, else it *cannot be said yet*. A claim about several seats or cells at once takes an interval for all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reports.balance.language import N_, Language
from simcore.stats import Estimate, Sample, share

SURE, LIKELY, CANNOT = "sure", "likely", "cannot"
GRADES = {SURE: N_("sure"), LIKELY: N_("likely"), CANNOT: N_("cannot say yet")}
SIGNS = {SURE: "●", LIKELY: "◐", CANNOT: "○"}
FEWEST = 30  # games
SURE_FAMILY, LIKELY_FAMILY = 10, 0.5  # an interval of 95 % for a family of 10 is one of 99.5 % alone; of 1/2, 90 %
INSIDE, OUTSIDE, UNKNOWN = "inside", "outside", "unknown"


@dataclass(frozen=True)
class Claim:
    """One sentence: its section, the English text with places for numbers, the numbers, and its grade."""

    section: str
    text: str
    grade: str
    values: dict[str, Any]

    def sentence(self, language: Language) -> str:
        """The sentence in a language."""
        return language.fill(self.text, self.values)

    def document(self) -> dict[str, Any]:
        """The claim as JSON holds it."""
        return {"section": self.section, "text": self.text, "grade": self.grade, "values": self.values}


@dataclass(frozen=True)
class Graded:
    """Where a number lies against a band around a centre, and how surely."""

    where: str
    grade: str


def around(estimates: Sequence[tuple[Estimate, Estimate]], centre: float, band: float) -> Graded:
    """Whether all of these lie within a band, or one lies outside; each as its sure and its likely interval."""
    for grade, tier in ((SURE, 0), (LIKELY, 1)):
        spans = [pair[tier] for pair in estimates]
        if any(one.low > centre + band or one.high < centre - band for one in spans):
            return Graded(OUTSIDE, grade)
        if all(centre - band <= one.low and one.high <= centre + band for one in spans):
            return Graded(INSIDE, grade)
    return Graded(UNKNOWN, CANNOT)


def both(sample: Sample, family: int = 1) -> tuple[Estimate, Estimate]:
    """The sure and the likely interval of a share, for so many claims at once."""
    return share(sample, SURE_FAMILY * family), share(sample, LIKELY_FAMILY * family)


def precise(found: Estimate, step: float) -> str:
    """How surely a number is told when its last digit is worth so much; of fewer than 30 games nothing is."""
    if found.n < FEWEST:
        return CANNOT
    for grade, (low, high) in zip((SURE, LIKELY), widened(found.low, found.high, found.estimate), strict=True):
        if max(high - found.estimate, found.estimate - low) <= step:
            return grade
    return CANNOT


def widened(low: float, high: float, value: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """A 95 % interval of one number as a sure and a likely one, by the normal law."""
    sure, likely = 2.807 / 1.96, 1.645 / 1.96
    wide, narrow = ((value - (value - low) * factor, value + (high - value) * factor) for factor in (sure, likely))
    return wide, narrow


def against(value: float, low: float, high: float, centre: float, band: float = 0.0) -> Graded:
    """Like `around`, for a single number with its 95 % interval; with no band, on which side of the centre it is."""
    for grade, (least, most) in zip((SURE, LIKELY), widened(low, high, value), strict=True):
        if least > centre + band or most < centre - band:
            return Graded(OUTSIDE, grade)
        if band and centre - band <= least and most <= centre + band:
            return Graded(INSIDE, grade)
    return Graded(UNKNOWN, CANNOT)
