"""Test the board on a terminal: keys, the mouse, other sizes, what its orders do, and what breaks."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import RenderableType
from textual.geometry import Region

from deskbell.asking import Asking, Choice
from deskbell.cards.keys import CopyId, Order, ResumeHere
from deskbell.cards.state import State
from deskbell.errors import Problem
from deskbell.face.actions import Answer, Jump, Mute, Reply, Resume, Snooze
from deskbell.face.facts import Facts
from deskbell.session import STATUSES, Session
from deskbell.terminal.canvas import Canvas
from deskbell.terminal.tui import Tui
from tests.tray.cards.boards import NOW, OFFICE, agent, one
from tests.tray.terminal.boards import Hands, Stage, board, export

FIXTURES = Path(__file__).parents[2] / "fixtures" / "board"
API = ("api", 1)


def play(part: Callable[[Stage], Any], hands: Hands | None = None, **given: Any) -> tuple[Hands, Tui]:
    """Run PART with a board on the screen."""

    async def played() -> tuple[Hands, Tui]:
        async with board(hands=hands, **given) as stage:
            await part(stage)
        return stage.hands, stage.app

    return asyncio.run(played())


OFFICE_OF_54 = [
    one(
        f"{n:02}",
        STATUSES[n % 9],
        (40, 200, 1000, 9000)[n % 4],
        project=("api", "web", "mobile", "infra", "data")[n % 5],
        title=f"Do the task with the number {n}",
        detail=("Bash: make test", "Which one?", "Edit: src/main.py")[n % 3],
        branch=("main", "feature/x", None)[n % 3],
        model="claude-opus-5-5",
        context_percent=float(n),
        output_tokens=n * 1000,
        cost_usd=n / 10,
        todo=(n % 7, 7) if n % 2 else None,
        agents=(agent("Explore", detail="Grep: handler"),) if n % 9 > 6 else (),
        last_line="Everything passes." if n % 9 == 6 else None,
    )
    for n in range(54)
]


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
def test_the_board_looks_as_it_was_seen_last_in_a_light_terminal_and_in_a_dark_one(
    size: tuple[int, int], theme: str
) -> None:
    """To take it anew after a change that was looked at: delete the files, and run the test twice."""
    file = FIXTURES / f"{size[0]}x{size[1]}.ans"
    seen: list[str] = []

    async def part(stage: Stage) -> None:
        stage.app.theme = theme
        await stage.press("j")
        await stage.pilot.pause()
        seen.append(export(stage.app))

    play(part, sessions=OFFICE_OF_54, size=size)
    if not file.exists():
        file.write_text(seen[0], encoding="utf-8")
        pytest.fail(f"{file.name} is new: look at it with `cat`")
    assert seen[0] == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*.ans")), ids=lambda file: file.stem)
def test_every_colour_is_one_of_the_terminals_own_sixteen(file: Path) -> None:
    codes = {code for found in re.findall(r"\x1b\[([0-9;]*)m", file.read_text("utf-8")) for code in found.split(";")}
    assert codes <= {"", "0", "1", "2", "3", "4", "7", "39", "49", *map(str, range(30, 38))}
    assert {"31", "32", "36"} <= codes


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("enter", Jump(API)),
        ("r", Resume(API)),
        ("m", Mute(API, True)),
        ("y", CopyId(API)),
    ],
)
def test_a_key_orders_something_about_the_chosen_session_and_says_what_came_of_it(key: str, order: Any) -> None:
    async def part(stage: Stage) -> None:
        await stage.press(key)
        await stage.until("Done.")

    hands, _ = play(part)
    assert hands.orders == [(order, OFFICE[0])]


@pytest.mark.parametrize(("covers", "arrives", "code"), [(True, True, 0), (True, False, None), (False, True, None)])
def test_a_board_in_front_of_the_session_ends_once_that_is_shown(covers: bool, arrives: bool, code: int | None) -> None:
    async def part(stage: Stage) -> None:
        stage.hands.arrives = arrives
        await stage.press("y", "enter")
        if code is None:
            await stage.until("Done.")
        else:
            async with asyncio.timeout(30):
                while stage.app.return_value is None:
                    await stage.pilot.pause(0.01)

    assert play(part, covers=covers)[1].return_value == code


def test_a_snooze_is_about_no_session() -> None:
    async def part(stage: Stage) -> None:
        await stage.press("s")
        await stage.until("Snooze all: 1 for 30 minutes")
        await stage.press("2")
        await stage.until("Done.")

    assert play(part)[0].orders == [(Snooze("1h"), None)]


@pytest.mark.parametrize("error", [Problem("No terminal was found."), OSError(28, "No space left")])
def test_what_an_order_could_not_do_is_said(error: Exception) -> None:
    async def part(stage: Stage) -> None:
        stage.hands.answer = error
        await stage.press("r")
        await stage.until("No terminal was found." if isinstance(error, Problem) else "No space left")

    assert play(part)[1].failed is None


def test_an_order_about_a_session_that_is_gone_meanwhile_is_not_carried_out() -> None:
    async def part(stage: Stage) -> None:
        stage.app.order(Jump(("gone", 1)))
        await stage.until("This session no longer exists.")

    assert play(part)[0].orders == []


def test_the_id_is_sent_to_the_clipboard_of_the_terminal() -> None:
    async def part(stage: Stage) -> None:
        await stage.press("y")
        await stage.until("Done.")
        assert stage.app.clipboard == "api"

    play(part)


@pytest.mark.parametrize(
    ("keys", "left"), [(("q",), 0), (("ctrl+q",), 0), (("ctrl+c",), 130), (("R",), ResumeHere(API))]
)
def test_the_board_ends(keys: tuple[str, ...], left: Any) -> None:
    async def part(stage: Stage) -> None:
        await stage.press(*keys)
        async with asyncio.timeout(30):
            while stage.app.return_value is None:
                await stage.pilot.pause(0.01)

    assert play(part)[1].return_value == left


IDLE = next(session for session in OFFICE if session.status == "idle")
BLOCKED = next(session for session in OFFICE if session.blocked)


async def reply_to(stage: Stage, to: Session, on: bool = True) -> None:
    """Press the key for a reply on the card of TO."""
    stage.hands.now = Facts(replies=on)
    stage.app._state = replace(stage.app._state, chosen=to.key)
    stage.app.paint()
    await stage.press("a")


def test_a_reply_is_written_and_sent() -> None:
    async def part(stage: Stage) -> None:
        await reply_to(stage, IDLE)
        await stage.until("Reply: ")
        await stage.press("g", "o", "space", "q", "left", "x")
        stage.app.paste(" a\nb")
        await stage.until("go x a⏎bq")
        await stage.press("enter")
        await stage.until("Done.")

    assert play(part)[0].orders == [(Reply(IDLE.key, "go x a\nbq"), IDLE)]


def test_a_reply_is_left_by_escape() -> None:
    async def part(stage: Stage) -> None:
        await reply_to(stage, IDLE)
        await stage.press("g", "escape")
        await stage.until("Enter jump")
        assert "Reply:" not in stage.text()

    assert play(part)[0].orders == []


def test_a_session_that_takes_no_reply_says_why() -> None:
    async def part(stage: Stage) -> None:
        await reply_to(stage, BLOCKED)
        await stage.until("It waits for an answer in its terminal. Enter jumps to it.")
        await reply_to(stage, IDLE, on=False)
        await stage.until("Replies are switched off.")

    assert play(part)[0].orders == []


ASKING = Asking(
    "c0de",
    "Bash: rm -rf a",
    ("rm -rf a",),
    (Choice("allow", "Allow…", allows=True), Choice("deny", "Deny"), Choice("say", "Say it", takes_text=True)),
    "Allow asks again: it deletes files.",
)
SURE = replace(ASKING, choices=(Choice("allow-sure", "Yes, allow it", allows=True), ASKING.choices[1]), why_not="Sure?")


class Answering(Hands):
    """A program with one open request, whose Allow has a second step."""

    def __init__(self) -> None:
        super().__init__()
        self.open = {API: ASKING}

    def do(self, order: Order, session: Session | None) -> str:
        if isinstance(order, Answer):
            self.open = {API: SURE} if order.choice == "allow" else {}
        return super().do(order, session)


def test_a_request_is_answered_in_two_steps_and_the_keys_of_the_first_allow_nothing() -> None:
    elapsed = [0.0]

    async def part(stage: Stage) -> None:
        await stage.until("wants to run rm -rf a")
        await stage.press("a")
        await stage.until("1  Allow…")
        await stage.press("1")
        await stage.until("That came before anybody could have read it.")
        elapsed[0] += 1.0
        await stage.press("1")
        await stage.until("y  Yes, allow it")
        await stage.press("a", "1", "a", "1", "y")
        await stage.until("That came before anybody could have read it.")
        elapsed[0] += 1.0
        await stage.press("y")
        await stage.until("Needs You 3")

    hands, _ = play(part, Answering(), elapsed=lambda: elapsed[0])
    assert [(order, session and session.asking) for order, session in hands.orders if isinstance(order, Answer)] == [
        (Answer(API, "c0de", "allow"), ASKING),
        (Answer(API, "c0de", "allow-sure"), SURE),
    ]


def test_a_key_that_was_meant_for_the_question_before_does_not_count_though_the_options_are_the_same() -> None:
    choices = (Choice("option:0", "Yes", allows=True), Choice("option:1", "No", allows=True))
    hands, elapsed = Hands(), [0.0]
    first = Asking("c0de", "Keep the logs?", ("Keep the logs?", "• Yes", "• No"), choices)
    hands.open = {API: first}

    async def part(stage: Stage) -> None:
        await stage.until("Keep the logs?")
        await stage.press("a")
        await stage.until("1  Yes")
        elapsed[0] += 60.0
        hands.open = {API: replace(first, whole=("Drop the table?", "• Yes", "• No"))}
        await stage.until("Drop the table?")
        await stage.press("1")
        await stage.until("That came before anybody could have read it.")

    assert play(part, hands, elapsed=lambda: elapsed[0])[0].orders == []


def test_what_an_answer_could_not_do_is_said_and_the_request_stays() -> None:
    hands = Hands()
    hands.open, hands.answer = {API: ASKING}, Problem("You are typing in its terminal.")

    async def part(stage: Stage) -> None:
        await stage.until("wants to run rm -rf a")
        await stage.press("a", "2")
        await stage.until("You are typing in its terminal.")
        assert "2  Deny" in stage.text()
        hands.answer = "Denied."
        hands.open = {}
        await stage.press("2")
        await stage.until("Denied.")

    ticks = iter(range(10**6))
    assert len(play(part, hands, elapsed=lambda: float(next(ticks)))[0].orders) == 2


def test_a_request_that_is_over_or_another_is_noticed_while_its_page_is_open() -> None:
    hands = Hands()
    hands.open = {API: ASKING}

    async def part(stage: Stage) -> None:
        await stage.until("wants to run rm -rf a")
        await stage.press("d")
        await stage.until("2  Deny")
        hands.open = {API: replace(ASKING, code="other", whole=("ls",))}
        await stage.until("It asks something else now: a shows that.")
        await stage.press("2", "1")
        hands.open = {}
        await stage.until("This request is over.")
        await stage.press("2", "escape")
        await stage.until("Needs You 3")

    ticks = iter(range(10**6))
    assert play(part, hands, elapsed=lambda: float(next(ticks)))[0].orders == []


def test_a_filter_is_typed_and_pasted() -> None:
    async def part(stage: Stage) -> None:
        await stage.press("slash", "w", "e")
        await stage.until("1 of 7")
        stage.app.paste("b\x1b[2J")
        await stage.until("/web[2J")
        await stage.press("escape")
        stage.app.paste("q")
        await stage.until("Enter jump")

    assert play(part)[1].return_value is None


def test_details_are_shown_followed_and_left() -> None:
    async def part(stage: Stage) -> None:
        await stage.press("d")
        await stage.until("All of api: [bold]Bash: npm publish[/]")
        await stage.press("end")
        await stage.until("line 59")
        stage.show([replace(OFFICE[0], detail="Bash: npm test"), *OFFICE[1:]], NOW)
        await stage.press("home")
        await stage.until("Bash: npm test")
        await stage.press("escape")
        await stage.until("Needs You 3")
        await stage.press("d")
        await stage.until("All of api")

    assert [one.detail for one in play(part)[0].shown] == ["Bash: npm publish", "Bash: npm test"]


def test_help_is_shown_and_left() -> None:
    async def part(stage: Stage) -> None:
        await stage.press("question_mark")
        await stage.until("show the window, the tab and the pane")
        await stage.press("q")
        await stage.until("Needs You 3")

    assert play(part)[1].return_value is None


def test_a_click_chooses_a_card_and_a_second_one_jumps() -> None:
    async def part(stage: Stage) -> None:
        await stage.pilot.click(Canvas, offset=(60, 3))
        assert stage.app._state.chosen == ("data", 1)
        await stage.pilot.click(Canvas, offset=(60, 3), times=2)
        await stage.until("Done.")

    assert [order for order, _ in play(part)[0].orders] == [Jump(("data", 1))]


def test_a_click_folds_what_ended_and_presses_a_key_of_the_last_line() -> None:
    async def part(stage: Stage) -> None:
        await stage.pilot.click(Canvas, offset=(3, 27))
        await stage.until("▾ e folds them")
        await stage.pilot.click(Canvas, offset=(90, 15))  # nothing is there
        await stage.pilot.click(Canvas, offset=(0, 29))  # nor there
        await stage.pilot.click(Canvas, offset=(2, 29))
        await stage.until("Done.")
        await stage.press("question_mark")
        await stage.pilot.click(Canvas, offset=(60, 3))
        assert stage.app._state.chosen == API

    assert [order for order, _ in play(part)[0].orders] == [Jump(API)]


def test_the_wheel_scrolls_what_is_under_it() -> None:
    many = [one(f"s{n:03}", turn_started=9000 - n) for n in range(100)]

    async def part(stage: Stage) -> None:
        stage.app.wheel(60, 10, 3)
        await stage.until("s029")
        assert stage.app._state.tops["running"] == 3
        stage.app.wheel(60, 10, -3)
        assert stage.app._state.tops["running"] == 0
        await stage.press("question_mark")
        await stage.until("Keys")
        stage.app.wheel(60, 10, 3)
        assert stage.app._state.page_top == 3

    play(part, sessions=many)


def test_every_size_is_drawn_anew() -> None:
    async def part(stage: Stage) -> None:
        for size in [(20, 5), (200, 60), (1, 1), (80, 24)] * 3:
            await stage.pilot.resize_terminal(*size)
        await stage.until("Needs You 3")
        assert "Running 2" in stage.text()

    assert play(part)[1].failed is None


def test_what_has_not_changed_is_not_drawn_again() -> None:
    drawn: list[list[int]] = []

    class Watched(Canvas):
        def refresh(self, *regions: Region, **named: Any) -> Any:
            if regions:
                drawn.append([region.y for region in regions])
            return super().refresh(*regions, **named)

    async def part(stage: Stage) -> None:
        stage.app._canvas.__class__ = Watched
        stage.show(list(OFFICE), NOW)
        stage.app.tick()
        assert drawn == []
        stage.show([*OFFICE[:4], replace(OFFICE[4], detail="Bash: make all"), *OFFICE[5:]], NOW)

    play(part)
    assert drawn == [[3]]


def test_before_the_first_look_nothing_is_claimed() -> None:
    async def part() -> None:
        never = asyncio.Event()

        async def feed(show: object) -> None:
            await never.wait()

        app = Tui(feed, Hands(), State(), clock=lambda: NOW)
        async with app.run_test(size=(80, 10)) as pilot:
            await pilot.press("j", "d")
            await pilot.pause()
            text = export(app, styles=False)
            assert "reading the sessions" in text
            assert "No session" not in text
            await pilot.press("ctrl+c")

    asyncio.run(part())


@pytest.mark.parametrize("later", [60, -86400])
def test_a_message_goes_away_after_a_while_even_if_the_clock_steps_back(later: int) -> None:
    async def part(stage: Stage) -> None:
        stage.app.tell("Copied.")
        stage.app.tick()
        await stage.until("Copied.")
        stage.app._clock = lambda: NOW + later
        stage.app.tick()
        await stage.until("Enter jump")

    play(part)


def test_what_is_broken_is_looked_for_and_shown() -> None:
    hands = Hands()
    hands.now = Facts(problem="The disk is full.")

    async def part(stage: Stage) -> None:
        await stage.until("The disk is full.")
        async with asyncio.timeout(30):
            while not hands.looks:
                await stage.pilot.pause(0.01)

    play(part, hands)


class Broken(Hands):
    def look(self) -> None:
        raise ValueError("of the look")


class Refused(Hands):
    def look(self) -> None:
        raise OSError(13, "Nothing can be read")

    def details(self, session: Session, now: float) -> RenderableType:
        raise Problem("The journal cannot be read.")


def test_what_cannot_be_read_is_said_and_the_board_goes_on() -> None:
    async def part(stage: Stage) -> None:
        await stage.until("Nothing can be read")
        await stage.press("d")
        await stage.until("The journal cannot be read.")
        await stage.press("escape")
        await stage.until("Needs You 3")

    assert play(part, Refused())[1].failed is None


def test_what_breaks_ends_the_board_and_is_kept_for_the_command() -> None:
    async def part(stage: Stage) -> None:
        async with asyncio.timeout(30):
            while stage.app.failed is None:
                await stage.pilot.pause(0.01)

    _, app = play(part, Broken())
    assert (str(app.failed), app.return_value) == ("of the look", 1)


def test_a_key_that_breaks_ends_the_board() -> None:
    async def part(stage: Stage) -> None:
        stage.app._state = replace(stage.app._state, mode="page", page=object())  # type: ignore[arg-type]  # on purpose
        await stage.press("x")

    assert isinstance(play(part)[1].failed, AttributeError)


def test_a_session_with_markup_in_its_title_is_shown_as_it_is() -> None:
    async def part(stage: Stage) -> None:
        await stage.until("[bold red]x[/] [link=http://x]y")

    play(part, sessions=[one("api", "permission", title="[bold red]x[/] [link=http://x]y", detail="Bash: \x1b[2J")])
