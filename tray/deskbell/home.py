"""Name the folders of Deskbell and of Claude Code, and the environment that started programs get.

The only reader of DESKBELL_HOME and CLAUDE_CONFIG_DIR. The program asks once and passes the Home on.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

# PYDANTIC_DISABLE_PLUGINS: set by `deskbell run` for itself.
PRIVATE = frozenset(("AI_AGENT", "PYDANTIC_DISABLE_PLUGINS"))


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


def home() -> Home:
    """Return the folders below DESKBELL_HOME if it is set, else the system's own."""
    if moved := os.environ.get("DESKBELL_HOME"):
        root = Path(moved).expanduser().absolute()
        return Home(root / "state", root / "data", root / "config")
    return Home(
        Path(platformdirs.user_state_dir("deskbell", appauthor=False)),
        Path(platformdirs.user_data_dir("deskbell", appauthor=False)),
        Path(platformdirs.user_config_dir("deskbell", appauthor=False)),
    )


def claude_dir() -> Path:
    """Return Claude Code's own folder: CLAUDE_CONFIG_DIR, else ~/.claude."""
    if moved := os.environ.get("CLAUDE_CONFIG_DIR"):
        return Path(moved).expanduser().absolute()
    return Path.home() / ".claude"


def with_tilde(text: str) -> str:
    """Return TEXT with the person's home folder as `~`, as they write it themselves."""
    home = str(Path("~").expanduser())
    return re.sub(rf"(?<![\w.~/\\-]){re.escape(home)}(?![\w.-])", "~", text) if len(home) > 1 else text


def environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """Return the variables without those that are meant for children of Claude Code or for Deskbell alone."""
    return {name: value for name, value in inherited.items() if not name.startswith("CLAUDE") and name not in PRIVATE}
