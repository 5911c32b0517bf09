"""Write the page of one session: what it asks in full, all that is known about it, and what has happened. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from deskbell.history.phrases import Phrase
from deskbell.history.present import Fact, of_model, of_place, of_turns, status
from deskbell.history.summary import Summary
from deskbell.pages.facts import kind, listed, resumption
from deskbell.pages.markup import Content, Markup, Page, each, element, together
from deskbell.session import Agent, Session
from deskbell.text.clean import escaped
from deskbell.text.rows import heading
from deskbell.text.times import clock, clock_with_seconds, span
from deskbell.text.wording import headline, short

EVENTS, DECISIONS, AGENTS = 60, 20, 30
"""How many of each are shown, the newest ones."""
LINE = 600
"""Characters of one line."""


@dataclass(frozen=True)
class Past:
    """What is known about the past of a session."""

    summary: Summary
    decisions: Sequence[tuple[float, str]] = ()
    """The times of the decisions to ring or not, and each decision as a sentence; the oldest first."""
    resume: str | None = None
    """The command that resumes the session, or why there is none; None if it is not over."""


def page(session: Session, past: Past, now: float, name: str) -> Page:
    """Return the page. NAME: the name of its file."""
    title = short(f"{session.project}: {session.name}", 160)
    return Page(name, title, together(*_head(session, past, title, now), *_body(session, past, now)))


def _head(session: Session, past: Past, title: str, now: float) -> Iterator[Content]:
    yield element("h1", title)
    since = "" if session.over else f" since {clock(session.since, now)}"
    yield element("p", element("span", heading(session), kind=f"chip {kind(session)}"), since, kind="dim")
    lead = status(session, now) if session.over else headline(session)
    yield element("p", short(lead, LINE), kind="lead")
    yield element("p", f"because {session.reason}", kind="dim") if session.reason else None
    yield resumption(past.resume)


def _body(session: Session, past: Past, now: float) -> Iterator[Content]:
    yield _said("What it waits for" if session.blocked else "What it is about", _detail(session))
    yield _said("Last error", session.last_error)
    yield _said("Last line", session.last_line)
    yield _said("Newest prompt", session.prompt)
    groups = {"Where": of_place(session), "Model": of_model(session), "Time": of_turns(session, now)}
    yield element("h2", "What is known")
    yield element("div", *(_group(title, facts) for title, facts in groups.items()), kind="columns")
    yield _work(session)
    yield _table("Subagents", [_agent(one, now) for one in session.agents[-AGENTS:]])
    rows = [(clock_with_seconds(at, now), said) for at, said in reversed(past.decisions[-DECISIONS:])]
    yield _table("Why it rang, or did not", rows)
    events = past.summary.timeline[-EVENTS:]
    yield _table("What happened, the newest first", [_event(one, now) for one in reversed(events)])


def _detail(session: Session) -> str | None:
    """Return what a request is about, in full, or a long detail; a short one is in the headline already."""
    if session.asking and session.asking.whole:
        return escaped("\n".join(session.asking.whole))
    return session.detail if session.blocked or len(session.detail) > 60 else None


def _said(title: str, text: str | None) -> Markup:
    return together(element("h2", title), element("pre", text, kind="card said plain")) if text else together()


def _group(title: str, facts: Iterable[Fact]) -> Markup | None:
    rows = listed(facts)
    return element("div", element("h3", title), rows, kind="card plain") if rows else None


def _work(session: Session) -> Markup | None:
    if not session.todo and not session.tasks:
        return None
    done, every = session.todo or (0, 0)
    bar = element("progress", value=done, max=every) if every else None
    todo = element("p", f"{done} of {every} tasks of its list are done", bar) if session.todo else None
    title = element("h2", "What it works on")
    return together(
        title, element("div", todo, each("p", map("In the background: {}".format, session.tasks)), kind="card plain")
    )


def _agent(agent: Agent, now: float) -> tuple[str, str]:
    began = clock(agent.started, now) if agent.started is not None else ""
    took = f", took {span(max(0.0, agent.ended - agent.started))}" if agent.ended and agent.started else ""
    detail = f": {agent.detail}" if agent.detail else ""
    return began, f"{agent.type or agent.id}: {agent.status}{took}{detail}"


def _event(one: Phrase, now: float) -> tuple[str, str, str]:
    words = short(one.words, LINE)
    return clock_with_seconds(one.at, now), one.event, f"↳ {words}" if one.agent else words


def _table(title: str, rows: Sequence[tuple[str, ...]]) -> Markup | None:
    """Return a table of ROWS, which are a time and a text, or a time, an event and a text; None if there are none."""
    if not rows:
        return None
    lines = (_row(row) for row in rows)
    table = element("table", element("tbody", *lines))
    return together(element("h2", title), element("div", table, kind="card plain scroll"))


def _row(cells: tuple[str, ...]) -> Markup:
    kinds = ("", "event", "") if len(cells) == 3 else ("", "")
    return element("tr", *(element("td", cell, kind=kind) for cell, kind in zip(cells, kinds, strict=True)))
