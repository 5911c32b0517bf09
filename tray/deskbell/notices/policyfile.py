"""What does config.toml say, where is it wrong, and how is it written?

A broken file never costs the last good policy.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import ValidationError
from pydantic.fields import FieldInfo
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item

from deskbell.errors import Problem
from deskbell.notices.policy import Channel, Part, Policy

Path_ = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"""\s*([\w."'-]+)\s*=""")


@dataclass(frozen=True, slots=True)
class Reading:
    """The policy that holds, and what is wrong with the file if anything is."""

    policy: Policy = field(default_factory=Policy)
    problem: str | None = None
    stamp: tuple[int, int, int] | None = None


def reread(path: Path, before: Reading) -> Reading:
    """The same reading when the file has not changed; the policy of before when it is broken."""
    stamp = _stamp(path)
    if stamp == before.stamp:
        return before
    if stamp is None:
        return Reading()
    try:
        return Reading(parse(path.read_text(encoding="utf-8"), path), None, stamp)
    except Problem as problem:
        return replace(before, problem=str(problem), stamp=stamp)
    except (OSError, UnicodeDecodeError) as error:
        return replace(before, problem=f"{path} cannot be read ({error}).", stamp=stamp)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def parse(text: str, path: Path) -> Policy:
    try:
        return Policy.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"{path} is not TOML: {error}") from None
    except ValidationError as error:
        raise Problem("; ".join(_complaints(error, text, path))) from None


def _complaints(error: ValidationError, text: str, path: Path) -> Iterator[str]:
    known = lines(text)
    for one in error.errors(include_url=False):
        place = tuple(one["loc"])
        line = next((known[place[:n]] for n in range(len(place), 0, -1) if place[:n] in known), 1)
        name = ".".join(map(str, place)) or "the file"
        if one["type"] == "extra_forbidden":
            yield f"{path}, line {line}: {name} is no setting of Deskbell"
        else:
            yield f"{path}, line {line}: {name}: {one['msg'].removeprefix('Value error, ')}"


def lines(text: str) -> dict[Path_, int]:
    """On which line each table and key stands."""
    found: dict[Path_, int] = {}
    table: Path_ = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _names(header[2])
            if header[1] == "[[":
                table += (sum(path[: len(table)] == table and len(path) == len(table) + 1 for path in found),)
            found[table] = number
        elif key := _KEY.match(line):
            found.setdefault(table + _names(key[1]), number)
    return found


def _names(dotted: str) -> Path_:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def changed(text: str, dotted: str, value: str) -> str:
    """The same file with one setting changed: comments, order and spacing stay."""
    names = dotted.split(".")
    document = tomlkit.parse(text)
    table: Any = document
    for name in names[:-1]:
        if name not in table:
            table[name] = tomlkit.table()
        table = table[name]
    if not isinstance(table, dict):
        raise Problem(f"{dotted} is no setting of Deskbell; `deskbell config show` lists them all.")
    table[names[-1]] = _value(value)
    return tomlkit.dumps(document)


def _value(text: str) -> Item | str:
    """`true`, `5`, `["a"]` as TOML has them; anything else is a word."""
    try:
        return tomlkit.value(text)
    except (TOMLKitError, ValueError):
        return text


def write(path: Path, text: str) -> None:
    parse(text, path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def document(policy: Policy, commented: bool = False) -> str:
    """Every setting with its value and what it means; commented out for a file that is to be filled in."""
    said: set[str] = set()
    out = ["# Deskbell: what rings, when and how. Everything here is optional; these are the values in force."]
    out += _table((), policy, Policy(), commented, said)
    out += _channels(policy.channels, commented, said)
    return "\n".join(out) + "\n"


def _table(path: tuple[str, ...], part: Part, default: Part, commented: bool, said: set[str]) -> Iterator[str]:
    fields = type(part).model_fields
    tables = [name for name in fields if isinstance(getattr(part, name), Part)]
    if path and len(tables) < len(fields):
        yield f"[{'.'.join(path)}]"
    for name, about in fields.items():
        if name not in tables and name != "channels":
            yield from _setting(name, about, getattr(part, name), getattr(default, name), commented, said)
    for name in tables:
        yield ""
        yield from _told(fields[name], said)
        yield from _table((*path, name), getattr(part, name), getattr(default, name), commented, said)


def _setting(
    name: str, about: FieldInfo, value: object, default: object, commented: bool, said: set[str]
) -> Iterator[str]:
    yield from _told(about, said)
    note = "" if value == default else f"  # default: {_toml(default)}"
    yield f"{'# ' if commented else ''}{name} = {_toml(value)}{note}"


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update(value)
        return table.as_string()
    return tomlkit.item(list(value) if isinstance(value, tuple) else value).as_string()


def _told(about: FieldInfo, said: set[str]) -> Iterator[str]:
    """Each description once, where it is first met."""
    if about.description and about.description not in said and about.description != "As for any ring.":
        said.add(about.description)
        yield f"# {about.description}"


def _channels(channels: tuple[Channel, ...], commented: bool, said: set[str]) -> Iterator[str]:
    example = Channel(name="phone", kind="ntfy", url="https://ntfy.sh/your-topic")
    yield ""
    yield f"# {Policy.model_fields['channels'].description}"
    for channel in channels or (example,):
        hidden = commented or not channels
        yield f"{'# ' if hidden else ''}[[channels]]"
        for name, about in Channel.model_fields.items():
            value = getattr(channel, name)
            yield from _setting(name, about, value, value, hidden, said)
        yield ""
