"""What the drift gate found: for a terminal, for JUnit, for GitHub, and as one JSON document."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from xml.etree import ElementTree

from simcore.drift import ALIKE, DRIFT, PASS, SAME, UNDECIDED, Checked, Checks
from simcore.first_difference import First
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
WORDS = {SAME: "PASS", ALIKE: "PASS", PASS: "PASS", DRIFT: "FAIL", UNDECIDED: "INCONCLUSIVE"}


@dataclass(frozen=True)
class Verdict:
    """What is said of one file: the checks with the first differences, or why there are none; and the exit code."""

    path: str
    code: int
    checks: Checks | None = None
    firsts: Mapping[str, First] | None = None
    problem: str = ""


def lines(verdict: Verdict) -> list[str]:
    """A file's verdict as people read it."""
    if verdict.checks is None:
        return [f"CANNOT COMPARE  {verdict.problem}"]
    found = [line for cell in verdict.checks.cells for line in _cell(verdict, cell)]
    found += [f"  changed since: {change}" for change in verdict.checks.changes]
    if any(cell.answer not in (SAME, ALIKE) for cell in verdict.checks.cells):
        found.append(f'  accept it with: simulate baseline {verdict.path} --update --reason "why"')
    return found


def sentence(checks: Checks, cell: Checked) -> str:
    """What is said of one cell."""
    if cell.why:
        return cell.why
    points = f"{100 * checks.tolerance:g} points"
    kinds = ", ".join(cell.differs)
    text = SENTENCES[cell.answer].format(tolerance=points, failed=", ".join(cell.failed), kinds=kinds)
    moved = [one.what for one in cell.drifts if one.low > 0 or one.high < 0]
    if cell.answer == PASS and moved:
        text += f" (within that, these have surely moved: {', '.join(moved)})"
    return text


def _cell(verdict: Verdict, cell: Checked) -> list[str]:
    assert verdict.checks is not None
    where = f"{verdict.path}: {cell.label}"
    found = [f"{WORDS[cell.answer]}  {where}: {sentence(verdict.checks, cell)} ({games(cell)})"]
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
        "cells": [_cell_document(verdict, checks, cell) for cell in checks.cells],
    }


def _cell_document(verdict: Verdict, checks: Checks, cell: Checked) -> dict[str, Any]:
    first = (verdict.firsts or {}).get(cell.label)
    drifts = [
        {"what": d.what, "before": d.before, "after": d.after, "change": d.change, "low": d.low, "high": d.high}
        for d in cell.drifts
    ]
    return {
        "cell": cell.label,
        "answer": cell.answer,
        "sentence": sentence(checks, cell),
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
            if cell.answer in (DRIFT, UNDECIDED) or (verdict.code == 5 and cell.differs):
                failures += 1
                failure = ElementTree.SubElement(case, "failure", message=sentence(checks, cell))
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
            kind = {DRIFT: "error", UNDECIDED: "error", PASS: "warning", ALIKE: "notice"}.get(cell.answer)
            if kind:
                text = f"{cell.label}: {sentence(verdict.checks, cell)}"
                found.append(_annotation(kind, verdict.path, f"win rates: {WORDS[cell.answer]}", text))
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
            rows.append(f"| {verdict.path} | | CANNOT COMPARE | {verdict.problem} |")
            continue
        rows += [
            f"| {verdict.path} | {cell.label} | {WORDS[cell.answer]} | {sentence(verdict.checks, cell)} |"
            for cell in verdict.checks.cells
        ]
    return "\n".join(rows) + "\n"
