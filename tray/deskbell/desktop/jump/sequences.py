"""Word a ring for a terminal: the escape sequence that it shows as a notification, else its bell. Pure.

A click on such a notification leads to the very window, tab and split. Nothing in the text can end its sequence: it is
cleaned of all that is not visible, and what divides the parts of a sequence is replaced, or the text is encoded.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping

from deskbell.text.wording import short

BELL = "\a"
END = "\x1b\\"
TITLE, BODY = 100, 300
"""Characters."""
KONSOLE_SINCE = 230400
"""The KONSOLE_VERSION from which on Konsole shows notifications: an older one would show nothing."""


def ring(program: str, variables: Mapping[str, str], title: str, body: str, pid: int) -> str:
    """Return what to write to a terminal. PROGRAM holds it; VARIABLES and PID are those of the session in it.

    Multiplexers get the bell: they pass it on and mark the window, and drop sequences that they do not know.
    """
    name = _over_ssh(variables) if program.startswith("sshd") else program.partition("-")[0]
    if name == "konsole" and not _is_recent(variables.get("KONSOLE_VERSION", "")):
        return BELL
    return NOTIFY[name](short(title, TITLE), short(body, BODY), pid) if name in NOTIFY else BELL


def _over_ssh(variables: Mapping[str, str]) -> str:
    """Return the terminal at the other end of a connection, as far as it can be told by what ssh passes on."""
    if variables.get("LC_TERMINAL") == "iTerm2":
        return "iTermServer"
    return variables.get("TERM", "").removeprefix("xterm-").partition("-")[0]


def _is_recent(version: str) -> bool:
    return version.isascii() and version.isdigit() and len(version) < 10 and int(version) >= KONSOLE_SINCE


def _osc_9(title: str, body: str, _pid: int) -> str:
    """One text. A number and a semicolon at its beginning would be another command, so it begins with a name."""
    return f"\x1b]9;Deskbell: {_undivided(f'{title}. {body}' if body else title)}{END}"


def _osc_777(title: str, body: str, _pid: int) -> str:
    return f"\x1b]777;notify;{_undivided(title)};{_undivided(body)}{END}"


def _osc_99(title: str, body: str, pid: int) -> str:
    """Kitty shows it unless its window has the focus, in place of the last one of the same name."""
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
