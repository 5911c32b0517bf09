"""Is a Focus on? macOS holds notifications back itself; this is known only where it lets the file be read."""

import json
from pathlib import Path

ASSERTIONS = Path("Library/DoNotDisturb/DB/Assertions.json")


class Macos:
    def start(self) -> None:
        """It is asked each time."""

    def now(self) -> str | None:
        try:
            return "a Focus is on" if focus(Path.home().joinpath(ASSERTIONS).read_text()) else None
        except (OSError, UnicodeDecodeError):  # without Full Disk Access
            return None

    def stop(self) -> None:
        """Nothing was started."""


def focus(assertions: str) -> bool:
    try:
        return bool(json.loads(assertions)["data"][0].get("storeAssertionRecords"))
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
