"""A web server that records what is posted to it, and a channel and a message for tests."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from deskbell.notices.channels import Message
from deskbell.notices.policy import Channel

MESSAGE = Message("api: Veröffentlichen", "Permission · since 12:41", "permission", "critical", 1_750_000_000.0)


def channel(kind: str, **more: object) -> Channel:
    return Channel.model_validate({"name": "one", "kind": kind, "timeout": 5.0, **more})


@dataclass
class Receiver:
    url: str = ""
    answers: list[int] = field(default_factory=list)
    """The status codes of the next answers; then 200."""
    reason: str | None = None
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    """Path, headers and body of every request."""


@contextmanager
def receiver(*answers: int, reason: str | None = None) -> Iterator[Receiver]:
    kept = Receiver(answers=list(answers), reason=reason)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.got.append((self.path, dict(self.headers), body))
            self.send_response(kept.answers.pop(0) if kept.answers else 200, kept.reason)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        threading.Thread(target=partial(http.serve_forever, 0.01), daemon=True).start()
        kept.url = f"http://127.0.0.1:{http.server_port}"
        yield kept
        http.shutdown()
