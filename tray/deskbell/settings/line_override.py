"""Find the settings files whose statusline Claude Code shows in place of the account's."""

from collections.abc import Iterable
from pathlib import Path

from deskbell.errors import Problem
from deskbell.settings import file_text, settings_file
from deskbell.settings.managed import managed_files
from deskbell.settings.targets import project_files


def overriding(projects: Iterable[Path], managed: Path) -> list[Path]:
    """Return the files of PROJECTS, and of the administrator, that have a statusline. An unreadable one has none."""
    files = dict.fromkeys([*managed_files(managed), *project_files(projects)])
    return [path for path in files if _has_line(path)]


def reach(path: Path, managed: Path) -> str:
    """Return where Claude Code shows the statusline of PATH, a file of `overriding`, as the end of a sentence."""
    return "in every project" if path.is_relative_to(managed) else "in that project"


def _has_line(path: Path) -> bool:
    try:
        return file_text.line(path, settings_file.read(path)).kind != "none"
    except Problem:
        return False
