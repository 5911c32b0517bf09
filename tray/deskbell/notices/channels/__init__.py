"""Send notices by ways other than the desktop. Each channel is opt-in and takes the statuses it is configured for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

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


def send(message: Message, channel: Channel) -> None:
    """Send MESSAGE. Block at most as long as the channel's timeout. Raise Failed where it was not sent.

    Its text passes here once more, whoever wrote it: a program would not start with a NUL in its environment.
    """
    _sender(channel.kind)(replace(message, title=safe(message.title), body=safe(message.body)), channel)


def _sender(kind: Literal["ntfy", "webhook", "command"]) -> Callable[[Message, Channel], None]:
    """The function that sends for KIND. Import it only now: without a channel, HTTP is not needed."""
    from deskbell.notices.channels import command, ntfy, webhook

    senders: Mapping[str, Callable[[Message, Channel], None]] = {
        "ntfy": ntfy.send,
        "webhook": webhook.send,
        "command": command.send,
    }
    return senders[kind]
