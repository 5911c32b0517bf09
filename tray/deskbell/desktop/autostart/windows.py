"""Start at login on Windows: a value in the person's Run key, unless Task Manager has disabled it."""

import re
import sys
from dataclasses import dataclass
from typing import Protocol

from deskbell.desktop.autostart import Command

RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
NAME = "Deskbell"


class WindowsRegistry(Protocol):
    """Values below HKEY_CURRENT_USER."""

    def get(self, key: str, name: str) -> object: ...
    def set(self, key: str, name: str, text: str) -> None: ...
    def delete(self, key: str, name: str) -> None: ...


@dataclass(frozen=True, slots=True)
class RunValue:
    registry: WindowsRegistry

    @property
    def where(self) -> str:
        return rf"HKEY_CURRENT_USER\{RUN}\{NAME}"

    def read(self) -> Command | None:
        written = self.registry.get(RUN, NAME)
        if not isinstance(written, str) or self._refused():
            return None
        return split(written) or None

    def write(self, command: Command) -> bool:
        refused, text = self._refused(), joined(command)
        if refused:
            self.registry.delete(APPROVED, NAME)
        if self.registry.get(RUN, NAME) == text:
            return refused
        self.registry.set(RUN, NAME, text)
        return True

    def remove(self) -> bool:
        if self.registry.get(RUN, NAME) is None:
            return False
        self.registry.delete(RUN, NAME)
        return True

    def _refused(self) -> bool:
        """Return whether Task Manager has disabled it: the value in StartupApproved then starts with an odd byte."""
        said = self.registry.get(APPROVED, NAME)
        return isinstance(said, bytes) and bool(said) and said[0] % 2 == 1


def joined(command: Command) -> str:
    """Return COMMAND as one line. Paths on Windows hold no quotes; a backslash at the end would escape the quote."""
    return " ".join(f'"{word.rstrip(chr(92))}"' for word in command)


def split(line: str) -> Command:
    return tuple(quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line))


if sys.platform == "win32":
    import winreg

    class Hive:
        """HKEY_CURRENT_USER itself."""

        def get(self, key: str, name: str) -> object:
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
                    value: object = winreg.QueryValueEx(opened, name)[0]
                    return value
            except FileNotFoundError:
                return None

        def set(self, key: str, name: str, text: str) -> None:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
                winreg.SetValueEx(opened, name, 0, winreg.REG_SZ, text)

        def delete(self, key: str, name: str) -> None:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_SET_VALUE) as opened:
                winreg.DeleteValue(opened, name)
