"""What games, strategies and the engine agree on: records, compiled rules, decisions and events."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

NONE = -1
WHOLE = 840  # one won game, in parts that 1 to 8 winners can share evenly


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """A rule of the game: it stays plain Python, and a kernel compiles it into every function that calls it."""
    function.inlined = True  # type: ignore[attr-defined]
    return function


def procedure(function: Callable[..., Any]) -> Callable[..., Any]:
    """A long or seldom used rule: as `rule`, but the compiler decides whether to copy it into its callers."""
    function.inlined = False  # type: ignore[attr-defined]
    return function


def apart(function: Callable[..., Any]) -> Callable[..., Any]:
    """A procedure whose records never overlap: what it wrote to one, it need not read again from another."""
    function.apart = True  # type: ignore[attr-defined]
    return procedure(function)


def record(*fields: Any) -> np.dtype:
    """A dtype read by names: a name alone is one int64, (name, type[, shape]) is anything else.

    Raises ValueError for a name that numpy's records use themselves, such as `size`.
    """
    named = [(entry, np.int64) if isinstance(entry, str) else entry for entry in fields]
    taken = [name for name, *_ in named if hasattr(np.record, name)]
    if taken:
        raise ValueError(f"numpy's records have attributes of their own called {', '.join(taken)}")
    return np.dtype((np.record, named))


def new(dtype: np.dtype) -> Any:
    """One zeroed record of this dtype, for a kernel."""
    return np.zeros(1, dtype).view(np.recarray)[0]


@rule
def event(kind: Any, seat: Any, value: Any) -> None:
    """Tells a transcript that something happened; costs nothing in a kernel."""


@dataclass(frozen=True)
class Option:
    """One value that a rule may take: how people write it, what the kernel is given, what it means."""

    name: str
    code: int
    meaning: str


@dataclass(frozen=True)
class Setting:
    """What is known about one field of `Rules`: the ruling, the rule sheet's sentence, the values."""

    ruling: str
    quote: str
    meaning: str
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 0
    is_list: bool = False

    def values(self) -> str:
        """The allowed values in words."""
        names = ", ".join(option.name for option in self.options)
        return ", or ".join(filter(None, [names, self.numbers() if self.takes_numbers else ""]))

    def numbers(self) -> str:
        """The numbers that have no name, in words."""
        return f"{'numbers' if self.is_list else 'a whole number'} from {self.least} to {self.most}"

    @property
    def takes_numbers(self) -> bool:
        """Whether a value may be a number, or a list of them, that has no name."""
        return self.most > self.least


@dataclass(frozen=True)
class Parameter:
    """A number that a strategy takes: its default, its range and what it means."""

    default: int
    least: int
    most: int
    meaning: str


@dataclass(frozen=True, eq=False)
class Strategy:
    """A function that answers some of a game's decision points."""

    name: str
    game: str
    decide: Any
    answers: tuple[int, ...]
    parameters: Mapping[str, Parameter]
    summary: str


@dataclass(frozen=True)
class Metric:
    """One number of a finished game, or one for each label or seat: a count (mean) or a share of `unit`.

    per: the metric that it is a ratio to, summed over all games; a mean per game without one.
    of: the metric that is divided by `per`, if this one is not counted by itself.
    """

    name: str
    meaning: str
    is_share: bool = False
    per: str = ""
    of: str = ""
    unit: int = 1
    labels: tuple[str, ...] = ()
    by_seat: bool = False  # as many numbers as players, with the first labels
    row: str = ""  # what each of them belongs to: they are shown in a table with a row for each label

    def words(self, players: int) -> tuple[str, ...]:
        """The labels at this number of players; none for a single number."""
        if not self.by_seat:
            return self.labels
        return self.labels[:players] or tuple(f"seat_{seat + 1}" for seat in range(players))


