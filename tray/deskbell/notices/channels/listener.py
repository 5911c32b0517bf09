"""Listen to the topic of replies of one channel, in a thread, until `end` is called.

The server is not trusted. A line has a maximal length, a server that sends too many other messages is left, and only
the text of a message to this topic is passed on. The receiver compares it with the open codes.
"""

import logging
import threading
from collections.abc import Callable

from deskbell.notices.channels import Failed
from deskbell.notices.channels.http import Stream
from deskbell.notices.channels.ntfy import replies, reply_topic
from deskbell.notices.policy import Channel
from deskbell_hooks.codec import decode

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until the next attempt to listen; each further pause is twice as long."""
HELD = 5.0
"""Seconds after which a connection counts as good, so that the pauses start again at the shortest."""
EARLIER = 60
"""A listener also asks for the messages of this many seconds before it began: clocks of servers differ."""
OLDEST = 12 * 3600
"""Seconds for which ntfy keeps a message by default."""
MOST = 1000
"""The most messages without an open code that one connection may bring."""
LONGEST_CODE = 64
"""Characters."""

log = logging.getLogger(__name__)


class Listener:
    def __init__(
        self,
        channel: Channel,
        hear: Callable[[str], bool],
        clock: Callable[[], float],
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        """HEAR takes the text of a message, in the thread of the listener. It returns whether that was an open code."""
        self.channel = channel
        self._hear = hear
        self._clock = clock
        self._began = clock()
        self._first_pause = self._pause = first_pause
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._stream: Stream | None = None
        self._said: str | None = None
        """The last failure that is in the log."""

    def run(self) -> None:
        """Listen until `end` is called, with a pause after each failure."""
        while not self._over.is_set():
            began = self._clock()
            try:
                self._listen()
            except Failed as failed:
                self._report(str(failed))
            self._pause = self._first_pause if abs(self._clock() - began) >= HELD else self._pause
            self._over.wait(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def end(self) -> None:
        """Make the thread end. Any thread may call this."""
        self._over.set()
        with self._lock:
            if self._stream:
                self._stream.hang_up()

    def _listen(self) -> None:
        since = min(max(0, int(self._clock() - self._began)) + EARLIER, OLDEST)
        topic, others = reply_topic(self.channel), 0
        with replies(self.channel, since) as stream:
            self._set(stream)
            try:
                for line in () if self._over.is_set() else stream:
                    said = text(line, topic)
                    if self._over.is_set():
                        return
                    others += said is not None and not self._hear(said)
                    if others >= MOST:
                        raise Failed(f"the server sent {MOST} messages that are no answers")
            finally:
                self._set(None)

    def _set(self, stream: Stream | None) -> None:
        with self._lock:
            self._stream = stream

    def _report(self, trouble: str) -> None:
        """Log TROUBLE unless it is the same as the last one."""
        if trouble != self._said and not self._over.is_set():
            log.warning("%s: answers cannot be received: %s", self.channel.name, trouble)
        self._said = trouble


def text(line: bytes, topic: str) -> str | None:
    """Return the text of the message in LINE; "" if it cannot be an answer, None if the line is no message."""
    try:
        said = decode(line)
    except ValueError:
        return ""
    if not isinstance(said, dict):
        return ""
    if said.get("event") in ("open", "keepalive"):
        return None
    found = said.get("message")
    if said.get("event") != "message" or said.get("topic") != topic or not isinstance(found, str):
        return ""
    return found if len(found) <= LONGEST_CODE else ""
