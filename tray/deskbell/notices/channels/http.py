"""Post a body to a URL, delete one, or read the lines that a server keeps sending, and say what failed.

The text of Failed never holds the URL, a header or the text of an exception: the path of a webhook and the token are
secrets. It never holds words of the server either: they may contain escape sequences.
"""

import http.client
import io
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from deskbell import VERSION
from deskbell.notices.channels import Failed

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

AGAIN = (408, 425, 429)
"""Status codes below 500 after which another attempt may succeed."""
NOT_ALLOWED = "its url or its secret contains a character that HTTP does not allow"
PIECE = 16_384
"""Bytes that are sent at a time, one record of TLS."""


class _Deadline:
    """The end of an attempt. The timeout of a socket bounds each read only, and a server may send a byte at a time."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds until the end. Raise TimeoutError after it."""
        if (left := self._end - time.monotonic()) <= 0:
            raise TimeoutError
        return left

    def begin(self, seconds: float) -> None:
        """Move the end to SECONDS from now."""
        self._end = time.monotonic() + seconds

    def connected(self, address: tuple[str, int], *_timeout_and_source: object) -> socket.socket:
        """Connect to the first of the host's addresses that accepts. Each gets an equal share of the time left.

        The system looks the name up first. It has its own time limit for that, and cannot be interrupted.
        """
        trouble: OSError = OSError("the host has no address")
        found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        for others, (family, kind, protocol, _, where) in zip(range(len(found), 0, -1), found, strict=True):
            try:
                connection = socket.socket(family, kind, protocol)
            except OSError as error:  # this system has no such family
                trouble = error
                continue
            try:
                connection.settimeout(self.left() / others)
                connection.connect(where)
                connection.settimeout(self.left())
            except OSError as error:
                connection.close()
                trouble = error
            else:
                return connection
        raise trouble


class _Reader(io.RawIOBase):
    """A file that reads a socket until the deadline."""

    def __init__(self, connection: socket.socket, deadline: _Deadline) -> None:
        self._connection, self._deadline = connection, deadline
        self._file = connection.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int | None:
        self._connection.settimeout(self._deadline.left())
        read = self._file.readinto(buffer)
        self._connection.settimeout(self._deadline.left())
        return read

    def close(self) -> None:
        self._file.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, connection: socket.socket, *args: Any, deadline: _Deadline, **named: Any) -> None:
        super().__init__(connection, *args, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_Reader(connection, deadline))
        self.connection, self.deadline = connection, deadline


class _Bounded(http.client.HTTPConnection):
    """A connection whose timeout is for everything together: connect, TLS, send and answer."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._deadline = _Deadline(self.timeout or 0.0)
        self._create_connection = self._deadline.connected
        self.response_class = partial(_Response, deadline=self._deadline)  # type: ignore[assignment]

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        for start in range(0, len(data), PIECE):
            self.sock.settimeout(self._deadline.left())
            super().send(data[start : start + PIECE])


class _BoundedTls(_Bounded, http.client.HTTPSConnection):
    pass


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Bounded, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_BoundedTls, req)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A message and its token go to the configured address and nowhere else."""

    def redirect_request(self, *_args: object, **_named: object) -> None:
        return None


_opener = urllib.request.build_opener(_Http, _Https, _NoRedirect)


def post(url: str, body: bytes, headers: Mapping[str, str], timeout: float) -> None:
    """POST BODY. Raise Failed for every answer but success, and if there is none within TIMEOUT seconds."""
    with _answer("POST", url, body, {"Content-Type": "application/json", **headers}, timeout) as answer:
        answer.read(1)


def delete(url: str, headers: Mapping[str, str], timeout: float) -> None:
    """DELETE what is at URL. Raise Failed as `post` does."""
    with _answer("DELETE", url, None, headers, timeout) as answer:
        answer.read(1)


class Stream:
    """The lines of an answer that does not end by itself."""

    def __init__(self, answer: _Response, idle: float, longest: int) -> None:
        self._answer, self._idle, self._longest = answer, idle, longest

    def __iter__(self) -> Iterator[bytes]:
        """Yield each line as it comes, until the server ends. Raise Failed for a line that is too long or too late."""
        self._answer.deadline.begin(self._idle)
        while line := self._answer.readline(self._longest + 1):
            if len(line) > self._longest:
                raise Failed(f"the server sent a line of more than {self._longest} bytes")
            yield line
            self._answer.deadline.begin(self._idle)

    def hang_up(self) -> None:
        """End the stream, from any thread: its reader finds the end."""
        with suppress(OSError):
            # The shutdown of TLS would write first, which only the reading thread may do.
            socket.socket.shutdown(self._answer.connection, socket.SHUT_RDWR)


@contextmanager
def stream(url: str, headers: Mapping[str, str], timeout: float, idle: float, longest: int) -> Iterator[Stream]:
    """GET a Stream. The answer must begin within TIMEOUT seconds, and each line must come within IDLE seconds.

    A line has at most LONGEST bytes. Raise Failed as `post` does, also while the stream is read.
    """
    with _answer("GET", url, None, headers, timeout) as answer:
        yield Stream(answer, idle, longest)


@contextmanager
def _answer(
    method: str, url: str, body: bytes | None, headers: Mapping[str, str], timeout: float
) -> Iterator[_Response]:
    named = {"User-Agent": f"deskbell/{VERSION}", **headers}
    try:
        request = urllib.request.Request(url, body, named, method=method)  # the policy permits only http and https
        with _opener.open(request, timeout=timeout) as answer:
            yield answer
    except urllib.error.HTTPError as error:
        error.close()
        for_good = error.code < 500 and error.code not in AGAIN
        raise Failed(f"the server answered {_status(error.code)}", for_good) from None
    except http.client.InvalidURL:
        raise Failed(NOT_ALLOWED, for_good=True) from None
    except (OSError, http.client.HTTPException) as error:
        raise Failed(_trouble(error, timeout)) from None
    except ValueError:  # also UnicodeError: a host that is not a host, a token outside Latin-1
        raise Failed(NOT_ALLOWED, for_good=True) from None


def _status(code: int) -> str:
    try:
        return f"{code} ({HTTPStatus(code).phrase})"
    except ValueError:
        return str(code)


def _trouble(error: Exception, timeout: float) -> str:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return f"no answer within {timeout:g} s"
    if isinstance(cause, OSError) and cause.strerror:
        return f"the connection failed: {cause.strerror}"
    return f"the connection failed ({type(cause).__name__})"