@dataclass(frozen=True, eq=False)
class Notes:
    """What a watched game counts of its own: metrics, and rules that take notes, int64 (64,), around each turn.

    before, after: called with table, hidden and notes, which are zero when a game begins. finish: with notes and the
    outcome row.
    """

    metrics: tuple[Metric, ...]
    before: Callable[..., Any]
    after: Callable[..., Any]
    finish: Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Game:
    """Everything the engine needs to know about one game; its rules stay in its own file."""

    name: str
    title: str
    least_players: int
    most_players: int
    rules: type
    points: tuple[str, ...]
    metrics: tuple[Metric, ...]
    score: str
    table: Callable[[int, Any], np.dtype]
    hidden: Callable[[int], np.dtype]
    prepare: Callable[[Any, int, Any], None]
    deal: Callable[..., Any]
    turns: Callable[..., Any]
    is_over: Callable[..., Any]
    finish: Callable[..., Any]
    is_legal: Callable[..., Any]
    hand: str = "hand"
    history: Sequence[str] = ()
    together: Mapping[Any, Sequence[Any]] = field(default_factory=dict)  # points asked at one moment with those before
    check: Callable[[Any, int], None] | None = None  # refuses rules that make no sense together
    default_parts: Sequence[str] = ()
    default_line_up: str = "random"
    narrator: str = ""
    is_heavy_tailed: bool = False  # scores are also told by quantiles and trimmed means
    standing: Callable[..., Any] | None = None  # how a seat stands now, greater is better; what the winner has most of
    progress: Callable[..., Any] | None = None  # how much of a game is over, and of how much
    check_course: Callable[[Any], None] | None = None  # refuses rules under which a game has no course
    happens: Sequence[str] = ()  # metrics of what a rule brings about, of which it is told how many games have any
    notes: Notes | None = None  # what is counted of it only when it is watched
    add_prints: Callable[..., Any] | None = None  # takes the fingerprints of deals and decisions of a traced game
    is_watched: bool = False  # it has the metrics of its course, and lengths are counted in a histogram

    def outcome(self, players: int) -> np.dtype:
        """One row per finished game: shares of the win in 840ths, scores, then the metrics."""
        seats = [("share", np.int64, (players,)), ("score", np.int64, (players,))]
        lengths = {metric.name: len(metric.words(players)) for metric in self.metrics if not metric.of}
        return record(*seats, *((name, np.int64, (length,)) if length else name for name, length in lengths.items()))

    @cache  # noqa: B019, as games live as long as the process
    def measures(self, players: int) -> tuple[Metric, ...]:
        """Every metric by itself, one for each label or seat of those that have them."""
        many = {metric.name for metric in self.metrics if metric.words(players)}
        return tuple(single for metric in self.metrics for single in _singles(metric, players, many))

    @cache  # noqa: B019, as games live as long as the process
    def counted(self, players: int) -> tuple[str, ...]:
        """The names of the metrics that an outcome row has after shares and scores, in order."""
        return tuple(metric.name for metric in self.measures(players) if not metric.of)


def _singles(metric: Metric, players: int, many: set[str]) -> list[Metric]:
    """A metric for each of its labels; itself without any."""
    if not metric.words(players):
        return [metric]
    return [
        replace(
            metric,
            name=f"{metric.name}_{word}",
            meaning=metric.meaning.format(word.replace("_", " ")),
            per=f"{metric.per}_{word}" if metric.per in many else metric.per,
            labels=(),
        )
        for word in metric.words(players)
    ]


def strategy(
    game: str, answers: Sequence[int], name: str | None = None, **parameters: Parameter
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the function below it as a strategy of `game` that answers these decision points.

    The function is called as `f(point, table, seat, hand, params, stream)` and returns an action;
    it sees the table and its own hand only. Its docstring's first line is its entry in the lists.
    Raises ValueError for a parameter with a name that numpy's records use themselves.
    """
    record(*parameters)

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        decide = rule(function)
        summary = (function.__doc__ or "").strip().split("\n")[0]
        entry = Strategy(name or function.__name__, game, decide, tuple(answers), dict(parameters), summary)
        decide.strategy = entry  # type: ignore[attr-defined]
        decide.py_module = function.__module__  # type: ignore[attr-defined]
        return decide

    return register
