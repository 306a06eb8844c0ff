"""simcore: is this game fair, for how many players, under which rules, and how sure are we?"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcore.api import simulate
    from simcore.errors import IllegalAction, UsageError
    from simcore.result import Result
    from simcore.results import Results, load_results

_HOME = {
    "simulate": "simcore.api",
    "Result": "simcore.result",
    "Results": "simcore.results",
    "load_results": "simcore.results",
    "IllegalAction": "simcore.errors",
    "UsageError": "simcore.errors",
}

__all__ = ["IllegalAction", "Result", "Results", "UsageError", "load_results", "simulate"]


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used: numba takes a third of a second to import."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'simcore' has no attribute {name!r}")
