"""Give a message to a program of the person: as JSON on its standard input, and in its environment."""

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from deskbell.home import environment
from deskbell.notices.channels import Failed, Message
from deskbell.notices.policy import Channel
from deskbell.text.wording import short

_URL = re.compile(r"(\w+://[^\s/?#]+)[^\s\"']*")
_SECRET_NAME = re.compile(r"token|secret|passw|key|auth|credential|webhook|url", re.IGNORECASE)
SHORTEST = 4
"""Characters. A shorter argument or value is not hidden in what the program said: it may be part of any word."""


def send(message: Message, channel: Channel) -> None:
    said = {"version": 1, **asdict(message)}
    around = environment(os.environ)
    name = channel.command[0]
    try:
        done = subprocess.run(  # the program that the person configured
            channel.command,
            input=json.dumps(said),
            text=True,
            errors="replace",
            capture_output=True,
            timeout=channel.timeout,
            check=False,
            env=around | {f"DESKBELL_{key.upper()}": str(value) for key, value in said.items()},
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{name} took longer than {channel.timeout:g} s") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise Failed(f"{name} does not start: {reason}", for_good=True) from None
    if done.returncode:
        raise Failed(f"{name} ended with {done.returncode}: {_without_secrets(done.stderr, channel, around)}")


def _without_secrets(stderr: str, channel: Channel, around: Mapping[str, str]) -> str:
    """The last line of STDERR without paths of URLs, arguments of the command, and values of secret variables."""
    last = (stderr.strip().splitlines() or [""])[-1]
    for hidden in sorted(_hidden(channel, around), key=len, reverse=True):
        last = last.replace(hidden, "…")
    return short(_URL.sub(r"\1/…", last), 200)


def _hidden(channel: Channel, around: Mapping[str, str]) -> Iterator[str]:
    yield from (word for word in channel.command[1:] if len(word) >= SHORTEST)
    yield from (value for name, value in around.items() if len(value) >= SHORTEST and _SECRET_NAME.search(name))
