"""Write `config.toml`: every setting with its sentence, or one change that leaves the rest of the file as it is.

This is not part of `policyfile`, because the running program only reads: it need not load the library that keeps
comments.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

import tomlkit
from pydantic.fields import FieldInfo
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item

from deskbell.errors import NOT_WRITTEN, Misuse, Problem
from deskbell.files.read import with_lf
from deskbell.files.write import write_private
from deskbell.notices.complaint import NO_SETTING, is_a_table, part
from deskbell.notices.part import Part
from deskbell.notices.policy import Channel, Policy
from deskbell.notices.policyfile import parse

_END = re.compile(r"\r\n|\r|\n")


def changed(text: str, dotted: str, value: str) -> str:
    """Return TEXT with one setting changed; comments, order, spacing and line ends stay.

    Raise Misuse if DOTTED is no setting, or if VALUE is not UTF-8, as a shell may give it.
    """
    names = tuple(dotted.split("."))
    _check(names, dotted)
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise Misuse(f"The value for {dotted} is not UTF-8 text.", "Type it in UTF-8.")
    document = tomlkit.parse(with_lf(text))
    table: Any = document
    for name in names[:-1]:
        table = table.setdefault(name, tomlkit.table())
    table[names[-1]] = _value(value)
    return _with_ends_of(text, tomlkit.dumps(document))


def _with_ends_of(before: str, after: str) -> str:
    """Return AFTER, whose lines end with LF, with the line ends of BEFORE. A new line ends as its neighbour does."""
    ends = _END.findall(before)
    if not ends:
        return after
    old, new = with_lf(before).split("\n"), after.split("\n")
    pairs = zip(reversed(old), reversed(new), strict=False)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    grown = len(new) - len(old)
    out = [new[-1]]
    for at in range(len(new) - 2, -1, -1):
        same = at - grown if at >= len(new) - alike else at
        out += [ends[min(same, len(ends) - 1)], new[at]]
    return "".join(reversed(out))


def _check(names: tuple[str, ...], dotted: str) -> None:
    model = part(names[:-1])
    if names[0] == "channels":
        raise Misuse("channels cannot be set one by one. Run `deskbell config edit`.")
    if part(names):
        raise Misuse(is_a_table(names))
    if model is None or names[-1] not in model.model_fields:
        raise Misuse(f"{dotted or 'an empty name'} {NO_SETTING}")


def _value(text: str) -> Item | str:
    """Read `true`, `5` and `["a"]` as TOML does; anything else is text."""
    try:
        return tomlkit.value(text)
    except (TOMLKitError, ValueError, RecursionError):
        return text


def write(path: Path, text: str) -> None:
    """Write TEXT to PATH, or to the target of a link at PATH. Raise Problem if it is no policy or cannot be written."""
    parse(text, path)
    try:
        write_private(path, text.encode(), follow=True)
    except OSError as error:
        raise Problem(f"Cannot write {path}: {error.strerror}.", NOT_WRITTEN) from error


def document(policy: Policy, commented: bool = False, values: str = "the values in force") -> str:
    """Return every setting with its value and its sentence; if COMMENTED, each is commented out, to be filled in.

    VALUES says in words what the values are.
    """
    out = [f"# Deskbell: what rings, when and how. Every setting is optional; these are {values}.", ""]
    out += _table((), policy, Policy(), commented)
    out += _channels(policy.channels, commented)
    return "\n".join(out) + "\n"


def _table(path: tuple[str, ...], of: Part, default: Part, commented: bool) -> Iterator[str]:
    fields = type(of).model_fields
    tables = [name for name in fields if isinstance(getattr(of, name), Part)]
    if path and len(tables) < len(fields):
        yield f"[{'.'.join(path)}]"
    for name, about in fields.items():
        if name not in tables and name != "channels":
            yield from _setting(name, about, getattr(of, name), getattr(default, name), commented)
    for name in tables:
        yield ""
        yield f"# {fields[name].description}"
        yield from _table((*path, name), getattr(of, name), getattr(default, name), commented)


def _setting(name: str, about: FieldInfo, value: object, default: object, commented: bool) -> Iterator[str]:
    note = "" if value == default else f"  # default: {_toml(default)}"
    yield f"# {about.description}"
    yield f"{'# ' if commented else ''}{name} = {_toml(value)}{note}"


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update(value)
        return table.as_string()
    return tomlkit.item(list(value) if isinstance(value, tuple) else value).as_string()


def _channels(channels: tuple[Channel, ...], commented: bool) -> Iterator[str]:
    example = Channel(name="phone", kind="ntfy", url="https://ntfy.sh/your-topic")
    yield ""
    yield f"# {Policy.model_fields['channels'].description}"
    for channel in channels or (example,):
        hidden = commented or not channels
        yield f"{'# ' if hidden else ''}[[channels]]"
        for name, about in Channel.model_fields.items():
            value = getattr(channel, name)
            yield from _setting(name, about, value, value, hidden)
        yield ""
