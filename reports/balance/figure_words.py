"""The words of figures in a report's language."""

from dataclasses import fields, replace
from typing import Any

from reports.balance.language import Language
from reports.figures.words import ENGLISH, Words


def figure_words(language: Language) -> Words:
    """All that a figure says by itself, from the catalogue of a language."""
    texts: dict[str, Any] = {}
    for entry in fields(Words):
        english = getattr(ENGLISH, entry.name)
        if isinstance(english, str):
            texts[entry.name] = language.text(english)
    texts["curves"] = {name: language.text(english) for name, english in ENGLISH.curves.items()}
    return replace(
        ENGLISH,
        percent=language.share,
        points=language.change,
        count=language.count,
        band=lambda share: f"±\u00a0{language.band(share)}",
        **texts,
    )
