"""Define the shapes of an event, a journal line and a record: the contract on disk between hook and tray.

Times are in seconds since 1970. The hook never imports this module at run time, so types cost it nothing. The tray
does, to validate what it reads.
"""

import sys
from typing import Any, Literal

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:  # before 3.12 pydantic supports only this one
    from typing_extensions import TypedDict

Status = Literal[
    "permission",
    "question",
    "input",
    "interrupted",
    "error",
    "plan",
    "idle",
    "limit",
    "working",
    "background",
    "ended",
    "crashed",
    "new",
]

Turn = Literal["new", "idle", "working", "interrupted", "error", "ended"]
"""What the main loop of a client does. What it waits for is in `pending`."""

Event = dict[str, Any]
"""One JSON object that Claude Code gives a hook on stdin. Any field may be missing, unknown or of a wrong type."""

Order = int
"""When the hook's process was started, in milliseconds of a clock that never steps. Comparable within one boot."""


class Client(TypedDict):
    """A process of Claude Code. The start distinguishes it from a later process with the same pid."""

    pid: int
    start: int | None


class Where(TypedDict, total=False):
    """Where a client runs. Written once for every client, with its first event."""

    pid: int
    start: int | None
    tty: str
    host: str
    """The name of the machine, for people: a network may change it."""
    machine: str
    boot: str
    pids: str
    """What identifies the machine, its present start, and the namespace whose number `pid` is. Only on Linux."""
    ssh: str
    wsl: str
    container: str
    entrypoint: str
    attended: bool
    handles: dict[str, str]
    """Environment variables by which its terminal, multiplexer or editor can be found."""


class Line(TypedDict, total=False):
    """One event in the journal: what happened to what, without contents or secrets."""

    v: int
    at: float
    order: Order
    zero: float
    """The time of the wall clock when the count of `order` began, if that is new to a client: somebody set the clock.
    Only on Linux, whose count goes on while the machine sleeps."""
    event: str
    client: Client
    where: Where
    gone: list[Client]
    """Other clients of this session that had ended by then."""
    cwd: str
    transcript: str
    config_dir: str
    mode: str
    prompt: str
    """The id of the prompt that the client works on, shortened."""
    agent: str
    agent_type: str
    tool: str
    subject: str
    use: str
    ms: int
    input_size: int
    output_size: int
    file: str
    file_kind: Literal["new", "edited", "read"]
    error: str
    interrupt: bool
    tasks: list[dict[str, str]]
    facts: dict[str, str | int | float | bool]
    """The event's own fields, by their names in the event."""


class Call(TypedDict):
    """A running tool call."""

    use: str
    tool: str
    subject: str
    agent: str
    order: Order


class Pending(TypedDict):
    """A request that waits for the person."""

    kind: Literal["permission", "question", "plan", "input"]
    tool: str
    subject: str
    use: str
    agent: str
    at: float
    order: Order


class AgentState(TypedDict, total=False):
    id: str
    type: str
    status: Literal["running", "idle", "done", "error"]
    started: float
    ended: float
    order: Order


class Counters(TypedDict):
    tools: dict[str, int]
    new: int
    edited: int
    read: int
    errors: int
    notifications: int
    prompts: int
    events: int


class Run(TypedDict, total=False):
    """What one client does with the session. Two clients may run one session at once."""

    where: Where
    began: float
    """When the first event of this client came."""
    zero: float
    """That of the newest line that has one. All times of the run are by this clock."""
    steps: list[list[float]]
    """When somebody last set the clock, and by how many seconds, the newest last."""
    mode: str
    turn: Turn
    doing: str
    compacting: bool
    calls: list[Call]
    pending: list[Pending]
    settled: list[list[Any]]
    """What is settled: order, scope, use, tool and subject, as in `requests.Settlement`."""
    agents: list[AgentState]
    tasks: list[dict[str, str]]
    error: str
    order: Order
    """The order of the newest event of the main loop."""
    turn_at: float
    """The time of that event."""
    prompt_order: Order
    asked_at: float
    """When the newest request was made, whether or not it still waits."""
    person_at: float
    """When the person last prompted the client or answered one of its requests, as far as its events tell."""
    status: Status
    detail: str
    since: float
    turn_started: float | None
    last_turn_seconds: float | None
    last_event: str
    last_at: float
    notified: str
    """The type of the newest Notification."""
    session_dir: str
    """The folder that SessionStart named."""
    id_set_on: str
    """The newest event of those that say which session a client runs (`deskbell_hooks.panes`)."""


class Record(Run, total=False):
    """The state file of one session: the run of the client whose event came last, and what all its clients share."""

    v: int
    session_id: str
    title: str
    prompt: str
    project: str
    start_cwd: str
    cwd: str
    model: str
    transcript: str
    config_dir: str
    started: float
    turns: int
    todo: list[int]
    """Tasks completed and tasks created since the hooks were installed, so either may be the larger."""
    counters: Counters
    last_error: dict[str, Any]
    last_message: str
    others: list[Run]
    """The other clients that run this session."""
    prompts: dict[str, int]
    """The pid of the client that worked on each of the newest prompts, also of clients that have gone."""
    journal: int
    """How many bytes of the journal are folded in."""
