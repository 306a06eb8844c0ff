"""From results files to a page: findings, put into words of one language, as HTML or as one JSON document."""

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, StrictUndefined

from reports.balance import words
from reports.balance.cells import Study, result_of
from reports.balance.claims import GRADES, SIGNS, Claim
from reports.balance.course import course
from reports.balance.duels import strategies
from reports.balance.findings import MOST_SENTENCES, box, seats, verdict
from reports.balance.language import Language
from reports.balance.parts import Findings, Picture, Table
from reports.balance.questions import questions
from reports.balance.variants import rules, to_try
from simcore.rules import changed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCHEMA = 1
PARTS = (verdict, box, seats, strategies, course, rules, questions)


def findings(study: Study) -> Findings:
    """All that these files say, section by section."""
    found = Findings()
    for part in PARTS:
        found.add(part(study))
    fair = [claim for claim in found.claims if claim.section == "verdict"]
    advice = to_try(study)
    advice = advice[: MOST_SENTENCES - len(fair)]
    found.claims = [*fair, *advice, *(claim for claim in found.claims if claim.section != "verdict")]
    return found


def document(study: Study, found: Findings, language: Language) -> dict[str, Any]:
    """All claims as numbers, with their sentences, ready for JSON."""
    return {
        "schema": SCHEMA,
        "game": study.game.name,
        "language": language.name,
        "band": study.band,
        "claims": [{**claim.document(), "sentence": claim.sentence(language)} for claim in found.claims],
        "tables": [_plain(table, language) for table in found.tables],
        "provenance": provenance(study, language),
    }


def _plain(table: Table, language: Language) -> dict[str, Any]:
    heads = [language.text(head) for head in table.heads]
    rows = [[value for _, value in row] for row in table.rows]
    return {"section": table.section, "caption": language.text(table.caption), "heads": heads, "rows": rows}


def html(study: Study, found: Findings, language: Language) -> str:
    """One self-contained page."""
    folder = files("reports.balance") / "templates"
    template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True).from_string(
        (folder / "report.html").read_text(encoding="utf-8")
    )
    text = language.text
    questions_asked = [str(file.about["question"]) for file in study.files if file.about["question"]]
    return template.render(
        lang=language.name,
        style=_raw((folder / "report.css").read_text(encoding="utf-8")),
        game=study.game.title,
        title=language.fill(words.TITLE, {"game": study.game.title}),
        questions=[language.question(question) for question in questions_asked],
        partial=language.fill(words.PARTIAL, {"count": study.unfinished}) if study.unfinished else "",
        sections=[_section(name, text(heading), study, found, language) for name, heading in words.SECTIONS.items()],
    )


def _raw(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


def _section(name: str, heading: str, study: Study, found: Findings, language: Language) -> dict[str, Any]:
    """What the template needs of one section."""
    section: dict[str, Any] = {"name": name, "heading": heading, "terms": [], "commands": []}
    section["claims"] = [_claim(claim, language) for claim in found.claims if claim.section == name]
    pictures = [picture for picture in found.pictures if picture.section == name]
    section["figures"] = [_figure(picture, study, language) for picture in pictures]
    section["tables"] = [_table(table, language) for table in found.tables if table.section == name]
    section["notes"] = [language.fill(told, values) for where, told, values in found.notes if where == name]
    if name == "course" and not study.game.is_watched:
        section["notes"] = [language.text(words.NO_COURSE)]
    if name == "reading":
        section["terms"] = [
            (language.text(term), language.fill(told, {"band": study.band})) for term, told in words.READING
        ]
    if name == "provenance":
        told = provenance(study, language)
        section["terms"] = told["terms"]
        section["commands"] = told["commands"]
        section["tables"] = [told["digests"]]
    return section


def _claim(claim: Claim, language: Language) -> dict[str, str]:
    return {
        "grade": claim.grade,
        "sign": SIGNS[claim.grade],
        "word": language.text(GRADES[claim.grade]),
        "sentence": claim.sentence(language),
    }


def _table(table: Table, language: Language) -> dict[str, Any]:
    rows = [[(language.cell(form, value), form in ("", "text")) for form, value in row] for row in table.rows]
    return {
        "caption": language.text(table.caption),
        "heads": [language.text(head) for head in table.heads],
        "rows": rows,
    }


def _figure(picture: Picture, study: Study, language: Language) -> dict[str, Any]:
    from reports.figures.files import as_svg

    caption = " ".join(claim.sentence(language) for claim in picture.claims)
    return {"caption": caption, "svg": _raw(as_svg(draw(picture, study, language), prefix=picture.name, alt=caption))}


def draw(picture: Picture, study: Study, language: Language) -> "Figure":
    """A figure of the report in a language: its panels side by side, a footer with games and seed."""
    from reports import figures
    from reports.balance.figure_words import figure_words

    function, said = getattr(figures, picture.kind), figure_words(language)
    seed = next(iter(study.references.values())).cell.seed
    footer = language.fill(words.FOOTER, {"games": picture.games, "seed": seed})
    panels = {_heading(players, language): (options, frame) for players, options, frame in picture.panels}
    return figures.panels(
        function,
        {heading: frame for heading, (_, frame) in panels.items()},
        each={heading: options for heading, (options, _) in panels.items()},
        columns=min(len(panels), 2),
        shared=picture.kind not in ("seat_shares", "game_length"),
        title="",
        footer=footer,
        words=said,
        **picture.options,
    )


def _heading(panel: int | str | None, language: Language) -> str:
    return language.fill(words.PLAYERS, {"players": panel}) if isinstance(panel, int) else panel or ""


def provenance(study: Study, language: Language) -> dict[str, Any]:
    """Commands, versions, seeds, rules and digests."""
    text, first = language.text, next(iter(study.references.values())).cell
    finished = [entry for file in study.files for entry in file.finished]
    commands = [str(file.about["command"]) for file in study.files]
    versions = {f"{name} {version}": None for file in study.files for name, version in file.about["versions"].items()}
    odd = ", ".join(f"{name}={value}" for name, value in changed(first.rules).items()) or text(words.DEFAULT_RULES)
    values: dict[str, str] = {
        "versions": ", ".join(versions),
        "seed": ", ".join(sorted({str(entry.cell.seed) for entry in finished})),
        "games": language.count(sum(result_of(entry).games for entry in finished)),
        "cells": language.count(len(finished)),
        "rules": odd,
        "line-up": ", ".join(first.names),
    }
    digests = {
        "caption": text(words.DIGESTS),
        "heads": [text(words.CELL), text(words.DIGEST)],
        "rows": [[(entry.label, True), (result_of(entry).digest, True)] for entry in study.references.values()],
    }
    terms = [(text(words.PROVENANCE[name]), value) for name, value in values.items()]
    return {
        "terms": terms,
        "commands": commands,
        "digests": digests,
    }


def figures_of(study: Study, found: Findings, language: Language) -> Sequence[tuple[Picture, "Figure"]]:
    """Every figure, drawn one after the other."""
    return [(picture, draw(picture, study, language)) for picture in found.pictures]
