"""What a run says: estimates by seat, by strategy and for the game, as frames and as one JSON document."""

from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any

from simcore.contract import WHOLE, Metric
from simcore.engine import Run
from simcore.histogram import values
from simcore.rules import settings
from simcore.stats import Estimate, Fairness, Histogram, Sample, fairness, mean, ratio, share
from simcore.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = 1
BAND = 0.01  # a seat is fair within one point of its fair share
QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}


@dataclass(frozen=True)
class Line:
    """The numbers of one seat or one strategy; `spread` has more about the scores of a heavy-tailed game."""

    label: str
    strategy: str
    win_share: Estimate
    score: Estimate
    spread: dict[str, Estimate]

    def numbers(self) -> dict[str, Estimate]:
        """All of them by name."""
        return {
            "win_share": self.win_share,
            "score": self.score,
            **{f"score_{name}": found for name, found in self.spread.items()},
        }


class Result:
    """The estimates of a finished run; nothing is printed."""

    def __init__(self, run: Run, band: float = BAND):
        self.tally: Tally = run.tally
        self.cell = run.tally.cell
        self.games = run.tally.games
        self.seconds = run.seconds
        self.interrupted = run.interrupted
        self.stopped = run.stopped
        self.band = band

    @cached_property
    def seat_lines(self) -> list[Line]:
        """One line per seat; a rotated line-up sits everywhere equally often."""
        mixed = self.cell.rotations > 1
        names = ["all" if mixed else entry.text for entry in self.cell.line_up]
        return [self._line(f"seat_{seat}", str(seat + 1), name, 1, seat) for seat, name in enumerate(names)]

    @cached_property
    def strategy_lines(self) -> list[Line]:
        """One line per distinct line-up entry, over all the seats that it held."""
        held = [sum(entry.text == name for entry in self.cell.line_up) for name in self.cell.names]
        first = self.cell.players
        return [
            self._line(f"strategy_{group}", name, name, held[group], first + group)
            for group, name in enumerate(self.cell.names)
        ]

    @cached_property
    def metric_estimates(self) -> dict[str, Estimate]:
        """The game's metrics, per game."""
        return {metric.name: self._metric(metric) for metric in self.cell.game.measures(self.cell.players)}

    @cached_property
    def fairness(self) -> Fairness:
        """Whether all seats win within the band of the fair share, a point unless told otherwise."""
        return fairness([self._sample(f"share_seat_{seat}", 1, WHOLE) for seat in range(self.cell.players)], self.band)

    @cached_property
    def seats(self) -> "pd.DataFrame":
        """Win share and score by seat: a tidy frame with n, estimate, low, high, method."""
        return self._frame(
            {"seat": int(line.label), "strategy": line.strategy, "metric": metric, **_columns(estimate)}
            for line in self.seat_lines
            for metric, estimate in line.numbers().items()
        )

    @cached_property
    def strategies(self) -> "pd.DataFrame":
        """Win share and score by strategy: a tidy frame."""
        return self._frame(
            {"strategy": line.strategy, "metric": metric, **_columns(estimate)}
            for line in self.strategy_lines
            for metric, estimate in line.numbers().items()
        )

    @cached_property
    def metrics(self) -> "pd.DataFrame":
        """The game's metrics: a tidy frame."""
        return self._frame({"metric": name, **_columns(e), "sd": e.sd} for name, e in self.metric_estimates.items())

    @property
    def digest(self) -> str:
        """A fingerprint of every integer of the result."""
        return self.tally.digest()

    def document(self) -> dict[str, Any]:
        """Everything as plain numbers and text, ready for JSON; `schema` changes when a name changes."""
        cell = self.cell
        return {
            "schema": SCHEMA,
            "game": cell.game.name,
            "players": cell.players,
            "games": self.games,
            "seed": cell.seed,
            "rules": {name: getattr(cell.rules, name) for name in settings(type(cell.rules))},
            "lineup": [entry.text for entry in cell.line_up],
            "rotated": cell.rotations > 1,
            "seats": [{"seat": int(line.label), **_numbers(line)} for line in self.seat_lines],
            "strategies": [_numbers(line) for line in self.strategy_lines],
            "metrics": {
                name: {"mean": _number(e.estimate), **_interval(e), "sd": _number(e.sd)}
                for name, e in self.metric_estimates.items()
            },
            "fairness": {"band": self.band, "verdict": self.fairness.answer},
            "interrupted": self.interrupted,
            "stopped": self.stopped,
            "digest": self.digest,
        }

    def _metric(self, metric: Metric) -> Estimate:
        if not metric.per:
            return (share if metric.is_share else mean)(self._sample(metric.name, 1, metric.unit))
        tops, bottoms = self.tally.blocks(metric.of or metric.name), self.tally.blocks(metric.per)
        return ratio(tops, bottoms, metric.is_share)

    def _sample(self, column: str, seats: int, unit: int) -> Sample:
        tally = self.tally
        return Sample(tally.deals, self.cell.rotations * seats, *tally.total(column), unit)

    def _line(self, suffix: str, label: str, strategy: str, seats: int, place: int) -> Line:
        won = share(self._sample(f"share_{suffix}", seats, WHOLE))
        return Line(label, strategy, won, mean(self._sample(f"score_{suffix}", seats, 1)), self._spread(place))

    def _spread(self, place: int) -> dict[str, Estimate]:
        """Trimmed mean and quantiles of the scores in this histogram; none where the mean says enough."""
        if not self.cell.game.is_heavy_tailed:
            return {}
        found = Histogram(values(), self.tally.scores[place], self.tally.deals)
        levels = {name: found.quantile(level) for name, level in QUANTILES.items()}
        return {"trimmed_mean": found.trimmed_mean(), **levels}

    def _frame(self, rows: Any) -> "pd.DataFrame":
        import pandas as pd

        frame = pd.DataFrame(list(rows))
        frame.attrs = {"game": self.cell.game.name, "players": self.cell.players, "seed": self.cell.seed}
        return frame


def _columns(estimate: Estimate) -> dict[str, Any]:
    return {
        "n": estimate.n,
        "estimate": estimate.estimate,
        "low": estimate.low,
        "high": estimate.high,
        "method": estimate.method,
    }


def _number(value: float) -> float | None:
    """The number, or nothing where there is none: JSON has no NaN."""
    return None if isnan(value) else value


def _numbers(line: Line) -> dict[str, Any]:
    spread = {name: _found(estimate) for name, estimate in line.spread.items()}
    return {
        "strategy": line.strategy,
        "games": line.win_share.n,
        "win_share": line.win_share.estimate,
        "low": line.win_share.low,
        "high": line.win_share.high,
        "score_mean": line.score.estimate,
        **({"score": {"mean": _found(line.score), **spread}} if spread else {}),
    }


def _found(estimate: Estimate) -> dict[str, float | None]:
    return {"estimate": _number(estimate.estimate), **_interval(estimate)}


def _interval(estimate: Estimate) -> dict[str, float | None]:
    return {"low": _number(estimate.low), "high": _number(estimate.high)}
