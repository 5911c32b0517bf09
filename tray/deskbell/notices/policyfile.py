"""Read `config.toml`. After a mistake in the file, the last good policy stays in force."""

import errno
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from deskbell.errors import Problem
from deskbell.files.read import Unfit, read_exactly, with_lf
from deskbell.files.stamp import Stamp, stamp
from deskbell.notices import complaint
from deskbell.notices.complaint import complaints
from deskbell.notices.policy import Policy
from deskbell_hooks.linesettings import LONG_NAME

LARGEST = 200_000
"""The most bytes of the file."""
LONG = 250
"""Characters of the mistakes after which further ones are only counted: the menu shows all in one row."""

_LONG_NAME = re.compile(LONG_NAME)


@dataclass(frozen=True, slots=True)
class Reading:
    """The policy in force, and what is wrong with the file; None if nothing is."""

    policy: Policy = field(default_factory=Policy.usual)
    problem: str | None = None
    stamp: Stamp | None = None


class Unreadable(Problem):
    """The file cannot be read at the moment. Another attempt may succeed without a change of the file."""


def reread(path: Path, before: Reading) -> Reading:
    """Return BEFORE if the file has not changed. If it is wrong now, return the policy of BEFORE with a problem."""
    found = stamp(path)
    if found == before.stamp and found is not None:
        return before
    try:
        content = text(path)
        return Reading() if content is None else Reading(parse(content, path), None, found)
    except Problem as problem:
        return replace(before, problem=str(problem), stamp=None if isinstance(problem, Unreadable) else found)


def text(path: Path) -> str | None:
    """Return the exact text of the file; None if it does not exist. Raise Problem if it cannot be read."""
    try:
        return read_exactly(path, LARGEST)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except Unfit as error:
        step = "Move it away; `deskbell config edit` writes a new one."
        step = "Save it as UTF-8." if error.errno == errno.EILSEQ else step
        raise Problem(f"{path} cannot be read: {error.strerror}.", step) from None
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from None


def parse(text: str, path: Path) -> Policy:
    """Return the policy in TEXT. Raise Problem with the first mistakes and their lines.

    PATH only names the file in the error.
    """
    import tomllib  # without a config.toml nothing needs it, and it takes 0.1 MB

    text = with_lf(text)
    try:
        if _LONG_NAME.search(text):
            raise RecursionError
        return Policy.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise Problem(f"{path} is not TOML that can be read: it is nested too deep") from None
    except ValidationError as error:
        raise Problem(_first(list(complaints(error, text, path)))) from None
    except ValueError:  # Python refuses to convert thousands of digits: https://docs.python.org/3/library/stdtypes.html
        raise Problem(f"{path} is not TOML that can be read: it holds a number of too many digits") from None


def meant(text: str) -> list[str]:
    """Return the settings that are probably meant by those names in TEXT that are none."""
    import tomllib  # as above

    try:
        Policy.model_validate(tomllib.loads(with_lf(text)))
    except ValidationError as error:
        return list(complaint.meant(error))
    except (ValueError, RecursionError):
        pass
    return []


def _first(mistakes: Sequence[str]) -> str:
    """Join the first of MISTAKES, and say how many follow."""
    shown = 1
    while shown < len(mistakes) and sum(map(len, mistakes[:shown])) < LONG:
        shown += 1
    more = len(mistakes) - shown
    rest = [f"and {more} more {'mistakes' if more > 1 else 'mistake'}"] if more else []
    return "; ".join([*(mistake.rstrip(".") for mistake in mistakes[:shown]), *rest])
