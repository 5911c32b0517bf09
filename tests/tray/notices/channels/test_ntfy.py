"""Test that ntfy gets the topic, the text and the token."""

import json

import pytest

from deskbell.notices.channels import Failed, send
from deskbell.notices.policy import Urgency
from tests.tray.notices.channels.receiver import MESSAGE, channel, receiver


def test_ntfy_gets_the_topic_the_text_and_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NTFY_TOKEN", "tk_1")
    with receiver() as one:
        send(MESSAGE, channel("ntfy", url=f"{one.url}/sub/my-topic?up=1", secret="env:NTFY_TOKEN"))
    ((path, headers, body),) = one.got
    assert (path, headers["Authorization"]) == ("/sub/", "Bearer tk_1")
    assert json.loads(body) == {
        "topic": "my-topic",
        "title": MESSAGE.title,
        "message": MESSAGE.body,
        "priority": 4,
        "tags": ["bell", "permission"],
    }


@pytest.mark.parametrize(("urgency", "priority"), [("low", 2), ("normal", 3), ("critical", 4)])
def test_the_urgency_becomes_the_priority(urgency: Urgency, priority: int) -> None:
    message = type(MESSAGE)("a", "b", "idle", urgency, 0.0)
    with receiver() as one:
        send(message, channel("ntfy", url=f"{one.url}/t"))
    assert json.loads(one.got[0][2])["priority"] == priority
    assert "Authorization" not in one.got[0][1]


def test_white_space_around_a_token_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A token that `$(cat file)` or a keyring hands out may end in a newline."""
    monkeypatch.setenv("NTFY_TOKEN", " tk_1\n")
    with receiver() as one:
        send(MESSAGE, channel("ntfy", url=f"{one.url}/t", secret="env:NTFY_TOKEN"))
    assert one.got[0][1]["Authorization"] == "Bearer tk_1"


@pytest.mark.parametrize("path", ["", "/", "/sub/"])
def test_a_url_without_a_topic_is_given_up_and_not_named(path: str) -> None:
    with pytest.raises(Failed) as failed:
        send(MESSAGE, channel("ntfy", url=f"http://127.0.0.1:1{path}"))
    assert (str(failed.value), failed.value.for_good) == ("its url names no topic. Use https://SERVER/TOPIC.", True)
