"""By which other ways can a notice reach its person? Opt-in, each for the statuses it was configured for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from deskbell.notices.policy import Channel, Urgency
from deskbell_hooks.schema import Status


class Failed(Exception):
    """It did not get through; `for_good` where trying again is of no use."""

    def __init__(self, why: str, for_good: bool = False) -> None:
        super().__init__(why)
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class Message:
    """What leaves the machine: the words of a notice and nothing else."""

    title: str
    body: str
    status: Status
    urgency: Urgency
    at: float


def send(message: Message, channel: Channel) -> None:
    """Blocks for as long as the channel's timeout; raises Failed."""
    _sender(channel.kind)(message, channel)


def _sender(kind: Literal["ntfy", "webhook", "command"]) -> Callable[[Message, Channel], None]:
    """What only a configured channel needs is imported only for it."""
    from deskbell.notices.channels import command, ntfy, webhook

    senders: Mapping[str, Callable[[Message, Channel], None]] = {
        "ntfy": ntfy.send,
        "webhook": webhook.send,
        "command": command.send,
    }
    return senders[kind]
