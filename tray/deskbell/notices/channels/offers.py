"""Remember the codes by which a phone may answer: one for each choice of each open request, for each channel.

The loop adds and removes offers; the threads that send and listen read them. Nothing of this is on disk, so no code
outlives the program.
"""

import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from hmac import compare_digest
from secrets import token_hex

from deskbell.asking import Asking, Choice
from deskbell.notices.channels import Reply
from deskbell.notices.policy import Channel


@dataclass(slots=True)
class Offer:
    """The choices of one request, at one channel."""

    channel: Channel
    request: str
    """The code of the request in this program (`Asking.code`), which never leaves the machine."""
    choices: tuple[Choice, ...]
    project: str
    tag: str = field(default_factory=lambda: token_hex(16))
    """The name of its message."""
    codes: dict[str, Choice] = field(default_factory=dict)
    """The choice for each code that the channel gets. A code is 128 random bits, and can be used once."""
    sent: bool = False
    """Whether its message is being sent, or has been."""

    def __post_init__(self) -> None:
        self.codes = {token_hex(16): choice for choice in self.choices}


class Offers:
    """All open offers. Any thread may call the methods."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._offers: list[Offer] = []

    def put(self, channel: Channel, asking: Asking, project: str) -> Offer:
        """Return the offer of ASKING at CHANNEL. A second message gets the same codes as the first."""
        with self._lock:
            for one in self._offers:
                if (one.channel, one.request, one.choices) == (channel, asking.code, asking.choices):
                    return one
            made = Offer(channel, asking.code, asking.choices, project)
            self._offers.append(made)
            return made

    def replies(self, tag: str) -> tuple[Reply, ...]:
        """Return the replies for the message with TAG, which is about to be sent; none if its request is over."""
        with self._lock:
            for one in self._offers:
                if one.tag == tag:
                    one.sent = True
                    return tuple(Reply(choice.label, code) for code, choice in one.codes.items())
            return ()

    def take(self, channel: str, said: str) -> tuple[Offer, Choice] | None:
        """Return the offer and the choice of the code SAID, which came from CHANNEL; None if no such code is open.

        The code cannot be used again.
        """
        given, found = said.encode(errors="replace"), None
        with self._lock:
            for one in self._offers:
                for code in one.codes if one.channel.name == channel else ():
                    if compare_digest(code.encode(), given):
                        found = one, code
            return (found[0], found[0].codes.pop(found[1])) if found else None

    def drop(self, request: str) -> list[Offer]:
        """Forget every code of REQUEST, and return its offers."""
        return self._forget([one for one in self._offers if one.request == request])

    def only(self, requests: Collection[str]) -> list[Offer]:
        """Forget the offers of all requests except REQUESTS, and return them."""
        return self._forget([one for one in self._offers if one.request not in requests])

    def keep(self, channels: Collection[Channel]) -> list[Offer]:
        """Forget the offers at all channels except CHANNELS, and return them. A changed channel is another one."""
        return self._forget([one for one in self._offers if one.channel not in channels])

    def channels(self) -> list[Channel]:
        """Return the channels from which an answer may come."""
        with self._lock:
            wanted = [one.channel for one in self._offers if one.codes]
        return [channel for at, channel in enumerate(wanted) if channel not in wanted[:at]]

    def _forget(self, gone: list[Offer]) -> list[Offer]:
        with self._lock:
            self._offers = [one for one in self._offers if one not in gone]
        return gone
