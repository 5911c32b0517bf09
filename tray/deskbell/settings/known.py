"""Remember which Claude folders and settings files Deskbell was installed into, in claude.json of its own folder."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import pydantic

from deskbell.errors import Problem
from deskbell.files.read import read
from deskbell.files.stamp import Stamp, stamp
from deskbell.files.write import write_changed
from deskbell.home import claude_dir

LARGEST = 1_000_000
"""Bytes of claude.json."""


def _without_nul(path: Path) -> Path:
    """No system call takes such a path: Python raises ValueError, which no caller expects."""
    if "\0" in str(path):
        raise ValueError("a path cannot hold a NUL character")
    return path


KnownPath = Annotated[Path, pydantic.AfterValidator(_without_nul)]


class KnownFile(pydantic.BaseModel):
    """A settings file that holds our hooks, or should."""

    model_config = pydantic.ConfigDict(extra="allow", cache_strings="none")

    scope: Literal["user", "project", "local"] = "user"
    created: bool = False
    """Install created the file."""
    folder_created: bool = False
    """Install created the folder of the file."""


class Known(pydantic.BaseModel):
    """The content of claude.json. What a newer Deskbell added to it is kept."""

    model_config = pydantic.ConfigDict(extra="allow", cache_strings="none")

    version: int = 1
    config_dirs: list[KnownPath] = []
    files: dict[KnownPath, KnownFile] = {}


def remembered_config_dirs(config: Path) -> list[Path]:
    """Claude's folders of all accounts, that of this environment first. Never raise."""
    try:
        remembered = _known(config).config_dirs
    except Problem:
        remembered = []
    return list(dict.fromkeys([claude_dir(), *remembered]))


def read_known(config: Path) -> Known:
    """Return what claude.json holds, which the caller may change. Raise Problem if it cannot be read or understood."""
    return _known(config).model_copy(deep=True)


def known_files(config: Path) -> Mapping[Path, KnownFile]:
    """Return the known settings files, for who changes nothing. Raise Problem as `read_known` does."""
    return _known(config).files


def _known(config: Path) -> Known:
    """Return the one value of a file that has not changed. To copy it takes long, and the loop asks at every turn."""
    path = _path(config)
    seen = stamp(path)
    return _read(path) if seen is None else _read_once(path, seen)


@lru_cache(maxsize=4)
def _read_once(path: Path, seen: Stamp) -> Known:
    return _read(path)


def _read(path: Path) -> Known:
    try:
        return Known.model_validate_json(read(path, LARGEST))
    except FileNotFoundError:
        return Known()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not what Deskbell wrote there"
        raise Problem(f"Cannot read {path}: {reason}.", "Delete it, then run `deskbell install` again.") from None


def remember(config: Path, path: Path, file: KnownFile, config_dir: Path | None) -> None:
    """Add PATH. What an earlier install created stays marked as created."""
    known = read_known(config)
    if before := known.files.get(path):
        created = {name: getattr(file, name) or getattr(before, name) for name in ("created", "folder_created")}
        file = before.model_copy(update={"scope": file.scope, **created})
    known.files[path] = file
    if config_dir and config_dir not in known.config_dirs:
        known.config_dirs.append(config_dir)
    _write(config, known)


def forget(config: Path, path: Path, config_dir: Path | None) -> None:
    known = read_known(config)
    known.files.pop(path, None)
    known.config_dirs = [folder for folder in known.config_dirs if folder != config_dir]
    _write(config, known)


def _write(config: Path, known: Known) -> None:
    text = json.dumps(known.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
    write_changed(_path(config), text.encode())


def _path(config: Path) -> Path:
    return config / "claude.json"
