"""What does Claude Code itself say of its sessions? Its files `<config dir>/sessions/<pid>.json`, read defensively.

The format is undocumented: every field may be missing or mean something else tomorrow. A field that is not understood
is None, a file that is not understood is passed over. The `.key` files beside them are secrets and never opened.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from deskbell.sessions.folder import Folder, Problems
from deskbell_hooks.record import is_safe_id

Busy = Literal["busy", "idle", "waiting", "shell"]
LARGEST = 256 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    pid: int
    session_id: str
    config_dir: str
    pid_start: int | None = None
    status: Busy | None = None
    status_since: float = 0.0
    waiting_for: str | None = None
    cwd: str | None = None
    started: float | None = None
    kind: str | None = None
    entrypoint: str | None = None
    name: str | None = None
    """Only a name that the person gave."""
    version: str | None = None


class Registry:
    """Every config dir's entries; only files that changed are read again."""

    def __init__(self) -> None:
        self._folders: dict[Path, Folder[Entry | None]] = {}

    def read(self, config_dirs: Iterable[Path], problems: Problems) -> list[Entry]:
        dirs = list(dict.fromkeys(config_dirs))
        self._folders = {path: self._folders.get(path) or _folder(path) for path in dirs}
        return [entry for folder in self._folders.values() for entry in folder.read(problems).values() if entry]


def _folder(config_dir: Path) -> Folder[Entry | None]:
    def parse(name: str, data: bytes) -> Entry | None:
        return entry_of(data, int(name.removesuffix(".json")), str(config_dir))

    return Folder(config_dir / "sessions", _is_entry, parse, LARGEST)


def _is_entry(name: str) -> bool:
    return name.endswith(".json") and name[:-5].isascii() and name[:-5].isdigit() and len(name) <= 15


def entry_of(data: bytes, pid: int, config_dir: str) -> Entry | None:
    """None for JSON that is no session of this process; ValueError for what is no JSON, or not yet."""
    raw = json.loads(data)
    session_id = raw.get("sessionId") if isinstance(raw, dict) else None
    if not isinstance(session_id, str) or not is_safe_id(session_id) or raw.get("pid", pid) != pid:
        return None
    status = raw.get("status")
    return Entry(
        pid=pid,
        session_id=session_id,
        config_dir=config_dir,
        pid_start=_integer(raw.get("procStart")),
        status=status if status in ("busy", "idle", "waiting", "shell") else None,
        status_since=_seconds(raw, "statusUpdatedAt") or _seconds(raw, "updatedAt") or 0.0,
        waiting_for=_text(raw, "waitingFor"),
        cwd=_text(raw, "cwd"),
        started=_seconds(raw, "startedAt"),
        kind=_text(raw, "kind"),
        entrypoint=_text(raw, "entrypoint"),
        name=_text(raw, "name") if raw.get("nameSource") == "user" else None,
        version=_text(raw, "version"),
    )


def _text(raw: Mapping[str, Any], name: str) -> str | None:
    value = raw.get(name)
    return value if isinstance(value, str) and value else None


def _integer(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _seconds(raw: Mapping[str, Any], name: str) -> float | None:
    value = raw.get(name)
    return value / 1000 if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 else None
