"""Mark a terminal: write a random word into the title of its tab, and remove it again.

The title of the window whose active tab it is shows the word, and so does the name of the tab for accessibility. This
identifies the window and the tab of a process for certain, if its terminal has no call that tells them.
"""

import os
from types import TracebackType
from typing import Self

from deskbell.desktop.jump.tty import write_to

# xterm, VTE, kitty, Alacritty, foot: CSI 22;2t pushes the title on a stack, and 23;2t pops it
# (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
KEEP, RESTORE = "\x1b[22;2t", "\x1b[23;2t"
FORGETFUL = frozenset(("qterminal",))
"""Terminals without that stack, seen with QTerminal 1.2 and 2.1. Their title is read before and written back."""
LONGEST = 200
"""Characters of a title that is written back."""


class Mark:
    """The mark of one terminal. It is written at the first call of `word`, and removed at the end."""

    def __init__(self, tty: str | None, *, is_kept: bool = True) -> None:
        """IS_KEPT: whether the terminal has a stack of titles. If not, `replaces` has to be called with the title."""
        self.is_kept = is_kept
        self._tty = tty
        self._before: str | None = None
        self._word = f"deskbell-{os.urandom(5).hex()}"
        self._is_written = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if self._is_written and self.is_kept:
            write_to(self._tty, RESTORE)
        elif self._is_written:
            write_to(self._tty, _title(self._before or ""))

    def replaces(self, title: str) -> None:
        """Remember TITLE, to restore it. Only the first call counts, because a later title may be the mark."""
        if self._before is None:
            self._before = "".join(filter(str.isprintable, title))[:LONGEST]

    def word(self) -> str | None:
        """Write the mark, and return its word; None if the terminal cannot be marked.

        Each call writes it again, because the session may have set a title meanwhile.
        """
        title = _title(self._word)
        keeps = self.is_kept and not self._is_written
        if not write_to(self._tty, KEEP + title if keeps else title):
            return None
        self._is_written = True
        return self._word


def _title(text: str) -> str:
    return f"\x1b]2;{text}\x07"
