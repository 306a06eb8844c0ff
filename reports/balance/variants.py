"""What a report says of rules: variants by number of players, what each rule adds, and rulings read otherwise."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from reports.balance import cells as read
from reports.balance.cells import Study, result_of
from reports.balance.claims import CANNOT, INSIDE, LIKELY, OUTSIDE, SURE, SURE_FAMILY, Claim, against
from reports.balance.language import N_
from reports.balance.parts import Cell, Findings, Panel, Picture, Table
from reports.sweep import text
from simcore.paired import seats
from simcore.results import Results
from simcore.rulings import NO, OPEN, YES, Flip, flips, ruling
from simcore.sensitivity import MOST_RULES, Contribution, by_block, shapley
from simcore.store import Stored

MOST_ROWS = 48
MOST_ADVICE = 2  # sentences of the verdict

UNLIKE = N_("{title:question}: played with {rules}, unlike the games of the sections before.")
TRY = N_("Try {variant}: there, every seat is within {band:band} of fair with {players:join} players.")
KEEPS = N_("No variant of {title:question} makes seats fair where the rules as they are do not.")
KEEPS_OPEN = N_(
    "It cannot be said yet whether a variant of {title:question} makes seats fair where the rules as they are do not."
)
BEST = N_("With {players} players, {variant} comes closest to fair: seat {seat} is off by {points:points}.")
FAIR_VARIANTS = N_(
    "With {players} players, every seat is surely fair under {fair} of {all} variants, surely not under {unfair}; "
    "about {open} it cannot be said yet."
)
ADDS = N_(
    "With {players} players, {rules:join} together, from the first to the last value, change the first player's share "
    "by {change:moved} ({low:change} to {high:change})."
)
MATTERS = N_(
    "{count} of {all} rulings read otherwise surely move a seat, the length or the ties by more than {band:band}."
)
MATTERS_NOT = N_(
    "Surely none of them moves by that much, with any number of players, when these are read otherwise: {names:join}."
)


def to_try(study: Study) -> list[Claim]:
    """The first variant that is fair with more numbers of players than the rules as they are, for the verdict."""
    like = [file for file in study.files if not _unlike(study, file)]  # others tell of other games
    tables = [by_variant(file) for file in read.grids(study) if file in like]
    tables += [_by_flip(file) for file in like if any(entry.base for entry in file.finished)]
    found = [claim for table in tables for claim in _to_try(study, table, "") if claim.text == TRY]
    return [replace(claim, section="verdict") for claim in found][:MOST_ADVICE]


def rules(study: Study) -> Findings:
    """Every grid of rules, and every file of rulings."""
    found = Findings()
    for file in read.grids(study):
        found.add(grid(study, file))
        found.notes += _unlike(study, file)
    for file in study.files:
        if any(entry.base for entry in file.finished):
            found.add(rulings(study, file))
            found.notes += _unlike(study, file)
    return found


def _unlike(study: Study, file: Results) -> list[tuple[str, str, dict[str, Any]]]:
    """A note on rules that hold in a whole file and not in the reference."""
    now = vars(next(iter(study.references.values())).cell.rules)
    plain = [vars(entry.cell.rules) for entry in file.finished if not entry.base]
    common = (
        {name: value for name, value in plain[0].items() if all(one[name] == value for one in plain)} if plain else {}
    )
    other = [f"{name}={text(value)}" for name, value in common.items() if value != now[name]]
    values = {"title": str(file.about["title"]), "rules": ", ".join(other)}
    return [("rules", UNLIKE, values)] if other else []


def by_variant(file: Results) -> dict[str, dict[int, Stored]]:
    """The first cell of each variant and number of players, those of other line-ups left out."""
    found: dict[str, dict[int, Stored]] = {}
    for entry in file.finished:
        found.setdefault(read.variant(entry), {}).setdefault(entry.cell.players, entry)
    return found


def _by_flip(file: Results) -> dict[str, dict[int, Stored]]:
    """The cells of each flipped ruling by number of players, under the words that are flipped."""
    found: dict[str, dict[int, Stored]] = {}
    for entry in file.finished:
        if entry.base:
            found.setdefault(ruling(entry, file), {})[entry.cell.players] = entry
    return found


def grid(study: Study, file: Results) -> Findings:
    """A heat map of the first player's advantage, which variants are fair, and what each rule adds."""
    import pandas as pd

    table, rows = by_variant(file), []
    factors = _factors(file)
    for name, entries in table.items():
        for players, entry in entries.items():
            first = read.first_seat(result_of(entry))
            label = " · ".join(text(entry.factors[factor]) for factor in factors) if len(factors) > 1 else name
            rows.append(
                {"variant": label, "players": players, "estimate": first.estimate, "low": first.low, "high": first.high}
            )
    title = str(file.about["title"])
    claims = _fair_variants(study, table)
    best = _to_try(study, table, title)
    games = max(result_of(entry).games for entry in file.finished)
    pictures = []
    if len(table) <= MOST_ROWS:
        frame = pd.DataFrame(rows)
        heading = " · ".join(factors) if len(factors) > 1 else None
        options = {"band": study.band}
        pictures.append(
            Picture(
                "rules", _name("map", file), "advantage_map", [(heading, {}, frame)], best or claims, options, games
            )
        )
    added = _attribution(study, file, table)
    return Findings([*best, *claims, *added.claims], added.tables, [*pictures, *added.pictures])


