"""Define every setting of `config.toml`: its default, what it may be, and the sentence that explains it.

`policyfile` reads it, `policytext` writes it, `complaint` words what is wrong with it.
"""

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, model_validator

from deskbell.notices.part import Part
from deskbell.notices.riskrules import RiskRules
from deskbell.notices.statusline import Statusline
from deskbell_hooks.schema import Status

Urgency = Literal["low", "normal", "critical"]
Step = Literal["again", "sound", "phone"]

DEEPEST = 20
"""The most levels of tables and lists in a template."""
LONGEST_TOPIC = 56
"""Characters. ntfy takes 64 for a topic, and answers arrive at one with a longer name."""

_ANSWERABLE = re.compile(rf"https?://[^/?#@]+(/[^/?#]+)*/[-_A-Za-z0-9]{{1,{LONGEST_TOPIC}}}")
_DELAY = "Wait this many seconds before ringing; what is over by then does not ring."
_URGENCY = 'Mark the notification "low", "normal" or "critical"; a critical one stays until it is answered.'


class Ring(Part):
    """What happens for one status."""

    ring: bool = Field(default=True, description="Ring for this status; false never rings.")
    delay: float = Field(default=0.0, ge=0, le=3600, description=_DELAY)
    urgency: Urgency = Field(default="normal", description=_URGENCY)
    sound: str = Field(
        default="",
        description='Play this sound: "" for none, "default", a name of the sound theme, or the path of a file.',
    )


class Asked(Ring):
    """What happens while Claude waits for an answer: the notification stays until there is one."""

    urgency: Urgency = Field(default="critical", description=_URGENCY)


class TurnOver(Ring):
    """What happens at the end of a turn. The delay is for a queued prompt, which begins the next turn at once."""

    delay: float = Field(default=1.0, ge=0, le=3600, description=_DELAY)
    min_turn: float = Field(
        default=10.0,
        ge=0,
        description="Ring only if a turn ends at least this many seconds after your last prompt or answer.",
    )


class Stalled(Ring):
    """What happens once a session that works has made no step for long. Nothing unless the person switches it on."""

    ring: bool = Field(
        default=False, description="Ring when a session has made no step for 8 minutes, or 20 in a tool."
    )


class Rings(Part):
    permission: Asked = Field(default=Asked.usual(), description="A tool waits for approval.")
    question: Asked = Field(default=Asked.usual(), description="Claude asks a question.")
    input: Asked = Field(default=Asked.usual(), description="An MCP server or another dialog waits for input.")
    plan: Asked = Field(default=Asked.usual(), description="A plan waits for approval.")
    interrupted: Ring = Field(default=Ring.usual(), description="You cut the turn short.")
    error: Ring = Field(default=Ring.usual(), description="The turn ended in an API error.")
    crashed: Ring = Field(default=Ring.usual(), description="The process exited unexpectedly.")
    idle: TurnOver = Field(default=TurnOver.usual(), description="The turn is over and nothing runs in the background.")
    stalled: Stalled = Field(default=Stalled.usual(), description="The session works, but makes no step.")

    def of(self, status: Status, stalled: bool = False) -> Ring | None:
        """Return the Ring of STATUS, or that of a STALLED session; None for a status that never rings."""
        return self.stalled if stalled else getattr(self, status, None)


_HOURS = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)")


def _hours(text: str) -> str:
    if not _HOURS.fullmatch(text):
        raise ValueError('write hours as "22:00-07:30"')
    return text


class Silence(Part):
    when_focused: bool = Field(
        default=True, description="Do not ring for a session whose window, tab and pane have the focus."
    )
    system_dnd: bool = Field(default=True, description="Hold rings back while the do-not-disturb of the desktop is on.")
    hours: tuple[Annotated[str, AfterValidator(_hours)], ...] = Field(
        default=(),
        description='Hold rings back in these hours, local time, such as ["22:00-07:30"], and ring once after them.',
    )
    projects: tuple[str, ...] = Field(
        default=(), description='Never ring for these projects: names or globs, such as ["scratch*"].'
    )

    def hours_end(self, now: float) -> float | None:
        """Return when the quiet hours end; None if NOW is not in them."""
        ends = [end for span in self.hours if (end := _end(span, now)) is not None]
        return max(ends, default=None)


