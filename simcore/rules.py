"""Rules as people give them: fields with a documented set of values, read, checked and written back."""

from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from typing import Any

from simcore.contract import Option, Setting
from simcore.errors import UsageError, unknown

YES_NO = ("false", "the rule is not played", "true", "the rule is played")


def choice(default: str, ruling: str, quote: str, meaning: str, *options: str) -> Any:
    """A rule with named values: pairs of a value and what it means, in the order of their codes."""
    pairs = zip(options[::2], options[1::2], strict=True)
    known = tuple(Option(name, code, said) for code, (name, said) in enumerate(pairs))
    return field(default=default, metadata={"setting": Setting(ruling, quote, meaning, known)})


def number(default: int | str, least: int, most: int, ruling: str, quote: str, meaning: str, *options: str) -> Any:
    """A rule whose value is a whole number within bounds, or a name: a name, its meaning, … with codes -1, -2, …"""
    pairs = zip(options[::2], options[1::2], strict=True)
    known = tuple(Option(name, -1 - code, said) for code, (name, said) in enumerate(pairs))
    setting = Setting(ruling, quote, meaning, known, least, most)
    return field(default=default, metadata={"setting": setting})


def numbers(default: str, bounds: tuple[int, int], ruling: str, quote: str, meaning: str, *options: str) -> Any:
    """A rule whose value is a list of whole numbers within bounds, or the name of one: a name, its meaning, …"""
    pairs = zip(options[::2], options[1::2], strict=True)
    known = tuple(Option(name, code, said) for code, (name, said) in enumerate(pairs))
    setting = Setting(ruling, quote, meaning, known, *bounds, is_list=True)
    return field(default=default, metadata={"setting": setting})


def settings(rules: type) -> dict[str, tuple[Any, Setting]]:
    """Every field of a `Rules` class: its default and what is known about it."""
    return {entry.name: (entry.default, entry.metadata["setting"]) for entry in fields(rules)}


def read_rules(rules: type, game: str, given: Mapping[str, Any]) -> Any:
    """The rules with these values in place of the defaults.

    Raises UsageError for an unknown rule or a value that it does not take.
    """
    known = settings(rules)
    values = {}
    for name, value in given.items():
        if name not in known:
            raise unknown(f"{game} has no rule", name, known)
        values[name] = _read_value(name, value, known[name][1])
    return rules(**values)


def _read_value(name: str, value: Any, setting: Setting) -> str | int:
    text = str(value).strip().lower()
    if setting.is_list:
        return _read_list(name, value, setting)
    names = [option.name for option in setting.options]
    if isinstance(value, bool) and "on" in names:
        text = "on" if value else "off"
    if text in names:
        return text
    if setting.takes_numbers:
        return _read_number(name, text, setting)
    raise UsageError(f"rule {name} = {value}: it takes {setting.values()}")


def _read_list(name: str, value: Any, setting: Setting) -> str:
    """A list as text without blanks, or a name as it is written in the rules."""
    given = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    for option in setting.options:
        if option.name.lower() == given.strip().lower():
            return option.name
    try:
        read = [int(word) for word in given.split(",")]
    except ValueError:
        read = [setting.least - 1]
    if not all(setting.least <= entry <= setting.most for entry in read):
        raise UsageError(f"rule {name} = {given}: it takes {setting.values()}")
    return ",".join(map(str, read))


def _read_number(name: str, text: str, setting: Setting) -> int:
    try:
        value = int(text.replace("_", ""))
    except ValueError:
        value = setting.least - 1
    if not setting.least <= value <= setting.most:
        raise UsageError(f"rule {name} = {text}: it takes {setting.values()}")
    return value


def codes(rules: Any) -> dict[str, int]:
    """What a kernel is given: one integer for each rule; a game reads its lists itself."""
    numbers = {}
    for name, (_, setting) in settings(type(rules)).items():
        if setting.is_list:
            continue
        value = getattr(rules, name)
        match = [option.code for option in setting.options if option.name == value]
        numbers[name] = match[0] if match else int(value)
    return numbers


def changed(rules: Any) -> dict[str, Any]:
    """The rules that differ from their defaults."""
    defaults = settings(type(rules))
    return {name: getattr(rules, name) for name in defaults if getattr(rules, name) != defaults[name][0]}


def pairs(given: Iterable[str]) -> dict[str, str]:
    """`name=value` words as a mapping.

    Raises UsageError for a word without "=".
    """
    read = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f'rule "{word}": write it as name=value, for example heart_bonus=0')
        read[name.strip()] = value
    return read
