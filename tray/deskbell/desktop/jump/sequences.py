"""Make a ring for a terminal: the escape sequence that it shows as a notification, else its bell. Pure.

A click on such a notification shows the exact window, tab and split. Nothing in a text can end the sequence: characters
that are not visible are removed, and separators are replaced, or the text is encoded.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping

from deskbell.text.wording import short

BELL = "\a"
END = "\x1b\\"
TITLE, BODY = 100, 300
"""Characters of the title and of the body."""
KONSOLE_SINCE = 230400
"""The first KONSOLE_VERSION that shows notifications. An older Konsole would show nothing, so it gets the bell."""


def ring(program: str, variables: Mapping[str, str], title: str, body: str, pid: int) -> str:
    """Return what to write to a terminal. PROGRAM holds it; VARIABLES and PID belong to the session in it.

    Multiplexers get the bell. They pass it on and mark the window, but drop sequences that they do not know.
    """
    name = _over_ssh(variables) if program.startswith("sshd") else program.partition("-")[0]
    if name == "konsole" and not _is_recent(variables.get("KONSOLE_VERSION", "")):
        return BELL
    return NOTIFY[name](short(title, TITLE), short(body, BODY), pid) if name in NOTIFY else BELL


def _over_ssh(variables: Mapping[str, str]) -> str:
    """Return the terminal at the other end of an ssh, as far as the variables that ssh passes on tell it."""
    if variables.get("LC_TERMINAL") == "iTerm2":
        return "iTermServer"
    return variables.get("TERM", "").removeprefix("xterm-").partition("-")[0]


def _is_recent(version: str) -> bool:
    return version.isascii() and version.isdigit() and len(version) < 10 and int(version) >= KONSOLE_SINCE


def _osc_9(title: str, body: str, _pid: int) -> str:
    """Return OSC 9, which has one text. It begins with a name, because a number would make it another command."""
    return f"\x1b]9;Deskbell: {_undivided(f'{title}. {body}' if body else title)}{END}"


def _osc_777(title: str, body: str, _pid: int) -> str:
    return f"\x1b]777;notify;{_undivided(title)};{_undivided(body)}{END}"


def _osc_99(title: str, body: str, pid: int) -> str:
    """Return OSC 99. kitty shows it unless the window has the focus, and replaces the last one with the same id."""
    about = f"i=deskbell-{pid}:o=unfocused:e=1"
    return f"\x1b]99;{about}:d=0;{_encoded(title)}{END}\x1b]99;{about}:d=1:p=body;{_encoded(body)}{END}"


def _undivided(text: str) -> str:
    return text.replace(";", ",")


def _encoded(text: str) -> str:
    return b64encode(text.encode(errors="replace")).decode()


# https://sw.kovidgoyal.net/kitty/desktop-notifications/ foot-ctlseqs(7)
# https://wezterm.org/config/lua/config/notification_handling.html https://iterm2.com/documentation-escape-codes.html
# Ghostty and Konsole: their sources. VTE, Alacritty, xterm and Windows Terminal know none of these.
NOTIFY: Mapping[str, Callable[[str, str, int], str]] = {
    "kitty": _osc_99,
    "foot": _osc_777,
    "ghostty": _osc_777,
    "konsole": _osc_777,
    "wezterm": _osc_777,
    "iTermServer": _osc_9,
}
