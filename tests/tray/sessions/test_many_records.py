"""Test the memory that a hundred thousand records take, and ten thousand sessions that come and go.

DESKBELL_THOROUGH=1 takes the full size. The measuring is done in a process of its own.
"""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.long

THOROUGH = os.environ.get("DESKBELL_THOROUGH") == "1"
RECORDS = 100_000 if THOROUGH else 4_000
NEW = 10_000 if THOROUGH else 1_000

MEASURE = """
import json, os, sys, tempfile, time
from pathlib import Path
import psutil
from deskbell.sessions.world import World
from deskbell_hooks.codec import encode
from deskbell_hooks.fold import fold

def memory():
    return psutil.Process().memory_info().rss / 1e6

def ended(session_id, n, at):
    client = {"pid": 2**22 + n, "start": 1}
    began = {"v": 1, "event": "UserPromptSubmit", "client": client, "where": client, "at": at, "order": 1}
    began["prompt"] = "p" * 900
    over = {"v": 1, "event": "SessionEnd", "client": client, "at": at + 1, "order": 2}
    return encode(fold(fold(None, began, session_id), over, session_id))

def put(root, n, at):
    session_id = f"0123456789abcdef0123456789abcdef-s{n}"
    path = os.path.join(root, f"{session_id}.json")
    with open(path, "wb") as file:
        file.write(ended(session_id, n, at))
    os.utime(path, (at, at))

records, new, now = int(sys.argv[1]), int(sys.argv[2]), time.time()
with tempfile.TemporaryDirectory() as root:
    world = World(Path(root), list)
    world.read(now)
    put(root, 0, now - 7 * 86400)
    world.read(now)
    before = memory()
    for n in range(1, records):
        put(root, n, now - 7 * 86400)
    world.read(now)
    of_records = memory() - before
    before = memory()
    for n in range(new):
        put(root, records + n, now + n)
        if n % 50 == 0:
            assert world.read(now + n)
    of_new = memory() - before
    assert world.read(now + new + 60) == []
    began = time.process_time()
    for _ in range(5):
        world.read(now + new + 60)
    turn = (time.process_time() - began) / 5
print(json.dumps([of_records, of_new, turn]))
"""


@pytest.fixture(scope="module")
def measured() -> tuple[float, float]:
    """Megabytes of RECORDS, and of NEW sessions that began and ended one after the other."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", MEASURE, str(RECORDS), str(NEW)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environ)
    of_records, of_new, look = json.loads(done.stdout)
    print(f"{RECORDS} records: {of_records:.1f} MB, {NEW} new: {of_new:.1f} MB, a look: {1000 * look:.1f} ms")
    return of_records, of_new


def test_records_of_sessions_that_ended_take_a_few_hundred_bytes_each(measured: tuple[float, float]) -> None:
    assert measured[0] < RECORDS * 400 / 1e6 + 5


def test_thousands_of_sessions_that_come_and_go_leave_almost_nothing(measured: tuple[float, float]) -> None:
    assert measured[1] < NEW * 400 / 1e6 + 5
