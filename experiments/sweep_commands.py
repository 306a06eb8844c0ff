"""The commands `sweep` and `export`: experiments from files, and their results as tables."""

import sys
from typing import Annotated, Any

import typer

from experiments.options import Course, Plugin, Quiet, Threads, load_plugins
from simcore.errors import UsageError

SWEEP_HELP = """Plays every cell of an experiment file into one results file.

\b
Examples:
  simulate sweep doigt-bonus
  simulate sweep my.toml -o results.db --games 1e5 --players 3,4
  simulate sweep my.toml -o results.db --resume
  simulate sweep my.toml --dry-run
  simulate sweep my.toml --cluster tcp://scheduler:8786

\b
A name without .toml is an experiment that comes with simcore; without
FILE they are listed. Afterwards: simulate export, simulate compare.
"""

EXPORT_HELP = """Writes a results file as tidy tables.

\b
Examples:
  simulate export results.db --csv > results.csv
  simulate export results.db --csv --excel-fr -o resultats.csv
  simulate export results.db --parquet -o results.parquet
"""

File = Annotated[str | None, typer.Argument(help="An experiment file, or the name of one.", show_default=False)]
Results = Annotated[str, typer.Argument(help="A results file of simulate sweep.")]
Output = Annotated[str, typer.Option("--output", "-o", help="The results file.")]
Width = Annotated[
    str | None, typer.Option("--until-width", help="Stop when every seat's interval is this narrow: 0.2%.")
]
Decided = Annotated[bool, typer.Option("--until-decided", help="Stop when the seats are surely fair, or not.")]
OnCluster = Annotated[
    str | None, typer.Option("--cluster", help="Play on the workers of a Dask scheduler: tcp://host:8786.")
]
OnWorkers = Annotated[
    int | None, typer.Option("--workers", help="Play in this many processes here, through Dask.", show_default=False)
]
Band = Annotated[str, typer.Option("--band", help="Fair means within this of the fair share.")]


def sweep(
    file: File = None,
    output: Output = "results.db",
    players: Annotated[str | None, typer.Option("--players", "-p", help="In place of the file's: 3, 2-5, 2,4.")] = None,
    games: Annotated[str | None, typer.Option("--games", "-n", help="In place of the file's, a cell: 1e5.")] = None,
    strategies: Annotated[
        list[str] | None, typer.Option("--strategies", "-s", help="A line-up in place of the file's, repeatable.")
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option("--rule", "-r", help="For all cells: name=value, repeatable.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="In place of the file's.")] = None,
    threads: Threads = None,
    course: Course = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on in a results file that was cut off.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be played, and how long.")] = False,
    until_width: Width = None,
    until_decided: Decided = False,
    band: Band = "1%",
    cluster: OnCluster = None,
    workers: OnWorkers = None,
    plugin: Plugin = None,
    quiet: Quiet = False,
) -> None:
    """Plays every cell of an experiment file into one results file."""
    from experiments import sweep_run
    from experiments.stopping import read_until
    from experiments.sweep import Sweep

    if file is None:
        print("\n".join(sweep_run.listed()))
        return
    load_plugins(plugin)
    overrides = sweep_run.overrides(players, games, strategies, rule, seed, course)
    asked = Sweep(
        sweep_run.find(file), overrides, output, threads, resume, quiet, read_until(until_width, until_decided, band)
    )
    where = sweep_run.elsewhere(cluster, workers, threads, plugin or [], dry_run)
    code = sweep_run.dry_run(asked) if dry_run else sweep_run.run_on(asked, where) if where else sweep_run.run(asked)
    if code:
        raise typer.Exit(code)


def export(
    results: Results,
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated text.")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="A Parquet file (needs -o).")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    excel_fr: Annotated[
        bool, typer.Option("--excel-fr", help="With --csv: for French spreadsheets (; and 0,5).")
    ] = False,
    output: Annotated[str | None, typer.Option("--output", "-o", help="A file instead of the screen.")] = None,
) -> None:
    """Writes a results file as tidy tables."""
    from experiments.export import export as write

    forms = [name for name, asked in (("csv", csv), ("parquet", parquet), ("json", json)) if asked]
    if len(forms) != 1:
        raise UsageError("export: choose one of --csv, --parquet and --json")
    if excel_fr and forms != ["csv"]:
        raise UsageError("--excel-fr: it goes with --csv")
    write(results, forms[0], excel_fr, output, sys.stdout)


def register(app: Any) -> None:
    """Adds these commands to the command line."""
    app.command("sweep", help=SWEEP_HELP)(sweep)
    app.command("export", help=EXPORT_HELP)(export)
