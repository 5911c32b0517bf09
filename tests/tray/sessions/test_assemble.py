"""Test the fields of a session, and from which source each is taken."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.session import STALE_AFTER, STALLED_AFTER, STALLED_IN_TOOL_AFTER, Agent, Place, Session
from deskbell.sessions.assemble import assemble, transcript_of
from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import NO_TAIL, Verdict
from deskbell.sessions.project_folder import project_folder
from deskbell.sessions.registry import Entry
from deskbell_hooks.schema import Record

T = 1_000_000.0
DEEP = f"/home/x/{'a' * 250}"
"""A folder whose path Claude Code cuts."""
VERDICT = Verdict("working", "Bash: make", "the hooks say so", T)
ENTRY = Entry(7, "s", "/claude", pid_start=70, status="busy", status_since=T + 1, cwd="/home/x/web", started=T - 9)


def record(**fields: Any) -> Record:
    return {"session_id": "s", "where": {"pid": 7, "start": 70}, "last_at": T, **fields}  # type: ignore[typeddict-item]


def made(
    known: Record | None = None,
    entry: Entry | None = None,
    tail: Tail = NO_TAIL,
    now: float = T,
    verdict: Verdict = VERDICT,
    silent: bool = False,
) -> Session:
    return assemble("s", known, known, entry, tail, verdict, now, silent)


def test_the_verdict_is_taken_over() -> None:
    one = made(record())
    assert (one.status, one.detail, one.reason, one.since) == VERDICT[:4]


@pytest.mark.parametrize(
    ("field", "known", "entry", "tail", "value"),
    [
        ("pid", None, None, Tail(), None),
        ("pid", record(), None, Tail(), 7),
        ("pid", record(where={"pid": 8}), ENTRY, Tail(), 7),
        ("pid_start", record(), None, Tail(), 70),
        ("pid_start", record(where={"pid": 7}), None, Tail(), None),
        ("pid_start", record(where={"pid": 7}), ENTRY, Tail(), 70),
        ("project", record(project="api"), ENTRY, Tail(), "api"),
        ("project", None, ENTRY, Tail(), "web"),
        ("project", record(cwd="/home/x/api"), ENTRY, Tail(), "api"),
        ("project", record(cwd="C:\\work\\api"), None, Tail(), "api"),
        ("project", record(cwd="/"), None, Tail(), "/"),
        ("project", None, None, Tail(), "?"),
        ("title", record(title="mine"), replace(ENTRY, name="given"), Tail(title="tail"), "given"),
        ("title", record(title="mine"), ENTRY, Tail(title="tail"), "tail"),
        ("title", record(title="mine"), ENTRY, Tail(), "mine"),
        ("title", None, None, Tail(), ""),
        ("prompt", record(prompt="go"), None, Tail(), "go"),
        ("cwd", record(cwd="/a"), ENTRY, Tail(), "/a"),
        ("cwd", record(), ENTRY, Tail(), "/home/x/web"),
        ("branch", None, None, Tail(branch="main"), "main"),
        ("model", record(model="old"), None, Tail(model="new"), "new"),
        ("model", record(model="old"), None, Tail(), "old"),
        ("permission_mode", record(mode="plan"), None, Tail(), "plan"),
        ("config_dir", record(config_dir="/other"), ENTRY, Tail(), "/claude"),
        ("config_dir", record(config_dir="/other"), None, Tail(), "/other"),
        ("started", record(started=T - 5), ENTRY, Tail(), T - 5),
        ("started", record(), ENTRY, Tail(), T - 9),
        ("began", record(began=T - 5), replace(ENTRY, started=T - 9), Tail(), T - 5),
        ("began", record(), ENTRY, Tail(), T - 9),
        ("began", record(), None, Tail(), None),
        ("turn_started", record(turn_started=T - 2, turn="working"), None, Tail(), T - 2),
        ("last_turn_seconds", record(last_turn_seconds=3.0), None, Tail(), 3.0),
        ("turns", record(turns=4), None, Tail(), 4),
        ("turns", None, ENTRY, Tail(), 0),
        (
            "tasks",
            record(tasks=[{"description": "dev server"}, {"type": "shell"}, {}]),
            None,
            Tail(),
            ("dev server", "shell", ""),
        ),
        ("todo", record(todo=[1, 3]), None, Tail(todo=(2, 5)), (2, 5)),
        ("todo", record(todo=[1, 3]), None, Tail(), (1, 3)),
        ("todo", record(todo=[4, 3]), None, Tail(), (4, 4)),
        ("todo", record(todo=[4]), None, Tail(), None),
        ("todo", record(todo=[]), None, Tail(), None),
        ("context_tokens", None, None, Tail(context_tokens=5), 5),
        ("context_percent", None, None, Tail(context_percent=5.5), 5.5),
        ("output_tokens", None, None, Tail(output_tokens=6), 6),
        ("cost_usd", None, None, Tail(cost_usd=0.5), 0.5),
        ("last_line", record(last_message="old"), None, Tail(last_line="new"), "new"),
        ("last_line", record(last_message="old"), None, Tail(), "old"),
        ("last_error", record(last_error={"message": "no"}), None, Tail(), "no"),
        ("last_error", record(last_error={"message": ["no"]}), None, Tail(), None),
        ("last_error", record(last_error={}), None, Tail(), None),
        ("heard", record(), None, Tail(), T),
        ("heard", record(), ENTRY, Tail(), T + 1),
        ("heard", record(), ENTRY, Tail(at=T + 2), T + 2),
        ("heard", None, None, Tail(), T),
        ("place", None, None, Tail(), Place()),
        (
            "place",
            record(where={"pid": 7, "tty": "/dev/pts/1", "handles": {"TMUX": "x"}, "ssh": "me", "wsl": ""}),
            None,
            Tail(),
            Place("/dev/pts/1", (("TMUX", "x"), ("ssh", "me"))),
        ),
    ],
)
def test_where_a_field_comes_from(
    field: str, known: Record | None, entry: Entry | None, tail: Tail, value: object
) -> None:
    assert getattr(made(known, entry, tail), field) == value


TURN = {"turn": "idle", "turn_at": T - 20, "turn_started": T - 30, "last_turn_seconds": 10.0}
IDLE, ASKS = Verdict("idle", "", "r", T), Verdict("permission", "", "r", T)


@pytest.mark.parametrize(
    ("known", "entry", "folders"),
    [
        (record(start_cwd="/proj", cwd="/proj/src"), None, ("/proj", "/proj/src")),
        (record(start_cwd="/proj", cwd="/proj/src"), ENTRY, ("/proj", "/home/x/web", "/proj/src")),
        (record(start_cwd="/home/x/web", cwd="/home/x/web"), ENTRY, ("/home/x/web",)),
        (record(cwd="/proj/src"), None, ("/proj/src",)),
        (None, ENTRY, ("/home/x/web",)),
        (record(), None, ()),
    ],
)
def test_where_a_client_may_have_been_started(
    known: Record | None, entry: Entry | None, folders: tuple[str, ...]
) -> None:
    assert made(known, entry).started_in == folders


def request(order: int, **more: Any) -> dict[str, Any]:
    return {"kind": "permission", "tool": "Bash", "agent": "", "at": T, "order": order, **more}


# the requests that wait: the one that the session asks for since T
ASKED: dict[str, tuple[list[dict[str, Any]], tuple[int, str] | None]] = {
    "the one of that time": ([request(1, at=T - 5), request(2), request(3, at=T + 5)], (2, "")),
    "that of a subagent": ([request(2, agent="a1")], (2, "a1")),
    "the first of one moment": ([request(2, agent="b"), request(2, agent="a")], (2, "a")),
    "one of another kind": ([request(2, kind="question")], None),
    "one of a Notification": ([request(2, tool="")], None),
    "none": ([], None),
}


@pytest.mark.parametrize(("pending", "ask"), ASKED.values(), ids=ASKED)
def test_which_request_a_session_waits_for(pending: list[dict[str, Any]], ask: tuple[int, str] | None) -> None:
    assert made(record(pending=pending), verdict=ASKS).ask == ask


# what the hooks recorded, the verdict, when the prompts of the transcript were typed, whether the hooks are silent:
# when the turn began, and how long the last one took
TURNS: dict[str, tuple[Record | None, Verdict, tuple[float, ...], bool, tuple[float | None, float | None]]] = {
    "a turn that is recorded": (record(**TURN | {"turn": "working"}), VERDICT, (), False, (T - 30, 10.0)),
    "a turn that is over": (record(**TURN), IDLE, (T,), False, (T - 30, 10.0)),
    "a turn of which only the registry knows": (record(**TURN), VERDICT, (T,), False, (T, 10.0)),
    "a turn that goes on after its Stop": (record(**TURN | {"turn_at": T}), VERDICT, (), False, (T - 30, 10.0)),
    "a compaction at the prompt": (record(**TURN | {"turn_at": T, "compacting": True}), VERDICT, (), False, (T, 10.0)),
    "a request of a subagent behind a turn that is over": (record(**TURN), ASKS, (), False, (T - 30, 10.0)),
    "a duration that cannot be": (record(**TURN | {"last_turn_seconds": -19.2}), IDLE, (), False, (T - 30, 0.0)),
    "hooks that are silent": (record(**TURN), IDLE, (T - 50, T - 5), True, (T - 5, 5.0)),
    "hooks that are silent about an error": (record(**TURN), IDLE._replace(status="error"), (T - 5,), True, (T - 5, 5.0)),
    "hooks that are silent in a turn": (record(**TURN), VERDICT, (T - 5,), True, (T - 5, None)),
    "prompts that are not in the order in which they were typed": (record(**TURN), IDLE, (T - 5, T - 9), True, (T - 5, 5.0)),
    "an end before its prompt": (record(**TURN), IDLE, (T + 0.4,), True, (T + 0.4, 0.0)),
    "no hooks": (None, IDLE, (T - 5,), False, (T - 5, 5.0)),
    "no hooks and no prompt": (None, IDLE, (), False, (None, None)),
}  # fmt: skip


@pytest.mark.parametrize(("known", "verdict", "prompts", "silent", "turn"), TURNS.values(), ids=TURNS)
def test_the_turn_that_the_verdict_speaks_of(
    known: Record | None,
    verdict: Verdict,
    prompts: tuple[float, ...],
    silent: bool,
    turn: tuple[float | None, float | None],
) -> None:
    one = made(known, tail=Tail(prompts=prompts), verdict=verdict, silent=silent)
    assert (one.turn_started, one.last_turn_seconds) == turn


OLD = {"prompt": "old", "title": "old", "last_message": "old", "last_error": {"message": "old"}, "turn_at": T}


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        (Tail(), ("old", "old", "old", "old")),
        (Tail(prompt="new", prompted=T + 0.1), ("old", "old", "old", "old")),
        (Tail(prompt="new", prompted=T + 5), ("", "new", None, None)),
        (Tail(prompt="new", prompted=T + 5, error="Overloaded", last_line="done"), ("", "new", "done", "Overloaded")),
        (Tail(error="Overloaded"), ("old", "old", "old", "Overloaded")),
    ],
)
def test_after_a_prompt_that_no_hook_reported_nothing_old_is_said(tail: Tail, words: tuple[str | None, ...]) -> None:
    """This is also true of a client whose record is only about an earlier client of its session."""
    for run in (record(**OLD), None):
        one = assemble("s", record(**OLD), run, ENTRY, tail, VERDICT, T)
        assert (one.title, one.prompt, one.last_line, one.last_error) == words


def test_a_prompt_that_a_hook_refused_is_not_the_newest_one() -> None:
    refused = record(prompt="refused", turn="working", turn_at=T)
    assert made(refused, tail=Tail(prompt="before", prompted=T - 9, refused_at=T + 0.1)).prompt == "before"
    assert made(refused, tail=Tail(prompt="before", prompted=T - 9, refused_at=T - 1)).prompt == "refused"
    assert made(refused).prompt == "refused"


def test_a_prompt_that_the_client_wrote_itself_is_neither_the_newest_one_nor_a_sign_of_its_person() -> None:
    due = record(prompt="make the report", turn="working", turn_at=T, turn_started=T, person_at=T)
    own = Tail(prompt="before", prompted=T - 9, own=(T + 0.1,))
    assert (made(due, tail=own).prompt, made(due, tail=own).person_at) == ("before", T - 9)
    later = {**due, "person_at": T + 30}
    assert (made(later, tail=own).prompt, made(later, tail=own).person_at) == ("before", T + 30)
    typed = Tail(prompt="make the report", prompted=T, own=(T - 60,))
    assert (made(due, tail=typed).prompt, made(due, tail=typed).person_at) == ("make the report", T)


@pytest.mark.parametrize(
    ("known", "entry", "path"),
    [
        (None, None, None),
        (record(), None, None),
        (record(transcript="/t.jsonl"), ENTRY, "/t.jsonl"),
        (record(), ENTRY, "/claude/projects/-home-x-web/s.jsonl"),
        (None, replace(ENTRY, cwd="/home/x/my_web.app 2"), "/claude/projects/-home-x-my-web-app-2/s.jsonl"),
        (None, replace(ENTRY, cwd="/ü"), "/claude/projects/--/s.jsonl"),
        (None, replace(ENTRY, cwd="/home/me/🚀k"), "/claude/projects/-home-me---k/s.jsonl"),
        (None, replace(ENTRY, cwd=DEEP), f"/claude/projects/{project_folder(DEEP)}/s.jsonl"),
        (None, replace(ENTRY, cwd=None), None),
    ],
)
def test_the_path_of_the_transcript(known: Record | None, entry: Entry | None, path: str | None) -> None:
    assert transcript_of("s", known, entry) == path
    assert made(known, entry).transcript_path == path


CALLS = [{"use": "u", "tool": "Bash", "subject": "make", "agent": "", "order": 1}]
THINKS = Verdict("working", "Thinking", "", T)


@pytest.mark.parametrize(
    ("known", "tail", "verdict", "after"),
    [
        (record(), NO_TAIL, THINKS, STALLED_AFTER),
        (record(), Tail(at=T + 60), THINKS, STALLED_AFTER + 60),
        (record(calls=CALLS), NO_TAIL, THINKS, STALLED_IN_TOOL_AFTER),
        (None, Tail(at=T, calls=frozenset("u")), THINKS, STALLED_IN_TOOL_AFTER),
        (record(), NO_TAIL, THINKS._replace(status="idle"), None),
        (record(), NO_TAIL, THINKS._replace(status="limit"), None),
        (record(), NO_TAIL, THINKS._replace(status="background"), None),
        (record(), NO_TAIL, THINKS._replace(status="permission"), None),
    ],
)
def test_a_session_that_works_is_stalled_after_long_without_a_step(
    known: Record | None, tail: Tail, verdict: Verdict, after: float | None
) -> None:
    one = made(known, tail=tail, verdict=verdict)
    assert one.stalls_at == (None if after is None else T + after)
    if after:
        assert not made(known, tail=tail, verdict=verdict, now=T + after - 0.1).stalled
    assert made(known, tail=tail, verdict=verdict, now=T + 10_000).stalled is (after is not None)


def test_a_suspended_session_is_not_stalled() -> None:
    one = assemble("s", record(), record(), None, NO_TAIL, THINKS, T + 10_000, suspended=True)
    assert (one.stalled, one.stalls_at) == (False, None)


def test_a_session_is_stale_after_eight_hours_without_an_event() -> None:
    assert not made(record(), now=T + STALE_AFTER).stale
    assert made(record(), now=T + STALE_AFTER + 0.1).stale


def test_an_agent_has_the_words_of_its_running_call() -> None:
    call = {"use": "u", "tool": "Bash", "subject": "make", "agent": "a", "order": 1}
    mine = {**call, "agent": "", "subject": "other"}
    agents = [
        {"id": "a", "type": "Explore", "status": "running", "started": T},
        {"id": "b", "status": "done", "ended": T},
    ]
    assert made(record(calls=[mine, call], agents=agents)).agents == (
        Agent("a", "Explore", "running", "Bash: make", T, None),
        Agent("b", "", "done", "", None, T),
    )
