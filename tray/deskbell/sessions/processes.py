"""Is the client of a session still alive, and not another program that was given its number?"""

import os
import sys

import psutil

from deskbell_hooks.client import process_start

SLACK = 2.0
"""Seconds by which a process may seem younger than what it has already said: clocks differ in what they count."""


def is_alive(pid: int, start: int | None, heard_at: float) -> bool:
    """By the start that was written down, in clock ticks; where none was, by not being younger than its own words."""
    if sys.platform == "linux" and start is not None:
        return process_start(pid) == start
    try:
        return psutil.Process(pid).create_time() <= heard_at + SLACK
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True


def host() -> str:
    if sys.platform == "win32":
        return os.environ.get("COMPUTERNAME", "")
    return os.uname().nodename
