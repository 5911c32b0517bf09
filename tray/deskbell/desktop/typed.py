"""Tell whether somebody may be typing in the terminal of a session, from when its client last read from it.

A key that is meant for one dialog must not answer the next, which follows an answer from here within a moment.
"""

import stat
import sys
from pathlib import Path

from deskbell.session import Session

A_MOMENT = 1.0
"""Seconds. A key may follow the last one within this time."""
STEP = 8
"""Seconds. Linux notes the time of a read from a terminal anew only when the next eight seconds of the clock begin, so
that nobody learns the rhythm of keys: tty_update_time in drivers/tty/tty_io.c."""


def typing(session: Session, focused: bool | None, now: float) -> bool:
    """Return whether a key may come in the next moment: it cannot be excluded that one came in the last.

    FOCUSED: whether the person looks at SESSION; None if unknown. Nobody types in a terminal without the focus.
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
