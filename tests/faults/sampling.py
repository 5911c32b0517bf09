"""Choose the faults that are tried: an evenly spread part of all that are possible, or all of them. Pure."""

import os
from collections.abc import Mapping, Sequence

from tests.faults.calls import Call, Fault

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))


def faults(calls: Sequence[Call], counted: Mapping[str, int], lasting: bool = False) -> list[Fault]:
    """Return every fault that a run without faults could have had. It made COUNTED calls."""
    return [
        Fault(call.name, number, error, lasting)
        for call in calls
        for number in range(counted.get(call.name, 0))
        for error in call.errors
    ]


def spread(found: Sequence[Fault], many: int) -> list[Fault]:
    """Return MANY of FOUND, evenly spread, with every error of every call among them if MANY are enough for that."""
    kinds = list({(one.call, one.error): one for one in found}.values())
    if many < len(kinds):
        return _evenly(found, many)
    kept = set(kinds)
    kept |= set(_evenly([one for one in found if one not in kept], many - len(kept)))
    return [one for one in found if one in kept]


def _evenly(found: Sequence[Fault], many: int) -> list[Fault]:
    many = min(many, len(found))
    return [found[at * len(found) // many] for at in range(many)]


def part(found: Sequence[Fault], number: int, of: int) -> list[Fault]:
    """Return the part NUMBER of FOUND. Each part holds some faults of every call."""
    return list(found[number::of])
