"""Check the numbers in files: whether they can be a time, a process id or a count. Pure.

The files of other programs may hold any number: a time of 400 digits must not reach arithmetic, and a process id of -1
must not reach the system.
"""

from deskbell.files.read import LATEST

LARGEST = 10**15
"""No count of tokens, bytes or milliseconds is larger."""
LARGEST_PID = 2**32 - 1


def seconds(milliseconds: object) -> float | None:
    """Return the seconds since 1970 for MILLISECONDS; None if they cannot be a time."""
    if not _is_number(milliseconds) or not 0 < milliseconds < LATEST * 1000:  # type: ignore[operator]  # a number
        return None
    return milliseconds / 1000  # type: ignore[operator]  # a number


def is_pid(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_PID


def count(value: object) -> int:
    """Return the value if it is a whole number above 0 and no larger than LARGEST, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST else 0


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
