"""From an experiment to its cells: every combination of rules, players and line-ups that is asked for."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, NoReturn

from experiments.config import Experiment, Rules, Value, Variant, check_once, toml
from simcore.api import make_cell
from simcore.contract import Game
from simcore.errors import UsageError, unknown
from simcore.lineup import read_entry
from simcore.registry import find_game
from simcore.rules import read_rules, settings
from simcore.store import Planned
from simcore.tournament import in_company, line_ups

FEW = 13  # a rule with no more numbers than this is flipped to all of them


def plan(experiment: Experiment, source: str) -> list[Planned]:
    """All cells, in the order of the file: variants, then grid, zip, players and line-ups; the last changes fastest.

    Raises UsageError for cells that cannot be played, with a way out, and when there is no cell.
    """
    game, experiment = _checked(experiment, source)
    sets = list(_rulings(experiment) if experiment.rulings else _rule_sets(experiment))
    cells: dict[str, Planned] = {}
    seated = [(players, line_up) for players in experiment.players for line_up in _line_ups(experiment, players)]
    for (factors, rules, base), (players, line_up) in product(sets, seated):
        everything = {**factors, "players": players, "strategies": line_up}
        if any(_matches(everything, rules, game.rules, entry) for entry in experiment.exclude):
            continue
        label = _label(everything)
        try:
            how = (experiment.seed, experiment.rotate, experiment.course)
            cell = make_cell(game.name, players, experiment.games, line_up, rules, *how)
        except UsageError as error:
            reason = str(error).removeprefix("--")
            raise UsageError(f"{source}: cell {label}: {reason}; or leave it out with [[exclude]]") from None
        where: dict[str, Value] = {"players": players, "strategies": line_up}
        beside = _label({**base, **where}) if base is not None else ""
        if label in cells and not experiment.rulings:
            raise UsageError(f"{source}: the cell {label} is there twice; leave one of them out")
        if beside or label not in cells:  # a flipped ruling may also be what another one is flipped in
            cells[label] = Planned(label, beside, everything, cell)
    if not cells:
        raise UsageError(f"{source}: there are no cells; [[exclude]] takes them all")
    _check_bases(cells, source)
    if experiment.tournament:
        together = in_company([entry.cell for entry in cells.values()])
        return [replace(entry, cell=cell) for entry, cell in zip(cells.values(), together, strict=True)]
    return list(cells.values())


def _check_bases(cells: Mapping[str, Planned], source: str) -> None:
    alone = next((entry for entry in cells.values() if entry.base and entry.base not in cells), None)
    if alone:
        raise UsageError(f"{source}: cell {alone.label}: what it is compared with, {alone.base}, is in [[exclude]]")


def _checked(experiment: Experiment, source: str) -> tuple[Game, Experiment]:
    """The game, and the experiment with every rule's value as the game writes it.

    Raises UsageError for a name that there is not, or a value that it does not take.
    """
    try:
        game = find_game(experiment.game)
    except UsageError as error:
        raise UsageError(f"{source}: game = {toml(experiment.game)}: {error}") from None
    check = _Check(game, source)
    for players in experiment.players:
        check.players("players", players)
    for line_up in experiment.strategies or []:
        check.line_up("strategies", line_up)
    for entry in experiment.pool or []:
        check.line_up("pool", entry, alone=True)
    for entry in experiment.tournament or []:
        check.line_up("tournament", entry, alone=True)
    variants = [
        variant.model_copy(update={"rules": check.rules(f"variant.{place + 1}.rules", variant.rules)})
        for place, variant in enumerate(experiment.variant)
    ]
    read = {name: check.rules(name, getattr(experiment, name)) for name in ("rules", "grid", "zip", "numbers")}
    for name, values in read["grid"].items():
        try:
            check_once(f"grid.{name}", values)
        except ValueError as error:
            raise UsageError(f"{source}: {error}") from None
    for name in experiment.companions:
        check.rule("companions", name)
    companions = {name: check.rules(f"companions.{name}", rules) for name, rules in experiment.companions.items()}
    names = [variant.name for variant in variants]
    exclude = [check.excluded(place + 1, entry, names) for place, entry in enumerate(experiment.exclude)]
    return game, experiment.model_copy(
        update={**read, "variant": variants, "companions": companions, "exclude": exclude}
    )


class _Check:
    """Refuses what a game does not know, and writes values as the game does."""

    def __init__(self, game: Game, source: str):
        self._game, self._source, self._known = game, source, settings(game.rules)

    def players(self, key: str, count: Any) -> Any:
        least, most = self._game.least_players, self._game.most_players
        if not (isinstance(count, int) and least <= count <= most):
            self._refuse(f"{key} = {toml(count)}: {self._game.name} takes {least} to {most} players")
        return count

    def line_up(self, key: str, text: Any, alone: bool = False) -> Any:
        words = str(text).split(",")
        if alone and len(words) > 1:
            self._refuse(f"{key} = {toml(text)}: it takes single strategies; line-ups go into strategies")
        for word in words:
            try:
                read_entry(self._game, word.strip())
            except UsageError as error:
                self._refuse(f"{key} = {toml(text)}: {error}")
        return text

    def rule(self, table: str, name: str, also: Iterable[str] = ()) -> None:
        known = [*self._known, *also]
        if name in Experiment.model_fields and name not in known:
            self._refuse(f'{table}: "{name}" is no rule; as a key of the file it goes above the first [table]')
        if name not in known:
            raise unknown(f"{self._source}: {table}: {self._game.name} has no rule", name, known)

    def rules(self, table: str, given: Mapping[str, Any], also: Iterable[str] = ()) -> dict[str, Any]:
        """Every value, or list of values, as the game writes it."""
        read = {}
        for name, value in given.items():
            self.rule(table, name, also)
            many = isinstance(value, list) and table in ("grid", "zip", "numbers")
            read[name] = [self.value(table, name, one) for one in value] if many else self.value(table, name, value)
        return read

    def value(self, table: str, name: str, given: Any) -> Any:
        try:
            return getattr(read_rules(self._game.rules, self._game.name, {name: given}), name)
        except UsageError as error:
            return self._refuse(f"{table}.{str(error).removeprefix('rule ')}")

    def excluded(self, place: int, entry: Mapping[str, Any], variants: list[str]) -> dict[str, Any]:
        """An [[exclude]] with lists for all values."""
        table, read = f"exclude.{place}", {}
        if not entry:
            self._refuse(f"{table}: it is empty; name what to leave out, such as players = 2")
        for name, given in entry.items():
            self.rule(table, name, ("players", "strategies", "variant"))
            is_list = name in self._known and self._known[name][1].is_list
            one_list = is_list and isinstance(given, list) and not isinstance(given[0], list)
            values = given if isinstance(given, list) and not one_list else [given]
            read[name] = [self._excluded_value(table, name, value, variants) for value in values]
        return read

    def _excluded_value(self, table: str, name: str, value: Any, variants: list[str]) -> Any:
        if name == "players":
            return self.players(f"{table}.players", value)
        if name == "strategies":
            return self.line_up(f"{table}.strategies", value)
        if name == "variant":
            if not variants:
                self._refuse(f"{table}.variant: there is no [[variant]] in this file")
            if value not in variants:
                raise unknown(f"{self._source}: {table}: there is no variant", str(value), variants)
            return value
        return self.value(table, name, value)

    def _refuse(self, sentence: str) -> NoReturn:
        raise UsageError(f"{self._source}: {sentence}")


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


def _line_ups(experiment: Experiment, players: int) -> list[str]:
    """Line-ups as on the command line: those given, each of a pool by itself, a tournament's, or the game's default."""
    if experiment.tournament:
        return list(dict.fromkeys(",".join(line) for _, _, line in line_ups(experiment.tournament, players)))
    return experiment.strategies or experiment.pool or [find_game(experiment.game).default_line_up]


def _matches(factors: Mapping[str, Value], rules: Rules, kind: type, entry: Mapping[str, Any]) -> bool:
    """Whether a cell is one of those that an [[exclude]] describes."""
    played = {name: default for name, (default, _) in settings(kind).items()} | rules | dict(factors)
    return all(str(played.get(name)) in map(str, values) for name, values in entry.items())


def _label(factors: Mapping[str, Value]) -> str:
    words = [_text(value) if name == "variant" else f"{name}={_text(value)}" for name, value in factors.items()]
    return ", ".join(words)


def _text(value: Value) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
