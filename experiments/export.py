"""Results as files for other programs: CSV, also for French spreadsheets, Parquet, JSON."""

import json
import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO

from simcore.errors import UsageError
from simcore.results import Results, load_results


def export(path: str, form: str, excel_fr: bool, output: str | None, out: TextIO) -> None:
    """Writes all numbers of a results file, to `output` or to `out`.

    Raises UsageError for what cannot be read or written.
    """
    results = load_results(path)
    if form == "parquet":
        _parquet(results, output)
        return
    text = _csv(results, excel_fr) if form == "csv" else _json(results)
    if output is None:
        out.write(text)
        return
    try:
        Path(output).write_text(text, encoding="utf-8-sig" if excel_fr else "utf-8", newline="")
    except OSError as error:
        raise UsageError(f"-o {output}: it cannot be written ({error.strerror or error})") from None


def _csv(results: Results, excel_fr: bool) -> str:
    separator, decimal = (";", ",") if excel_fr else (",", ".")
    return results.frame.to_csv(index=False, lineterminator="\n", sep=separator, decimal=decimal)


def _parquet(results: Results, output: str | None) -> None:
    if output is None:
        raise UsageError("--parquet: give a file with -o")
    if find_spec("pyarrow") is None:
        raise UsageError('--parquet: it needs pyarrow; install "simcore[parquet]" or write --csv')
    try:
        results.frame.to_parquet(output, index=False)
    except OSError as error:
        raise UsageError(f"-o {output}: it cannot be written ({error.strerror or error})") from None


def _json(results: Results) -> str:
    """All cells with everything that `simulate --json` says of one."""
    cells = [
        {"cell": entry.label, "factors": entry.factors, "stopped": entry.stopped, "result": entry.result.document()}
        for entry in results.finished
        if entry.result is not None
    ]
    return json.dumps(_plain({**results.about, "cells": cells}), ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """The value without numbers that JSON cannot hold."""
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
