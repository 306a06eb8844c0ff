"""Results of an experiment in one SQLite file: what was asked, what made it, and every cell's exact sums.

The schema is documented in docs/results-file.md. A cell is written in one transaction, after all its games; a file
that was cut off anywhere holds whole cells only. Nothing here depends on when or how fast anything ran, except `log`.
"""

import json
import platform
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from simcore.api import make_cell
from simcore.cell import Cell
from simcore.engine import Run
from simcore.errors import UsageError
from simcore.kernel import fingerprint
from simcore.loop import BLOCKS, deal_player
from simcore.registry import ensure_plugin
from simcore.result import Result
from simcore.rules import settings
from simcore.tally import Tally

SCHEMA = 2
SMALL = 2**63 // BLOCKS  # block sums below this add up in 64 bits
PLANNED = ("label", "base", "factors", "game", "players", "line_up", "rules", "seed", "rotate", "course", "games_asked")
TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE made_by (kind TEXT, name TEXT, fingerprint TEXT NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
CREATE TABLE cell (
    id INTEGER PRIMARY KEY, label TEXT UNIQUE NOT NULL, base TEXT NOT NULL, factors TEXT NOT NULL,
    game TEXT NOT NULL, players INTEGER NOT NULL, line_up TEXT NOT NULL, rules TEXT NOT NULL,
    seed INTEGER NOT NULL, rotate INTEGER NOT NULL, course INTEGER NOT NULL, games_asked INTEGER NOT NULL,
    columns TEXT, deals INTEGER, stopped TEXT, digest TEXT
);
CREATE TABLE block (
    cell INTEGER, block INTEGER, print TEXT NOT NULL, sums TEXT NOT NULL, deal_squares TEXT NOT NULL,
    game_squares TEXT NOT NULL, PRIMARY KEY (cell, block)
) WITHOUT ROWID;
CREATE TABLE score (cell INTEGER, place INTEGER, counts TEXT NOT NULL, PRIMARY KEY (cell, place)) WITHOUT ROWID;
CREATE TABLE length (cell INTEGER PRIMARY KEY, counts TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE log (at TEXT NOT NULL, text TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Planned:
    """A cell of an experiment: what sets it apart, and for a flipped ruling the label of the cell it is flipped in."""

    label: str
    base: str
    factors: dict[str, Any]
    cell: Cell


@dataclass(frozen=True)
class Stored(Planned):
    """A cell of a results file: with its result, once it is there, and why it stopped before all its games."""

    result: Result | None
    stopped: str


GAME_PARTS, DIGITS = ("deal", "turns", "is_over", "finish", "is_legal", "prepare"), 8  # of a game's fingerprint


def makers(cells: Sequence[Cell]) -> dict[tuple[str, str], str]:
    """Fingerprints of all code that the numbers of these cells follow from: the engine, games, strategies."""
    found = {("engine", "loop"): fingerprint(deal_player)}
    for cell in cells:
        game = cell.game
        if ("game", game.name) not in found:
            found["game", game.name] = "".join(fingerprint(getattr(game, part))[:DIGITS] for part in GAME_PARTS)
        for part in dict.fromkeys(part for entry in cell.line_up for part in entry.parts):
            found["strategy", f"{game.name} {part.name}"] = fingerprint(part.decide)
    return found


def versions() -> dict[str, str]:
    """The versions of what plays the games."""
    return {"python": platform.python_version(), **{name: version(name) for name in ("simcore", "numba", "numpy")}}


class Store:
    """A results file, open for writing by this process alone, or for reading."""

    def __init__(self, connection: sqlite3.Connection, path: str, writing: bool = False):
        self._connection, self.path, self._writing = connection, path, writing

    def close(self) -> None:
        """Folds the write-ahead log into the file, so that it is one file that can be read from anywhere."""
        if self._writing:
            with suppress(sqlite3.Error):  # somebody reads it: the log stays beside it until the last one closes it
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def put(self, label: str, tally: Tally, stopped: str, note: str = "") -> None:
        """Writes a finished cell, in one transaction, with a note in the log."""
        numbers = [[[int(x) for x in kind] for kind in block] for block in tally.sums]
        with self._connection as write:
            (place,) = write.execute("SELECT id FROM cell WHERE label = ?", (label,)).fetchone()
            write.execute(
                "UPDATE cell SET columns = ?, deals = ?, stopped = ?, digest = ? WHERE id = ?",
                (_json(tally.cell.columns), tally.deals, stopped, tally.digest(), place),
            )
            write.executemany(
                "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?)",
                [(place, n, str(tally.prints[n]), *map(_json, numbers[n])) for n in range(BLOCKS)],
            )
            write.executemany(
                "INSERT INTO score VALUES (?, ?, ?)",
                [(place, n, _json(_sparse(row))) for n, row in enumerate(tally.scores) if row.any()],
            )
            if tally.lengths.any():
                write.execute("INSERT INTO length VALUES (?, ?)", (place, _json(_sparse(tally.lengths))))
            if note:
                self._log(note)

    def log(self, text: str) -> None:
        """Notes something that is no result, such as how long a cell took."""
        with self._connection:
            self._log(text)

    def _log(self, text: str) -> None:
        self._connection.execute("INSERT INTO log VALUES (datetime('now'), ?)", (text,))

    def meta(self, name: str) -> Any:
        """One thing that the file says about itself."""
        row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else None

    def labels(self, finished: bool) -> list[str]:
        """The labels of the cells that are finished, or still to be played, in order."""
        what = "NOT NULL" if finished else "NULL"
        return [row[0] for row in self._connection.execute(f"SELECT label FROM cell WHERE deals IS {what} ORDER BY id")]

    def factors(self) -> list[dict[str, Any]]:
        """What each finished cell is, in order."""
        asked = self._connection.execute("SELECT factors FROM cell WHERE deals IS NOT NULL ORDER BY id")
        return [json.loads(row[0]) for row in asked]

    def cells(self, finished: bool = False) -> Iterator[Stored]:
        """All cells in order, or the finished ones, with their results; one after the other is read."""
        which = " WHERE deals IS NOT NULL" if finished else ""
        asked = self._connection.execute(f"SELECT * FROM cell{which} ORDER BY id")
        names = [column[0] for column in asked.description]
        for row in asked.fetchall():
            yield self._cell(dict(zip(names, row, strict=True)))

    def _cell(self, row: dict[str, Any]) -> Stored:
        cell = make_cell(
            row["game"],
            row["players"],
            row["games_asked"],
            json.loads(row["line_up"]),
            json.loads(row["rules"]),
            row["seed"],
            bool(row["rotate"]),
            bool(row["course"]),
        )
        result = None
        if row["deals"] is not None:
            if json.loads(row["columns"]) != cell.columns:
                raise UsageError(f"{self.path}: {row['game']} counts other things than when this file was written")
            result = Result(Run(self._tally(row["id"], cell, row["deals"]), 0.0, stopped=row["stopped"] or ""))
        return Stored(row["label"], row["base"], json.loads(row["factors"]), cell, result, row["stopped"] or "")

    def _tally(self, place: int, cell: Cell, deals: int) -> Tally:
        tally = Tally(cell, deals)
        query = "SELECT block, print, sums, deal_squares, game_squares FROM block WHERE cell = ?"
        for block, mark, *kinds in self._connection.execute(query, (place,)):
            tally.prints[block] = int(mark)
            tally.sums[block] = np.array([json.loads(kind) for kind in kinds], dtype=object)
        if np.abs(tally.sums).max() < SMALL:  # the same integers in a quarter of the memory
            tally.sums = tally.sums.astype(np.int64)
        for row, counts in self._connection.execute("SELECT place, counts FROM score WHERE cell = ?", (place,)):
            for bucket, count in json.loads(counts):
                tally.scores[row, bucket] = count
        for (counts,) in self._connection.execute("SELECT counts FROM length WHERE cell = ?", (place,)):
            for bucket, count in json.loads(counts):
                tally.lengths[bucket] = count
        return tally


def create(path: str, about: Mapping[str, Any], cells: Sequence[Planned]) -> None:
    """A new results file with all cells still to be played; for one who is `alone` with it.

    about: what the file says about itself, as JSON can hold it. Raises UsageError when it cannot be written.
    """
    played = [entry.cell for entry in cells]
    plugins = sorted({path for cell in played for path in cell.plugins})
    about = {"schema": SCHEMA, **about, "plugins": plugins, "versions": versions()}
    unborn = Path(f"{path}-new")  # it takes its name when it is whole
    try:
        with _said(path):
            unborn.unlink(missing_ok=True)
            with closing(sqlite3.connect(unborn)) as connection, connection as write:
                _fill(write, about, cells)
            unborn.rename(path)
    finally:
        with suppress(OSError):
            unborn.unlink(missing_ok=True)


def _fill(write: sqlite3.Connection, about: Mapping[str, Any], cells: Sequence[Planned]) -> None:
    """The tables of a new file, in one transaction."""
    write.executescript(f"BEGIN; {TABLES}")
    write.executemany("INSERT INTO meta VALUES (?, ?)", [(name, _json(value)) for name, value in about.items()])
    marks = [(*key, mark) for key, mark in makers([entry.cell for entry in cells]).items()]
    write.executemany("INSERT INTO made_by VALUES (?, ?, ?)", marks)
    write.executemany(
        "INSERT INTO cell VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL)",
        [(number, *_planned(entry)) for number, entry in enumerate(cells)],
    )


def _planned(entry: Planned) -> tuple[Any, ...]:
    cell = entry.cell
    rules = {name: getattr(cell.rules, name) for name in settings(type(cell.rules))}
    line_up = [one.text for one in cell.line_up]
    where = (entry.label, entry.base, _json(entry.factors), cell.game.name, cell.players)
    return (
        *where,
        _json(line_up),
        _json(rules),
        cell.seed,
        int(cell.rotate),
        int(cell.game.is_watched),
        cell.games_asked,
    )


@contextmanager
def opened(path: str, writing: bool = False) -> Iterator[Store]:
    """An existing results file; for writing, by one who is `alone` with it.

    Raises UsageError when there is none, or when it is something else.
    """
    if not Path(path).is_file():
        raise UsageError(f"{path}: there is no such file")
    with _said(path, writing):
        connection = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=rw", uri=True)  # it may have to be mended
        store = Store(connection, path, writing)
        try:
            try:
                schema = store.meta("schema")
            except sqlite3.DatabaseError:
                schema = None
            if schema != SCHEMA:
                what = "it is not a results file" if schema is None else f"its schema is {schema}, this reads {SCHEMA}"
                raise UsageError(f"{path}: {what}")
            connection.execute("PRAGMA journal_mode = WAL" if writing else "PRAGMA query_only = ON")
            for plugin in store.meta("plugins"):
                ensure_plugin(plugin)
            yield store
        finally:
            store.close()


def differences(store: Store, about: Mapping[str, Any], cells: Sequence[Planned]) -> list[str]:
    """In what the file differs from an experiment that would go on in it: nothing, when it may."""
    found = []
    before = {(kind, name): mark for kind, name, mark in store._connection.execute("SELECT * FROM made_by")}
    after = makers([entry.cell for entry in cells])
    for kind, name in sorted({*before, *after}):
        if (kind, name) in before and (kind, name) in after and before[kind, name] != after[kind, name]:
            found.append(f"the {kind} {name} is not what it was")
    planned = {entry.label: _planned(entry) for entry in cells}
    query = f"SELECT {', '.join(PLANNED)} FROM cell ORDER BY id"
    stored = {row[0]: tuple(row) for row in store._connection.execute(query)}
    found += [f"it has the cell {label}" for label in stored if label not in planned]
    found += [f"it lacks the cell {label}" for label in planned if label not in stored]
    for label, row in stored.items():
        if label in planned and planned[label] != row:
            found.append(f"the cell {label} was to be played otherwise: {_first_change(row, planned[label])}")
    for name, value in about.items():
        old = store.meta(name)
        if name == "experiment":
            keys = [key for key in {**old, **value} if old.get(key) != value.get(key)]
            found += [f"{key} is {old.get(key)}, not {value.get(key)}" for key in keys if key not in about]
        elif name != "command" and old != value:
            found.append(f"{name} is {old or 'nothing'}, not {value or 'nothing'}")
    return found


def _first_change(before: Sequence[Any], after: Sequence[Any]) -> str:
    for name, old, new in zip(PLANNED, before, after, strict=True):
        if name == "rules":
            one, other = json.loads(old), json.loads(new)
            changed = [key for key in {**one, **other} if one.get(key) != other.get(key)]
            if changed:
                return f"{changed[0]} = {one.get(changed[0])}, not {other.get(changed[0])}"
        elif old != new:
            return f"{name} = {old}, not {new}"
    return ""


@contextmanager
def alone(path: str) -> Iterator[None]:
    """Holds a lock on a results file, there or not, that the system takes back however this process ends.

    Raises UsageError when another process holds it, or when the folder cannot be written.
    """
    place = Path(f"{path}-writer")
    if not place.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {place.parent}")
    with _said(path):
        place.touch()
        before = _inode(place)
        lock = sqlite3.connect(place, timeout=0, isolation_level=None)
    with closing(lock):
        with _said(path):
            is_alone = _taken(lock) and _inode(place) == before is not None  # else its owner has just removed it
        if not is_alone:
            raise UsageError(f"{path}: another sweep is writing it; wait for it, or write another file with -o")
        try:
            yield
        finally:
            with suppress(OSError):
                place.unlink()


def _inode(place: Path) -> int | None:
    with suppress(FileNotFoundError):
        return place.stat().st_ino
    return None


def _taken(lock: sqlite3.Connection) -> bool:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


@contextmanager
def _said(path: str, writing: bool = True) -> Iterator[None]:
    """Turns what SQLite and the disk complain of into a sentence."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        what = "written" if writing else "read"
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        kept = "; finished cells are kept, go on with --resume" if writing and Path(path).is_file() else ""
        raise UsageError(f"{path}: it cannot be {what} ({why}){kept}") from error


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _sparse(counts: np.ndarray) -> list[list[int]]:
    """The buckets that are not empty, with their counts."""
    return [[int(place), int(counts[place])] for place in np.flatnonzero(counts)]
