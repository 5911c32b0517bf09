"""Test the verdict on a client that waits for a usage limit or for the API."""

from dataclasses import replace

import pytest

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Evidence
from deskbell.sessions.limits import PATIENCE, Limit, Retries
from deskbell.sessions.registry import Entry
from deskbell.sessions.truth import END_DELAY, SAYS_WITHIN, verdict
from deskbell.text.times import clock
from deskbell_hooks.schema import Status
from tests.tray.sessions.evidence import CALL, PROMPT, T, entry, run

HIT = "You've hit your 5-hour limit · resets 3:45am"
RESETS = T + 3600
FAILED = run(PROMPT, (9.0, "StopFailure", {"facts": {"error": "rate_limit", "last_assistant_message": HIT}}))
OTHER = run(PROMPT, (9.0, "StopFailure", {"facts": {"error": "rate_limit", "last_assistant_message": "429"}}))
AGAIN = run(PROMPT, (9.0, "StopFailure", {"facts": {"error": "rate_limit"}}), (99.0, "UserPromptSubmit", {}))
REFUSED = run(PROMPT, (9.0, "StopFailure", {"facts": {"error": "rate_limit"}}), (99.0, "UserPromptSubmit", {}))
SERVER = {"facts": {"error": "server_error"}}
FAILED_AGAIN = run(PROMPT, (9.0, "StopFailure", {}), (99.0, "UserPromptSubmit", {}), (120.0, "StopFailure", SERVER))
SAID = Limit(T + 9, RESETS, goes_on=True, said=T + 9.1)
UNTIL = f"the limit until {clock(RESETS, T + 60)}"


def at_limit(limit: Limit | None = SAID) -> Tail:
    return Tail(error=HIT, at=T + 9.1, prompts=(T + 1,), limit=limit)


GOES_ON = at_limit(SAID._replace(said=T + 99.1))


WAITS: list[tuple[str, Evidence]] = [
    ("with hooks", Evidence(T + 60, FAILED, entry("idle", 9.05), tail=at_limit())),
    ("a shell runs behind", Evidence(T + 60, FAILED, entry("shell", 9.05), tail=at_limit())),
    (
        "a hook of its person refuses a prompt meanwhile",
        Evidence(T + 102, REFUSED, entry("idle", 99.2), tail=replace(at_limit(), refused_at=T + 99.1)),
    ),
    ("its hook is late", Evidence(T + 60, run(PROMPT), entry("idle", 9.05), tail=at_limit())),
    ("its registry is late", Evidence(T + 60, FAILED, tail=at_limit())),
    ("without hooks", Evidence(T + 60, None, entry("idle", 9.05), tail=at_limit())),
    ("without a registry", Evidence(T + 60, FAILED, entry(None, 9.05), tail=at_limit())),
    ("until the last moment", Evidence(RESETS + PATIENCE - 1, FAILED, entry("idle", 9.05), tail=at_limit())),
]


@pytest.mark.parametrize("evidence", [one for _, one in WAITS], ids=[name for name, _ in WAITS])
def test_a_client_that_goes_on_by_itself_waits_for_its_limit(evidence: Evidence) -> None:
    found = verdict(evidence)
    assert (found.status, found.since, found.again) == ("limit", T + 9, RESETS + PATIENCE)
    assert found.detail == f"the limit until {clock(RESETS, evidence.now)}"


def test_a_limit_whose_end_is_not_known_names_no_time() -> None:
    found = verdict(Evidence(T + 90_000, FAILED, entry("idle", 9), tail=at_limit(SAID._replace(resets=None))))
    assert (found.status, found.detail, found.again) == ("limit", "the limit", None)


OVER: list[tuple[str, Evidence, Status, float]] = [
    ("it did not go on", Evidence(RESETS + PATIENCE, FAILED, entry("idle", 9), tail=at_limit()), "error", 3900),
    (
        "its person cancelled it",
        Evidence(T + 60, FAILED, entry("idle", 9), tail=at_limit(Limit(T + 9, RESETS, cancelled=True, said=T + 50))),
        "interrupted",
        50,
    ),
    (
        "it says that it does not go on",
        Evidence(T + 60, FAILED, entry("idle", 9), tail=at_limit(Limit(T + 9, RESETS, said=T + 50))),
        "error",
        50,
    ),
    ("it goes on", Evidence(T + 100, AGAIN, entry("busy", 99), tail=at_limit()), "working", 99),
    (
        "it goes on, and the registry is late",
        Evidence(T + 100, AGAIN, entry("idle", 9), tail=at_limit()),
        "working",
        99,
    ),
    (
        "it goes on unheard, and says so when it is busy",
        Evidence(T + 110, run(PROMPT), entry("busy", 99), tail=replace(GOES_ON, at=T + 99.1)),
        "working",
        1,
    ),
    (
        "it goes on without hooks, and says so when it is busy",
        Evidence(T + 110, None, entry("busy", 99), tail=replace(GOES_ON, at=T + 99.1)),
        "working",
        99,
    ),
    ("it goes on without hooks", Evidence(T + 100, None, entry("busy", 99), tail=at_limit()), "working", 99),
    ("it said nothing", Evidence(T + 60, FAILED, entry("idle", 9), tail=at_limit(Limit(T + 9, RESETS))), "error", 9),
    ("a later turn failed", Evidence(T + 130, FAILED_AGAIN, entry("idle", 120), tail=at_limit()), "error", 120),
    ("it is no usage limit", Evidence(T + 9.2, OTHER, entry("idle", 9.1), tail=Tail(at=T + 9)), "error", 9),
]


