"""What `simulate baseline` and `simulate check` do with their arguments."""

import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from experiments.config import load
from experiments.numbers import read_count
from experiments.plan import plan
from experiments.progress import Progress
from experiments.stopping import read_share
from experiments.sweep_run import find
from reports.drift import annotations, document, junit, lines, summary
from simcore.baseline import TOLERANCE, Baseline, Incomparable, read, write
from simcore.baseline import make as make_document
from simcore.cell import Cell
from simcore.drift import shares
from simcore.errors import UsageError
from simcore.gate import Verdict, exit_code, verdicts

BROKEN = 70


def make(
    file: str,
    output: str | None,
    tolerance: str | None,
    update: bool,
    reason: str | None,
    threads: int | None,
    plugins: Sequence[str],
    quiet: bool,
) -> None:
    """Writes a baseline; with `update` in place of an old one, whose history goes on.

    Raises UsageError for what cannot be played or written, and when an old one would be lost.
    """
    is_baseline = file.endswith(".json")
    path = output or (file if is_baseline and update else "")
    _check_arguments(file, path, is_baseline, update, reason)
    old = _read(path) if update else None
    source = _read(file) if is_baseline else old
    title, cells = _cells(source) if source and is_baseline else _planned(file)
    if old and {cell.game.name for cell in cells.values()} != {old.document["game"]}:
        raise UsageError(f"{path}: it is a baseline of {old.document['game']}, and {file} plays another game")
    kept_share = old.document["tolerance"] if old else TOLERANCE
    share = read_share("--tolerance", tolerance) if tolerance is not None else kept_share
    history = [*(old.document["history"] if old else []), {"at": date.today().isoformat(), "reason": reason or "made"}]
    brought = list(dict.fromkeys([*(source.document["plugins"] if source else []), *plugins]))
    made = make_document(cells, title, share, history=history, plugins=brought, threads=threads)
    if old and not quiet:
        print("\n".join(_changes(old.document, made, cells)))
    write(made, path)
    if not quiet:
        games = sum(cell["games"] for cell in made["cells"])
        print(f"{len(made['cells'])} cells, {games:,} games, written to {path}", file=sys.stderr)


def _check_arguments(file: str, path: str, is_baseline: bool, update: bool, reason: str | None) -> None:
    if is_baseline and not update:
        raise UsageError(f'{file}: to renew a baseline, add --update --reason "why"')
    if not path:
        raise UsageError("baseline: say where to: -o baselines/NAME.json")
    if update and not (reason or "").strip():
        raise UsageError('--update: say why, with --reason "…"; it is kept in the file')
    if not update and Path(path).exists():
        raise UsageError(f'{path}: it exists; renew it with --update --reason "why"')


def _read(path: str) -> Baseline:
    try:
        return read(path)
    except Incomparable as error:
        raise UsageError(str(error)) from error


def _cells(old: Baseline) -> tuple[str, Mapping[str, Cell]]:
    try:
        return old.document["title"], {kept["label"]: cell for kept, cell in old.cells()}
    except Incomparable as error:
        raise UsageError(str(error)) from error


def _planned(file: str) -> tuple[str, Mapping[str, Cell]]:
    path = find(file)
    experiment = load(path).model_copy(update={"course": False})
    return experiment.title, {entry.label: entry.cell for entry in plan(experiment, path)}


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], cells: Mapping[str, Cell]) -> list[str]:
    """Old against new win shares, by cell."""
    before = {kept["label"]: kept for kept in old["cells"]}
    found = []
    for kept in new["cells"]:
        then, named = before.pop(kept["label"], None), shares(cells[kept["label"]])
        found.append(f"{kept['label']}{'' if then else ': new'}")
        width = max(map(len, named))
        for what, (column, _) in named.items():
            if then and then["line_up"] == kept["line_up"]:
                found.append(f"  {what:{width}}  {_share(then, column):6.2f} % -> {_share(kept, column):6.2f} %")
    return found + [f"{label}: gone" for label in before]


def _share(kept: Mapping[str, Any], name: str) -> float:
    """A seat's or a strategy's part of all that was won, in per cent."""
    place = kept["columns"].index(name)
    seats = [number for number, column in enumerate(kept["columns"]) if column.startswith("share_seat_")]
    return float(100 * sum(row[place] for row in kept["blocks"]) / sum(row[n] for row in kept["blocks"] for n in seats))


def gate(
    files: Sequence[str],
    tolerance: str | None,
    max_games: str | None,
    exact: bool,
    allow_inconclusive: bool,
    junit_file: str | None,
    github: bool,
    as_json: bool,
    threads: int | None,
    quiet: bool,
) -> int:
    """Checks baselines and says what was found; the exit code.

    Raises UsageError for options that make no sense.
    """
    share = read_share("--tolerance", tolerance) if tolerance is not None else None
    most = read_count("--max-games", max_games) if max_games is not None else None
    if junit_file and not Path(junit_file).parent.is_dir():
        raise UsageError(f"--junit {junit_file}: there is no such folder")
    try:
        found = _checked(files, share, most, exact, threads, quiet)
        code = exit_code(found, allow_inconclusive)
        _say(found, code, junit_file, github, as_json)
    except (UsageError, BrokenPipeError):
        raise
    except Exception:  # a gate that breaks must not look like one that passes, nor like a drift
        traceback.print_exc()
        print("simulate: an error in simcore; there is no answer", file=sys.stderr)
        return BROKEN
    return code


def _checked(
    files: Sequence[str], tolerance: float | None, most: int | None, exact: bool, threads: int | None, quiet: bool
) -> list[Verdict]:
    with Progress("check", quiet or not sys.stderr.isatty()) as progress:

        def note(label: str, games: int, asked: int) -> None:
            progress.label = label
            progress(games, asked)

        return verdicts(files, tolerance, most, exact, threads, note)


def _say(found: Sequence[Verdict], code: int, junit_file: str | None, github: bool, as_json: bool) -> None:
    if junit_file:
        _keep("--junit", junit_file, junit(found), "w")
    if github and os.environ.get("GITHUB_STEP_SUMMARY"):
        _keep("GITHUB_STEP_SUMMARY", os.environ["GITHUB_STEP_SUMMARY"], summary(found), "a")
    told = [json.dumps(document(found, code), ensure_ascii=False, allow_nan=False)]
    if not as_json:
        told = [line for verdict in found for line in lines(verdict)]
    try:
        print("\n".join(told))
        if github:
            print("\n".join(annotations(found)), file=sys.stderr if as_json else sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"the answer cannot be written ({error.strerror}); the exit code would be {code}") from error


def _keep(what: str, path: str, text: str, mode: str) -> None:
    try:
        with open(path, mode, encoding="utf-8") as file:
            file.write(text)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{what} {path}: it cannot be written ({why})") from error
