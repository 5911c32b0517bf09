"""How does a notice reach a phone by ntfy? As JSON, since its headers know no more than ASCII."""

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
    token = secret(channel.secret)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    post(server, json.dumps(body).encode(), headers, channel.timeout)


def _split(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    path, _, topic = parts.path.rpartition("/")
    if not topic:
        raise Failed(f"{url} names no topic", for_good=True)
    return urlunsplit(parts._replace(path=path + "/", query="")), topic
