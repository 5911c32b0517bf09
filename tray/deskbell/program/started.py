"""Say once, in the terminal in which Deskbell was started, that it runs and where its icon is."""

import sys
from collections.abc import Callable

PLACES = {"darwin": "menu bar", "win32": "notification area of the taskbar"}
"""Where the icon is on each system. On the others it is in a panel, if a panel shows icons."""
END = "Ctrl+C ends it."
WITHOUT = f"Deskbell is running without an icon. {END}"


class Started:
    """Says its first sentence, and no other."""

    def __init__(self, tell: Callable[[str], None], headless: bool, platform: str = sys.platform) -> None:
        self._tell = tell
        self._headless = headless
        self._platform = platform
        self._said = False

    def begin(self) -> None:
        """Say at the start what is certain: without an icon, or where nothing reports that it is shown."""
        if self._headless:
            self._say(WITHOUT)
        elif self._platform in PLACES:
            self.with_icon()

    def with_icon(self) -> None:
        place = PLACES.get(self._platform, "panel")
        self._say(f"Deskbell is running: look for the bell in the {place}. {END}")

    def without_icon(self, why: str) -> None:
        self._say(f"{why} {END}")

    def _say(self, sentence: str) -> None:
        if not self._said:
            self._said = True
            self._tell(sentence)
