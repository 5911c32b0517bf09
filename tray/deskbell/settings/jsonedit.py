"""Add to a JSON text in its own style, and remove the addition again, without changing any other character. Pure.

An empty container that gets an addition is marked in the text itself, by tabs right after its bracket: one if nothing
was between its brackets, two if white space was, three if the text had no value at all. Removing the addition then
restores exactly what was there. A container without such a mark was added with the addition, and is removed with it.
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deskbell.settings.jsonspans import Item, Value

WAS_TIGHT, WAS_SPACED, WAS_NOTHING = "\t", "\t\t", "\t\t\t"

_MARK = re.compile(r"\t{0,3}(?!\t)")
_LINE_START = re.compile(r"(\r\n|\n|\r)([ \t]*)\Z")
_LINE_BREAK = re.compile(r"\r\n|\n|\r")


class Edit(NamedTuple):
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Style:
    newline: str = "\n"
    """Empty if the whole text is on one line."""
    unit: str = "  "
    colon: str = ": "

    @property
    def gap(self) -> str:
        return " " if self.colon.endswith(" ") else ""

    def rendered(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=("," + self.gap, self.colon))

    def member(self, key: str, value: str) -> str:
        return json.dumps(key) + self.colon + value

    def container(self, brackets: str, items: Sequence[str], indent: str, mark: str = "") -> str:
        """Render a container with a line for each item, or on one line if the whole text is on one line."""
        if not self.newline:
            return brackets[0] + mark + ("," + self.gap).join(items) + brackets[1]
        line = self.newline + indent + self.unit
        return brackets[0] + mark + line + ("," + line).join(items) + self.newline + indent + brackets[1]


def style(text: str, root: Value) -> Style:
    """Return the style of the text, as its first member shows it."""
    if not root.items:
        found = _LINE_BREAK.search(text)
        return Style(newline=found[0] if found else "\n")
    first = root.items[0]
    colon = _colon(text, first)
    line = _LINE_START.search(text[root.start + 1 : first.start])
    return Style(line[1], line[2], colon) if line else Style("", "", colon)


def _colon(text: str, member: Item) -> str:
    between = text[member.start : member.value.start].rpartition('"')[2]
    return between if between in (":", ": ", " : ", " :") else ": "


def applied(text: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def indent_of(text: str, at: int) -> str:
    """Return the white space at the beginning of the line that holds the character AT."""
    line = text[max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def item_indent(text: str, container: Value, look: Style) -> str:
    """Return the indentation that an item appended to the container gets."""
    if container.items:
        line = _LINE_START.search(_before_last(text, container))
        return line[2] if line else indent_of(text, container.items[-1].start)
    return indent_of(text, container.start) + look.unit


def appended(text: str, container: Value, items: Sequence[str], look: Style) -> Edit:
    """Return the edit that adds ITEMS after the last item, with the same space before each."""
    if container.items:
        at = container.items[-1].end
        return Edit(at, at, "".join("," + _gap(text, container, look) + item for item in items))
    inner = text[container.start + 1 : container.end - 1]
    brackets = text[container.start] + text[container.end - 1]
    mark = WAS_SPACED if inner else WAS_TIGHT
    filled = look.container(brackets, items, indent_of(text, container.start), mark)
    if not inner:
        return Edit(container.start, container.end, filled)
    return Edit(container.start, container.start + 1, filled[:-1].rstrip(" \t\r\n"))


def _before_last(text: str, container: Value) -> str:
    before = text[container.start + 1 : container.items[-1].start]
    return before[len(before.rstrip(" \t\r\n")) :]


def _gap(text: str, container: Value, look: Style) -> str:
    before = _before_last(text, container)
    if line := _LINE_START.search(before):
        return line[0]
    return before if before and not before.strip(" ") else look.gap


def cut(text: str, container: Value, gone: Collection[int]) -> list[Edit] | None:
    """Return the edits that remove the items with the indices GONE; None if the container must be removed too."""
    if not gone:
        return []
    mark = mark_of(text, container)
    if len(gone) < len(container.items):
        return _cut_some(container, gone, mark)
    inside, last = container.start + 1, container.items[-1].end
    if mark == WAS_TIGHT:
        return [Edit(inside, container.end - 1, "")]
    return [Edit(inside, last, "")] if mark == WAS_SPACED else None


def _cut_some(container: Value, gone: Collection[int], mark: str) -> list[Edit]:
    edits, kept_end = [], 0
    for index, item in enumerate(container.items):
        if index not in gone:
            if not kept_end and index:
                start = container.start + 1 if mark else container.items[0].start
                edits.append(Edit(start, item.start, ""))
            kept_end = item.end
        elif kept_end:
            edits.append(Edit(kept_end, item.end, ""))
            kept_end = item.end
    return edits


def emptied(text: str, root: Value) -> Edit:
    """Return the edit that removes all members of ROOT, and ROOT itself if the text held no value before them."""
    if mark_of(text, root) == WAS_NOTHING:
        return Edit(root.start, root.end, "")
    return Edit(root.start + 1, root.end - 1, "")


def mark_of(text: str, container: Value) -> str:
    found = _MARK.match(text, container.start + 1)
    return found[0] if found else ""
