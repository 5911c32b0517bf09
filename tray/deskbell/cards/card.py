"""Collect what the card of a session shows; `deskbell.cards.drawing` draws it. Pure."""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from deskbell.cards.lanes import WARM, warm_for, warmth
from deskbell.face.facts import Facts
from deskbell.session import Agent, Key, Session
from deskbell.text.deeds import deed
from deskbell.text.rows import LOOKS, Cells, Span, cells
from deskbell.text.times import ago, clock
from deskbell.text.wording import CALLED, short
from deskbell_hooks.segments import MOST_ENDED

MOST_CHILDREN = 3
"""Subagents that a card shows one by one."""
STATES = {
    "running": (LOOKS["working"], "running"),
    "idle": (LOOKS["idle"], "idle"),
}
"""The sign, its style and the word for each state of a subagent that is not done."""

OVER = (("done", "done", "dim"), ("error", "failed", "red"))
"""The word and the colour for each state of a subagent that has ended."""


class Child(NamedTuple):
    """A subagent of a session."""

    sign: Span
    type: str
    does: str
    age: str


class Figures(NamedTuple):
    """Figures of the conversation, as text. An unknown one is empty."""

    model: str
    context: str
    tokens: str
    cost: str


class Card(NamedTuple):
    """What the card of a session shows, as text."""

    key: Key
    cells: Cells
    what: Span
    """What the session asks or does; its status if `deskbell list` shows nothing, because its heading says it."""
    marks: tuple[Span, ...]
    """Remarks: "muted", "cache warm for 4 min"."""
    figures: Figures
    """ "opus-5-5", "34 %", "12k", "$0.41"."""
    progress: tuple[int, int] | None
    """How many of its tasks are done, and how many there are."""
    children: tuple[Child, ...]
    more: int
    """Subagents that are not among its children."""
    over: tuple[Span, ...]
    """Those that have ended in this turn: "2 done", "1 failed"."""


def card(session: Session, facts: Facts, now: float) -> Card:
    """Return the card of SESSION."""
    said = cells(session, now)
    agents = [agent for agent in session.agents if agent.status in STATES]
    return Card(
        session.key,
        said,
        said.what if said.what.text else Span(CALLED.get(session.status, session.status), "dim"),
        tuple(_marks(session, facts, now)),
        _figures(session, said),
        session.todo,
        tuple(_child(agent, now) for agent in agents[:MOST_CHILDREN]),
        max(0, len(agents) - MOST_CHILDREN),
        tuple(_over(session)),
    )


def changing(session: Session, facts: Facts, now: float) -> tuple[object, ...]:
    """Return the parts of the card that can change while SESSION stays the same. This is much faster than `card`."""
    ages = tuple(_age(agent, now) for agent in session.agents if agent.status in STATES)
    muted, until = session.session_id in facts.muted, facts.later.get(session.session_id)
    return ago(session.since, now), _warm(session, now), muted, until and clock(until, now), ages


def _warm(session: Session, now: float) -> int:
    """Return for how many more minutes the prompt cache surely holds the conversation, rounded up; else 0."""
    if session.group != "needs_you" or warmth(session, now) != WARM:
        return 0
    return ceil(warm_for(session, now) / 60)


def _over(session: Session) -> Iterator[Span]:
    """Yield how many subagents have ended in this turn, by how they ended."""
    since = session.turn_started
    ended = [one.status for one in session.agents if since is not None and one.ended is not None and one.ended >= since]
    for status, called, style in OVER:
        if count := ended.count(status):
            yield Span(f"{count}{'+' * (count >= MOST_ENDED)} {called}", style)


def _marks(session: Session, facts: Facts, now: float) -> Iterator[Span]:
    if minutes := _warm(session, now):
        yield Span(f"cache warm for {minutes} min", "yellow")
    if session.session_id in facts.muted:
        yield Span("muted", "dim")
    if (until := facts.later.get(session.session_id)) is not None:
        yield Span(f"quiet until {clock(until, now)}", "dim")
    if session.kind == "background":
        yield Span("background", "dim")


def _figures(session: Session, said: Cells) -> Figures:
    is_priced = session.cost_usd is not None and session.cost_usd >= 0.005
    return Figures(
        said.extras["model"],
        said.extras["context"],
        thousands(session.output_tokens) if session.output_tokens else "",
        f"${session.cost_usd:.2f}" if is_priced else "",
    )


def thousands(tokens: int) -> str:
    """Return a number of tokens with at most three digits: "950", "12k", "1.2M"."""
    if tokens < 1000:
        return str(tokens)
    if tokens < 999_500:
        return f"{tokens / 1000:.1f}k" if tokens < 9950 else f"{tokens / 1000:.0f}k"
    return f"{tokens / 1e6:.1f}M" if tokens < 9_950_000 else f"{tokens / 1e6:.0f}M"


def _child(agent: Agent, now: float) -> Child:
    (sign, style), called = STATES[agent.status]
    call = deed(agent.detail)
    does = f"{call.doing} {call.subject}".strip() if call else agent.detail or called
    return Child(Span(sign, style), short(agent.type or agent.id, 24), short(does, 200), _age(agent, now))


def _age(agent: Agent, now: float) -> str:
    return "" if agent.started is None else ago(agent.started, now)
