"""How is config.toml written? Every setting with what it means, and a change that leaves all the rest as it stands.

Apart from reading, which a program that stays all day does: it need not carry the library that keeps comments.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from pydantic.fields import FieldInfo
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item

from deskbell.errors import Problem
from deskbell.files.write import write_private
from deskbell.notices.policy import Channel, Part, Policy
from deskbell.notices.policyfile import parse


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
    write_private(path, text.encode())


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
