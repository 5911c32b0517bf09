"""Say in one sentence which parts do not work, for the icon and the menu's first line. Pure."""

from collections.abc import Mapping, Sequence

from deskbell.board import Board
from deskbell.face import Face
from deskbell.face.actions import Open
from deskbell.face.facts import PROBLEM
from deskbell.face.item import Item, separator
from deskbell.face.look import Look
from deskbell.face.menu import QUIT
from deskbell.text.paths import fitting
from deskbell.text.wording import short

ROOM = PROBLEM
"""Characters of the whole sentence. The icon and the menu cut a longer one."""

SENTENCES: Mapping[str, str] = {
    "storage": "Cannot check whether the disk has room for events",
    "loop": "Cannot read and show the sessions",
    "sessions": "Cannot read the sessions",
    "order": "Cannot put the sessions in order",
    "outlook": "Deskbell notices late when sessions change",
    "bell": "Cannot ring the bell",
    "tray": "Cannot draw the icon",
    "tray connection": "Cannot put the icon into the panel",
    "panel": "Cannot answer the panel, which draws the icon and its menu",
    "spare tray": "The icon for older (XEmbed) panels does not work",
    "search for a tray": "Cannot look for another tray",
    "menu": "Cannot make the menu",
    "facts": "Cannot read Deskbell's own state",
    "problems": "Cannot list the problems",
    "hooks": "Cannot read the state of the hooks",
    "examination of the hooks": "Cannot examine the hooks",
    "folders of the settings": "Deskbell notices late when Claude Code's settings change",
    "files": "Deskbell does not notice when files change",
    "file watcher": "Deskbell notices late when files change",
    "changed files": "Cannot find out which files have changed",
    "processes": "Deskbell notices late when a process ends",
    "notification daemon": "Cannot reach the notification daemon",
    "display of notifications": "Cannot display notifications",
    "delivery of notifications": "Cannot deliver notifications",
    "clicks on notifications": "The last click on a notification did not work",
    "memory of the screen": "Cannot remember which notifications are on the screen",
    "channels": "Cannot send messages through the channels",
    "rings in terminals": "Cannot ring in the terminals of sessions",
    "sound": "Cannot play the sound",
    "focus": "Cannot find the focused window",
    "focused session": "Cannot tell which session you look at",
    "helpers of the focus": "Cannot ask again which window is focused",
    "do not disturb": "Cannot read do-not-disturb",
    "clipboard": "Cannot keep a text on the clipboard",
    "answers": "Cannot answer sessions from here",
    "answers from away": "Cannot receive answers from your phone",
    "open requests": "Cannot show which requests can be answered from here",
    "crashes": "Cannot remember crashes",
    "statusline": "Cannot tell the statusline which sessions wait",
    "limits": "Cannot ring for the limits of an account",
    "tmux": "Cannot show the sessions in tmux",
    "panes of tmux": "Cannot show the sessions in the panes of tmux",
    "history": "Cannot remove old sessions",
    "start at login": "Cannot check whether Deskbell starts at login",
    "logout": "Deskbell does not notice a logout",
    "clicks": "The last click did not work",
    "second start": "Cannot notice that Deskbell was started again",
    "background": "Something in the background failed",
}
"""What a person reads when a part does not work."""


def sentence(part: str, error: str) -> str:
    """Return what does not work and why. ERROR is the text of any exception."""
    said = SENTENCES.get(part, f"The part '{part}' does not work")
    return f"{said}: {error}"


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
    """Return the face to show while the menu cannot be made: the problem, and *Quit*."""
    items = (Item("problem", problem, Open("doctor")), separator("after warnings"), QUIT)
    return Face(Look("problem", len(board.blocked), problem), items)
