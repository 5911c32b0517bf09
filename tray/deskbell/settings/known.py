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
    """A settings file that holds our hooks or our statusline, or should."""

    scope: Scope = "user"
    created: bool = False
    """Whether install created the file."""
    folder_created: bool = False
    """Whether install created the folder of the file."""
    more: Mapping[str, Any] = {}
    """Fields of a newer Deskbell, which are kept."""


Files = Mapping[Path, KnownFile]


class Known(NamedTuple):
    """The content of claude.json."""

    version: int = 1
    config_dirs: Sequence[Path] = ()
    files: Mapping[Path, KnownFile] = {}
    """The files with our hooks."""
    lines: Mapping[Path, KnownFile] = {}
    """The files with our statusline."""
    more: Mapping[str, Any] = {}
    """Fields of a newer Deskbell, which are kept."""


class _File(TypedDict, total=False):
    scope: Scope
    created: bool
    folder_created: bool


class _Content(TypedDict, total=False):
    version: int
    config_dirs: list[str]
    files: dict[str, _File]
    lines: dict[str, _File]


_CLAUDE_JSON = Shape(_Content, keep_more=True)


def remembered_config_dirs(config: Path) -> list[Path]:
    """Return Claude Code's folders of all accounts, that of this environment first. Never raise."""
    try:
        remembered = read_known(config).config_dirs
    except Problem:
        remembered = ()
    return list(dict.fromkeys([claude_dir(), *remembered]))


def line_files(config: Path) -> list[Path]:
    """Return the settings files of accounts that may have our statusline, this environment's first. Never raise."""
    try:
        lines = read_known(config).lines
    except Problem:
        lines = {}
    return list(dict.fromkeys([claude_dir() / "settings.json", *lines]))


def read_known(config: Path) -> Known:
    """Return what claude.json holds. Raise Problem if it cannot be read or understood.

    The value is the same object while the file does not change, because the loop asks at every turn.
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
    files, lines = (_known_files(more.pop(name, {})) for name in ("files", "lines"))
    return Known(version, folders, files, lines, more)


def _known_files(files: Mapping[str, _File]) -> dict[Path, KnownFile]:
    return {_known_path(path): _known_file(file) for path, file in files.items()}


def _known_file(file: _File) -> KnownFile:
    more: dict[str, Any] = dict(file)
    return KnownFile(**{name: more.pop(name) for name in _File.__annotations__ if name in more}, more=more)


def _known_path(text: str) -> Path:
    """Return TEXT as a path. Raise ValueError for a NUL, which would fail later in any system call."""
    if "\0" in text:
        raise ValueError("a path cannot hold a NUL character")
    return Path(text)


def remember(config: Path, path: Path, file: KnownFile, config_dir: Path | None) -> None:
    """Add PATH to the files with our hooks. What an earlier install created stays marked as created."""
    known = read_known(config)
    folders = dict.fromkeys([*known.config_dirs, *([config_dir] if config_dir else [])])
    _write(config, known._replace(files=_with(known.files, path, file), config_dirs=list(folders)))


def remember_line(config: Path, path: Path, file: KnownFile) -> None:
    """Add PATH to the files with our statusline."""
    known = read_known(config)
    _write(config, known._replace(lines=_with(known.lines, path, file)))


def forget(config: Path, path: Path, config_dir: Path | None) -> None:
    """Forget PATH. If it still has our statusline, its uninstall removes what the install of the hooks created."""
    known = read_known(config)
    files, lines = _moved(known.files, known.lines, path)
    folders = [folder for folder in known.config_dirs if folder != config_dir]
    _write(config, known._replace(files=files, lines=lines, config_dirs=folders))


def forget_line(config: Path, path: Path) -> None:
    """Forget PATH. If it still has our hooks, their uninstall removes what the install of the statusline created."""
    known = read_known(config)
    lines, files = _moved(known.lines, known.files, path)
    _write(config, known._replace(files=files, lines=lines))


def _with(files: Files, path: Path, file: KnownFile) -> Files:
    """Return FILES with PATH. What was marked as created stays so."""
    if before := files.get(path):
        created = before.created or file.created
        folder_created = before.folder_created or file.folder_created
        file = before._replace(scope=file.scope, created=created, folder_created=folder_created)
    return {**files, path: file}


def _moved(files: Files, others: Files, path: Path) -> tuple[Files, Files]:
    """Return FILES without PATH, and OTHERS. If PATH is in OTHERS too, it gets the marks that it had in FILES."""
    left = {other: file for other, file in files.items() if other != path}
    return left, _with(others, path, files[path]) if path in files and path in others else others


def _write(config: Path, known: Known) -> None:
    content = {
        "version": known.version,
        "config_dirs": [str(folder) for folder in known.config_dirs],
        "files": {str(path): _written(file) for path, file in known.files.items()},
        **({"lines": {str(path): _written(file) for path, file in known.lines.items()}} if known.lines else {}),
        **known.more,
    }
    write_changed(_path(config), (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())


def _written(file: KnownFile) -> dict[str, Any]:
    scope, created, folder_created, more = file
    return {"scope": scope, "created": created, "folder_created": folder_created, **more}


def _path(config: Path) -> Path:
    return config / "claude.json"
