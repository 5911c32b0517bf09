"""Choose the options of a tmux pane for the session that runs in it, and word the tmux command that sets them. Pure.

The recorder and the tray both write these options, so every write carries a stamp: the time of a clock that all
processes share. tmux itself refuses a write whose stamp is older than that of the pane. It also refuses one whose
terminal is not that of the pane: the number of the pane may belong to another server, or to a terminal around it.

Two Deskbells with homes of their own may share a tmux server, and other tools write the same names. So every write
names its owner, the state folder, and tmux refuses to remove a session that another owner has written.

An option holds text as it is. Only SHOWN is safe in a format of tmux, which expands what it holds.
"""

from deskbell_hooks.segments import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PREFIX = "@meta.claude."
SESSION, SET_ON, FOLDER = f"{PREFIX}session_id", f"{PREFIX}session_id_set_on", f"{PREFIX}session_dir"
STATUS = f"{PREFIX}status"
EVENT, TIME = f"{PREFIX}latest_hook_event", f"{PREFIX}latest_hook_time"
OURS, DETAIL = f"{PREFIX}deskbell_status", f"{PREFIX}detail"
SHOWN, ENDED, STAMP = "@deskbell_text", "@deskbell_ended", "@deskbell_stamp"
"""The detail as the formats show it; the last session that ended in the pane; when the options were written."""
OWNER = "@deskbell_owner"
"""The state folder of the Deskbell that wrote the options."""
NAMES = (SESSION, SET_ON, FOLDER, STATUS, EVENT, TIME, OURS, DETAIL, SHOWN, ENDED, OWNER)
"""Every option that `command` may set, except the stamp."""

ON, TRAY, ASKED = "tmux.on", "tmux.tray", "tmux.asked"
"""Files in the state folder. ON exists if the options are wanted; TRAY names the process of the tray, ASKED that of the
tmux which was started last."""

RUNNING = ("limit", "working", "background")
OVER = ("ended", "crashed")
LONGEST, LONGEST_SHOWN, LONGEST_PATH = 200, 48, 512
"""Characters of a detail, of what a border shows of it, and of a folder."""


def options(session_id: str, status: str, detail: str, run: "Mapping[str, Any]") -> "dict[str, str]":
    """Return the options for a session with STATUS and DETAIL. RUN is its part of the record; {} if there is none."""
    if status in OVER:
        return {ENDED: session_id}
    text = clean(detail, LONGEST)
    found = {
        SESSION: session_id,
        SET_ON: clean(run.get("id_set_on"), 80),
        FOLDER: clean(run.get("session_dir"), LONGEST_PATH),
        STATUS: "running" if status in RUNNING else "stopped",
        EVENT: event_name(run),
        TIME: _seconds(run.get("last_at")),
        OURS: status,
        DETAIL: text,
        SHOWN: literal(clean(text, LONGEST_SHOWN)),
    }
    return {name: value for name, value in found.items() if value}


def owner(state: "Any") -> str:
    """Return an id of the state folder whose `stat` this is. It does not depend on how the path is written."""
    return f"{state.st_dev}.{state.st_ino}"


def event_name(run: "Mapping[str, Any]") -> str:
    """Return the newest event: "Stop", "Notification-permission_prompt"."""
    event, kind = clean(run.get("last_event"), 80), clean(run.get("notified"), 80)
    return f"{event}-{kind}" if event == "Notification" and kind else event


def _seconds(at: "Any") -> str:
    return f"{int(at)}" if isinstance(at, (int, float)) and 0 < at < 1e12 else ""


def literal(text: str) -> str:
    """Return TEXT so that a format of tmux shows it as it is: with a word joiner after each #.

    `#[` would be a style, and tmux 3.3a crashes if it draws several `#` before a bracket.
    """
    return text.replace("#", "#\u2060")


def is_pane(pane: str) -> bool:
    return pane[:1] == "%" and pane[1:].isascii() and pane[1:].isdigit() and len(pane) < 12


def is_terminal(tty: object) -> bool:
    """Return whether TTY is the path of a terminal such as tmux opens: `command` puts it into a format."""
    name = tty.removeprefix("/dev/") if isinstance(tty, str) and tty.startswith("/dev/") else ""
    return 0 < len(name) < 40 and name.isascii() and name.replace("/", "").isalnum()


def socket_of(tmux: str) -> str:
    """Return the socket in the variable TMUX, which is "socket,pid,session"; "" if it names none."""
    path = tmux.rpartition(",")[0].rpartition(",")[0]
    return path if path.startswith("/") and len(path) < 108 else ""


def command(pane: str, tty: str, stamp: int, wanted: "dict[str, str]") -> "list[str]":
    """Return the words of a tmux command that sets the options WANTED of PANE, and unsets all others in NAMES.

    If WANTED has no session, it does so only in a pane without a session, or with one that the same OWNER has written.
    """
    number = f"{stamp:016d}"
    condition = f"#{{&&:#{{==:#{{pane_tty}},{tty}}},#{{<:#{{{STAMP}}},{number}}}}}"
    if SESSION not in wanted:
        mine = f"#{{==:#{{{OWNER}}},{wanted.get(OWNER, '')}}}"
        condition = f"#{{&&:{condition},#{{||:{mine},#{{==:#{{{SESSION}}},}}}}}}"
    parts = [f"set-option -pt {pane} {STAMP} {number}"]
    for name in NAMES:
        if name in wanted:
            parts.append(f"set-option -pt {pane} {name} {quoted(wanted[name])}")
        else:
            parts.append(f"set-option -pqut {pane} {name}")
    return ["if-shell", "-F", "-t", pane, condition, " ; ".join(parts)]


def quoted(text: str) -> str:
    """Return TEXT as one word of a tmux command. Nothing is special within single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"
