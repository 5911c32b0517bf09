"""Notice that no panel draws the icon, and word the message about it."""

import asyncio
from collections.abc import Callable, Mapping

from deskbell.supervision import Supervisor

PART = "search for a tray"
GRACE = 10.0
"""Seconds that a panel has to draw the icon: at login it may start later than Deskbell."""

WITHOUT = (
    "Deskbell keeps running without an icon. Notifications and `deskbell list` still work; "
    "the icon appears once a tray is available."
)
GNOME = (
    "GNOME shows tray icons only with the extension AppIndicator and KStatusNotifierItem Support "
    "(https://extensions.gnome.org/extension/615/appindicator-support/)."
)
OTHERS = "No tray found: nothing on this desktop provides org.kde.StatusNotifierWatcher."


def absent(env: Mapping[str, str]) -> str:
    """Return the message for a desktop that draws no icon. ENV describes it."""
    return f"{GNOME if 'GNOME' in env.get('XDG_CURRENT_DESKTOP', '').upper() else OTHERS} {WITHOUT}"


class Host:
    """Calls MISSING once, in the loop, if no host has drawn the icon for GRACE seconds."""

    def __init__(
        self,
        supervisor: Supervisor,
        missing: Callable[[str], None],
        env: Mapping[str, str],
        grace: float = GRACE,
    ) -> None:
        self._supervisor = supervisor
        self._missing = missing
        self._env = env
        self._grace = grace
        self._over = False
        self._waiting: asyncio.Task[None] | None = None

    def hosted(self, hosted: bool) -> None:
        """Take note of whether a host draws the icon. Call this in the loop, at least at every change."""
        if hosted and self._waiting:
            self._waiting.cancel()
            self._waiting = None
        elif not hosted and not self._waiting and not self._over:
            self._waiting = self._supervisor.once(PART, self._wait())

    async def _wait(self) -> None:
        """Report it once, because a person without a panel does not want to read it every day."""
        await asyncio.sleep(self._grace)
        self._waiting, self._over = None, True
        self._missing(absent(self._env))
