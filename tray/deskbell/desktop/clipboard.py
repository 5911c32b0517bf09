"""Put a text on the clipboard of the desktop.

On X11 Deskbell holds the text itself, because most desktops have no program that does. On Wayland wl-copy sets the
clipboard. Without wl-copy the text goes through XWayland, and nothing tells whether it arrives: sway takes a text from
X11 only while an X11 window has the focus, but asks for its formats in any case.
"""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from deskbell.errors import Problem, reason
from deskbell.helper import run
from deskbell.home import environment
from deskbell.supervision import Supervisor
from deskbell.text.clean import is_harmless

PATIENCE = 5.0
"""Seconds that a clipboard program has."""
PART = "clipboard"
BY_HAND = "Select the text and copy it yourself."
WL_CLIPBOARD = "Install wl-clipboard."
UNSURE = f"It went through X11, and not every Wayland desktop takes it from there. {WL_CLIPBOARD}"

Way = Literal["pbcopy", "clip.exe", "wl-copy", "XWayland", "X11"]


def way(env: Mapping[str, str] = os.environ) -> Way | None:
    """Return what can fill the clipboard of the desktop that ENV describes; None if nothing can."""
    if sys.platform == "darwin":
        return "pbcopy"
    if sys.platform == "win32":
        return "clip.exe"
    if not env.get("WAYLAND_DISPLAY"):
        return "X11" if env.get("DISPLAY") else None
    if shutil.which("wl-copy", path=env.get("PATH")):
        return "wl-copy"
    return "XWayland" if env.get("DISPLAY") else None


class Held(Protocol):
    """A text that Deskbell itself holds; see `deskbell.desktop.selection`."""

    def serve(self) -> None: ...
    def end(self) -> bool: ...
    def close(self) -> None: ...


def held(display: str, text: str) -> Held:
    """Become the owner of the clipboard of an X server. Raise Problem if that fails."""
    from deskbell.desktop.selection import Selection  # imported for a copy only
    from deskbell.desktop.xserver import GONE

    try:
        return Selection(display, text)
    except GONE as error:
        raise Problem(f"The X server does not answer: {reason(error)}.", BY_HAND) from None


class Clipboard:
    """The clipboard of the desktop. Nothing is connected before the first copy."""

    def __init__(
        self,
        supervisor: Supervisor,
        env: Mapping[str, str] = os.environ,
        hold: Callable[[str, str], Held] = held,
    ) -> None:
        self._supervisor = supervisor
        self._env = env
        self._take = hold
        self._held: Held | None = None

    def copy(self, text: str, lines: bool = False) -> str:
        """Put TEXT on the clipboard. This blocks for a few seconds at most: call it in a thread.

        Return why TEXT may not have arrived; empty if it has. Raise Problem if it has not, or if TEXT has control
        characters. LINES: it may have several lines, because the person typed it.
        """
        if not is_harmless(text.replace("\n", "") if lines else text):
            raise Problem("The text has control characters, which act on a terminal.", "It is not copied.")
        match way(self._env):
            case None:
                where = "wl-copy is not installed" if self._env.get("WAYLAND_DISPLAY") else "there is no screen"
                raise Problem(f"Nothing can fill the clipboard: {where}.", BY_HAND)
            case "X11":
                self._hold(text)
            case "XWayland":
                self._hold(text)
                return UNSURE
            case program:
                _fill(program, text, self._env)
        return ""

    def close(self) -> bool:
        """Hand the text over to the clipboard manager, if one runs. Return whether the text is kept."""
        return self._held.end() if self._held else True

    def _hold(self, text: str) -> None:
        """Own the clipboard, and serve the text in a thread, which ends when the X server names a new owner."""
        one = self._take(self._env["DISPLAY"], text)
        if not self._supervisor.thread(PART, one.serve):
            one.close()
            raise Problem("The system starts no more threads.", BY_HAND)
        self._held = one


def _fill(program: str, text: str, env: Mapping[str, str]) -> None:
    given = text.encode("utf-16-le" if sys.platform == "win32" else "utf-8")
    why = ""
    try:
        # wl-copy leaves a child that serves the text.
        done = run((program,), PATIENCE, given=given, env=environment(env), children="leave")
    except TimeoutError:
        why = f"it took longer than {PATIENCE:g} seconds"
    except OSError as error:
        why = reason(error)
    else:
        why = f"it ended with {done.code}" if done.code else ""
    if why:
        raise Problem(f"{program} could not fill the clipboard: {why}.", BY_HAND)
