"""Keep how much of its limits an account has used, as the statusline's JSON says.

The statusline calls `keep` once its line is written, and imports this only if the JSON names a limit. Each account has
a small file in the state folder, `statusline/limits-<checksum of its folder>.json`, which the program reads. A client
repeats what it was told with its own last answer, so an older figure never replaces a newer one.
"""

from binascii import crc32

from deskbell_hooks.client import variable
from deskbell_hooks.codec import decode, encode
from deskbell_hooks.files import replace_file
from deskbell_hooks.others import home
from deskbell_hooks.plainread import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Windows = dict[str, list[float]]

NAMES = ("five_hour", "seven_day")
LARGEST = 4096
"""The most bytes of a file."""
SAME = 120.0
"""Seconds by which the end of a window may differ from one answer to the next."""


def keep(state: str, data: bytes, now: float) -> None:
    """Write down the limits that the JSON in DATA names, unless that is known. Raise OSError if that fails."""
    said = decode(data)
    given = windows(said.get("rate_limits") if isinstance(said, dict) else None)
    account = variable("CLAUDE_CONFIG_DIR") or f"{home()}/.claude"
    path = f"{state}/statusline/limits-{crc32(account.encode('utf-8', 'surrogatepass')):08x}.json"
    known = _known(path)
    found = {name: _newer(known.get(name), window) for name, window in given.items()}
    if found and {**known, **found} != known:
        replace_file(path, encode({"v": 1, "at": now, "account": account, **known, **found}))


def windows(limits: object) -> "Windows":
    """Return the percent used and the end of each window in LIMITS that is understood."""
    found: Windows = {}
    for name in NAMES:
        limit = limits.get(name) if isinstance(limits, dict) else None
        if not isinstance(limit, dict):
            continue
        used: Any = limit.get("used_percentage")
        resets: Any = limit.get("resets_at")
        if type(used) in (int, float) and type(resets) in (int, float) and 0 <= used <= 1000 and 0 < resets < 1e12:
            found[name] = [used, resets]
    return found


def _known(path: str) -> "Windows":
    try:
        value: Any = decode(read(path, LARGEST))
    except (OSError, ValueError):
        return {}
    return windows({name: _named(value.get(name)) for name in NAMES}) if isinstance(value, dict) else {}


def _named(window: object) -> object:
    is_pair = isinstance(window, list) and len(window) == 2
    return {"used_percentage": window[0], "resets_at": window[1]} if is_pair else None  # type: ignore[index]  # a list


def _newer(known: "list[float] | None", given: "list[float]") -> "list[float]":
    """Return the window that ends later; of the same window, the one that is used more."""
    if known is None or given[1] > known[1] + SAME:
        return given
    return given if given[0] > known[0] and given[1] >= known[1] - SAME else known
