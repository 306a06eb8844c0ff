"""What the cells of a game say of fairness: the verdict, what to print on the box, and seat by seat."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reports.balance import cells as read
from reports.balance.cells import Study, result_of
from reports.balance.claims import CANNOT, INSIDE, LIKELY, OUTSIDE, SURE, Claim, Graded, against, precise
from reports.balance.language import N_
from reports.balance.parts import Cell, Findings, Panel, Picture, Table
from simcore.cell import MOST_GAMES
from simcore.contract import WHOLE
from simcore.paired import block_games
from simcore.result import Result
from simcore.stats import fairness, share

if TYPE_CHECKING:
    import pandas as pd

MOST_SENTENCES, MOST_SINGLE = 5, 4  # in all, and before numbers of players are told together

FAIR = N_("With {players:join} players, every seat wins within {band:band} of its fair share.")
FAIR_ONE = N_("With {players} players, every seat wins within {band:band} of its fair share.")
UNFAIR_MORE = N_(
    "With {players} players, seat {seat} wins {share:share} of the games, where {fair:share} would be fair: "
    "{more:percent} more often than fair."
)
UNFAIR_LESS = N_(
    "With {players} players, seat {seat} wins {share:share} of the games, where {fair:share} would be fair: "
    "{more:percent} less often than fair."
)
UNFAIR_MANY = N_(
    "With {players:join} players, some seat is outside {band:band} of its fair share; most of all seat {seat} of "
    "{worst}, which wins {share:share} where {fair:share} would be fair."
)
UNKNOWN = N_(
    "With {players} players, it cannot be said yet whether every seat is fair: play about {games:count} games."
)
UNKNOWN_MANY = N_("With {players:join} players, it cannot be said yet whether every seat is fair: play more games.")
BOX_ALL = N_("Print on the box: {players:join} players. No seat is off by more than {band:band}.")
BOX_SOME = N_(
    "Print on the box: {players:join} players. With {others:join} players, somebody wins too often or too seldom."
)
BOX_NONE = N_("As it is, no number of players holds up: each gives some seat too many or too few wins.")
BOX_OPEN = N_("What to print on the box cannot be said yet: more games are needed with {players:join} players.")
FIRST_MORE = N_(
    "With {players} players, who begins wins {points:points} more than the fair share ({low:change} to {high:change})."
)
FIRST_LESS = N_(
    "With {players} players, who begins wins {points:points} less than the fair share ({low:change} to {high:change})."
)
FIRST_OPEN = N_(
    "With {players} players, it cannot be said yet whether beginning helps ({low:change} to {high:change} points)."
)


def verdict(study: Study) -> Findings:
    """At most five sentences on all numbers of players, and a table."""
    graded = read.all_fairness(study)
    groups: dict[tuple[str, str], list[int]] = {}
    for players, found in graded.items():
        groups.setdefault((found.where, found.grade), []).append(players)
    single = len(graded) <= MOST_SINGLE
    claims = []
    for (where, grade), counts in groups.items():
        if where == INSIDE:
            values = {"players": counts if len(counts) > 1 else counts[0], "band": study.band}
            claims.append(Claim("verdict", FAIR if len(counts) > 1 else FAIR_ONE, grade, values))
        elif single:
            claims += [_not_fair(study, players, graded[players]) for players in counts]
        else:
            claims.append(_several(study, counts, Graded(where, grade)))
    return Findings(claims[:MOST_SENTENCES], [_table(study, graded)])


def _not_fair(study: Study, players: int, found: Graded) -> Claim:
    result = result_of(study.references[players])
    if found.where != OUTSIDE:
        return Claim("verdict", UNKNOWN, CANNOT, {"players": players, "games": games_needed(result, study.band)})
    seat, fair = read.furthest(result), 1 / players
    won = read.seat_shares(result)[seat].estimate
    values = {"players": players, "seat": seat + 1, "share": won, "fair": fair, "more": abs(won / fair - 1)}
    return Claim("verdict", UNFAIR_MORE if won > fair else UNFAIR_LESS, found.grade, values)


def _several(study: Study, counts: Sequence[int], found: Graded) -> Claim:
    if len(counts) == 1:
        return _not_fair(study, counts[0], found)
    if found.where != OUTSIDE:
        return Claim("verdict", UNKNOWN_MANY, CANNOT, {"players": list(counts)})
    off = {players: result_of(study.references[players]) for players in counts}
    gaps = {n: abs(read.seat_shares(one)[read.furthest(one)].estimate * n - 1) for n, one in off.items()}
    worst = max(gaps, key=lambda players: gaps[players])
    seat = read.furthest(off[worst])
    values = {"players": list(counts), "band": study.band, "worst": worst, "seat": seat + 1, "fair": 1 / worst}
    return Claim("verdict", UNFAIR_MANY, found.grade, {**values, "share": read.seat_shares(off[worst])[seat].estimate})


def games_needed(result: Result, band: float) -> float:
    """How many games would settle whether the seats are fair, to two digits."""
    needed = min(max(fairness(read.seat_samples(result), band).games_needed, 2.0 * result.games), MOST_GAMES)
    size = 10 ** max(0, len(str(int(needed))) - 2)
    return float(-(-needed // size) * size)


ANSWERS = {
    INSIDE: {SURE: N_("fair"), LIKELY: N_("likely fair")},
    OUTSIDE: {SURE: N_("unfair"), LIKELY: N_("likely unfair")},
}


def _table(study: Study, graded: dict[int, Graded]) -> Table:
    rows: list[list[Cell]] = []
    for players, entry in study.references.items():
        result, found = result_of(entry), graded[players]
        seat = read.furthest(result)
        off = read.seat_shares(result)[seat]
        answer: Cell = ("text", ANSWERS.get(found.where, {}).get(found.grade, ""))
        if found.grade == CANNOT:
            answer = ("more_games", games_needed(result, study.band))
        gap = off.estimate - 1 / players
        rows.append(
            [("count", players), answer, ("count", seat + 1), ("share", off.estimate), ("share", 1 / players)]
            + [("change", gap), ("change", off.low - 1 / players), ("change", off.high - 1 / players)]
            + [("count", result.games)]
        )
    heads = (
        N_("players"),
        N_("verdict"),
        N_("furthest seat"),
        N_("it wins"),
        N_("fair"),
        N_("off by, points"),
        N_("at least"),
        N_("at most"),
        N_("games"),
    )
    return Table("verdict", N_("How fair each number of players is"), heads, rows)


def box(study: Study) -> Findings:
    """Which numbers of players hold up."""
    graded = read.all_fairness(study)
    good = [players for players, found in graded.items() if found.where == INSIDE]
    bad = [players for players, found in graded.items() if found.where == OUTSIDE]
    unsure = [players for players, found in graded.items() if found.grade == CANNOT]
    grade = LIKELY if any(graded[n].grade == LIKELY for n in [*good, *bad]) else SURE
    claims = []
    if good and bad:
        claims.append(Claim("box", BOX_SOME, grade, {"players": good, "others": bad}))
    elif good:
        claims.append(Claim("box", BOX_ALL, grade, {"players": good, "band": study.band}))
    elif bad and not unsure:
        claims.append(Claim("box", BOX_NONE, grade, {}))
    if unsure:
        claims.append(Claim("box", BOX_OPEN, CANNOT, {"players": unsure}))
    return Findings(claims)


def seats(study: Study) -> Findings:
    """Who begins, and every seat's share."""
    claims, frames, games = [], [], 0
    for players, entry in study.references.items():
        result = result_of(entry)
        first, games = read.first_seat(result), max(games, result.games)
        found = against(first.estimate, first.low, first.high, 0.0)
        text = FIRST_OPEN if found.grade == CANNOT else FIRST_MORE if first.estimate > 0 else FIRST_LESS
        values = {"players": players, "points": abs(first.estimate), "low": first.low, "high": first.high}
        claims.append(Claim("seats", text, found.grade, values))
        frames.append((players, _seat_frame(result)))
    panels: list[Panel] = [(players, {}, frame) for players, frame in frames]
    picture = Picture("seats", "seats", "seat_shares", panels, verdict(study).claims, {"band": study.band}, games)
    settled = _convergence(study)
    told = [claim for one in settled for claim in one.claims]
    return Findings([*claims, *told], [_seat_table(study)], [picture, *settled])


