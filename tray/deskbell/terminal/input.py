"""Turn the bytes that a terminal sends into keys, pastes and events of the mouse. Pure.

Any bytes are accepted. What is none of these is dropped whole: the rest of an unknown sequence must not act as keys.
Sequences: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html and, for those that end in "u",
https://sw.kovidgoyal.net/kitty/keyboard-protocol/
"""

import re
from typing import Literal, NamedTuple

MOST = 65536
"""Bytes of a paste, and of an unfinished sequence, that are kept."""
PATIENCE = 5
"""Moments without a byte after which an unfinished sequence is given up."""


class Key(NamedTuple):
    name: str
    """As Textual calls it: "a", "enter", "ctrl+c", "shift+tab"."""
    character: str | None = None
    """What the key types; None if it types nothing."""


class Paste(NamedTuple):
    text: str


class Mouse(NamedTuple):
    does: Literal["down", "up", "move", "wheel up", "wheel down"]
    x: int
    """The column, counted from 0."""
    y: int
    button: int


class DrawsAtOnce(NamedTuple):
    """The terminal can draw several changes at once."""


Event = Key | Paste | Mouse | DrawsAtOnce

PASTE, END = b"\x1b[200~", b"\x1b[201~"
_WHOLE = re.compile(
    rb"\x1b\[M[\x20-\xff]{3}"  # a mouse event in the oldest form
    rb"|\x1b\[\[[\x20-\x7e]"  # a function key of the console of Linux
    rb"|\x1b\[(?!\[\Z|M[\x20-\xff]{0,2}\Z)[\x20-\x3f]*[\x40-\x7e]"
    rb"|\x1bO[0-9;]*[\x40-\x7e]"
    rb"|\x1b[]PX^_][^\x03\x07\x1b]*(?:\x07|\x1b\\)"  # an answer to a question
    rb"|\x1b[^]\[OPX^_\x00-\x1f\x7f]"  # a key with Alt
    rb"|[\x00-\x1a\x1c-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_BEGUN = re.compile(
    rb"\x1b\[M[\x20-\xff]{0,2}|\x1b\[\[|\x1b\[[\x20-\x3f]*|\x1bO[0-9;]*|\x1b[]PX^_][^\x03\x07\x1b]*(?:\x1b\Z)?|\x1b"
    rb"|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2}|[\x80-\xff]"
)
"""What _WHOLE does not find: the beginning of a sequence, or bytes that are no text."""
_KEY = re.compile(r"(\d{1,6})?[\d:]*(?:;(\d{1,3})?(?::(\d))?)?(?:;([\d:]{1,99}))?")
"""The number of a key, its modifiers, whether it was released, and the characters that it types."""
_MOUSE = re.compile(r"<(\d{1,3});(\d{1,5});(\d{1,5})")

_CONTROLS = {
    0: "ctrl+@", 9: "tab", 13: "enter", 28: "ctrl+\\", 29: "ctrl+]", 30: "ctrl+^", 31: "ctrl+_", 127: "backspace",
}  # fmt: skip
_LETTERS = {
    "A": "up", "B": "down", "C": "right", "D": "left", "F": "end", "H": "home",
    "P": "f1", "Q": "f2", "R": "f3", "S": "f4",
}  # fmt: skip
"""The last letter of a sequence -> its key."""
_NUMBERS = {
    1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end", 11: "f1", 12: "f2",
    13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12",
}  # fmt: skip
"""The number in a sequence that ends in "~" -> its key."""
_CODES = {
    9: "tab", 13: "enter", 27: "escape", 32: "space", 127: "backspace", 57414: "enter", 57417: "left", 57418: "right",
    57419: "up", 57420: "down", 57421: "pageup", 57422: "pagedown", 57423: "home", 57424: "end", 57425: "insert",
    57426: "delete",
}  # fmt: skip
"""The number in a sequence that ends in "u" -> its key. Another number is that of a character."""
_MODIFIERS = {1: "shift", 2: "alt", 4: "ctrl", 8: "super", 16: "hyper", 32: "meta"}


