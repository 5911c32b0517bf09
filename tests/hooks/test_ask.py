"""Test the asker as Claude Code starts it: what makes it leave, what it sends, and that it prints only a decision."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.waiting import PATIENCE, wait

if sys.platform == "win32":
    pytest.skip("the asker has a pipe there: see test_windows.py", allow_module_level=True)

from deskbell_hooks import ask, client
from deskbell_hooks.decision import is_allowed
from deskbell_hooks.wire import CONNECT
from tests.hooks import recorder
from tests.hooks.environment import set_variable
from tests.hooks.program import (
    ALLOW,
    ANSWERS,
    ATTENDED,
    BASH,
    DENY,
    PLAN,
    QUESTION,
    QUESTIONS,
    SUGGESTIONS,
    accepted,
    answered,
    as_line,
    ended,
    fields,
    listening,
    output,
    start,
)
from tests.hooks.pythons import by_every_python

HOSTILE = 100_000 if recorder.THOROUGH else 1_200
PROCESSES = 2_000 if recorder.THOROUGH else 150
KILLS = 1_000 if recorder.THOROUGH else 120
LIMIT = 1024 * 1024
LINE = as_line(ALLOW)

ANSWERED = output(behavior="allow", updatedInput={"questions": QUESTIONS, "answers": ANSWERS})
DECISIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "allow": (BASH, ALLOW),
    "deny": (BASH, DENY),
    "a rule": (BASH, output(behavior="allow", updatedPermissions=SUGGESTIONS[1:2])),
    "answers": (QUESTION, ANSWERED),
    "a plan": (PLAN, output(behavior="allow", updatedInput=PLAN["tool_input"])),
    "letters of all kinds": (BASH, output(behavior="deny", message='Zoë says "no"\n日本 🔔')),
}


@by_every_python
@pytest.mark.parametrize(("event", "decision"), DECISIONS.values(), ids=DECISIONS)
def test_a_decision_is_printed_exactly(event: dict[str, Any], decision: dict[str, Any], tmp_path: Path) -> None:
    said = answered(tmp_path, event, as_line(decision))
    assert said == json.dumps(decision, ensure_ascii=False, separators=(",", ":")).encode()


def test_the_request_names_the_client_and_holds_the_event_as_it_is(tmp_path: Path) -> None:
    before = time.time()
    with listening(tmp_path) as server:
        process = start(tmp_path, BASH)
        connection, request = accepted(server)
        connection.close()
        assert ended(process) == b""
    asked = request.pop("ask")
    assert request == {"v": 1}
    assert (asked.pop("event"), asked.pop("pid")) == (BASH, os.getpid())
    assert asked.pop("start") == client.process_start(os.getpid())
    assert before - 0.1 < asked.pop("at") < time.time()
    assert asked.pop("order") > 0
    assert asked == {}


# Why it leaves: without a byte, and before anything is said to the program.

LEAVES: dict[str, tuple[Any, dict[str, str]]] = {
    "another event": (BASH | {"hook_event_name": "PreToolUse"}, ATTENDED),
    "a subagent": (BASH | {"agent_id": "a1", "agent_type": "Explore"}, ATTENDED),
    "a subagent without a name": (BASH | {"agent_id": None}, ATTENDED),
    "an unattended run": (BASH, {**ATTENDED, "CLAUDE_CODE_SESSION_ATTENDED": "0"}),
    "a client that does not say": (BASH, {"CLAUDE_PID": ATTENDED["CLAUDE_PID"]}),
    "another word for it": (BASH, {**ATTENDED, "CLAUDE_CODE_SESSION_ATTENDED": "true"}),
    "a client that is not known": (BASH, {"CLAUDE_CODE_SESSION_ATTENDED": "1"}),
    "a list": ([BASH], ATTENDED),
    "nothing": (b"", ATTENDED),
    "no JSON": (b'{"hook_event_name": "PermissionRequest"', ATTENDED),
    "no text": (json.dumps(BASH).encode().replace(b"make test", b"make \xff"), ATTENDED),
    "half a surrogate pair": (json.dumps(BASH).replace("make test", "make \\ud800").encode(), ATTENDED),
    "too long": (BASH | {"tool_input": {"command": "x" * LIMIT}}, ATTENDED),
    "much too long": (BASH | {"tool_input": {"command": "x" * 5 * LIMIT}}, ATTENDED),
    "too long with its envelope": (BASH | {"tool_input": {"command": "x" * (LIMIT - len(json.dumps(BASH)))}}, ATTENDED),
    "nested too deep": (b'{"hook_event_name": "PermissionRequest", "x": ' + b"[" * 100_000, ATTENDED),
}


@by_every_python
@pytest.mark.parametrize(("event", "env"), LEAVES.values(), ids=LEAVES)
def test_the_asker_leaves_without_a_word_to_the_program(event: Any, env: dict[str, str], tmp_path: Path) -> None:
    with listening(tmp_path) as server:
        assert ended(start(tmp_path, event, env)) == b""
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_the_longest_event_is_sent(tmp_path: Path) -> None:
    event = BASH | {"tool_input": {"command": "x" * (LIMIT - 3_000)}}
    assert answered(tmp_path, event, as_line(DENY)) == as_line(DENY).strip()


def nobody(state: Path) -> None:
    (state / "answers").mkdir()


def file_in_place(state: Path) -> None:
    nobody(state)
    (state / "answers" / "socket").write_text("")


def left_over(state: Path) -> None:
    """The socket of a program that has been killed."""
    nobody(state)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(state / "answers" / "socket"))


def of_packets(state: Path) -> None:
    nobody(state)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(str(state / "answers" / "socket"))


PROGRAMS = {"no folder": lambda state: None, "no socket": nobody, "a file": file_in_place, "killed": left_over}


@by_every_python
@pytest.mark.parametrize("prepare", [*PROGRAMS.values(), of_packets], ids=[*PROGRAMS, "another kind of socket"])
def test_the_asker_leaves_where_no_program_listens(prepare: Any, tmp_path: Path) -> None:
    prepare(tmp_path)
    assert ended(start(tmp_path, BASH)) == b""


def test_the_asker_leaves_where_the_state_folder_is_missing_or_its_path_too_long(tmp_path: Path) -> None:
    assert ended(start(tmp_path / "none", BASH)) == b""
    assert ended(start(tmp_path / ("x" * 120), BASH)) == b""
    assert list(tmp_path.iterdir()) == []


def test_the_asker_leaves_if_the_program_takes_no_more_connections(tmp_path: Path) -> None:
    with listening(tmp_path, backlog=0) as server:
        waiting = []
        for _ in range(8):  # until the queue is full
            other = socket.socket(socket.AF_UNIX)
            other.settimeout(CONNECT)
            waiting.append(other)
            try:
                other.connect(str(tmp_path / "answers" / "socket"))
            except OSError:
                break
        assert ended(start(tmp_path, BASH)) == b""
        assert server.fileno() >= 0
        for other in waiting:
            other.close()


@pytest.mark.long
def test_the_asker_leaves_if_the_program_does_not_read_a_long_request(tmp_path: Path) -> None:
    with listening(tmp_path):
        assert ended(start(tmp_path, BASH | {"tool_input": {"command": "x" * 900_000}})) == b""


OTHER_USER = """
import os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
os.setuid(int(sys.argv[2]))
server.listen()
print("ready", flush=True)
client, _ = server.accept()
heard = b"?"
while heard and not heard.endswith(b"\\n"):
    heard = client.recv(65536)
