"""Send notices elsewhere than to the desktop. No channel is on by default; each takes the statuses in its settings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from deskbell.notices.policy import Channel, Urgency
from deskbell.text.wording import safe
from deskbell_hooks.schema import Status


class Failed(Exception):
    """A message was not sent. The text names no secret: it is logged, written down and shown by `deskbell why`."""

    def __init__(self, why: str, for_good: bool = False) -> None:
        super().__init__(why)
        self.for_good = for_good
        """Whether another attempt would fail as well."""


@dataclass(frozen=True, slots=True)
class Message:
    """What leaves the machine: the text of a notice and nothing else."""

    title: str
    body: str
    status: Status
    urgency: Urgency
    at: float
    tag: str = ""
    """Its name at a channel that can take it back: random, so that it tells nothing."""
    gone: bool = False
    """Whether to take back the message with this tag. Title and body do not matter then."""


class Reply(NamedTuple):
    """A choice that a phone can send back."""

    label: str
    code: str


def content(message: Message) -> dict[str, object]:
    """Return the parts of MESSAGE that its receiver gets."""
    return {name: getattr(message, name) for name in ("title", "body", "status", "urgency", "at")}


def send(message: Message, channel: Channel, replies: Sequence[Reply] = ()) -> None:
    """Send MESSAGE. Raise Failed if it was not sent.

    Block at most as long as the channel's timeout, and while the system looks up a name or opens the keyring.

    The text is cleaned here whoever wrote it: no program starts with a NUL in its environment. Only ntfy takes REPLIES,
    and only ntfy takes a message back.
    """
    clean = replace(message, title=safe(message.title), body=safe(message.body))
    if channel.kind == "ntfy":
        from deskbell.notices.channels import ntfy  # imported only now: without a channel, HTTP is not needed

        ntfy.send(clean, channel, replies)
    elif not message.gone:
        _sender(channel.kind)(clean, channel)


def _sender(kind: Literal["webhook", "command"]) -> Callable[[Message, Channel], None]:
    from deskbell.notices.channels import command, webhook  # imported only now, as ntfy is

    return webhook.send if kind == "webhook" else command.send
