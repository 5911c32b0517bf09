"""Word the command that resumes a session, and choose the environment that it gets. Pure."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from subprocess import list2cmdline
from typing import Protocol

from deskbell.errors import Problem
from deskbell.text.clean import is_harmless
from deskbell.text.wording import short

ACCOUNT = "CLAUDE_CONFIG_DIR"
# Variables that a client sets for the programs that it starts (seen in 2.1.326). A client that inherits them saves no
# transcript.
OF_A_CLIENT = frozenset(
    (
        "AI_AGENT",
        "CLAUDECODE",
        "CLAUDE_PID",
        "CLAUDE_EFFORT",
        "CLAUDE_ENV_FILE",
        "CLAUDE_JOB_DIR",
        "CLAUDE_PROJECT_DIR",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_EXECPATH",
        "CLAUDE_CODE_INVOKED_SKILLS",
        "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS",
    )
)
OF_A_CLIENT_BEGIN = (
    "CLAUDE_BG_",
    "CLAUDE_CODE_CHILD_",
    "CLAUDE_CODE_MESSAGING_",
    "CLAUDE_CODE_SESSION_",
    "CLAUDE_PLUGIN_",
)
OF_A_CHILD = frozenset(("COLUMNS", "LINES", "TRACEPARENT"))
"""Variables that a client changes for its programs, and that the person may set as well."""


def resume_arguments(session_id: str, fork: bool = False) -> list[str]:
    """Return the arguments for `claude`. FORK: go on under a new id."""
    return ["--resume", session_id, *(["--fork-session"] if fork else [])]


def resume_environment(
    inherited: Mapping[str, str], account: str | None, usual: Path, standard: Path | None
) -> dict[str, str]:
    """Return INHERITED without what a client sets for its programs, and with the account of the session.

    Variables with which the person sets up Claude Code stay. USUAL: the Claude folder that INHERITED leads to;
    STANDARD: the one without CLAUDE_CONFIG_DIR.
    """
    is_child = "CLAUDECODE" in inherited or "CLAUDE_CODE_CHILD_SESSION" in inherited
    left_out = OF_A_CLIENT | (OF_A_CHILD if is_child else frozenset())
    kept = {
        name: value
        for name, value in inherited.items()
        if name not in left_out and not name.startswith(OF_A_CLIENT_BEGIN)
    }
    if account and Path(account) != usual:
        kept.pop(ACCOUNT, None)
        if Path(account) != standard:
            kept[ACCOUNT] = account
    return kept


class Resumed(Protocol):
    """What the command needs of a session."""

    @property
    def session_id(self) -> str: ...
    @property
    def project(self) -> str: ...
    @property
    def cwd(self) -> str | None: ...
    @property
    def config_dir(self) -> str | None: ...


def resume_command(session: Resumed, usual_config: Path, windows: bool = False, fork: bool = False) -> str:
    """Return a command for the person's shell that resumes the session in its folder and with its account.

    USUAL_CONFIG: the Claude folder that needs no CLAUDE_CONFIG_DIR. Raise Problem if the name of a folder would act on
    the terminal. Quotes do not prevent that, because the terminal reads a control character before the shell does.
    """
    elsewhere = session.config_dir and Path(session.config_dir) != usual_config
    _refuse_controls(session, windows)
    command = ["claude", *resume_arguments(session.session_id, fork)]
    if windows:
        parts = [f'set "CLAUDE_CONFIG_DIR={session.config_dir}"'] if elsewhere else []
        parts += [f'cd /d "{session.cwd}"'] if session.cwd else []
        return " && ".join([*parts, list2cmdline(command)])
    where = f"cd {shlex.quote(session.cwd)} && " if session.cwd else ""
    account = f"CLAUDE_CONFIG_DIR={shlex.quote(str(session.config_dir))} " if elsewhere else ""
    return f"{where}{account}{shlex.join(command)}"


def resumption(session: Resumed, usual_config: Path, windows: bool = False) -> str:
    """Return the command that `resume_command` returns, or why there is none."""
    try:
        return resume_command(session, usual_config, windows)
    except Problem as problem:
        return str(problem)


def _refuse_controls(session: Resumed, windows: bool) -> None:
    for what, name in {"folder": session.cwd, "Claude folder": session.config_dir}.items():
        # On Windows a quote would end the argument, and no name of a folder has one.
        if name and (not is_harmless(name) or (windows and '"' in name)):
            raise Problem(
                f"The name of the {what} of {short(session.project, 40)} has characters that act on a terminal.",
                f"Go to the folder yourself, then run `claude --resume {session.session_id}`.",
            )
