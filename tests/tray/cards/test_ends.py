"""Test the first lines and the last line of the board."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.asking import Asking, Choice
from deskbell.board import Board, board
from deskbell.cards.draft import Draft
from deskbell.cards.ends import MOST, foot, head, message_lines, page_foot, spent_today
from deskbell.cards.lanes import View
from deskbell.cards.request import CHANGED, Asked
from deskbell.cards.spans import wide
from deskbell.cards.state import Page, State
from deskbell.face.actions import Answer
from deskbell.face.facts import Facts
from deskbell.session import Session, Spent
from deskbell.text.times import clock, day
from deskbell.usage import Usage, Window
from tests.tray.cards.boards import NOW, OFFICE, one, plain

TODAY = day(NOW)
SNOOZED = Facts(snoozed_until=NOW + 60)
UNTIL = f"snoozed until {clock(NOW + 60, NOW)}"
SPENT = "today 48k tokens, $3.20"


def top(columns: int, facts: Facts | None = None, spent: str = SPENT, of: Board | None = None) -> list[str]:
    return [line.rstrip() for line in plain(head(of or board(OFFICE, NOW), spent, facts or Facts(), NOW, columns))]


def test_the_first_line_counts_and_says_what_was_spent_and_until_when_all_is_quiet() -> None:
    (line,) = top(110, SNOOZED)
    assert line.startswith(" Deskbell  2 blocked, 1 your turn, 2 running, 1 crashed   ")
    assert line.endswith(f"{UNTIL} · {SPENT}")


@pytest.mark.parametrize(
    ("columns", "spent", "end"),
    [
        (110, SPENT, f"5 h 42 % · {SPENT}"),
        (80, SPENT, f" crashed {SPENT}"),
        (110, "", "5 h 42 %"),
        (60, "", "1 crashed"),
    ],
)
def test_the_first_line_says_what_is_used_of_the_limits_if_there_is_room(columns: int, spent: str, end: str) -> None:
    (line,) = top(columns, Facts(usages=(Usage("~/.claude", (Window("five_hour", 42, NOW + 60),)),)), spent)
    assert line.endswith(end)


@pytest.mark.parametrize(
    ("columns", "end"),
    [(105, f"{UNTIL} · {SPENT}"), (100, f"{UNTIL} · today 48k, $3.20"), (85, UNTIL)],
)
def test_a_narrow_first_line_says_what_matters_most(columns: int, end: str) -> None:
    assert top(columns, SNOOZED)[0].endswith(end)


WORDS, SIGNS = " Deskbell  2 blocked, 1 your turn, 2 running, 1 crashed", "●2 ○1 ▶2 ✖1"
NARROWER = [
    (WORDS, True, 80),
    (f" Deskbell  {SIGNS}", True, 70),
    (f" Deskbell  {SIGNS}", True, 23),
    (WORDS, False, 60),
    (f" Deskbell  {SIGNS}", False, 53),
    (f" {SIGNS}", False, 20),
]


@pytest.mark.parametrize(("said", "snoozed", "columns"), NARROWER)
def test_where_the_counts_do_not_fit_they_are_signs(said: str, snoozed: bool, columns: int) -> None:
    (line,) = top(columns, SNOOZED if snoozed else None)
    assert line.startswith(said)
    assert (UNTIL in line) is (snoozed and columns > 50)
    assert len(line) <= columns


def test_what_is_broken_is_marked_where_it_has_no_line_and_cut_where_it_has_one() -> None:
    def shown(most: int) -> list[str]:
        facts = Facts(problem="The hooks are not installed. Run `deskbell install`.")
        return [line.rstrip() for line in plain(head(board(OFFICE, NOW), "", facts, NOW, 40, most))]

    assert shown(1) == ["!Deskbell  ●2 ○1 ▶2 ✖1"]
    assert shown(2)[1:] == [" ! The hooks are not installed. Run…"]
    assert shown(3)[1:] == [" ! The hooks are not installed. Run", "   `deskbell install`."]


def test_an_empty_board_says_so() -> None:
    assert top(60, spent="", of=Board()) == [" Deskbell  No session is running"]


def test_what_is_broken_has_two_lines_at_most() -> None:
    short = top(80, Facts(problem="The disk is full."))
    assert short[1:] == [" ! The disk is full."]
    _, first, second = top(40, Facts(problem="The hooks are not installed, so that nothing is known. Run it. " * 5))
    assert first == " ! The hooks are not installed, so that"
    assert second.startswith("   nothing is known. Run it.")
    assert second.endswith("…")


@pytest.mark.parametrize(
    ("spent", "said"),
    [
        ([], ""),
        ([()], ""),
        ([(Spent(TODAY, 500, 0.5),), (Spent(TODAY - 1, 9, 9.0), Spent(TODAY, 700, 0.25))], "today 1.2k tokens, $0.75"),
        ([(Spent(TODAY, 500, None),)], "today 500 tokens"),
        ([(Spent(TODAY, 500, None),), (Spent(TODAY, 500, 0.5),)], "today 1.0k tokens, $0.50+"),
        ([(Spent(TODAY - 1, 500, 0.5),)], ""),
    ],
)
def test_what_was_spent_today_is_the_sum_of_all_sessions(spent: Any, said: str) -> None:
    assert spent_today([one(f"s{n}", spent=days) for n, days in enumerate(spent)], NOW) == said


def test_a_session_that_two_clients_run_has_spent_once() -> None:
    both = [one("a", pid=pid, spent=(Spent(TODAY, 500, 0.5),)) for pid in (1, 2)]
    assert spent_today(both, NOW) == "today 500 tokens, $0.50"


def bottom(columns: int, **state: Any) -> str:
    return plain([foot(State(**state), 3, 54, columns).line])[0].rstrip()


def test_the_last_line_names_the_keys_that_there_is_room_for() -> None:
    assert bottom(140) == (
        " Enter jump  d details  s snooze  m mute  / filter  ! needs you  p projects  y copy id  e ended  ? help  q quit"
    )
    assert bottom(80) == " Enter jump  d details  s snooze  m mute  / filter  ! needs you  ? help  q quit"
    assert bottom(20) == " ? help  q quit"


def test_the_last_line_says_what_the_next_keys_do() -> None:
    assert bottom(80, mode="snooze").startswith(" Snooze all: 1 for 30 minutes")
    assert bottom(50, mode="snooze") == " Snooze: 1 30 min, 2 1 h, 3 tomorrow, 0 off"
    assert bottom(24, mode="snooze") == " 1 30m 2 1h 3 day 0 off"
    typed = bottom(80, mode="filter", view=View(query="ap"))
    assert typed.startswith(" /ap")
    assert typed.endswith("3 of 54 · Enter keeps it, Esc clears it")
    assert bottom(80, view=View(query="ap")).startswith("  /ap  3 of 54, Esc clears it  Enter jump")


ANSWERS = {"1": Choice("allow", "Allow"), "2": Choice("deny", "Deny")}


def below(page: Page, columns: int = 120, offers: dict[str, Choice] | None = None, more: int = 0) -> str:
    return plain([page_foot(State(mode="page", page=page), offers or {}, more, columns)])[0].rstrip()


def test_the_last_line_below_a_page_names_its_keys() -> None:
    assert below(Page("Help", ())) == " ↑↓ scroll · Esc back"
    assert below(Page("api", (), ("a", 1)), more=7) == " ↑↓ scroll, 7 more · Esc back · Enter jump · m mute · y copy id"
    request = Page("api", (), ("a", 1), has_details=False)
    assert below(request, offers=ANSWERS).startswith(
        " 1 2 answer · ↑↓ scroll · Esc back · Enter jump · m mute · d details"
    )
    assert "y copy id" not in below(request, offers={"y": ANSWERS["1"]})
    written = State(mode="reply", page=request, draft=Draft(("a", 1), "No", 2, Answer(("a", 1), "c0de", "say")))
    assert plain([page_foot(written, ANSWERS, 0, 80)])[0].startswith(" Answer: No ")
    over = Asked(Asking("c0de", "Bash: ls"), "wants", over=CHANGED)
    assert below(request._replace(asked=over)).startswith(" a answer · ")


@pytest.mark.parametrize("columns", [80, 120, 150])
@pytest.mark.parametrize(
    ("chosen", "facts", "named"),
    [
        (one("api", "permission", asking=Asking("c", "Bash: x", choices=(ANSWERS["2"],))), Facts(), {"a answer"}),
        (one("api", "permission", asking=Asking("", "Bash: x", why_not="A subagent asks.")), Facts(), set()),
        (one("api", "permission"), Facts(replies=True), set()),
        (one("api", "idle"), Facts(replies=True), {"a answer"}),
        (one("api", "idle"), Facts(), set()),
        (one("api", "working"), Facts(), set()),
        (one("api", "crashed", pid=None), Facts(replies=True), {"r resume"}),
        (None, Facts(), set()),
    ],
)
def test_the_last_line_names_only_keys_that_do_something_to_the_chosen_session(
    columns: int, chosen: Session | None, facts: Facts, named: set[str]
) -> None:
    line = plain([foot(State(), 3, 54, columns, chosen, facts).line])[0]
    assert {key for key in ("a answer", "r resume") if key in line} == named


def test_a_reply_is_shown_with_how_it_ends() -> None:
    written = bottom(80, mode="reply", draft=Draft(("api", 1), "go on", 5))
    assert written.startswith(" Reply: go on ")
    assert written.endswith("Enter sends it, Esc leaves it")
    long = bottom(30, mode="reply", draft=Draft(("api", 1), "x" * 60 + " the end", 68))
    assert long.endswith("the end")
    assert len(long) <= 30


def test_a_long_filter_shows_its_end() -> None:
    shown = bottom(60, mode="filter", view=View(query="x" * 60 + " the end"))
    assert "the end" in shown
    assert wide(foot(State(mode="filter", view=View(query="x" * 99)), 1, 2, 30).line) == 30


def test_a_key_in_the_last_line_can_be_clicked() -> None:
    found = foot(State(), 3, 54, 100)
    text = plain([found.line])[0]
    assert [(one.key, text[one.first : one.end]) for one in found.buttons][:3] == [
        ("enter", "Enter jump"),
        ("d", "d details"),
        ("s", "s snooze"),
    ]


def test_what_is_switched_on_is_marked() -> None:
    line = foot(State(view=replace(View(), by_project=True)), 3, 54, 140).line
    assert [span.text for span in line if "reverse" in span.style] == ["p"]


def test_a_message_has_a_few_lines_at_most() -> None:
    assert [line.rstrip() for line in plain(message_lines(State(message="Copied."), 80))] == [" Copied."]
    assert message_lines(State(), 80) == ()
    long = plain(message_lines(State(message="many words " * 40), 30))
    assert (len(long), long[-1].rstrip()[-1]) == (MOST, "…")
    assert [line.rstrip() for line in plain(message_lines(State(message="\x1b[2Ja\x07b\nc"), 80))] == [" ab c"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"output_tokens": None, "transcript_path": "/t.jsonl"}, "today 500+ tokens, $0.50"),
        ({"output_tokens": 0, "transcript_path": "/t.jsonl"}, "today 500 tokens, $0.50"),
        ({"output_tokens": None, "transcript_path": None}, "today 500 tokens, $0.50"),
        ({"output_tokens": None, "transcript_path": "/t.jsonl", "heard": NOW - 90_000}, "today 500 tokens, $0.50"),
    ],
)
def test_a_long_transcript_that_is_not_yet_counted_is_a_plus(more: dict[str, Any], said: str) -> None:
    counted = one("s1", spent=(Spent(day(NOW), 500, 0.5),), output_tokens=500, transcript_path="/a.jsonl")
    assert spent_today([counted, one("s2", **more)], NOW) == said
