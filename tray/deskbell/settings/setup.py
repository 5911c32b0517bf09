"""Gather what an installation needs to know: the folders, the interpreter for the hook, the version of Claude Code."""

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from deskbell.home import Home
from deskbell.settings import deploy
from deskbell.settings.asker_wish import wants_asker
from deskbell.settings.claude_code import NOT_FOUND, ClaudeCode, installed_client
from deskbell.settings.interpreter import Interpreter, stable_interpreter
from deskbell.settings.line_command import Line
from deskbell.settings.managed import managed_folder
from deskbell.settings.registration import EVENTS, Handler, Hook, Version, can_ask, wanted


@dataclass(frozen=True)
class Setup:
    home: Home
    interpreter: Interpreter
    client: Version | None
    """None if nothing names it."""
    managed: Path = field(default_factory=managed_folder)
    """The folder of the administrator's settings."""
    windows: bool = os.name == "nt"
    answers: bool = False
    """Whether the person wants to answer from notifications, which needs the asker."""
    found: ClaudeCode = NOT_FOUND
    """What was found of Claude Code."""

    @cached_property
    def folder(self) -> Path:
        """Where the hook's code is deployed."""
        return deploy.place(self.home.data, deploy.code())

    @property
    def deployed(self) -> bool:
        return deploy.is_whole(self.folder, deploy.code())

    @cached_property
    def wanted(self) -> dict[str, tuple[Handler, ...]]:
        """The handlers that each event should have."""
        hook = Hook(self.interpreter.path, str(deploy.main_file(self.folder)), str(self.home.state))
        return wanted(hook, self.client, self.windows, self.answers)

    @property
    def can_answer(self) -> bool:
        """Whether the client can start the asker."""
        return can_ask(self.client)

    @property
    def line(self) -> Line:
        """What the statusline's command starts."""
        main, config = deploy.main_file(self.folder), self.home.config / "config.toml"
        return Line(self.interpreter.path, str(main), str(self.home.state), str(config))

    @property
    def reach(self) -> str:
        """A sentence: how many events the installed hooks report, and why not all."""
        count = len(self.wanted)
        if count == len(EVENTS):
            return f"All {count} events are reported."
        why = (
            f"Claude Code {'.'.join(map(str, self.client))} knows no others"
            if self.client
            else f"{self.found.missing}, and these are those that every version knows"
        )
        then = "" if self.client else f" {self.found.step}, then run `deskbell install`."
        return f"{count} of {len(EVENTS)} events are reported: {why}.{then}"


def setup(home: Home) -> Setup:
    """Examine this machine. Start Claude Code and the interpreters to ask for their versions: this takes a moment."""
    found = installed_client(home.config)
    return Setup(home, stable_interpreter(), found.version, answers=wants_asker(home.config), found=found)
