"""Define Session: everything that Deskbell believes about one session. All rooms share these values."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar, get_args

from deskbell.asking import Asking
from deskbell_hooks.schema import Status

Group = Literal["needs_you", "running", "crashed", "ended", "new"]

T = TypeVar("T")


def of_every_status(table: dict[Status, T]) -> dict[Status, T]:
    """Return TABLE. Raise ValueError if it leaves out a status, or has a row for a word that is none."""
    if wrong := table.keys() ^ set(get_args(Status)):
        raise ValueError(f"these rows are missing or too many: {', '.join(sorted(wrong))}")
    return table


GROUPS: dict[Status, Group] = of_every_status(
    {
        "permission": "needs_you",
        "question": "needs_you",
        "input": "needs_you",
        "plan": "needs_you",
        "interrupted": "needs_you",
        "error": "needs_you",
        "idle": "needs_you",
        "limit": "running",
        "working": "running",
        "background": "running",
        "crashed": "crashed",
        "ended": "ended",
        "new": "new",
    }
)
"""The group of each status, the most urgent status first."""
STATUSES: tuple[Status, ...] = tuple(GROUPS)
URGENCY: dict[Status, int] = {status: rank for rank, status in enumerate(STATUSES)}
BLOCKED: frozenset[Status] = frozenset(("permission", "question", "input", "plan"))
"""The statuses in which a session cannot go on without an answer. A session whose turn is over is not blocked."""

STALE_AFTER = 8 * 3600.0
"""Seconds without an event after which a session is stale."""

STALLED_AFTER, STALLED_IN_TOOL_AFTER = 8 * 60.0, 20 * 60.0
"""Seconds without a step after which a session that works is stalled: while no tool runs, and while one does. A step is
an event, a line in the transcript or a change in the registry."""

Key = tuple[str, int | None]
"""A session id and the pid of the client that runs it: one id may run in two terminals."""

Ask = tuple[int, str]
"""The order of the event that made a request, and its subagent. A later request is greater."""


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
    """Dollars at list price; None if the price of any answer is not known."""


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
    """What it has spent on each of the newest days with an answer. Not in the JSON."""
    last_line: str | None = None
    last_error: str | None = None
    place: Place = Place()
    hidden: bool = False
    """Listed only on request: `claude -p` and other clients that no person attends."""
    resets_at: float | None = None
    """When the usage limit ends for which it waits; None if it waits for none, or that is not known."""
    stale: bool = False
    stalled: bool = False
    """Whether it works, but has made no step for long."""
    stalls_at: float | None = None
    """When it is stalled unless it makes a step before; None while it does not work. Not in the JSON."""
    suspended: bool = False
    """Whether its process is stopped, as Ctrl+Z stops it. It goes on after `fg` in its terminal."""
    lost: bool = False
    """Whether its process cannot be asked about: it runs on another machine, if at all. Not in the JSON."""
    began: float | None = None
    """When its client began to run it; None if unknown. Not in the JSON."""
    started_in: tuple[str, ...] = ()
    """The folders where its client may have been started: it keeps the settings of that folder. Not in the JSON."""
    ask: Ask | None = None
    """The request that it waits for; None if it waits for none, or no hook has said which. Not in the JSON."""
    asking: Asking | None = None
    """The request that it waits for, if it can be answered from here. Not in the JSON: other programs ask the running
    Deskbell for it."""
    person_at: float | None = None
    """When its person last prompted, answered, interrupted or left a dialog, as far as is known. Not in the JSON: only
    a program that follows the session all the time knows every such moment."""
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
        """Whether its process is gone: it can be resumed, and has no window to show and nothing to silence."""
        return self.group in ("crashed", "ended")

    @property
    def blocked(self) -> bool:
        return self.status in BLOCKED

    @property
    def your_turn(self) -> bool:
        return self.group == "needs_you" and not self.blocked

    @property
    def takes_prompt(self) -> bool:
        """Whether its client is at its prompt: its turn is over, or it was never prompted."""
        return self.your_turn or self.group == "new"

    def resumes(self, session_id: str, died: float) -> bool:
        """Return True if this client runs SESSION_ID and began to do so after another client of it DIED."""
        return self.session_id == session_id and not self.over and (self.began is None or self.began > died)

    @property
    def name(self) -> str:
        """Its title, else its newest prompt, else the start of its id."""
        return self.title or self.prompt or self.session_id[:8]
