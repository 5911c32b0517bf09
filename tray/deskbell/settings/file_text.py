"""Apply `hooks_text` and `line_text` to the bytes of a settings file. Errors name path, line and column. Pure."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from deskbell.errors import Problem
from deskbell.settings import hooks_text, line_text
from deskbell.settings.jsonspans import Misshapen, place
from deskbell.settings.line_command import Line, Order
from deskbell.settings.line_text import Found
from deskbell.settings.registration import Wanted
from deskbell.settings.standing import Standing

T = TypeVar("T")

NEW_FILE = b"{}\n"
"""What install starts from if no file exists."""

UNCHANGED = " Nothing was changed."
MEND = "Mend the file, or put a copy back with `deskbell restore`."


def with_hooks(path: Path, before: bytes | None, wanted: Wanted) -> bytes:
    """Return the content of PATH with our hooks. Raise Problem if it switches all hooks off or is not understood."""

    def edited(text: str) -> str:
        _check_enabled(path, text, "every hook")
        return hooks_text.with_hooks(text, wanted)

    return _read(path, NEW_FILE if before is None else before, edited, UNCHANGED).encode()


def _check_enabled(path: Path, text: str, stopped: str) -> None:
    if (at := hooks_text.hooks_disabled(text)) is not None:
        what = f'{path} {place(text, at)}: "disableAllHooks" stops {stopped}.{UNCHANGED}'
        raise Problem(what, "Set it to false, then try again.")


def without_hooks(path: Path, before: bytes | None) -> bytes | None:
    """Return the content of PATH without our hooks."""

    def edited(text: str) -> str:
        after = hooks_text.without_hooks(text)
        return after if after == text else line_text.keep_mark(text, after, _stripped(after))

    return None if before is None else _read(path, before, edited, UNCHANGED).encode()


def _stripped(text: str) -> str:
    """Return TEXT without our hooks and our statusline. A statusline of a strange shape is not ours."""
    try:
        return line_text.without_line(hooks_text.without_hooks(text))[0]
    except Misshapen:
        return text


def with_line(path: Path, before: bytes | None, line: Line, order: Order | None, windows: bool) -> bytes:
    """Return the content of PATH with our statusline. Raise Taken, and Problem as `with_hooks`."""

    def edited(text: str) -> str:
        _check_enabled(path, text, "the statusline")
        return line_text.with_line(text, line, order, windows)

    return _read(path, NEW_FILE if before is None else before, edited, UNCHANGED).encode()


def refreshed_line(path: Path, before: bytes, line: Line, windows: bool) -> bytes:
    """Return the content of PATH, with our statusline corrected if it has one."""
    return _read(path, before, lambda text: line_text.refreshed(text, line, windows)).encode()


def without_line(path: Path, before: bytes | None) -> tuple[bytes | None, str]:
    """Return the content of PATH without our statusline, and what the person had changed in it."""
    if before is None:
        return None, ""
    changes = []

    def edited(text: str) -> str:
        after, changed = line_text.without_line(text)
        changes.append(changed)
        return after if after == text else line_text.keep_mark(text, after, _stripped(after))

    return _read(path, before, edited, UNCHANGED).encode(), "".join(changes)


def line(path: Path, content: bytes | None) -> Found:
    """Return the statusline in the content of PATH."""
    return _read(path, content or b"", line_text.found)


def standing(path: Path, content: bytes | None, wanted: Wanted) -> Standing:
    """Return the state of our hooks in the content of PATH."""
    return _read(path, content or b"", lambda text: hooks_text.compared(text, wanted))


def _read(path: Path, content: bytes, reader: Callable[[str], T], unchanged: str = "") -> T:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(errors="replace")
        raise Problem(f"{path} {place(before, len(before))}: this is not UTF-8 text.{unchanged}", MEND) from None
    try:
        return reader(text)
    except Misshapen as wrong:
        raise Problem(f"{path} {place(text, wrong.at)}: {wrong.what}.{unchanged}", MEND) from None
