"""What does the person want to hear of, when and how? The shape of config.toml, with every default and its reason."""

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from deskbell_hooks.schema import Status

Urgency = Literal["low", "normal", "critical"]
Step = Literal["again", "sound", "phone"]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ring(Part):
    """What happens for one status."""

    ring: bool = Field(default=True, description="Whether this status rings at all.")
    delay: float = Field(default=0.0, ge=0, le=3600, description="Seconds it must last before it rings.")
    urgency: Urgency = Field(default="normal", description="low, normal or critical; critical stays until answered.")
    sound: str = Field(
        default="", description='"" for none, "default", a name of the sound theme, or the path of a file.'
    )


class Asked(Ring):
    """For what Claude waits for: it stays on the screen until it is answered."""

    urgency: Urgency = Field(default="critical", description="low, normal or critical; critical stays until answered.")


class TurnOver(Ring):
    """For the end of a turn: a short one has been watched, and a queued prompt may begin the next at once."""

    delay: float = Field(default=1.0, ge=0, le=3600, description="As for any ring.")
    min_turn: float = Field(default=10.0, ge=0, description="Seconds the turn must have taken to be worth a ring.")


class Rings(Part):
    permission: Asked = Field(default=Asked(), description="A tool waits for approval.")
    question: Asked = Field(default=Asked(), description="Claude asks something.")
    input: Asked = Field(default=Asked(), description="An MCP server or another dialog waits.")
    plan: Asked = Field(default=Asked(), description="A plan waits for approval.")
    interrupted: Ring = Field(default=Ring(), description="The turn was cut short.")
    error: Ring = Field(default=Ring(), description="The turn ended in an API error.")
    crashed: Ring = Field(default=Ring(), description="The process died without a word.")
    idle: TurnOver = Field(default=TurnOver(), description="The turn is over and nothing runs in the background.")

    def of(self, status: Status) -> Ring | None:
        """None for a status that never wants its person."""
        return getattr(self, status, None)


_HOURS = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)")


def _hours(text: str) -> str:
    if not _HOURS.fullmatch(text):
        raise ValueError('write hours as "22:00-07:30"')
    return text


class Silence(Part):
    when_focused: bool = Field(
        default=True, description="No ring while the session's own window, tab and pane is focused."
    )
    system_dnd: bool = Field(default=True, description="Hold back while the system's do-not-disturb is on.")
    hours: tuple[Annotated[str, AfterValidator(_hours)], ...] = Field(
        default=(), description='Quiet hours, local time, e.g. ["22:00-07:30"]; what was held back is summed up after.'
    )
    projects: tuple[str, ...] = Field(
        default=(), description='Projects that never ring: names or globs, e.g. ["scratch*"].'
    )

    def hours_end(self, now: float) -> float | None:
        """When the quiet hours that hold now are over; None outside of them."""
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
    more_than: int = Field(default=3, ge=1, description="More sessions than this, that want you at the same time,")
    within: float = Field(default=2.0, ge=0, description="within so many seconds, become one notification.")


class Escalation(Part):
    minutes: float = Field(
        default=0.0, ge=0, description="Minutes unanswered before each next step; 0 switches it off."
    )
    steps: tuple[Step, ...] = Field(
        default=("again", "sound", "phone"),
        description='What happens then, one after the other; "phone": the channels with when = "unanswered".',
    )
    statuses: tuple[Status, ...] = Field(
        default=("permission", "question", "input", "plan", "error"), description="For which statuses."
    )
    sound: str = Field(default="default", description="The sound of the second step.")


class Words(Part):
    details: bool = Field(default=True, description="Show what is asked; false shows only the project and the status.")
    branch: bool = Field(default=True, description="Show the git branch.")
    length: int = Field(default=240, ge=20, le=2000, description="Longest text of what is asked, in characters.")
    buttons: bool = Field(default=True, description="Go, Snooze and Mute where the desktop has buttons.")


class Channel(Part):
    name: str = Field(min_length=1, description="What the log calls it.")
    kind: Literal["ntfy", "webhook", "command"] = Field(description="ntfy, webhook or command.")
    when: Literal["ring", "unanswered"] = Field(
        default="unanswered", description="With every ring, or as the phone step."
    )
    statuses: tuple[Status, ...] = Field(default=("permission", "question", "input", "plan", "error"))
    details: bool = Field(
        default=False, description="Whether what is asked may leave the machine; else project and status."
    )
    url: str = Field(default="", description="ntfy: https://ntfy.sh/your-topic; webhook: where to POST.")
    secret: str = Field(
        default="",
        description='Where the token or the HMAC key is: "env:NAME" or "keyring:NAME"; never the secret itself.',
    )
    template: Mapping[str, object] = Field(
        default={}, description="webhook: the JSON to send, with {title}, {body}, {status}."
    )
    command: tuple[str, ...] = Field(
        default=(), description="command: the program and its arguments; the notice is on stdin."
    )
    timeout: float = Field(default=10.0, gt=0, le=120, description="Seconds for one attempt.")
    attempts: int = Field(default=5, ge=1, le=20, description="Attempts before it is given up and logged.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "command" and not self.command:
            raise ValueError('a channel of kind "command" needs command = ["program", "argument", ...]')
        if self.kind != "command" and not self.url.startswith(("https://", "http://")):
            raise ValueError(f'a channel of kind "{self.kind}" needs url = "https://..."')
        if self.secret and not self.secret.startswith(("env:", "keyring:")):
            raise ValueError(
                'secret names a place, "env:NAME" or "keyring:NAME"; the secret itself does not belong here'
            )
        return self


class Policy(Part):
    version: Literal[1] = Field(default=1, description="The version of this file.")
    rings: Rings = Field(default=Rings())
    silence: Silence = Field(default=Silence())
    burst: Burst = Field(default=Burst())
    escalation: Escalation = Field(default=Escalation())
    words: Words = Field(default=Words())
    channels: tuple[Channel, ...] = Field(default=(), description="Other ways out, all opt-in; one [[channels]] each.")
