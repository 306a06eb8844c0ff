"""What a report says of strategies: which pay, and which are dominated among those supplied."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reports.balance.cells import Study, result_of
from reports.balance.claims import CANNOT, LIKELY, SURE, Claim
from reports.balance.language import N_
from reports.balance.parts import Cell, Findings, Panel, Picture, Table
from simcore.results import Results
from simcore.tournament import Match, Tournament, line_ups

if TYPE_CHECKING:
    import pandas as pd

SURE_ERROR, LIKELY_ERROR = 0.005, 0.1

BEST = N_(
    "With {players} players, {name} does best among the strategies supplied: it wins {mean:share} of the games on"
    " average."
)
BEST_OPEN = N_(
    "With {players} players, it cannot be said yet which of the strategies supplied is the best; {name} has won most: "
    "{mean:share} on average."
)
DOMINATED = N_(
    "With {players} players, dominated among the strategies supplied: {names:join}. Another one wins more in "
    "every company."
)
NONE_DOMINATED = N_("With {players} players, none of the strategies supplied is surely beaten in every company.")
UNFINISHED = N_("With {players} players, the tournament is not played to its end yet.")
NO_TOURNAMENT = N_("This file compares no strategies with each other; every seat plays {name}.")


def strategies(study: Study) -> Findings:
    """Every tournament among the files; where there is none, who plays."""
    found = Findings()
    for file in study.files:
        for players in sorted({entry.cell.players for entry in file.finished}):
            table = tournament(file, players)
            if table is not None:
                found.add(_told(players, table))
            elif file.about["experiment"].get("tournament"):
                found.claims.append(Claim("strategies", UNFINISHED, CANNOT, {"players": players}))
    if not found.claims:
        names = next(iter(study.references.values())).cell.names
        found.claims.append(Claim("strategies", NO_TOURNAMENT, SURE, {"name": ", ".join(names)}))
    return found


def tournament(file: Results, players: int) -> Tournament | None:
    """The tournament that a file has with so many players; None when it is none, or not all of it is played."""
    pool = file.about["experiment"].get("tournament")
    if not pool:
        return None
    first = next(
        entry for entry in file.finished if entry.cell.players == players
    )  # of several sets of rules, the first
    same = [e for e in file.finished if (e.cell.players, e.cell.rules) == (players, first.cell.rules)]
    here = {",".join(one.text for one in entry.cell.line_up): entry for entry in same}
    played = []
    for focal, field, line in line_ups(pool, players):
        entry = here.get(",".join(line))
        if entry is None:
            return None
        played.append((Match(focal, field, entry.cell), result_of(entry)))
    return Tournament(pool, played)


def _told(players: int, table: Tournament) -> Findings:
    standings, sure = table.standings(), table.dominations(SURE_ERROR)
    best = standings[0]
    beaten = {other for one, other in sure if one == best.name}
    values = {"players": players, "name": best.name, "mean": best.mean}
    is_best = len(beaten) == len(table.pool) - 1
    claims = [Claim("strategies", BEST if is_best else BEST_OPEN, SURE if is_best else CANNOT, values)]
    for grade, pairs in ((SURE, sure), (LIKELY, table.dominations(LIKELY_ERROR))):
        names = [name for name in table.pool if name in {other for _, other in pairs}]
        known = [name for name in table.pool if name in {other for _, other in sure}] if grade == LIKELY else []
        more = [name for name in names if name not in known]
        if more:
            claims.append(Claim("strategies", DOMINATED, grade, {"players": players, "names": more}))
    if len(claims) == 1:
        claims.append(Claim("strategies", NONE_DOMINATED, CANNOT, {"players": players}))
    frame = _frame(table, {other for _, other in sure})
    panel: Panel = (players, {}, frame)
    picture = Picture("strategies", f"duels-{players}", "payoff_matrix", [panel], claims, {}, table.games)
    rows: list[list[Cell]] = [
        [
            ("", one.name),
            ("count", players),
            ("share", one.mean),
            ("", ", ".join(winner for winner, other in sure if other == one.name)),
        ]
        for one in standings
    ]
    heads = (N_("strategy"), N_("players"), N_("wins on average"), N_("surely beaten everywhere by"))
    caption = N_("Strategies by the mean of their wins, each alone among copies of each")
    return Findings(claims, [Table("strategies", caption, heads, rows)], [picture])


def _join(pairs: Sequence[tuple[str, str]], name: str) -> str:
    """Who beats a strategy everywhere."""
    return ", ".join(winner for winner, other in pairs if other == name)


def _frame(table: Tournament, dominated: set[str]) -> "pd.DataFrame":
    import pandas as pd

    fair, rows = 1 / table.players, []
    for focal in table.pool:
        for field in table.pool:
            found = table.share(focal, field)
            ends = {"estimate": 0.0, "low": 0.0, "high": 0.0}
            if found:
                ends = {"estimate": found.estimate - fair, "low": found.low - fair, "high": found.high - fair}
            rows.append({"focal": focal, "field": field, **ends, "dominated": focal in dominated})
    return pd.DataFrame(rows)
