"""Compiled kernels on disk: written whole or not at all, checked before use, and never needed to be right."""

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from simcore.native import Native, machine

KEPT = 200  # kernels; the least recently used go first
SUFFIX = ".kernel"
OWN_WAYS = ("compiler.py", "instructions.py", "native.py", "plain.py")  # the files that say how a kernel is made

_told: list[Callable[[], None]] = []


def on_compile(tell: Callable[[], None]) -> None:
    """Sets what is called before a kernel is compiled, which takes seconds."""
    _told[:] = [tell]


def folder() -> Path:
    """Where kernels are kept: $SIMCORE_CACHE_DIR, else the user's cache folder."""
    given = os.environ.get("SIMCORE_CACHE_DIR")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(given) if given else Path(base) / "simcore"


class CachedKernel:
    """A rule that is compiled when it is first called with records of these dtypes, or fetched from the disk.

    fingerprint: of everything that the rule reaches; another fingerprint is another kernel.
    """

    def __init__(self, function: Callable[..., Any], fingerprint: str):
        self._function, self._fingerprint = function, fingerprint
        self._ready: dict[tuple[Any, ...], Native] = {}
        self._lock = Lock()

    def __call__(self, *arguments: Any) -> int:
        """Plays with these records and numbers; compiles first where that is needed."""
        kinds = tuple(int if isinstance(argument, int | np.integer) else argument.dtype for argument in arguments)
        with self._lock:
            if kinds not in self._ready:
                self._ready[kinds] = self._fetch(kinds)
        return self._ready[kinds](*arguments)

    def _fetch(self, kinds: tuple[Any, ...]) -> Native:
        place = folder() / f"{self._fingerprint}-{_digest(f'{kinds} {_makers()}'.encode())[:16]}{SUFFIX}"
        kept = _kept(place)
        if kept:
            return kept
        with _turn(place):  # of several processes that want this kernel, one compiles it
            return _kept(place) or self._compile(kinds, place)

    def _compile(self, kinds: tuple[Any, ...], place: Path) -> Native:
        for tell in _told:
            tell()
        from simcore.compiler import compile_kernel

        made = compile_kernel(self._function, kinds)
        native = Native(made.symbol, made.code, made.outside)
        if made.keeps:
            with contextlib.suppress(OSError):
                _write(place, made.symbol, made.code, made.outside)
        return native


def _kept(place: Path) -> Native | None:
    """The kernel that is kept there; a cache that does not serve is a cache that is not there."""
    with contextlib.suppress(Exception):
        native = Native(*_read(place))
        with contextlib.suppress(OSError):
            os.utime(place, ns=(time.time_ns(), place.stat().st_mtime_ns))  # used now
        return native
    return None


@contextlib.contextmanager
def _turn(place: Path) -> Iterator[None]:
    """Waits for other processes that compile the same kernel; does without where files cannot be locked."""
    try:
        import fcntl

        place.parent.mkdir(parents=True, exist_ok=True)
        waiting = place.with_suffix(".lock").open("w")
        fcntl.flock(waiting, fcntl.LOCK_EX)
    except (ImportError, OSError):
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            place.with_suffix(".lock").unlink()
        waiting.close()


def _makers() -> str:
    """What a kernel was made with and for: versions, processor, numba's settings, and our own way of compiling."""
    versions = [version(name) for name in ("numba", "llvmlite", "numpy")]
    settings = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    ways = [_digest((Path(__file__).parent / name).read_bytes()) for name in OWN_WAYS]
    return f"{sys.version} {versions} {machine()} {settings} {ways}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(place: Path) -> tuple[str, bytes, tuple[str, ...]]:
    """A kernel from its file: a digest of the rest, what is in it, and the machine code."""
    digest, rest = place.read_bytes().split(b"\n", 1)
    if digest.decode() != _digest(rest):
        raise ValueError(f"{place} is damaged")
    head, code = rest.split(b"\n", 1)
    symbol, outside = json.loads(head)
    return symbol, code, tuple(outside)


def _write(place: Path, symbol: str, code: bytes, outside: tuple[str, ...]) -> None:
    """Puts a kernel in its place in one step."""
    rest = json.dumps([symbol, outside]).encode() + b"\n" + code
    place.parent.mkdir(parents=True, exist_ok=True)
    number, draft = tempfile.mkstemp(prefix="draft-", dir=place.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(_digest(rest).encode() + b"\n" + rest)
        os.replace(draft, place)
    except OSError:
        os.unlink(draft)
        raise
    _prune(place.parent)


def _prune(shelf: Path) -> None:
    """Removes the kernels that were not used for longest, and drafts that were left behind."""
    ages = {}
    for path in (*shelf.glob(f"*{SUFFIX}"), *shelf.glob("*.lock"), *shelf.glob("draft-*")):
        with contextlib.suppress(OSError):
            ages[path] = path.stat().st_atime
    for old in sorted(ages, key=lambda path: ages[path], reverse=True)[KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()
