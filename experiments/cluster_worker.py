"""What a worker of a cluster does: reads a cell from words, plays a range of its deals, hands back exact sums."""

import signal
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Any

import numpy as np

from simcore.api import make_cell
from simcore.cell import Book, Cell
from simcore.crew import Chunk, Failed, Player, warm
from simcore.errors import UsageError
from simcore.registry import ensure_plugin
from simcore.rules import changed
from simcore.store import makers, versions

CELLS = 4  # cells that a worker keeps ready

_one_at_a_time = Lock()


@dataclass(frozen=True)
class Words:
    """A cell as any process reads it back: plain words, plug-in files, and what must be the same on both sides.

    versions, code: pairs of a name and a version, or the fingerprint of source.
    """

    game: str
    players: int
    games: int
    line_up: tuple[str, ...]
    rules: tuple[tuple[str, Any], ...]
    seed: int
    rotate: bool
    course: bool
    plugins: tuple[str, ...]
    versions: tuple[tuple[str, str], ...]
    code: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, cell: Cell, plugins: Sequence[str]) -> "Words":
        """The words for a cell, whose game and strategies these plug-ins may have brought."""
        return cls(
            cell.game.name,
            cell.players,
            cell.games_asked,
            tuple(entry.text for entry in cell.line_up),
            tuple(changed(cell.rules).items()),
            cell.seed,
            cell.rotate,
            cell.game.is_watched,
            tuple(plugins),
            tuple(all_versions().items()),
            tuple(code(cell).items()),
        )

    def cell(self) -> Cell:
        """The cell that these words describe, with what this process knows."""
        return make_cell(
            self.game,
            self.players,
            self.games,
            list(self.line_up),
            dict(self.rules),
            self.seed,
            self.rotate,
            self.course,
        )


@dataclass(frozen=True)
class Sums:
    """A chunk on its way to the driver: deals, games, the packed book, and seconds."""

    deals: int
    games: int
    book: bytes
    seconds: float


@dataclass(frozen=True)
class Refused:
    """Why a worker does not play."""

    reason: str


def all_versions() -> dict[str, str]:
    """The versions that driver and workers must share."""
    return {**versions(), **{name: version(name) for name in ("distributed", "dask")}}


def code(cell: Cell) -> dict[str, str]:
    """Fingerprints of the source that a cell's numbers follow from."""
    return {f"the {kind} {name}": mark for (kind, name), mark in makers([cell]).items()}


def other_version(driver: Sequence[tuple[str, str]]) -> str:
    """The first version in which this process differs from the driver; nothing when there is none."""
    here = all_versions()
    different = [
        f"its {name} is {here.get(name)}, here it is {mark}" for name, mark in driver if here.get(name) != mark
    ]
    return f"{different[0]}; install the same" if different else ""


def play(words: Words, first: int, sizes: Sequence[int]) -> list[Sums | Failed] | Refused:
    """The sums of the deals from `first` on, a chunk for each size; or why there are none.

    What a strategy does wrong is handed back, not raised: it is no failure of the task.
    """
    try:
        with _one_at_a_time:
            player = _player(words)
    except UsageError as error:
        return Refused(f"worker {_address()}: {error}")
    return [part if isinstance(part, Failed) else _sums(part) for part in player.play(first, sizes)]


def _sums(chunk: Chunk) -> Sums:
    return Sums(chunk.deals, chunk.games, pack(chunk.book), chunk.seconds)


@lru_cache(CELLS)
def _player(words: Words) -> Player:
    """Who plays a cell, once it is sure that both sides mean the same."""
    different = other_version(words.versions)
    if different:
        raise UsageError(different)
    for path in words.plugins:
        ensure_plugin(path)
    cell = words.cell()
    here = code(cell)
    for name, mark in words.code:
        if here.get(name) != mark:
            raise UsageError(f"{name} is not the same there as here; install the same source and restart the worker")
    warm(cell)
    return Player(cell)


def _address() -> str:
    from distributed import get_worker

    return str(get_worker().address)


def pack(book: Book) -> bytes:
    """The integers of a book, compressed."""
    return zlib.compress(book.record.tobytes(), 1)


def unpack(cell: Cell, packed: bytes) -> Book:
    """A book of this cell from its integers."""
    empty = Book.of(cell)
    record = np.frombuffer(zlib.decompress(packed), empty.record.dtype).view(np.recarray)[0]
    return Book(record, empty.columns)


def chunks(cell: Cell, first: int, sums: Sequence[Sums | Failed]) -> Iterator[Chunk | Failed]:
    """What a worker handed back, as the engine merges it."""
    for part in sums:
        if isinstance(part, Failed):
            yield part
            return
        yield Chunk(first, part.deals, part.games, unpack(cell, part.book), None, part.seconds)
        first += part.deals


def dask_setup(worker: Any) -> None:
    """Dask calls this in each worker of a sweep's own: Ctrl-C is for the driver, which ends its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
