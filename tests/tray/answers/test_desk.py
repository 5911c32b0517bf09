"""Test that a request is answered once, for as long as nothing of it has moved, and over its own connection only."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from deskbell.answers.desk import (
    LEADS_ELSEWHERE,
    MOST,
    NOT_OPEN_YET,
    PASSED,
    REMEMBERED,
    TAKES_TOO_LONG,
    TOO_SOON,
    TYPING,
    UNHEARD_OF,
    UNREAD,
    UNSURE,
    Desk,
)
from deskbell.answers.receipts import TAKES_WITHIN, Receipt, Receipts
from deskbell.answers.request import Request
from deskbell.answers.risk.kind import PLAIN, Risk, careful, jump
from deskbell.answers.shown import Shown, whole
from deskbell.answers.steps import Answer, Refusal, Rules
from deskbell.answers.waiting import OPENS_WITHIN, READABLE_WITHIN, Seen
from deskbell.asking import Asking
from deskbell.notices.policy import Answers
from deskbell.session import Session
from deskbell.sessions.registry import Entry
from tests.tray.answers.making import COLOURS, asks, message, plans
from tests.tray.making import NOON, session

ALL = Answers(permission=True, question=True, plan=True)
WAITING = Entry(100, "a1", "/c", 1, "waiting", NOON + 0.05, "permission prompt")
ASKING = session(status="permission", detail="Bash: npm test")


@dataclass
class Line:
    said: list[bytes] = field(default_factory=list)
    closed: bool = False

    def send(self, data: bytes) -> None:
        assert not self.closed, "it sends on a closed connection"
        self.said.append(data)

    def close(self) -> None:
        self.closed = True


@dataclass
class Place:
    """A desk with a client that asks. Everything that can move is a field."""

    kinds: Answers = ALL
    risk: Risk = PLAIN
    judges_in_time: bool = True
    alive: bool = True
    typing: bool = False
    now: float = NOON + 0.1
    entries: dict[int, Entry | None] = field(default_factory=lambda: {100: WAITING})
    written: list[tuple[int, str]] = field(default_factory=list)
    """What a hook has decided according to the transcript, and how long that was then."""
    told: list[Receipt] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    changes: int = 0
    judged: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = Desk(
            kinds=lambda: self.kinds,
            seen=self.seen,
            judge=lambda request: self.judged.append(request),
            judge_again=self.judge_again,
            typing=lambda _: self.typing,
            clock=lambda: self.now,
            changed=self.change,
            ended=lambda request: self.ended.append(request.code),
            receipts=Receipts(self.seen, self.decided, lambda _: len(self.written), self.told.append),
        )

    def judge_again(self, request: Request) -> Rules | None:
        return Rules(self.risk, whole(request)) if self.judges_in_time else None

    def seen(self, request: Request) -> Seen:
        return Seen(self.entries.get(request.pid), self.alive)

    def decided(self, request: Request, begun: int) -> Any:
        return next((decision for at, decision in self.written if at >= begun), None)

    def takes(self, decision: str) -> None:
        """Have the client take the decision of a hook."""
        self.written.append((len(self.written), decision))
        self.moved(status="busy", status_since=self.now)

    def change(self) -> None:
        self.changes += 1

    def asked(self, said: dict[str, Any] | None = None, *sessions: Session, seconds: float = 1.0) -> tuple[str, Line]:
        """Have an asker connect, and look at the screen for a while."""
        line = Line()
        code = self.desk.take(said or message(), line)
        assert code is not None
        self.desk.judged(code, Rules(self.risk, whole(self.judged[-1])))
        self.desk.look()
        self.desk.attached(sessions or [ASKING])
        self.now += seconds
        return code, line

    def moved(self, **entry: Any) -> None:
        self.entries[100] = replace(WAITING, **entry)

    def answered(self) -> None:
        """Have the client go on."""
        self.moved(status="busy", status_since=self.now)


def decision(line: Line) -> Any:
    (said,) = line.said
    assert said.endswith(b"\n")
    return json.loads(said)["hookSpecificOutput"]["decision"]


def test_an_answer_reaches_the_asker_and_closes_its_connection() -> None:
    place = Place()
    code, line = place.asked()
    assert isinstance(place.desk.press(code, "allow"), Answer)
    assert decision(line) == {"behavior": "allow"}
    assert line.closed
    assert place.ended == [code]


def test_nothing_is_answered_twice() -> None:
    place = Place()
    code, line = place.asked()
    place.desk.press(code, "allow")
    assert place.desk.press(code, "deny") == Refusal("This request is over: it was already allowed from here.")
    assert len(line.said) == 1


def test_a_session_that_waits_is_shown_with_its_request() -> None:
    place = Place()
    code, _ = place.asked()
    other = session(session_id="b2", pid=200, status="permission")
    same_id_elsewhere = session(pid=300, status="permission")
    first, second, third = place.desk.attached([ASKING, other, same_id_elsewhere])
    assert first.asking is not None
    assert (first.asking.code, first.detail) == (code, "Bash: npm test")
    assert (second, third) == (other, same_id_elsewhere)


def test_a_session_that_does_not_wait_any_more_is_shown_without_it() -> None:
    place = Place()
    place.asked()
    (found,) = place.desk.attached([session(status="working")])
    assert found.asking is None


NEVER: dict[str, tuple[Session, str]] = {
    "a subagent": (session(status="permission", ask=(7, "agent-1")), "A subagent asks"),
    "a form": (session(status="input"), "in the terminal only"),
}


@pytest.mark.parametrize(("one", "why"), NEVER.values(), ids=NEVER)
def test_it_says_why_something_can_never_be_answered_from_here(one: Session, why: str) -> None:
    (found,) = Place().desk.attached([one])
    assert found.asking is not None
    assert why in found.asking.why_not
    assert (found.asking.code, found.asking.choices, found.detail) == ("", (), one.detail)
    assert Place(kinds=Answers()).desk.attached([one]) == [one]


@pytest.mark.parametrize("status", ["permission", "question", "plan", "idle", "working"])
def test_a_request_that_may_be_answered_later_is_shown_as_it_is(status: str) -> None:
    one = session(status=status, ask=(7, ""))
    assert Place().desk.attached([one]) == [one]


def test_nothing_is_shown_or_answered_before_the_dialog_is_open() -> None:
    place = Place(entries={100: replace(WAITING, status="busy")})
    code, line = place.asked()
    (found,) = place.desk.attached([ASKING])
    assert found.asking is None
    assert place.desk.press(code, "allow") == NOT_OPEN_YET
    place.moved()
    place.desk.look()
    (found,) = place.desk.attached([ASKING])
    assert found.asking is not None
    assert isinstance(place.desk.press(code, "allow"), Answer)
    assert line.said


def test_nothing_is_shown_or_answered_before_it_is_judged() -> None:
    place, line = Place(), Line()
    code = place.desk.take(message(), line)
    assert code
    place.desk.look()
    (found,) = place.desk.attached([ASKING])
    place.now += 1
    assert (found.asking, place.desk.requests) == (None, [])
    assert place.desk.press(code, "allow") == NOT_OPEN_YET
    place.desk.judged("another", Rules(PLAIN, Shown(("ls",))))
    assert place.desk.requests == []


LEADS: dict[str, tuple[Risk, Risk, bool]] = {
    "to what takes two clicks": (PLAIN, careful("writes outside the project"), False),
    "to the terminal only": (PLAIN, jump("touches ~/.ssh"), False),
    "from two clicks to the terminal only": (careful("writes outside the project"), jump("touches ~/.ssh"), False),
    "from one danger to another": (careful("writes outside the project"), careful("writes a hidden file"), False),
    "to the same": (careful("writes outside the project"), careful("writes outside the project"), True),
    "to what is harmless": (careful("writes outside the project"), PLAIN, True),
}


@pytest.mark.parametrize(("shown", "now", "is_sent"), LEADS.values(), ids=LEADS)
def test_a_link_that_leads_elsewhere_since_it_was_shown_is_judged_anew(shown: Risk, now: Risk, is_sent: bool) -> None:
    place = Place(risk=shown)
    code, line = place.asked()
    place.risk = now
    step = place.desk.press(code, "allow")
    if shown != PLAIN:
        place.now += 1
        step = place.desk.press(code, "allow-sure")
    assert isinstance(step, Answer) == is_sent
    if not is_sent:
        assert isinstance(step, Asking)
        assert step.why_not.startswith(LEADS_ELSEWHERE)
        assert line.said == []
        place.now += 1
        choices = [one.id for one in place.desk.requests[0][1].choices]
        assert choices == [one.id for one in step.choices]
        assert "allow-sure" not in choices
        assert ("allow" in choices) == (now.verdict != "jump")


def test_what_cannot_be_judged_again_in_time_is_only_denied() -> None:
    place = Place(judges_in_time=False)
    code, line = place.asked()
    assert place.desk.press(code, "allow") == TAKES_TOO_LONG
    assert line.said == []
    assert isinstance(place.desk.press(code, "deny"), Answer)


@pytest.mark.parametrize(
    ("risk", "choice", "allows"),
    [
        (PLAIN, "allow", True),
        (careful("it deletes files"), "allow", False),
        (careful("it deletes files"), "allow-sure", False),
        (PLAIN, "deny", False),
        (PLAIN, "stop", False),
        (PLAIN, "nonsense", False),
    ],
)
def test_only_a_choice_that_would_allow_a_tool_at_once_has_to_be_judged_again(
    risk: Risk, choice: str, allows: bool
) -> None:
    place = Place(risk=risk)
    code, _ = place.asked()
    found = place.desk.allows(code, choice)
    assert (found is not None) == allows
    assert place.desk.holds(code)


def test_what_is_not_open_or_no_tool_is_not_judged_again() -> None:
    place = Place()
    code = place.desk.take(message(), Line())
    assert code
    assert place.desk.allows(code, "allow") is None, "it has not been judged at all"
    asked, _ = place.asked(message("ExitPlanMode", {"plan": "1. Look"}))
    assert place.desk.allows(asked, "approve") is None
    assert (place.desk.allows("nobody", "allow"), place.desk.holds("nobody")) == (None, False)


def test_a_request_whose_session_nobody_shows_is_not_answered() -> None:
    place = Place()
    code = place.desk.take(message(), Line())
    assert code
    place.now += 1
    assert place.desk.press(code, "allow") == NOT_OPEN_YET


MOVES: dict[str, tuple[Callable[[Place], None], str]] = {
    "it was answered in the terminal": (Place.answered, "it was answered at the keyboard"),
    "the next dialog is open": (lambda place: place.moved(status_since=NOON + 2), "it was answered at the keyboard"),
    "another session runs in the client": (
        lambda place: place.moved(session_id="b2"),
        "its client went on with another session",
    ),
    "another process has the number": (
        lambda place: place.moved(pid_start=7),
        "its client went on with another session",
    ),
    "the client is dead": (lambda place: setattr(place, "alive", False), "its client has ended"),
}


@pytest.mark.parametrize(("move", "why"), MOVES.values(), ids=MOVES)
def test_a_request_ends_as_soon_as_anything_moves(move: Callable[[Place], None], why: str) -> None:
    place = Place()
    code, line = place.asked()
    move(place)
    place.desk.look()
    assert (line.closed, line.said, place.ended) == (True, [], [code])
    assert place.desk.press(code, "allow") == Refusal(f"This request is over: {why}.")


@pytest.mark.parametrize(("move", "why"), MOVES.values(), ids=MOVES)
def test_an_answer_looks_itself_whether_anything_has_moved(move: Callable[[Place], None], why: str) -> None:
    place = Place()
    code, line = place.asked()
    move(place)
    assert place.desk.press(code, "allow") == Refusal(f"This request is over: {why}.")
    assert (line.closed, line.said) == (True, [])


def test_nothing_is_answered_while_the_client_writes_its_entry() -> None:
    place = Place()
    code, line = place.asked()
    place.entries.clear()
    assert place.desk.press(code, "allow") == NOT_OPEN_YET
    place.entries[100] = WAITING
    assert isinstance(place.desk.press(code, "allow"), Answer)
    assert decision(line) == {"behavior": "allow"}


def test_a_request_without_an_entry_is_let_go_in_time() -> None:
    place = Place()
    code, line = place.asked()
    place.entries.clear()
    place.desk.look()
    place.now += READABLE_WITHIN
    place.desk.look()
    assert (line.closed, line.said) == (True, [])
    over = "This request is over: Claude Code does not report whether it still waits."
    assert place.desk.press(code, "allow") == Refusal(over)


def test_a_dialog_that_never_opens_is_given_up() -> None:
    place = Place(entries={100: replace(WAITING, status="busy")})
    _, line = place.asked(seconds=OPENS_WITHIN)
    place.desk.look()
    assert line.closed


def test_a_look_changes_nothing_while_nothing_moves() -> None:
    place = Place()
    _, line = place.asked()
    before = place.changes
    place.desk.look()
    assert (line.closed, place.changes) == (False, before)


ENDS: dict[str, tuple[Callable[[Place, str], None], str]] = {
    "the asker hung up": (
        lambda place, code: place.desk.hung_up(code),
        "it was refused or stopped at the keyboard",
    ),
    "the notification was dismissed": (
        lambda place, _: place.desk.dismissed(("a1", 100)),
        "its notification was dismissed",
    ),
    "the program ends": (lambda place, _: place.desk.close(), "Deskbell was ended"),
}


@pytest.mark.parametrize(("end", "why"), ENDS.values(), ids=ENDS)
def test_a_request_that_is_let_go_leaves_its_dialog_alone(end: Callable[[Place, str], None], why: str) -> None:
    place = Place()
    code, line = place.asked()
    end(place, code)
    assert (line.closed, line.said) == (True, [])
    assert place.desk.press(code, "allow") == Refusal(f"This request is over: {why}.")


def test_what_is_dismissed_for_one_session_stays_open_for_another() -> None:
    place = Place()
    _, line = place.asked()
    place.desk.dismissed(("a1", 300))
    assert not line.closed


def test_switching_answers_off_lets_go_of_what_is_open() -> None:
    place = Place()
    code, line = place.asked()
    place.kinds = Answers(plan=True)
    place.desk.look()
    assert (line.closed, line.said) == (True, [])
    assert place.desk.press(code, "allow") == Refusal("This request is over: answers from here were switched off.")


def test_it_is_not_answered_while_the_person_types_in_that_terminal() -> None:
    place = Place(typing=True)
    code, line = place.asked()
    assert place.desk.press(code, "allow") == TYPING
    place.typing = False
    place.desk.press(code, "allow")
    assert line.said


def test_a_click_before_anybody_can_have_read_does_not_count() -> None:
    place = Place()
    code, line = place.asked(seconds=UNREAD - 0.01)
    assert place.desk.press(code, "allow") == TOO_SOON
    place.now += 0.02
    assert isinstance(place.desk.press(code, "allow"), Answer)
    assert line.said


def test_after_the_clock_was_set_back_a_click_counts() -> None:
    place = Place()
    code, _ = place.asked()
    place.now -= 3600
    assert isinstance(place.desk.press(code, "allow"), Answer)


def test_the_second_click_of_a_double_click_does_not_confirm() -> None:
    place = Place(risk=careful("it deletes files"))
    code, line = place.asked()
    assert isinstance(place.desk.press(code, "allow"), Asking)
    place.now += UNSURE - 0.01
    assert place.desk.press(code, "allow-sure") == TOO_SOON
    place.now += 0.02
    place.desk.press(code, "allow-sure")
    assert decision(line) == {"behavior": "allow"}


def test_a_command_needs_no_time_to_read() -> None:
    place = Place()
    code, line = place.asked(seconds=0)
    place.desk.press(code, "deny", by_hand=False)
    assert decision(line)["behavior"] == "deny"


def test_what_is_not_offered_is_refused_and_stays_open() -> None:
    place = Place(risk=careful("it deletes files"))
    code, line = place.asked()
    assert isinstance(place.desk.press(code, "allow-sure"), Refusal)
    assert isinstance(place.desk.press(code, "allow", away=True), Refusal)
    assert (line.said, line.closed) == ([], False)


def test_the_receipt_of_an_answer_from_away_says_so() -> None:
    place = Place()
    code, line = place.asked()
    assert isinstance(place.desk.press(code, "allow", by_hand=False, away=True), Answer)
    assert decision(line) == {"behavior": "allow"}
    place.takes("allow")
    place.desk.look()
    (receipt,) = place.told
    assert (receipt.taken, receipt.said.partition(",")[0]) == (True, "allowed from away (phone)")
    assert place.desk.press(code, "deny") == Refusal("This request is over: it was already allowed from away (phone).")


def test_a_second_step_that_is_open_here_is_not_taken_from_away() -> None:
    place = Place(risk=careful("it deletes files"))
    code, line = place.asked()
    assert isinstance(place.desk.press(code, "allow"), Asking)
    for choice in ("allow-sure", "allow"):
        assert isinstance(place.desk.press(code, choice, by_hand=False, away=True), Refusal)
    assert (line.said, line.closed) == ([], False)


@pytest.mark.parametrize("code", ["", "0" * 32])
def test_a_code_of_no_request_is_refused(code: str) -> None:
    assert Place().desk.press(code, "allow") == UNHEARD_OF


def test_requests_of_one_text_are_told_apart() -> None:
    place = Place()
    there = session(session_id="b2", pid=200, status="permission")
    place.entries[200] = replace(WAITING, pid=200, session_id="b2")
    other = message(session_id="b2")
    other["ask"] |= {"pid": 200}
    code, line = place.asked(None, ASKING, there)
    second, second_line = place.asked(other, ASKING, there)
    assert code != second
    place.desk.press(second, "allow")
    assert (line.said, line.closed) == ([], False)
    assert decision(second_line) == {"behavior": "allow"}


def test_the_next_request_of_a_session_does_not_get_the_answer_to_the_first() -> None:
    place = Place()
    first, first_line = place.asked()
    place.answered()
    place.desk.look()
    place.now = NOON + 5
    said = message()
    said["ask"] |= {"at": NOON + 4.9}
    place.moved(status_since=NOON + 5)
    second, second_line = place.asked(said)
    assert place.desk.press(first, "allow") == Refusal("This request is over: it was answered at the keyboard.")
    assert (first_line.said, second_line.said) == ([], [])
    assert isinstance(place.desk.press(second, "allow"), Answer)


REFUSED: dict[str, tuple[Place, dict[str, Any]]] = {
    "no request": (Place(), {"v": 1}),
    "a kind that is switched off": (Place(kinds=Answers(question=True, plan=True)), message()),
    "a question, off": (
        Place(kinds=Answers(permission=True)),
        {"v": 1, "ask": message()["ask"] | {"event": asks().event}},
    ),
    "a plan, off": (
        Place(kinds=Answers(permission=True)),
        {"v": 1, "ask": message()["ask"] | {"event": plans().event}},
    ),
    "a client that is dead": (Place(alive=False), message()),
}


@pytest.mark.parametrize(("place", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_answered_is_let_go_at_once(place: Place, said: dict[str, Any]) -> None:
    line = Line()
    assert place.desk.take(said, line) is None
    assert (line.closed, line.said, place.desk.waits) == (True, [], False)


def test_only_so_many_requests_are_held() -> None:
    place = Place()
    lines = [Line() for _ in range(MOST + 5)]
    for line in lines:
        place.desk.take(message(), line)
    assert [line.closed for line in lines] == [False] * MOST + [True] * 5


def test_only_so_many_ends_are_remembered() -> None:
    place = Place()
    codes = [place.asked()[0] for _ in range(2)]
    place.desk.hung_up(codes[0])
    for _ in range(REMEMBERED):
        place.desk.hung_up(str(place.desk.take(message(), Line())))
    assert place.desk.press(codes[0], "allow") == UNHEARD_OF


def test_an_answer_that_the_client_would_take_otherwise_is_not_sent() -> None:
    """Its input has changed its shape on the way."""
    place = Place()
    said = message("ExitPlanMode", {"plan": "Leap"})
    code, line = place.asked(said, session(status="plan"))
    said["ask"]["event"]["tool_name"] = "Bash"
    assert isinstance(place.desk.press(code, "approve"), Refusal)
    assert line.said == []


def receipt(place: Place) -> tuple[bool, str]:
    (one,) = place.told
    return one.taken, one.said


@pytest.mark.parametrize(("choice", "decision", "said"), [("allow", "allow", "allowed"), ("deny", "deny", "denied")])
def test_a_receipt_says_that_the_client_took_it(choice: str, decision: str, said: str) -> None:
    place = Place(written=[(0, decision)])  # of an earlier request
    code, _ = place.asked()
    place.desk.press(code, choice)
    place.desk.look()
    assert place.told == []
    place.now += 0.05
    place.takes(decision)
    place.desk.look()
    assert receipt(place) == (True, f"{said}, and its dialog closed at once")
    assert not place.desk.waits


def settled(place: Place, status: str, choice: str = "allow", said: dict[str, Any] | None = None) -> tuple[bool, str]:
    """The receipt of an answer of which the transcript says nothing, while the client has another status."""
    place.written = [(0, "allow"), (1, "deny")]  # of earlier requests
    shown = session(status="question" if said else "permission")
    code, _ = place.asked(said, shown)
    place.desk.press(code, choice)
    place.moved(status=status, status_since=place.now)
    place.desk.look()
    assert place.told == []  # the transcript may still say so
    place.now += TAKES_WITHIN
    place.desk.look()
    return receipt(place)


KEYBOARD = "it was answered at the keyboard in the same moment"
PERHAPS = "it was answered or stopped at the keyboard in the same moment, and its terminal shows what came of it"


@pytest.mark.parametrize("status", ["busy", "waiting"])
def test_a_receipt_says_that_the_keyboard_was_first(status: str) -> None:
    assert settled(Place(), status, "deny") == (False, f"not denied: {KEYBOARD}")


def test_an_answer_to_a_question_is_taken_at_once_or_never() -> None:
    said = message("AskUserQuestion", {"questions": [COLOURS]})
    assert settled(Place(), "busy", "option:0", said) == (False, f"not answered: Blue: {KEYBOARD}")


def test_a_tool_that_is_at_work_was_allowed() -> None:
    """The transcript says so only when it has done its work."""
    assert settled(Place(), "busy") == (True, "allowed, and it is at work")


@pytest.mark.parametrize("status", ["idle", "shell"])
@pytest.mark.parametrize(("choice", "said"), [("allow", "allowed"), ("deny", "denied")])
def test_of_a_turn_that_was_cut_the_receipt_claims_nothing(status: str, choice: str, said: str) -> None:
    """The transcript says the same of a tool that never ran and of one that was stopped."""
    assert settled(Place(), status, choice) == (False, f"{said}, but {PERHAPS}")


def test_a_tool_that_was_refused_with_words_is_not_at_work() -> None:
    """The turn goes on, and the result of the tool is an error."""
    place = Place()
    code, _ = place.asked()
    place.desk.press(code, "allow")
    place.takes("failed")
    place.now += TAKES_WITHIN
    place.desk.look()
    assert receipt(place) == (False, f"allowed, but {PERHAPS}")


def test_an_allowed_tool_is_not_at_work_while_the_next_dialog_is_open() -> None:
    assert settled(Place(), "waiting") == (False, f"not allowed: {KEYBOARD}")


def test_a_status_that_the_client_is_writing_is_no_end() -> None:
    place = Place()
    code, _ = place.asked()
    place.desk.press(code, "allow")
    place.entries.clear()
    place.desk.look()
    assert place.told == []
    place.takes("allow")
    place.desk.look()
    assert receipt(place)[0]


def test_a_receipt_says_that_the_client_reports_nothing() -> None:
    place = Place()
    code, _ = place.asked()
    place.desk.press(code, "allow")
    place.entries.clear()
    place.now += TAKES_WITHIN
    place.desk.look()
    assert receipt(place) == (False, "allowed, but Claude Code does not report what came of it")


@pytest.mark.parametrize(("status", "taken"), [("idle", True), ("busy", False)])
def test_a_denial_that_stops_the_turn_is_known_by_its_rest(status: str, taken: bool) -> None:
    place = Place()
    code, _ = place.asked()
    place.desk.press(code, "stop")
    place.moved(status=status, status_since=place.now)
    place.now += TAKES_WITHIN
    place.desk.look()
    assert receipt(place)[0] is taken


def test_a_receipt_says_that_the_dialog_stayed() -> None:
    place = Place()
    code, _ = place.asked()
    place.desk.press(code, "deny")
    place.now += TAKES_WITHIN
    place.desk.look()
    assert receipt(place) == (False, "denied, but its dialog is still open: answer it in the terminal")


def test_a_receipt_says_that_the_client_ended() -> None:
    place = Place()
    code, _ = place.asked()
    place.desk.press(code, "stop")
    place.alive = False
    place.desk.look()
    assert receipt(place) == (False, "denied and stopped, but its client ended")


def test_the_desk_lists_what_is_open() -> None:
    place = Place()
    code, _ = place.asked()
    ((found, shown),) = place.desk.requests
    assert isinstance(found, Request)
    assert (found.code, shown.code) == (code, code)


def test_what_is_chosen_on_another_step_than_the_open_one_only_denies() -> None:
    place = Place(risk=careful("deletes files"))
    code, line = place.asked()
    assert isinstance(sure := place.desk.press(code, "allow", None, 0), Asking)
    place.now += 1
    assert sure.step == 1
    assert place.desk.press(code, "allow-sure", None, 0) == PASSED
    assert not line.said
    assert isinstance(place.desk.press(code, "deny", None, 0), Answer)


def test_words_that_were_typed_for_one_question_answer_no_other() -> None:
    place = Place(entries={100: replace(WAITING, waiting_for="input needed")})
    other = {"question": "Which shade?", "options": [{"label": "Dark"}, {"label": "Light"}]}
    said = message("AskUserQuestion", {"questions": [COLOURS, other]})
    code, _ = place.asked(said, session(status="question", detail="Which colour?"))
    place.desk.press(code, "option:0", None, 0)
    place.now += 1
    assert place.desk.press(code, "say", "Green, please", 0) == PASSED
    assert isinstance(place.desk.press(code, "say", "Green, please", 1), Answer)
