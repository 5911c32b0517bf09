"""Which Claude folders and settings files does Deskbell know, because it was installed into them?"""

import json
from pathlib import Path
from typing import Literal

import pydantic

from deskbell.errors import Problem
from deskbell.files.write import write_private
from deskbell.home import claude_dir


class File(pydantic.BaseModel):
    """A settings file that holds our entries, or should."""

    model_config = pydantic.ConfigDict(extra="allow")

    scope: Literal["user", "project", "local"] = "user"
    created: bool = False
    """There was no such file before."""
    folder_created: bool = False
    """Nor the folder that it is in."""


class Known(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    version: int = 1
    config_dirs: list[Path] = []
    files: dict[Path, File] = {}


def remembered_config_dirs(config: Path) -> list[Path]:
    """Claude's folders of all accounts: the one of this environment first."""
    try:
        remembered = known(config).config_dirs
    except Problem:
        remembered = []
    return list(dict.fromkeys([claude_dir(), *remembered]))


def known(config: Path) -> Known:
    path = _path(config)
    try:
        return Known.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Known()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not what Deskbell wrote there"
        raise Problem(
            f"{path} cannot be read ({reason}): delete it, and Deskbell will ask again what it needs"
        ) from None


def remember(config: Path, path: Path, file: File, config_dir: Path | None) -> None:
    """What came with us at first is never forgotten by a second install."""
    there = known(config)
    if before := there.files.get(path):
        came = {name: getattr(file, name) or getattr(before, name) for name in ("created", "folder_created")}
        file = before.model_copy(update={"scope": file.scope, **came})
    there.files[path] = file
    if config_dir and config_dir not in there.config_dirs:
        there.config_dirs.append(config_dir)
    _store(config, there)


def forget(config: Path, path: Path, config_dir: Path | None) -> None:
    there = known(config)
    there.files.pop(path, None)
    there.config_dirs = [folder for folder in there.config_dirs if folder != config_dir]
    _store(config, there)


def _store(config: Path, there: Known) -> None:
    config.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps(there.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
    if not _path(config).exists() or _path(config).read_text(encoding="utf-8") != text:
        write_private(_path(config), text.encode())


def _path(config: Path) -> Path:
    return config / "claude.json"