def _end(span: str, now: float) -> float | None:
    here = datetime.fromtimestamp(now).astimezone()
    first, last = (time.fromisoformat(half.zfill(5)) for half in span.split("-"))
    for day in (here.date() - timedelta(days=1), here.date()):
        begin = datetime.combine(day, first).astimezone()
        end = datetime.combine(day if first < last else day + timedelta(days=1), last).astimezone()
        if begin <= here < end:
            return end.timestamp()
    return None


class Burst(Part):
    more_than: int = Field(
        default=3, ge=1, description="Group notifications when more than this many sessions ring at the same time."
    )
    within: float = Field(
        default=2.0, ge=0, description="Count sessions as simultaneous when they ring within this many seconds."
    )


class Escalation(Part):
    minutes: float = Field(
        default=0.0, ge=0, description="Minutes without an answer before each next step; 0 disables the escalation."
    )
    steps: tuple[Step, ...] = Field(
        default=("again", "sound", "phone"),
        description='Take these steps in order; "phone" sends to the channels with when = "unanswered".',
    )
    statuses: tuple[Status, ...] = Field(
        default=("permission", "question", "input", "plan", "error"), description="Escalate only in these statuses."
    )
    sound: str = Field(default="default", description='Play this sound in the step "sound".')


class Limits(Part):
    """What happens when much of a limit of an account is used. Only the statusline knows: it must be installed."""

    ring_at: float = Field(
        default=0.0, ge=0, le=100, description="Ring once when this percent of a limit is used; 0 never rings."
    )


class Notification(Part):
    details: bool = Field(default=True, description="Show what is asked; if false, only project and status.")
    branch: bool = Field(default=True, description="Show the git branch, unless details is false.")
    length: int = Field(default=240, ge=20, le=2000, description="Cut what is asked after this many characters.")
    buttons: bool = Field(default=True, description="Show buttons where the desktop has them.")


def _words(value: object) -> object:
    """Return a single text as a list of one word; as an empty list if it is empty."""
    return ([value] if value else []) if isinstance(value, str) else value


class Terminal(Part):
    command: Annotated[tuple[str, ...], BeforeValidator(_words)] = Field(
        default=(),
        description='Open this terminal: "kitty", or with options of its own ["st", "-f", "mono", "-e"].',
    )


class Answers(Part):
    """What may be answered from outside the terminal: nothing unless the person switches it on."""

    permission: bool = Field(default=False, description="Let a tool be allowed or denied.")
    question: bool = Field(default=False, description="Let a question be answered.")
    plan: bool = Field(default=False, description="Let a plan be approved or sent back.")
    reply: bool = Field(default=False, description="Let a session whose turn is over be given its next prompt.")
    rules: bool = Field(
        default=False, description="Offer the rules that Claude Code suggests, such as not to ask again for `npm test`."
    )

    risk: RiskRules = Field(
        default=RiskRules.usual(), description="Add commands of your own to those that Deskbell knows."
    )

    @property
    def needs_asker(self) -> bool:
        """Whether a hook must hold the requests of Claude Code open."""
        return self.permission or self.question or self.plan


