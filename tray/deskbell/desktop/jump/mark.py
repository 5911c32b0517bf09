"""Mark a terminal: put a word into the title of its tab, and take it out again.

The word shows in the title of the window whose active tab it is, and in the name of the tab for accessibility. So the
window and the tab of a process are known for certain, where its terminal has no other way to tell.
"""

import os
import secrets
import sys
from contextlib import suppress
from types import TracebackType
from typing import Self

from deskbell.desktop.jump.spot import is_my_terminal

# xterm, VTE, kitty, Alacritty, foot: CSI 22;2t keeps the title on a stack and 23;2t takes it from there
# (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
KEEP, RESTORE = "\x1b[22;2t", "\x1b[23;2t"


class Mark:
    """It is written when it is first asked for, and taken out at the end."""

    def __init__(self, tty: str | None) -> None:
        self._tty = tty
        self._word = f"deskbell-{secrets.token_hex(5)}"
        self._is_written = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if self._is_written:
            self._write(RESTORE)

    def word(self) -> str | None:
        """Write the mark, again if the session has set a title meanwhile. None where the terminal cannot be marked."""
        title = f"\x1b]2;{self._word}\x07"
        if not self._write(title if self._is_written else KEEP + title):
            return None
        self._is_written = True
        return self._word

    def _write(self, text: str) -> bool:
        if sys.platform == "win32" or self._tty is None or not is_my_terminal(self._tty):
            return False
        with suppress(OSError):
            # O_NONBLOCK: a terminal that Ctrl+S has stopped takes nothing.
            file = os.open(self._tty, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_NOFOLLOW)
            try:
                return os.write(file, text.encode()) == len(text)
            finally:
                os.close(file)
        return False
