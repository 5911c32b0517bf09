"""Choose the faults that are tried: an evenly spread part of all that are possible, or all of them. Pure."""

import os
from collections.abc import Mapping, Sequence

from tests.faults.calls import Call, Fault

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))


def faults(calls: Sequence[Call], counted: Mapping[str, int], lasting: bool = False) -> list[Fault]:
    """Every fault that an undisturbed run, which made COUNTED calls, could have had."""
    return [
        Fault(call.name, number, error, lasting)
        for call in calls
        for number in range(counted.get(call.name, 0))
        for error in call.errors
    ]


def spread(found: Sequence[Fault], many: int) -> list[Fault]:
    """MANY of FOUND, as far from one another as possible."""
    many = min(many, len(found))
    return [found[at * len(found) // many] for at in range(many)]


def part(found: Sequence[Fault], number: int, of: int) -> list[Fault]:
    """The part NUMBER of FOUND, of as many parts: each holds some of every call."""
    return list(found[number::of])
