"""Test answers with the real client: each reaches the very request that was shown, once, or nothing at all."""

import json
import os
import random
import re
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from deskbell.answers.door import address
from deskbell.commands._requests import with_requests
from deskbell.notices.notice import Notice, notice
from deskbell.notices.policy import Policy
from tests.bench.table import Table
from tests.client.answering import ON, Answering
from tests.client.api import Api
from tests.client.claude import Claude, Tui
from tests.client.conftest import Report
from tests.client.delays import HEADS, rows
from tests.tray.making import session
from tests.waiting import wait

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))
RACES = 500 if THOROUGH else 12
HELD_BACK = 1.0
"""Seconds that a dialog would be late by at the least if it waited for an asker, whom nobody answers."""
CLIENTS = 3
CUT = "answered or stopped at the keyboard in the same moment"
DELAYS = 40 if os.environ.get("DESKBELL_THOROUGH") else 2
"""How often each delay is measured."""


@pytest.fixture
def answering(claude: Claude) -> Iterator[Answering]:
    person = Answering(claude)
    person.install()
    with person.running():
        yield person


def made(tui: Tui, name: str = "made.txt", project: str = "proj") -> Path:
    return tui.claude.project(project) / name


def results(api: Api, begun: int) -> list[str]:
    """What the model was told of its calls since then."""
    return [told for every in told_of(api, begun).values() for told in every]


def told_of(api: Api, begun: int) -> dict[str, set[str]]:
    """What the model was told since then, by the id of the call: more than one thing of a call is one too many."""
    found: dict[str, set[str]] = {}
    for request in api.requests[begun:]:
        for message in request["messages"]:
            for one in message["content"] if isinstance(message["content"], list) else ():
                if one.get("type") == "tool_result":
                    found.setdefault(one["tool_use_id"], set()).add(json.dumps(one["content"]))
    return found


def test_allow_runs_the_tool(answering: Answering, claude: Claude) -> None:
    tui = claude.start()
    tui.scenario("permission")
    request = answering.asked(tui)
    assert (request["asks"], request["whole"]) == ("Bash: touch made.txt", ["touch made.txt"])
    done, said = answering.press(request["code"], "allow")
    assert (done, said[:15]) == (True, "It was allowed,")
    wait(made(tui).exists, "the file", seen=tui.pane.screen)
    tui.wait_status("idle")
    wait(lambda: "allowed, and its dialog closed" in answering.say("why"), "the receipt")
    assert answering.askers(tui) == []


def test_a_tool_that_works_for_long_is_told_as_allowed(answering: Answering, claude: Claude) -> None:
    """The transcript says so only when it has done its work."""
    tui = claude.start()
    tui.scenario("permission", 4)
    assert answering.press(answering.asked(tui)["code"], "allow") == (True, "It was allowed, and it is at work.")
    assert tui.status == "busy"
    tui.wait_status("idle")
    assert made(tui).exists()


def test_deny_tells_the_model_why(answering: Answering, claude: Claude, api: Api) -> None:
    tui, begun = claude.start(), len(api.requests)
    tui.scenario("permission")
    assert answering.press(answering.asked(tui)["code"], "deny", "Use the staging server.")[0]
    tui.wait_status("idle")
    assert not made(tui).exists()
    assert any("Use the staging server." in said for said in results(api, begun))


def test_deny_and_stop_cuts_the_turn(answering: Answering, claude: Claude, api: Api) -> None:
    tui = claude.start()
    tui.scenario("permission")
    request, begun = answering.asked(tui), len(api.requests)
    assert answering.press(request["code"], "stop")[0]
    tui.wait_status("idle")
    assert not made(tui).exists()
    assert api.requests[begun:] == []


def test_an_option_answers_a_question(answering: Answering, claude: Claude, api: Api) -> None:
    tui, begun = claude.start(), len(api.requests)
    tui.scenario("ask")
    request = answering.asked(tui)
    assert [one["label"] for one in request["choices"]][:2] == ["Red", "Blue"]
    assert answering.press(request["code"], "option:1")[0]
    tui.wait_status("idle")
    assert any('\\"Which colour do you want?\\"=\\"Blue\\"' in said for said in results(api, begun))