def _factors(file: Results) -> list[str]:
    """What differs between the cells of a file beside the number of players and the line-up."""
    names = dict.fromkeys(key for entry in file.finished for key in entry.factors)
    others = [name for name in names if name not in ("players", "strategies")]
    return [name for name in others if len({str(entry.factors.get(name)) for entry in file.finished}) > 1]


def _name(kind: str, file: Results) -> str:
    word = "".join(letter if letter.isalnum() else "-" for letter in str(file.about["title"]).lower())
    return f"{kind}-{'-'.join(part for part in word.split('-') if part)}"


def _fair_variants(study: Study, table: Mapping[str, Mapping[int, Stored]]) -> list[Claim]:
    """For each number of players: how many variants are fair, and which comes closest."""
    claims = []
    for players in sorted({n for entries in table.values() for n in entries}):
        cells = {name: entries[players] for name, entries in table.items() if players in entries}
        graded = {name: read.fairness_of(result_of(entry), study.band, len(cells)) for name, entry in cells.items()}
        sides = {
            where: [n for n, one in graded.items() if (one.where, one.grade) == (where, SURE)]
            for where in (INSIDE, OUTSIDE)
        }
        values = {"players": players, "fair": len(sides[INSIDE]), "unfair": len(sides[OUTSIDE]), "all": len(cells)}
        values["open"] = len(cells) - values["fair"] - values["unfair"]
        claims.append(Claim("rules", FAIR_VARIANTS, SURE, values))
        off = {name: _off(entry) for name, entry in cells.items()}
        best = min(off, key=lambda name: off[name])
        seat = read.furthest(result_of(cells[best])) + 1
        rivals = [off[name] - _error(cells[name]) for name in cells if name != best]
        is_sure = bool(rivals) and off[best] + _error(cells[best]) < min(rivals)
        if len(cells) <= MOST_ROWS:
            told = {"players": players, "variant": best, "seat": seat, "points": off[best]}
            claims.append(Claim("rules", BEST, SURE if is_sure else CANNOT, told))
    return claims


def _off(entry: Stored) -> float:
    """How far the furthest seat is from fair."""
    result = result_of(entry)
    return max(abs(found.estimate - 1 / result.cell.players) for found in read.seat_shares(result))


def _error(entry: Stored) -> float:
    """Half the width of the widest interval of a seat's share."""
    return max((found.high - found.low) / 2 for found in read.seat_shares(result_of(entry)))


def _to_try(study: Study, table: Mapping[str, Mapping[int, Stored]], title: str) -> list[Claim]:
    """The variant that makes seats fair with most of the numbers of players with which they are not; or that none does.

    Nothing when they are fair with all of them as it is.
    """
    graded = read.all_fairness(study)
    wanting = {n for n, found in graded.items() if found.where != INSIDE}
    good: dict[str, list[int]] = {}
    grades: dict[str, set[str]] = {}
    many = sum(map(len, table.values()))
    for name, entries in table.items():
        for players, entry in entries.items():
            found = read.fairness_of(result_of(entry), study.band, many)
            grades.setdefault(name, set()).add(found.grade)
            if found.where == INSIDE and players in wanting:
                good.setdefault(name, []).append(players)
    if not wanting:
        return []
    if not good:
        told = {grade for found in grades.values() for grade in found}
        if CANNOT in told:
            return [Claim("rules", KEEPS_OPEN, CANNOT, {"title": title})]
        return [Claim("rules", KEEPS, LIKELY if LIKELY in told else SURE, {"title": title})]
    best = max(good, key=lambda name: len(good[name]))
    bests = [read.fairness_of(result_of(table[best][players]), study.band, many).grade for players in good[best]]
    values = {"variant": best, "band": study.band, "players": sorted(good[best])}
    return [Claim("rules", TRY, LIKELY if LIKELY in bests else SURE, values)]


