"""Open real terminals with many tabs and panes, in each of them a reader that writes down what is typed into it.

What a person types after a jump arrives at one reader: that proves the window, the tab and the pane at once.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deskbell.desktop.jump import way_back
from deskbell.session import Session
from deskbell_hooks.client import process_start
from tests.desktop.desktop import Desktop, wait_until
from tests.tray.making import session

NEEDED = ("xterm", "xfce4-terminal", "gnome-terminal", "kitty", "tmux", "at-spi-bus-launcher")
IN_CI = ("konsole", "tilix", "mate-terminal", "terminator", "kwin_x11")
"""Those that CI must have, too. Elsewhere they are opened where they are installed."""
LIBEXEC = ("/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib/gnome-terminal")

READER = """echo $$ > "$1.new"
mv "$1.new" "$1.pid"
while IFS= read -r line; do printf '%s\\n' "$line" >> "$1"; done
"""


def libexec(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=":".join(LIBEXEC))


def missing() -> list[str]:
    needed = (*NEEDED, *IN_CI) if os.environ.get("CI") else NEEDED
    return [name for name in needed if not libexec(name)]


@dataclass
class Seat:
    """A place where a session runs."""

    name: str
    file: Path

    @property
    def pid(self) -> int | None:
        file = self.file.with_name(f"{self.file.name}.pid")
        return int(file.read_text()) if file.exists() else None

    @property
    def typed(self) -> list[str]:
        return self.file.read_text().split() if self.file.exists() else []

    @property
    def session(self) -> Session:
        assert self.pid
        return session(session_id=self.name, pid=self.pid, pid_start=process_start(self.pid), title=self.name)


@dataclass
class Terminals:
    desktop: Desktop
    seats: list[Seat] = field(default_factory=list)
    _typed: int = 0
    _ends: list[Callable[[], object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root = self.desktop.root / "seats"
        self.root.mkdir()
        self.script = self.root / "reader.sh"
        self.script.write_text(READER)

    def seat(self, name: str) -> list[str]:
        """Return the command of the reader of a new seat."""
        file = self.root / f"seat-{len(self.seats)}"
        self.seats.append(Seat(name, file))
        return ["sh", str(self.script), str(file)]

    def line(self, name: str) -> str:
        return " ".join(self.seat(name))

    def open(self, name: str, *command: str, **env: str) -> None:
        """Run a terminal, and wait until every reader runs."""
        program = name.split(" ")[0]
        self.desktop.env |= env
        self.desktop.start(name, *command, program=program)
        self.ready(name)

    def ready(self, name: str) -> None:
        """Wait until every reader runs and the new window has the focus: a later one would take it from a test."""
        wait_until(
            lambda: all(seat.pid for seat in self.seats), f"readers of {[s.name for s in self.seats if not s.pid]}"
        )
        pid, search = str(self.desktop.pid(name)), ("search", "--onlyvisible", "--pid")
        wait_until(lambda: self.desktop.xdotool(*search, pid), f"a window of {name}")
        self.desktop.xdotool("windowactivate", self.desktop.xdotool(*search, pid).split()[-1])
        wait_until(lambda: self.desktop.xdotool("getactivewindow", "getwindowpid").strip() == pid, f"{name} in front")

    def run(self, *command: str) -> str:
        return subprocess.run(command, env=self.desktop.env, capture_output=True, text=True, check=True).stdout

    def xterm(self, name: str) -> None:
        self.open(f"xterm {name}", "-e", *self.seat(name))

    def xfce4_terminal(self, *names: str) -> None:
        self.open("xfce4-terminal", "--disable-server", *self._tabs(names))

    def mate_terminal(self, *names: str) -> None:
        self.open("mate-terminal", "--disable-factory", "--window", *self._tabs(names))

    def gnome_terminal(self, windows: Sequence[Sequence[str]], *, accessible: bool = True) -> None:
        """One process with several windows. Its server would have the environment of the bus otherwise."""
        server = libexec("gnome-terminal-server")
        assert server
        env = dict(self.desktop.env)
        if not accessible:
            self.desktop.env |= {"NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}
        self.desktop.start("gnome-terminal-server", program=server)
        self.desktop.env = env
        wait_until(lambda: self.desktop.owned("org.gnome.Terminal"), "gnome-terminal")
        for names in windows:
            self.run("gnome-terminal", "--window", *self._tabs(names))
            self.ready("gnome-terminal-server")

    def kitty(self, *tabs: Sequence[str]) -> None:
        """Each of TABS is a tab with its windows."""
        file, socket = self.root / "kitty.session", self.root / "kitty.socket"
        lines = [f"launch {self.line(name)}" if name else "new_tab" for tab in tabs for name in ("", *tab)]
        file.write_text("\n".join(lines[1:]) + "\n")
        options = ("allow_remote_control=yes", "update_check_interval=0", "enabled_layouts=tall")
        config = [word for option in options for word in ("-o", option)]
        self.open(
            "kitty", *config, "--config", "NONE", "--listen-on", f"unix:{socket}", "--session", str(file),
            LIBGL_ALWAYS_SOFTWARE="1",
        )  # fmt: skip

    def konsole(self, *names: str) -> None:
        file = self.root / "konsole.tabs"
        file.write_text("".join(f"title: {name};; command: {self.line(name)}\n" for name in names))
        self.open("konsole", "--tabs-from-file", str(file))

    def tilix(self, name: str) -> None:
        self.open("tilix", "-e", self.line(name))

    def terminator(self, windows: Sequence[Sequence[Sequence[str]]], *options: str, own_title: str = "") -> None:
        """Each of WINDOWS has tabs, each of which is split into terminals. OPTIONS of its profile.

        OWN_TITLE: a title of every terminal, which the programs in it do not change.
        """
        layout = ""

        def part(kind: str, above: str, order: int = 0, more: str = "") -> str:
            nonlocal layout
            name = f"part{layout.count('type')}"
            layout += f"[[[{name}]]]\ntype = {kind}\nparent = {above}\norder = {order}\n{more}\n"
            return name

        for tabs in windows:
            window = part("Window", '""')
            book = part("Notebook", window) if len(tabs) > 1 else window  # it refuses a single tab, and a single half
            for order, names in enumerate(tabs):
                split = part("HPaned", book, order) if len(names) > 1 else book
                for at, name in enumerate(names):
                    more = f"command = {self.line(name)}" + (f"\ntitle = {own_title}" if own_title else "")
                    part("Terminal", split, at if len(names) > 1 else order, more)
        file = self.root / "terminator.config"
        profile = "\n".join(options)
        file.write_text(f"[layouts]\n[[default]]\n{layout}[profiles]\n[[default]]\n{profile}\n")
        self.open("terminator", "-g", str(file))

    def tmux(self, tag: str, sessions: Sequence[Sequence[str]]) -> list[str]:
        """Start a server with SESSIONS of panes. Return the command that attaches to the first session."""
        command = ["tmux", "-S", str(self.root / f"{tag}.tmux"), "-f", "/dev/null"]
        for number, panes in enumerate(sessions):
            self.run(*command, "new-session", "-d", "-x", "80", "-y", "24", "-s", f"s{number}", self.line(panes[0]))
            for name in panes[1:]:
                self.run(*command, "split-window", "-t", f"s{number}", self.line(name))
        self._ends.append(lambda: self.run(*command, "kill-server"))
        return [*command, "attach", "-t", "s0"]

    def attached(self, command: Sequence[str], clients: int) -> None:
        tmux = command[: command.index("attach")]
        wait_until(lambda: len(self.run(*tmux, "list-clients").splitlines()) == clients, "the client of tmux")

    def type_in(self) -> Seat:
        """Type a new number and Enter, as the person does. Return the seat where it arrives."""
        self._typed += 1
        word = f"{self._typed}"
        self.desktop.xdotool("type", "--delay", "1", word)
        self.desktop.xdotool("key", "Return")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            for seat in self.seats:
                if word in seat.typed:
                    return seat
            time.sleep(0.01)
        raise AssertionError(f"{word} arrived nowhere; the last ones: {[(s.name, s.typed[-1:]) for s in self.seats]}")

    def active(self) -> str:
        return self.desktop.xdotool("getactivewindow").strip()

    def title(self) -> str:
        return self.desktop.xdotool("getactivewindow", "getwindowname")

    def back(self) -> Callable[[], None]:
        return way_back(self.desktop.env)

    def close(self) -> None:
        for end in self._ends:
            end()

    def _tabs(self, names: Sequence[str]) -> list[str]:
        words = [word for name in names for word in ("--tab", "-e", self.line(name))]
        return words[1:]


def thorough() -> bool:
    return bool(os.environ.get("DESKBELL_THOROUGH"))