@pytest.mark.parametrize(("evidence", "status", "since"), [one for _, *one in OVER], ids=[name for name, *_ in OVER])
def test_a_client_that_does_not_wait_for_a_limit(evidence: Evidence, status: Status, since: float) -> None:
    found = verdict(evidence)
    assert (found.status, found.since) == (status, T + since)


@pytest.mark.parametrize("status", [entry("idle", 9.1), entry("waiting", 9.1, "dialog open"), None])
def test_until_the_client_has_said_what_it_does_its_turn_still_runs(status: Entry | None) -> None:
    silent = Evidence(T + 9.2, FAILED, status, tail=Tail(prompts=(T + 1,), at=T + 1))
    found = verdict(silent)
    assert (found.status, found.since, found.again) == ("working", T + 1, T + 9 + SAYS_WITHIN)
    assert verdict(replace(silent, now=T + 9 + SAYS_WITHIN)).status == "error"


@pytest.mark.parametrize(
    ("tail", "status"), [(Tail(prompts=(T + 1,), at=T + 1), "working"), (at_limit(), "limit")], ids=["silent", "said"]
)
def test_the_error_of_a_limit_is_none_while_the_registry_is_late_or_its_client_exits(tail: Tail, status: str) -> None:
    for evidence in (
        Evidence(T + 9.2, FAILED, entry("busy", 1.1), tail=tail),
        Evidence(T + 9.2, FAILED, alive=True, left=T + 9.1, tail=tail),
        Evidence(T + 9.2, FAILED, alive=False, died=T + 9.1, had_entry=False, tail=tail),
    ):
        found = verdict(evidence)
        assert (found.status, found.again is None or found.again <= T + 9.1 + END_DELAY) == (status, True)


def test_a_client_that_is_set_not_to_go_on_asks_what_to_do() -> None:
    dialog = Evidence(T + 60, FAILED, entry("waiting", 9.7, "dialog open"), tail=at_limit(Limit(T + 9, RESETS)))
    found = verdict(dialog)
    assert (found.status, found.detail, found.since) == ("input", HIT, T + 9.7)
    nameless = replace(dialog, tail=replace(dialog.tail, error=None))
    assert verdict(nameless).detail == "usage limit"
    by_person = replace(dialog, entry=entry("waiting", 30, "dialog open"))
    assert verdict(by_person).status == "error"
    assert verdict(replace(dialog, run=AGAIN)).status != "input"


def test_a_dialog_that_the_person_opens_meanwhile_changes_nothing() -> None:
    for after in (9.7, 60.0):
        found = verdict(Evidence(T + 61, FAILED, entry("waiting", after, "dialog open"), tail=at_limit()))
        assert (found.status, found.detail, found.since) == ("limit", f"the limit until {clock(RESETS, T)}", T + 9)


RETRIES = Retries(T + 8, T + 4, 2, 4.0)


@pytest.mark.parametrize("record", [run(PROMPT), run(PROMPT, (3.9, "PreToolUse", {})), None])
def test_a_client_whose_request_fails_again_and_again_waits_for_the_api(record: object) -> None:
    tail = Tail(prompts=(T + 1,), at=T + 1, requests=RETRIES)
    waits = Evidence(T + 10, record, entry("busy", 1.1), tail=tail)  # type: ignore[arg-type]  # a record or None
    found = verdict(waits)
    assert (found.status, found.detail, found.since) == ("limit", "the API, retry 2", T + 4)
    assert found.again == RETRIES.until
    assert verdict(replace(waits, now=RETRIES.until)).status == "working"


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence(T + 10, run(PROMPT), entry("busy", 1.1), tail=Tail(requests=Retries(T + 2))),
        Evidence(T + 10, run(PROMPT, (9.0, *CALL[1:])), entry("busy", 1.1), tail=Tail(requests=RETRIES)),
        Evidence(T + 10, run(PROMPT, (9.0, "Stop", {})), entry("idle", 9.0), tail=Tail(requests=RETRIES)),
        Evidence(T + 10, run(PROMPT), entry("waiting", 9.0, "dialog open"), tail=Tail(requests=RETRIES)),
        Evidence(T + 10, run(PROMPT), tail=Tail(requests=RETRIES)),
    ],
)
def test_a_client_that_got_an_answer_or_is_not_busy_retries_nothing(evidence: Evidence) -> None:
    assert verdict(evidence).status != "limit"
