"""Name the folders of Deskbell and of Claude Code, and the environment that started programs get.

No other module of the program finds a folder by DESKBELL_HOME or CLAUDE_CONFIG_DIR. It asks once, and passes the Home
on.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from deskbell.errors import Problem

PRIVATE = frozenset(("AI_AGENT", "PYDANTIC_DISABLE_PLUGINS"))
"""Variables for one program only: Claude Code sets the first for its children, Deskbell the second for itself."""


@dataclass(frozen=True, slots=True)
class Home:
    state: Path
    """Records, journals and the log."""
    data: Path
    """The deployed hook code, which Claude Code starts."""
    config: Path
    """config.toml, the known Claude folders, and copies of the person's settings."""

    @property
    def sessions(self) -> Path:
        return self.state / "sessions"

    @property
    def events(self) -> Path:
        return self.state / "events"

    @property
    def statusline(self) -> Path:
        """What the statusline keeps and reads. Its installation makes the folder."""
        return self.state / "statusline"

    @property
    def pages(self) -> Path:
        """The pages that clicks have opened in the browser."""
        return self.state / "pages"


def home() -> Home:
    """Return the folders below DESKBELL_HOME if it is set, else the system's own."""
    if moved := os.environ.get("DESKBELL_HOME"):
        root = expanded(moved).absolute()
        return Home(root / "state", root / "data", root / "config")
    return Home(
        _of_the_system(platformdirs.user_state_dir),
        _of_the_system(platformdirs.user_data_dir),
        _of_the_system(platformdirs.user_config_dir),
    )


def _of_the_system(folder: Callable[..., str]) -> Path:
    try:
        return expanded(folder("deskbell", appauthor=False))
    except RuntimeError:  # older versions of platformdirs return `~`
        raise _homeless() from None


def own_home() -> Path | None:
    """Return the person's home folder. None if neither HOME nor the system names one."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def expanded(path: str | Path) -> Path:
    """Return PATH with the home folder in place of `~`. Raise Problem if there is no home folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        first = Path(path).parts[0]
        if first == "~":
            raise _homeless() from None
        raise Problem(f"{path}: there is no home folder {first}.", "Name the folder by its whole path.") from None


def _homeless() -> Problem:
    return Problem("You have no home folder.", "Set HOME, or DESKBELL_HOME and CLAUDE_CONFIG_DIR.")


def claude_dir() -> Path:
    """Return Claude Code's own folder: CLAUDE_CONFIG_DIR, else ~/.claude."""
    if moved := os.environ.get("CLAUDE_CONFIG_DIR"):
        return expanded(moved).absolute()
    return expanded("~/.claude")


def with_tilde(text: str) -> str:
    """Return TEXT with `~` in place of the person's home folder."""
    home = os.path.expanduser("~").rstrip(os.sep)  # noqa: PTH111  # at every turn of the loop: a Path costs more
    if len(home) <= 1 or home not in text:
        return text
    return re.sub(rf"(?<![\w.~/\\-]){re.escape(home)}(?![\w.-])", "~", text)


def environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """Return the variables without those that are meant for children of Claude Code or for Deskbell alone."""
    return {name: value for name, value in inherited.items() if not name.startswith("CLAUDE") and name not in PRIVATE}
