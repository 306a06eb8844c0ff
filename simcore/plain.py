"""Rules rebuilt with all that they call: for a replay with a recorder in place of `event`, or for the compiler."""

import os
from collections.abc import Callable, Mapping
from types import CellType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

NO_COMPILER = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")  # everything runs as plain Python

Make = Callable[[Callable[..., Any], FunctionType], Any]


def is_rule(value: Any) -> bool:
    """Whether a value is a function marked by `rule` or `procedure`."""
    return isinstance(value, FunctionType) and hasattr(value, "inlined")


def rebuild(function: Callable[..., Any], replaced: Mapping[Any, Any], make: Make | None = None) -> Callable[..., Any]:
    """A copy of a rule that calls copies of the rules it calls.

    replaced: functions that are exchanged for others, for example `event` for a recorder. make: what becomes of each
    copy, given the original and the copy; by default the copy itself.
    """
    copier = _Copier(replaced, make or (lambda original, copy: copy))
    copied: Callable[..., Any] = copier.copy(function)
    return copied


class _Copier:
    """Copies each function and each module's globals once, so that recursion and sharing survive."""

    def __init__(self, replaced: Mapping[Any, Any], make: Make):
        self._functions: dict[int, Any] = {id(old): new for old, new in replaced.items()}
        self._globals: dict[int, dict[str, Any]] = {}
        self._make = make

    def copy(self, value: Any) -> Any:
        """The copy of a rule, or of a module of rules; anything else as it is."""
        if id(value) in self._functions:
            return self._functions[id(value)]
        if isinstance(value, ModuleType) and any(map(is_rule, vars(value).values())):
            self._functions[id(value)] = module = ModuleType(value.__name__)
            module.__dict__.update(self._namespace(vars(value)))
            return module
        if not is_rule(value):
            return value
        cells = tuple(CellType() for _ in value.__closure__ or ())
        names = self._namespace(value.__globals__)
        twin = FunctionType(value.__code__, names, value.__name__, value.__defaults__, cells or None)
        twin.__kwdefaults__ = value.__kwdefaults__
        twin.__module__ = value.__module__
        self._functions[id(value)] = made = self._make(value, twin)
        for cell, original in zip(cells, value.__closure__ or (), strict=True):
            cell.cell_contents = self.copy(original.cell_contents)
        return made

    def _namespace(self, names: dict[str, Any]) -> dict[str, Any]:
        if id(names) not in self._globals:
            self._globals[id(names)] = twin = dict(names)
            for name, value in list(names.items()):
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
