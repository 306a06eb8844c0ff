"""The drift gate: does an engine still play a baseline's games, and if not, have win rates moved beyond a tolerance?

First the same games are played again and their fingerprints compared. Where outcomes differ, the change of every win
share is set against the tolerance: two looks, each with half of the error probability (Bonferroni). FAIL is when an
interval, simultaneous for all shares, lies wholly outside; PASS when every share passes two one-sided tests
(Schuirmann 1987), which needs no correction for many shares (Berger 1982).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simcore.baseline import (
    KINDS,
    Baseline,
    Incomparable,
    code,
    columns,
    defaults,
    everything,
    known_answer,
    part,
    rows,
    rules_hash,
)
from simcore.cell import Cell
from simcore.contract import WHOLE
from simcore.engine import run
from simcore.errors import IllegalAction, UsageError
from simcore.loop import BLOCKS
from simcore.paired import Difference, Ratio, difference
from simcore.stats import CONFIDENCE
from simcore.store import DIGITS, GAME_PARTS, versions
from simcore.tally import Tally

LOOKS = 2  # at the games of the baseline, and with fresh games
MORE = 2  # times the games of the baseline are played at most, unless told otherwise
PAIRED = 2  # a share whose games of old make the interval so much narrower gains nothing from fresh games
SHOWN = 12  # digits of a hash that are shown
SAME, ALIKE, PASS, DRIFT, UNDECIDED = "unchanged", "same results", "pass", "drift", "inconclusive"

Note = Callable[[str, int, int], None]


@dataclass
class Checked:
    """A cell of a baseline and what became of it.

    answer: one of the five words above. differs: kinds of fingerprint that are not what they were. drifts: changes of
    win shares at the last look, with intervals at the level of a failure. games: played now.
    """

    label: str
    kept: dict[str, Any]
    cell: Cell
    answer: str = ""
    differs: tuple[str, ...] = ()
    drifts: list[Difference] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    games: int = 0
    why: str = ""
    tallies: list[Tally] = field(default_factory=list)


@dataclass
class Checks:
    """A baseline and all of its cells, with what else has changed since it was made."""

    baseline: Baseline
    cells: list[Checked]
    tolerance: float
    changes: list[str]

    @property
    def answer(self) -> str:
        """The answer for the whole file: the worst of its cells."""
        worst = (DRIFT, UNDECIDED, PASS, ALIKE, SAME)
        return next(word for word in worst if any(cell.answer == word for cell in self.cells))


def opened(baseline: Baseline, tolerance: float | None = None) -> Checks:
    """A baseline as it is played now, with nothing played yet; `tolerance` in place of the file's.

    Raises Incomparable for one that cannot be played any more.
    """
    cells = [Checked(kept["label"], kept, cell) for kept, cell in baseline.cells()]
    for one in cells:
        if one.kept["deals"] != one.cell.deals or one.kept["columns"][: -len(KINDS)] != columns(one.cell):
            raise Incomparable(
                f"{baseline.path}: {one.label}: it was made with another number of games or of strategies"
            )
    given = baseline.document["tolerance"] if tolerance is None else tolerance
    return Checks(baseline, cells, given, _changes(baseline, cells))


def check(
    found: Sequence[Checks],
    max_games: int | None = None,
    exact: bool = False,
    threads: int | None = None,
    note: Note | None = None,
) -> None:
    """Checks baselines together, in place: the error probability of one is for all.

    max_games: of a cell, its replay and fresh games together; MORE times the baseline's by default. exact: every game
    is replayed, whatever the code says. note: called with a cell's label, games done and games asked.
    """
    for one in found:
        is_same_code = not one.changes
        for cell in one.cells:
            _replay(cell, exact or not is_same_code, max_games, threads, note)
    alpha = min(one.baseline.document["alpha"] for one in found) / LOOKS
    open_ones = [(cell, one.tolerance) for one in found for cell in one.cells if not cell.answer]
    family = sum(len(shares(cell.cell)) for cell, _ in open_ones)
    for cell, band in open_ones:
        _judge(cell, band, alpha, family)
        if not cell.answer and any(drift.gain < PAIRED for drift in cell.drifts):
            _extend(cell, max_games, threads, note)
            _judge(cell, band, alpha, family)
        cell.answer = cell.answer or UNDECIDED


def _changes(baseline: Baseline, checked: Sequence[Checked]) -> list[str]:
    """What is not as it was when the baseline was made: defaults, rules, code, random numbers."""
    document, cells = baseline.document, [one.cell for one in checked]
    found = list(_changed_defaults(document["defaults"], defaults(cells)))
    for one in checked:
        was, now = one.kept["rules_sha256"], rules_hash(one.cell)
        if was != now:
            found.append(f"rules of {one.label}: their hash was {was[:SHOWN]}, it is {now[:SHOWN]}")
    if document["random"] != known_answer():
        found.append("random numbers: other ones")
    python, here = (minor(made["python"]) for made in (document["created_with"], versions()))
    if python != here:
        return [*found, f"Python was {python}, it is {here}: whether code has changed cannot be told"]
    old, new = document["code"], code(cells)
    for name in sorted(old.keys() | new.keys()):
        was, now = old.get(name, "none"), new.get(name, "none")
        found += [f"code of the {what}: its hash was {a}, it is {b}" for what, a, b in _hashes(name, was, now)]
    return found


def _hashes(name: str, was: str, now: str) -> Iterator[tuple[str, str, str]]:
    """Hashes that differ, as far as they are shown; those of a game one by one for its parts."""
    if name.startswith("game ") and len(was) == len(now):
        for place, part in enumerate(GAME_PARTS):
            here = slice(DIGITS * place, DIGITS * (place + 1))
            if was[here] != now[here]:
                yield f"{name}, {part}", was[here], now[here]
    elif was != now:
        yield name, was[:SHOWN], now[:SHOWN]


def minor(python: str) -> str:
    """Python's version without its last number: as far as compiled code depends on it."""
    return python.rsplit(".", 1)[0]


