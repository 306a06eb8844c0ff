"""Compiled functions turned back into plain Python, with all that they call: for replays and debugging."""

from collections.abc import Callable, Mapping
from types import CellType, FunctionType, SimpleNamespace
from typing import Any

import numpy as np
from numba.core import config

NO_COMPILER = bool(getattr(config, "DISABLE_JIT", 0))  # NUMBA_DISABLE_JIT=1: everything runs as plain Python


def plain(function: Callable[..., Any], replaced: Mapping[Any, Any]) -> Callable[..., Any]:
    """The same function without numba, calling plain functions only.

    replaced: functions that are exchanged for others, for example `event` for a recorder.
    """
    twin: Callable[..., Any] = _Copier(replaced).copy(function)
    return twin


class _Copier:
    """Copies each function and each module's globals once, so that recursion and sharing survive."""

    def __init__(self, replaced: Mapping[Any, Any]):
        self._functions: dict[int, Any] = {id(old): new for old, new in replaced.items()}
        self._globals: dict[int, dict[str, Any]] = {}

    def copy(self, value: Any) -> Any:
        """The plain twin of a rule; anything else as it is."""
        if not getattr(value, "is_rule", False):
            return value
        if id(value) not in self._functions:
            source = getattr(value, "py_func", value)
            names = self._namespace(source.__globals__)
            cells = tuple(CellType() for _ in source.__closure__ or ())
            twin = FunctionType(source.__code__, names, source.__name__, source.__defaults__, cells or None)
            self._functions[id(value)] = twin
            for cell, original in zip(cells, source.__closure__ or (), strict=True):
                cell.cell_contents = self.copy(original.cell_contents)
        return self._functions[id(value)]

    def _namespace(self, names: dict[str, Any]) -> dict[str, Any]:
        if id(names) not in self._globals:
            self._globals[id(names)] = twin = dict(names)
            for name, value in names.items():
                twin[name] = self.copy(value)
        return self._globals[id(names)]


def plain_record(dtype: np.dtype) -> Any:
    """A zeroed record of Python objects, several times faster to play with than numpy's: lists and integers.

    Unsigned numbers stay numpy's, so that random streams wrap as they do in a kernel.
    """
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return [plain_record(base) for _ in range(shape[0])]
    if dtype.names is not None:
        return SimpleNamespace(**{name: plain_record(dtype[name]) for name in dtype.names})
    return np.uint64(0) if dtype.kind == "u" else 0
