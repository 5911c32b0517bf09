"""Word what is wrong with `config.toml`: the line, the setting, and what it must be. Pure.

No sentence repeats a value of the file: it may be a secret.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from deskbell.nearest import nearest
from deskbell.notices.part import Part
from deskbell.notices.policy import Policy
from deskbell.text.clean import clean, cut

SettingPath = tuple[str | int, ...]
"""The names and numbers that lead to a setting: ("channels", 1, "url")."""

LIST = " Run `deskbell config show` to list them."
NO_SETTING = f"is not a setting.{LIST}"

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"""\s*([\w."'-]+)\s*=""")

_TABLES = ("model_type", "model_attributes_type", "mapping_type", "dict_type")
# The kind of an error of pydantic: what the setting must be. The list of kinds:
# https://docs.pydantic.dev/latest/errors/validation_errors/
_RULES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "missing": lambda _: "is missing",
    "string_too_short": lambda _: "must not be empty",
    "greater_than": lambda about: f"must be more than {about['gt']:g}",
    "greater_than_equal": lambda about: f"must be {about['ge']:g} or more",
    "less_than_equal": lambda about: f"must be {about['le']:g} or less",
    "literal_error": lambda about: f"must be {about['expected'].replace(chr(39), chr(34))}",
    "tuple_type": lambda _: 'must be a list in brackets, such as ["a", "b"]',
    "string_type": lambda _: "must be text in quotes",
    "string_unicode": lambda _: "must be text in UTF-8",
    "finite_number": lambda _: "must be a whole number",
}
_STARTS = {"bool": "must be true or false", "int": "must be a whole number", "float": "must be a number"}
_OTHER = "has a value that is not allowed here"


def complaints(error: ValidationError, text: str, path: Path) -> Iterator[str]:
    """Yield a sentence for everything that ERROR found in TEXT, in the order of the lines. PATH names the file."""
    known = lines(text)
    found = []
    for one in error.errors(include_url=False, include_input=False):
        place = tuple(one["loc"])
        line = next((known[place[:n]] for n in range(len(place), 0, -1) if place[:n] in known), 1)
        found.append((line, _sentence(place, one["type"], one["msg"], one.get("ctx", {}))))
    yield from (f"{path}, line {line}: {sentence}" for line, sentence in sorted(found))


def _sentence(place: SettingPath, kind: str, message: str, about: Mapping[str, Any]) -> str:
    if kind == "value_error":
        return f"{name(place)}: {message.removeprefix('Value error, ')}"
    if kind == "extra_forbidden":
        return f"{name(place)} {NO_SETTING}"
    if kind in _TABLES:
        return is_a_table(place)
    rule = _RULES.get(kind)
    return f"{name(place)} {rule(about) if rule else _STARTS.get(kind.partition('_')[0], _OTHER)}"


def meant(error: ValidationError) -> Iterator[str]:
    """Yield the settings that are probably meant by those names in ERROR that are none."""
    for one in error.errors(include_url=False, include_input=False):
        place = tuple(one["loc"])
        model = part(place[:-1])
        if one["type"] == "extra_forbidden" and model and (found := nearest(str(place[-1]), model.model_fields)):
            yield name((*place[:-1], found))


def name(place: SettingPath) -> str:
    """Return PLACE as a person writes it: "rings.idle.delay", "url of channel 2"."""
    if len(place) > 1 and place[0] == "channels" and isinstance(place[1], int):
        inner = _dotted(place[2:])
        return f"{inner} of channel {place[1] + 1}" if inner else f"channel {place[1] + 1}"
    return _dotted(place) or "the file"


def is_a_table(place: SettingPath) -> str:
    """Return the sentence for a value where a table belongs."""
    if place[:1] == ("channels",) and len(place) <= 2:
        return "channels are tables: write [[channels]] above the settings of each"
    below = place[2:] if place[:1] == ("channels",) else place
    model = part(below) if below == place else None
    if model is None:
        return f'{name(place)} is a table: write {below[-1]} = {{ name = "value" }}'
    setting = (
        "<setting>" if any(part((*place, inner)) is None for inner in model.model_fields) else "<status>.<setting>"
    )
    return f"{name(place)} is a table: set {name(place)}.{setting}"


def part(place: SettingPath) -> type[Part] | None:
    """Return the part of the policy at PLACE; None if there is a value or nothing."""
    model: type[Part] = Policy
    for step in place:
        field = model.model_fields.get("notification" if step == "words" else str(step))
        found = field.annotation if field else None
        if not (isinstance(found, type) and issubclass(found, Part)):
            return None
        model = found
    return model


def lines(text: str) -> dict[SettingPath, int]:
    """Return the line of each table and each key of a TOML text."""
    found: dict[SettingPath, int] = {}
    table: SettingPath = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _names(header[2])
            if header[1] == "[[":
                table += (sum(path[: len(table)] == table and len(path) == len(table) + 1 for path in found),)
            found[table] = number
        elif key := _KEY.match(line):
            found.setdefault(table + _names(key[1]), number)
    return found


def _names(dotted: str) -> SettingPath:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _dotted(place: SettingPath) -> str:
    """Return PLACE without the numbers of elements of lists: the person wrote only the name."""
    return ".".join(cut(clean(str(step)), 60) for step in place if isinstance(step, str))
