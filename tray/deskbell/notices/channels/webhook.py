"""Post a message as JSON to a webhook, signed if the channel has a secret."""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from deskbell.notices.channels import Message
from deskbell.notices.channels.http import post
from deskbell.notices.channels.secret import secret
from deskbell.notices.policy import Channel

# Slack, Mattermost and the Slack form of Discord show `text`.
TEMPLATE: Mapping[str, object] = {
    "text": "{title}\n{body}",
    "title": "{title}",
    "body": "{body}",
    "status": "{status}",
    "at": "{at}",
}


def send(message: Message, channel: Channel) -> None:
    # TOML has dates and JSON has none: `default=str` writes them as text.
    body = json.dumps(filled(channel.template or TEMPLATE, message), ensure_ascii=False, default=str).encode()
    key = secret(channel.secret)
    post(channel.url, body, signature(body, key, int(time.time())) if key else {}, channel.timeout)


def filled(template: object, message: Message) -> object:
    """Return TEMPLATE with its placeholders replaced. Inserted text is not searched for placeholders."""
    if isinstance(template, Mapping):
        return {key: filled(value, message) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [filled(value, message) for value in template]
    return _fill(template, message) if isinstance(template, str) else template


def signature(body: bytes, key: str, at: int) -> dict[str, str]:
    """Return the headers that prove where BODY comes from: HMAC-SHA256 over the time, a dot and the body.

    The time is signed as well, so that an old message cannot be sent again as a new one.
    """
    digest = hmac.new(key.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Deskbell-Timestamp": str(at), "X-Deskbell-Signature": f"sha256={digest}"}


def _fill(text: str, message: Message) -> str:
    values = {"title": message.title, "body": message.body, "status": message.status, "at": str(int(message.at))}
    out, rest = "", text
    while rest:
        before, brace, after = rest.partition("{")
        name, close, further = after.partition("}")
        known = bool(close) and name in values
        out += before + (values[name] if known else brace)
        rest = further if known else after
    return out
