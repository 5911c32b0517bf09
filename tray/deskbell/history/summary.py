"""Define the values that `summarise` returns: what has happened in a session so far."""

from dataclasses import dataclass, field

from deskbell.history.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Prompt:
    at: float
    text: str


@dataclass(slots=True)
class ToolUse:
    count: int = 0
    failed: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class AgentRun:
    id: str
    type: str
    started: float | None
    completed: float | None


@dataclass(frozen=True, slots=True)
class Failure:
    at: float
    kind: str
    message: str
    context: dict[str, str]


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification of Claude Code, as its hook reported it."""

    at: float
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Files:
    new: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    read: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    created: float | None = None
    updated: float | None = None
    active: bool = False
    """Whether a client that ran the session has not reported its end."""
    title: str = ""
    cwd: str | None = None
    model: str | None = None
    events: dict[str, int] = field(default_factory=dict)
    unreadable: int = 0
    """Lines of the journal that could not be read."""
    prompts: tuple[Prompt, ...] = ()
    tools: dict[str, ToolUse] = field(default_factory=dict)
    files: Files = Files()
    agents: tuple[AgentRun, ...] = ()
    errors: tuple[Failure, ...] = ()
    notifications: tuple[Notification, ...] = ()
    timeline: tuple[Phrase, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
