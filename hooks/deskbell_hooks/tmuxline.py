"""Print which sessions need the person, as a part of tmux's status line: "2 need you: api, web", or nothing.

tmux starts `__main__.py tmuxline STATE COLUMNS` for every redraw, at most once a second, and expands what is printed
as a format, so every `#` of a name is doubled. Whatever is wrong on disk or in the environment, no error is printed.
"""

import sys
from time import time

from deskbell_hooks.files import leave
from deskbell_hooks.others import others
from deskbell_hooks.panes import literal
from deskbell_hooks.segments import MOST, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deskbell_hooks.segments import Others

NAMED, LONGEST = 3, 20
"""The most projects that the line names, and the most characters of one."""
NARROW = 120
"""In a client with fewer columns only the number is shown, so that the names of the windows have room."""
BLOCKED, TURN = "#[fg=white,bg=red,bold]", "#[fg=black,bg=yellow]"


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def main(
    state: str, columns: str = "", write: "Callable[[bytes], None]" = write, leave: "Callable[[], None]" = leave
) -> None:
    """Print the part for a tmux client with COLUMNS, and end the process."""
    try:
        is_narrow = columns.isascii() and columns.isdigit() and int(columns[:9]) < NARROW
        if text := piece(others(state, "", time()), is_narrow):
            write(f"{text}\n".encode("utf-8", "replace"))
    finally:
        leave()  # after an error or Ctrl+C too: no traceback may get into the status line


def piece(found: "Others", is_narrow: bool = False) -> str:
    """Return the words with the colours as tmux writes them; "" if no session waits."""
    words = line(found, is_narrow)
    if not words:
        return ""
    return f"{BLOCKED if found.blocked else TURN} {words.replace('#', '##')} #[default] "


def line(found: "Others", is_narrow: bool = False) -> str:
    """Return the words: the blocked sessions first, then those whose turn is over."""
    waiting = [*found.blocked, *found.your_turn]
    if not waiting:
        return f"? {found.unread} unreadable" if found.unread else ""
    many = f"{len(waiting)}" + "+" * (max(map(len, found[:2])) >= MOST)
    verb = "needs" if many == "1" else "need"
    if is_narrow:
        return f"{many} {verb} you"
    names = [clean(one.project, LONGEST) or one.session_id[:8] for one in waiting]
    shown = list(dict.fromkeys(names))[:NAMED]
    more = sum(name not in shown for name in names)
    words = ", ".join(shown) + (f" +{more}" if more else "")
    return literal(f"{many} {verb} you: {words}")
