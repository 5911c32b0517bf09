"""Lay out sessions as a table that fits the width of a terminal. Pure."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from deskbell.session import Session
from deskbell.text.times import ago
from deskbell.text.wording import headline, short
from deskbell_hooks.schema import Status

LOOKS: dict[Status, tuple[str, str]] = {
    "permission": ("●", "bold red"),
    "question": ("●", "bold red"),
    "input": ("●", "bold red"),
    "interrupted": ("◐", "bold yellow"),
    "error": ("✖", "bold red"),
    "plan": ("●", "bold magenta"),
    "idle": ("○", "cyan"),
    "working": ("▶", "green"),
    "background": ("▷", "green"),
    "ended": ("·", "dim"),
    "crashed": ("✖", "bold red"),
}
"""A sign and a colour for each status, beside its name. Some statuses share both."""
WIDE = 110
"""Columns. A terminal at least this wide also shows branch, model and context."""


def table(sessions: Iterable[Session], now: float, width: int) -> Table:
    shown = Table(box=None, pad_edge=False, expand=True, header_style="dim", show_edge=False)
    shown.add_column("", width=1)
    shown.add_column("status", no_wrap=True, min_width=11)
    shown.add_column("project", no_wrap=True, overflow="ellipsis", min_width=7, max_width=max(8, width // 6))
    shown.add_column("title", no_wrap=True, overflow="ellipsis", ratio=2)
    shown.add_column("what", no_wrap=True, overflow="ellipsis", ratio=3)
    shown.add_column("since", no_wrap=True, justify="right", min_width=6)
    if width >= WIDE:
        shown.add_column("branch", no_wrap=True, overflow="ellipsis", max_width=18)
        shown.add_column("model", no_wrap=True, overflow="ellipsis", max_width=14)
        shown.add_column("context", no_wrap=True, justify="right")
    for session in sessions:
        row = cells(session, now)
        shown.add_row(*(row if width >= WIDE else row[:6]), style="dim" if session.stale else "")
    return shown


def cells(session: Session, now: float) -> list[Text]:
    """Return the row of SESSION."""
    sign, style = LOOKS[session.status]
    return [
        Text(sign, style),
        Text(session.status, style),
        Text(short(session.project, 40), "bold"),
        Text(short(session.name, 80)),
        _what(session),
        Text(ago(session.since, now), "dim"),
        Text(short(session.branch or "", 40), "dim"),
        Text(short((session.model or "").removeprefix("claude-"), 40), "dim"),
        Text("" if session.context_percent is None else f"{session.context_percent:.0f} %", "dim"),
    ]


def _what(session: Session) -> Text:
    """What the session does or waits for; its last words if it is the person's turn."""
    if session.status == "idle" and not session.detail and not session.suspended:
        return Text(short(session.last_line or "", 120), "dim")
    detail = session.detail if session.status in ("working", "background", "idle") else headline(session)
    shown = short(detail.removeprefix(f"{session.status}: "), 120)
    return Text(" - ".join(part for part in ("suspended" if session.suspended else "", shown) if part))
