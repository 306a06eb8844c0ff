"""Line-ups: which strategy sits where, as people write it and as a kernel reads it."""

from collections.abc import Sequence
from dataclasses import dataclass

from simcore.contract import Game, Strategy
from simcore.errors import UsageError, unknown
from simcore.registry import strategies


@dataclass(frozen=True)
class Entry:
    """One line-up entry: for each decision point the strategy that answers it, and every part's parameters."""

    text: str
    parts: tuple[Strategy, ...]
    values: tuple[tuple[Strategy, tuple[tuple[str, int], ...]], ...]


def read_line_up(game: Game, text: str | Sequence[str], players: int) -> tuple[Entry, ...]:
    """One entry per seat from `ev`, `ev,random,…` or a list of names; one name alone sits everywhere.

    Raises UsageError for an unknown name or parameter, or a line-up of the wrong length.
    """
    words = [word.strip() for word in (text.split(",") if isinstance(text, str) else text)]
    if len(words) not in (1, players):
        raise UsageError(
            f"--strategies {','.join(words)}: {len(words)} strategies for {players} players; give 1 or {players}"
        )
    entries = {word: read_entry(game, word) for word in words}
    return tuple(entries[word] for word in (words if len(words) == players else words * players))


def read_entry(game: Game, text: str) -> Entry:
    """An entry such as `ev`, `adaptive:memory=90` or `ev+minimax`; missing decisions take the game's default part."""
    given = [_read_part(game, word) for word in text.split("+")]
    chosen: list[Strategy | None] = [None] * len(game.points)
    for part, _ in given:
        for point in part.answers:
            chosen[point] = part
    unused = [part.name for part, _ in given if part not in chosen]
    if unused:
        raise UsageError(f'strategy "{text}": {unused[0]} decides nothing, because what follows it decides the same')
    known = strategies(game)
    values = dict(given)
    for point, answer in enumerate(chosen):
        if answer is None:
            chosen[point] = filled = known[game.default_parts[point]]
            values.setdefault(filled, _defaults(filled))
    parts = tuple(part for part in chosen if part is not None)
    return Entry(text, parts, tuple(values.items()))


def _defaults(part: Strategy) -> tuple[tuple[str, int], ...]:
    return tuple((name, parameter.default) for name, parameter in part.parameters.items())


def _read_part(game: Game, word: str) -> tuple[Strategy, tuple[tuple[str, int], ...]]:
    """A strategy with its parameters from `name`, `name:parameter=value` or, with one parameter, `name:value`."""
    name, *settings = word.strip().split(":")
    known = strategies(game)
    if name not in known:
        raise unknown(f"{game.name} has no strategy", name, known)
    part = known[name]
    values = dict(_defaults(part))
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals and len(part.parameters) == 1:
            key, value = next(iter(part.parameters)), setting
        if key not in part.parameters:
            raise _no_parameter(part, key)
        values[key] = _number(part, key, value)
    return part, tuple(values.items())


def _no_parameter(part: Strategy, key: str) -> UsageError:
    if part.parameters:
        return unknown(f"strategy {part.name} has no parameter", key, part.parameters)
    return UsageError(f'strategy {part.name} has no parameter "{key}"; it takes none')


def _number(part: Strategy, key: str, value: str) -> int:
    parameter = part.parameters[key]
    try:
        number = int(value)
    except ValueError:
        number = parameter.least - 1
    if not parameter.least <= number <= parameter.most:
        allowed = f"a whole number from {parameter.least} to {parameter.most}"
        raise UsageError(f"strategy {part.name}: {key} = {value}: it takes {allowed}")
    return number
