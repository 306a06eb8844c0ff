"""The commands `baseline` and `check`: what an engine plays, kept in a file, and a gate that notices when it moves."""

from typing import Annotated

import typer

from experiments.options import Plugin, Quiet, Threads, load_plugins

BASELINE_HELP = """Keeps what is played now in a small file, for simulate check.

\b
Examples:
  simulate baseline doigt-drift -o baselines/doigt.json
  simulate baseline my.toml -o baselines/my.json --tolerance 1%
  simulate baseline baselines/doigt.json --update --reason "new bonus"

\b
FILE is an experiment file, or with --update a baseline, of which the
same cells are played again. Commit what it writes.
"""

CHECK_HELP = """Do win rates still stand where the baselines say? For CI.

\b
Examples:
  simulate check baselines/*.json
  simulate check baselines/doigt.json --tolerance 1%
  simulate check baselines/*.json --exact
  simulate check baselines/*.json --github --junit drift.xml

\b
Exit codes: 0 nothing has moved beyond the tolerance, 1 drift,
2 wrong input, 3 cannot be said with these games, 4 a baseline that
is missing or cannot be compared, 5 --exact and other games,
70 an error in simcore, 130 interrupted.
"""

File = Annotated[str, typer.Argument(help="An experiment file or its name, or with --update a baseline.")]
Files = Annotated[list[str], typer.Argument(help="Baselines.")]
Output = Annotated[str | None, typer.Option("--output", "-o", help="The baseline to write.")]
Tolerance = Annotated[str | None, typer.Option("--tolerance", help="How far a win share may move. Default: 0.5%.")]
CheckTolerance = Annotated[str | None, typer.Option("--tolerance", help="In place of the baselines'.")]
MaxGames = Annotated[
    str | None, typer.Option("--max-games", help="Most games of a cell. Default: twice the baseline's.")
]


def baseline(
    file: File,
    output: Output = None,
    tolerance: Tolerance = None,
    update: Annotated[bool, typer.Option("--update", help="Replace a baseline that is there.")] = False,
    reason: Annotated[str | None, typer.Option("--reason", help="Why; kept in the file's history.")] = None,
    threads: Threads = None,
    plugin: Plugin = None,
    quiet: Quiet = False,
) -> None:
    """Keeps what is played now in a small file, for simulate check."""
    from experiments.drift_run import make

    load_plugins(plugin)
    make(file, output, tolerance, update, reason, threads, plugin or [], quiet)


def check(
    files: Files,
    tolerance: CheckTolerance = None,
    max_games: MaxGames = None,
    exact: Annotated[bool, typer.Option("--exact", help="Replay all games; any difference fails.")] = False,
    allow_inconclusive: Annotated[bool, typer.Option("--allow-inconclusive", help="0 in place of 3.")] = False,
    junit: Annotated[str | None, typer.Option("--junit", help="Also a JUnit file.")] = None,
    github: Annotated[bool, typer.Option("--github", help="Annotations and step summary.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    threads: Threads = None,
    plugin: Plugin = None,
    quiet: Quiet = False,
) -> None:
    """Do win rates still stand where the baselines say? For CI."""
    from experiments.drift_run import gate

    load_plugins(plugin)
    code = gate(files, tolerance, max_games, exact, allow_inconclusive, junit, github, json, threads, quiet)
    if code:
        raise typer.Exit(code)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("baseline", help=BASELINE_HELP, short_help="Keeps what is played now, for check.")(baseline)
    app.command("check", help=CHECK_HELP, short_help="Notices when a win rate drifts.")(check)
