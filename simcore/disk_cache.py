"""Compiled kernels on disk: written whole or not at all, checked before use, and never needed to be right."""

import contextlib
import hashlib
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import njit, typeof
from numba.core.bytecode import FunctionIdentity
from numba.core.errors import NumbaError

# Symbols in compiled code are numbered by a counter that every process starts anew. Kernels of two processes would
# carry the same names and call each other's functions when a third loads both: count from a random place instead.
FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6)))

KEPT = 200  # kernels; the least recently used go first
SUMS = "sha256"


_told: list[Callable[[], None]] = []


def on_compile(tell: Callable[[], None]) -> None:
    """Sets what is called before a kernel is compiled, which takes seconds."""
    _told[:] = [tell]


def folder() -> Path:
    """Where kernels are kept: $SIMCORE_CACHE_DIR, else the user's cache folder."""
    given = os.environ.get("SIMCORE_CACHE_DIR")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(given) if given else Path(base) / "simcore"


def compiled(text: str, names: Mapping[str, Any], fingerprint: str) -> Callable[..., Any]:
    """The function `play` defined by `text`, which answers from the disk where it was compiled before.

    fingerprint: of everything that the function reaches; another fingerprint is another kernel.
    """
    return _CachedKernel(text, names, fingerprint)


class _CachedKernel:
    """Compiles on the first call of each signature; falls back to memory when the disk does not serve."""

    def __init__(self, text: str, names: Mapping[str, Any], fingerprint: str):
        self._text, self._names, self._fingerprint = text, names, fingerprint
        self._ready: dict[str, Any] = {}

    def prepare(self, *arguments: Any) -> Any:
        """The compiled function for arguments of these types."""
        kinds = "|".join(map(str, _types(arguments)))
        if kinds not in self._ready:
            self._ready[kinds] = self._load(hashlib.sha256(kinds.encode()).hexdigest()[:16], arguments)
        return self._ready[kinds]

    def __call__(self, *arguments: Any) -> Any:
        return self.prepare(*arguments)(*arguments)

    def _load(self, kind: str, arguments: tuple[Any, ...]) -> Any:
        home = folder() / f"{self._fingerprint}-{kind}"
        if _is_intact(home):
            with contextlib.suppress(Exception):  # a cache that does not load is a cache that is not there
                function = self._define(home)
                function.compile(_types(arguments))
                if sum(function.stats.cache_hits.values()):
                    os.utime(home)
                    return function
        return self._build(home, arguments)

    def _build(self, home: Path, arguments: tuple[Any, ...]) -> Any:
        for tell in _told:
            tell()
        try:
            home.parent.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(prefix="draft-", dir=home.parent))
        except OSError:
            return self._in_memory(arguments)
        try:
            (draft / "kernel.py").write_text(self._text, encoding="utf-8")
            function = self._define(draft)
            function.compile(_types(arguments))
            _seal(draft)
            _publish(draft, home)
            return function
        except NumbaError:
            raise
        except (OSError, RuntimeError):
            return self._in_memory(arguments)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _define(self, home: Path) -> Any:
        path = home / "kernel.py"
        return njit(nogil=True, error_model="numpy", cache=True)(self._execute(path))

    def _in_memory(self, arguments: tuple[Any, ...]) -> Any:
        function = njit(nogil=True, error_model="numpy")(self._execute(Path("kernel.py")))
        function.compile(_types(arguments))
        return function

    def _execute(self, path: Path) -> Callable[..., Any]:
        module = ModuleType(f"simcore_kernel_{self._fingerprint}")
        module.__dict__.update(self._names)
        sys.modules[module.__name__] = module
        exec(compile(self._text, str(path), "exec"), module.__dict__)
        play: Callable[..., Any] = module.__dict__["play"]
        return play


def _types(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(typeof(argument) for argument in arguments)


def _files(home: Path) -> list[Path]:
    return sorted(path for path in home.rglob("*") if path.suffix in (".nbi", ".nbc", ".py"))


def _sums(home: Path) -> str:
    return "".join(
        f"{path.relative_to(home)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in _files(home)
    )


def _seal(home: Path) -> None:
    (home / SUMS).write_text(_sums(home), encoding="utf-8")


def _is_intact(home: Path) -> bool:
    try:
        return (home / SUMS).read_text(encoding="utf-8") == _sums(home)
    except (OSError, ValueError):
        return False


def _publish(draft: Path, home: Path) -> None:
    """Puts a finished kernel in its place in one step; where another process was first, its kernel stays."""
    if home.exists() and not _is_intact(home):
        shutil.rmtree(home, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.rename(draft, home)
    _prune(home.parent)


def _prune(shelf: Path) -> None:
    """Removes the kernels that were not used for longest, and drafts that were left behind."""
    with contextlib.suppress(OSError):
        kernels = sorted(shelf.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in kernels[KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
