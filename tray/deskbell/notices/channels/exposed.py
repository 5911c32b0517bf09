"""Find the channels that send a secret without encryption, and hide the secret in a URL. Pure.

The bell logs each sentence once, and `deskbell doctor` shows it. The message is sent all the same: the network may be
the person's own.
"""

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from deskbell.notices.policy import Channel, Policy
from deskbell.text.wording import short

STEP = "Use an https:// url."
"""What the person can do about it."""


def exposed(policy: Policy) -> Iterator[str]:
    """Yield a sentence for each channel that sends a token, or a path that works like one, to http:// elsewhere."""
    for channel in policy.channels:
        if (secret := _secret(channel)) and _is_open(channel.url):
            yield (
                f"The channel {short(channel.name, 40)} sends {secret} without encryption: its url begins with http://."
            )


def without_path(url: str) -> str:
    """Return URL without the parts that may hold a secret: user and password, path, query and fragment."""
    if not url:
        return url
    parts = urlsplit(url)
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return url if url == shown else f"{shown}/[redacted]"


def _secret(channel: Channel) -> str | None:
    """Return what CHANNEL sends that nobody else may know. The key of a webhook only signs; it is not sent."""
    if channel.kind == "ntfy" and channel.secret:
        return "its token"
    if channel.answers:
        return "the codes that answer requests"
    parts = urlsplit(channel.url)
    if channel.kind == "webhook" and (parts.path.strip("/") or parts.query):
        return "the path of its url, which may be a secret,"
    return None


def _is_open(url: str) -> bool:
    """Return whether URL leads over a network without encryption."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme != "http" or host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return True
