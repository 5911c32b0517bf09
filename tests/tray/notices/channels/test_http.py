"""Test what may be tried again after a POST, and what a failure says."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from deskbell.notices.channels import Failed
from deskbell.notices.channels.http import delete, post, stream
from tests.tray.notices.channels.receiver import receiver

SECRET = "T00/B00/9f3a7c"

ANSWERS = {
    400: (True, "400 (Bad Request)"),
    401: (True, "401 (Unauthorized)"),
    404: (True, "404 (Not Found)"),
    408: (False, "408 (Request Timeout)"),
    425: (False, "425 (Too Early)"),
    429: (False, "429 (Too Many Requests)"),
    499: (True, "499"),
    500: (False, "500 (Internal Server Error)"),
    503: (False, "503 (Service Unavailable)"),
    302: (True, "302 (Found)"),
}


@pytest.mark.parametrize(("code", "answer"), ANSWERS.items(), ids=str)
def test_an_answer_says_whether_to_try_again(code: int, answer: tuple[bool, str]) -> None:
    for_good, said = answer
    with receiver(code, reason=f"the path is {SECRET}") as one, pytest.raises(Failed) as failed:
        post(f"{one.url}/{SECRET}", b"{}", {}, 5.0)
    assert (str(failed.value), failed.value.for_good) == (f"the server answered {said}", for_good)
    assert len(one.got) == 1, "a redirect is not followed"


def test_the_body_and_the_headers_arrive() -> None:
    with receiver() as one:
        post(one.url, b'{"a": 1}', {"X-Own": "1"}, 5.0)
    ((path, headers, body),) = one.got
    assert (path, headers["X-Own"], headers["Content-Type"], body) == ("/", "1", "application/json", b'{"a": 1}')
    assert headers["User-Agent"].startswith("deskbell/")


NOT_ALLOWED = {
    "a newline in a header": ("http://127.0.0.1:1/", {"Authorization": f"Bearer {SECRET}\n"}),
    "a header outside Latin-1": ("http://127.0.0.1:1/", {"Authorization": f"Bearer {SECRET}→"}),
    "an empty label": (f"https://a..b/{SECRET}", {}),
    "half an address": (f"http://[::1/{SECRET}", {}),
    "a space in the path": (f"http://127.0.0.1:1/{SECRET} x", {}),
    "a path outside ASCII": (f"http://127.0.0.1:1/{SECRET}→", {}),
    "a port that is not a number": (f"http://127.0.0.1:{SECRET.replace('/', '')}/", {}),
}


@pytest.mark.parametrize(("url", "headers"), NOT_ALLOWED.values(), ids=NOT_ALLOWED)
def test_what_http_does_not_allow_is_given_up_and_not_named(url: str, headers: dict[str, str]) -> None:
    with pytest.raises(Failed) as failed:
        post(url, b"", headers, 1.0)
    assert failed.value.for_good
    assert str(failed.value) == "its url or its secret contains a character that HTTP does not allow"


@pytest.mark.parametrize("url", [f"http://127.0.0.1:1/{SECRET}", f"http://nowhere.invalid/{SECRET}"])
def test_a_server_that_cannot_be_reached_may_be_tried_again(url: str) -> None:
    with pytest.raises(Failed, match=r"^the connection failed: ") as failed:
        post(url, b"", {}, 5.0)
    assert (failed.value.for_good, SECRET in str(failed.value)) == (False, False)


@pytest.mark.parametrize(("said", "match"), [(b"", "connection failed"), (b"hello\r\n\r\n", "connection failed")])
def test_a_server_that_does_not_speak_http_may_be_tried_again(said: bytes, match: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            connection.recv(65536)
            connection.sendall(said)
            connection.close()

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(Failed, match=match) as failed:
            post(f"http://127.0.0.1:{server.getsockname()[1]}/{SECRET}", b"", {}, 5.0)
    assert (failed.value.for_good, SECRET in str(failed.value)) == (False, False)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_says_nothing_is_waited_for_as_long_as_the_timeout(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(Failed) as failed:
        post(f"{scheme}://127.0.0.1:{server.getsockname()[1]}/{SECRET}", b"", {}, 0.2)
    assert (str(failed.value), failed.value.for_good) == ("no answer within 0.2 s", False)


DRIPS = {
    "its headers": b"HTTP/1.1 200 OK\r\nX-Slow: ",
    "its reason": b"HTTP/1.1 200 ",
    "the size of its body": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "lines that come first": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nX-Slow: ",
}


@contextmanager
def dripping(first: bytes) -> Iterator[str]:
    """Yield the URL of a server that says FIRST and then a letter every 20 ms, until the client or the test ends it."""
    over = threading.Event()

    def drip(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            connection.sendall(first)
            while not over.wait(0.02):
                connection.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=lambda: drip(server.accept()[0]), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/{SECRET}"
        over.set()
        thread.join(20)


@pytest.mark.long
@pytest.mark.parametrize("first", DRIPS.values(), ids=DRIPS)
def test_a_server_that_drips_has_the_timeout_for_its_whole_answer(first: bytes) -> None:
    with dripping(first) as url:
        begun = time.monotonic()
        with pytest.raises(Failed) as failed:
            post(url, b"{}", {}, 0.5)
        took = time.monotonic() - begun
    assert (str(failed.value), failed.value.for_good) == ("no answer within 0.5 s", False)
    assert took < 2.0, "a drip every 20 ms keeps a timeout of each read from ever ending"


PROXIED = """
import sys, time
from deskbell.notices.channels import Failed
from deskbell.notices.channels.http import post
begun = time.monotonic()
try:
    post("https://example.invalid/path", b"{}", {}, 0.5)
