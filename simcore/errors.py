"""The two ways a run can be refused: by what was asked, and by what a strategy did."""

from collections.abc import Iterable
from difflib import get_close_matches


class UsageError(ValueError):
    """What was asked cannot be done; the message is one sentence that says what would do."""


class IllegalAction(RuntimeError):
    """A strategy answered with what the rules forbid, or with an error; nothing was repaired."""


class KernelError(RuntimeError):
    """A strategy or a rule raised an error in a kernel, which does not know in which game."""


def unknown(what: str, given: str, known: Iterable[str]) -> UsageError:
    """The refusal of a name that does not exist, with the nearest one that does."""
    return UsageError(f'{what} "{given}"{nearest(given, known)}')


def nearest(given: str, known: Iterable[str]) -> str:
    """The end of a sentence that refuses a name: the nearest known one, or all of them."""
    names = list(known)
    near = get_close_matches(given, names, n=1, cutoff=0.5)
    return f'; did you mean "{near[0]}"?' if near else f"; there are: {', '.join(names)}"
