"""Test answers from a phone, from the tap to the client: the real program, the real asker, an ntfy server on loopback."""

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from deskbell.answers.desk import UNHEARD_OF
from deskbell.answers.steps import Answer, Refusal
from deskbell.asking import Asking, Choice
from deskbell.home import home
from deskbell.notices.channels import outbox
from deskbell.notices.elsewhere import notice_for
from deskbell.notices.orders import Send
from deskbell.notices.policy import Policy
from deskbell.program.assembly import Program
from deskbell.program.away import DESK_FAILED, PART, Away
from deskbell.program.boundary import Boundary
from deskbell.session import Session
from tests.tray.desktop.fake_daemon import Daemon, until
from tests.tray.making import NOON, session
from tests.tray.notices.channels.ntfy_server import Ntfy, ntfy
from tests.tray.notices.channels.receiver import channel
from tests.tray.program.test_answering import (
    COLOURS,
    ON,
    Client,
    a_client,
    answering,
    offered,
    outcomes,
    said,
)
from tests.tray.program.test_assembly import lived

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="a session bus"), pytest.mark.long]

Scene = Callable[[Program, Ntfy, Client], Awaitable[None]]
TOPIC = "desk-answers"


def settings(server: Ntfy, answers: bool = True, **more: str) -> str:
    given = {"details": "true", "answers": str(answers).lower(), "timeout": "5.0"} | more
    lines = "\n".join(f"{name} = {value}" for name, value in given.items())
    return f'{ON}\n[[channels]]\nname = "phone"\nkind = "ntfy"\nwhen = "ring"\nurl = "{server.url}/desk"\n{lines}\n'


def away(address: str, scene: Scene, *streams: str, **more: Any) -> Program:
    """Play SCENE beside a program that sends what rings to a phone."""
    with ntfy(*streams) as server:

        async def story(program: Program, daemon: Daemon) -> None:
            with a_client() as client:
                await until(lambda: program._answering.made and program._answering.made._door.is_open, "the socket")
                await scene(program, server, client)

        home().config.mkdir(parents=True, exist_ok=True)
        (home().config / "config.toml").write_text(settings(server, **more))
        return lived(address, story)


async def rung(server: Ntfy, *buttons: str) -> None:
    """Wait until the phone has a message with these buttons, and Deskbell listens."""
    await until(lambda: server.buttons() == [*buttons], f"the buttons {buttons}")
    await until(lambda: server.listening, "a listener")


async def tapped(server: Ntfy, label: str) -> None:
    """Press a button of the first message: that of a refusal has none."""
    assert await asyncio.to_thread(server.tap, label, 0) == 200