client.sendall(sys.stdin.buffer.read())
"""


@pytest.mark.skipif("os.getuid() != 0", reason="only root can become another user")
@pytest.mark.parametrize(("user", "said"), [(0, LINE.strip()), (12345, b"")], ids=["the same", "another"])
def test_the_asker_sends_nothing_to_a_program_of_another_user(user: int, said: bytes, tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    command = [sys.executable, "-I", "-c", OTHER_USER, str(tmp_path / "answers" / "socket"), str(user)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        recorder.give(server, LINE)
        assert server.stdout
        assert server.stdout.readline() == b"ready\n"
        assert ended(start(tmp_path, BASH)) == said
        assert server.wait(PATIENCE) in (0, 1)


# What comes back.

SILENT: dict[str, bytes] = {
    "nothing": b"",
    "a line break": b"\n",
    "half a line": LINE[:-9],
    "a line without its end": LINE[:-1],
    "two lines": LINE + LINE,
    "a line and an empty one": LINE + b"\n",
    "an empty line first": b"\n" + LINE,
    "something behind it": LINE + b" ",
    "something before it": b"x" + LINE,
    "two values": LINE[:-1] + LINE,
    "garbage": bytes(range(256)) + b"\n",
    "no text": as_line(DENY).replace(b"Not now", b"Not \xff"),
    "ten megabytes": b"x" * 10_000_000,
    "ten megabytes of a decision": as_line(output(behavior="deny", message="x" * 10_000_000)),
    "a megabyte and a byte": as_line(output(behavior="deny", message="x" * LIMIT)),
    "a number": b"1\n",
    "null": b"null\n",
    "a list": b"[" + LINE[:-1] + b"]\n",
    "a decision alone": as_line(ALLOW["hookSpecificOutput"]["decision"]),
    "an answer of the other kind": as_line({"v": 1, "requests": []}),
    "another event's decision": LINE.replace(b"PermissionRequest", b"PreToolUse"),
    "other input": as_line(output(behavior="allow", updatedInput={"command": "rm -rf /"})),
    "a mode": as_line(output(behavior="allow", updatedPermissions=SUGGESTIONS[:1])),
    "a decision on a question": as_line(ANSWERED),
    "a decision on a plan": as_line(output(behavior="allow", updatedInput=PLAN["tool_input"])),
    "two behaviours, the second unknown": LINE.replace(b'"allow"', b'"allow","behavior":"maybe"'),
    "deep nesting": b"[" * 500_000 + b"\n",
    "a deep decision": LINE.replace(b'"allow"', b'"allow","updatedInput":' + b"[" * 90_000 + b"]" * 90_000),
}


@by_every_python
@pytest.mark.parametrize("answer", SILENT.values(), ids=SILENT)
def test_anything_but_one_line_with_a_decision_is_silence(answer: bytes, tmp_path: Path) -> None:
    assert answered(tmp_path, BASH, answer) == b""


def test_a_line_in_many_parts_is_one_line(tmp_path: Path) -> None:
    with listening(tmp_path) as server:
        process = start(tmp_path, BASH)
        connection, _ = accepted(server)
        with connection:
            for byte in as_line(DENY):
                connection.sendall(bytes([byte]))
        assert ended(process) == as_line(DENY).strip()


def test_nothing_is_printed_before_the_program_has_closed_the_connection(tmp_path: Path) -> None:
    with listening(tmp_path) as server:
        process = start(tmp_path, BASH)
        connection, _ = accepted(server)
        with connection:
            connection.sendall(LINE)
            connection.sendall(LINE)
            assert process.poll() is None
        assert ended(process) == b""


def test_a_connection_that_is_reset_is_silence(tmp_path: Path) -> None:
    with listening(tmp_path) as server:
        process = start(tmp_path, BASH)
        connection, _ = server.accept()
        connection.close()  # what the asker has sent is unread, so it gets ECONNRESET
        assert ended(process) == b""


KILLED = """
import os, socket, sys
server = socket.socket(fileno=int(sys.argv[1]))
server.setblocking(True)
client, _ = server.accept()
while not client.recv(65536).endswith(b"\\n"):
    pass