def test_words_answer_a_question(answering: Answering, claude: Claude, api: Api) -> None:
    tui, begun = claude.start(), len(api.requests)
    tui.scenario("ask")
    assert answering.press(answering.asked(tui)["code"], "say", "Green, please")[0]
    tui.wait_status("idle")
    assert any("Green, please" in said for said in results(api, begun))


@pytest.mark.parametrize(("choice", "mode"), [("approve", "default"), ("approve-edits", "acceptEdits")])
def test_a_plan_is_approved_in_the_mode_that_was_chosen(
    choice: str, mode: str, answering: Answering, claude: Claude
) -> None:
    tui = planning(claude, "1. Do one thing\n2. Do another")
    tui.scenario("plan")
    assert answering.press(answering.asked(tui)["code"], choice)[0]
    tui.wait_status("idle")
    tui.scenario("write")
    if mode == "default":
        assert answering.asked(tui)["asks"].startswith("Write")
    else:
        wait(made(tui, "notes.txt").exists, "the file", seen=tui.pane.screen)


LONG_PLAN = "\n".join(("# Plan", *(f"{at}. Do step {at} of nine" for at in range(1, 10))))


def planning(claude: Claude, plan: str) -> Tui:
    """A client in plan mode, whose model has written PLAN into the file of its plan. Only then it sends the plan along."""
    tui = claude.start("--permission-mode", "plan")
    tui.scenario("plain")
    path = wait(lambda: _plan_file(claude, tui.session_id), "the name of the plan", seen=tui.pane.screen)
    tui.wait_status("idle")
    path.parent.mkdir(exist_ok=True)
    path.write_text(plan)
    return tui


def _plan_file(claude: Claude, session_id: str) -> Path | None:
    found = [file.read_text() for file in (claude.config / "projects").glob(f"*/{session_id}.jsonl")]
    named = re.search(r'"planFilePath":"([^"]+)"', "".join(found))
    return Path(named[1]) if named and "Third line" in "".join(found) else None


def test_a_plan_that_was_not_sent_along_is_approved_in_the_terminal_only(answering: Answering, claude: Claude) -> None:
    tui = claude.start("--permission-mode", "plan")
    tui.scenario("plan")
    request = answering.asked(tui)
    assert (request["whole"], [one["id"] for one in request["choices"]]) == ([], ["keep", "say"])
    assert "did not send the plan along" in request["why_not"]
    assert not answering.press(request["code"], "approve")[0]
    assert tui.status == "waiting"


def test_a_plan_is_sent_back_with_words(answering: Answering, claude: Claude, api: Api) -> None:
    tui, begun = claude.start("--permission-mode", "plan"), len(api.requests)
    tui.scenario("plan")
    assert answering.press(answering.asked(tui)["code"], "say", "Smaller steps")[0]
    tui.wait_status("idle")
    assert any("Smaller steps" in said for said in results(api, begun))


def test_a_long_plan_is_approved_only_once_it_was_read(answering: Answering, claude: Claude) -> None:
    tui = planning(claude, LONG_PLAN)
    tui.scenario("plan")
    answering.asked(tui)
    assert [one.label for one in on_screen(answering, tui).buttons] == ["Read the plan", "Keep planning", "Jump to it"]
    assert "approve" not in answering.say("answer")
    unread = answering.run("answer", "proj", "approve")
    assert (unread.returncode, unread.stdout.splitlines()[1:11]) == (1, LONG_PLAN.splitlines())
    assert "run the command again" in unread.stderr
    assert tui.status == "waiting"
    done = answering.run("answer", "proj", "approve")
    assert (done.returncode, done.stdout[:16]) == (0, "It was approved,"), done
    tui.wait_status("idle")
    tui.scenario("write")
    assert answering.asked(tui)["asks"].startswith("Write"), "the mode is the one from before the plan"


def test_a_long_plan_is_sent_back_with_words_unread(answering: Answering, claude: Claude, api: Api) -> None:
    tui = planning(claude, LONG_PLAN)
    begun = len(api.requests)
    tui.scenario("plan")
    answering.asked(tui)
    assert answering.run("answer", "proj", "keep", "--reason", "Smaller steps").returncode == 0
    tui.wait_status("idle")
    assert any("Smaller steps" in said for said in results(api, begun))


