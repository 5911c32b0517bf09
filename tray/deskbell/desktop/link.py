"""Make the desktop open links of the statusline: a click on `deskbell://jump/ID` in a terminal jumps to the session.

On freedesktop.org systems a desktop entry, which no menu shows, claims the scheme. Anybody can make such a link, so it
only does what `deskbell jump` does: it shows a window of the person. Other systems have no handler and no links.
"""

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deskbell.desktop.autostart import Command, data_home, program, remove, replace
from deskbell.desktop.autostart.linux import joined
from deskbell.errors import Misuse
from deskbell.helper import Done, run
from deskbell.home import expanded
from deskbell_hooks.client import is_safe_id
from deskbell_hooks.statusline import HANDLER, LINK

SCHEME = "x-scheme-handler/deskbell"
PATIENCE = 10.0
"""Seconds for a program of the desktop."""
ENTRY = """\
[Desktop Entry]
Type=Application
Name=Deskbell
Comment=Jump to a Claude Code session from a link in a terminal
Exec={command} %u
Icon=deskbell
NoDisplay=true
Terminal=false
StartupNotify=false
MimeType={scheme};
"""

Run = Callable[[Sequence[str], float], Done]


def is_link(said: str) -> bool:
    return said.startswith(LINK)


def session_of(link: str) -> str:
    """Return the id of the session in LINK. Raise Misuse for a link that Deskbell did not make."""
    session_id = link.removeprefix(LINK)
    if not is_safe_id(session_id):
        raise Misuse("This link leads to no session.", "Run `deskbell list` to see those that run.")
    return session_id


def command() -> Command:
    """Return the command of the entry, without the link."""
    moved = os.environ.get("DESKBELL_HOME")
    home = ("env", f"DESKBELL_HOME={expanded(moved).absolute()}") if moved else ()
    return (*home, *program(), "jump")


@dataclass(frozen=True)
class Handler:
    """The desktop entry that opens Deskbell's links."""

    path: Path
    run: Run = run
    find: Callable[[str], str | None] = shutil.which

    def install(self, command: Command) -> bool:
        """Write the entry. If the desktop does not open links with it, remove it again and return False."""
        replace(self.path, ENTRY.format(command=joined(command), scheme=SCHEME).encode())
        self._refresh()
        if self.works():
            return True
        self.remove()
        return False

    def remove(self) -> bool:
        """Remove the entry. Return False if there is none."""
        if not remove(self.path):
            return False
        self._refresh()
        return True

    def works(self) -> bool:
        """Return whether the entry exists and the desktop opens Deskbell's links with it."""
        return self.path.exists() and self._said("xdg-mime", "query", "default", SCHEME).strip() == self.path.name

    def _refresh(self) -> None:
        """Make the desktop read the entries again, because it caches them in a file."""
        self._said("update-desktop-database", str(self.path.parent))

    def _said(self, name: str, *words: str) -> str:
        found = self.find(name)
        try:
            return self.run([found, *words], PATIENCE).said if found else ""
        except (OSError, TimeoutError):
            return ""


def handler() -> Handler | None:
    """Return the handler of this system; None if the system has no such links."""
    return Handler(data_home(os.environ) / HANDLER) if sys.platform not in ("win32", "darwin") else None
