"""The questions that each game's designer asks, answered from what the game counts of itself."""

from collections.abc import Callable

from reports.balance import cells as read
from reports.balance.cells import Study, result_of
from reports.balance.claims import (
    CANNOT,
    FEWEST,
    INSIDE,
    LIKELY,
    OUTSIDE,
    SURE,
    SURE_FAMILY,
    Claim,
    against,
    precise,
    widened,
)
from reports.balance.language import N_
from reports.balance.parts import Cell, Findings, Table
from reports.balance.variants import by_variant
from simcore.games.nain_jaune_rules import stake_list
from simcore.games.paris_rules import WRONG_DRAW, draw_numbers
from simcore.paired import compare
from simcore.result import Result
from simcore.rulings import NO, YES, flips
from simcore.stats import Estimate

DEAD_BET = 0.01  # of all bets

LAST_BETS = N_(
    "With {players} players, the last to bet is right {last:percent} of the time, the first {first:percent}."
)
DEAD_BETS = N_(
    "With {players} players, a bet on {bets:join} is hardly ever made (fewer than 1 in 100): as these strategies "
    "play, it is dead."
)
NO_DEAD_BETS = N_("With {players} players, every bet is made in at least 1 in 100 cases.")
WORST_BET = N_(
    "With {players} players, a bet on {bet} brings {cards:one} cards on average, one on {best} brings {most:one}."
)
RICH_LOSE = N_("With {players} players, who has most points in all does not win in {games:share} of the games.")
TABLES_FAIR = N_(
    "With {players} players, every seat is fair under the tables {fair:join}; which is nicest to play, these "
    "numbers do not say."
)
TABLES_NONE = N_(
    "With {players} players, no table of new cards is surely fair; {best} comes closest in these games, seat {seat} is "
    "off by {points:points}."
)
JOKERS_MOVE = N_("Jokers that move a seat, the length or the ties: {names:join}.")
JOKERS_STILL = N_("Jokers that surely change none of these by more than {band:band}: {names:join}.")
CENTRE = N_(
    "With {players} players, the {best:text} in the centre brings {most:two} cards, the {worst:text} {least:two}."
)
THEFTS = N_("With {players} players, {thefts:one} cards are stolen in a game.")
NO_THEFTS = N_(
    "Without thefts, who leads at half-time wins {without:percent} of the games with {players} players; with them"
    " {leader:percent}."
)
THEFTS_SEAT = N_(
    "With {players} players, thefts change the first player's share by {change:moved} ({low:change} to {high:change})."
)
POTS = N_("With {players} players, {pots:percent} of all chips are won from pots, {hands:percent} from hands.")
FIRST_DEAL = N_("With {players} players, who plays first wins {share:share} of the deals; {fair:share} would be fair.")
POT_GROWTH = N_(
    "With {players} players, the pot on the {card:text} holds {pot:one} chips when a deal begins, {times:one} "
    "times what is staked on it in a deal."
)
OPERA = N_("With {players} players, a Grand Opéra comes in {share:share} of the deals.")
RANKS = {
    "ace": N_("ace"), "2": N_("2"), "3": N_("3"), "4": N_("4"), "5": N_("5"), "6": N_("6"), "7": N_("7"),
    "jack": N_("jack"), "queen": N_("queen"), "king": N_("king"),
}  # fmt: skip
POT_NAMES = {
    "10_of_diamonds": N_("10 of diamonds"),
    "jack_of_clubs": N_("jack of clubs"),
    "queen_of_spades": N_("queen of spades"),
    "king_of_hearts": N_("king of hearts"),
    "7_of_diamonds": N_("7 of diamonds"),
}
ORDER = ("first", "second", "third", "fourth")


def questions(study: Study) -> Findings:
    """The game's own questions; nothing for a game that has none here."""
    ask = ASKED.get(study.game.name)
    return ask(study) if ask else Findings()


def _paris(study: Study) -> Findings:
    found, rows = Findings(), []
    for players, entry in study.references.items():
        result = result_of(entry)
        first, last = (read.metric(result, f"right_at_{ORDER[place]}") for place in (0, players - 1))
        if first and last:
            values = {"players": players, "first": first.estimate, "last": last.estimate}
            found.claims.append(Claim("questions", LAST_BETS, precise(last, 0.01), values))
        made = {bet: read.metric(result, f"bets_{bet}") for bet in range(1, players + 1)}
        bets = {bet: one.estimate for bet, one in made.items() if one}
        rows += _bet_rows(players, result, bets)
        found.claims += _bets(players, result, bets)
        loses = read.metric(result, "most_points_lose")
        if loses:
            found.claims.append(
                Claim("questions", RICH_LOSE, precise(loses, 0.01), {"players": players, "games": loses.estimate})
            )
    heads = (N_("bet"), N_("players"), N_("of all bets"), N_("right"), N_("new cards on average"))
    found.tables.append(Table("questions", N_("What each bet brings"), heads, rows))
    found.add(_draw_tables(study))
    found.add(_jokers(study))
    return found


