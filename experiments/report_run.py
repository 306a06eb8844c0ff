"""What `simulate report` does: reads results files, and writes a page, figures, or one JSON document."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from reports.balance.cells import Study
from reports.balance.language import Language
from reports.balance.page import document, draw, findings, html
from simcore.errors import UsageError
from simcore.results import Results, load_results


def report(
    paths: Sequence[str], output: str | None, language: str, band: float, folder: str | None, as_json: bool
) -> None:
    """Writes what results files say.

    Raises UsageError for files that cannot be read together, and for what cannot be written.
    """
    write([load_results(path) for path in paths], output, language, band, folder, as_json)


def write(
    files: Sequence[Results], output: str | None, language: str, band: float, folder: str | None, as_json: bool
) -> None:
    """Writes what results say: a page, figures with their data, or JSON to the screen."""
    said, study = Language(language), Study(files, band)
    found = findings(study)
    if as_json:
        print(json.dumps(document(study, found, said), ensure_ascii=False))
    if folder:
        from reports.figures.files import save

        for picture in found.pictures:
            import pandas as pd

            frames = [frame.assign(players=n) if isinstance(n, int) else frame for n, _, frame in picture.panels]
            save(draw(picture, study, said), folder, picture.name, pd.concat(frames, ignore_index=True))
    if output:
        text = html(study, found, said)
        try:
            Path(output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"-o {output}: it cannot be written ({error.strerror})") from error
        print(f"written to {output}", file=sys.stderr)
