"""Test answers from the click to the client: the real program, the real asker and a real session bus."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from deskbell.answers import call
from deskbell.answers.desk import UNREAD
from deskbell.answers.door import address as door
from deskbell.asking import Asking, Choice
from deskbell.errors import Problem
from deskbell.home import claude_dir, home
from deskbell.notices import decisions
from deskbell.program.answering import LARGEST_LIST, TOO_MANY, UNSHOWN, listed
from deskbell.program.assembly import Program
from deskbell_hooks.client import process_start
from tests.hooks import recorder
from tests.hooks.said import SESSION, e
from tests.tray.answers.making import request
from tests.tray.desktop.fake_daemon import Daemon, Shown, until
from tests.tray.program.conftest import READ_IN
from tests.tray.program.test_assembly import lived
from tests.tray.sessions.test_contract import described, in_table
from tests.waiting import wait_in_loop

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="a session bus"), pytest.mark.long]

ON = "[answers]\npermission = true\nquestion = true\nplan = true\n"
COMMAND = {"command": "npm test", "description": "Run the tests"}
COLOURS = {"question": "Which colour?", "options": [{"label": "Blue"}, {"label": "Red"}]}


@dataclass
class Client:
    """A process that stands for a client: what it writes into the registry, and the hooks that it starts."""

    askers: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._process = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
        self.pid = self._process.pid
        self.transcript = home().state.parent / "transcript.jsonl"
        self.transcript.write_text("{}\n")
        self.register("busy")
        self._record(e("SessionStart", source="startup", cwd="/srv/api"))
        self._record(e("UserPromptSubmit", prompt="ship it", cwd="/srv/api"))

    def register(self, status: str, waiting_for: str = "permission prompt") -> None:
        """Write the status as the client does: with the moment of the change."""
        entry = {
            "pid": self.pid,
            "sessionId": SESSION,
            "cwd": "/srv/api",
            "procStart": str(process_start(self.pid)),
            "status": status,
            "statusUpdatedAt": int(time.time() * 1000),
            "kind": "interactive",
        }
        folder = claude_dir() / "sessions"
        folder.mkdir(parents=True, exist_ok=True)
        beside = folder / f".{self.pid}.new"
        beside.write_text(json.dumps(entry | ({"waitingFor": waiting_for} if status == "waiting" else {})))
        beside.rename(folder / f"{self.pid}.json")

    def asks(
        self, tool: str = "Bash", tool_input: dict[str, Any] | None = None, **more: Any
    ) -> "subprocess.Popen[bytes]":
        """Open a dialog: both hooks start, and the registry says that it waits."""
        event = e("PermissionRequest", tool_name=tool, tool_input=tool_input or COMMAND, cwd="/srv/api", **more)
        event["transcript_path"] = str(self.transcript)
        asker = self._start("ask", event, CLAUDE_CODE_SESSION_ATTENDED="1")
        self.askers.append(asker)
        self.register("waiting", "input needed" if tool == "AskUserQuestion" else "permission prompt")
        self._record(event)
        return asker

    def _record(self, event: dict[str, Any]) -> None:
        self._start("record", event).communicate()

    def _start(self, what: str, event: dict[str, Any], **environment: str) -> "subprocess.Popen[bytes]":
        command = [*recorder.COMMAND[:-1], what, str(home().state)]
        env = os.environ | {"CLAUDE_PID": str(self.pid)} | environment
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        assert process.stdin
        process.stdin.write(recorder.said(event))
        process.stdin.close()
        process.stdin = None
        return process

    def takes(self, decision: str) -> None:
        """Take the decision of a hook, and write it into the transcript."""
        said = {"type": "hook_permission_decision", "decision": decision, "hookEvent": "PermissionRequest"}
        with self.transcript.open("a") as file:
            file.write(json.dumps({"attachment": said}) + "\n")
        self.register("busy")

    def end(self) -> None:
        for process in (*self.askers, self._process):
            process.kill()
            process.communicate()


@contextmanager
def a_client() -> Iterator[Client]:
    client = Client()
    try:
        yield client
    finally:
        client.end()


async def said(asker: "subprocess.Popen[bytes]") -> Any:
    """What the asker prints for its client; None if it ends without a word."""
    out, _ = await asyncio.to_thread(asker.communicate, timeout=20)
    return json.loads(out)["hookSpecificOutput"]["decision"] if out else None


Scene = Callable[[Program, Daemon, Client], Awaitable[None]]


def answering(address: str, scene: Scene, settings: str = ON) -> Program:
    """Play SCENE beside a program that lets requests be answered."""

    async def story(program: Program, daemon: Daemon) -> None:
        if settings == ON:
            await until(door(home().state).exists, "the socket")
        with a_client() as client:
            await scene(program, daemon, client)

    home().config.mkdir(parents=True, exist_ok=True)
    (home().config / "config.toml").write_text(settings)
    return lived(address, story)


async def offered(daemon: Daemon, label: str) -> tuple[Shown, str]:
    """Return the notification with a button that says LABEL, and the key of that button, once it can be clicked."""

    def found() -> tuple[Shown, str] | None:
        for shown in daemon.screen.values():
            keys, labels = shown.actions[::2], shown.actions[1::2]
            if label in labels:
                return shown, keys[labels.index(label)]
        return None

    shown = await wait_in_loop(
        found,
        f"a button {label}",
        within=10,
        seen=lambda: [(one.title, one.body, one.actions) for one in daemon.screen.values()],
    )
    await asyncio.sleep(READ_IN)  # a person reads before they click: an earlier click does not count
    return found() or shown


async def click(daemon: Daemon, label: str) -> Shown:
    shown, key = await offered(daemon, label)
    daemon.click(shown.id, key)
    return shown


def outcomes() -> list[tuple[str, str]]:
    return [(one.verdict, one.reason) for one in decisions.read(home().state, 99) if "answered" in one.verdict]


def test_a_click_on_allow_reaches_the_client(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        shown = await click(daemon, "Allow")
        assert "npm test" in shown.title
        assert await said(asker) == {"behavior": "allow"}
        client.takes("allow")
        await until(outcomes, "the receipt")
        assert [verdict for verdict, _ in outcomes()] == ["answered"]
        await until(lambda: not daemon.screen, "an empty screen")
        assert program.boundary.broken == {}

    answering(address, scene)


def test_a_click_on_deny_reaches_the_client(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await click(daemon, "Deny")
        assert (await said(asker))["behavior"] == "deny"

    answering(address, scene)


def test_what_is_dangerous_takes_two_clicks(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks(tool_input={"command": "rm -rf build"})
        await click(daemon, "Allow…")
        shown, key = await offered(daemon, "Yes, allow it")
        assert "rm -rf build" in f"{shown.title}\n{shown.body}"
        assert asker.poll() is None
        daemon.click(shown.id, key)
        assert await said(asker) == {"behavior": "allow"}
        await until(lambda: shown.id not in daemon.screen, "no second step")

    answering(address, scene)


def test_an_option_answers_a_question(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks("AskUserQuestion", {"questions": [COLOURS]})
        await click(daemon, "Red")
        decided = await said(asker)
        assert decided["updatedInput"] == {"questions": [COLOURS], "answers": {"Which colour?": "Red"}}

    answering(address, scene)


def test_a_plan_is_approved(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks("ExitPlanMode", {"plan": "1. Look"})
        await click(daemon, "Approve")
        assert await said(asker) == {"behavior": "allow", "updatedInput": {"plan": "1. Look"}}

    answering(address, scene)


def test_an_answer_at_the_keyboard_takes_the_buttons_away(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        shown, key = await offered(daemon, "Allow")
        client.register("busy")
        assert await said(asker) is None
        await until(lambda: not daemon.screen, "an empty screen")
        daemon.click(shown.id, key)
        assert outcomes() == []

    answering(address, scene)


def test_escape_at_the_keyboard_takes_the_buttons_away(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        asker.terminate()
        await until(lambda: not program._answering.made.desk.waits, "the end of the request")

    answering(address, scene)


def test_a_notification_that_is_dismissed_lets_the_asker_go(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        shown, _ = await offered(daemon, "Allow")
        daemon.close(shown.id, 2)
        assert await said(asker) is None

    answering(address, scene)


def test_a_disk_that_hangs_at_a_click_holds_up_nothing_but_that_answer(address: str) -> None:
    """Only what allows is judged again, so the person can still deny."""

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        made = program._answering.made
        hung = threading.Event()
        made._judging.judge = lambda request: hung.wait(20) and made._rules(request)
        try:
            loop = asyncio.get_running_loop()
            begun = loop.time()
            clicked = asyncio.create_task(click(daemon, "Allow"))
            longest = 0.0
            while not any("cannot be looked up in time" in shown.body for shown in daemon.screen.values()):
                before = loop.time()
                await asyncio.sleep(0.005)
                longest = max(longest, loop.time() - before)
                assert loop.time() - begun < 15
            assert longest < 0.5
            await clicked
            assert asker.poll() is None
            await click(daemon, "Deny")
            assert (await said(asker))["behavior"] == "deny"
        finally:
            hung.set()

    answering(address, scene)


def test_a_notification_that_expires_leaves_its_request_open(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        shown, _ = await offered(daemon, "Deny")
        daemon.close(shown.id, 1)
        await until(lambda: [one for one in decisions.read(home().state, 99) if one.reason == "it expired"], "its end")
        asked = await asyncio.to_thread(call.listed, home().state)
        assert [one["tool"] for one in asked] == ["Bash"]
        assert asker.poll() is None

    answering(address, scene)


def test_the_end_of_the_program_lets_the_asker_go(address: str) -> None:
    askers: list[subprocess.Popen[bytes]] = []

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        askers.append(client.asks())
        await offered(daemon, "Allow")
        program.app.quit()
        assert await said(askers[0]) is None

    answering(address, scene)


def test_without_the_setting_nobody_listens(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        assert await said(asker) is None
        await until(lambda: daemon.screen, "the ring")
        (shown,) = daemon.screen.values()
        assert "Allow" not in shown.actions
        assert not door(home().state).exists()

    answering(address, scene, settings="")


@pytest.mark.parametrize("folder", ["answers", "."], ids=["its folder", "the state folder"])
def test_a_socket_that_somebody_deleted_comes_back_within_seconds(address: str, folder: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        before = door(home().state).lstat().st_ino
        shutil.rmtree(home().state / folder)
        await wait_in_loop(
            lambda: door(home().state).exists() and door(home().state).lstat().st_ino != before, "a socket", within=10
        )
        assert [one["tool"] for one in await asyncio.to_thread(call.listed, home().state)] == ["Bash"]
        assert asker.poll() is None, "who waits still waits"

    answering(address, scene)


def test_the_door_follows_the_setting(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        (home().config / "config.toml").write_text("")
        assert await said(asker) is None
        await until(lambda: not door(home().state).exists(), "a closed door")
        (home().config / "config.toml").write_text(ON)
        await until(door(home().state).exists, "an open door")

    answering(address, scene)


SECRET = "abcdefghijklmnop" + "1234QRST"


async def asked(effect: Callable[..., Any], *given: Any) -> Any:
    return await asyncio.to_thread(effect, home().state, *given)


def test_a_command_lists_and_answers_what_is_open(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks(tool_input={"command": "rm -rf build"})
        await offered(daemon, "Allow…")
        (found,) = await asked(call.requests)
        assert (found["session_id"], found["asks"], found["whole"]) == (SESSION, "Bash: rm -rf build", ["rm -rf build"])
        assert [one["id"] for one in found["choices"]] == ["allow", "deny", "say", "stop"]
        assert in_table("answer") == found.keys()
        assert found["choices"][0].keys() - described("answer") == set()
        refused = await asked(call.answer, found["code"], "allow", None, False)
        assert (refused["done"], refused["said"], refused["unshown"]) == (False, UNSHOWN, True)
        await asked(call.shown, [found["view"]])
        refused = await asked(call.answer, found["code"], "allow", None, False, found["view"])
        assert (refused["done"], refused["said"][:5]) == (False, "Sure?")
        (sure,) = await asked(call.requests)
        assert sure["view"] != found["view"]
        await asked(call.shown, [sure["view"]])
        answer = asyncio.create_task(asked(call.answer, found["code"], "allow-sure", None, True, sure["view"]))
        assert await said(asker) == {"behavior": "allow"}
        client.takes("allow")
        done = await answer
        assert (done["done"], done["said"][:29]) == (True, "It was allowed, and its dialo")
        late = await asked(call.answer, found["code"], "deny", None, False)
        assert late == {"v": 1, "done": False, "said": "This request is over: it was already allowed from here."}

    answering(address, scene)


def test_a_long_command_is_listed_whole(address: str) -> None:
    long = "\n".join(f"echo {at}" for at in range(900))

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        client.asks(tool_input={"command": long})
        await until(lambda: program._answering.made.desk.requests, "the request")
        (found,) = await asked(call.requests)
        assert found["whole"] == long.split("\n")

    answering(address, scene)


def test_a_secret_is_listed_nowhere_and_what_holds_it_is_not_allowed_from_here(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        client.asks(tool_input={"command": f"curl -u me:{SECRET} a.example"})
        await until(lambda: program._answering.made.desk.requests, "the request")
        (found,) = await asked(call.requests)
        assert SECRET not in json.dumps(found)
        assert found["whole"] == []
        assert "what looks like a secret" in found["why_not"]
        assert not any(one["allows"] for one in found["choices"])

    answering(address, scene)


def test_of_too_much_at_once_the_last_is_not_listed_whole_and_cannot_be_allowed() -> None:
    asking = Asking(
        "c0de", "Bash: x", ("x" * LARGEST_LIST,), (Choice("allow", "Allow", allows=True), Choice("deny", "Deny"))
    )
    first, second = listed([(request(), replace(asking, whole=("x",))), (request(), asking)])
    assert (first["whole"], [one["id"] for one in first["choices"]]) == (["x"], ["allow", "deny"])
    assert (second["whole"], [one["id"] for one in second["choices"]], second["why_not"]) == ([], ["deny"], TOO_MANY)


def test_a_confirmed_command_takes_one_call_and_is_told_that_the_keyboard_was_first(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks(tool_input={"command": "rm -rf build"})
        await offered(daemon, "Allow…")
        (found,) = await asked(call.requests)
        await asked(call.shown, [found["view"]])
        answer = asyncio.create_task(asked(call.answer, found["code"], "allow", None, True, found["view"]))
        assert await said(asker) == {"behavior": "allow"}
        client.register("idle")
        assert await answer == {
            "v": 1,
            "done": False,
            "said": "It was allowed, but it was answered or stopped at the keyboard in the same moment, and its terminal "
            "shows what came of it.",
        }

    answering(address, scene)


def test_a_tool_that_works_for_long_is_told_as_allowed(address: str) -> None:
    """Claude Code writes the decision of a hook only with the result of the tool."""

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await click(daemon, "Allow")
        assert await said(asker) == {"behavior": "allow"}
        client.register("busy")
        await until(outcomes, "the receipt")
        assert outcomes() == [("answered", "allowed, and it is at work")]

    answering(address, scene)


def test_what_claude_code_started_answers_nothing(address: str) -> None:
    program_text = (
        "import sys; from pathlib import Path; from deskbell.answers import call; state, code, view = sys.argv[1:]; "
        "call.shown(Path(state), [view]); print(call.answer(Path(state), code, 'allow', None, False, view)['said'])"
    )

    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks()
        await offered(daemon, "Allow")
        (found,) = await asked(call.requests)
        command = [sys.executable, "-c", program_text, str(home().state), found["code"], found["view"]]
        env = os.environ | {"CLAUDECODE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
        done = await asyncio.to_thread(subprocess.run, command, env=env, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("Claude Code started this command")
        refused = await asked(call.answer, found["code"], "allow", None, False, found["view"])
        assert refused["said"] == UNSHOWN, "what Claude Code printed was shown to nobody"
        assert asker.poll() is None

    answering(address, scene)


SHADES = {"question": "Which shade?", "options": [{"label": "Dark"}, {"label": "Light"}]}


def test_a_button_of_an_earlier_question_answers_no_later_one(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks("AskUserQuestion", {"questions": [COLOURS, SHADES]})
        shown, key = await offered(daemon, "Red")
        (found,) = await asked(call.requests)
        await asked(call.shown, [found["view"]])
        await asked(call.answer, found["code"], "option:0", None, False, found["view"])
        await asyncio.sleep(UNREAD)  # from then on, a click counts
        daemon.click(shown.id, key)
        await click(daemon, "Dark")
        answers = (await said(asker))["updatedInput"]["answers"]
        assert answers == {"Which colour?": "Blue", "Which shade?": "Dark"}

    answering(address, scene)


def test_of_two_commands_at_once_the_second_answers_no_question_that_it_has_not_shown(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks("AskUserQuestion", {"questions": [COLOURS, SHADES]})
        await offered(daemon, "Red")
        (found,) = await asked(call.requests)
        await asked(call.shown, [found["view"]])
        wish = {"v": 1, "wish": "answer", "code": found["code"], "choice": "option:1", "text": None}
        line = json.dumps(wish | {"view": found["view"]}).encode() + b"\n"
        lines = [await asyncio.open_unix_connection(str(door(home().state))) for _ in range(2)]
        await until(lambda: len(program._answering.made._door._callers) == len(lines) + 1, "both connections")
        for _, writer in lines:
            writer.write(line)
        first, second = [json.loads(await reader.readline()) for reader, _ in lines]
        assert "next" in first
        assert (second["done"], second["unshown"]) == (False, True)
        assert asker.poll() is None
        for _, writer in lines:
            writer.close()

    answering(address, scene)


def test_what_another_surface_has_chosen_meanwhile_is_shown_before_it_is_sent(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        asker = client.asks("AskUserQuestion", {"questions": [COLOURS | {"multiSelect": True}]})
        await offered(daemon, "Red")
        (found,) = await asked(call.requests)
        await asked(call.shown, [found["view"]])
        await asked(call.answer, found["code"], "option:0", None, False, found["view"])
        (one,) = await asked(call.requests)
        await asked(call.shown, [one["view"]])
        program._answering.press(found["code"], "option:1", by_hand=False)
        refused = await asked(call.answer, found["code"], "next", None, False, one["view"])
        assert (refused["done"], refused.get("unshown")) == (False, True)
        assert asker.poll() is None

    answering(address, scene)


ODD: dict[str, object] = {
    "an unknown wish": {"v": 1, "wish": "approve everything"},
    "another version": {"v": 2, "wish": "list"},
    "a number": 1,
    "nothing": None,
}


@pytest.mark.parametrize("message", ODD.values(), ids=ODD)
def test_what_the_program_does_not_understand_gets_no_answer(address: str, message: object) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        reader, writer = await asyncio.open_unix_connection(str(door(home().state)))
        writer.write(json.dumps(message).encode() + b"\n")
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
        assert program.boundary.broken == {}

    answering(address, scene)


def test_an_answer_that_is_none_is_refused(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        assert (await asked(call.answer, 7, "allow", None, False))["said"] == "That is not an answer."

    answering(address, scene)


def test_a_command_whose_answer_fails_in_the_program_does_not_wait(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        def fail(*_: object, **__: object) -> None:
            raise LookupError("a mistake")

        program._answering.made.desk.press = fail
        with pytest.raises(Problem):
            await asked(call.answer, "a code", "allow", None, False)
        await until(lambda: "answers" in program.boundary.broken, "the broken part")

    answering(address, scene)


def test_an_answer_that_the_client_does_not_take_is_told(address: str) -> None:
    async def scene(program: Program, daemon: Daemon, client: Client) -> None:
        client.asks()
        await click(daemon, "Allow")
        titles = lambda: [one.title for one in daemon.screen.values()]  # noqa: E731
        await until(lambda: any("was not taken" in title for title in titles()), "the message")
        assert [verdict for verdict, _ in outcomes()] == ["not answered"]

    answering(address, scene)


def test_a_socket_whose_path_is_too_long_is_on_the_icon(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKBELL_HOME", str(tmp_path / ("x" * 100)))
    home().config.mkdir(parents=True)
    (home().config / "config.toml").write_text(ON)

    async def story(program: Program, daemon: Daemon) -> None:
        await until(lambda: "answers" in program.boundary.broken, "the problem")
        assert "too long for a socket" in program.boundary.broken["answers"]

    lived(address, story)
