"""Lay out everything known about one session for a terminal of any width. Pure.

What it asks comes first, then what it does and what happened in it, then its ids, its process and its numbers. The past
comes from the summary of the journal, the present from the sessions with that id. `deskbell show` and the board show
it, below the request of the session if that can be answered.
"""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from deskbell.history.phrases import Phrase
from deskbell.history.present import Fact, of_model, of_place, of_turns, of_words, of_work, status
from deskbell.history.summary import AgentRun, Files, Summary, ToolUse
from deskbell.session import Session
from deskbell.text.clean import isolate
from deskbell.text.rows import LOOKS
from deskbell.text.times import clock, clock_with_seconds, duration, span
from deskbell.text.wording import phrase, safe, short, short_id

PROMPTS, TOOLS, FILES, AGENTS, ERRORS, NOTIFICATIONS, TIMELINE, DECISIONS = 8, 12, 12, 12, 6, 6, 24, 6
"""How many of each are shown. `deskbell show --json` prints all that the summary holds."""
LONGEST = 400
"""The most characters of one cell."""
WHOLE = frozenset(("last line", "last error"))
"""Facts that are shown whole, in lines of their own."""


def page(
    session_id: str,
    sessions: Sequence[Session],
    summary: Summary,
    now: float,
    resume: str | None = None,
    decisions: Sequence[tuple[float, str]] = (),
) -> RenderableType:
    """Return the page of one session, at the time NOW.

    RESUME: the command that resumes it if it is over. DECISIONS: when it rang or did not, and why.
    """
    parts: list[RenderableType] = [_head(session_id, sessions, summary)]
    for session in sessions:
        parts += [*_asked(session, now), _facts(_present(session, now))]
    if resume:
        parts.append(_facts([("resume", resume)]))
    rows = [(clock_with_seconds(at, now), said) for at, said in reversed(decisions[-DECISIONS:])]
    happened = *_section("Why it rang, or did not", rows), *_sections(summary, now)
    return Group(*parts, *happened, *_last(session_id, sessions, summary, now))


def _head(session_id: str, sessions: Sequence[Session], summary: Summary) -> Text:
    name = sessions[0].name if sessions else summary.title or short_id(session_id)
    sign, style = LOOKS[sessions[0].status] if sessions else ("·", "dim")
    return Text.assemble((f"{sign} ", style), (short(name, LONGEST), "bold"))


def _present(session: Session, now: float) -> Iterator[Fact]:
    yield "now", status(session, now)
    yield "because", session.reason
    yield from of_work(session)
    yield from of_words(session)


def _asked(session: Session, now: float) -> Iterator[RenderableType]:
    """Yield what a session waits for, if the line "now" cuts it or joins its lines, and nobody shows its request."""
    detail = session.detail
    fits = "\n" not in detail and len(status(session, now)) <= LONGEST
    if session.blocked and session.asking is None and not fits:
        yield Text(f"{phrase(session).without_about}:", "bold")
        yield Text(f"{_whole(detail)}\n")


def _last(session_id: str, sessions: Sequence[Session], summary: Summary, now: float) -> Iterator[RenderableType]:
    """Yield what few people look for: the id, the process, the model, and the numbers."""
    yield Text("\nSession", "bold")
    yield _facts([("id", session_id)])
    for session in sessions:
        yield _facts((*of_place(session), *of_model(session), *of_turns(session, now)))
    yield _facts(_past(summary, now))


def _past(summary: Summary, now: float) -> Iterator[Fact]:
    if summary.created is None or summary.updated is None:
        yield "journal", "empty or missing"
        return
    yield "first", clock(summary.created, now)
    yield "last", clock(summary.updated, now)
    yield "events", f"{sum(summary.events.values()):,}"
    if summary.unreadable:
        yield "unreadable", f"{summary.unreadable:,} lines of the journal could not be read"


def _facts(facts: Iterable[Fact]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True, min_width=10)
    table.add_column(overflow="fold")
    for name, value in facts:
        if value:
            table.add_row(name, Text(_whole(value) if name in WHOLE else short(value, LONGEST)))
    return table


def _whole(text: str) -> str:
    return "\n".join(map(isolate, safe(text).split("\n")))


def _sections(summary: Summary, now: float) -> Iterator[RenderableType]:
    counts = summary.counts
    prompts = [(clock(one.at, now), one.text) for one in summary.prompts[-PROMPTS:]]
    yield from _section(_newest("Prompts", counts["prompts"], prompts), prompts)
    yield from _section("Tools", [_tool(name, used) for name, used in list(summary.tools.items())[:TOOLS]])
    yield from _files(summary.files)
    agents = [_agent(one, now) for one in summary.agents[-AGENTS:]]
    yield from _section(_newest("Agents", counts["agents"], agents), agents)
    errors = [(clock(one.at, now), f"{one.kind}: {one.message}") for one in summary.errors[-ERRORS:]]
    yield from _section(_newest("Errors", counts["errors"], errors), errors)
    notes = [(clock(one.at, now), one.message or one.kind) for one in summary.notifications[-NOTIFICATIONS:]]
    yield from _section(_newest("Notifications", counts["notifications"], notes), notes)
    yield from _section("Timeline", [_phrase(one, now) for one in summary.timeline[-TIMELINE:]])


def _section(title: str, rows: Sequence[tuple[str, ...]]) -> Iterator[RenderableType]:
    """Yield a title and a table whose last column takes the remaining width; nothing without rows."""
    if not rows:
        return
    table = Table.grid(padding=(0, 2), expand=True)
    for _ in rows[0][:-1]:
        table.add_column(style="dim", no_wrap=True, overflow="ellipsis")
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for row in rows:
        table.add_row(*(Text(short(cell, LONGEST)) for cell in row))
    yield Text.assemble("\n", (title, "bold"))
    yield table


def _newest(title: str, count: int, rows: Sequence[object]) -> str:
    return f"{title} (newest {len(rows)} of {count:,})" if count > len(rows) else title


def _tool(name: str, used: ToolUse) -> tuple[str, ...]:
    failed = f", {used.failed} failed" if used.failed else ""
    return f"{used.count:,}", duration(used.seconds), f"{name}{failed}"


def _phrase(one: Phrase, now: float) -> tuple[str, ...]:
    return clock_with_seconds(one.at, now), one.event, f"↳ {one.words}" if one.agent else one.words


def _files(files: Files) -> Iterator[RenderableType]:
    tree = Tree(Text("Files", "bold"), guide_style="dim")
    for kind, paths in (("new", files.new), ("edited", files.edited), ("read", files.read)):
        if paths:
            branch = tree.add(Text.assemble(kind, (f"  {len(paths)}", "dim")))
            for path in paths[-FILES:]:
                branch.add(Text(short(path, LONGEST), no_wrap=True, overflow="ellipsis"))
            if len(paths) > FILES:
                branch.add(Text(f"and {len(paths) - FILES} earlier", "dim"))
    if tree.children:
        yield Text("")
        yield tree


def _agent(run: AgentRun, now: float) -> tuple[str, ...]:
    began = clock(run.started or run.completed or now, now)
    if run.completed is None:
        return began, "no end received", run.type or run.id
    took = f"took {span(max(0.0, run.completed - run.started))}" if run.started is not None else "done"
    return began, took, run.type or run.id
