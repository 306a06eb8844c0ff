"""The course of a game: who leads at each eighth of it, and what comes of that; in kernels of its own, when asked for.

A watched game is the game with more metrics: its rules are the same functions, with a look at the standings after each
turn. Definitions are in docs/metrics.md; sources: Browne 2008 for decision time, Ludii's metrics for lead changes.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from simcore.bits import size
from simcore.contract import WHOLE, Game, Metric, Notes, procedure, record, rule

EIGHTHS = 8
INNER = tuple(str(part) for part in range(1, EIGHTHS))  # the eighths before the end
COURSE = record(
    "passed", "leader", "changes", "ahead", "behind", ("leaders", np.int64, (EIGHTHS,)), ("lasts", np.int64, (EIGHTHS,))
)
NOTES = ("notes", np.int64, (64,))
METRICS = (
    Metric("lead_changes", "changes of the leader a game"),
    Metric("leader_wins", "wins of the leader, {}/8", is_share=True, unit=WHOLE**2, labels=INNER, row="eighths"),
    Metric("last_wins", "wins of the last, {}/8", is_share=True, unit=WHOLE, labels=INNER, row="eighths"),
    Metric("decided", "games decided, {}/8", is_share=True, labels=INNER, row="eighths"),
    Metric("decision_time", "part of a game until it is decided", is_share=True, unit=EIGHTHS),
    Metric("margin", "margin of the two best scores"),
    Metric("close", "games with a margin of at most 1", is_share=True),
)
USED = "used_{}"  # the metric that tells in how many games something happens at all


@cache
def watched(game: Game) -> Game:
    """The game with the metrics of its course, or itself when it cannot be watched."""
    if game.standing is None or game.progress is None:
        return game
    used = tuple(_used(metric) for metric in game.metrics if metric.name in game.happens)
    watch, own = _watch(game.standing, game.progress), game.notes.metrics if game.notes else ()
    return replace(
        game,
        metrics=(*game.metrics, *METRICS, *used, *own),
        hidden=lambda players: _with_course(game.hidden(players)),
        check=_check(game),
        deal=_deal(game.deal),
        turns=_turns(game.turns, watch, game.notes),
        finish=_finish(game.finish, watch, tuple(metric.name.removeprefix("used_") for metric in used), game.notes),
        is_watched=True,
    )


def _check(game: Game) -> Callable[[Any, int], None]:
    def check(rules: Any, players: int) -> None:
        if game.check:
            game.check(rules, players)
        if game.check_course:
            game.check_course(rules)

    return check


def _used(metric: Metric) -> Metric:
    return Metric(USED.format(metric.name), f"games with any: {metric.meaning.removesuffix(' a game')}", is_share=True)


def _with_course(hidden: np.dtype) -> np.dtype:
    fields = hidden.fields
    assert fields is not None and hidden.names is not None
    return record(*((name, fields[name][0]) for name in hidden.names), ("course", COURSE), NOTES)


def _deal(deal: Callable[..., Any]) -> Callable[..., Any]:
    @procedure
    def deal_watched(table, hidden, shuffler):
        """Deals; all are level, and nobody leads alone."""
        deal(table, hidden, shuffler)
        course = hidden.course
        course.passed, course.leader, course.changes = 0, 0, 0
        course.ahead, course.behind = (1 << len(table.seat)) - 1, 0
        for place in range(len(hidden.notes)):
            hidden.notes[place] = 0

    return deal_watched


def _turns(turns: Callable[..., Any], watch: Callable[..., Any], notes: Notes | None) -> Callable[..., Any]:
    """`Game.turns`; it holds functions alone, of which a fingerprint can be made."""
    before, after = (notes.before, notes.after) if notes else (_nothing, _nothing)

    def watched_turns(choose, remembers):
        turn = turns(choose, remembers)

        @rule
        def turn_watched(table, hidden, seats):
            """A turn, and a look at the standings."""
            before(table, hidden, hidden.notes)
            turn(table, hidden, seats)
            after(table, hidden, hidden.notes)
            watch(table, hidden)

        return turn_watched

    return watched_turns


@rule
def _nothing(first, second, third=None):
    """Takes no notes."""


def _watch(standing: Callable[..., Any], progress: Callable[..., Any]) -> Callable[..., Any]:
    @procedure
    def watch(table, hidden):
        """Writes down who leads and who is last at each eighth that has passed: as things were then.

        A tie keeps the old leader.
        """
        course = hidden.course
        best = worst = standing(table, hidden, 0)
        leaders = lasts = np.int64(1)
        for seat in range(1, len(table.seat)):
            mine = standing(table, hidden, seat)
            if mine > best:
                best, leaders = mine, np.int64(0)
            if mine < worst:
                worst, lasts = mine, np.int64(0)
            leaders |= np.int64(mine == best) << seat
            lasts |= np.int64(mine == worst) << seat
        if best == worst:
            lasts = np.int64(0)
        if leaders & (leaders - 1) == 0 and leaders != course.leader:
            course.changes += np.int64(course.leader != 0)
            course.leader = leaders
        done, whole = progress(table, hidden)
        while course.passed < EIGHTHS and (course.passed + 1) * whole <= EIGHTHS * done:
            is_now = (course.passed + 1) * whole == EIGHTHS * done  # else it passed since the last turn
            course.leaders[course.passed & 7] = leaders if is_now else course.ahead
            course.lasts[course.passed & 7] = lasts if is_now else course.behind
            course.passed += 1
        course.ahead, course.behind = leaders, lasts

    return watch


def _finish(
    finish: Callable[..., Any], watch: Callable[..., Any], used: tuple[str, ...], notes: Notes | None = None
) -> Callable[..., Any]:
    tell_used, tell_notes = _tell_used(used), notes.finish if notes else _nothing

    @procedure
    def finish_watched(table, hidden, outcome):
        """The outcome row, with what the course of the game came to."""
        finish(table, hidden, outcome)
        course, winners = hidden.course, np.int64(0)
        for seat in range(len(outcome.share)):
            winners |= np.int64(outcome.share[seat] > 0) << seat
        while course.passed < EIGHTHS:  # a game that ended early is as it was at its end
            course.leaders[course.passed & 7], course.lasts[course.passed & 7] = winners, 0
            course.passed += 1
        decided = EIGHTHS
        for part in range(EIGHTHS - 1, -1, -1):
            if decided == part + 1 and course.leaders[part] == winners:
                decided = part
        for part in range(EIGHTHS - 1):
            outcome.leader_wins[part] = (
                WHOLE * taken(outcome, course.leaders[part]) // max(1, size(course.leaders[part]))
            )
            outcome.last_wins[part] = taken(outcome, course.lasts[part])
            outcome.decided[part] = decided <= part
        outcome.decision_time = min(decided + 1, EIGHTHS)
        outcome.lead_changes = course.changes
        outcome.margin = margin(outcome)
        outcome.close = outcome.margin <= 1
        tell_used(outcome)
        tell_notes(hidden.notes, outcome)

    return finish_watched


@procedure
def taken(outcome, seats):
    """What these seats have of the win, in 840ths."""
    whole = np.int64(0)
    for seat in range(len(outcome.share)):
        whole += outcome.share[seat] * (seats >> seat & 1)
    return whole


@procedure
def margin(outcome):
    """The best score less the second best one."""
    best, second = max(outcome.score[0], outcome.score[1]), min(outcome.score[0], outcome.score[1])
    for seat in range(2, len(outcome.score)):
        second = max(second, min(best, outcome.score[seat]))
        best = max(best, outcome.score[seat])
    return best - second


def _tell_used(names: tuple[str, ...]) -> Callable[..., Any]:
    """A rule that writes for each metric whether it is above zero."""
    lines = [f"    outcome.{USED.format(name)} = outcome.{name} > 0" for name in names]
    made: dict[str, Any] = {"rule": rule}
    exec("\n".join(["@rule", "def tell_used(outcome):", *lines, "    return 0", ""]), made)
    tell: Callable[..., Any] = made["tell_used"]
    return tell
