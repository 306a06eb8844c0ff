"""A report's language: sentences from gettext catalogues, numbers as babel writes them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from babel.core import Locale
from babel.lists import format_list
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from simcore.errors import UsageError

LANGUAGES = ("en", "fr")
CATALOGUES = Path(__file__).parent / "locale"
THIN, SPACE = "\u202f", "\u00a0"  # spaces that do not break: before French signs, between a number and its unit


def N_(text: str) -> str:  # noqa: N802, as gettext calls it
    """Marks a text for translation; it is translated where it is used."""
    return text


class Language:
    """English or French: texts, and numbers in the forms that sentences ask for."""

    def __init__(self, name: str) -> None:
        if name not in LANGUAGES:
            raise UsageError(f"--lang {name}: there are {' and '.join(LANGUAGES)}")
        self.name, self._locale, self._texts = name, Locale.parse(name), catalogue(name)
        self._filler = _Filler(self)

    def text(self, english: str) -> str:
        """A text in this language; KeyError when the catalogue lacks it."""
        return self._texts[english] if self._texts else english

    def question(self, text: str) -> str:
        """A text of an experiment file: translated when the catalogue knows it, else as it is."""
        return self._texts.get(text, text)

    def cell(self, form: str, value: Any) -> str:
        """A cell of a table, in its form."""
        if form == "text":
            return self.text(value) if value else ""
        return format(value) if not form else self._filler.format_field(value, form)

    def fill(self, english: str, values: dict[str, Any]) -> str:
        """A sentence with its numbers: `{share:share}` is a share of 0 to 1, other forms are the methods below."""
        return self._filler.vformat(self.text(english), (), values)

    def number(self, value: float, digits: int = 1, signed: bool = False) -> str:
        """A number with so many decimals; a true minus sign, and + when signed."""
        text = format_decimal(abs(value), f"#,##0.{'0' * digits}" if digits else "#,##0", self._locale)
        sign = "\u2212" if value < 0 else "+" if signed and value > 0 else ""
        return f"{sign if any(digit in text for digit in '123456789') else ''}{text}"

    def count(self, value: float) -> str:
        """A whole number, its thousands apart."""
        return self.number(value, 0)

    def share(self, value: float, digits: int = 1) -> str:
        """A share as per cent: 27.3 %."""
        return f"{self.number(100 * value, digits)}{THIN if self.name == 'fr' else SPACE}%"

    def percent(self, value: float) -> str:
        """A share as whole per cent."""
        return self.share(value, 0)

    def signed_percent(self, value: float) -> str:
        """A relative change, in per cent with its sign."""
        return self.number(100 * value, 1, signed=True)

    def points(self, value: float, digits: int = 1) -> str:
        """A difference of shares in points, without a sign: 2.3 points."""
        found = 100 * abs(value)
        is_one = round(found, digits) < 2 if self.name == "fr" else f"{found:.{digits}f}" == f"{1:.{digits}f}"
        unit = self.text(N_("point")) if is_one else self.text(N_("points"))
        return f"{self.number(found, digits)}{SPACE}{unit}"

    def more_games(self, value: float) -> str:
        """How many games would settle a question."""
        return self.fill(N_("about {games:count} games would tell"), {"games": value})

    def moved(self, value: float) -> str:
        """A difference of shares in points, with its sign."""
        sign = self.change(value)[0]
        return self.points(value) if sign.isdigit() else sign + self.points(value)

    def change(self, value: float, digits: int = 1) -> str:
        """A difference of shares in points, with its sign and no unit."""
        return self.number(100 * value, digits, signed=True)

    def band(self, value: float) -> str:
        """The half-width of a band of indifference, in points."""
        _, _, decimals = f"{100 * value:.6g}".partition(".")
        return self.points(value, len(decimals))

    def join(self, values: Sequence[Any]) -> str:
        """2, 3 and 4."""
        return format_list([str(value) for value in values], locale=self._locale)


class _Filler(Formatter):
    """Fills in sentences; what follows the colon names a method of Language, or `one` and `two` for decimals."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value in the form that the sentence asks for."""
        if not format_spec:
            return str(value)
        if format_spec == "text":  # a word of the catalogue
            return self._language.text(value)
        if format_spec in ("zero", "one", "two"):
            return self._language.number(value, ("zero", "one", "two").index(format_spec))
        written: str = getattr(self._language, format_spec)(value)
        return written


@cache
def catalogue(name: str) -> dict[str, str]:
    """The translations of a language, by the English text; none for English, which is what the source says."""
    if name == "en":
        return {}
    with (CATALOGUES / name / "LC_MESSAGES" / "simcore.po").open("rb") as file:
        return {str(entry.id): str(entry.string) for entry in read_po(file) if entry.id and entry.string}
