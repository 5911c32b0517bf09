"""Find the place of each value in a JSON text, as strictly as JavaScript's JSON.parse. Errors have a place. Pure."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Kind = Literal["object", "array", "string", "number", "literal"]

BOM = "\ufeff"
MOST = 50_000
"""The most values in a text. Settings have some hundred; finding the places of a million takes many seconds."""

_TOKEN = re.compile(
    r"""(?P<mark>[{}\[\]:,])
      | (?P<string>"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")
      | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
      | (?P<literal>true|false|null)""",
    re.VERBOSE,
)
_SPACE = re.compile(r"[ \t\n\r]*")


class Misshapen(Exception):
    """The text is wrong from the character AT on. WHAT says how, without a capital letter or a full stop."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what, self.at = what, at


@dataclass(frozen=True, slots=True)
class Value:
    kind: Kind
    start: int
    end: int
    items: tuple["Item", ...] = ()


class Item(NamedTuple):
    """A member of an object, which starts with its key, or an element of a list, which has the key None."""

    key: str | None
    start: int
    value: Value

    @property
    def end(self) -> int:
        return self.value.end


class Token(NamedTuple):
    kind: str
    """One of string, number, literal and end, or the mark itself."""
    start: int
    end: int


@dataclass(slots=True)
class _Open:
    """A container whose end has not been read yet."""

    kind: Literal["object", "array"]
    start: int
    items: list[Item] = field(default_factory=list)
    key: str | None = None
    key_start: int = 0


# State: the tokens that may follow, and their name in an error.
_MAY_FOLLOW: dict[str, tuple[frozenset[str], str]] = {
    "value": (frozenset({"string", "number", "literal", "{", "["}), "a value"),
    "first item": (frozenset({"string", "number", "literal", "{", "[", "]"}), "a value or ]"),
    "first key": (frozenset({"string", "}"}), 'a key in "quotes" or }'),
    "key": (frozenset({"string"}), 'a key in "quotes"'),
    "colon": (frozenset({":"}), "a colon"),
    "after member": (frozenset({",", "}"}), "a comma or }"),
    "after item": (frozenset({",", "]"}), "a comma or ]"),
    "after all": (frozenset({"end"}), "nothing more"),
}
_SCALARS: dict[str, Kind] = {"string": "string", "number": "number", "literal": "literal"}
_BEGINS = frozenset({*_SCALARS, "{", "["})
"""The tokens that a value begins with."""


def parse(text: str) -> Value:
    """Return the root value, with the span of everything in it. It does not recurse, so values may have any depth.

    Raise Misshapen if the text is not JSON or has more than MOST values.
    """
    root = Value("literal", 0, 0)
    opened: list[_Open] = []
    state = "value"
    values = 0
    for token in _tokens(text, len(BOM) if text.startswith(BOM) else 0):
        allowed, expected = _MAY_FOLLOW[state]
        if token.kind not in allowed:
            raise Misshapen(f"expected {expected}", token.start)
        is_key = state in ("key", "first key") and token.kind == "string"
        values += not is_key and token.kind in _BEGINS
        if values > MOST:
            raise Misshapen(f"there are more than {MOST:,} values", token.start)
        if is_key:
            opened[-1].key, opened[-1].key_start = json.loads(text[token.start : token.end]), token.start
            state = "colon"
        elif token.kind in ":,":
            state = "value" if token.kind == ":" or opened[-1].kind == "array" else "key"
        elif token.kind in "{[":
            opened.append(_Open("object" if token.kind == "{" else "array", token.start))
            state = "first key" if token.kind == "{" else "first item"
        elif token.kind != "end":
            root = _closed(token, opened)
            state = _after(root, opened)
    return root


def _closed(token: Token, opened: list[_Open]) -> Value:
    if kind := _SCALARS.get(token.kind):
        return Value(kind, token.start, token.end)
    done = opened.pop()
    return Value(done.kind, done.start, token.end, tuple(done.items))


def _after(value: Value, opened: list[_Open]) -> str:
    """Add the finished value to the container around it, and return the state that follows."""
    if not opened:
        return "after all"
    outer = opened[-1]
    if outer.kind == "array":
        outer.items.append(Item(None, value.start, value))
        return "after item"
    outer.items.append(Item(outer.key, outer.key_start, value))
    return "after member"


def _tokens(text: str, at: int) -> Iterator[Token]:
    while True:
        at = _end_of_space(text, at)
        if at == len(text):
            yield Token("end", at, at)
            return
        found = _TOKEN.match(text, at)
        if found is None:
            raise Misshapen(_why_no_token(text, at), at)
        kind = found.lastgroup or ""
        yield Token(found[0] if kind == "mark" else kind, at, found.end())
        at = found.end()


def _end_of_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _why_no_token(text: str, at: int) -> str:
    if text.startswith(("//", "/*"), at):
        return "JSON allows no comments"
    if text[at] == '"':
        return "this string is not closed, or holds a line break or an unknown escape"
    return f"unexpected {text[at]!r}"


def is_blank(text: str) -> bool:
    """Return whether TEXT holds no value at all, only white space."""
    return not text.removeprefix(BOM).strip(" \t\r\n")


def members(value: Value, key: str) -> list[Item]:
    """Return the members of an object with KEY; none if VALUE is no object."""
    return [item for item in value.items if item.key == key]


def last_member(value: Value, key: str) -> Item | None:
    """Return the member that counts: of several with the same key, JSON.parse keeps the last."""
    return next(reversed(members(value, key)), None)


def place(text: str, at: int) -> str:
    """Return "line 3 column 14" for the character AT; both count from one."""
    before = text[:at].removeprefix(BOM)
    line_start = max(before.rfind("\n"), before.rfind("\r")) + 1
    lines = before.count("\n") + before.count("\r") - before.count("\r\n")
    return f"line {lines + 1} column {len(before) - line_start + 1}"


def loaded(text: str, value: Value) -> object:
    """Return the Python value of a span, which must be shallow: json.loads recurses."""
    return json.loads(text[value.start : value.end], parse_int=_number)


def _number(digits: str) -> float:
    """Read a number as JSON.parse does. Python refuses to make an int of more than 4300 digits."""
    return int(digits) if len(digits) < 17 else float(digits)
