"""Run a command in the terminal that the settings name. It blocks for up to a second: call it in a thread."""

from collections.abc import Sequence

from deskbell.desktop.terminals import open_terminal
from deskbell.home import Home
from deskbell.notices import policyfile


def open_own_terminal(command: Sequence[str], folder: str, home: Home) -> None:
    """Run COMMAND in FOLDER. Raise Problem if no terminal opens."""
    settings = policyfile.reread(home.config / "config.toml", policyfile.Reading()).policy
    open_terminal(command, folder, settings.terminal.command, home.state)
