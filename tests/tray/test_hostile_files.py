"""Test that no file that anybody else can write blocks its reader, takes its memory or makes it fail unforeseen."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import pytest

from deskbell.desktop.autostart.linux import DesktopEntry
from deskbell.desktop.autostart.macos import LABEL, LaunchAgent
from deskbell.desktop.notify.remembered import Remembered
from deskbell.errors import Problem
from deskbell.files.lock import lock_file
from deskbell.history.journal import Reader, parsed
from deskbell.notices import decisions, policyfile, quiet
from deskbell.notices.channels.letters import Letters
from deskbell.notices.policyfile import Reading
from deskbell.program.boundary import Boundary
from deskbell.program.single import claim
from deskbell.sessions.asked import asked
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.folder import Problems
from deskbell.sessions.records import Records
from deskbell.sessions.registry import Registry
from deskbell.sessions.subagents import Subagents
from deskbell.sessions.transcript import Tail, Transcripts
from deskbell.sessions.visits import visits
from deskbell.sessions.written import glance, written
from deskbell.settings import backups, deploy, settings_file
from deskbell.settings.claude_code import registry_entry, version_of_sessions
from deskbell.settings.interpreter import ask
from deskbell.settings.known import read_known, remembered_config_dirs
from deskbell.settings.managed import check_allowed

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")

PATIENCE = 10.0
"""Seconds. Every reader needs less than one; one that waits for a writer, or reads without end, needs more."""
OLD = 1_000_000_000
"""A time of change so long ago that no reader takes the file to be half written."""


class Blocked(BaseException):
    """Not an Exception: no reader may catch it."""


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Blocked

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def socket_at(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # the name of a socket may have 100 letters
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def vast(path: Path) -> None:
    path.touch()
    os.truncate(path, 2**42)


DEEP, LONG = 100_000, b"9" * 400
SHAPES: dict[str, Callable[[Path], object]] = {
    "a named pipe": os.mkfifo,
    "a link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
    "a circle of links": lambda path: path.symlink_to(path.name),
    "a socket": socket_at,
    "a file of four terabytes": vast,
}
TEXTS = {
    "empty": b"",
    "lists in lists": b"[" * DEEP + b"]" * DEEP + b"\n",
    "objects in objects": b'{"version":' * DEEP + b"1" + b"}" * DEEP + b"\n",
    "numbers of 400 digits": b'{"version":%s,"pid":%s,"at":%s,"due":%s,"snoozed_until":%s}\n' % ((LONG,) * 5),
    "a number of 5000 digits": b'{"version":%s}\n' % (b"9" * 5000),
    "numbers that are none": b'{"version":NaN,"snoozed_until":Infinity,"at":-Infinity}\n',
    "NUL": b"\0" * 3000,
    "a path with a NUL": b'{"version":1,"config_dirs":["/a\\u0000b"],"cwd":"/a\\u0000b"}\n',
    "wrong UTF-8": b'{"version":1,"name":"\xff\xfe"}\n',
    "half of a surrogate pair": b'{"version":1,"name":"\\ud800"}\n',
    "another value": b"[]\n",
}


class Case(NamedTuple):
    name: str
    read: Callable[[Path], object]
    """Given the folder. It may raise Problem, or what else is in `refuses`."""
    refuses: tuple[type[Exception], ...] = ()


def registry(folder: Path) -> object:
    (folder / "sessions" / "7.json").write_text('{"pid":7,"sessionId":"good"}')
    found = Registry().read([folder], Problems())
    assert "good" in [entry.session_id for entry in found], "the others go on"
    return [entry for entry in found if entry.pid == 8]


def letters(folder: Path) -> object:
    return list(Letters(folder).read([folder / "1.json"]))


def subagents(folder: Path) -> object:
    found = Subagents(str(folder / "t.jsonl"))
    found.advance(0.0, 2**20)
    return found.days


def copies(folder: Path) -> object:
    (copy,) = backups.History(folder, folder / "claude/settings.json").all()
    return copy.content()


def copy_name(folder: Path) -> str:
    history = backups.History(folder, folder / "claude/settings.json").folder
    return str((history / "20260101T000000.000000Z-install.json").relative_to(folder))


HOOK = {"record.py": b"code"}
TO_RESUME = "projects/-home-x-api/s-1.jsonl"
CASES = {
    "config.toml": Case(
        "config.toml", lambda folder: policyfile.parse(policyfile.text(folder / "config.toml") or "", folder)
    ),
    "quiet": Case("quiet.json", quiet.read),
    "claude.json": Case("claude.json", read_known),
    "claude.json for the program": Case("claude.json", remembered_config_dirs),
    "settings": Case("settings.json", lambda folder: settings_file.read(folder / "settings.json")),
    "settings of an administrator": Case("managed-settings.json", check_allowed),
    "decisions": Case("decisions.jsonl", lambda folder: decisions.read(folder, 9)),
    "crashes": Case("crashes.json", lambda folder: CrashFile(folder).known()),
    "visits": Case("visits.json", visits),
    "screen": Case("screen.json", lambda folder: Remembered(Boundary(), folder / "screen.json").left("life")),
    "a letter": Case("1.json", letters),
    "an entry of the registry": Case("sessions/8.json", registry),
    "an entry of the registry for install": Case("sessions/8.json", lambda folder: version_of_sessions([folder])),
    "an entry of the registry for the doctor": Case(
        "sessions/8.json", lambda folder: registry_entry(folder / "sessions/8.json"), (OSError, ValueError)
    ),
    "a record": Case("sessions/a.json", lambda folder: Records(folder / "sessions").read(Problems())),
    "a transcript": Case("t.jsonl", lambda folder: Transcripts().read(str(folder / "t.jsonl"))),
    "a transcript of a subagent": Case("t/subagents/agent-a.jsonl", subagents),
    "a transcript with a question": Case("t.jsonl", lambda folder: asked(str(folder / "t.jsonl"))),
    "a transcript of a session to resume": Case(
        TO_RESUME, lambda folder: (written([folder]), glance(folder / TO_RESUME))
    ),
    "the autostart entry of Linux": Case("deskbell.desktop", lambda folder: DesktopEntry(folder).read()),
    "the autostart entry of a Mac": Case(f"{LABEL}.plist", lambda folder: LaunchAgent(folder).read()),
    "a copy of the settings": Case(copy_name(Path("/")), copies),
    "a module of the hook": Case(f"{deploy.PACKAGE}/record.py", lambda folder: deploy.is_whole(folder, HOOK)),
    "an interpreter": Case("python3", lambda folder: ask(str(folder / "python3"))),
    "a lock": Case("running", lambda folder: lock_file(folder / "running").close(), (OSError,)),
}


def placed(folder: Path, case: Case) -> Path:
    path = folder / (copy_name(folder) if case.read is copies else case.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def outcome(folder: Path, case: Case) -> object:
    """What the case reads, None if it refuses in one sentence."""
    said = ""
    try:
        return case.read(folder)
    except (Problem, *case.refuses) as refused:
        said = str(refused)
    assert 0 < len(said) < 500
    assert "\n" not in said
    return None


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_no_reader_waits_or_fails_for_what_is_no_file(
    tmp_path: Path, shape: Callable[[Path], object], case: Case
) -> None:
    shape(placed(tmp_path, case))
    outcome(tmp_path, case)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_reader_fails_unforeseen_for_what_a_file_holds(tmp_path: Path, text: bytes, case: Case) -> None:
    path = placed(tmp_path, case)
    path.write_bytes(text)
    os.utime(path, (OLD, OLD))
    outcome(tmp_path, case)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_no_reader_fails_for_a_missing_file_or_folder(tmp_path: Path, case: Case) -> None:
    if case.read is not copies:
        placed(tmp_path, case)
        outcome(tmp_path, case)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_what_is_no_file_is_refused_by_those_that_must_know_it(tmp_path: Path, shape: Callable[[Path], object]) -> None:
    for name in ("config.toml", "claude.json", "settings.json", "decisions.jsonl"):
        shape(tmp_path / name)
    for case in ("config.toml", "claude.json", "settings", "decisions"):
        with pytest.raises(Problem):
            CASES[case].read(tmp_path)
    assert quiet.read(tmp_path) == quiet.Quiet()


def test_a_pipe_in_place_of_the_settings_keeps_the_last_good_policy(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[burst]\nmore_than = 9\n")
    good = policyfile.reread(file, Reading())
    file.unlink()
    os.mkfifo(file)
    seen = policyfile.reread(file, good)
    assert seen.policy == good.policy
    assert "it is a named pipe" in (seen.problem or "")


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_journal_and_a_transcript_that_are_no_files_hold_nothing(
    tmp_path: Path, shape: Callable[[Path], object]
) -> None:
    shape(tmp_path / "j.jsonl")
    assert Transcripts().read(str(tmp_path / "j.jsonl")) == Tail()
    if shape is not vast:  # it is a file, only a very long one
        assert list(Reader(tmp_path / "j.jsonl")) == []


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_line_of_a_journal_says_something_or_nothing(text: bytes) -> None:
    assert parsed(text.strip()) is None


def test_a_journal_that_grows_while_it_is_read_has_an_end(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"x\n" * 100)
    read = 0
    for _ in Reader(path, chunk=20).batches():
        read += 1
        with path.open("ab") as file:
            file.write(b"y\n" * 100)
    assert read == 10


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_transcript_of_one_line_has_an_end(tmp_path: Path, end: bytes) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"x" * (2**20 + 1000) + end)
    assert Transcripts().read_whole(str(path)).output_tokens == 0


@pytest.mark.long
def test_a_transcript_that_grows_without_end_is_counted_up_to_a_bound(tmp_path: Path) -> None:
    vast(tmp_path / "t.jsonl")
    assert Transcripts(step=2**26).read_whole(str(tmp_path / "t.jsonl")) == Tail()


def test_a_pipe_in_place_of_the_lock_is_a_problem(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "running")
    with pytest.raises(Problem, match="it is not a file"):
        claim(tmp_path / "running")


@pytest.mark.parametrize("number", ["1e300", "1e400", "-1", "9" * 400, "9" * 5000])
def test_a_time_outside_of_every_calendar_is_refused(tmp_path: Path, number: str) -> None:
    letter = (
        '{"channel":"c","slot":"s","message":{"title":"","body":"","status":"idle","urgency":"low","at":0},"due":%s}'
    )
    crash = '{"crashes":[{"session_id":"a","pid":1,"start":1,"died":%s,"until":%s}]}'
    for right in ("7", number):
        (tmp_path / "1.json").write_text(letter % right)
        (tmp_path / "crashes.json").write_text(crash % (right, right))
        (tmp_path / "quiet.json").write_text(f'{{"snoozed_until":{right},"projects":{{"a":{right}}}}}')
        found = (
            *list(Letters(tmp_path).read([tmp_path / "1.json"])),
            *CrashFile(tmp_path).known(),
            *quiet.read(tmp_path).projects,
        )
        assert len(found) == (3 if right == "7" else 0)


def test_a_letter_of_more_attempts_than_any_channel_makes_is_put_aside(tmp_path: Path) -> None:
    message = '{"title":"","body":"","status":"idle","urgency":"low","at":0}'
    (tmp_path / "1.json").write_text(f'{{"channel":"c","slot":"s","message":{message},"attempts":5000}}')
    assert list(Letters(tmp_path).read([tmp_path / "1.json"])) == []
    assert (tmp_path / "1.bad").exists()
