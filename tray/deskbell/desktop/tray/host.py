"""Is there a panel that draws the icon, and what is the person told where there is none?"""

import asyncio
from collections.abc import Callable, Mapping

GRACE = 10.0
"""Seconds: at login the panel may start later than Deskbell."""

WITHOUT = (
    "Deskbell goes on without an icon: notifications and `deskbell list` work, and the icon appears when a panel does."
)
GNOME = (
    "GNOME shows tray icons only with the extension AppIndicator and KStatusNotifierItem Support "
    "(https://extensions.gnome.org/extension/615/appindicator-support/)."
)
OTHERS = "No panel here shows tray icons: none offers org.kde.StatusNotifierWatcher."


def absent(env: Mapping[str, str]) -> str:
    return f"{GNOME if 'GNOME' in env.get('XDG_CURRENT_DESKTOP', '').upper() else OTHERS} {WITHOUT}"


class Host:
    def __init__(self, tell: Callable[[str], None], env: Mapping[str, str], grace: float = GRACE) -> None:
        self._tell = tell
        self._env = env
        self._grace = grace
        self._told = False
        self._timer: asyncio.TimerHandle | None = None

    def hosted(self, there: bool) -> None:
        """To be called in the loop, at every change and as often as one likes."""
        if there and self._timer:
            self._timer.cancel()
            self._timer = None
        elif not there and not self._timer and not self._told:
            self._timer = asyncio.get_running_loop().call_later(self._grace, self._say)

    def _say(self) -> None:
        """Once: who has no panel does not want to read of it every day."""
        self._timer, self._told = None, True
        self._tell(absent(self._env))
