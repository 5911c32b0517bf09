"""Run a real desktop on a screen in memory: Xvfb, a private session bus, a window manager, a panel, notifications.

Every desktop has a display and a bus of its own, so that several can run at once. All its processes end with it.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from PIL import Image, ImageChops
from Xlib import X, display
from Xlib.error import ConnectionClosedError

from tests.waiting import wait

Daemon = Literal["xfce4-notifyd", "dunst"]
Box = tuple[int, int, int, int]

NEEDED = (
    "Xvfb",
    "dbus-daemon",
    "dbus-send",
    "xfwm4",
    "xfce4-panel",
    "xdotool",
    "xprop",
    "xsetroot",
    "dunst",
    "trayer",
)
NOTIFYD_PLACES = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib")
PATIENCE = 20.0
SIZE = (1280, 800)
ALL_PLANES = 0xFFFFFFFF

PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
 <property name="configver" type="int" value="2"/>
 <property name="panels" type="array"><value type="int" value="1"/>
  <property name="panel-1" type="empty">
   <property name="position" type="string" value="p=6;x=0;y=0"/>
   <property name="length" type="uint" value="100"/><property name="position-locked" type="bool" value="true"/>
   <property name="icon-size" type="uint" value="22"/><property name="size" type="uint" value="32"/>
   <property name="plugin-ids" type="array"><value type="int" value="1"/><value type="int" value="2"/></property>
  </property></property>
 <property name="plugins" type="empty">
  <property name="plugin-1" type="string" value="separator">
   <property name="expand" type="bool" value="true"/><property name="style" type="uint" value="0"/></property>
  <property name="plugin-2" type="string" value="systray">
   <property name="square-icons" type="bool" value="true"/></property>
 </property>
</channel>"""

XFWM = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfwm4" version="1.0"><property name="general" type="empty">
 <property name="activate_action" type="string" value="{activate}"/>
 <property name="workspace_count" type="int" value="4"/></property></channel>"""

NOTIFYD = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-notifyd" version="1.0"><property name="notify-location" type="uint" value="2"/>
 <property name="do-fadeout" type="bool" value="false"/></channel>"""

DUNST = "[global]\norigin = top-right\noffset = 10x42\nwidth = 340\nmouse_left_click = do_action, close_current\n"

# The bus starts no daemon by itself.
NO_ACTIVATION = "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/bin/false\n"


def missing() -> list[str]:
    """Return the programs that a desktop needs and this machine lacks."""
    return [name for name in NEEDED if not shutil.which(name)] + ([] if _notifyd() else ["xfce4-notifyd"])