client.sendall(sys.stdin.buffer.read())
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(("sent", "said"), [(b"", b""), (LINE[:-1], b""), (LINE, LINE[:-1])])
def test_an_asker_outlives_its_program_and_prints_only_a_whole_line(sent: bytes, said: bytes, tmp_path: Path) -> None:
    with listening(tmp_path) as server:
        command = [sys.executable, "-I", "-c", KILLED, str(server.fileno())]
        with subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[server.fileno()]) as program:
            recorder.give(program, sent)
            assert ended(start(tmp_path, BASH)) == said
            assert program.wait(PATIENCE) == -9


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_ends_a_waiting_asker_at_once(number: signal.Signals, tmp_path: Path) -> None:
    with listening(tmp_path) as server:
        # A shell starts what it puts into the background with SIGINT ignored, and the tests may run there.
        process = start(tmp_path, BASH, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        connection, _ = accepted(server)
        with connection:
            wait(lambda: is_waiting(process.pid))
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE)
            assert (out, err) == (b"", b"")
            assert process.returncode == (0 if number == signal.SIGINT else -number)
            assert connection.recv(1) == b""  # the program hears of it


def is_waiting(pid: int) -> bool:
    """Return whether the process sleeps."""
    return sys.platform != "linux" or fields(pid)["State"].startswith("S")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_waiting_asker_is_small_and_never_wakes(tmp_path: Path) -> None:
    long = BASH | {"tool_input": {"command": "x" * 10_000}}
    with listening(tmp_path) as server:
        process = start(tmp_path, long)
        connection, _ = accepted(server)
        with connection:
            settled = wait(lambda: quiet(process.pid))
            time.sleep(0.3)
            status = fields(process.pid)
            assert status["voluntary_ctxt_switches"] == settled
            assert int(status["VmRSS"].split()[0]) < 11_000
            assert int(status["Threads"]) == 1
        assert ended(process) == b""