def _seat_frame(result: Result) -> "pd.DataFrame":
    import pandas as pd

    shares = read.seat_shares(result)
    rows = [
        {"seat": s + 1, "estimate": e.estimate, "low": e.low, "high": e.high, "n": e.n} for s, e in enumerate(shares)
    ]
    return pd.DataFrame(rows)


def _seat_table(study: Study) -> Table:
    rows: list[list[Cell]] = []
    for players, entry in study.references.items():
        for seat, found in enumerate(read.seat_shares(result_of(entry))):
            rows.append(
                [("count", players), ("count", seat + 1), ("share", found.estimate), ("share", found.low)]
                + [("share", found.high), ("change", found.estimate - 1 / players)]
            )
    heads = (N_("players"), N_("seat"), N_("wins"), N_("at least"), N_("at most"), N_("off by, points"))
    return Table("seats", N_("Every seat; the intervals of a table hold at once"), heads, rows)


CONVERGES = N_("With {players} players, the first seat's share settled at {share:share} over {games:count} games.")


def _convergence(study: Study) -> list[Picture]:
    """How the first seat's share settled, over the blocks of games."""
    import pandas as pd

    players, entry = next(iter(study.references.items()))
    result = result_of(entry)
    tops, counts = result.tally.blocks("share_seat_0"), block_games(result)
    rows, shares = [], [top / (count * WHOLE) for top, count in zip(tops, counts, strict=True)]
    for last in (2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64):
        if last > len(shares):
            break
        known = sum(counts[:last])
        value = sum(tops[:last]) / (known * WHOLE)
        spread = (sum((one - value) ** 2 for one in shares) / (len(shares) - 1) / last) ** 0.5 if last > 1 else 0.0
        rows.append({"n": known, "estimate": value, "low": value - 1.96 * spread, "high": value + 1.96 * spread})
    if len(rows) < 3:
        return []
    won = read.seat_shares(result)[0].estimate
    claim = Claim(
        "seats",
        CONVERGES,
        precise(share(read.seat_samples(result)[0]), 0.005),
        {"players": players, "share": won, "games": result.games},
    )
    options = {"band": study.band, "fair": 1 / players}
    return [
        Picture("seats", "convergence", "convergence", [(None, {}, pd.DataFrame(rows))], [claim], options, result.games)
    ]
