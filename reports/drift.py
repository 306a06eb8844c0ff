"""What the drift gate found: for a terminal, for JUnit, for GitHub, and as one JSON document."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree

from simcore.drift import ALIKE, DRIFT, PASS, SAME, UNDECIDED, Checked
from simcore.first_difference import First
from simcore.gate import Verdict
from simcore.paired import Difference

SCHEMA = 1
SHOWN = 12  # lines of a transcript
SENTENCES = {
    SAME: "the same games, to the last card",
    ALIKE: "other {kinds}, but every outcome is the same",
    PASS: "other games, but no win share has moved by more than {tolerance}",
    DRIFT: "win shares have moved by more than {tolerance}: {failed}",
    UNDECIDED: "other games; whether win shares have moved by more than {tolerance} cannot be said yet",
}
KINDS_OF_NOTE = {UNDECIDED: "error", PASS: "warning", ALIKE: "notice"}  # on GitHub
WORDS = {SAME: "PASS", ALIKE: "PASS", PASS: "PASS", DRIFT: "FAIL", UNDECIDED: "INCONCLUSIVE"}


def lines(verdict: Verdict) -> list[str]:
    """A file's verdict as people read it."""
    if verdict.checks is None:
        return [f"CANNOT COMPARE  {verdict.problem}"]
    found = [line for cell in verdict.checks.cells for line in _cell(verdict, cell)]
    found += [f"  changed since: {change}" for change in verdict.checks.changes]
    if any(cell.answer not in (SAME, ALIKE) and not cell.why for cell in verdict.checks.cells):
        found.append(f'  accept it with: simulate baseline {verdict.path} --update --reason "why"')
    return found


def word(verdict: Verdict, cell: Checked) -> str:
    """The answer for a cell, in capitals."""
    return WORDS[DRIFT] if verdict.has_failed(cell) else WORDS[cell.answer]


def sentence(verdict: Verdict, cell: Checked) -> str:
    """What is said of one cell."""
    checks = verdict.checks
    if cell.why or checks is None:
        return cell.why
    points = f"{100 * checks.tolerance:g} points"
    kinds = ", ".join(cell.differs)
    text = SENTENCES[cell.answer].format(tolerance=points, failed=", ".join(cell.failed), kinds=kinds)
    moved = [one.what for one in cell.drifts if one.low > 0 or one.high < 0]
    if cell.answer == PASS and moved:
        text += f" (within that, these have surely moved: {', '.join(moved)})"
    if verdict.is_exact and cell.differs and cell.answer != DRIFT:
        text = f"--exact allows no other games: {text}"
    return text


def _cell(verdict: Verdict, cell: Checked) -> list[str]:
    where = f"{verdict.path}: {cell.label}"
    found = [f"{word(verdict, cell)}  {where}: {sentence(verdict, cell)} ({games(cell)})"]
    first = (verdict.firsts or {}).get(cell.label)
    found += [f"  {line}" for line in told(first)] if first else []
    width = max((len(one.what) for one in cell.drifts), default=0)
    return found + [f"  {one.what:{width}}  {_numbers(one)}" for one in cell.drifts]


def told(first: First) -> list[str]:
    """The first game that differs, in words."""
    if first.least < first.most:
        found = [f"the first game that differs is one of games {first.least} to {first.most}"]
    else:
        found = [f"the first game that differs is game {first.least}: {first.command}"]
    place = f"line {first.line} " if first.line else ""
    if first.now:
        found += [f"{place}was: {first.was}", f"{place}is:  {first.now}"]
    elif first.was:
        found.append(first.was)
    more = len(first.transcript) - SHOWN
    shown = [f"| {line}".rstrip() for line in first.transcript[:SHOWN]]
    return found + shown + ([f"| … {more} more lines"] if more > 0 else [])


def games(cell: Checked) -> str:
    """How many games were played; a part may answer for all where no code has changed."""
    all_games = cell.kept["games"]
    if cell.answer == SAME and cell.games < all_games:
        return f"no code has changed; played again: {cell.games:,} of {all_games:,} games"
    return f"{cell.games:,} games"


def _numbers(one: Difference) -> str:
    span = f"{100 * one.low:+.2f} to {100 * one.high:+.2f}"
    return f"{100 * one.before:6.2f} % -> {100 * one.after:6.2f} %  {100 * one.change:+.2f} points ({span})"