def quiet(pid: int) -> str | None:
    """Return how often the process has gone to sleep, once that does not change any more."""
    before = fields(pid)["voluntary_ctxt_switches"]
    time.sleep(0.05)
    after = fields(pid)
    return before if before == after["voluntary_ctxt_switches"] and after["State"].startswith("S") else None


STREAMS = ["<&-", ">&-", "<&- >&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "</dev/null"]


@pytest.mark.parametrize("streams", STREAMS)
def test_a_closed_or_full_stream_is_silent_and_keeps_the_decision_off_the_wire(streams: str, tmp_path: Path) -> None:
    command = " ".join(f"'{part}'" for part in [*recorder.COMMAND[:-1], "ask", str(tmp_path)])
    with listening(tmp_path) as server:
        server.settimeout(2)
        process = subprocess.Popen(
            ["/bin/sh", "-c", f"exec {command} {streams}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**recorder.BARE_ENV, **ATTENDED},
        )
        with suppress(BrokenPipeError):
            recorder.give(process, json.dumps(BASH).encode())
        process.stdin = None
        if streams in ("2>&-", ">/dev/full"):
            connection, _ = accepted(server)
            with connection:
                connection.sendall(LINE)
                connection.shutdown(socket.SHUT_WR)
                assert connection.recv(1) == b""
        assert ended(process) == (LINE.strip() if streams == "2>&-" else b"")


@pytest.mark.long
def test_an_asker_that_is_killed_at_any_moment_has_printed_all_or_nothing(tmp_path: Path) -> None:
    chance, said = random.Random(11), LINE.strip()
    with listening(tmp_path) as server:
        for number in range(recorder.share(KILLS)):
            process = start(tmp_path, BASH)
            server.settimeout(0.05 if number else PATIENCE)
            moment = chance.uniform(0, 0.05)
            begun = time.monotonic()
            try:
                connection, _ = server.accept()
                with connection:
                    connection.settimeout(1)
                    while not connection.recv(65536).endswith(b"\n"):
                        pass
                    connection.sendall(LINE)
            except OSError:
                pass
            busy_until(begun + moment)
            process.kill()
            out, err = process.communicate(timeout=PATIENCE)
            assert err == b""
            assert out in (b"", said)


def busy_until(moment: float) -> None:
    while time.monotonic() < moment:
        pass


DAMAGES = ("cut", "insert", "replace", "repeat", "swap")


@st.composite
def hostile(draw: st.DrawFn) -> tuple[dict[str, Any], bytes]:
    """A good line that is damaged, or bytes of any kind."""
    event, decision = draw(st.sampled_from(list(DECISIONS.values())))
    other, _ = draw(st.sampled_from(list(DECISIONS.values())))
    data = as_line(decision)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        end = draw(st.integers(at, min(len(data), at + 40)))
        how = draw(st.sampled_from(DAMAGES))
        more = draw(
            st.one_of(
                st.binary(max_size=6), st.sampled_from([b"\n", b'"', b"{", b"}", b"[", b",", b"\\", b"null", b"true"])
            )
        )
        if how == "cut":
            data = data[:at] + data[end:]
        elif how == "insert":
            data = data[:at] + more + data[at:]
        elif how == "replace":
            data = data[:at] + more + data[end:]
        elif how == "repeat":
            data = data[:end] + data[at:]
        else:
            data = data[end:] + data[:end]
    return draw(st.sampled_from([event, other])), data


def silent_or_allowed(event: dict[str, Any], answer: bytes, said: bytes) -> None:
    """What is printed is JSON, allowed, and what the answer says. Python's own reader is asked, too."""
    if said:
        assert answer.count(b"\n") == 1
        assert json.loads(said) == json.loads(answer, strict=False)
        assert is_allowed(event, json.loads(said))


@pytest.mark.uncounted
@pytest.mark.long
@settings(max_examples=HOSTILE)
@given(hostile())
def test_a_hostile_answer_is_silence_unless_it_is_a_decision(case: tuple[dict[str, Any], bytes]) -> None:
    event, answer = case
    try:
        said = ask.checked(event, answer)
    except (ValueError, RecursionError):
        return  # `main` is silent then
    silent_or_allowed(event, answer, said)


@pytest.mark.long
@pytest.mark.timeout(1_200)
def test_hostile_answers_keep_a_real_asker_silent(tmp_path: Path) -> None:
    chance = random.Random(5)
    with listening(tmp_path) as server:
        for _ in range(PROCESSES):
            event, decision = chance.choice(list(DECISIONS.values()))
            answer = bytearray(as_line(decision))
            for _ in range(chance.choice((1, 1, 2, 5))):
                at = chance.randrange(len(answer))
                answer[at : at + chance.randrange(3)] = chance.choice(
                    (b"", b"\n", b'"', bytes([chance.randrange(256)]))
                )
            process = start(tmp_path, event)
            connection, _ = accepted(server)
            with connection:
                connection.sendall(answer)
            silent_or_allowed(event, bytes(answer), ended(process))


def test_many_askers_wait_at_once_and_each_gets_its_own_decision(tmp_path: Path) -> None:
    events = [BASH | {"tool_use_id": str(number)} for number in range(20)]
    with listening(tmp_path, backlog=50) as server:
        askers = {event["tool_use_id"]: start(tmp_path, event) for event in events}
        taken = [accepted(server) for _ in events]
        for connection, request in reversed(taken):
            with connection:
                connection.sendall(as_line(output(behavior="deny", message=request["ask"]["event"]["tool_use_id"])))
        for name, process in askers.items():
            assert json.loads(ended(process))["hookSpecificOutput"]["decision"]["message"] == name


def test_the_debug_variable_shows_the_error(tmp_path: Path) -> None:
    process = start(tmp_path, BASH, {**ATTENDED, client.DEBUG: "1"})
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, b"")
    assert b"FileNotFoundError" in err


# In the process of the test, where each line of it is counted.


@pytest.fixture
def given_to(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return what gives an event to the asker: through stdin, as a process has it."""
    saved = os.dup(0)

    def give(event: Any, **env: str) -> None:
        with tempfile.TemporaryFile() as file:
            file.write(event if isinstance(event, bytes) else json.dumps(event).encode())
            file.seek(0)
            os.dup2(file.fileno(), 0)
        for name in ("CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_PID", "CLAUDECODE", client.DEBUG):
            set_variable(monkeypatch, name, env.get(name, ""))

    yield give
    os.dup2(saved, 0)
    os.close(saved)


def asked(state: Path) -> list[bytes]:
    written: list[bytes] = []
    left: list[str] = []
    ask.main(str(state), written.append, lambda: left.append("left"))
    assert left == ["left"]
    return written


class Answering:
    """A program that answers what is already in its queue. Nothing but the kernel runs beside the asker."""

    def __init__(self, state: Path, answer: bytes) -> None:
        self._state, self._answer = state, answer

    def __enter__(self) -> None:
        code = (
            "import socket, sys\n"
            "server = socket.socket(fileno=int(sys.argv[1]))\n"
            "server.setblocking(True)\n"
            "client, _ = server.accept()\n"
            "heard = b'?'\n"
            "while heard and not heard.endswith(b'\\n'): heard = client.recv(65536)\n"
            "client.sendall(sys.stdin.buffer.read())\n"
        )
        self._listening = listening(self._state)
        server = self._listening.__enter__()
        command = [sys.executable, "-I", "-c", code, str(server.fileno())]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[server.fileno()])
        recorder.give(self._process, self._answer)

    def __exit__(self, *_: object) -> None:
        self._process.wait(PATIENCE)
        self._listening.__exit__(None, None, None)


@pytest.mark.parametrize(("answer", "said"), [(LINE, [LINE.strip()]), (b"", []), (b"x\n", [])])
def test_main_writes_the_decision_and_leaves(answer: bytes, said: list[bytes], given_to: Any, tmp_path: Path) -> None:
    given_to(BASH, **ATTENDED)
    with Answering(tmp_path, answer):
        assert asked(tmp_path) == said


@pytest.mark.parametrize(("event", "env"), LEAVES.values(), ids=LEAVES)
def test_main_leaves_without_a_decision(event: Any, env: dict[str, str], given_to: Any, tmp_path: Path) -> None:
    given_to(event, **env)
    assert asked(tmp_path) == []


def test_main_raises_only_for_a_developer(given_to: Any, tmp_path: Path) -> None:
    given_to(BASH, **ATTENDED)
    assert asked(tmp_path) == []
    given_to(BASH, **ATTENDED, **{client.DEBUG: "1"})
    with pytest.raises(FileNotFoundError):
        asked(tmp_path)
