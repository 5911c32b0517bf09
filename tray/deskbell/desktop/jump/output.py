"""Run a program of a terminal or a multiplexer for at most 0.4 s. Call this in a thread.

`desktop.focus.asked` is for questions that are asked often, and skips a program that hangs. A person asks for a jump,
so this runs the program each time, and says which one does not answer.
"""

from collections.abc import Mapping
from typing import Any

from deskbell.desktop.focus.asked import AT_ONCE
from deskbell.desktop.jump.arrival import BY_HAND
from deskbell.errors import Problem, reason
from deskbell.files.read import json_value
from deskbell.helper import Children, run


def output(
    *command: str, env: Mapping[str, str] | None = None, children: Children = "end", given: bytes = b""
) -> str | None:
    """Return what COMMAND prints; None if it fails. Raise Problem if it is missing or does not end in time.

    GIVEN: its input.
    """
    try:
        done = run(command, AT_ONCE, given=given, env=env, children=children)
    except TimeoutError:
        raise Problem(f"{command[0]} does not answer.", BY_HAND) from None
    except FileNotFoundError:
        raise Problem(f"{command[0]} is not installed.", BY_HAND) from None
    except (OSError, ValueError) as error:
        raise Problem(f"{command[0]} cannot be started: {reason(error)}.", BY_HAND) from None
    return None if done.code else done.said


def output_json(*command: str, env: Mapping[str, str] | None = None) -> Any:
    """Return what COMMAND prints, read as JSON; None if it fails or prints none."""
    try:
        return json_value((output(*command, env=env) or "null").encode())
    except ValueError:
        return None
