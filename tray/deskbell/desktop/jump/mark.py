"""Mark a terminal: put a word into the title of its tab, and take it out again.

The word shows in the title of the window whose active tab it is, and in the name of the tab for accessibility. So the
window and the tab of a process are known for certain, where its terminal has no other way to tell.
"""

import secrets
from types import TracebackType
from typing import Self

from deskbell.desktop.jump.tty import write_to

# xterm, VTE, kitty, Alacritty, foot: CSI 22;2t keeps the title on a stack and 23;2t takes it from there
# (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
KEEP, RESTORE = "\x1b[22;2t", "\x1b[23;2t"
FORGETFUL = frozenset(("qterminal",))
"""Terminals without that stack, seen with QTerminal 1.2 and 2.1. The title is written back, as it was read before."""
LONGEST = 200


class Mark:
    """It is written when it is first asked for, and taken out at the end."""

    def __init__(self, tty: str | None, *, is_kept: bool = True) -> None:
        """IS_KEPT: the terminal keeps the title that it had; else somebody must say in `replaces` which that was."""
        self.is_kept = is_kept
        self._tty = tty
        self._before: str | None = None
        self._word = f"deskbell-{secrets.token_hex(5)}"
        self._is_written = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if self._is_written and self.is_kept:
            write_to(self._tty, RESTORE)
        elif self._is_written:
            write_to(self._tty, _title(self._before or ""))

    def replaces(self, title: str) -> None:
        """Remember that the mark took the place of TITLE. What is said first counts: later, it may be the mark."""
        if self._before is None:
            self._before = "".join(filter(str.isprintable, title))[:LONGEST]

    def word(self) -> str | None:
        """Write the mark, again if the session has set a title meanwhile. None where the terminal cannot be marked."""
        title = _title(self._word)
        keeps = self.is_kept and not self._is_written
        if not write_to(self._tty, KEEP + title if keeps else title):
            return None
        self._is_written = True
        return self._word


def _title(text: str) -> str:
    return f"\x1b]2;{text}\x07"