def wait_until(condition: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    wait(condition, what, within=patience, step=0.02)


class Desktop:
    def __init__(
        self, root: Path, size: tuple[int, int] = SIZE, *, accessible: bool = False, activate: str = "bring"
    ) -> None:
        """ACCESSIBLE: programs tell what they show, for screen readers; it slows each start.

        ACTIVATE: what xfwm4 does with a window of another workspace: bring it here, or switch to it.
        """
        self.root = root
        self.size = size
        self.accessible = accessible
        self.activate = activate
        self.env: dict[str, str] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._display: display.Display | None = None

    def up(
        self, daemon: Daemon | None = None, panel: bool = True, manager: Sequence[str] = ("xfwm4", "--compositor=off")
    ) -> None:
        """MANAGER: the window manager."""
        self._folders()
        self.env["DISPLAY"] = self._screen()
        self.bus_up()
        self._run("xsetroot", "-solid", "#2b4a6b")
        self.start(*manager)
        wait_until(lambda: "window id" in self._run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), "the window manager")
        if panel:
            self.panel_up()
        if daemon:
            self.notifications_up(daemon)

    def down(self) -> None:
        if self._display:
            with suppress(ConnectionClosedError):  # its screen has gone
                self._display.close()
            self._display = None
        for name in reversed(list(self._processes)):
            self.stop(name)

    def bus_up(self) -> None:
        socket = self.root / "bus"
        socket.unlink(missing_ok=True)
        self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={socket}")
        wait_until(lambda: socket.exists() and self.owned("org.freedesktop.DBus"), "the session bus")

    def bus_down(self) -> None:
        self.stop("dbus-daemon")

    def panel_up(self) -> None:
        self.start("xfce4-panel", "--disable-wm-check")
        wait_until(lambda: self.owned("org.kde.StatusNotifierWatcher"), "the tray of the panel")

    def panel_down(self) -> None:
        self.stop("xfce4-panel")
        wait_until(lambda: not self.owned("org.kde.StatusNotifierWatcher"), "the tray of the panel to go")

    def notifications_up(self, daemon: Daemon) -> None:
        if daemon == "dunst":
            self.start("dunst", "-config", str(self.root / "config/dunst/dunstrc"))
        else:
            self.start("xfce4-notifyd", program=_notifyd())
        wait_until(lambda: self.owned("org.freedesktop.Notifications"), daemon)

    def stop(self, name: str) -> None:
        process = self._processes.pop(name, None)
        if process is None:
            return
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)

    def pid(self, name: str) -> int:
        return self._processes[name].pid

    def owned(self, name: str) -> bool:
        return "boolean true" in self.call(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", f"string:{name}"
        )

    def call(self, name: str, path: str, member: str, *arguments: str) -> str:
        return self._run("dbus-send", "--session", "--print-reply", f"--dest={name}", path, member, *arguments)

    def items(self) -> str:
        """Return the items that the tray of the panel knows."""
        return self.call(
            "org.kde.StatusNotifierWatcher",
            "/StatusNotifierWatcher",
            "org.freedesktop.DBus.Properties.Get",
            "string:org.kde.StatusNotifierWatcher",
            "string:RegisteredStatusNotifierItems",
        )

    def shot(self, file: Path | None = None, height: int | None = None) -> Image.Image:
        """Return what the screen shows, or the HEIGHT lines at its top."""
        size = self.size[0], height or self.size[1]
        picture = Image.frombytes("RGB", size, self.pixels(0, 0, *size), "raw", "BGRX")
        if file:
            picture.save(file)
        return picture

    def pixels(self, left: int, top: int, width: int, height: int) -> bytes:
        """Return what a part of the screen shows: blue, green, red and a byte without meaning for each pixel."""
        self._display = self._display or display.Display(self.env["DISPLAY"])
        return bytes(self._display.screen().root.get_image(left, top, width, height, X.ZPixmap, ALL_PLANES).data)

    def xdotool(self, *words: str | int) -> str:
        return self._run("xdotool", *map(str, words))

    def click(self, x: int, y: int, button: int = 1) -> None:
        self.xdotool("mousemove", x, y, "click", button)

    def _run(self, *command: str) -> str:
        return subprocess.run(
            command, env=self.env, check=False, capture_output=True, text=True, timeout=PATIENCE
        ).stdout

    def start(self, name: str, *arguments: str, program: str | None = None) -> None:
        with (self.root / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [program or name, *arguments], env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def _screen(self) -> str:
        """Start the X server, which chooses a free display number, and return that."""
        read, write = os.pipe()
        width, height = self.size
        self._processes["Xvfb"] = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=(write,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as said:
            return f":{said.readline().strip()}"

    def _folders(self) -> None:
        settings = self.root / "config/xfce4/xfconf/xfce-perchannel-xml"
        services = self.root / "data/dbus-1/services"
        for folder in (settings, services, self.root / "config/dunst", self.root / "cache", self.root / "run"):
            folder.mkdir(parents=True)
        (self.root / "run").chmod(0o700)
        (settings / "xfce4-panel.xml").write_text(PANEL)
        (settings / "xfwm4.xml").write_text(XFWM.format(activate=self.activate))
        (settings / "xfce4-notifyd.xml").write_text(NOTIFYD)
        (services / "org.freedesktop.Notifications.service").write_text(NO_ACTIVATION)
        (self.root / "config/dunst/dunstrc").write_text(DUNST)
        self.env = _environment(self.root, os.environ)
        if self.accessible:
            del self.env["NO_AT_BRIDGE"], self.env["GTK_A11Y"]


@contextmanager
def desktop(
    root: Path,
    daemon: Daemon | None = None,
    *,
    panel: bool = True,
    size: tuple[int, int] = SIZE,
    accessible: bool = False,
    activate: str = "bring",
) -> Iterator[Desktop]:
    one = Desktop(root, size, accessible=accessible, activate=activate)
    try:
        one.up(daemon, panel)
        yield one
    finally:
        one.down()


def difference(before: Image.Image, after: Image.Image) -> Box | None:
    """Return the box in which two pictures differ, or None if they are equal."""
    return ImageChops.difference(before, after).getbbox()


def _environment(root: Path, outside: Mapping[str, str]) -> dict[str, str]:
    kept = {
        name: value
        for name, value in outside.items()
        if name in ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "TMPDIR", "CI") or name.startswith("COVERAGE_")
    }
    return kept | {
        "HOME": str(root),
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={root / 'bus'}",
        "XDG_RUNTIME_DIR": str(root / "run"),
        "XDG_CONFIG_HOME": str(root / "config"),
        "XDG_CACHE_HOME": str(root / "cache"),
        "XDG_DATA_HOME": str(root / "data"),
        "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
        "XDG_CONFIG_DIRS": "/etc/xdg",
        "XDG_CURRENT_DESKTOP": "XFCE",
        "XDG_SESSION_TYPE": "x11",
        "NO_AT_BRIDGE": "1",
        "GTK_A11Y": "none",
        "GDK_BACKEND": "x11",
    }


def _notifyd() -> str | None:
    places = [Path(place) / "xfce4/notifyd/xfce4-notifyd" for place in NOTIFYD_PLACES]
    return next((str(place) for place in places if place.exists()), None)
