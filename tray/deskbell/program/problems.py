"""Say in one sentence which parts do not work, for the icon and the menu's first line. Pure."""

from collections.abc import Mapping, Sequence

from deskbell.board import Board
from deskbell.face import Face
from deskbell.face.actions import Open
from deskbell.face.facts import PROBLEM
from deskbell.face.look import Look
from deskbell.face.menu import QUIT, Item
from deskbell.text.paths import fitting
from deskbell.text.wording import short

ROOM = PROBLEM
"""Characters of the whole sentence: icon and menu cut what is longer."""

SENTENCES: Mapping[str, str] = {
    "storage": "Whether there is room for events cannot be found out",
    "sessions": "The sessions cannot be read",
    "bell": "The bell does not ring",
    "tray": "The icon cannot be drawn",
    "tray connection": "The icon has no panel",
    "spare tray": "The icon for older panels does not work",
    "menu": "The menu cannot be made",
    "facts": "Deskbell's own state cannot be read",
    "problems": "What is wrong cannot be found out",
    "hooks": "The state of the hooks cannot be read",
    "examination of the hooks": "The hooks cannot be examined",
    "folders of the settings": "Changes of Claude Code's settings are not noticed",
    "snooze": "The snooze and the mutes cannot be read",
    "files": "Changes of files are not noticed",
    "file watcher": "Changes of files are noticed late",
    "processes": "The end of a process is noticed late",
    "notifications": "Notifications do not work",
    "display of notifications": "Notifications cannot be displayed",
    "delivery of notifications": "Notifications cannot be delivered",
    "sound": "The sound cannot be played",
    "focus": "The focused window cannot be found out",
    "focused session": "The session that you look at cannot be found out",
    "helpers of the focus": "Programs that did not answer cannot be asked again for the focus",
    "do not disturb": "Do-not-disturb cannot be read",
    "crashes": "Crashes cannot be remembered",
    "history": "Old sessions cannot be cleared away",
    "start at login": "The start at login cannot be read",
    "logout": "A logout is not noticed",
    "greeting": "The welcome cannot be shown",
    "clicks": "The last click did not work",
    "background": "Something in the background failed",
}
"""What a person reads of each part. A part that is missing here is called by its name."""


def sentence(part: str, error: str) -> str:
    """Return what does not work and why. ERROR is anything that an exception says."""
    return f"{SENTENCES.get(part, f'The {part} does not work')}: {error}"


def summary(problems: Sequence[str]) -> str | None:
    """Return the first of PROBLEMS, cleaned, redacted and cut, with the number of the others; None if there are none.

    Paths are shortened first, so that a long one does not push out the cause.
    """
    others = len(problems) - 1
    more = f" and {others} more problem{'' if others == 1 else 's'}" if others > 0 else ""
    if not problems:
        return None
    room = ROOM - len(more)
    return short(fitting(problems[0], room), room) + more


def bare_face(board: Board, problem: str) -> Face:
    """Return what to show while the menu cannot be made: the problem, and how to quit."""
    items = (Item("problem", problem, Open("doctor")), Item("after warnings", ""), QUIT)
    return Face(Look("problem", len(board.blocked), problem), items)