def on_screen(answering: Answering, tui: Tui) -> Notice:
    """The notification of what a client asks."""
    (one,) = with_requests(answering.state, [session(status="plan", session_id=tui.session_id, pid=tui.pid)])
    return notice(one, Policy(), "at once", time.time())


KEYS: dict[str, Callable[[Tui], None]] = {
    "Yes": lambda tui: tui.answer("1"),
    "Escape": lambda tui: tui.answer("Escape"),
}


@pytest.mark.parametrize("press", KEYS.values(), ids=KEYS)
def test_an_answer_at_the_keyboard_ends_the_request_in_time(
    press: Callable[[Tui], None], answering: Answering, claude: Claude
) -> None:
    tui = claude.start()
    tui.scenario("permission")
    request = answering.asked(tui)
    press(tui)
    moved = time.monotonic()
    wait(lambda: answering.askers(tui) == [], "the end of the asker", step=0.005)
    assert time.monotonic() - moved < 1.0
    assert answering.press(request["code"], "allow") == (
        False,
        wait(lambda: _over(answering, request["code"]), "an end"),
    )


def _over(answering: Answering, code: str) -> str | None:
    said = answering.press(code, "allow")[1]
    return said if said.startswith("This request is over: it was ") else None


def test_the_second_of_two_requests_gets_its_own_answer(answering: Answering, claude: Claude) -> None:
    tui = claude.start()
    tui.scenario("asks")
    first = answering.asked(tui)
    tui.answer("1")
    second = answering.asked(tui, but=first["code"])
    assert not answering.press(first["code"], "deny")[0]
    assert answering.press(second["code"], "deny")[0]
    tui.wait_status("idle")
    assert (made(tui, "one.txt").exists(), made(tui, "two.txt").exists()) == (True, False)


def test_a_subagent_and_an_unattended_run_ask_as_ever(answering: Answering, claude: Claude) -> None:
    tui = claude.start()
    tui.scenario("taskperm")
    tui.wait_status("waiting")
    assert answering.open(tui) is None
    tui.answer("1")
    wait(made(tui).exists, "the file", seen=tui.pane.screen)
    claude.print("SCENARIO:permission go", project="printed")
    assert not made(tui, project="printed").exists()


Blow = Callable[[Answering, "object", Tui], None]


def _kill_asker(answering: Answering, program: object, tui: Tui) -> None:
    for pid in answering.askers(tui):
        os.kill(pid, signal.SIGKILL)


def _kill_program(answering: Answering, program: object, tui: Tui) -> None:
    program.kill()  # type: ignore[attr-defined]  # a Popen


def _end_program(answering: Answering, program: object, tui: Tui) -> None:
    program.terminate()  # type: ignore[attr-defined]


BLOWS: dict[str, Blow] = {
    "the asker is killed": _kill_asker,
    "the program is killed": _kill_program,
    "the program ends": _end_program,
}


@pytest.mark.parametrize("blow", BLOWS.values(), ids=BLOWS)
def test_whatever_dies_the_dialog_stays_and_works(blow: Blow, claude: Claude) -> None:
    person = Answering(claude)
    person.install()
    with person.running() as program:
        tui = claude.start()
        tui.scenario("permission")
        person.asked(tui)
        screen = tui.pane.wait_for("Esc to cancel")
        blow(person, program, tui)
        wait(lambda: person.askers(tui) == [], "the end of the asker")
        assert tui.status == "waiting"
        assert _dialog(tui.pane.screen()) == _dialog(screen)
        assert not made(tui).exists()
        tui.answer("1")
        wait(made(tui).exists, "the file", seen=tui.pane.screen)


def _dialog(screen: str) -> str:
    return re.sub(r"\d+", "0", screen[screen.find("Bash command") :])


def test_a_killed_client_takes_its_request_along(answering: Answering, claude: Claude) -> None:
    tui = claude.start()
    tui.scenario("permission")
    request = answering.asked(tui)
    tui.kill()
    wait(lambda: answering.askers(tui) == [], "the end of the asker")
    assert not answering.press(request["code"], "allow")[0]


