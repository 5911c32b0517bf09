"""Test what a listener takes from a topic, also from a server that does not behave: a real one, on loopback."""

import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from deskbell.notices.channels.listener import LONGEST_CODE, Listener, text
from tests.tray.notices.channels.ntfy_server import Ntfy, ntfy
from tests.tray.notices.channels.receiver import channel
from tests.waiting import wait

CODE = "0123456789abcdef0123456789abcdef"


@dataclass
class Heard:
    server: Ntfy
    listener: Listener
    thread: threading.Thread
    texts: list[str] = field(default_factory=list)


@contextmanager
def listening(*streams: str, codes: tuple[str, ...] = (CODE,), **more: object) -> Iterator[Heard]:
    """Listen to a server whose first subscriptions go as STREAMS say."""
    with ntfy(*streams) as server:
        texts: list[str] = []

        def hear(said: str) -> bool:
            texts.append(said)
            return said in codes

        one = channel("ntfy", url=f"{server.url}/up/desk", answers=True, **more)
        listener = Listener(one, hear, time.time, first_pause=0.01)
        thread = threading.Thread(target=listener.run, daemon=True)
        thread.start()
        try:
            yield Heard(server, listener, thread, texts)
        finally:
            listener.end()
            server.end()
            thread.join(10)
        assert not thread.is_alive()


def test_it_hears_what_is_said_to_the_topic_of_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NTFY_TOKEN", "tk_1")
    with listening(secret="env:NTFY_TOKEN") as heard:
        wait(lambda: heard.server.listening)
        heard.server.say("desk-answers", CODE)
        wait(lambda: heard.texts == [CODE])
        assert heard.server.subscribed == [("/up/desk-answers/json?since=60s", "Bearer tk_1")]


BAD = ["close", "garbage", "long", "redirect", "401", "flood"]


@pytest.mark.parametrize("how", BAD)
def test_it_listens_again_after_a_server_that_does_not_behave(how: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), listening(how) as heard:
        heard.server.say("desk-answers", CODE)
        wait(lambda: CODE in heard.texts)
        assert len(heard.server.subscribed) == (1 if how == "garbage" else 2)
    assert not [one for one in caplog.messages if "desk" in one or "127.0.0.1" in one], "the topic is a secret"


def test_a_server_that_says_nothing_is_left_after_the_timeout() -> None:
    with listening("hang", timeout=0.2) as heard:
        heard.server.say("desk-answers", CODE)
        wait(lambda: heard.texts == [CODE])
        assert len(heard.server.subscribed) == 2


def test_the_pauses_become_longer_and_each_failure_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), listening(*["401"] * 5) as heard:
        began = time.monotonic()
        wait(lambda: len(heard.server.subscribed) == 6)
        assert time.monotonic() - began >= 0.01 + 0.02 + 0.04 + 0.08 + 0.16
    assert [record.getMessage() for record in caplog.records] == [
        "one: answers cannot be received: the server answered 401 (Unauthorized)"
    ]


@pytest.mark.long
@pytest.mark.parametrize("how", ["well", "silent", "hang", "401"])
def test_its_end_does_not_wait_for_the_server(how: str) -> None:
    with listening(*[how] * 20, timeout=1.0) as heard:
        wait(lambda: heard.server.subscribed)
        began = time.monotonic()
        heard.listener.end()
        heard.thread.join(5)
        assert time.monotonic() - began < 3
        assert not heard.thread.is_alive()


def test_what_was_said_before_it_was_heard_is_not_lost() -> None:
    with listening("hang", timeout=0.2) as heard:
        heard.server.say("desk-answers", CODE)
        wait(lambda: heard.texts)


def said(**parts: object) -> bytes:
    return json.dumps({"event": "message", "topic": "t", "message": CODE} | parts).encode()


LINES: dict[str, tuple[bytes, str | None]] = {
    "a message": (said(), CODE),
    "one with more in it": (said(id="x", time=1, tags=["bell"]), CODE),
    "the beginning": (said(event="open"), None),
    "a sign of life": (said(event="keepalive"), None),
    "another event": (said(event="message_delete"), ""),
    "another topic": (said(topic="u"), ""),
    "two topics": (said(topic="t,u"), ""),
    "no text": (said(message=None), ""),
    "a number": (said(message=7), ""),
    "too long a text": (said(message="0" * (LONGEST_CODE + 1)), ""),
    "no object": (b"[]", ""),
    "no JSON": (b"{", ""),
    "not UTF-8": (b"\xff", ""),
    "nested deep": (b"[" * 100_000, ""),
    "an empty line": (b"\n", ""),
}


@pytest.mark.parametrize(("line", "found"), LINES.values(), ids=LINES)
def test_only_the_text_of_a_message_to_the_topic_is_passed_on(line: bytes, found: str | None) -> None:
    assert text(line, "t") == found
