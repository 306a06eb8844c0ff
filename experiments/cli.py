"""The command `simulate`: reads arguments, calls the library, shows what came back."""

import os
import sys
from typing import Annotated, Any

import typer

from experiments.compare_commands import register as register_comparisons
from experiments.drift_commands import register as register_gate
from experiments.options import Course, Plugin, Quiet, Threads, load_plugins
from experiments.report_commands import register as register_report
from experiments.sweep_commands import Band, Decided, Width
from experiments.sweep_commands import register as register_sweeps
from simcore.errors import IllegalAction, UsageError

HELP = """Is this card game fair, for how many players, under which rules, how surely?

\b
Examples:
  simulate --game doigt --players 4 -n 1e6
  simulate --game doigt --players 2-5 -n 1M --strategies ev
  simulate --game doigt --players 3 --strategies ev,random,adaptive:memory=90
  simulate --game doigt --players 4 --rule heart_bonus=0 --rule steal=off --json
  simulate --game paris --players 3 -n 1e5 --rule draw_table=T3
  simulate --game nain-jaune --players 3-8 -n 1e5 --rule deals=n
  simulate --game doigt --players 4 -n 1e9 --until-width 0.2%
  simulate replay --game doigt --players 4 --number 123456 --lang fr
  simulate compare --game doigt --players 4 --to heart_bonus=0
  simulate sweep doigt-bonus
  simulate check baselines/*.json

\b
More: simulate games, simulate strategies --game doigt,
simulate rules --game doigt, and --help after any command below.
The numbers go to stdout, progress and notes to stderr.
"""

BadCommandLine: Any = typer.BadParameter.__mro__[2]  # ClickException, wherever this version of typer keeps it

app = typer.Typer(
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"max_content_width": 80},
)


def _complete_games(incomplete: str) -> list[str]:
    from simcore.registry import game_names

    return [name for name in game_names() if name.startswith(incomplete)]


def _complete_strategies(context: typer.Context, incomplete: str) -> list[str]:
    from simcore.registry import find_game, strategies

    head, comma, word = incomplete.rpartition(",")
    names = strategies(find_game(context.params.get("game") or "doigt"))
    return [f"{head}{comma}{name}" for name in names if name.startswith(word)]


def _complete_rules(context: typer.Context, incomplete: str) -> list[str]:
    from simcore.registry import find_game
    from simcore.rules import settings

    known = settings(find_game(context.params.get("game") or "doigt").rules)
    words = [f"{name}={o.name}" for name, (_, s) in known.items() for o in s.options] if "=" in incomplete else []
    return [word for word in words or [f"{name}=" for name in known] if word.startswith(incomplete)]


Game = Annotated[
    str, typer.Option("--game", "-g", help="The game: see simulate games.", autocompletion=_complete_games)
]
AnyGame = Annotated[
    str | None, typer.Option("--game", "-g", help="The game: see simulate games.", autocompletion=_complete_games)
]
Players = Annotated[str, typer.Option("--players", "-p", help="4, or 2-5, or 2,4: one table per count.")]
Strategies = Annotated[
    str | None,
    typer.Option(
        "--strategies",
        "-s",
        help="One for all seats, or one per seat: ev,random,... Default: the game's.",
        autocompletion=_complete_strategies,
    ),
]
Rule = Annotated[
    list[str] | None,
    typer.Option("--rule", "-r", help="name=value, repeatable: see simulate rules.", autocompletion=_complete_rules),
]
Seed = Annotated[int, typer.Option("--seed", help="Same seed, same games, on any machine.")]
NoRotate = Annotated[bool, typer.Option("--no-rotate", help="Keep a mixed line-up on its seats.")]


@app.callback(invoke_without_command=True, help=HELP)
def simulate(
    context: typer.Context,
    game: AnyGame = None,
    players: Players = "4",
    games: Annotated[str, typer.Option("--games", "-n", help="Games per count: 1e6, 250_000, 1M.")] = "1e5",
    strategies: Strategies = None,
    rule: Rule = None,
    seed: Seed = 1,
    threads: Threads = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document a line.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="One number a line, for spreadsheets.")] = False,
    quiet: Quiet = False,
    plugin: Plugin = None,
    out_games: Annotated[str | None, typer.Option("--out-games", help="One row per game, .csv or .parquet.")] = None,
    no_rotate: NoRotate = False,
    course: Course = False,
    until_width: Width = None,
    until_decided: Decided = False,
    band: Band = "1%",
    report: Annotated[str | None, typer.Option("--report", help="Also a page: report.html.")] = None,
    lang: Annotated[str, typer.Option("--lang", help="Of the page: en or fr.")] = "en",
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Plays games and shows who wins how often."""
    if context.invoked_subcommand:
        return
    if version:
        from importlib.metadata import version as installed

        print(f"simcore {installed('simcore')}")
        return
    if game is None:
        print(context.get_help())
        raise typer.Exit(0 if len(sys.argv) < 2 else 2)
    from experiments.run import Page, Request, run_all
    from experiments.stopping import read_share, read_until

    if json and csv:
        raise UsageError("--json and --csv: choose one")
    asked = Request(game, players, games, strategies, rule or [], seed, not no_rotate, plugin or [], course)
    page = Page(report, lang, read_share("--band", band)) if report else None
    run_all(
        asked,
        threads=threads,
        form="json" if json else "csv" if csv else "table",
        quiet=quiet,
        out_games=out_games,
        until=read_until(until_width, until_decided, band),
        page=page,
    )


@app.command("games")
def list_games(plugin: Plugin = None) -> None:
    """The games, and for how many players."""
    from simcore.registry import find_game, game_names

    load_plugins(plugin)
    for name in game_names():
        game = find_game(name)
        print(f"{name:12} {game.title}, {game.least_players} to {game.most_players} players")


@app.command("strategies")
def list_strategies(game: Game, plugin: Plugin = None) -> None:
    """The strategies for a game, what they decide, and their parameters."""
    from experiments.lists import strategy_lines

    load_plugins(plugin)
    print("\n".join(strategy_lines(game)))


@app.command("rules")
def list_rules(game: Game, plugin: Plugin = None) -> None:
    """The rules that can be changed: ruling, sentence of the rule sheet, values."""
    from experiments.lists import rule_lines

    load_plugins(plugin)
    print("\n".join(rule_lines(game)))


@app.command("replay")
def replay_game(
    game: Game,
    number: Annotated[int, typer.Option("--number", help="The game's number in the run, from 0.")],
    players: Players = "4",
    strategies: Strategies = None,
    rule: Rule = None,
    seed: Seed = 1,
    plugin: Plugin = None,
    no_rotate: NoRotate = False,
    lang: Annotated[str, typer.Option("--lang", help="en or fr.")] = "en",
) -> None:
    """Plays one game again and tells it move by move, to follow with real cards."""
    from experiments.run import Request, show_replay

    show_replay(Request(game, players, "1", strategies, rule or [], seed, not no_rotate, plugin or []), number, lang)


register_sweeps(app)
register_comparisons(app)
register_report(app)
register_gate(app)


def main() -> None:
    """The console script: errors are sentences; 0 done, 1 illegal action, 2 wrong input, 130 interrupted."""
    sys.exit(_guarded())


def _guarded() -> int:
    try:
        code = app(prog_name="simulate", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except BadCommandLine as error:
        return _say(error.format_message().rstrip("."), 2)
    except UsageError as error:
        return _say(str(error), 2)
    except IllegalAction as error:
        return _say(str(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", 130)
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _say(sentence: str, code: int) -> int:
    print(f"simulate: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
