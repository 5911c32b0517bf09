"""Name the settings files to work on: those of an account, and the shared or the local one of a project."""

import contextlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deskbell.errors import Problem
from deskbell.files.there import exists, is_folder
from deskbell.home import claude_dir, expanded
from deskbell.settings.known import Scope, read_known
from deskbell.settings.registration import Version

LOCAL_AT_GIT_ROOT_SINCE: Version = (2, 1, 211)


@dataclass(frozen=True, slots=True)
class Target:
    path: Path
    scope: Scope = "user"

    @property
    def place(self) -> Path:
        """Claude Code's folder, or the project."""
        return self.path.parent if self.scope == "user" else self.path.parents[1]

    @property
    def config_dir(self) -> Path | None:
        """Claude Code's folder; None for a file of a project."""
        return self.path.parent if self.scope == "user" else None


def user_targets(config_dirs: Sequence[Path]) -> list[Target]:
    folders = [absolute(folder) for folder in config_dirs] or [claude_dir()]
    return [Target(folder / "settings.json") for folder in dict.fromkeys(folders)]


def project_target(project: Path) -> Target:
    return Target(absolute(project) / ".claude" / "settings.json", "project")


def local_target(project: Path, client: Version | None) -> Target:
    """Return the local file of PROJECT. Newer versions of CLIENT read it at the root of the repository."""
    start = absolute(project)
    at_root = client is None or client >= LOCAL_AT_GIT_ROOT_SINCE
    root = next((folder for folder in (start, *start.parents) if exists(folder / ".git")), start)
    return Target((root if at_root else start) / ".claude" / "settings.local.json", "local")


def project_files(projects: Iterable[Path]) -> list[Path]:
    """Return the shared and the local file of each of PROJECTS. Leave out a folder that cannot be examined."""
    found: list[Path] = []
    for project in projects:
        with contextlib.suppress(Problem):
            if not is_folder(absolute(project)):
                continue
            found += [project_target(project).path, local_target(project, None).path]
    return found


def known_targets(config: Path) -> list[Target]:
    """Return every file that Deskbell was installed into and whose folder or project still exists.

    A folder that cannot be examined may exist: its file is reported as one that cannot be read.
    """
    found = [Target(path, file.scope) for path, file in read_known(config).files.items()]
    return [target for target in found if is_folder(target.place, unknown=True)]


def absolute(path: Path) -> Path:
    """Return PATH as an absolute path. Links stay: the person's own name for a folder is the one to remember."""
    return Path(os.path.abspath(expanded(path)))  # noqa: PTH100  # Path.absolute keeps ".."
