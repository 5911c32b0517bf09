"""Test that ntfy gets the topic, the text and the token."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from deskbell.notices.channels import Failed, Reply, send
from deskbell.notices.policy import Urgency
from tests.tray.notices.channels.ntfy_server import ntfy
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


REPLIES = [Reply("Allow", "c1"), Reply("Deny", "c2"), Reply("Later", "c3"), Reply("Never", "c4")]
TAGGED = replace(MESSAGE, tag="t4g")


def test_a_reply_is_a_button_that_posts_its_code_to_a_topic_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NTFY_TOKEN", "tk_1")
    with receiver() as one:
        send(TAGGED, channel("ntfy", url=f"{one.url}/sub/desk", secret="env:NTFY_TOKEN"), REPLIES[:1])
        ((_, _, body),) = one.got
        button = {"action": "http", "label": "Allow", "method": "POST", "body": "c1", "clear": True}
        assert json.loads(body)["actions"] == [button | {"url": f"{one.url}/sub/desk-answers"}]
    assert json.loads(body)["sequence_id"] == "t4g"
    assert b"tk_1" not in body, "whoever reads the message must not have the token"


def test_there_are_no_more_buttons_than_ntfy_takes() -> None:
    with receiver() as one:
        send(TAGGED, channel("ntfy", url=f"{one.url}/desk"), REPLIES)
    assert [button["label"] for button in json.loads(one.got[0][2])["actions"]] == ["Allow", "Deny", "Later"]


def test_a_message_is_taken_back_by_its_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NTFY_TOKEN", "tk_1")
    with ntfy() as one:
        send(replace(TAGGED, gone=True), channel("ntfy", url=f"{one.url}/sub/desk", secret="env:NTFY_TOKEN"))
    assert (one.deleted, one.published) == (["/sub/desk/t4g"], [])


def test_a_server_that_takes_nothing_back_is_left_alone() -> None:
    with ntfy() as one:
        one.deletes = 404
        send(replace(TAGGED, gone=True), channel("ntfy", url=f"{one.url}/desk"))
    assert one.deleted == ["/desk/t4g"]


def test_a_server_that_fails_to_take_back_is_asked_again() -> None:
    with ntfy() as one:
        one.deletes = 503
        with pytest.raises(Failed, match="503"):
            send(replace(TAGGED, gone=True), channel("ntfy", url=f"{one.url}/desk"))


@pytest.mark.parametrize("kind", ["webhook", "command"])
def test_other_channels_get_no_replies_and_take_nothing_back(kind: str, tmp_path: Path) -> None:
    with receiver() as one:
        to = channel(kind, url=f"{one.url}/hook", command=["sh", "-c", f"cat >> {tmp_path}/got"])
        send(TAGGED, to, REPLIES)
        send(replace(TAGGED, gone=True), to)
    got = [body for _, _, body in one.got] or [(tmp_path / "got").read_bytes()]
    assert len(got) == 1
    assert not [word for word in (b"t4g", b"c1", b"gone", b"tag") if word in got[0]]
