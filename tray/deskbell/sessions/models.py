"""List the context size and the prices of each model, as the client 2.1.326 of November 2026 has them. Pure.

A model that is not listed has no known size and no known price.
"""

import re
from typing import NamedTuple

MILLION = 1_000_000


class Model(NamedTuple):
    """The context size in tokens, and dollars for a million tokens by Anthropic's public price list."""

    window: int
    input: float
    output: float
    cache_read: float
    dearer_above: int | None = None
    """A request whose prompt has more tokens than this costs DEARER times as much."""


class Usage(NamedTuple):
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cache_write_hour: int = 0
    """The part of `cache_write` that is kept for an hour instead of five minutes."""

    @property
    def prompt(self) -> int:
        return self.input + self.cache_read + self.cache_write


DEARER = 5
CACHE_WRITE, CACHE_WRITE_HOUR = 1.25, 2.0
"""Multiples of the price of input."""

MODELS = {
    "claude-3-5-haiku": Model(200_000, 0.8, 4, 0.08),
    "claude-haiku-4-5": Model(200_000, 1, 5, 0.1),
    "claude-haiku-5-5": Model(MILLION, 0.1, 0.5, 0.01, dearer_above=100_000),
    "claude-3-5-sonnet": Model(200_000, 3, 15, 0.3),
    "claude-3-7-sonnet": Model(200_000, 3, 15, 0.3),
    "claude-sonnet-4": Model(200_000, 3, 15, 0.3),
    "claude-sonnet-4-5": Model(200_000, 3, 15, 0.3),
    "claude-sonnet-4-6": Model(200_000, 3, 15, 0.3),
    "claude-sonnet-5": Model(MILLION, 2, 10, 0.2),
    "claude-sonnet-5-5": Model(MILLION, 2, 10, 0.1),
    "claude-opus-4": Model(200_000, 15, 75, 1.5),
    "claude-opus-4-1": Model(200_000, 15, 75, 1.5),
    "claude-opus-4-5": Model(200_000, 5, 25, 0.5),
    "claude-opus-4-6": Model(200_000, 5, 25, 0.5),
    "claude-opus-4-7": Model(MILLION, 5, 25, 0.5),
    "claude-opus-4-8": Model(MILLION, 5, 25, 0.5),
    "claude-opus-5": Model(MILLION, 5, 25, 0.5),
    "claude-opus-5-5": Model(MILLION, 4, 20, 0.2),
    "claude-fable-5": Model(MILLION, 10, 50, 1),
    "claude-fable-5-1": Model(MILLION, 10, 50, 0.25),
    "claude-fable-5-2": Model(MILLION, 8, 40, 0.2),
    "claude-mythos-5": Model(MILLION, 10, 50, 1),
    "claude-mythos-5-1": Model(MILLION, 10, 50, 0.25),
    "claude-mythos-5-2": Model(MILLION, 8, 40, 0.2),
}

# "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-opus-4-6[1m]", "claude-sonnet-4@20250514", "claude-opus-4-0"
_NAME = re.compile(r"(claude-[a-z0-9-]+?)(?:-0)?(?:[-@]\d{8})?(?:-v\d+)?(?::\d+)?(\[1m\])?$", re.IGNORECASE)


def model(name: str) -> Model | None:
    found = _NAME.search(name)
    known = MODELS.get(found[1].lower()) if found else None
    return known._replace(window=MILLION) if known and found and found[2] else known


def percent(tokens: int, name: str) -> float | None:
    """Return how full the context is, in percent. More tokens than its size mean that it is the larger context."""
    known = model(name)
    if known is None:
        return None
    return round(100 * tokens / (known.window if tokens <= known.window else MILLION), 1)


def cost(usage: Usage, name: str) -> float | None:
    """Return the dollars at list price; None for a model that is not listed."""
    known = model(name)
    if known is None:
        return None
    hour = min(usage.cache_write_hour, usage.cache_write)
    writes = (usage.cache_write - hour) * CACHE_WRITE + hour * CACHE_WRITE_HOUR
    dollars = (usage.input + writes) * known.input + usage.output * known.output + usage.cache_read * known.cache_read
    dearer = known.dearer_above is not None and usage.prompt > known.dearer_above
    return dollars * (DEARER if dearer else 1) / MILLION
