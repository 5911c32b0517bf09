"""Define the values that all rooms share: what Deskbell believes of one session."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from deskbell.asking import Asking
from deskbell_hooks.schema import Status

Group = Literal["needs_you", "running", "crashed", "ended"]

GROUPS: dict[Status, Group] = {
    "permission": "needs_you",
    "question": "needs_you",
    "input": "needs_you",
    "plan": "needs_you",
    "interrupted": "needs_you",
    "error": "needs_you",
    "idle": "needs_you",
    "working": "running",
    "background": "running",
    "crashed": "crashed",
    "ended": "ended",
}
"""The group of each status, the most urgent status first."""
STATUSES: tuple[Status, ...] = tuple(GROUPS)
URGENCY: dict[Status, int] = {status: rank for rank, status in enumerate(STATUSES)}
BLOCKED: frozenset[Status] = frozenset(("permission", "question", "input", "plan"))
"""A blocked session cannot go on without an answer. One that has stopped waits for its person, but is not blocked."""

STALE_AFTER = 8 * 3600.0
"""Seconds without an event after which a session is stale."""

Key = tuple[str, int | None]
"""A session id and the pid of the client that runs it: one id may run in two terminals."""

Ask = tuple[int, str]
"""Which request of a session: the order of the event that made it, and the subagent. The next request is greater."""


@dataclass(frozen=True, slots=True)
class Agent:
    """A subagent or teammate: part of its session, never a session of its own."""

    id: str
    type: str
    status: str
    detail: str
    started: float | None
    ended: float | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session runs, from the environment of its client (`deskbell_hooks.place`)."""

    tty: str | None = None
    handles: tuple[tuple[str, str], ...] = ()

    def handle(self, name: str) -> str | None:
        return dict(self.handles).get(name)


class Spent(NamedTuple):
    """What a session and its subagents have spent on one day."""

    day: int
    """The number of the day in the local calendar, as `deskbell.text.times.day` counts."""
    tokens: int
    """Tokens written."""
    dollars: float | None
    """At list price; None if the price of any answer is not known."""


@dataclass(frozen=True, slots=True)
class Session:
    session_id: str
    pid: int | None
    pid_start: int | None
    status: Status
    detail: str
    """What it does or waits for: "Bash: npm publish", "Thinking", "2 subagents"."""
    reason: str
    """Why it has this status, from the rule of `truth` that decided."""
    since: float
    heard: float
    """The time of its last event of any kind."""
    project: str
    title: str
    prompt: str = ""
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    permission_mode: str | None = None
    host: str | None = None
    kind: str | None = None
    """interactive, background or print; None if it is not known."""
    config_dir: str | None = None
    transcript_path: str | None = None
    started: float | None = None
    turn_started: float | None = None
    last_turn_seconds: float | None = None
    turns: int = 0
    agents: tuple[Agent, ...] = ()
    tasks: tuple[str, ...] = ()
    todo: tuple[int, int] | None = None
    """How many tasks are done, and how many there are."""
    context_tokens: int | None = None
    context_percent: float | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    spent: tuple[Spent, ...] = ()
    """What it has spent on each of the newest days on which it answered. Not in the JSON."""
    last_line: str | None = None
    last_error: str | None = None
    place: Place = Place()
    hidden: bool = False
    """Listed only on request: `claude -p` and other clients that no person attends."""
    stale: bool = False
    suspended: bool = False
    """Its process is stopped, as Ctrl+Z does it: it goes on where it is, after `fg` in its terminal."""
    began: float | None = None
    """When its client began to run it, as far as is known. Not in the JSON."""
    started_in: tuple[str, ...] = ()
    """The folders where its client may have been started, whose settings it keeps wherever it goes. Not in the JSON."""
    ask: Ask | None = None
    """The request that it waits for; None if it waits for none, or no hook has said which. Not in the JSON."""
    asking: Asking | None = None
    """The request that it waits for, if that can be answered from here. Not in the JSON: other programs ask the running
    Deskbell for it."""
    person_at: float | None = None
    """When its person was last at it, as far as can be told now: they prompted, answered, interrupted or left a dialog.
    Not in the JSON: only what follows the session all the time knows every sign."""
    kept_until: float | None = None
    """Until when a crash stays on the board for its person; None for a session that nobody has to see."""

    @property
    def key(self) -> Key:
        return self.session_id, self.pid

    @property
    def group(self) -> Group:
        return GROUPS[self.status]

    @property
    def over(self) -> bool:
        """Its process is gone: it can be resumed, and there is nothing to show or to silence."""
        return self.group in ("crashed", "ended")

    @property
    def blocked(self) -> bool:
        return self.status in BLOCKED

    @property
    def your_turn(self) -> bool:
        return self.group == "needs_you" and not self.blocked

    def resumes(self, session_id: str, died: float) -> bool:
        """True if it runs the session that crashed when another client DIED, and did not run it before."""
        return self.session_id == session_id and not self.over and (self.began is None or self.began > died)

    @property
    def name(self) -> str:
        """Its title, else its newest prompt, else the start of its id."""
        return self.title or self.prompt or self.session_id[:8]
