"""Check the links between Deskbell and the desktop: settings, tray, notifications, focus, clipboard and programs."""

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from deskbell.desktop import clipboard as clipboards
from deskbell.desktop import terminals
from deskbell.desktop.browser import STEP as BROWSER
from deskbell.desktop.browser import browser, is_browser, no_browser
from deskbell.desktop.focus import Screen, SilentScreen, screen
from deskbell.desktop.tray.hosting import hosts_icon
from deskbell.desktop.tray.panel import Panel, panel
from deskbell.doctor import Check
from deskbell.doctor.each import each
from deskbell.errors import Problem
from deskbell.home import Home
from deskbell.notices.channels.exposed import STEP, exposed
from deskbell.notices.policyfile import Reading, parse, reread, text

EXTENSION = "Install the extension AppIndicator: https://extensions.gnome.org/extension/615/appindicator-support/"


def daemon() -> str | None:
    """Return who displays notifications, without displaying one. Do not call this in a running loop."""
    if sys.platform != "linux":
        return "This system"
    from deskbell.desktop.notify.calls import identity

    name = asyncio.run(identity())
    return name and f"The daemon {name}"


def opener() -> str | None:
    """Return what opens a file for the person; None if it is missing."""
    return shutil.which("xdg-open") if sys.platform == "linux" else "the programs of this system"


def terminal(home: Home) -> str:
    """Return the terminal that clicks open. Raise Problem if none is found."""
    return terminals.opens(reread(home.config / "config.toml", Reading()).policy.terminal.command)


@dataclass(frozen=True)
class Desktop:
    """The functions that examine the desktop for the checks."""

    panel: Callable[[], Panel | None] = panel
    icon: Callable[[], bool | None] = hosts_icon
    daemon: Callable[[], str | None] = daemon
    screen: Callable[[], Screen] = screen
    clipboard: Callable[[], clipboards.Way | None] = clipboards.way
    opener: Callable[[], str | None] = opener
    browser: Callable[[], str | None] = browser
    is_browser: Callable[[str], bool] = is_browser
    terminal: Callable[[Home], str] = terminal


def examined(home: Home, desktop: Desktop) -> list[Check]:
    checks: dict[str, Callable[[], Iterator[Check]]] = {
        "settings of Deskbell": lambda: settings(home),
        "tray": lambda: tray(desktop.panel(), desktop.icon()),
        "notifications": lambda: notifications(desktop.daemon()),
        "focus": lambda: focus(desktop.screen()),
        "clipboard": lambda: clipboard(desktop.clipboard()),
        "files": lambda: files(desktop.opener()),
        "pages": lambda: pages(shows := desktop.browser(), not shows or desktop.is_browser(shows)),
        "terminal": lambda: board(home, desktop.terminal),
    }
    return list(each(checks))


def settings(home: Home) -> Iterator[Check]:
    path = home.config / "config.toml"
    mend = "Run `deskbell config edit`."
    try:
        content = text(path)
        policy = parse(content or "", path)
    except Problem as problem:
        yield Check("settings of Deskbell", "bad", problem.what, problem.step or mend)
    else:
        found = "does not exist, so every setting has its default" if content is None else "is valid"
        yield Check("settings of Deskbell", "ok", f"{path} {found}.")
        yield from (Check("channels", "warn", sentence, STEP) for sentence in exposed(policy))


def tray(panel: Panel | None, icon: bool | None = None) -> Iterator[Check]:
    """Check the tray. ICON: whether the panel has Deskbell's icon; None if it does not say."""
    if panel is None:
        gnome = "GNOME" in os.environ.get("XDG_CURRENT_DESKTOP", "").upper()
        what = "No tray found: no panel shows icons. Notifications and `deskbell list` still work."
        yield Check("tray", "warn", what, EXTENSION if gnome else "Start a panel that shows StatusNotifier items.")
    elif panel == "xembed":
        what = "The panel has only a tray of the older kind (XEmbed), which needs GTK."
        yield Check("tray", "warn", what, "If no icon appears, install GTK 3 and PyGObject from your system.")
    elif icon is False:
        what = "A panel shows tray icons, and Deskbell's is not among them."
        yield Check("tray", "warn", what, "Run `deskbell run`. If it runs already, start the panel again.")
    else:
        yield Check("tray", "ok", f"A panel shows tray icons{', and Deskbell is among them' if icon else ''}.")


def notifications(daemon: str | None) -> Iterator[Check]:
    if daemon:
        yield Check("notifications", "ok", f"{daemon} displays them. Run `deskbell notify-test` to see one.")
    else:
        what = "No notification daemon is running; only the icon alerts you."
        yield Check("notifications", "warn", what, "Start the daemon of your desktop, or another such as dunst.")


def focus(screen: Screen) -> Iterator[Check]:
    if isinstance(screen, SilentScreen):
        what = "Cannot tell which window is focused, so you are notified even for the session you are looking at."
        mend = "Use X11, KDE, sway or Hyprland. GNOME on Wayland does not tell which window is focused."
        yield Check("focus", "warn", what, mend)
    else:
        what = f"{screen.name} tells which window is focused, so the session that you are looking at does not ring."
        yield Check("focus", "ok", what)


def clipboard(way: clipboards.Way | None) -> Iterator[Check]:
    if way == "X11":
        yield Check("clipboard", "ok", "Deskbell itself fills the clipboard of X11.")
    elif way == "XWayland":
        what = "Deskbell fills the clipboard through X11. Some Wayland desktops do not take a text from there."
        yield Check("clipboard", "warn", what, clipboards.WL_CLIPBOARD)
    elif way:
        yield Check("clipboard", "ok", f"Deskbell fills the clipboard with {way}.")
    else:
        what = "Nothing can fill the clipboard; resume commands are only shown."
        yield Check("clipboard", "warn", what, "Run Deskbell on a desktop; on Wayland, install wl-clipboard.")


def files(opener: str | None) -> Iterator[Check]:
    if opener:
        yield Check("files", "ok", f"The menu opens the settings and the log with {opener}.")
    else:
        what = "The menu cannot open the settings or the log: xdg-open is not installed."
        yield Check("files", "warn", what, "Install xdg-utils.")


def pages(browser: str | None, is_browser: bool = True) -> Iterator[Check]:
    """BROWSER is the program for web pages. It may be an editor."""
    if browser and is_browser:
        yield Check("pages", "ok", f"Pages, such as this report, open in {browser}.")
    else:
        what = no_browser(browser or "")
        yield Check("pages", "warn", f"{what} A notification takes the place of each page.", BROWSER)


def board(home: Home, terminal: Callable[[Home], str]) -> Iterator[Check]:
    try:
        yield Check("terminal", "ok", f"The board and details open in {terminal(home)}.")
    except Problem as problem:
        yield Check("terminal", "warn", f"{problem.what} The board and details open as pages.", problem.step)
