"""The command `report`: a page that a designer reads, from results files."""

from typing import Annotated

import typer

from simcore.errors import UsageError

REPORT_HELP = """One page on what results files say: what is fair, how surely, what to try.

\b
Examples:
  simulate report results.db -o report.html
  simulate report results.db -o rapport.html --lang fr
  simulate report results.db tournament.db rulings.db -o report.html
  simulate report results.db --figures figures/
  simulate report results.db --json

\b
The first file speaks for the game as it is; the others add sections.
Play sweeps with --course to know about comebacks and decision times.
"""

Files = Annotated[list[str], typer.Argument(help="Results files of simulate sweep, of one game.")]
Output = Annotated[str | None, typer.Option("--output", "-o", help="The page, one file that needs nothing else.")]
Lang = Annotated[str, typer.Option("--lang", help="en or fr.")]
Band = Annotated[str, typer.Option("--band", help="Fair means within this of the fair share.")]
Figures = Annotated[str | None, typer.Option("--figures", help="A folder for every figure: PNG, SVG and its data.")]


def report(
    files: Files,
    output: Output = None,
    lang: Lang = "en",
    band: Band = "1%",
    figures: Figures = None,
    json: Annotated[bool, typer.Option("--json", help="All claims and numbers as one JSON document.")] = False,
) -> None:
    """One page on what results files say."""
    from experiments.report_run import report as run
    from experiments.stopping import read_share

    if not (output or figures or json):
        raise UsageError("report: say where to: -o report.html, --figures FOLDER, or --json")
    run(files, output, lang, read_share("--band", band), figures, json)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("report", help=REPORT_HELP, short_help="A page that a designer reads.")(report)
