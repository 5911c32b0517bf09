"""Read from macOS whether a Focus is on. macOS holds notifications back itself, and may refuse to let us read it."""

import json
from pathlib import Path

ASSERTIONS = Path("Library/DoNotDisturb/DB/Assertions.json")


class Macos:
    known = True

    def start(self) -> None:
        """Start nothing: the file is read each time."""

    def now(self) -> str | None:
        try:
            return "a Focus is on" if focus(Path.home().joinpath(ASSERTIONS).read_text()) else None
        except (OSError, UnicodeDecodeError):  # without Full Disk Access
            return None

    def stop(self) -> None:
        """Stop nothing."""


def focus(assertions: str) -> bool:
    try:
        return bool(json.loads(assertions)["data"][0].get("storeAssertionRecords"))
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