except Failed as failed:
    print(failed, time.monotonic() - begun < 2.0)
"""


def test_a_proxy_that_drips_has_the_timeout_for_everything() -> None:
    """The answer to CONNECT is read before the connection is encrypted. A program reads its proxies once."""
    with dripping(b"HTTP/1.1 200 OK\r\nX-Slow: ") as proxy:
        said = subprocess.run(
            [sys.executable, "-c", PROXIED],
            env={**os.environ, "https_proxy": proxy, "no_proxy": ""},
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
        ).stdout
    assert said == "no answer within 0.5 s True\n"


def test_a_server_that_reads_nothing_has_the_timeout_for_the_whole_body() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/{SECRET}"
        begun = time.monotonic()
        with pytest.raises(Failed) as failed:
            post(url, bytes(64_000_000), {}, 0.5)
    assert (str(failed.value), time.monotonic() - begun < 2.0) == ("no answer within 0.5 s", True)


def test_a_reason_with_escapes_is_not_quoted() -> None:
    said = "\x1b]0;pwned\x07\x1b[2J"
    with receiver(400, reason=said) as one, pytest.raises(Failed) as failed:
        post(one.url, b"{}", {}, 5.0)
    assert str(failed.value) == "the server answered 400 (Bad Request)"


@pytest.mark.parametrize("code", ANSWERS)
def test_what_is_deleted_and_what_is_read_fail_as_what_is_posted(code: int) -> None:
    for_good, said = ANSWERS[code]
    with serving(b"HTTP/1.1 %d x\r\nContent-Length: 0\r\n\r\n" % code) as url, pytest.raises(Failed) as failed:
        delete(url, {}, 5.0)
    assert (str(failed.value), failed.value.for_good) == (f"the server answered {said}", for_good)
    with serving(b"HTTP/1.1 %d x\r\nContent-Length: 0\r\n\r\n" % code) as url, pytest.raises(Failed) as failed:
        read(url)
    assert (str(failed.value), failed.value.for_good) == (f"the server answered {said}", for_good)


@contextmanager
def serving(*said: bytes, pause: float = 0.0) -> Iterator[str]:
    """Yield the URL of a server that says SAID, each after a pause, and then waits for the end of the test."""
    over = threading.Event()

    def serve() -> None:
        connection, _ = server.accept()
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            for part in said:
                over.wait(pause)
                connection.sendall(part)
            over.wait(20)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/{SECRET}"
        over.set()
        thread.join(20)


def read(url: str, timeout: float = 5.0, idle: float = 0.3, most: int = 99) -> list[bytes]:
    found: list[bytes] = []
    with stream(url, {}, timeout, idle, 10) as lines:
        for line in lines:
            found.append(line)
            if len(found) == most:
                break
    return found


HEAD = b"HTTP/1.1 200 OK\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_lines_are_read_as_they_come_however_they_are_cut() -> None:
    with serving(HEAD, b"on", b"e\ntwo\nth", b"ree\n", pause=0.05) as url:
        assert read(url, most=3) == [b"one\n", b"two\n", b"three\n"]
    with serving(CHUNKED, b"2\r\non\r\n", b"8\r\ne\ntwo\nth\r\n", b"4\r\nree\n\r\n0\r\n\r\n", pause=0.05) as url:
        assert read(url) == [b"one\n", b"two\n", b"three\n"]


def test_a_stream_may_last_longer_than_the_timeout_of_its_start() -> None:
    with serving(HEAD, *[b"line\n"] * 5, pause=0.15) as url:
        assert len(read(url, timeout=0.3, idle=0.4, most=5)) == 5


@pytest.mark.parametrize("head", [HEAD, CHUNKED])
def test_a_line_that_is_too_long_ends_the_stream(head: bytes) -> None:
    with serving(head, b"fffff\r\n" + b"x" * 20, pause=0.01) as url, pytest.raises(Failed) as failed:
        read(url)
    assert (str(failed.value), failed.value.for_good) == ("the server sent a line of more than 10 bytes", False)


def test_a_line_that_drips_ends_the_stream() -> None:
    begun = time.monotonic()
    with serving(HEAD, *[b"x"] * 9, pause=0.1) as url, pytest.raises(Failed):
        read(url)
    assert time.monotonic() - begun < 2.0


def test_another_thread_ends_a_stream_that_is_being_read() -> None:
    with serving(HEAD, b"one\n") as url, stream(url, {}, 5.0, 60.0, 10) as lines:
        timer = threading.Timer(0.2, lines.hang_up)
        timer.start()
        assert list(lines) == [b"one\n"]
        timer.join()
    lines.hang_up()  # it is over: nothing happens
