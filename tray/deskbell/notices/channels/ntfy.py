"""Send a message to a phone by ntfy, take it back, and read the replies.

A message goes as JSON, because ntfy's headers carry only ASCII. A reply goes to a topic of its own, and without a
token: whoever can read the message would have the token.
"""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from urllib.parse import urlsplit, urlunsplit

from deskbell.notices.channels import Failed, Message, Reply
from deskbell.notices.channels.http import Stream, delete, post, stream
from deskbell.notices.channels.secret import secret
from deskbell.notices.policy import Channel, Urgency

PRIORITY: dict[Urgency, int] = {"low": 2, "normal": 3, "critical": 4}
MOST_REPLIES = 3
"""The most buttons that ntfy takes: https://docs.ntfy.sh/publish/#action-buttons"""
REPLIES = "-answers"
"""What the name of the topic of replies ends in."""
IDLE = 150.0
"""Seconds. A server sends a line every 45 seconds (`keepalive-interval`), some every two minutes."""
LONGEST = 32 * 1024
"""Bytes of a line. ntfy takes a message of 4096 bytes, each of which JSON may write as six."""


def send(message: Message, channel: Channel, replies: Sequence[Reply] = ()) -> None:
    """Send MESSAGE with a button for each of REPLIES, or take back the one with its tag."""
    server, topic = _split(channel.url)
    if message.gone:
        _take_back(f"{server}{topic}/{message.tag}", channel)
        return
    body: dict[str, object] = {
        "topic": topic,
        "title": message.title,
        "message": message.body,
        "priority": PRIORITY[message.urgency],
        "tags": ["bell", message.status],
    }
    if replies:
        # A server older than 2.16 ignores this name, and cannot take the message back.
        body["sequence_id"] = message.tag
        body["actions"] = [_button(one, f"{server}{topic}{REPLIES}") for one in replies[:MOST_REPLIES]]
    post(server, json.dumps(body).encode(), _headers(channel), channel.timeout)


def reply_topic(channel: Channel) -> str:
    return _split(channel.url)[1] + REPLIES


def replies(channel: Channel, since: int) -> AbstractContextManager[Stream]:
    """Listen to the topic of replies of CHANNEL, beginning SINCE seconds ago by the clock of the server."""
    url = f"{_split(channel.url)[0]}{reply_topic(channel)}/json?since={since}s"
    return stream(url, _headers(channel), channel.timeout, IDLE, LONGEST)


def _take_back(url: str, channel: Channel) -> None:
    """Delete a message. Do nothing if the server cannot, or does not know the message."""
    try:
        delete(url, _headers(channel), channel.timeout)
    except Failed as failed:
        if not failed.for_good:
            raise


def _button(reply: Reply, url: str) -> dict[str, object]:
    """Return a button that disappears with its message once the server has the reply."""
    return {"action": "http", "label": reply.label, "url": url, "method": "POST", "body": reply.code, "clear": True}


def _headers(channel: Channel) -> dict[str, str]:
    token = (secret(channel.secret) or "").strip()
    return {"Authorization": f"Bearer {token}"} if token else {}


def _split(url: str) -> tuple[str, str]:
    """Return the address of the server, and the topic: the last part of the path."""
    parts = urlsplit(url)
    path, _, topic = parts.path.rpartition("/")
    if not topic:
        raise Failed("its url names no topic. Use https://SERVER/TOPIC.", for_good=True)
    return urlunsplit(parts._replace(path=path + "/", query="")), topic
