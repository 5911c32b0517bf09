"""Try a way to a session so that an error in it, also an unforeseen one, keeps no other way from being tried."""

import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from deskbell.desktop.jump.arrival import BY_HAND
from deskbell.errors import Problem, reason

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)


def attempted(way: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Return what WAY returns. Raise Problem if it fails, also in place of an error that is none, which is logged.

    What a way does rests on what terminals, multiplexers and compositors answer, and these may answer anything.
    """
    try:
        return way(*args, **named)
    except Problem:
        raise
    except Exception as error:  # the other ways are still tried, and the person hears of this one
        said = reason(error).rstrip(".")
        log.error("an error in a way to a session: %s", said, exc_info=True)
        raise Problem(f"Deskbell itself has failed: {said}.", BY_HAND) from error
