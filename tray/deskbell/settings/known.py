"""Remember which Claude folders and settings files Deskbell was installed into, in claude.json of its own folder."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict

from deskbell.errors import Problem
from deskbell.files.read import read
from deskbell.files.shape import Shape
from deskbell.files.stamp import Stamp, stamp
from deskbell.files.write import write_changed
from deskbell.home import claude_dir

LARGEST = 1_000_000
"""Bytes of claude.json."""

Scope = Literal["user", "project", "local"]


class KnownFile(NamedTuple):
    """A settings file that holds our hooks, or should."""

    scope: Scope = "user"
    created: bool = False
    """Install created the file."""
    folder_created: bool = False
    """Install created the folder of the file."""
    more: Mapping[str, Any] = {}
    """What a newer Deskbell added: it is kept."""


class Known(NamedTuple):
    """The content of claude.json."""

    version: int = 1
    config_dirs: Sequence[Path] = ()
    files: Mapping[Path, KnownFile] = {}
    more: Mapping[str, Any] = {}
    """What a newer Deskbell added: it is kept."""


class _File(TypedDict, total=False):
    scope: Scope
    created: bool
    folder_created: bool


class _Content(TypedDict, total=False):
    version: int
    config_dirs: list[str]
    files: dict[str, _File]


_CLAUDE_JSON = Shape(_Content, keep_more=True)


def remembered_config_dirs(config: Path) -> list[Path]:
    """Claude's folders of all accounts, that of this environment first. Never raise."""
    try:
        remembered = read_known(config).config_dirs
    except Problem:
        remembered = ()
    return list(dict.fromkeys([claude_dir(), *remembered]))


def read_known(config: Path) -> Known:
    """Return what claude.json holds, as one value while it does not change: the loop asks at every turn.

    Raise Problem if it cannot be read or understood.
    """
    path = _path(config)
    seen = stamp(path)
    return _read(path) if seen is None else _read_once(path, seen)


@lru_cache(maxsize=4)
def _read_once(path: Path, seen: Stamp) -> Known:
    return _read(path)


def _read(path: Path) -> Known:
    try:
        return _understood(_CLAUDE_JSON.read(read(path, LARGEST)))
    except FileNotFoundError:
        return Known()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not what Deskbell wrote there"
        raise Problem(f"Cannot read {path}: {reason}.", "Delete it, then run `deskbell install` again.") from None


def _understood(content: _Content) -> Known:
    more: dict[str, Any] = dict(content)
    version = more.pop("version", 1)
    folders = list(map(_known_path, more.pop("config_dirs", ())))
    files = {_known_path(path): _known_file(file) for path, file in more.pop("files", {}).items()}
    return Known(version, folders, files, more)


def _known_file(file: _File) -> KnownFile:
    more: dict[str, Any] = dict(file)
    return KnownFile(**{name: more.pop(name) for name in _File.__annotations__ if name in more}, more=more)


def _known_path(text: str) -> Path:
    """Raise ValueError for a path with a NUL: every system call would, where no caller expects it."""
    if "\0" in text:
        raise ValueError("a path cannot hold a NUL character")
    return Path(text)


def remember(config: Path, path: Path, file: KnownFile, config_dir: Path | None) -> None:
    """Add PATH. What an earlier install created stays marked as created."""
    known = read_known(config)
    if before := known.files.get(path):
        created = before.created or file.created
        folder_created = before.folder_created or file.folder_created
        file = before._replace(scope=file.scope, created=created, folder_created=folder_created)
    folders = dict.fromkeys([*known.config_dirs, *([config_dir] if config_dir else [])])
    _write(config, known._replace(files={**known.files, path: file}, config_dirs=list(folders)))


def forget(config: Path, path: Path, config_dir: Path | None) -> None:
    known = read_known(config)
    files = {other: file for other, file in known.files.items() if other != path}
    folders = [folder for folder in known.config_dirs if folder != config_dir]
    _write(config, known._replace(files=files, config_dirs=folders))


def _write(config: Path, known: Known) -> None:
    content = {
        "version": known.version,
        "config_dirs": [str(folder) for folder in known.config_dirs],
        "files": {str(path): _written(file) for path, file in known.files.items()},
        **known.more,
    }
    write_changed(_path(config), (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())


def _written(file: KnownFile) -> dict[str, Any]:
    scope, created, folder_created, more = file
    return {"scope": scope, "created": created, "folder_created": folder_created, **more}


def _path(config: Path) -> Path:
    return config / "claude.json"
