"""Play the program for commands: listen where it does, and answer each message as a function says."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from deskbell.answers.door import address


@contextmanager
def program(state: Path, answer: Callable[[Any], bytes]) -> Iterator[list[Any]]:
    """Return what is asked, in its order."""
    heard: list[Any] = []
    address(state).parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(address(state)))
        server.listen()

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, connection.makefile("rb") as lines:
                        message = json.loads(lines.readline())
                        heard.append(message)
                        connection.sendall(answer(message))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(10)
    address(state).unlink()


def said(**fields: Any) -> bytes:
    return json.dumps({"v": 1} | fields).encode() + b"\n"
