"""The lists that the command line shows: a game's strategies and its rules."""

from textwrap import fill

from simcore.contract import Strategy
from simcore.registry import find_game, strategies
from simcore.rules import settings

WIDTH = 80


def strategy_lines(name: str) -> list[str]:
    """One paragraph per strategy."""
    game = find_game(name)
    combine = f"; parts combine, for example {'+'.join(game.default_parts)}" if len(game.points) > 1 else ""
    lines = [f"Strategies for {game.title}{combine}.", ""]
    for entry in strategies(game).values():
        decides = " and ".join(game.points[point] for point in entry.answers)
        default = ", in the default line-up" if entry.name in game.default_line_up.split("+") else ""
        lines += [f"{entry.name} (decides {decides}{default})", _indented(entry.summary), *_parameters(entry), ""]
    return lines[:-1]


def _parameters(entry: Strategy) -> list[str]:
    return [
        _indented(f"{entry.name}:{name}={p.default}  {p.meaning}, {p.least} to {p.most}")
        for name, p in entry.parameters.items()
    ]


def rule_lines(name: str) -> list[str]:
    """One paragraph per rule, the default value first."""
    game = find_game(name)
    lines = [f"Rules of {game.title} that can be changed with --rule name=value; * is the default.", ""]
    for rule, (default, setting) in settings(game.rules).items():
        lines += [f"{rule} ({setting.ruling}): {setting.meaning}", _indented(f"« {setting.quote} »")]
        lines += [
            _indented(f"{'*' if option.name == default else ' '} {option.name}: {option.meaning}", "      ")
            for option in setting.options
        ]
        if setting.takes_numbers:
            is_named = default in [option.name for option in setting.options]
            lines.append(
                _indented(f"  {setting.numbers()}" if is_named else f"* {default} ({setting.numbers()})", "      ")
            )
        lines.append("")
    return lines[:-1]


def _indented(text: str, after: str = "    ") -> str:
    return fill(text, WIDTH, initial_indent="    ", subsequent_indent=after)
