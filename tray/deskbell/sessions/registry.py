"""Read Claude Code's own list of its running clients: the files `<config dir>/sessions/<pid>.json`.

The format is undocumented: every field may be missing or change its meaning. A field that is not understood is None,
and a file that is not understood is left out. The `.key` files beside them are secrets and are never opened.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from deskbell.changes import Changes
from deskbell.files.read import json_value
from deskbell.sessions.folder import Folder, Problems
from deskbell.sessions.numbers import count, seconds
from deskbell_hooks.pasted import without_tags
from deskbell_hooks.record import is_safe_id

Busy = Literal["busy", "idle", "waiting", "shell"]
AT_REST = ("idle", "shell")
"""The statuses of a client at its prompt. "shell": a background shell runs."""
LARGEST = 256 * 1024
"""The most bytes of a file."""

_DOMAIN = re.compile(r"linux:([^:]*):(pid:\[\d+\])")
"""How Claude Code says whose number a pid is."""


@dataclass(frozen=True, slots=True)
class Entry:
    pid: int
    session_id: str
    config_dir: str
    pid_start: int | None = None
    status: Busy | None = None
    status_since: float = 0.0
    updated: float = 0.0
    """When anything in it last changed; `status_since` stays when only the session does."""
    waiting_for: str | None = None
    cwd: str | None = None
    started: float | None = None
    kind: str | None = None
    entrypoint: str | None = None
    name: str | None = None
    """The name that the person gave the session; None for one that Claude Code made up."""
    version: str | None = None
    machine: str = ""
    """The id of its machine; empty if it is not known."""
    pids: str = ""
    """The pid namespace whose number the pid is, as Linux names it: "pid:[4026531836]"; empty if it is not known."""
    spare: bool = False
    """Whether `claude agents` keeps the client ready for a session that nobody has begun."""
    remote_control: bool = False
    """Whether a person attends it from another device, by Remote Control."""


def has_registry(config_dir: str | Path) -> bool:
    """Return True if the clients of this account keep a registry. Older versions have none."""
    try:
        return Path(config_dir, "sessions").is_dir()
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return False


def registries(config_dirs: Iterable[Path]) -> list[Path]:
    return [folder / "sessions" for folder in config_dirs]


class Registry:
    """The entries of all accounts. Only changed files are read again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._folders: dict[Path, Folder[Entry | None]] = {}

    @property
    def patience(self) -> float | None:
        """Seconds until the next attempt to read what cannot be read at the moment; None if everything can."""
        return min((one.patience for one in self._folders.values() if one.patience is not None), default=None)

    def read(self, config_dirs: Iterable[Path], problems: Problems) -> list[Entry]:
        dirs = list(dict.fromkeys(config_dirs))
        self._folders = {path: self._folders.get(path) or _folder(path, self._clock) for path in dirs}
        return [entry for folder in self._folders.values() for entry in folder.read(problems).values() if entry]

    def read_named(self, changes: Changes) -> list[Entry] | None:
        """Return the entries that CHANGES names; None if only `read` can say what became of them."""
        found: list[Entry] = []
        for folder in self._folders.values():
            entries = folder.read_named(changes.get(folder.path))
            if entries is None or None in entries:
                return None
            found += [entry for entry in entries if entry]
        return found


def _folder(config_dir: Path, clock: Callable[[], float]) -> Folder[Entry | None]:
    def parse(name: str, data: bytes) -> Entry | None:
        return entry_of(data, int(name.removesuffix(".json")), str(config_dir))

    return Folder(config_dir / "sessions", _is_entry, parse, LARGEST, clock=clock)


def _is_entry(name: str) -> bool:
    return name.endswith(".json") and name[:-5].isascii() and name[:-5].isdigit() and len(name) <= 15


def entry_of(data: bytes, pid: int, config_dir: str) -> Entry | None:
    """Return the entry in DATA; None if it is not one of this process. Raise ValueError if it is not JSON."""
    raw = _json(data)
    session_id = raw.get("sessionId") if isinstance(raw, dict) else None
    if not isinstance(session_id, str) or not is_safe_id(session_id) or raw.get("pid", pid) != pid:
        return None
    status, domain = raw.get("status"), _DOMAIN.fullmatch(_text(raw, "pidDomain") or "")
    return Entry(
        pid=pid,
        session_id=session_id,
        config_dir=config_dir,
        pid_start=_integer(raw.get("procStart")),
        status=status if status in ("busy", "idle", "waiting", "shell") else None,
        status_since=seconds(raw.get("statusUpdatedAt")) or seconds(raw.get("updatedAt")) or 0.0,
        updated=seconds(raw.get("updatedAt")) or 0.0,
        waiting_for=_text(raw, "waitingFor"),
        cwd=_text(raw, "cwd"),
        started=seconds(raw.get("startedAt")),
        kind=_text(raw, "kind"),
        entrypoint=_text(raw, "entrypoint"),
        name=without_tags(_text(raw, "name") or "") or None if raw.get("nameSource") == "user" else None,
        version=_text(raw, "version"),
        machine=domain[1] if domain else "",
        pids=domain[2] if domain else "",
        spare=raw.get("spare") is True,
        remote_control=_text(raw, "bridgeSessionId") is not None,
    )


def _json(data: bytes) -> Any:
    try:
        return json_value(data)
    except ValueError:
        raise ValueError("is not JSON, or is nested too deep") from None


def _text(raw: Mapping[str, Any], name: str) -> str | None:
    value = raw.get(name)
    return value if isinstance(value, str) and value else None


def _integer(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    return count(value) or None
