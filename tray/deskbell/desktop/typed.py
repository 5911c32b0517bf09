"""Tell whether somebody may be typing in the terminal of a session, by the time of the last read from it.

An answer from outside of the terminal may bring up the next dialog at once. A key that was meant for the first dialog
must not answer that one.
"""

import stat
import sys
from pathlib import Path

from deskbell.session import Session

A_MOMENT = 1.0
"""Seconds within which a key may follow the last one."""
STEP = 8
"""Seconds. Linux updates the time of a read from a terminal only every eight seconds of the clock, so that nobody can
learn the rhythm of keys: tty_update_time in drivers/tty/tty_io.c."""


def typing(session: Session, focused: bool | None, now: float) -> bool:
    """Return whether a key may come in the next moment, because one may have come in the last.

    FOCUSED: whether the person looks at SESSION; None if that is not known. Without the focus nobody types in it.
    """
    if not focused or (read := _last_read(session)) is None:
        return False
    latest = (int(read) // STEP + 1) * STEP if sys.platform == "linux" else read
    return now - A_MOMENT < latest


def _last_read(session: Session) -> float | None:
    if session.place.tty is None or not session.place.tty.startswith("/dev/"):
        return None
    try:
        found = Path(session.place.tty).stat()
    except (OSError, ValueError):
        return None
    return found.st_atime if stat.S_ISCHR(found.st_mode) else None