def _brings(result: Result, bet: int) -> Estimate | None:
    """New cards that a bet brings on average, from how often it is right."""
    rules, hit = result.cell.rules, read.metric(result, f"hits_{bet}")
    if hit is None:
        return None
    right = draw_numbers(rules, result.cell.players)[bet - 1]
    wrong = WRONG_DRAW.get(rules.draw_table, 8) if rules.wrong_draw == "table" else int(rules.wrong_draw)
    low, high = sorted(share * right + (1 - share) * wrong for share in (hit.low, hit.high))
    return Estimate(hit.n, hit.estimate * right + (1 - hit.estimate) * wrong, low, high, hit.method, hit.sd)


def _bet_rows(players: int, result: Result, bets: dict[int, float]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for bet, made in bets.items():
        hit, cards = read.metric(result, f"hits_{bet}"), _brings(result, bet)
        row: list[Cell] = [("count", bet), ("count", players), ("share", made / sum(bets.values()))]
        rows.append(
            [*row, ("share", hit.estimate) if hit else ("", "–"), ("one", cards.estimate) if cards else ("", "–")]
        )
    return rows


def _bets(players: int, result: Result, bets: dict[int, float]) -> list[Claim]:
    """Bets that nobody makes, and the best and the worst of those that are made."""
    whole = sum(bets.values())
    grades = {bet: _made(result, bet, whole) for bet in bets}
    dead = [bet for bet, made in bets.items() if made < DEAD_BET * whole]
    told = [grades[bet] for bet in dead or bets]
    grade = CANNOT if CANNOT in told else LIKELY if LIKELY in told else SURE
    values = {"players": players, "bets": dead} if dead else {"players": players}
    claims = [Claim("questions", DEAD_BETS if dead else NO_DEAD_BETS, grade, values)]
    brings = {bet: cards for bet in bets if bet not in dead and (cards := _brings(result, bet)) is not None}
    if len(brings) > 1:
        worst, best = (pick(brings, key=lambda bet: brings[bet].estimate) for pick in (min, max))
        told_cards = {"bet": worst, "cards": brings[worst].estimate, "best": best, "most": brings[best].estimate}
        grade = _apart(brings[best], brings[worst])
        claims.append(Claim("questions", WORST_BET, grade, {"players": players, **told_cards}))
    return claims


def _made(result: Result, bet: int, whole: float) -> str:
    """How surely a bet is made more or less often than a dead one."""
    found = result.metric_estimates[f"bets_{bet}"]
    if found.n < FEWEST:
        return CANNOT
    return against(found.estimate / whole, found.low / whole, found.high / whole, DEAD_BET).grade


def _draw_tables(study: Study) -> Findings:
    """Which table of new cards is fair, where a file tries them."""
    found = Findings()
    for file in read.grids(study):
        named = {
            name.split("=")[1]: cells for name, cells in by_variant(file).items() if name.startswith("draw_table=")
        }
        named = {name: cells for name, cells in named.items() if "," not in name}
        for players in study.references if len(named) > 1 else ():
            cells = {name: entries[players] for name, entries in named.items() if players in entries}
            if not cells:
                continue
            graded = {name: read.fairness_of(result_of(entry), study.band, len(cells)) for name, entry in cells.items()}
            fair = [name for name, one in graded.items() if (one.where, one.grade) == (INSIDE, SURE)]
            if fair:
                found.claims.append(Claim("questions", TABLES_FAIR, SURE, {"players": players, "fair": fair}))
                continue
            off = {name: abs(_gap(result_of(entry))) for name, entry in cells.items()}
            best = min(off, key=lambda name: off[name])
            seat = read.furthest(result_of(cells[best])) + 1
            values = {"players": players, "best": best, "seat": seat, "points": off[best]}
            is_sure = all((one.where, one.grade) == (OUTSIDE, SURE) for one in graded.values())
            found.claims.append(Claim("questions", TABLES_NONE, SURE if is_sure else CANNOT, values))
    return found


def _gap(result: Result) -> float:
    return read.seat_shares(result)[read.furthest(result)].estimate - 1 / result.cell.players


def _jokers(study: Study) -> Findings:
    """What jokers change, where rulings are flipped."""
    verdicts: dict[str, set[str]] = {}
    for file in study.files:
        for flip in flips(file, study.band, SURE_FAMILY):
            if flip.ruling.startswith(("jokers=", "joker_mode=")):
                verdicts.setdefault(flip.ruling, set()).add(flip.verdict)
    moving = [name for name, found in verdicts.items() if YES in found]
    still = [name for name, found in verdicts.items() if found == {NO}]
    claims = []
    if moving:
        claims.append(Claim("questions", JOKERS_MOVE, SURE, {"names": moving}))
    if still:
        claims.append(Claim("questions", JOKERS_STILL, SURE, {"names": still, "band": study.band}))
    return Findings(claims)


def _doigt(study: Study) -> Findings:
    found, rows = Findings(), []
    for players, entry in study.references.items():
        result = result_of(entry)
        worth = {rank: one for rank in RANKS if (one := read.metric(result, f"brought_by_{rank}"))}
        if worth:
            best, worst = (pick(worth, key=lambda rank: worth[rank].estimate) for pick in (max, min))
            values = {"players": players, "best": RANKS[best], "most": worth[best].estimate}
            values |= {"worst": RANKS[worst], "least": worth[worst].estimate}
            found.claims.append(Claim("questions", CENTRE, _apart(worth[best], worth[worst]), values))
            rows += [
                [("text", RANKS[rank]), ("count", players), ("two", one.estimate), ("two", one.low), ("two", one.high)]
                for rank, one in worth.items()
            ]
        thefts = result.metric_estimates["thefts"]
        found.claims.append(
            Claim("questions", THEFTS, precise(thefts, 0.1), {"players": players, "thefts": thefts.estimate})
        )
        found.add(_without_thefts(study, players, result))
    if rows:
        heads = (N_("centre card"), N_("players"), N_("cards it brings"), N_("at least"), N_("at most"))
        found.tables.append(Table("questions", N_("What a centre card is worth to who wins it"), heads, rows))
    return found


def _apart(one: Estimate, other: Estimate) -> str:
    """How surely two numbers differ; of fewer than 30 games nothing is."""
    if min(one.n, other.n) < FEWEST:
        return CANNOT
    first, second = (widened(each.low, each.high, each.estimate) for each in (one, other))
    for grade, (low, high), (least, most) in zip((SURE, LIKELY), first, second, strict=True):
        if low > most or least > high:
            return grade
    return CANNOT


def _without_thefts(study: Study, players: int, result: Result) -> Findings:
    """Two cells of one file that differ by `steal` alone, and otherwise have the rules of the reference."""
    cell = result.cell
    for file in study.files:
        pair = {
            entry.cell.rules.steal: result_of(entry)
            for entry in file.finished
            if (entry.cell.players, entry.cell.line_up) == (players, cell.line_up)
            and _but_steal(entry.cell.rules) == _but_steal(cell.rules)
        }
        if {"on", "off"} <= set(pair):
            first = compare(pair["off"], pair["on"])[0]
            values = {"players": players, "change": first.change, "low": first.low, "high": first.high}
            grade = against(first.change, first.low, first.high, 0.0).grade
            claims = [Claim("questions", THEFTS_SEAT, grade, values)]
            leads = [read.metric(pair[steal], "leader_wins_4") for steal in ("off", "on")]
            if leads[0] and leads[1]:
                told = {"players": players, "without": leads[0].estimate, "leader": leads[1].estimate}
                claims.append(Claim("questions", NO_THEFTS, _apart(leads[0], leads[1]), told))
            return Findings(claims)
    return Findings()


def _but_steal(rules: object) -> dict[str, object]:
    return {name: value for name, value in vars(rules).items() if name != "steal"}


def _nain(study: Study) -> Findings:
    found, rows = Findings(), []
    for players, entry in study.references.items():
        result = result_of(entry)
        metrics = result.metric_estimates
        pots = {"pots": metrics["pots_income"].estimate, "hands": metrics["hands_income"].estimate}
        found.claims.append(
            Claim("questions", POTS, precise(metrics["pots_income"], 0.01), {"players": players, **pots})
        )
        first = metrics["first_player_wins"]
        values = {"players": players, "share": first.estimate, "fair": 1 / players}
        grade = against(first.estimate, first.low, first.high, 1 / players)
        found.claims.append(Claim("questions", FIRST_DEAL, grade.grade, values))
        opera = metrics["opera"].estimate
        found.claims.append(
            Claim("questions", OPERA, precise(metrics["opera"], 0.01), {"players": players, "share": opera})
        )
        stakes = dict(zip(POT_NAMES, stake_list(result.cell.rules), strict=True))
        grown = {}
        for name, stake in stakes.items():
            held = metrics[f"pots_{name}"].estimate
            staked = stake * (1 if result.cell.rules.stake_by == "dealer" else players)
            grown[name] = held / staked if staked else 0.0
            taken, doubled = metrics[f"taken_{name}"].estimate, metrics[f"doubled_{name}"].estimate
            rows.append(
                [("text", POT_NAMES[name]), ("count", players), ("one", held), ("one", grown[name])]
                + [("share", taken), ("share", doubled)]
            )
        most = max(grown, key=lambda name: grown[name])
        pot = metrics[f"pots_{most}"]
        told = {"players": players, "card": POT_NAMES[most], "times": grown[most], "pot": pot.estimate}
        found.claims.append(Claim("questions", POT_GROWTH, precise(pot, 0.1 * pot.estimate), told))
    heads = (
        *(N_("pot"), N_("players"), N_("chips before a deal"), N_("times the stakes of a deal")),
        *(N_("taken"), N_("card kept in a hand")),
    )
    found.tables.append(Table("questions", N_("The five pots"), heads, rows))
    return found


ASKED: dict[str, Callable[[Study], Findings]] = {"paris": _paris, "doigt": _doigt, "nain-jaune": _nain}
