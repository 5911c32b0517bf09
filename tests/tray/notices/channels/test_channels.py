"""The other ways out, each against something that answers like the real one."""

import hashlib
import hmac
import json
import os
import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deskbell.notices.channels import Failed, Message, send
from deskbell.notices.channels.webhook import filled
from deskbell.notices.policy import Channel

MESSAGE = Message("api: Veröffentlichen", "Permission · since 12:41", "permission", "critical", 1_750_000_000.0)


@dataclass
class Server:
    url: str = ""
    answers: list[int] = field(default_factory=list)
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def server(*answers: int) -> Iterator[Server]:
    kept = Server(answers=list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.got.append((self.path, dict(self.headers), body))
            self.send_response(kept.answers.pop(0) if kept.answers else 200)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Silence."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        kept.url = f"http://127.0.0.1:{http.server_port}"
        yield kept
        http.shutdown()


def channel(kind: str, **more: object) -> Channel:
    return Channel.model_validate({"name": "one", "kind": kind, "timeout": 5.0, **more})


def test_ntfy_gets_the_topic_the_words_and_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NTFY_TOKEN", "tk_1")
    with server() as one:
        send(MESSAGE, channel("ntfy", url=f"{one.url}/sub/my-topic", secret="env:NTFY_TOKEN"))
    ((path, headers, body),) = one.got
    assert (path, headers["Authorization"]) == ("/sub/", "Bearer tk_1")
    assert json.loads(body) == {
        "topic": "my-topic",
        "title": MESSAGE.title,
        "message": MESSAGE.body,
        "priority": 4,
        "tags": ["bell", "permission"],
    }


def test_a_webhook_gets_its_template_and_a_signature_that_can_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "sesame")
    template = {"blocks": [{"text": "{status}: {title}"}], "n": 1}
    with server() as one:
        send(MESSAGE, channel("webhook", url=one.url, secret="env:KEY", template=template))
    ((_, headers, body),) = one.got
    assert json.loads(body) == {"blocks": [{"text": f"permission: {MESSAGE.title}"}], "n": 1}
    signed = hmac.new(b"sesame", f"{headers['X-Deskbell-Timestamp']}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["X-Deskbell-Signature"] == f"sha256={signed}"


def test_a_webhook_without_a_template_says_what_slack_shows() -> None:
    with server() as one:
        send(MESSAGE, channel("webhook", url=one.url))
    ((_, headers, body),) = one.got
    assert json.loads(body)["text"] == f"{MESSAGE.title}\n{MESSAGE.body}"
    assert "X-Deskbell-Signature" not in headers


FILLED = {
    "known words": ("{title}", "t{body}"),
    "twice": ("{title}{title}", "t{body}t{body}"),
    "unknown words stay": ("{x} {title", "{x} {title"),
    "braces stay": ("{{title}}", "{t{body}}"),
    "no words": (5, 5),
}


@pytest.mark.parametrize(("template", "text"), FILLED.values(), ids=FILLED)
def test_placeholders_are_filled_once_and_words_are_no_placeholders(template: object, text: object) -> None:
    assert filled(template, Message("t{body}", "b", "idle", "normal", 0)) == text


@pytest.mark.parametrize(("code", "for_good"), [(500, False), (429, False), (503, False), (404, True), (401, True)])
def test_what_may_be_tried_again(code: int, for_good: bool) -> None:
    with server(code) as one, pytest.raises(Failed, match=str(code)) as told:
        send(MESSAGE, channel("webhook", url=one.url))
    assert told.value.for_good is for_good


def test_a_redirect_is_not_followed() -> None:
    with server(302) as one, pytest.raises(Failed, match="302"):
        send(MESSAGE, channel("webhook", url=one.url))
    assert len(one.got) == 1


def test_a_server_that_is_not_there_may_be_tried_again() -> None:
    with pytest.raises(Failed) as told:
        send(MESSAGE, channel("webhook", url="http://127.0.0.1:1/"))
    assert told.value.for_good is False


@pytest.mark.parametrize("place", ["env:NOT_THERE_AT_ALL", "keyring:deskbell-test"])
def test_a_secret_that_is_not_there_is_said_and_nothing_is_sent(place: str) -> None:
    with server() as one, pytest.raises(Failed):
        send(MESSAGE, channel("ntfy", url=f"{one.url}/t", secret=place))
    assert one.got == []


def program(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "program.py"
    file.write_text(text)
    return [sys.executable, str(file)]


def test_a_command_gets_the_words_on_its_input_and_in_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "not for others")
    out = tmp_path / "out"
    code = f"import os, sys, json; json.dump([json.load(sys.stdin), dict(os.environ)], open({str(out)!r}, 'w'))"
    send(MESSAGE, channel("command", command=program(tmp_path, code)))
    words, environment = json.loads(out.read_text())
    assert (words["title"], words["version"]) == (MESSAGE.title, 1)
    assert environment["DESKBELL_STATUS"] == "permission"
    assert "CLAUDE_CODE_SESSION_ID" not in environment


COMMANDS = {
    "ends badly": ("import sys; sys.exit('no network')", 5.0, "ended with 1: no network"),
    "hangs": ("import time; time.sleep(60)", 0.2, "longer than 0.2 s"),
}


@pytest.mark.parametrize(("code", "timeout", "said"), COMMANDS.values(), ids=COMMANDS)
def test_a_command_that(tmp_path: Path, code: str, timeout: float, said: str) -> None:
    with pytest.raises(Failed, match=said) as told:
        send(MESSAGE, channel("command", command=program(tmp_path, code), timeout=timeout))
    assert told.value.for_good is False


def test_a_command_that_is_not_there_is_not_tried_again() -> None:
    with pytest.raises(Failed, match="does not start") as told:
        send(MESSAGE, channel("command", command=["/nowhere/program"]))
    assert told.value.for_good is True


def test_a_command_is_started_without_a_shell(tmp_path: Path) -> None:
    words = shlex.split("; touch $HOME `touch x` && false")
    send(MESSAGE, channel("command", command=[*program(tmp_path, "pass"), *words]))
    assert os.listdir(tmp_path) == ["program.py"]