def _changed_defaults(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    rules = new["rules"]
    for name, value in old["rules"].items():
        if name not in rules:
            yield f"rule {name}: it is gone; its default was {value}"
        elif rules[name] != value:
            yield f"rule {name}: its default was {value}, it is {rules[name]}"
    yield from (f"rule {name}: it is new" for name in rules if name not in old["rules"])
    for strategy, values in old["parameters"].items():
        for name, value in values.items():
            now = new["parameters"].get(strategy, {}).get(name, "gone")
            if now != value:
                yield f"strategy {strategy}: the default of {name} was {value}, it is {now}"
    for entry, parts in old["parts"].items():
        now = new["parts"].get(entry, "gone")
        if now != parts:
            yield f"line-up entry {entry}: it was {parts}, it is {now}"


def _replay(one: Checked, is_whole: bool, max_games: int | None, threads: int | None, note: Note | None) -> None:
    """The same games again: first those that answer quickest."""
    cell, kept = one.cell, one.kept
    if not is_whole:
        deals, prints = part(kept)
        tally = _played(one, replace(cell, games_asked=deals * cell.rotations), threads, note)
        if tally is None:
            return
        if everything(tally.traces.sum(axis=1, dtype=np.uint64)) == prints:
            one.answer, one.games = SAME, tally.games
            return
    if max_games is not None and max_games < cell.games_asked:
        one.answer = UNDECIDED
        one.why = f"to replay the baseline takes {cell.games_asked} games, and --max-games allows {max_games}"
        return
    tally = _played(one, cell, threads, note)
    if tally is None:
        return
    one.games, one.tallies = tally.games, [tally]
    now, then = rows(tally), kept["blocks"]
    count = len(KINDS)
    one.differs = tuple(
        kind
        for place, kind in enumerate(KINDS)
        if any(a[place - count] != b[place - count] for a, b in zip(now, then, strict=True))
    )
    if "outcome" not in one.differs:
        one.answer = ALIKE if one.differs else SAME


def _played(one: Checked, cell: Cell, threads: int | None, note: Note | None, first: int = 0) -> Tally | None:
    """Deals of a cell; nothing when a strategy or a rule fails, which is a drift."""
    try:
        done = run(cell, threads, (lambda games, asked: note(one.label, games, asked)) if note else None, first=first)
    except (IllegalAction, UsageError) as error:
        one.answer, one.why = DRIFT, str(error)
        return None
    if done.interrupted:
        raise KeyboardInterrupt
    return done.tally


def _extend(one: Checked, max_games: int | None, threads: int | None, note: Note | None) -> None:
    """Fresh games, beyond those of the baseline."""
    cell = one.cell
    most = MORE * cell.games_asked if max_games is None else max_games
    deals = most // cell.rotations // BLOCKS * BLOCKS
    if deals > cell.deals:
        tally = _played(one, replace(cell, games_asked=deals * cell.rotations), threads, note, cell.deals)
        if tally is not None:
            one.tallies.append(tally)
            one.games += tally.games


def shares(cell: Cell) -> dict[str, tuple[str, int]]:
    """The win shares that are watched: what each is called, its column, and how many seats it is of.

    Strategies have shares of their own where they sit everywhere in turn.
    """
    found = {f"seat {seat + 1}": (f"share_seat_{seat}", 1) for seat in range(cell.players)}
    if cell.rotations > 1:
        held = [sum(entry.text == name for entry in cell.line_up) for name in cell.names]
        found |= {name: (f"share_strategy_{place}", held[place]) for place, name in enumerate(cell.names)}
    return found


def _judge(one: Checked, band: float, alpha: float, family: int) -> None:
    """Sets every share's change against the tolerance, with all games of this engine so far.

    Where the games of old are much the same, most of the chance cancels; fresh ones would bring it back, and are left
    out. What tells is how much cancels, not where the share has moved.
    """
    if one.answer:
        return
    before = Ratios(one.kept, one.cell)
    strict = (1 - CONFIDENCE) * family / alpha  # two-sided, shared by all shares
    loose = (1 - CONFIDENCE) / (2 * alpha)  # two one-sided tests
    found = [
        (before.change(what, *where, one.tallies, strict), before.change(what, *where, one.tallies, loose))
        for what, where in shares(one.cell).items()
    ]
    one.drifts = [wide for wide, _ in found]
    one.failed = [wide.what for wide, _ in found if wide.against(band) == "outside"]
    if one.failed:
        one.answer = DRIFT
    elif all(narrow.against(band) == "inside" for _, narrow in found):
        one.answer = PASS


@dataclass(frozen=True)
class Ratios:
    """The shares of a baseline's cell, block by block."""

    kept: dict[str, Any]
    cell: Cell

    def change(self, what: str, column: str, seats: int, tallies: Sequence[Tally], family: float) -> Difference:
        """From the baseline to what was played now: to its games again, and to fresh ones where these help."""
        again = self._change(what, column, seats, tallies[:1], family)
        return self._change(what, column, seats, tallies, family) if again.gain < PAIRED else again

    def _change(self, what: str, column: str, seats: int, tallies: Sequence[Tally], family: float) -> Difference:
        """A block's games of both share what chance they share."""
        place, unit = self.kept["columns"].index(column), WHOLE * self.cell.rotations * seats
        tops = [row[place] for row in self.kept["blocks"]]
        per_block = unit * self.kept["deals"] // BLOCKS
        new = [sum(tally.blocks(column)[block] for tally in tallies) for block in range(BLOCKS)]
        deals = sum(tally.deals for tally in tallies)
        after = Ratio(new, [unit * deals // BLOCKS] * BLOCKS, unit)
        return difference(what, True, Ratio(tops, [per_block] * BLOCKS, unit), after, True, family)
