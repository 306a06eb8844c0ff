"""The words and numbers that figures draw, in English."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

THIN = "\u202f"  # the narrow space that does not break, between groups of digits and before a French %
SPACE = "\u00a0"  # the space that does not break
MINUS = "\u2212"


@dataclass(frozen=True, eq=False)
class Words:
    """All that a figure says by itself; what is in braces is filled in.

    percent(share, digits) writes a share of 0 to 1, points(difference, digits) a difference of shares as signed points,
    count(number) a whole number, band(share) the band around fair.
    """

    percent: Callable[[float, int], str]
    points: Callable[[float, int], str]
    count: Callable[[float], str]
    band: Callable[[float], str]
    fair: str
    footer: str
    seat: str
    wins: str
    players: str
    map_key: str
    matrix_key: str
    dominated: str
    length: str
    of_games: str
    quantile: str
    median: str
    cut_off: str
    progress: str
    games_with: str
    curves: Mapping[str, str]
    change: str
    tornado_key: str
    games: str
    one_look: str
    all_looks: str


def number(value: float, digits: int, mark: str = ".", signed: bool = False) -> str:
    """A number with this many decimals and decimal mark, a true minus, and + when signed; zero has no sign."""
    text = f"{abs(value):,.{digits}f}".replace(",", THIN).replace(".", mark)
    if not any(digit in text for digit in "123456789"):
        return text
    return (MINUS if value < 0 else "+" if signed else "") + text


def _english_band(share: float) -> str:
    return f"±{SPACE}{100 * share:g} {'point' if share == 0.01 else 'points'}"


ENGLISH = Words(
    percent=lambda share, digits: f"{number(100 * share, digits)}{SPACE}%",
    points=lambda difference, digits: number(100 * difference, digits, signed=True),
    count=lambda value: number(value, 0),
    band=_english_band,
    fair=f"fair{SPACE}{{share}}",
    footer="{games} games",
    seat="seat",
    wins="wins, with 95 % intervals",
    players="players",
    map_key=(
        f"What the first player wins above the fair share, in points. Hatched: the interval contains{SPACE}0. "
        "Outlined: surely further from fair than {band}."
    ),
    matrix_key=(
        "What one player of the row's strategy wins above the fair share among copies of the column's, in points. "
        f"Hatched: the interval contains{SPACE}0."
    ),
    dominated="dominated",
    length="length of a game",
    of_games="games",
    quantile="{level} by {length}",
    median="half by {length}",
    cut_off="cut off",
    progress="part of the game that is played",
    games_with="games",
    curves={"leader_wins": "the leader wins", "decided": "decided", "last_wins": "the last win"},
    change="change of the share, in points",
    tornado_key=f"Hatched: the interval contains{SPACE}0.",
    games="games played",
    one_look="Dark: the 95 % interval.",
    all_looks="Pale, dashed: holds at every look at once.",
)
