"""Test that a webhook gets its template filled in, and a signature that can be checked."""

import hashlib
import hmac
import json
from datetime import date

import pytest

from deskbell.notices.channels import Message, send
from deskbell.notices.channels.webhook import filled, signature
from tests.tray.notices.channels.receiver import MESSAGE, channel, receiver


def test_a_webhook_gets_its_template_and_a_signature_that_can_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "sesame")
    template = {"blocks": [{"text": "{status}: {title}"}], "n": 1}
    with receiver() as one:
        send(MESSAGE, channel("webhook", url=one.url, secret="env:KEY", template=template))
    ((_, headers, body),) = one.got
    assert json.loads(body) == {"blocks": [{"text": f"permission: {MESSAGE.title}"}], "n": 1}
    signed = hmac.new(b"sesame", f"{headers['X-Deskbell-Timestamp']}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["X-Deskbell-Signature"] == f"sha256={signed}"


def test_the_signature_depends_on_the_time_the_key_and_the_body() -> None:
    made = {signature(body, key, at)["X-Deskbell-Signature"] for body in (b"a", b"b") for key in "kl" for at in (1, 2)}
    assert len(made) == 8


def test_a_webhook_without_a_template_gets_what_slack_shows_and_no_signature() -> None:
    with receiver() as one:
        send(MESSAGE, channel("webhook", url=one.url))
    ((_, headers, body),) = one.got
    assert json.loads(body)["text"] == f"{MESSAGE.title}\n{MESSAGE.body}"
    assert "X-Deskbell-Signature" not in headers


def test_a_date_in_a_template_is_written_as_text() -> None:
    with receiver() as one:
        send(MESSAGE, channel("webhook", url=one.url, template={"since": date(2026, 3, 3)}))
    assert json.loads(one.got[0][2]) == {"since": "2026-03-03"}


FILLED = {
    "known names": ("{title}", "t{body}"),
    "twice": ("{title}{title}", "t{body}t{body}"),
    "the time": ("{at}", "7"),
    "unknown names stay": ("{x} {title", "{x} {title"),
    "braces stay": ("{{title}}", "{t{body}}"),
    "a list": (["{status}", 1], ["idle", 1]),
    "a tuple": (("{body}",), ["b"]),
    "no text": (5, 5),
}


@pytest.mark.parametrize(("template", "text"), FILLED.values(), ids=FILLED)
def test_placeholders_are_filled_once_and_text_is_not_searched_for_them(template: object, text: object) -> None:
    assert filled(template, Message("t{body}", "b", "idle", "normal", 7.9)) == text
