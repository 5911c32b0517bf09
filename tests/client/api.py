"""Serve a Messages API on loopback that answers by the script: as events or JSON, slowly, cut off or refused."""

import itertools
import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.client.script import Block, Refusal, Reply, answer

_USAGE = {"input_tokens": 1200, "output_tokens": 40, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 800}
_numbers = itertools.count(1)
Event = tuple[str, dict[str, Any]]


class Api:
    """Serve on `api.url` until the `with` block ends. `api.requests` lists the requests."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.over = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.api = self
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "Api":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    api: Api
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: the tests kill clients in the middle of an answer."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            return self._json(200, {"input_tokens": 2000})
        self.server.api.requests.append(body)
        said = answer(body["messages"])
        if isinstance(said, Refusal):
            error = {"type": "error", "error": {"type": said.kind, "message": said.message}}
            return self._json(said.status, error, said.headers)
        if body.get("stream"):
            return self._stream(said, body["model"])
        self.server.api.over.wait(said.before)
        return self._json(
            200, _message(body["model"]) | {"content": list(said.blocks), "stop_reason": said.stop_reason}
        )

    def _json(self, status: int, content: Mapping[str, Any], headers: Iterable[tuple[str, str]] = ()) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, reply: Reply, model: str) -> None:
        self.server.api.over.wait(reply.before)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, data in _events(reply, model):
            self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
            self.wfile.flush()
            if reply.pace and name == "content_block_delta" and self.server.api.over.wait(reply.pace):
                break
        self.close_connection = True


def _message(model: str) -> dict[str, Any]:
    """Return an empty message. Its id is new: the client joins messages that share an id."""
    return {
        "id": f"msg_{next(_numbers):024d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _USAGE,
    }


def _events(reply: Reply, model: str) -> Iterator[Event]:
    yield "message_start", {"type": "message_start", "message": _message(model)}
    for index, block in enumerate(reply.blocks):
        yield from _block_events(index, block, reply.cut)
        if reply.cut:
            return
    delta = {"stop_reason": reply.stop_reason, "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 40}}
    yield "message_stop", {"type": "message_stop"}


def _block_events(index: int, block: Block, cut: bool) -> Iterator[Event]:
    text = block["type"] == "text"
    empty = {"type": "text", "text": ""} if text else {**block, "input": {}}
    yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
    pieces = _words(block["text"]) if text else [json.dumps(block["input"])]
    for piece in pieces[: len(pieces) // 2] if cut else pieces:
        delta = {"type": "text_delta", "text": piece} if text else {"type": "input_json_delta", "partial_json": piece}
        yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
    if not cut:
        yield "content_block_stop", {"type": "content_block_stop", "index": index}


def _words(text: str) -> list[str]:
    return [word + " " for word in text.split(" ")]
