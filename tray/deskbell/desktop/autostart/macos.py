"""Start at login on a Mac: a launch agent, which also restarts Deskbell after a crash."""

import plistlib
from dataclasses import dataclass
from pathlib import Path
from xml.parsers.expat import ExpatError

from deskbell.desktop.autostart import LARGEST, Command, remove, replace
from deskbell.files.read import read

LABEL = "io.deskbell.tray"
UNREADABLE = (OSError, ValueError, ExpatError, RecursionError, LookupError, AttributeError, TypeError)
"""What is raised for a missing or damaged file. plistlib passes on the errors of its parser."""


@dataclass(frozen=True, slots=True)
class LaunchAgent:
    """Takes effect at the next login: loading it now would start a second Deskbell, unloading it would end this one."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / f"{LABEL}.plist"

    @property
    def where(self) -> str:
        return str(self.path)

    def read(self) -> Command | None:
        try:
            written = plistlib.loads(read(self.path, LARGEST))
        except UNREADABLE:
            return None
        words = written.get("ProgramArguments") if isinstance(written, dict) else None
        if not isinstance(words, list) or written.get("Disabled") is True:
            return None
        return tuple(str(word) for word in words) or None

    def write(self, command: Command) -> bool:
        agent = {
            "Label": LABEL,
            "ProgramArguments": list(command),
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "LimitLoadToSessionType": "Aqua",
            "ProcessType": "Interactive",
        }
        return replace(self.path, plistlib.dumps(agent))

    def remove(self) -> bool:
        return remove(self.path)
