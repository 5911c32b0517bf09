"""Where do Deskbell's own files live on this system?"""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True, slots=True)
class Home:
    state: Path
    """Records, journals, the log: what Deskbell writes down."""
    data: Path
    """The deployed hook code: what Claude Code starts."""
    config: Path
    """What the person decided: config.toml, the remembered Claude folders, backups of their settings."""

    @property
    def sessions(self) -> Path:
        return self.state / "sessions"

    @property
    def events(self) -> Path:
        return self.state / "events"


def home() -> Home:
    """DESKBELL_HOME moves everything; otherwise the system's own folders."""
    if moved := os.environ.get("DESKBELL_HOME"):
        root = Path(moved).expanduser().absolute()
        return Home(root / "state", root / "data", root / "config")
    return Home(
        Path(platformdirs.user_state_dir("deskbell", appauthor=False)),
        Path(platformdirs.user_data_dir("deskbell", appauthor=False)),
        Path(platformdirs.user_config_dir("deskbell", appauthor=False)),
    )


def claude_dir() -> Path:
    """Claude Code's own folder: CLAUDE_CONFIG_DIR, else ~/.claude."""
    if moved := os.environ.get("CLAUDE_CONFIG_DIR"):
        return Path(moved).expanduser().absolute()
    return Path.home() / ".claude"
