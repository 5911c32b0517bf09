"""How does a notice reach anything that takes JSON by POST, and how does that know it is ours?"""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from deskbell.notices.channels import Message
from deskbell.notices.channels.http import post
from deskbell.notices.channels.secret import secret
from deskbell.notices.policy import Channel

# `text` is what Slack, Mattermost and Discord's Slack form show.
TEMPLATE: Mapping[str, object] = {
    "text": "{title}\n{body}",
    "title": "{title}",
    "body": "{body}",
    "status": "{status}",
    "at": "{at}",
}


def send(message: Message, channel: Channel) -> None:
    body = json.dumps(filled(channel.template or TEMPLATE, message), ensure_ascii=False).encode()
    key = secret(channel.secret)
    post(channel.url, body, signed(body, key, int(time.time())) if key else {}, channel.timeout)


def filled(template: object, message: Message) -> object:
    """What is put in is never looked at for placeholders again."""
    if isinstance(template, Mapping):
        return {key: filled(value, message) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [filled(value, message) for value in template]
    return _fill(template, message) if isinstance(template, str) else template


def signed(body: bytes, key: str, at: int) -> dict[str, str]:
    """HMAC-SHA256 over the time, a point and the body: an old message cannot be sent again as a new one."""
    digest = hmac.new(key.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Deskbell-Timestamp": str(at), "X-Deskbell-Signature": f"sha256={digest}"}


def _fill(text: str, message: Message) -> str:
    words = {"title": message.title, "body": message.body, "status": message.status, "at": str(int(message.at))}
    out, rest = "", text
    while rest:
        before, brace, after = rest.partition("{")
        name, close, further = after.partition("}")
        known = bool(close) and name in words
        out += before + (words[name] if known else brace)
        rest = further if known else after
    return out
