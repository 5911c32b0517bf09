"""Send a message to a phone by ntfy, as JSON: ntfy's headers carry ASCII only."""

import json
from urllib.parse import urlsplit, urlunsplit

from deskbell.notices.channels import Failed, Message
from deskbell.notices.channels.http import post
from deskbell.notices.channels.secret import secret
from deskbell.notices.policy import Channel, Urgency

PRIORITY: dict[Urgency, int] = {"low": 2, "normal": 3, "critical": 4}


def send(message: Message, channel: Channel) -> None:
    server, topic = _split(channel.url)
    body = {
        "topic": topic,
        "title": message.title,
        "message": message.body,
        "priority": PRIORITY[message.urgency],
        "tags": ["bell", message.status],
    }
    token = (secret(channel.secret) or "").strip()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    post(server, json.dumps(body).encode(), headers, channel.timeout)


def _split(url: str) -> tuple[str, str]:
    """The address of the server, and the topic: the last part of the path."""
    parts = urlsplit(url)
    path, _, topic = parts.path.rpartition("/")
    if not topic:
        raise Failed("its url names no topic. Use https://SERVER/TOPIC.", for_good=True)
    return urlunsplit(parts._replace(path=path + "/", query="")), topic
