"""Test which channels send a secret without encryption."""

from typing import Any

import pytest

from deskbell.notices.channels.exposed import exposed, without_path
from deskbell.notices.policy import Policy
from tests.tray.notices.channels.receiver import channel

TOKEN = {"kind": "ntfy", "secret": "env:TOKEN"}
HOOK = {"kind": "webhook"}
CHANNELS: dict[str, tuple[dict[str, Any], str | None]] = {
    "a token to another host": ({**TOKEN, "url": "http://ntfy.example/topic"}, "its token"),
    "a token to an address": ({**TOKEN, "url": "http://192.168.1.2/topic"}, "its token"),
    "a token to an address of IPv6": ({**TOKEN, "url": "http://[fe80::1]/topic"}, "its token"),
    "a token that is encrypted": ({**TOKEN, "url": "https://ntfy.example/topic"}, None),
    "a token to this machine": ({**TOKEN, "url": "http://localhost:8080/topic"}, None),
    "a token to 127.0.0.2": ({**TOKEN, "url": "http://127.0.0.2/topic"}, None),
    "a token to ::1": ({**TOKEN, "url": "http://[::1]:80/topic"}, None),
    "a token to a name of this machine": ({**TOKEN, "url": "http://ntfy.localhost/topic"}, None),
    "no token": ({"kind": "ntfy", "url": "http://ntfy.example/topic"}, None),
    "codes": ({"kind": "ntfy", "url": "http://ntfy.example/t", "answers": True}, "the codes that answer requests"),
    "codes that are encrypted": ({"kind": "ntfy", "url": "https://ntfy.example/t", "answers": True}, None),
    "a path": ({**HOOK, "url": "http://hooks.example/services/T0"}, "the path of its url, which may be a secret,"),
    "a query": ({**HOOK, "url": "http://hooks.example/?key=x"}, "the path of its url, which may be a secret,"),
    "a key that only signs": ({**HOOK, "url": "http://hooks.example/", "secret": "env:KEY"}, None),
    "a path that is encrypted": ({**HOOK, "url": "https://hooks.example/services/T0"}, None),
}


@pytest.mark.parametrize(("of", "sends"), CHANNELS.values(), ids=CHANNELS)
def test_a_secret_that_is_not_encrypted_is_named_and_not_shown(of: dict[str, Any], sends: str | None) -> None:
    found = list(exposed(Policy(channels=(channel(**of),))))
    assert found == (
        [f"The channel one sends {sends} without encryption: its url begins with http://."] if sends else []
    )


def test_a_command_sends_nothing_over_http() -> None:
    assert list(exposed(Policy(channels=(channel("command", command=["true"], secret="env:TOKEN"),)))) == []


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://hooks.example/T0/x9", "https://hooks.example/[redacted]"),
        ("https://me:pass@hooks.example:8443/?key=x9#y", "https://hooks.example:8443/[redacted]"),
        ("https://hooks.example?x9", "https://hooks.example/[redacted]"),
        ("https://ntfy.example/topic", "https://ntfy.example/[redacted]"),
        ("https://hooks.example", "https://hooks.example"),
        ("", ""),
        ("https://hooks.example/", "https://hooks.example/[redacted]"),
    ],
)
def test_a_url_is_shown_without_what_may_be_a_secret_in_it(url: str, shown: str) -> None:
    assert without_path(url) == shown