class Channel(Part):
    name: str = Field(min_length=1, description="Name the channel; the log and `deskbell why` call it so.")
    kind: Literal["ntfy", "webhook", "command"] = Field(description='Send by "ntfy", "webhook" or "command".')
    when: Literal["ring", "unanswered"] = Field(
        default="unanswered", description='Send at every "ring", or when it is "unanswered" in the step "phone".'
    )
    statuses: tuple[Status, ...] = Field(
        default=("permission", "question", "input", "plan", "error"), description="Send only these statuses."
    )
    details: bool = Field(
        default=False, description="Send the prompt text to this channel; if false, only project and status."
    )
    url: str = Field(
        default="",
        description='For "ntfy", the server and the topic: "https://ntfy.sh/your-topic"; for "webhook", where to POST.',
    )
    secret: str = Field(
        default="",
        description='Name the place of the token or HMAC key: "env:NAME" or "keyring:NAME"; never the secret itself.',
    )
    template: Mapping[str, object] = Field(
        default={}, description='For "webhook", the JSON to send, with {title}, {body}, {status} and {at}.'
    )
    command: tuple[str, ...] = Field(
        default=(), description='For "command", the program and its arguments; it reads the message as JSON on stdin.'
    )
    answers: bool = Field(
        default=False,
        description='For "ntfy", offer Allow and Deny; who can read the topic can use them: see docs/away.md.',
    )
    timeout: float = Field(default=10.0, gt=0, le=120, description="Give up an attempt after this many seconds.")
    attempts: int = Field(default=5, ge=1, le=20, description="Give up the message after this many attempts.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "command" and not self.command:
            raise ValueError('kind = "command" needs command = ["program", "argument", ...]')
        if self.kind != "command" and not _is_url(self.url):
            raise ValueError(f'kind = "{self.kind}" needs url = "https://HOST/PATH" in plain ASCII')
        if self.secret and not self.secret.startswith(("env:", "keyring:")):
            raise ValueError('secret must name a place, "env:NAME" or "keyring:NAME"; never write the secret itself')
        if self.answers and self.kind != "ntfy":
            raise ValueError(f'answers = true needs kind = "ntfy"; "{self.kind}" cannot bring an answer back')
        if self.answers and not _ANSWERABLE.fullmatch(self.url):
            raise ValueError(
                "answers = true needs a url that ends in the topic, without a password or a question mark; "
                f'the topic has at most {LONGEST_TOPIC} letters, digits, "-" and "_"'
            )
        if _is_deep(self.template):
            raise ValueError(f"template is nested more than {DEEPEST} levels deep")
        return self


def _is_url(text: str) -> bool:
    """Return whether HTTP can post to TEXT. Any other URL would fail at every message."""
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").encode("idna")
        named = bool(host) and parts.port != 0
    except ValueError:
        return False
    plain = text.isascii() and text.isprintable() and " " not in text
    return named and plain and text.startswith(("https://", "http://"))


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        tables = [v for v in level if isinstance(v, Mapping)]
        lists = [v for v in level if isinstance(v, list | tuple)]
        level = [inner for table in tables for inner in table.values()] + [inner for one in lists for inner in one]
    return bool(level)


class Policy(Part):
    version: Literal[1] = Field(default=1, description="Keep the version of this file as it is.")
    ring_in_terminal: bool = Field(
        default=False,
        description="Ring in the terminal of the session, too: by its notification where it has one, else by its bell.",
    )
    show_in: Literal["terminal", "browser"] = Field(
        default="terminal", description='Show the board and details in a "terminal", or as pages in the "browser".'
    )
    rings: Rings = Field(default=Rings.usual(), description="Set for each status whether it rings, and how.")
    silence: Silence = Field(default=Silence.usual(), description="Set when Deskbell stays quiet.")
    burst: Burst = Field(default=Burst.usual(), description="Set when many notifications become one.")
    escalation: Escalation = Field(
        default=Escalation.usual(), description="Set the steps that follow when nobody answers."
    )
    limits: Limits = Field(
        default=Limits.usual(), description="Set whether the limits of your account ring, of 5 hours and of 7 days."
    )
    notification: Notification = Field(
        default=Notification.usual(),
        validation_alias=AliasChoices("notification", "words"),  # its name in older files
        description="Set the content of a notification.",
    )
    answers: Answers = Field(
        default=Answers.usual(),
        description="Set what can be answered from notifications, the menu and scripts, as `deskbell answers` does.",
    )
    terminal: Terminal = Field(
        default=Terminal.usual(), description="Set the terminal; empty for that of your desktop."
    )
    statusline: Statusline = Field(
        default=Statusline.usual(),
        description="Set Claude Code's statusline, once `deskbell statusline install` ran.",
    )
    channels: tuple[Channel, ...] = Field(
        default=(), description="Send notices elsewhere as well, one [[channels]] for each way; none unless you add it."
    )
