"""Stopping rules as people write them: --until-width 0.2%, --until-decided --band 1%."""

from simcore.errors import UsageError
from simcore.sequential import StoppingRule, UntilDecided, UntilWidth


def read_until(width: str | None, decided: bool, band: str) -> StoppingRule | None:
    """The stopping rule that these options ask for; None to play all games.

    Raises UsageError for a width or band that is no share of a win, or for both rules at once.
    """
    if width is not None and decided:
        raise UsageError("--until-width and --until-decided: choose one")
    if width is not None:
        return UntilWidth(read_share("--until-width", width))
    return UntilDecided(read_share("--band", band)) if decided else None


def read_share(option: str, text: str) -> float:
    """A share between 0 and 1 written as 0.2% or 0.002."""
    try:
        value = float(text.strip().rstrip("%").strip().replace(",", "."))
    except ValueError:
        value = -1.0
    share = value / 100 if text.strip().endswith("%") else value
    if not 0 < share < 1:
        raise UsageError(f"{option} {text}: give a share of the wins between 0 and 100 %, such as 0.2%")
    return share
