"""Numbers as people write them on a command line: 1e6, 1_000_000, 1M, 2-5, 2,4."""

import re
from decimal import Decimal, InvalidOperation

from simcore.cell import MOST_GAMES
from simcore.errors import UsageError

SUFFIX = {"k": 10**3, "m": 10**6, "g": 10**9}


def read_count(option: str, text: str) -> int:
    """A whole number from 1 to 10**12 written as 250000, 250_000, 2.5e5, 250k or 1M.

    Raises UsageError for anything else.
    """
    match = re.fullmatch(r"([0-9._]+(?:e\+?[0-9]+)?)([kmg]?)", text.strip().lower())
    try:
        value = Decimal(match[1].replace("_", "")) * SUFFIX.get(match[2], 1) if match else Decimal(-1)
    except InvalidOperation:
        value = Decimal(-1)
    if not 1 <= value <= MOST_GAMES or value != value.to_integral_value():
        raise UsageError(f"{option} {text}: give a whole number from 1 to 1e12, such as 250000, 1e6 or 1M")
    return int(value)


def read_players(text: str) -> list[int]:
    """Player counts from 4, 2-5 or 2,4.

    Raises UsageError for anything else.
    """
    counts: list[int] = []
    for word in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,3})(?:-(\d{1,3}))?\s*", word)
        if not match or int(match[2] or match[1]) < int(match[1]):
            raise UsageError(f"--players {text}: write a number, a range such as 2-5, or a list such as 2,4")
        counts.extend(range(int(match[1]), int(match[2] or match[1]) + 1))
    return list(dict.fromkeys(counts))
