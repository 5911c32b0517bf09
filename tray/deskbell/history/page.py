"""How does everything that is known of a session read in a terminal? Pure: the session and its chronicle, in; a
picture that fits any width, out.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from deskbell.history.phrases import Moment
from deskbell.history.summary import AgentRun, Chronicle, Files, ToolUse
from deskbell.session import Session
from deskbell.text.table import LOOKS
from deskbell.text.times import clock, duration
from deskbell.text.wording import headline, short

PROMPTS, TOOLS, FILES, AGENTS, ERRORS, NOTIFICATIONS, MOMENTS = 8, 12, 12, 12, 6, 6, 24
"""How many of each are shown; --json has them all."""
ROOM = 400
Fact = tuple[str, str | None]


def dossier(session_id: str, sessions: Sequence[Session], told: Chronicle, now: float) -> RenderableType:
    parts: list[RenderableType] = [_head(session_id, sessions, told)]
    for session in sessions:
        parts.append(_facts(_present(session, now)))
    parts.append(_facts(_past(told, now)))
    return Group(*parts, *_sections(told, now))


def _head(session_id: str, sessions: Sequence[Session], told: Chronicle) -> Text:
    name = sessions[0].name if sessions else told.title or session_id[:8]
    sign, style = LOOKS[sessions[0].status] if sessions else ("·", "dim")
    return Text.assemble((f"{sign} ", style), (short(name, ROOM), "bold"), (f"  {short(session_id, 128)}", "dim"))


def _present(session: Session, now: float) -> Iterator[Fact]:
    said = headline(session)
    does = said if said.startswith(session.status) else f"{session.status}: {said}"
    yield "now", f"{does}, since {clock(session.since, now)}"
    yield "because", session.reason
    yield "project", session.project
    yield "folder", session.cwd
    yield "branch", session.branch
    yield "model", session.model
    yield "context", _context(session)
    yield "spent", _spent(session)
    yield "tasks", f"{session.todo[0]} of {session.todo[1]} done" if session.todo else None
    yield "runs", ", ".join(session.tasks)
    yield "process", str(session.pid) if session.pid else None
    yield "terminal", session.place.tty
    yield "last line", session.last_line


def _context(session: Session) -> str | None:
    if session.context_tokens is None:
        return None
    full = f" ({session.context_percent:.0f} %)" if session.context_percent is not None else ""
    return f"{session.context_tokens:,} tokens{full}"


def _spent(session: Session) -> str | None:
    if session.output_tokens is None:
        return None
    cost = f", ${session.cost_usd:.2f} at list price" if session.cost_usd is not None else ""
    return f"{session.output_tokens:,} tokens written{cost}"


def _past(told: Chronicle, now: float) -> Iterator[Fact]:
    if told.created is None or told.updated is None:
        yield "journal", "empty or gone"
        return
    yield "first", clock(told.created, now)
    yield "last", clock(told.updated, now)
    yield "events", f"{sum(told.events.values()):,}"
    if told.unreadable:
        yield "unreadable", f"{told.unreadable:,} lines of the journal made no sense and are left as they are"


def _facts(facts: Iterable[Fact]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True, min_width=10)
    table.add_column(overflow="fold")
    for name, value in facts:
        if value:
            table.add_row(name, Text(short(value, ROOM)))
    return table


def _sections(told: Chronicle, now: float) -> Iterator[RenderableType]:
    counts = told.counts
    prompts = [(clock(one.at, now), one.text) for one in told.prompts[-PROMPTS:]]
    yield from _section(_newest("Prompts", counts["prompts"], prompts), prompts)
    yield from _section("Tools", [_tool(name, used) for name, used in list(told.tools.items())[:TOOLS]])
    yield from _files(told.files)
    agents = [_agent(one, now) for one in told.agents[-AGENTS:]]
    yield from _section(_newest("Agents", counts["agents"], agents), agents)
    errors = [(clock(one.at, now), f"{one.kind}: {one.message}") for one in told.errors[-ERRORS:]]
    yield from _section(_newest("Errors", counts["errors"], errors), errors)
    notes = [(clock(one.at, now), one.message or one.kind) for one in told.notifications[-NOTIFICATIONS:]]
    yield from _section(_newest("Notifications", counts["notifications"], notes), notes)
    yield from _section("Timeline", [_moment(one, now) for one in told.timeline[-MOMENTS:]])


def _section(title: str, rows: Sequence[tuple[str, ...]]) -> Iterator[RenderableType]:
    """The last column is as wide as there is room, and cut there."""
    if not rows:
        return
    table = Table.grid(padding=(0, 2), expand=True)
    for _ in rows[0][:-1]:
        table.add_column(style="dim", no_wrap=True, overflow="ellipsis")
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for row in rows:
        table.add_row(*(Text(short(cell, ROOM)) for cell in row))
    yield Text.assemble("\n", (title, "bold"))
    yield table


def _newest(title: str, count: int, rows: Sequence[object]) -> str:
    return f"{title}, the newest {len(rows)} of {count:,}" if count > len(rows) else title


def _tool(name: str, used: ToolUse) -> tuple[str, ...]:
    failed = f", {used.failed} failed" if used.failed else ""
    return f"{used.count:,}", duration(used.seconds), f"{name}{failed}"


def _moment(one: Moment, now: float) -> tuple[str, ...]:
    return _second(one.at, now), one.event, f"↳ {one.words}" if one.agent else one.words


def _files(files: Files) -> Iterator[RenderableType]:
    tree = Tree(Text("Files", "bold"), guide_style="dim")
    for kind, paths in (("new", files.new), ("edited", files.edited), ("read", files.read)):
        if paths:
            branch = tree.add(Text.assemble(kind, (f"  {len(paths)}", "dim")))
            for path in paths[-FILES:]:
                branch.add(Text(short(path, ROOM), no_wrap=True, overflow="ellipsis"))
            if len(paths) > FILES:
                branch.add(Text(f"and {len(paths) - FILES} before", "dim"))
    if tree.children:
        yield Text("")
        yield tree


def _agent(run: AgentRun, now: float) -> tuple[str, ...]:
    began = clock(run.started or run.completed or now, now)
    if run.completed is None:
        return began, "not heard to have stopped", run.type or run.id
    took = f"took {duration(max(0.0, run.completed - run.started))}" if run.started is not None else "done"
    return began, took, run.type or run.id


def _second(at: float, now: float) -> str:
    day = clock(at, now)
    return f"{day[:-5]}{datetime.fromtimestamp(at):%H:%M:%S}" if day[-3:-2] == ":" else day
