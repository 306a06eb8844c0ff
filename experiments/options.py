"""Options that several commands have."""

from typing import Annotated

import typer

Plugin = Annotated[
    list[str] | None, typer.Option("--plugin", help="A Python file with strategies or a game, repeatable.")
]
Threads = Annotated[int | None, typer.Option("--threads", "-j", help="Default: all cores.", show_default=False)]
Course = Annotated[bool, typer.Option("--course", help="Also who leads when, and what comes of it.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes.")]


def load_plugins(paths: list[str] | None) -> None:
    """Loads plug-in files in order, as `load_plugin` does; numpy is not imported before one is named."""
    if paths:
        from simcore.registry import load_plugin

        for path in paths:
            load_plugin(path)
