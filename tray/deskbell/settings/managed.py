"""Refuse to install if an administrator forbids the person's own hooks."""

import sys
from pathlib import Path

from deskbell.errors import Problem
from deskbell.files.read import read_text
from deskbell.files.there import ending_in
from deskbell.settings.exchange import LARGEST
from deskbell.settings.hooks_text import hooks_disabled, managed_only
from deskbell.settings.jsonspans import Misshapen, place


def managed_folder() -> Path:
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode")
    return Path(r"C:\Program Files\ClaudeCode" if sys.platform == "win32" else "/etc/claude-code")


def managed_files(folder: Path) -> list[Path]:
    """Return the administrator's settings files in FOLDER."""
    return [folder / "managed-settings.json", *ending_in(folder / "managed-settings.d", ".json")]


def check_allowed(folder: Path) -> None:
    """Raise Problem if a file in the administrator's FOLDER forbids hooks. Ignore files that Claude Code ignores."""
    for path in managed_files(folder):
        try:
            text = read_text(path, LARGEST)
            for key, at in (("allowManagedHooksOnly", managed_only(text)), ("disableAllHooks", hooks_disabled(text))):
                if at is not None:
                    what = f'{path} {place(text, at)}: "{key}" forbids your own hooks on this machine.'
                    raise Problem(what, "Ask your administrator to allow them.")
        except (OSError, Misshapen):
            continue
