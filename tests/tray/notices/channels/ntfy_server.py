"""An ntfy server on loopback, as far as Deskbell talks to one, that a test has misbehave."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

LONG = 10 * 1024 * 1024


@dataclass
class Ntfy:
    url: str = ""
    streams: list[str] = field(default_factory=list)
    """How the next subscriptions go: "hang", "silent", "close", "redirect", "garbage", "long", "401", "twice", "flood"; then well."""
    publishes: list[int] = field(default_factory=list)
    """The status codes of the next messages; then 200."""
    deletes: int = 200
    published: list[dict[str, Any]] = field(default_factory=list)
    """Every message as JSON."""
    deleted: list[str] = field(default_factory=list)
    subscribed: list[tuple[str, str | None]] = field(default_factory=list)
    """The path of every subscription, and its authorization."""
    listening: int = 0
    """Subscriptions that are open now."""
    said: list[dict[str, Any]] = field(default_factory=list)
    """Every message to a topic, the oldest first."""
    over: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)
    ids: Iterator[int] = field(default_factory=count)

    def say(self, topic: str, text: str) -> None:
        """Publish TEXT to TOPIC."""
        with self.changed:
            self.said.append({"id": f"m{next(self.ids)}", "event": "message", "topic": topic, "message": text})
            self.changed.notify_all()

    def tap(self, label: str, message: int = -1) -> int:
        """Press a button of a message as a phone does, and return the status."""
        (button,) = [one for one in self.published[message]["actions"] if one["label"] == label]
        body = button["body"].encode()
        with urlopen(Request(button["url"], body, method=button["method"]), timeout=10) as answer:
            return int(answer.status)

    def buttons(self) -> list[str]:
        """The labels of the buttons of the last message."""
        return [one["label"] for one in self.published[-1].get("actions", [])] if self.published else []

    def end(self) -> None:
        with self.changed:
            self.over = True
            self.changed.notify_all()


@contextmanager
def ntfy(*streams: str) -> Iterator[Ntfy]:
    kept = Ntfy(streams=list(streams))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            topic = urlsplit(self.path).path.strip("/")
            code = 200
            if topic:
                kept.say(topic, body.decode())
            else:
                code = kept.publishes.pop(0) if kept.publishes else 200
                kept.published.append(json.loads(body))
            self.answer(code)

        def do_DELETE(self) -> None:
            kept.deleted.append(self.path)
            self.answer(kept.deletes)

        def do_GET(self) -> None:
            kept.subscribed.append((self.path, self.headers["Authorization"]))
            how = kept.streams.pop(0) if kept.streams else "well"
            if how in ("redirect", "401"):
                self.answer(302 if how == "redirect" else 401)
                return
            with kept.changed:
                kept.listening += 1
            try:
                with suppress(OSError):
                    self.stream(urlsplit(self.path).path.strip("/").removesuffix("/json"), how)
            finally:
                kept.listening -= 1
                self.close_connection = True

        def stream(self, topic: str, how: str) -> None:
            if how == "hang":
                self.wait_for_the_end()
                return
            self.send_response(200)
            self.send_header("Content-Type", "application/x-ndjson")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.line({"event": "open", "topic": topic})
            if how == "close":
                return
            if how == "silent":
                self.wait_for_the_end()
            if how == "garbage":
                for data in (b"\n", b"{\n", b"\xff\xfe\n", b"[]\n", b"7\n", b'{"event": 7}\n', b"[" * 9000 + b"\n"):
                    self.chunk(data)
            if how == "long":
                self.chunk(b"x" * LONG)
                return
            if how == "flood":
                while not kept.over:
                    self.line({"event": "message", "topic": topic, "message": "0" * 32})
            told = 0
            while not kept.over:
                with kept.changed:
                    kept.changed.wait(0.05)
                    new, told = kept.said[told:], len(kept.said)
                for one in new:
                    for _ in range(2 if how == "twice" else 1):
                        self.line(one | {"topic": topic} if one["topic"] == topic else one)
                self.line({"event": "keepalive", "topic": topic})

        def wait_for_the_end(self) -> None:
            with kept.changed:
                kept.changed.wait_for(lambda: kept.over, 60)

        def line(self, said: dict[str, Any]) -> None:
            self.chunk(json.dumps(said).encode() + b"\n")

        def chunk(self, data: bytes) -> None:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

        def answer(self, code: int) -> None:
            self.send_response(code)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as http:
        threading.Thread(target=partial(http.serve_forever, 0.01), daemon=True).start()
        kept.url = f"http://127.0.0.1:{http.server_port}"
        try:
            yield kept
        finally:
            kept.end()
            http.shutdown()
