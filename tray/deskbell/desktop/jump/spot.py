"""Find the spot of a process: the processes above it, its terminal and its environment, as they are now.

The process tree says where a session is. Variables are inherited and become stale, so they count only if the tree
confirms them. Nothing is known about the processes of other people, so nothing is done to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from deskbell.desktop.focus import processes


@dataclass(frozen=True, slots=True)
class Spot:
    """A process in a terminal: the client of a session, or the client of the multiplexer that shows it."""

    pid: int
    line: tuple[int, ...]
    """The process and those above it, the nearest first."""
    tty: str | None = None
    handles: Mapping[str, str] = field(default_factory=dict)
    """Its variables."""

    def handle(self, name: str) -> str:
        """Return the variable NAME; empty if it is not set, or if its value would act on a terminal."""
        text = self.handles.get(name, "")
        return text if text.isprintable() else ""

    def number(self, name: str) -> int | None:
        text = self.handle(name)
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 20 else None

    @property
    def holder(self) -> int | None:
        """The program that holds the terminal: the nearest process above that does not run in it."""
        return next((pid for pid in self.line[1:] if processes.terminal_of(pid) != self.tty), None)

    @property
    def terminal(self) -> str:
        """The name of what holds its terminal; empty where that is not known as a terminal, as an editor is not.

        What only variables tell of another terminal was inherited from where this one was started.
        """
        name = program(self.holder) if self.holder else ""
        return name if name in processes.TERMINALS else ""

    def below(self, pid: int) -> tuple[int, ...]:
        """Return the processes of the line below PID; empty if PID is not in the line."""
        return self.line[: self.line.index(pid)] if pid in self.line else ()


def spot(pid: int, recorded: Mapping[str, str] | None = None) -> Spot | None:
    """Return the spot of PID; None if it has gone. RECORDED: its variables, if the system does not tell them."""
    line = processes.line(pid)
    if not line:
        return None
    return Spot(pid, line, processes.terminal_of(pid), processes.environment(pid) or dict(recorded or {}))


def program(pid: int) -> str:
    """Return the name of the program of PID, which Linux cuts after 15 characters: "gnome-terminal-"."""
    return processes.name(pid).removesuffix("-")
