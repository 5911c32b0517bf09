"""Give a message to a program of the person: as JSON on its standard input, and in its environment.

The exit status of the program says whether the message was sent; its output does not matter. The processes that it has
started are ended at the timeout.
"""

import errno
import json
import os
import re
from collections.abc import Iterator, Mapping

from deskbell.helper import run
from deskbell.home import environment
from deskbell.notices.channels import Failed, Message, content
from deskbell.notices.policy import Channel
from deskbell.text.wording import short

_URL = re.compile(r"(\w+://[^\s/?#]+)[^\s\"']*")
_SECRET_NAME = re.compile(r"token|secret|passw|key|auth|credential|webhook|url", re.IGNORECASE)
SHORTAGES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.ETXTBSY)
"""Errors of a start that may be over at the next attempt."""
SHORTEST = 4
"""Characters. A shorter argument or value is not hidden in an error message: it may be part of any word."""


def send(message: Message, channel: Channel) -> None:
    said = {"version": 1, **content(message)}
    around = environment(os.environ)
    name = channel.command[0]
    try:
        code, words = run(
            channel.command,
            channel.timeout,
            stream="stderr",
            given=json.dumps(said).encode(),
            env=around | {f"DESKBELL_{key.upper()}": str(value) for key, value in said.items()},
            children="wait",
        )
    except TimeoutError:
        raise Failed(f"{name} took longer than {channel.timeout:g} s") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise Failed(f"{name} does not start: {reason}", for_good=_is_lasting(error)) from None
    if code:
        raise Failed(f"{name} ended with {code}: {_without_secrets(words, channel, around)}")


def _is_lasting(error: OSError | ValueError) -> bool:
    """Return whether the program would not start the next time either. A shortage may be over by then."""
    return getattr(error, "errno", None) not in SHORTAGES


def _without_secrets(stderr: str, channel: Channel, around: Mapping[str, str]) -> str:
    """Return the last line of STDERR without paths of URLs, arguments of the command and values of secret variables."""
    last = (stderr.strip().splitlines() or [""])[-1]
    for hidden in sorted(_hidden(channel, around), key=len, reverse=True):
        last = last.replace(hidden, "…")
    return short(_URL.sub(r"\1/…", last), 200)


def _hidden(channel: Channel, around: Mapping[str, str]) -> Iterator[str]:
    yield from (word for word in channel.command[1:] if len(word) >= SHORTEST)
    yield from (value for name, value in around.items() if len(value) >= SHORTEST and _SECRET_NAME.search(name))