def test_a_tap_on_allow_reaches_the_client(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks()
        await rung(server, "Allow", "Deny")
        assert "npm test" in f"{server.published[-1]['title']}{server.published[-1]['message']}"
        await tapped(server, "Allow")
        assert await said(asker) == {"behavior": "allow"}
        client.takes("allow")
        await until(outcomes, "the receipt")
        ((verdict, reason),) = outcomes()
        assert (verdict, reason.partition(",")[0]) == ("answered", "allowed from away (phone)")
        await until(lambda: not server.listening, "nobody listening")
        await until(lambda: server.deleted, "the end of the message")
        assert server.deleted == [f"/desk/{server.published[-1]['sequence_id']}"]
        assert program.boundary.broken == {}

    away(address, scene)


def test_a_tap_on_deny_reaches_the_client(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks()
        await rung(server, "Allow", "Deny")
        await tapped(server, "Deny")
        assert (await said(asker))["behavior"] == "deny"

    away(address, scene)


def test_what_is_dangerous_can_only_be_denied(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks(tool_input={"command": "rm -rf build"})
        await rung(server, "Deny")
        assert "at this machine only" in server.published[-1]["message"]
        await tapped(server, "Deny")
        assert (await said(asker))["behavior"] == "deny"

    away(address, scene)


def test_what_is_not_shown_can_only_be_denied(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        client.asks()
        await rung(server, "Deny")
        assert "npm" not in str(server.published[-1]["title"] + server.published[-1]["message"])

    away(address, scene, details="false")


def test_a_secret_is_not_sent_and_what_holds_one_can_only_be_denied(address: str) -> None:
    secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"

    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        client.asks(tool_input={"command": f"curl -H 'Authorization: Bearer {secret}' https://api.example"})
        await rung(server, "Deny")
        assert "curl" in server.published[-1]["title"] + server.published[-1]["message"]
        assert secret not in str(server.published)

    away(address, scene)


def test_an_option_answers_a_question(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks("AskUserQuestion", {"questions": [COLOURS]})
        await rung(server, "Blue", "Red")
        await tapped(server, "Red")
        assert (await said(asker))["updatedInput"]["answers"] == {"Which colour?": "Red"}

    away(address, scene)


def test_a_plan_can_only_be_kept_in_planning(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks("ExitPlanMode", {"plan": "1. Look"})
        await rung(server, "Keep planning")
        await tapped(server, "Keep planning")
        assert (await said(asker))["behavior"] == "deny"

    away(address, scene)


def test_an_answer_at_the_keyboard_wins(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks()
        await rung(server, "Allow", "Deny")
        client.register("busy")
        assert await said(asker) is None
        await until(lambda: not server.listening, "nobody listening")
        await tapped(server, "Allow")
        await until(lambda: server.deleted, "the end of the message")
        assert outcomes() == []

    away(address, scene)


@pytest.mark.parametrize("how", ["close", "garbage", "long", "redirect", "401", "twice"])
def test_a_tap_counts_once_however_the_server_behaves(address: str, how: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks()
        await until(lambda: server.buttons() == ["Allow", "Deny"], "the buttons")
        await tapped(server, "Allow")
        await tapped(server, "Allow")
        await tapped(server, "Deny")
        assert await said(asker) == {"behavior": "allow"}
        client.takes("allow")
        await until(outcomes, "the receipt")
        assert len(outcomes()) == 1
        assert program.boundary.broken == {}

    away(address, scene, how)


def test_what_is_no_open_code_is_ignored_and_counted_once(address: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks()
        await rung(server, "Allow", "Deny")
        right = server.published[-1]["actions"][0]["body"]
        for wrong in ("0" * 32, right[:-1], right + "0", right.upper() + " ", "allow", "", "x" * 5000):
            server.say(TOPIC, wrong)
        server.say("desk", right)
        server.say(TOPIC, "1" * 32)
        await asyncio.sleep(0.5)  # nothing is to happen
        assert asker.poll() is None
        await tapped(server, "Deny")
        assert (await said(asker))["behavior"] == "deny"

    with caplog.at_level(logging.INFO):
        away(address, scene)
    assert len([one for one in caplog.messages if "no open answers" in one]) == 1


def test_the_codes_are_not_those_of_the_desk_and_differ_for_each_request(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        client.asks()
        await rung(server, "Allow", "Deny")
        ((request, _),) = program._answering.made.desk.requests
        codes = [one["body"] for one in server.published[-1]["actions"]]
        assert len({request.code, *codes}) == 3
        assert {len(code) for code in codes} == {32}
        kept = "".join(path.read_text(errors="replace") for path in home().state.rglob("*") if path.is_file())
        assert not [code for code in codes if code in kept], "no code is on the disk"
        client.register("busy")
        await until(lambda: not program._answering.made.desk.waits, "the end of the request")
        client.asks(tool_input={"command": "npm run lint"})
        await until(lambda: len(server.published) == 2 and server.buttons(), "the second message")
        assert not {one["body"] for one in server.published[-1]["actions"]} & {*codes}

    away(address, scene)


def test_the_end_of_the_program_ends_what_it_offered(address: str) -> None:
    servers: list[Ntfy] = []

    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks()
        await rung(server, "Allow", "Deny")
        servers.append(server)
        program.app.quit()
        assert await said(asker) is None
        await until(lambda: not server.listening, "nobody listening")

    away(address, scene)
    kept = "".join(path.read_text() for path in (home().state / "outbox").glob("*.json"))
    assert servers[0].deleted or '"gone": true' in kept, "the next run takes the message back"


def test_a_channel_that_may_not_answer_has_no_buttons_and_nobody_listens(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        client.asks()
        await until(lambda: server.published, "the message")
        await until(lambda: program._answering.made.desk.requests, "the request")
        assert ("actions" in server.published[0], server.subscribed) == (False, [])

    away(address, scene, answers=False)


def test_a_request_that_cannot_be_answered_is_sent_without_buttons(address: str) -> None:
    """Its asker does not connect: that of a subagent leaves at once."""

    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        client.asks(agent_id="x1", agent_type="Explore")
        await until(lambda: server.published, "the message")
        assert ("actions" in server.published[0], server.subscribed) == (False, [])

    away(address, scene)


def test_the_setting_ends_what_was_offered(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks()
        await rung(server, "Allow", "Deny")
        (home().config / "config.toml").write_text(settings(server, answers=False))
        await until(lambda: not server.listening, "nobody listening")
        await tapped(server, "Allow")
        assert asker.poll() is None
        assert program._answering.made.desk.requests

    away(address, scene)


def test_a_refusal_is_told_to_the_phone(address: str) -> None:
    async def scene(program: Program, server: Ntfy, client: Client) -> None:
        asker = client.asks()
        await rung(server, "Allow", "Deny")
        program._answering.made.desk.typing = lambda session: True
        await tapped(server, "Allow")
        await until(lambda: len(server.published) == 2, "the refusal")
        assert server.published[-1]["title"] == "api: not answered"
        assert "typing" in server.published[-1]["message"]
        assert asker.poll() is None

    away(address, scene)


def test_a_notification_and_a_phone_offer_the_same_request(address: str) -> None:
    with ntfy() as server:

        async def scene(program: Program, daemon: Daemon, client: Client) -> None:
            asker = client.asks()
            await offered(daemon, "Allow")
            await rung(server, "Allow", "Deny")
            await tapped(server, "Deny")
            assert (await said(asker))["behavior"] == "deny"
            await until(lambda: not any("Allow" in one.actions for one in daemon.screen.values()), "no buttons")

        answering(address, scene, settings=settings(server))


def test_the_next_run_takes_back_what_nobody_can_answer_any_more(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "FIRST_PAUSE", 0.3)
    with ntfy() as server:
        server.deletes = 503

        async def first(program: Program, daemon: Daemon, client: Client) -> None:
            asker = client.asks()
            await rung(server, "Allow", "Deny")
            program.app.quit()
            assert await said(asker) is None

        async def second(program: Program, daemon: Daemon) -> None:
            await until(lambda: server.deleted[-1:] == [f"/desk/{tag}"], "the end of the message")
            assert await asyncio.to_thread(server.tap, "Allow", 0) == 200
            assert program.boundary.broken == {}

        answering(address, first, settings=settings(server))
        tag = server.published[0]["sequence_id"]
        server.deletes = 200
        server.deleted.clear()
        lived(address, second)
        assert outcomes() == []


@dataclass
class Post:
    """An Away with a supervisor of its own, and what it sent."""

    folder: Path
    answers: bool = True
    pressed: list[tuple[str, str]] = field(default_factory=list)
    result: Asking | Answer | Refusal | Exception = UNHEARD_OF
    """What the desk returns, or raises."""

    def __post_init__(self) -> None:
        self.boundary = Boundary()
        self.away = Away.over(self.folder / "outbox", time.time, lambda *_: None, self.boundary, time.time)
        self.away.patience, self.away.press = 0.2, self.press

    def press(self, code: str, choice: str, *, by_hand: bool, away: bool) -> Asking | Answer | Refusal:
        assert (by_hand, away) == (False, True)
        self.pressed.append((code, choice))
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def policy(self, server: Ntfy, **answers: bool) -> Policy:
        phone = channel("ntfy", url=f"{server.url}/desk", answers=True, details=True)
        return Policy.model_validate({"answers": {"permission": True} | answers, "channels": [phone.model_dump()]})


API = session(status="permission", detail="Bash: npm test")
SHORT = Asking("c0de", "Bash: npm test", ("npm test",), (Choice("allow", "Allow"), Choice("deny", "Deny")))
ASKED = replace(API, asking=replace(SHORT, away=SHORT))


def message(one: Session, policy: Policy) -> Send:
    return Send("one", notice_for(one, policy.channels[0], policy, NOON))


Play = Callable[[Post, Ntfy], Awaitable[None]]


def post(tmp_path: Path, play: Play, *streams: str) -> Post:
    async def story() -> None:
        with ntfy(*streams) as server:
            one.away.start(one.policy(server))
            try:
                await play(one, server)
            finally:
                one.away.stop()
                await until(lambda: not server.listening, "nobody listening")

    one = Post(tmp_path)
    asyncio.run(story())
    return one


def test_a_message_waits_a_moment_for_its_request_and_then_goes_alone(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        policy, began = one.policy(server), time.monotonic()
        one.away.put([message(API, policy)], policy)
        await until(lambda: server.published, "the message")
        assert time.monotonic() - began >= 0.2
        assert ("actions" in server.published[0], server.subscribed) == (False, [])

    post(tmp_path, play)


def test_a_message_that_waits_goes_with_the_buttons_once_its_request_is_open(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        one.away.patience = 60
        policy = one.policy(server)
        one.away.put([message(API, policy)], policy)
        one.away.see([ASKED], ["c0de"])
        await until(lambda: server.buttons() == ["Allow", "Deny"], "the buttons")
        assert len(server.published) == 1

    post(tmp_path, play)


def test_a_message_whose_buttons_cannot_be_made_goes_without_them(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        policy = one.policy(server)
        one.away.put([message(API, policy)], policy)
        broken = replace(ASKED, asking=replace(SHORT, away=5))  # type: ignore[arg-type]
        with pytest.raises(AttributeError):
            one.away.see([broken], ["c0de"])
        await until(lambda: server.published, "the message")
        assert "actions" not in server.published[0]

    post(tmp_path, play)


def test_a_message_that_is_withdrawn_while_it_waits_is_not_sent(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        policy = one.policy(server)
        one.away.put([message(API, policy)], policy)
        one.away.withdraw(message(API, policy).notice.slot)
        one.away.put([message(replace(API, session_id="b2", project="web"), policy)], policy)
        await until(lambda: server.published, "the other message")
        assert ["web" in one["title"] for one in server.published] == [True]

    post(tmp_path, play)


def test_nothing_waits_that_cannot_be_answered(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        one.away.patience = 60
        off = one.policy(server, permission=False)
        one.away.put([message(API, off)], off)
        await until(lambda: len(server.published) == 1, "a kind that is off")
        on = one.policy(server)
        one.away.put([message(replace(API, status="error", detail="failed"), on)], on)
        await until(lambda: len(server.published) == 2, "a status that asks nothing")
        here = replace(API, asking=SHORT)
        one.away.see([here], ["c0de"])
        one.away.put([message(here, on)], on)
        await until(lambda: len(server.published) == 3, "a request that offers nothing")

    post(tmp_path, play)


def test_a_second_message_about_a_request_has_the_same_codes(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        policy = one.policy(server)
        for _ in range(2):
            one.away.put([message(ASKED, policy)], policy)
        await until(lambda: len(server.published) == 2, "both")
        first, second = (one["actions"] for one in server.published)
        assert first == second
        await until(lambda: server.listening == 1, "one listener")

    post(tmp_path, play)


def test_an_offer_of_a_request_that_is_already_over_ends_at_the_next_turn(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        policy = one.policy(server)
        one.away.put([message(ASKED, policy)], policy)
        await rung(server, "Allow", "Deny")
        one.away.see([], [])
        one.away.put((), policy)
        await until(lambda: not server.listening, "nobody listening")
        await until(lambda: server.deleted, "the end of the message")
        await tapped(server, "Allow")
        assert one.pressed == []

    post(tmp_path, play)


def test_the_end_of_a_request_ends_its_offer_at_once(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        policy = one.policy(server)
        one.away.put([message(ASKED, policy)], policy)
        await rung(server, "Allow", "Deny")
        one.away.ended("another")
        assert server.listening
        one.away.ended("c0de")
        await until(lambda: not server.listening, "nobody listening")
        await until(lambda: server.deleted, "the end of the message")
        await tapped(server, "Allow")
        assert one.pressed == []

    post(tmp_path, play)


def test_a_button_is_pressed_once_at_the_desk(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        policy = one.policy(server)
        one.away.put([message(ASKED, policy)], policy)
        await rung(server, "Allow", "Deny")
        await asyncio.gather(*[tapped(server, "Allow") for _ in range(20)])
        await until(lambda: one.pressed, "the answer")
        await until(lambda: len(server.published) == 2, "the refusal")
        assert server.published[1]["message"] == UNHEARD_OF.why

    assert post(tmp_path, play, "twice").pressed == [("c0de", "allow")]


def test_a_step_that_is_not_the_last_is_told_to_the_phone(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        one.result, policy = SHORT, one.policy(server)
        one.away.put([message(ASKED, policy)], policy)
        await rung(server, "Allow", "Deny")
        await tapped(server, "Allow")
        await until(lambda: len(server.published) == 2, "the refusal")
        assert server.published[1]["message"] == "It has to be answered at the machine."

    post(tmp_path, play)


def test_a_desk_that_raises_is_told_to_the_phone_and_shown_and_nothing_is_claimed(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        one.result, policy = LookupError("no desk"), one.policy(server)
        one.away.put([message(ASKED, policy)], policy)
        await rung(server, "Allow", "Deny")
        await tapped(server, "Allow")
        await until(lambda: len(server.published) == 2, "the failure")
        assert server.published[1]["title"] == "api: unknown whether answered"
        assert server.published[1]["message"] == DESK_FAILED
        assert one.boundary.broken == {PART: "LookupError: no desk"}

    assert post(tmp_path, play).pressed == [("c0de", "allow")]


def test_where_no_thread_starts_another_attempt_follows(tmp_path: Path) -> None:
    async def play(one: Post, server: Ntfy) -> None:
        really, refusals = one.boundary.thread, 2

        class Scarce(Boundary):
            def thread(self, part: str, work: Callable[[], None]) -> bool:
                nonlocal refusals
                refusals -= part == PART
                return really(part, work) if refusals < 0 or part != PART else False

        one.away.supervisor, one.away.pause = Scarce(), 0.05
        policy = one.policy(server)
        one.away.put([message(ASKED, policy)], policy)
        await rung(server, "Allow", "Deny")

    post(tmp_path, play)
