"""From an experiment to its cells: every combination of rules, players and line-ups that is asked for."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from experiments.config import Experiment, Rules, Value, Variant
from simcore.api import make_cell
from simcore.errors import UsageError, unknown
from simcore.registry import find_game
from simcore.rules import settings
from simcore.store import Planned

FEW = 13  # a rule with no more numbers than this is flipped to all of them


def plan(experiment: Experiment, source: str) -> list[Planned]:
    """All cells, in the order of the file: variants, then grid, zip, players and line-ups; the last changes fastest.

    Raises UsageError for cells that cannot be played, with a way out, and when there is no cell.
    """
    game = find_game(experiment.game)
    _check_names(experiment, source)
    sets = list(_rulings(experiment) if experiment.rulings else _rule_sets(experiment))
    cells: dict[str, Planned] = {}
    for (factors, rules, base), players, line_up in product(sets, experiment.players, _line_ups(experiment)):
        everything = {**factors, "players": players, "strategies": line_up}
        if any(_matches(everything, rules, game.rules, entry) for entry in experiment.exclude):
            continue
        label = _label(everything)
        try:
            cell = make_cell(game.name, players, experiment.games, line_up, rules, experiment.seed, experiment.rotate)
        except UsageError as error:
            raise UsageError(f"{source}: cell {label}: {error}; leave it out with [[exclude]]") from None
        where: dict[str, Value] = {"players": players, "strategies": line_up}
        beside = _label({**base, **where}) if base is not None else ""
        if beside or label not in cells:  # a flipped ruling may also be what another one is flipped in
            cells[label] = Planned(label, beside, everything, cell)
    if not cells:
        raise UsageError(f"{source}: there are no cells; [[exclude]] takes them all")
    return list(cells.values())


def _check_names(experiment: Experiment, source: str) -> None:
    known = settings(find_game(experiment.game).rules)
    named = [("rules", name) for name in experiment.rules]
    for table in ("grid", "zip", "numbers", "companions"):
        named += [(table, name) for name in getattr(experiment, table)]
    named += [("variant", name) for variant in experiment.variant for name in variant.rules]
    named += [("companions", name) for rules in experiment.companions.values() for name in rules]
    named += [("exclude", name) for entry in experiment.exclude for name in entry]
    for table, name in named:
        extra = ("players", "strategies", "variant") if table == "exclude" else ()
        if name not in known and name not in extra:
            raise unknown(f"{source}: {table}: {experiment.game} has no rule", name, [*known, *extra])


RuleSet = tuple[dict[str, Value], Rules, dict[str, Value] | None]


def _rule_sets(experiment: Experiment) -> Iterator[RuleSet]:
    """What sets a set of rules apart, and the rules."""
    grid = [[(name, value) for value in values] for name, values in experiment.grid.items()]
    steps = [list(step) for step in zip(*_named(experiment.zip), strict=True)] or [[]]
    variants: list[Variant | None] = [*experiment.variant] or [None]
    for variant, chosen, step in product(variants, product(*grid), steps):
        factors: dict[str, Value] = {"variant": variant.name} if variant else {}
        changed = {**dict(chosen), **dict(step)}
        yield (
            {**factors, **changed},
            {**experiment.rules, **(variant.rules if variant else {}), **changed},
            None,
        )


def _named(lists: Mapping[str, list[Value]]) -> list[list[tuple[str, Value]]]:
    return [[(name, value) for value in values] for name, values in lists.items()]


def _rulings(experiment: Experiment) -> Iterator[RuleSet]:
    """The rules as they are, then every ruling flipped one at a time, with what it needs."""
    game = find_game(experiment.game)
    yield {}, experiment.rules, None
    bases = []
    for name, (default, setting) in settings(game.rules).items():
        with_it = experiment.companions.get(name, {})
        if with_it and with_it not in bases:
            bases.append(with_it)
            yield dict(with_it), {**experiment.rules, **with_it}, None
        own = experiment.rules.get(name, default)
        is_short = setting.takes_numbers and not setting.is_list and setting.most - setting.least < FEW
        few: list[Value] = list(range(setting.least, setting.most + 1)) if is_short else []
        numbers = experiment.numbers.get(name, few)
        for value in [*(option.name for option in setting.options), *numbers]:
            if str(value) != str(own):
                yield {**with_it, name: value}, {**experiment.rules, **with_it, name: value}, dict(with_it)


def _line_ups(experiment: Experiment) -> list[str]:
    """Line-ups as on the command line: those given, each of a pool by itself, or the game's default."""
    return experiment.strategies or experiment.pool or [find_game(experiment.game).default_line_up]


def _matches(factors: Mapping[str, Value], rules: Rules, kind: type, entry: Mapping[str, Any]) -> bool:
    """Whether a cell is one of those that an [[exclude]] describes."""
    played = {name: default for name, (default, _) in settings(kind).items()} | rules | dict(factors)
    return all(
        str(played.get(name)) in [str(value) for value in (given if isinstance(given, list) else [given])]
        for name, given in entry.items()
    )


def _label(factors: Mapping[str, Value]) -> str:
    words = [_text(value) if name == "variant" else f"{name}={_text(value)}" for name, value in factors.items()]
    return ", ".join(words)


def _text(value: Value) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
