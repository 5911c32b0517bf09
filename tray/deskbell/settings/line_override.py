"""Find the settings files whose statusline Claude Code shows in place of Deskbell's.

The folder of an account may lie in a project: in the person's home, `.claude/settings.json` is the account's own file.
"""

from collections.abc import Iterable
from os.path import realpath
from pathlib import Path

from deskbell.errors import Problem
from deskbell.settings import file_text, settings_file
from deskbell.settings.managed import managed_files
from deskbell.settings.targets import project_files


def overriding(projects: Iterable[Path], managed: Path, accounts: Iterable[Path]) -> list[Path]:
    """Return the files of PROJECTS, and of the administrator, that have another statusline. An unreadable one has none.

    ACCOUNTS: the settings files of accounts, which override nothing.
    """
    files = dict.fromkeys([*managed_files(managed), *project_files(projects)])
    own = set(map(realpath, accounts))
    return [path for path in files if realpath(path) not in own and _has_another(path)]


def reach(path: Path, managed: Path) -> str:
    """Return where Claude Code shows the statusline of PATH, a file of `overriding`, as the end of a sentence."""
    return "in every project" if path.is_relative_to(managed) else "in that project"


def _has_another(path: Path) -> bool:
    try:
        return file_text.line(path, settings_file.read(path)).kind == "theirs"
    except Problem:
        return False