@dataclass
class Race:
    """One request that is answered at both ends at random moments."""

    answering: Answering
    tui: Tui
    rng: random.Random
    first: str = ""
    """Who comes first by far; nobody if it is a race."""

    def __post_init__(self) -> None:
        self.code = self.answering.asked(self.tui)["code"]
        self.opened = self.tui.changed
        self.choice, self.key = self.rng.choice(["allow", "deny"]), self.rng.choice(["1", "Escape"])
        self.button = False
        self.said = ""

    def run(self) -> None:
        time.sleep(1.2 if self.first else self.rng.uniform(0.2, 0.5))
        order = [self.press, self.type] if self.first == "button" else [self.type, self.press]
        deeds = [threading.Thread(target=deed) for deed in (order if self.first else self.rng.sample(order, 2))]
        for deed in deeds:
            deed.start()
            time.sleep(0.5 if self.first else self.rng.choice([0, 0, 0.01, 0.03, 0.06, 0.1]))
        for deed in deeds:
            deed.join()
        if self.tui.changed == self.opened:  # the dialog was too young to take the key
            self.key = "Escape"
            self.tui.answer("Escape")
        self.tui.wait_status("idle")

    def press(self) -> None:
        self.button, self.said = self.answering.press(self.code, self.choice)

    def type(self) -> None:
        self.tui.pane.keys(self.key)

    def may(self, ran: bool) -> bool:
        """Return whether the winner decided that the tool RAN, or not. One that was stopped after Allow may have run."""
        if self.choice == "allow" and self.key == "Escape" and CUT in self.said:
            return True
        return ran == (self.choice == "allow" if self.button else self.key == "1")


def test_races_of_the_keyboard_against_a_button_have_one_winner(answering: Answering, claude: Claude, api: Api) -> None:
    """Each request is decided once, as whoever won has decided."""
    seed = int(os.environ.get("DESKBELL_SEED", "16"))
    rng = random.Random(seed)
    clients = [claude.start(project=f"race{number}") for number in range(CLIENTS)]
    won_by_button = []
    for number in range(RACES):
        tui, file = clients[number % CLIENTS], made(clients[0], project=f"race{number % CLIENTS}")
        file.unlink(missing_ok=True)
        begun = len(api.requests)
        tui.scenario("permission")
        race = Race(answering, tui, rng, {0: "key", 1: "button"}.get(number, ""))
        race.run()
        told = told_of(api, begun)
        assert race.may(file.exists()), (
            f"race {number} of seed {seed}: {race}, {told}\n{tui.pane.screen()}\n{answering.say('why')}"
        )
        assert all(len(every) == 1 for every in told.values()), f"race {number} of seed {seed}: {race}, {told}"
        assert answering.askers(tui) == []
        assert not answering.press(race.code, "allow")[0]
        won_by_button.append(race.button)
    assert set(won_by_button) == {True, False}


def test_the_dialog_is_not_delayed(claude: Claude) -> None:
    """With the asker and without it, one after the other."""
    person = Answering(claude)
    person.install()
    rounds = 40 if os.environ.get("DESKBELL_THOROUGH") else 4
    took: dict[bool, list[float]] = {True: [], False: []}
    with person.running():
        tui = claude.start()
        for number in range(2 * rounds):
            on = number % 2 == 0
            (person.home / "config" / "config.toml").write_text(ON if on else "")
            wait(partial(_is_open, person, on), "the door")
            tui.scenario("permission")
            begun = time.monotonic()
            tui.wait_status("waiting")
            took[on].append(time.monotonic() - begun)
            tui.answer("Escape")
            tui.wait_status("idle")
    later = statistics.median(took[True]) - statistics.median(took[False])
    assert later < (0.05 if THOROUGH else HELD_BACK), took


def _is_open(person: Answering, wanted: bool) -> bool:
    return address(person.state).exists() is wanted


def test_an_answer_and_an_end_come_soon(answering: Answering, claude: Claude, report: Report) -> None:
    """`make bench` measures it on a quiet machine."""
    found = rows(answering, claude.start(), made_in(claude), DELAYS)
    report([str(Table("answers with the real client", HEADS, tuple(found)))])
    slowest = max(float(row[2].removesuffix(" ms")) for row in found)
    assert slowest < 2000, found


def made_in(claude: Claude) -> Path:
    return claude.project("proj") / "made.txt"
