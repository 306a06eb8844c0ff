"""What the cells of a game say of its course: length, ties, who leads at half-time, and when it is decided."""

from typing import TYPE_CHECKING

import numpy as np

from reports.balance import cells as read
from reports.balance.cells import Study, result_of
from reports.balance.claims import CANNOT, Claim, against, precise
from reports.balance.language import N_
from reports.balance.parts import Cell, Findings, Panel, Picture, Table
from simcore.course import INNER
from simcore.histogram import values
from simcore.result import Result
from simcore.stats import Histogram

if TYPE_CHECKING:
    import pandas as pd

POINT = 0.01
FINE = 150  # lengths that have a bar each
DEAD = 0.01  # a rule that brings anything about in fewer games is dead
LENGTH = N_(
    "With {players} players, a game takes {mean:one} {unit:question} on average; 9 in 10 take {low:count} to "
    "{high:count}."
)
LENGTH_MEAN = N_("With {players} players, a game takes {mean:one} {unit:question} on average.")
HALF = N_(
    "With {players} players, who leads at half-time wins {leader:percent} of the games, where {fair:percent} would be "
    "chance; those who are last still take {last:percent}."
)
CUT_OFF = N_("With {players} players, {games:share} of the games never ended and were cut off.")
DEAD_RULE = N_("With {players} players, {what:text} come up in {games:share} of the games: a dead rule.")
UNITS = {"attempts": N_("announcements"), "turns": N_("cards laid and bets"), "plays": N_("cards played")}
HAPPENS = {
    "thefts": N_("thefts"),
    "extras": N_("bonus cards"),
    "empty_columns": N_("columns nobody wins"),
    "shortages": N_("redeals short of cards"),
    "mulligans": N_("changed hands"),
    "opera": N_("Grands Opéras"),
    "stops": N_("stops"),
}


def course(study: Study) -> Findings:
    """Length and ties, and where the course was recorded: the leader at half-time, comebacks, when it is decided."""
    found = Findings()
    curves: list[Panel] = []
    lengths: list[Panel] = []
    for players, entry in study.references.items():
        result = result_of(entry)
        if not result.cell.game.metrics:
            continue
        found.claims.append(_length(players, result))
        cut = read.metric(result, "cut_off")
        if cut and cut.estimate > 0:
            values = {"players": players, "games": cut.estimate}
            found.claims.append(Claim("course", CUT_OFF, precise(cut, POINT), values))
        if result.cell.game.is_watched:
            found.claims += _halves(players, result)
            curves.append((players, {"fair": 1 / players}, _curves(result)))
            lengths.append((players, {}, _length_frame(result)))
    if curves:
        halves = [claim for claim in found.claims if claim.text == HALF]
        lasts = [claim for claim in found.claims if claim.text == LENGTH]
        games = max(result_of(entry).games for entry in study.references.values())
        found.pictures += [
            Picture("course", "course", "course", curves, halves, {}, games),
            Picture("course", "length", "game_length", lengths, lasts, {}, games),
        ]
    if study.game.metrics:
        found.tables.append(_table(study))
    return found


def _length(players: int, result: Result) -> Claim:
    name = result.cell.game.metrics[0].name
    mean = result.metric_estimates[name]
    told = {"players": players, "mean": mean.estimate, "unit": UNITS.get(name, name)}
    grade = precise(mean, 0.02 * mean.estimate)
    if not result.tally.lengths.any():
        return Claim("course", LENGTH_MEAN, grade, told)
    lengths, counts = _lengths(result)
    found = Histogram(lengths, counts, result.tally.deals)
    ends = {"low": found.quantile(0.05).estimate, "high": found.quantile(0.95).estimate}
    return Claim("course", LENGTH, grade, {**told, **ends})


def _lengths(result: Result) -> tuple[np.ndarray, np.ndarray]:
    counts = result.tally.lengths
    return values()[counts > 0], counts[counts > 0]


def _length_frame(result: Result) -> "pd.DataFrame":
    import pandas as pd

    lengths, counts = _lengths(result)
    span = lengths[-1] - lengths[0]
    width = 1 if span <= FINE else round(span / 40)
    bins = np.arange(lengths[0], lengths[-1] + width + 1, width)
    summed, _ = np.histogram(lengths, bins=bins, weights=counts)
    return pd.DataFrame({"length": bins[:-1], "width": float(width), "count": summed.astype(int)})


def _halves(players: int, result: Result) -> list[Claim]:
    """The leader at half-time, and rules that are dead."""
    leader, last = (result.metric_estimates[name] for name in ("leader_wins_4", "last_wins_4"))
    half = {"players": players, "leader": leader.estimate, "last": last.estimate, "fair": 1 / players}
    claims = [Claim("course", HALF, precise(leader, POINT), half)]
    for name, what in HAPPENS.items():
        used = read.metric(result, f"used_{name}")
        if used and used.estimate < DEAD:
            grade = against(used.estimate, used.low, used.high, DEAD).grade
            if grade != CANNOT:
                claims.append(
                    Claim("course", DEAD_RULE, grade, {"players": players, "what": what, "games": used.estimate})
                )
    return claims


NUMBERS = {
    "tied": ("share", N_("ties")),
    "leader_wins_4": ("share", N_("the leader at half-time wins")),
    "last_wins_4": ("share", N_("the last at half-time win")),
    "decision_time": ("share", N_("decided after")),
    "lead_changes": ("one", N_("changes of the leader")),
    "close": ("share", N_("margin of at most 1")),
}


def _table(study: Study) -> Table:
    """Every number of players with its numbers, and half of the interval's width."""
    rows: list[list[Cell]] = []
    first = result_of(next(iter(study.references.values())))
    names = {name: told for name, told in NUMBERS.items() if name in first.metric_estimates}
    for players, entry in study.references.items():
        found = result_of(entry).metric_estimates
        length = found[entry.cell.game.metrics[0].name]
        row: list[Cell] = [("count", players), ("one", length.estimate)]
        for name, (form, _) in names.items():
            row.append((form, found[name].estimate))
        rows.append(row)
    heads = (N_("players"), N_("length"), *(head for _, head in names.values()))
    return Table("course", N_("How games go"), heads, rows)


def _curves(result: Result) -> "pd.DataFrame":
    import pandas as pd

    rows = []
    for curve in ("leader_wins", "decided", "last_wins"):
        for part in INNER:
            found = result.metric_estimates[f"{curve}_{part}"]
            ends = {"estimate": found.estimate, "low": found.low, "high": found.high}
            rows.append({"progress": int(part) / 8, "curve": curve, **ends})
    return pd.DataFrame(rows)
