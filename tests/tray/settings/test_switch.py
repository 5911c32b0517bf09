"""Test how answers are switched on and off, in config.toml and in the settings files, and that all is planned first."""

from pathlib import Path

import pytest

from deskbell.errors import Problem
from deskbell.settings.hooks_state import InstalledHooks
from deskbell.settings.install import install
from deskbell.settings.state import state_of
from deskbell.settings.switch import KINDS, USUAL, carry_out, plan
from deskbell.settings.targets import Target
from tests.tray.installing import Machine

TUNED = '{"model": "opus"}\n'
POLICY = "# mine\n[burst]   # few\nmore_than = 4\n"


@pytest.fixture
def machine(private_home: Path) -> Machine:
    machine = Machine(private_home)
    machine.write(TUNED)
    return machine


def config(machine: Machine, text: str | None = None) -> str:
    path = machine.home.config / "config.toml"
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return path.read_text() if path.exists() else ""


def switched(machine: Machine, on: bool, *kinds: str) -> list[Path]:
    wish = plan([kind for kind in KINDS if kind in kinds] or USUAL, on, machine.setup)
    return [change.path for change in carry_out(wish) if change.needed]


def test_switched_on_and_off_the_settings_are_as_they_were_to_the_byte(machine: Machine) -> None:
    install([machine.target], machine.setup)
    before = machine.settings.read_bytes()
    assert switched(machine, True) == [machine.settings]
    assert machine.settings.read_bytes().count(b'"ask"') == 1
    assert state_of(machine.target, machine.setup).state == "installed"
    assert switched(machine, True) == []
    assert switched(machine, False) == [machine.settings]
    assert machine.settings.read_bytes() == before
    assert switched(machine, False) == []


def test_the_rest_of_the_policy_stays_as_it_is(machine: Machine) -> None:
    config(machine, POLICY)
    switched(machine, True, "plan", "reply")
    assert config(machine).startswith(POLICY)
    assert config(machine).removeprefix(POLICY).split() == ["[answers]", "plan", "=", "true", "reply", "=", "true"]
    switched(machine, False, "plan")
    assert "plan = false" in config(machine)
    assert "reply = true" in config(machine)


def test_the_ends_of_the_lines_of_the_policy_stay(machine: Machine) -> None:
    path = machine.home.config / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"# mine\r\n[answers]\r\nplan = true\r\n")
    switched(machine, False, "plan")
    assert path.read_bytes() == b"# mine\r\n[answers]\r\nplan = false\r\n"


def test_the_hook_stays_while_one_kind_needs_it(machine: Machine) -> None:
    switched(machine, True, "permission", "question")
    switched(machine, False, "permission")
    assert b'"ask"' in machine.settings.read_bytes()
    switched(machine, False, "question")
    assert b'"ask"' not in machine.settings.read_bytes()


def test_replies_need_no_hook(machine: Machine) -> None:
    assert switched(machine, True, "reply") == []
    assert machine.settings.read_text() == TUNED


def test_switching_off_what_is_off_writes_nothing_and_installs_nothing(machine: Machine) -> None:
    assert switched(machine, False) == []
    assert machine.settings.read_text() == TUNED
    assert not machine.home.config.exists()


def test_an_empty_policy_that_need_not_change_is_not_planned_to_go(machine: Machine) -> None:
    config(machine, "")
    assert not any(change.needed for change in plan(KINDS, False, machine.setup).changes)


def test_every_known_file_gets_the_hook(machine: Machine) -> None:
    other = Target(machine.root / "other" / "settings.json")
    machine.write(TUNED, other.path)
    install([machine.target, other], machine.setup)
    assert switched(machine, True) == [machine.settings, other.path]
    assert switched(machine, False) == [machine.settings, other.path]


@pytest.mark.parametrize(("client", "said"), [((2, 1, 138), "2.1.138 cannot be answered"), (None, "was not found")])
def test_a_client_that_cannot_be_answered_is_refused_in_one_sentence(
    machine: Machine, client: tuple[int, ...] | None, said: str
) -> None:
    machine.client = client
    with pytest.raises(Problem, match=said) as refusal:
        switched(machine, True)
    assert "Nothing was changed." in str(refusal.value)
    assert (config(machine), machine.settings.read_text()) == ("", TUNED)


def test_a_client_that_can_be_answered_no_more_is_no_reason_to_stay_on(machine: Machine) -> None:
    switched(machine, True)
    machine.client = (2, 1, 138)
    assert switched(machine, False) == [machine.settings]
    assert b'"ask"' not in machine.settings.read_bytes()


REFUSALS = {
    "a mistake in config.toml": ("[answers]\nplan = 3\n", TUNED),
    "a settings file that is not understood": (POLICY, "{"),
    "hooks that are switched off": (POLICY, '{"disableAllHooks": true}'),
}


@pytest.mark.parametrize(("policy", "settings"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_changes_nothing(machine: Machine, policy: str, settings: str) -> None:
    config(machine, policy)
    machine.write(settings)
    with pytest.raises(Problem):
        switched(machine, True)
    assert (config(machine), machine.settings.read_text()) == (policy, settings)


def test_a_click_in_the_menu_does_the_same(machine: Machine) -> None:
    hooks = InstalledHooks(machine.home, lambda _: machine.setup)
    assert hooks.change("install").startswith("Installed")
    before = machine.settings.read_bytes()
    assert hooks.answers is False
    assert hooks.answer(True).startswith(
        "Requests, questions and plans can now be answered from notifications. Changed: "
    )
    assert (hooks.answers, hooks.hooks()) == (True, "installed")
    assert [kind for kind in KINDS if f"{kind} = true" in config(machine)] == list(USUAL)
    assert hooks.answer(True).endswith("No settings file had to be changed.")
    assert hooks.answer(False).startswith("Requests, questions and plans can no longer be answered")
    assert (hooks.answers, hooks.hooks(), machine.settings.read_bytes()) == (False, "installed", before)