def document(verdicts: Sequence[Verdict], code: int) -> dict[str, Any]:
    """Everything as plain numbers and words, ready for JSON."""
    return {"schema": SCHEMA, "exit_code": code, "files": [_file(verdict) for verdict in verdicts]}


def _file(verdict: Verdict) -> dict[str, Any]:
    if verdict.checks is None:
        return {"file": verdict.path, "exit_code": verdict.code, "problem": verdict.problem}
    checks = verdict.checks
    return {
        "file": verdict.path,
        "exit_code": verdict.code,
        "tolerance": checks.tolerance,
        "changes": checks.changes,
        "cells": [_cell_document(verdict, cell) for cell in checks.cells],
    }


def _cell_document(verdict: Verdict, cell: Checked) -> dict[str, Any]:
    first = (verdict.firsts or {}).get(cell.label)
    drifts = [
        {"what": d.what, "before": d.before, "after": d.after, "change": d.change, "low": d.low, "high": d.high}
        for d in cell.drifts
    ]
    return {
        "cell": cell.label,
        "answer": cell.answer,
        "has_failed": verdict.has_failed(cell),
        "sentence": sentence(verdict, cell),
        "games": cell.games,
        "differs": list(cell.differs),
        "first_difference": asdict(first) if first else None,
        "drifts": drifts,
    }


def junit(verdicts: Sequence[Verdict]) -> str:
    """One test case for each cell, as JUnit's XML."""
    suite = ElementTree.Element("testsuite", name="simulate check")
    failures = errors = tests = 0
    for verdict in verdicts:
        checks = verdict.checks
        tests += len(checks.cells) if checks else 1
        if checks is None:
            errors += 1
            case = ElementTree.SubElement(suite, "testcase", classname=verdict.path, name="baseline")
            ElementTree.SubElement(case, "error", message=verdict.problem)
            continue
        for cell in checks.cells:
            case = ElementTree.SubElement(suite, "testcase", classname=verdict.path, name=cell.label)
            if cell.answer == UNDECIDED or verdict.has_failed(cell):
                failures += 1
                failure = ElementTree.SubElement(case, "failure", message=sentence(verdict, cell))
                failure.text = "\n".join(_cell(verdict, cell))
    suite.attrib.update(tests=str(tests), failures=str(failures), errors=str(errors))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def annotations(verdicts: Sequence[Verdict]) -> list[str]:
    """Workflow commands of GitHub: an error or a warning for each cell that is not as it was."""
    found = []
    for verdict in verdicts:
        if verdict.checks is None:
            found.append(_annotation("error", verdict.path, "cannot compare", verdict.problem))
            continue
        for cell in verdict.checks.cells:
            kind = "error" if verdict.has_failed(cell) else KINDS_OF_NOTE.get(cell.answer)
            if kind:
                text = f"{cell.label}: {sentence(verdict, cell)}"
                found.append(_annotation(kind, verdict.path, f"win rates: {word(verdict, cell)}", text))
    return found


def _annotation(kind: str, path: str, title: str, text: str) -> str:
    """One command; GitHub's own signs are escaped."""

    def escaped(value: str, also: str = "") -> str:
        for sign in "%\r\n" + also:
            value = value.replace(sign, f"%{ord(sign):02X}")
        return value

    return f"::{kind} file={escaped(path, ':,')},title={escaped(title, ':,')}::{escaped(text)}"


def summary(verdicts: Sequence[Verdict]) -> str:
    """Markdown for a step's summary."""
    rows = ["## Win rates against the baselines", "", "| file | cell | answer | |", "|---|---|---|---|"]
    for verdict in verdicts:
        if verdict.checks is None:
            rows.append(_row(verdict.path, "", "CANNOT COMPARE", verdict.problem))
            continue
        for cell in verdict.checks.cells:
            rows.append(_row(verdict.path, cell.label, word(verdict, cell), sentence(verdict, cell)))
    return "\n".join(rows) + "\n"


def _row(*texts: str) -> str:
    """A row of a Markdown table; its own signs are escaped."""
    return f"| {' | '.join(' '.join(text.split()).replace('|', chr(92) + '|') for text in texts)} |"
