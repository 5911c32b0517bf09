"""Choose the terminal in VS Code and its family with Deskbell's extension, else the window of the folder.

The extension finds the terminal by the processes above the session, and shows it; nothing proves that. Without the
extension, this reaches the window whose title names the folder. Windows of JetBrains editors are found the same way.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Tab
from deskbell.desktop.jump.spot import Spot, program
from deskbell.desktop.jump.warp import visit
from deskbell.errors import Problem
from deskbell.home import own_home

EXTENSION = "deskbell.deskbell-jump"
EDITORS = {
    "code": ("vscode", ".vscode"),
    "code-insiders": ("vscode-insiders", ".vscode-insiders"),
    "codium": ("vscodium", ".vscode-oss"),
    "cursor": ("cursor", ".cursor"),
    "windsurf": ("windsurf", ".windsurf"),
}
"""Program: the scheme of its URLs, and its folder in the person's home."""
ALSO = {
    "code - insiders": "code-insiders",
    "vscodium": "codium",
    "com.microsoft.vscode": "code",
    "com.microsoft.vscodeinsiders": "code-insiders",
    "com.vscodium": "codium",
    "com.todesktop.230313mzl4w4u92": "cursor",
    "com.exafunction.windsurf": "windsurf",
}
"""Other names of the programs: those on Windows, and their bundle ids, because on a Mac each is named "Electron"."""


def tab(spot: Spot, desk: Desk) -> Tab | None:
    """Return the terminal or the window; None for another program. Raise Problem if the window is not known."""
    jetbrains = spot.handle("TERMINAL_EMULATOR") == "JetBrains-JediTerm"
    if spot.terminal or (spot.handle("TERM_PROGRAM") != "vscode" and not jetbrains):
        return None
    window = _window(spot, desk)
    editor = known([*map(program, spot.line), spot.handle("__CFBundleIdentifier")])
    if editor and not jetbrains and has_extension(own_home() or Path("/"), editor[1]):
        link = url(editor[0], spot)
        return Tab(Step("tab", "its terminal in the editor", lambda: visit(link), lambda: None), window, raises=True)
    if window is None:
        raise Problem("It is not known in which window of the editor it runs.", BY_HAND)
    return Tab(Step("window", "the window of its folder", lambda: None, lambda: None), window)


def known(names: Iterable[str]) -> tuple[str, str] | None:
    """Return what EDITORS says of the first of NAMES that is an editor."""
    plain = (name.casefold().removesuffix(".exe") for name in names)
    return next((EDITORS[own] for name in plain if (own := ALSO.get(name, name)) in EDITORS), None)


def url(scheme: str, spot: Spot) -> str:
    """Return a URL for the extension, which holds only the numbers of processes."""
    return f"{scheme}://{EXTENSION}/show?pids={','.join(str(pid) for pid in spot.line)}"


def has_extension(home: Path, folder: str) -> bool:
    """Return whether the extension is installed. If it is not, the editor would ask the person to install it."""
    return any((home / folder / "extensions").glob(f"{EXTENSION}-*/package.json"))


def _window(spot: Spot, desk: Desk) -> int | None:
    folder = processes.folder(spot.pid)
    if sys.platform != "linux" or not folder or not desk.env.get("DISPLAY"):
        return None
    from deskbell.desktop.jump import x11  # X11 is installed on Linux alone

    screen = x11.shared(desk)
    titles = {number: screen.title(number) for number in screen.windows_of(spot)}
    return named(titles.items(), Path(folder))


def named(titles: Iterable[tuple[int, str]], folder: Path) -> int | None:
    """Return the one window whose title names FOLDER or the nearest folder above it; None if several do, or none."""
    every = list(titles)
    for above in (folder, *folder.parents):
        name = re.compile(rf"(^|[\s–—[]){re.escape(above.name)}($|[\s–—\]])")
        found = [number for number, title in every if above.name and name.search(title)]
        if found:
            return found[0] if len(found) == 1 else None
    return every[0][0] if len(every) == 1 else None
