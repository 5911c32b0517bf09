"""How does a notice reach a program of the person's own? As JSON on its standard input, and in its environment."""

import json
import os
import subprocess
from dataclasses import asdict

from deskbell.home import environment
from deskbell.notices.channels import Failed, Message
from deskbell.notices.policy import Channel


def send(message: Message, channel: Channel) -> None:
    words = {"version": 1, **asdict(message)}
    try:
        done = subprocess.run(  # what the person configured
            channel.command,
            input=json.dumps(words),
            text=True,
            capture_output=True,
            timeout=channel.timeout,
            check=False,
            env=environment(os.environ) | {f"DESKBELL_{name.upper()}": str(value) for name, value in words.items()},
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{channel.command[0]} took longer than {channel.timeout:g} s") from None
    except (OSError, ValueError) as error:
        raise Failed(f"{channel.command[0]} does not start: {error}", for_good=True) from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [""])[-1][:200]
        raise Failed(f"{channel.command[0]} ended with {done.returncode}: {last}")
