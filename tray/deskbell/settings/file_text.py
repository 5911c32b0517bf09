"""Apply `hooks_text` to the bytes of a settings file; a refusal names the path, the line and the column. Pure."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from deskbell.errors import Problem
from deskbell.settings import hooks_text
from deskbell.settings.hooks_text import Standing
from deskbell.settings.jsonspans import Misshapen, place
from deskbell.settings.registration import Handler

T = TypeVar("T")

NEW_FILE = b"{}\n"
"""What install starts from where no file exists."""

UNCHANGED = " Nothing was changed."
MEND = "Mend the file, or put a copy back with `deskbell restore`."


def with_hooks(path: Path, before: bytes | None, wanted: Mapping[str, Handler]) -> bytes:
    """The content of PATH with our hooks. Raise Problem if the file switches all hooks off or is not understood."""

    def edited(text: str) -> str:
        if (at := hooks_text.hooks_disabled(text)) is not None:
            what = f'{path} {place(text, at)}: "disableAllHooks" stops every hook.{UNCHANGED}'
            raise Problem(what, "Set it to false, then try again.")
        return hooks_text.with_hooks(text, wanted)

    return _read(path, NEW_FILE if before is None else before, edited, UNCHANGED).encode()


def without_hooks(path: Path, before: bytes | None) -> bytes | None:
    """The content of PATH without our hooks."""
    return None if before is None else _read(path, before, hooks_text.without_hooks, UNCHANGED).encode()


def standing(path: Path, content: bytes | None, wanted: Mapping[str, Handler]) -> Standing:
    """How our hooks stand in the content of PATH."""
    return _read(path, content or b"", lambda text: hooks_text.standing(text, wanted))


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
