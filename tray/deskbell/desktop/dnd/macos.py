"""Read from macOS whether a Focus is on. macOS holds notifications back itself, and may forbid to read the file."""

from pathlib import Path

from deskbell.files.read import json_value, read

ASSERTIONS = Path("Library/DoNotDisturb/DB/Assertions.json")
LARGEST = 1_000_000
"""Bytes of that file."""


class Macos:
    known = True

    def start(self) -> None:
        """Start nothing: the file is read each time."""

    def now(self) -> str | None:
        try:
            return "a Focus is on" if focus(read(Path.home() / ASSERTIONS, LARGEST)) else None
        except OSError:  # without Full Disk Access
            return None

    def stop(self) -> None:
        """Stop nothing."""


def focus(assertions: bytes) -> bool:
    try:
        return bool(json_value(assertions)["data"][0].get("storeAssertionRecords"))
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
