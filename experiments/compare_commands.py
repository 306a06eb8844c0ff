"""The commands that compare: cells side by side, rules that matter, strategies against each other."""

import sys
from typing import Annotated, Any

import typer

from experiments.options import Plugin, Quiet, Threads, load_plugins
from simcore.errors import UsageError

COMPARE_HELP = """What changes from one set of rules, line-up or file to another, on the same deals.

\b
Examples:
  simulate compare --game doigt -p 4 -n 1e6 --to heart_bonus=0
  simulate compare --game doigt -p 4 --from steal=on --to steal=off
  simulate compare --game doigt -p 4 --to-strategies random
  simulate compare results.db --cell "players=3" --to-cell "players=3, x=1"
  simulate compare before.db after.db

\b
One file alone: each flipped ruling against the rules as they are.
"""

TOURNAMENT_HELP = """Every strategy alone among copies of every other one, and all of them mixed.

\b
Examples:
  simulate tournament --game nain-jaune --players 4 --pool all -n 1e5
  simulate tournament --game doigt --players 3 --pool ev,mode,random
"""

Files = Annotated[list[str] | None, typer.Argument(help="One or two results files.", show_default=False)]
Band = Annotated[str, typer.Option("--band", help="A change within this does not matter.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]


def compare(
    files: Files = None,
    game: Annotated[str | None, typer.Option("--game", "-g", help="Play two cells of this game.")] = None,
    players: Annotated[int, typer.Option("--players", "-p", help="How many.")] = 4,
    games: Annotated[str, typer.Option("--games", "-n", help="Games for each of the two.")] = "1e5",
    rule: Annotated[list[str] | None, typer.Option("--rule", "-r", help="Of both: name=value, repeatable.")] = None,
    before: Annotated[list[str] | None, typer.Option("--from", help="A rule before: name=value.")] = None,
    after: Annotated[list[str] | None, typer.Option("--to", help="A rule after: name=value.")] = None,
    strategies: Annotated[str | None, typer.Option("--strategies", "-s", help="The line-up of both.")] = None,
    to_strategies: Annotated[str | None, typer.Option("--to-strategies", help="The line-up after.")] = None,
    cell: Annotated[str | None, typer.Option("--cell", help="A cell of the file.")] = None,
    to_cell: Annotated[str | None, typer.Option("--to-cell", help="The cell it is compared with.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same deals.")] = 1,
    band: Band = "1%",
    threads: Threads = None,
    plugin: Plugin = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What changes from one set of rules, line-up or file to another."""
    from experiments import compare_run
    from experiments.stopping import read_share

    load_plugins(plugin)
    wide = read_share("--band", band)
    if (game is None) == (not files):
        raise UsageError("compare: give one or two results files, or --game with --to or --to-strategies")
    if game is not None:
        line_ups = (strategies, to_strategies or strategies)
        cells = compare_run.two_cells(game, players, games, (rule, before, after), line_ups, seed)
        pairs = [compare_run.played(cells, threads, quiet)]
    else:
        pairs = compare_run.stored(files or [], cell, to_cell)
    compare_run.show(pairs, wide, json, sys.stdout)


def tournament(
    game: Annotated[str, typer.Option("--game", "-g", help="The game: see simulate games.")],
    players: Annotated[int, typer.Option("--players", "-p", help="How many.")] = 4,
    pool: Annotated[str, typer.Option("--pool", help="all, or strategies with commas: ev,mode,random.")] = "all",
    games: Annotated[str, typer.Option("--games", "-n", help="Games a cell.")] = "1e5",
    rule: Annotated[list[str] | None, typer.Option("--rule", "-r", help="name=value, repeatable.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same games.")] = 1,
    threads: Threads = None,
    plugin: Plugin = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Every strategy alone among copies of every other one, and all of them mixed."""
    from experiments import compare_run

    load_plugins(plugin)
    compare_run.tournament(game, players, games, pool, rule, seed, threads, json, quiet)


SENSITIVITY_HELP = """Which factors of a sweep matter, or which rulings do.

\b
Examples:
  simulate sensitivity results.db
  simulate sensitivity results.db --number attempts
"""

ATTRIBUTE_HELP = """What each of several changed rules adds to the whole change.

\b
Examples:
  simulate attribute -g doigt -p 4 --to steal=off --to heart_bonus=0
  simulate attribute -g doigt -p 4 --to steal=off --to extra_bonus=2 --number attempts
"""

Number = Annotated[str, typer.Option("--number", help='"seat 1", or a metric such as attempts.')]


def sensitivity(
    results: Annotated[str, typer.Argument(help="A results file of simulate sweep.")],
    number: Number = "seat 1",
    band: Band = "1%",
    json: Json = False,
) -> None:
    """Which factors of a sweep matter, or which rulings do."""
    from experiments import sensitivity_run
    from experiments.stopping import read_share

    sensitivity_run.sensitivity(results, number, read_share("--band", band), json)


def attribute(
    game: Annotated[str, typer.Option("--game", "-g", help="The game: see simulate games.")],
    players: Annotated[int, typer.Option("--players", "-p", help="How many.")] = 4,
    games: Annotated[str, typer.Option("--games", "-n", help="Games a cell; k rules make 2^k cells.")] = "1e5",
    rule: Annotated[list[str] | None, typer.Option("--rule", "-r", help="Of all: name=value, repeatable.")] = None,
    before: Annotated[list[str] | None, typer.Option("--from", help="A rule before: name=value.")] = None,
    after: Annotated[list[str] | None, typer.Option("--to", help="A rule after: name=value.")] = None,
    strategies: Annotated[str | None, typer.Option("--strategies", "-s", help="The line-up.")] = None,
    number: Number = "seat 1",
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same deals.")] = 1,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What each of several changed rules adds to the whole change."""
    from experiments import sensitivity_run

    given = (rule or [], before or [], after or [])
    sensitivity_run.attribute(game, players, games, given, strategies, number, seed, threads, json, quiet)


def register(app: Any) -> None:
    """Adds these commands to the command line."""
    app.command("compare", help=COMPARE_HELP)(compare)
    app.command("tournament", help=TOURNAMENT_HELP)(tournament)
    app.command("sensitivity", help=SENSITIVITY_HELP)(sensitivity)
    app.command("attribute", help=ATTRIBUTE_HELP)(attribute)