def _attribution(study: Study, file: Results, table: Mapping[str, Mapping[int, Stored]]) -> Findings:
    """What each factor of a full grid adds on the way from the first to the last level of all of them."""
    import pandas as pd

    names = [name for name in _factors(file) if name != "variant"]
    if any(len({str(entry.factors.get(name)) for entry in file.finished}) != 2 for name in names):
        return Findings()  # first and last value mean nothing where there are others between them
    if not 2 <= len(names) <= MOST_RULES:
        return Findings()
    levels = {name: list(dict.fromkeys(text(entry.factors[name]) for entry in file.finished)) for name in names}
    ends = {name: (levels[name][0], levels[name][-1]) for name in names}
    found, biggest = Findings(), 0
    panels: list[Panel] = []
    rows: list[list[Cell]] = []
    for players in study.references:
        cells = _corners(file, players, ends)
        if cells is None:
            continue
        values = {chosen: by_block(seats(result_of(entry))["seat 1"]) for chosen, entry in cells.items()}
        parts = shapley(names, values)
        whole = float((values[frozenset(names)] - values[frozenset()]).mean())
        spread = values[frozenset(names)] - values[frozenset()]
        half = 1.96 * float(spread.std(ddof=1)) / len(spread) ** 0.5
        grade = against(whole, whole - half, whole + half, 0.0).grade
        told = {"players": players, "rules": names, "change": whole, "low": whole - half, "high": whole + half}
        found.claims.append(Claim("rules", ADDS, grade, told))
        frame = [{"rule": one.rule, "estimate": one.value, "low": one.low, "high": one.high} for one in parts]
        panels.append((players, {}, pd.DataFrame(frame)))
        rows += _parts(players, parts)
        biggest = max(biggest, *(result_of(entry).games for entry in cells.values()))
    if panels:
        heads = (N_("rule"), N_("players"), N_("adds, points"), N_("at least"), N_("at most"))
        found.tables.append(Table("rules", N_("What each rule adds to the first player's share"), heads, rows))
        options = {"band": study.band}
        found.pictures.append(
            Picture("rules", _name("tornado", file), "tornado", panels, list(found.claims), options, biggest)
        )
    return found


def _corners(
    file: Results, players: int, ends: Mapping[str, tuple[object, object]]
) -> dict[frozenset[str], Stored] | None:
    """The cells in which each factor is at its first or last level; None when one is missing."""
    found: dict[frozenset[str], Stored] = {}
    here = [entry for entry in file.finished if entry.cell.players == players]
    for count in range(len(ends) + 1):
        for chosen in combinations(ends, count):
            wanted = {name: pair[name in chosen] for name, pair in ends.items()}
            entry = next((one for one in here if all(text(one.factors.get(n)) == v for n, v in wanted.items())), None)
            if entry is None or len(by_block(seats(result_of(entry))["seat 1"])) < 64:
                return None
            found[frozenset(chosen)] = entry
    return found


def _parts(players: int, parts: Sequence[Contribution]) -> list[list[Cell]]:
    return [
        [("", one.rule), ("count", players), ("change", one.value), ("change", one.low), ("change", one.high)]
        for one in sorted(parts, key=lambda part: -abs(part.value))
    ]


VERDICTS = {YES: N_("matters"), OPEN: N_("cannot say yet"), NO: N_("does not matter")}


def rulings(study: Study, file: Results) -> Findings:
    """Which rulings matter: a sentence, a table of those that do or may, and those that do not."""
    found = flips(file, study.band, SURE_FAMILY)
    if not found:
        return Findings()
    matter = {flip.ruling for flip in found if flip.verdict == YES}
    moving = {flip.ruling for flip in found if flip.verdict != NO}
    still = list(dict.fromkeys(flip.ruling for flip in found if flip.ruling not in moving))
    claims = [
        Claim(
            "rules",
            MATTERS,
            SURE,
            {"count": len(matter), "all": len({flip.ruling for flip in found}), "band": study.band},
        )
    ]
    if still:
        claims.append(Claim("rules", MATTERS_NOT, SURE, {"names": still}))
    heads = (
        *(N_("ruling"), N_("read as"), N_("players"), N_("verdict"), N_("seat moved most"), N_("by, points")),
        *(N_("at least"), N_("at most"), N_("length, %"), N_("ties, points")),
    )
    order = sorted((flip for flip in found if flip.verdict != NO), key=lambda flip: list(VERDICTS).index(flip.verdict))
    rows = [_row(flip) for flip in order]
    return Findings(
        claims, [Table("rules", N_("Unclear rules read otherwise, without those that move nothing"), heads, rows)]
    )


def _row(flip: Flip) -> list[Cell]:
    """A ruling's line in the table."""
    most, length = flip.furthest, flip.length
    return [
        *(("", flip.code), ("", flip.ruling), ("count", flip.players), ("text", VERDICTS[flip.verdict])),
        *(("count", int(most.what.removeprefix("seat "))), ("change", most.change)),
        *(("change", most.low), ("change", most.high)),
        ("signed_percent", length.change / length.before) if length and length.before else ("", ""),
        ("change", flip.ties.change) if flip.ties else ("", ""),
    ]
