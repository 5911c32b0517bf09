"""Say whether a person attends a client, by Claude Code's own rule. Pure.

`assemble` and `stand_in` call this. What no person attends is listed on request only and never rings.
"""

from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Run

TERMINAL = "cli"
"""The entrypoint of a client in a terminal."""
ATTENDED = frozenset(
    (
        *("claude-vscode", "claude-desktop", "claude-desktop-3p", "local-agent", "local_agent"),
        *("remote", "remote_desktop", "remote_mobile", "remote_projects", "remote_cowork", "ssh-remote"),
        *("claude-in-slack", "claude_in_slack", "claude-in-teams", "claude-coworker", "claude-coworker-terminal"),
    )
)
"""The entrypoints of editors, of the desktop app and of remote surfaces, behind which Claude Code expects a person.

Read in Claude Code 2.1.328. Programs that use it as a library have others: sdk-cli, sdk-py, sdk-ts."""


def is_hidden(run: Run | None, entry: Entry | None) -> bool:
    """Return True if no person attends the client: a print mode, a library, a helper or a spare of Claude Code."""
    if entry and (entry.spare or (entry.kind or "").startswith("daemon")):
        return True
    if entry and (entry.remote_control or entry.kind == "bg"):  # a phone; `claude attach`
        return False
    where = run.get("where", {}) if run else {}
    if where.get("attended") is False:
        return True
    entrypoint = (entry and entry.entrypoint) or where.get("entrypoint") or TERMINAL
    return entrypoint != TERMINAL and entrypoint not in ATTENDED


def kind_of(run: Run | None, entry: Entry | None) -> str | None:
    """Return how the client runs: interactive, background or print; None if nothing is known of it."""
    if entry and entry.kind == "bg":
        return "background"
    if is_hidden(run, entry):
        return "print"
    return "interactive" if entry or run else None
