"""Test with damaged files of every kind that each is read, or refused in one sentence, in bounded time and memory."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
from hypothesis import find, given, note, settings
from hypothesis import strategies as st

from tests.fuzz.bounds import bounded, watched
from tests.fuzz.damage import damaged, damages
from tests.fuzz.kinds import KINDS, OF_CASES, Kind
from tests.hooks.environment import set_variable
from tests.tray.test_hostile_files import CASES, OLD

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="needs the timers of POSIX"), pytest.mark.long]

Use = Callable[..., object]
THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))
OF_ONE = 12
"""Damaged files that are made of one good file."""
GOOD = -(-1_000_000 // (OF_ONE * len(KINDS))) if THOROUGH else 30
"""Good files of each kind."""
SAYS_NOTHING = ("settings of an administrator", "an interpreter", "a lock")
"""They return nothing for a good file either."""


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Do with some bytes what their kind does."""
    numbers = count()
    set_variable(monkeypatch, "CLAUDE_PID", str(os.getpid()))

    def used(kind: Kind, data: bytes, traced: bool = False) -> object:
        folder = root / "folder"
        path = kind.file(folder)
        for file, content in (*((folder / name, other) for name, other in kind.others), (path, data)):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        os.utime(path, (OLD, OLD + next(numbers)))  # some readers take an equal time for the same file
        with bounded(len(data), traced):
            return kind.use(folder)

    with tempfile.TemporaryDirectory() as folder, watched():
        root = Path(folder)
        yield used


def test_every_reader_is_fuzzed() -> None:
    assert OF_CASES.keys() == CASES.keys()


@pytest.mark.timeout(3_000 if THOROUGH else 300)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_damaged_file_is_read_or_refused_in_one_sentence(use: Use, kind: Kind) -> None:
    @settings(max_examples=GOOD)
    @given(kind.good, st.lists(damages, min_size=OF_ONE, max_size=OF_ONE))
    def law(good: bytes, many: Sequence[bytes]) -> None:
        for n, damage in enumerate(many):
            data = damaged(good, damage)
            note(repr(data[:1000]))
            use(kind, data, traced=n == 0)

    law()


@pytest.mark.parametrize("name", [name for name in KINDS if name not in SAYS_NOTHING])
def test_a_file_without_damage_is_read(use: Use, name: str) -> None:
    """Else all that was damaged might be refused anyway."""
    read = []

    @settings(max_examples=10)
    @given(KINDS[name].good)
    def law(good: bytes) -> None:
        read.append(use(KINDS[name], good))

    law()
    if not any(one is not None for one in read):
        find(KINDS[name].good, lambda good: use(KINDS[name], good) is not None, settings=settings(max_examples=500))
