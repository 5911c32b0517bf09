"""Start at login on freedesktop.org desktops: a desktop entry in the autostart folder."""

import re
from dataclasses import dataclass
from pathlib import Path

from deskbell.desktop.autostart import LARGEST, Command, remove, replace
from deskbell.files.read import read

ENTRY = """\
[Desktop Entry]
Type=Application
Name=Deskbell
Comment=Tells you when a Claude Code session needs you
Exec={command}
TryExec={program}
Icon=deskbell
Terminal=false
StartupNotify=false
X-GNOME-Autostart-enabled=true
"""


@dataclass(frozen=True, slots=True)
class DesktopEntry:
    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "deskbell.desktop"

    @property
    def where(self) -> str:
        return str(self.path)

    def read(self) -> Command | None:
        keys = _keys(self.path)
        off = keys.get("Hidden") == "true" or keys.get("X-GNOME-Autostart-enabled") == "false"
        return None if off or "Exec" not in keys else split(keys["Exec"])

    def write(self, command: Command) -> bool:
        text = ENTRY.format(command=joined(command), program=_escaped(command[0]))
        return replace(self.path, text.encode())

    def remove(self) -> bool:
        return remove(self.path)


def joined(command: Command) -> str:
    """Return COMMAND as the value of Exec: quoted as a command line, then escaped as a string of a desktop entry."""
    quoted = (re.sub(r'(["`$\\])', r"\\\1", word) for word in command)
    return _escaped(" ".join(f'"{word}"' for word in quoted)).replace("%", "%%")


def split(value: str) -> Command:
    """Return the command in VALUE, which is the value of Exec."""
    line = _unescaped(value.replace("%%", "%"))
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)', line, re.DOTALL)
    return tuple(re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL) if quoted else plain for quoted, plain in words)


_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in text)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _UNESCAPES.get(match[1], match[0]), text)


def _keys(path: Path) -> dict[str, str]:
    """Read the keys of a file that other programs may have rewritten."""
    try:
        text = read(path, LARGEST).decode(errors="replace").replace("\r\n", "\n")
    except OSError:
        return {}
    group = text.partition("[Desktop Entry]")[2].partition("\n[")[0]
    pairs = (line.partition("=") for line in group.split("\n") if "=" in line and not line.startswith("#"))
    return {key.strip(): value.strip() for key, _, value in pairs}
