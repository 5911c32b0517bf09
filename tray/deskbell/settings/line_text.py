"""Add Deskbell's statusline to the text of a settings.json, chain it to the person's own, and remove it. Pure.

If there is no statusline, install adds a member. Otherwise it changes one string: the command of the person's own line
becomes ours, which holds theirs. Uninstall restores that string. Every other character stays. A text that is not
understood raises Misshapen with its place.
"""

import json
from dataclasses import dataclass
from typing import Literal

from deskbell.errors import Problem
from deskbell.settings import jsonedit
from deskbell.settings.jsonedit import Edit, Style
from deskbell.settings.jsonspans import BOM, Item, Misshapen, Value, is_blank, last_member, loaded, members, parse
from deskbell.settings.line_command import REFRESH, Line, Order, Own, Registered, command, registered

KEY = "statusLine"


class Taken(Exception):
    """The person has a statusline of their own, and ORDER does not say how to chain it."""


@dataclass(frozen=True, slots=True)
class Found:
    """The statusline that a text has."""

    kind: Literal["none", "ours", "theirs"]
    item: Item | None = None
    command: Value | None = None
    ours: Registered | None = None


def found(text: str) -> Found:
    """Return the statusline. Raise Misshapen for one of a shape that Claude Code does not show."""
    if is_blank(text):
        return Found("none")
    root = parse(text)
    if root.kind != "object":
        raise Misshapen("the settings are not an object", root.start)
    named = members(root, KEY)
    if not named:
        return Found("none")
    if len(named) > 1:
        raise Misshapen(f'"{KEY}" stands here a second time', named[1].start)
    value = named[0].value
    at = {name: last_member(value, name) for name in ("type", "command")}
    kinds = {name: item and text[item.value.start : item.end] for name, item in at.items()}
    words = at["command"]
    if value.kind != "object" or kinds["type"] != '"command"' or words is None or words.value.kind != "string":
        raise Misshapen(f'this "{KEY}" is not of type "command", so Claude Code shows nothing of it', named[0].start)
    ours = registered(loaded(text, words.value))
    return Found("ours" if ours else "theirs", named[0], words.value, ours)


def with_line(text: str, line: Line, order: Order | None, windows: bool = False) -> str:
    """Add our line, or correct it. Raise Taken if the person has their own and ORDER is None."""
    there = found(text)
    if there.kind == "none":
        return _added(text, command(line, None, windows))
    if there.ours:
        own = there.ours.own
        own = Own(own.text, order or own.order, own.refreshed) if own else None
        return _replaced(text, there, command(line, own, windows))
    if order is None:
        raise Taken
    return _chained(text, there, line, order, windows)


def refreshed(text: str, line: Line, windows: bool = False) -> str:
    """Correct our line if there is one. Leave any other line, and a text that is not understood, unchanged."""
    try:
        return with_line(text, line, None, windows) if found(text).kind == "ours" else text
    except (Misshapen, Problem):
        return text


def _replaced(text: str, there: Found, words: str) -> str:
    assert there.command is not None
    if loaded(text, there.command) == words:
        return text
    return jsonedit.applied(text, [Edit(there.command.start, there.command.end, json.dumps(words, ensure_ascii=False))])


def _added(text: str, words: str) -> str:
    entry = {"type": "command", "command": words, "refreshInterval": REFRESH}
    if is_blank(text):
        look = Style(newline="\r\n" if "\r\n" in text else "\n")
        bom = BOM if text.startswith(BOM) else ""
        member = look.member(KEY, look.rendered(entry))
        return bom + look.container("{}", [member], "", jsonedit.WAS_NOTHING) + text.removeprefix(BOM)
    root = parse(text)
    look = jsonedit.style(text, root)
    return jsonedit.applied(text, [jsonedit.appended(text, root, [look.member(KEY, look.rendered(entry))], look)])


def _chained(text: str, there: Found, line: Line, order: Order, windows: bool) -> str:
    assert there.item is not None
    assert there.command is not None
    entry = there.item.value
    has_refresh = last_member(entry, "refreshInterval") is not None
    own = Own(text[there.command.start : there.command.end], order, refreshed=not has_refresh)
    words = json.dumps(command(line, own, windows), ensure_ascii=False)
    edits = [Edit(there.command.start, there.command.end, words)]
    if own.refreshed:
        look = jsonedit.style(text, parse(text))
        edits.append(jsonedit.appended(text, entry, [look.member("refreshInterval", str(REFRESH))], look))
    return jsonedit.applied(text, edits)


def without_line(text: str) -> tuple[str, str]:
    """Remove our line, and restore the person's own. Return the text, and which changes of the person are lost."""
    there = found(text)
    if not there.ours or there.item is None or there.command is None:
        return text, ""
    if there.ours.own is None:
        return _taken_out(text, there.item), _changes_of(text, there.item.value)
    edits = [Edit(there.command.start, there.command.end, there.ours.own.text)]
    refresh = last_member(there.item.value, "refreshInterval")
    if there.ours.own.refreshed and refresh and text[refresh.value.start : refresh.end] == str(REFRESH):
        edits += jsonedit.cut(text, there.item.value, {there.item.value.items.index(refresh)}) or []
    return jsonedit.applied(text, edits), ""


def _taken_out(text: str, item: Item) -> str:
    root = parse(text)
    edits = jsonedit.cut(text, root, {root.items.index(item)})
    return jsonedit.applied(text, [jsonedit.emptied(text, root)] if edits is None else edits)


def _changes_of(text: str, entry: Value) -> str:
    """Return what the person has added to our entry, or changed in it."""
    usual = {"type": '"command"', "refreshInterval": str(REFRESH)}
    members = [item for item in entry.items if item.key != "command"]
    return ", ".join(
        text[one.start : one.end] for one in members if usual.get(str(one.key)) != text[one.value.start : one.end]
    )


def keep_mark(before: str, after: str, stripped: str) -> str:
    """Return AFTER, with the mark of the root of BEFORE if only we have values in it: STRIPPED is AFTER without them.

    Hooks and statusline may both have been added to an empty text. Removing the first of them must keep the mark, so
    that removing the second restores the text.
    """
    if is_blank(before) or is_blank(after):
        return after
    mark, root = jsonedit.mark_of(before, parse(before)), parse(after)
    if (
        not mark
        or not root.items
        or jsonedit.mark_of(after, root)
        or (not is_blank(stripped) and parse(stripped).items)
    ):
        return after
    return after[: root.start + 1] + mark + after[root.start + 1 :]