class Input:
    """What has come from a terminal and is not finished."""

    def __init__(self) -> None:
        self._begun = b""
        self._pasted: bytearray | None = None
        """What has come of a paste; None outside of one."""
        self._silent = 0
        """How many moments have passed in which nothing came."""
        self._had_escape = False
        """Whether the last thing was an Escape that nothing followed for a moment."""

    def take(self, data: bytes) -> list[Event]:
        """Return what has come with DATA."""
        events: list[Event] = []
        if self._had_escape and data[:1] in (b"[", b"O"):
            data = b"\x1b" + data  # it was no key: the rest of its sequence came late, and must not act as keys
        if self._pasted is not None and self._silent and _leaves(data):
            events.append(self._paste(len(self._pasted)))
        self._had_escape, self._silent = False, 0
        data, self._begun = self._begun + data, b""
        at = 0
        while at < len(data):
            if self._pasted is not None:
                at += self._add(data[at:], events)
            else:
                at += self._next(data, at, events)
        return events

    def quiet(self) -> list[Event]:
        """Return the Escape that nothing has followed for a moment. Give up another sequence after PATIENCE moments."""
        self._silent += 1
        has_escape = self._begun == b"\x1b"
        self._had_escape = self._had_escape or has_escape
        if has_escape or self._silent >= PATIENCE:
            self._begun = b""
        return [Key("escape")] if has_escape else []

    def _next(self, data: bytes, at: int, events: list[Event]) -> int:
        """Take what begins at AT, outside of a paste. Return how many bytes it has."""
        if found := _WHOLE.match(data, at):
            if found[0] == PASTE:
                self._pasted = bytearray()
            else:
                events += _events(found[0].decode("utf-8", "ignore"))
        elif (found := _BEGUN.match(data, at)) and found.end() == len(data) and len(found[0]) <= MOST:
            self._begun = found[0]
        return len(found[0]) if found else 1

    def _add(self, data: bytes, events: list[Event]) -> int:
        """Add DATA to the paste, up to its end. Return how many bytes of DATA belong to it."""
        pasted = self._pasted if self._pasted is not None else bytearray()
        before = len(pasted)
        pasted += data
        end = pasted.find(END, max(0, before - len(END) + 1))
        if end >= 0:
            events.append(self._paste(end))
            return end + len(END) - before
        del pasted[MOST : -len(END)]
        return len(data)

    def _paste(self, end: int) -> Paste:
        """Return the first END bytes of the paste, which is over."""
        text = bytes((self._pasted or b"")[: min(end, MOST)]).decode("utf-8", "replace")
        self._pasted = None
        return Paste(text.replace("\0", ""))


def _leaves(data: bytes) -> bool:
    """Return whether DATA is Escape or Ctrl+C alone: the person leaves a paste whose end never came."""
    if data == b"\x1b":
        return True
    alone = _WHOLE.fullmatch(data)
    return bool(alone) and _events(data.decode("utf-8", "ignore")) in ([Key("escape")], [Key("ctrl+c")])


def _events(found: str) -> list[Event]:
    """Return what FOUND means: a character, or a whole sequence."""
    kind, last = found[:2], found[-1:]
    if len(found) < 2:
        return [] if found in ("", "\x1b") else [_typed(found)]
    if kind == "\x1b[" and last == "u":
        return _of_code(found[2:-1])
    if kind == "\x1b[" and last in "mM":
        return _of_mouse(found[2:-1], last)
    if kind == "\x1b[" and last == "y":
        return [DrawsAtOnce()] if re.fullmatch(r"\?2026;[1-4]\$", found[2:-1]) else []
    return _of_letter(found[2:-1], last) if kind in ("\x1b[", "\x1bO") else []


def _typed(character: str) -> Key:
    code = ord(character)
    if character == " ":
        return Key("space", character)
    if code < 32 or code == 127:
        return Key(_CONTROLS.get(code) or f"ctrl+{chr(code + 96)}")
    return Key(character, character)


def _of_letter(given: str, last: str) -> list[Event]:
    """Return the key of a sequence that ends in a letter or in "~"."""
    found = _KEY.fullmatch(given)
    if found is None or found[3] == "3":
        return []
    if last == "~":
        name = _NUMBERS.get(int(found[1] or 0))
    elif last == "Z":
        name = "shift+tab"
    else:
        name = _LETTERS.get(last) if (found[1] or "1") == "1" else None
    return [Key(_modified(name, found[2]))] if name else []


def _of_code(given: str) -> list[Event]:
    """Return the key of a sequence that ends in "u", or a key for each character that it types."""
    found = _KEY.fullmatch(given)
    if found is None or found[3] == "3" or not found[1]:
        return []
    name = _modified(_CODES.get(int(found[1])) or _character(found[1]), found[2])
    if "ctrl+" in name or "alt+" in name:
        return [Key(name)]
    typed = [_character(code) for code in (found[4] or "").split(":")]
    if any(typed):
        return [_typed(one) for one in typed if one]
    return [_typed(name) if len(name) == 1 else Key(name)] if name else []


def _character(code: str) -> str:
    """Return the printable character with the number CODE; empty if there is none."""
    number = int(code or 0)
    return chr(number) if number < 0x110000 and chr(number).isprintable() else ""


def _modified(name: str, modifiers: str | None) -> str:
    """Return NAME after the names of the MODIFIERS that were held; empty without a name."""
    bits = int(modifiers or 1) - 1
    held = sorted(word for bit, word in _MODIFIERS.items() if bits & bit)
    return "+".join((*held, name)) if name else ""


def _of_mouse(given: str, last: str) -> list[Event]:
    found = _MOUSE.fullmatch(given)
    if found is None or found[2] == "0" or found[3] == "0":
        return []
    code, x, y = int(found[1]), int(found[2]) - 1, int(found[3]) - 1
    kind, button = code & ~0b11100, (code + 1) & 3
    if kind in (64, 65):
        return [Mouse("wheel down" if kind & 1 else "wheel up", x, y, 0)]
    if code >= 64:
        return []
    if code & 32 or not button:
        return [Mouse("move", x, y, button)]
    return [Mouse("down" if last == "M" else "up", x, y, button)]
