"""Test whether a want may ring now, and the reason if it may not."""

from dataclasses import replace

import pytest

from deskbell.notices.judge import (
    DND_LOOK,
    LOOK,
    SEEN_FOR,
    Hold,
    Judgement,
    Senses,
    focused,
    hold,
    judge,
    judge_due,
    lead,
    muted,
    next_judgement,
    next_step,
    put_off,
)
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet
from deskbell.notices.wants import HeldBy, RingState, Want
from deskbell.session import Session
from deskbell.text.times import clock
from deskbell_hooks.schema import Status
from tests.tray.story import NOON, session


def want(status: Status = "permission", state: RingState = "new", **more: object) -> Want:
    made = Want(session("api", status), "slot", NOON - 1, NOON - 1, state=state)
    return replace(made, **more)  # type: ignore[arg-type]  # the fields of Want


def policy(**parts: object) -> Policy:
    return Policy.model_validate(parts)


LATER = NOON + 600
QUIET_HOURS = policy(silence={"hours": ["00:00-00:00"]})
LOOKED_AT = Senses(focused=lambda _: True)
SNOOZED = Senses(quiet=Quiet().snoozed(LATER))
PUT_OFF = Senses(quiet=Quiet(later={"api-id": LATER}))
DND = Senses(dnd="dunst is paused")
UNTIL = f"snoozed until {clock(LATER, NOON)}"

SHOWN = Judgement("shown", "shown", "at once")
SEEN = Judgement("seen", "not shown", "its pane was focused")

# a want, the settings, what is known: what becomes of it
JUDGED: dict[str, tuple[Want, Policy, Senses, Judgement]] = {
    "a request": (want(), Policy(), Senses(), SHOWN),
    "an interrupted turn": (want("interrupted", turn=3.0), Policy(), Senses(), SHOWN),
    "a turn of no length": (
        want("idle", turn=0.04), policy(rings={"idle": {"min_turn": 0.01}}), Senses(),
        Judgement("shown", "shown", "as its turn ended less than a second after your last prompt or answer"),
    ),
    "a long turn": (want("idle", turn=12.0), Policy(), Senses(), Judgement("shown", "shown", "as its turn ended 12 s after your last prompt or answer")),
    "a turn of exactly the least": (
        want("idle", turn=10.0), Policy(), Senses(), Judgement("shown", "shown", "as its turn ended 10 s after your last prompt or answer")
    ),
    "a short turn": (
        want("idle", turn=9.9), Policy(), Senses(), Judgement("silent", "not shown", "its turn ended less than 10 s after your last prompt or answer")
    ),
    "a turn of which nothing is known": (
        want("idle"), Policy(), Senses(), Judgement("silent", "not shown", "its turn ended less than 10 s after your last prompt or answer")
    ),
    "any turn may ring": (
        want("idle"), policy(rings={"idle": {"min_turn": 0}}), Senses(), Judgement("shown", "shown", "at once")
    ),
    "half a second at least": (
        want("idle", turn=0.1),
        policy(rings={"idle": {"min_turn": 0.5}}),
        Senses(),
        Judgement("silent", "not shown", "its turn ended less than 0.5 s after your last prompt or answer"),
    ),
    "a status that is switched off": (
        want("error"),
        policy(rings={"error": {"ring": False}}),
        Senses(),
        Judgement("silent", "not shown", "status error is switched off in the settings"),
    ),
    "a status that has no ring": (
        want("working"), Policy(), Senses(), Judgement("silent", "not shown", "status working is switched off in the settings")
    ),
    "a project of the settings": (
        want(),
        policy(silence={"projects": ["web", "a*"]}),
        Senses(),
        Judgement("silent", "not shown", "the settings silence project a*"),
    ),
    "a muted session": (
        want(), Policy(), Senses(quiet=Quiet().with_mute("sessions", "api-id")), Judgement("silent", "not shown", "this session is muted")
    ),
    "a session to be heard of later": (
        want(),
        Policy(),
        PUT_OFF,
        Judgement("held", "held", UNTIL.replace("snoozed", "later"), "Later"),
    ),
    "another session is to be heard of later": (want(), Policy(), Senses(quiet=Quiet(later={"web-id": LATER})), SHOWN),
    "a mute goes before Later": (
        want(),
        Policy(),
        Senses(quiet=Quiet(later={"api-id": LATER}).with_mute("sessions", "api-id")),
        Judgement("silent", "not shown", "this session is muted"),
    ),
    "to be heard of later until now": (
        want(state="held", held_by="Later"), Policy(), Senses(), Judgement("shown", "shown", "after Later")
    ),
    "a mute goes before the focus and a snooze": (
        want(),
        Policy(),
        Senses(lambda _: True, "paused", Quiet().snoozed(LATER).with_mute("statuses", "permission")),
        Judgement("silent", "not shown", "status permission is muted"),
    ),
    "what the person looks at": (want(), Policy(), LOOKED_AT, SEEN),
    "what the person looks at during a snooze": (
        want(), Policy(), replace(SNOOZED, focused=lambda _: True), SEEN
    ),
    "what the person looks at, and wants to hear of": (
        want(), policy(silence={"when_focused": False}), LOOKED_AT, SHOWN
    ),
    "a focus that is unknown": (want(), Policy(), Senses(focused=lambda _: None), SHOWN),
    "another window has the focus": (want(), Policy(), Senses(focused=lambda _: False), SHOWN),
    "during a snooze": (want(), Policy(), SNOOZED, Judgement("held", "held", UNTIL, "the snooze")),
    "during do-not-disturb": (want(), Policy(), DND, Judgement("held", "held", "dunst is paused", "do-not-disturb")),
    "during do-not-disturb that does not count": (want(), policy(silence={"system_dnd": False}), DND, SHOWN),
    "held back, and still": (want(state="held"), Policy(), SNOOZED, Judgement("held", "held", UNTIL, "the snooze")),
    "held back until now": (
        want(state="held", held_by="quiet hours"), Policy(), Senses(), Judgement("shown", "shown", "after quiet hours")
    ),
    "held back until now, and looked at": (want(state="held"), Policy(), LOOKED_AT, SEEN),
}  # fmt: skip


@pytest.mark.parametrize(("of", "settings", "senses", "judged"), JUDGED.values(), ids=JUDGED)
def test_a_want_is_judged(of: Want, settings: Policy, senses: Senses, judged: Judgement) -> None:
    assert judge(of, settings, NOON, senses) == judged


SEEN_NOW = want(state="seen", seen=NOON - 10, looked=NOON - 10)
# a want that was seen, what is known: what becomes of it
SEEN_AGAIN: dict[str, tuple[Want, Policy, Senses, Judgement | None]] = {
    "still looked at": (SEEN_NOW, Policy(), LOOKED_AT, SEEN),
    "left": (SEEN_NOW, Policy(), Senses(), Judgement("shown", "shown", "its pane was left")),
    "looked at for a minute": (
        replace(SEEN_NOW, seen=NOON - SEEN_FOR), Policy(), LOOKED_AT, Judgement("shown", "shown", "unanswered for a minute")
    ),
    "during a snooze": (SEEN_NOW, Policy(), SNOOZED, None),
    "to be heard of later": (SEEN_NOW, Policy(), PUT_OFF, None),
    "muted": (
        SEEN_NOW, Policy(), Senses(quiet=Quiet().with_mute("sessions", "api-id")), Judgement("silent", "not shown", "this session is muted")
    ),
    "switched off": (
        SEEN_NOW,
        policy(rings={"permission": {"ring": False}}),
        Senses(),
        Judgement("silent", "not shown", "status permission is switched off in the settings"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("of", "settings", "senses", "judged"), SEEN_AGAIN.values(), ids=SEEN_AGAIN)
def test_a_request_that_was_seen_is_judged_again(
    of: Want, settings: Policy, senses: Senses, judged: Judgement | None
) -> None:
    assert judge(of, settings, NOON, senses) == judged


# a want: when it is judged
JUDGED_AT: dict[str, tuple[Want, float | None]] = {
    "new": (want(), NOON - 1),
    "held back": (want(state="held"), NOON - 1),
    "seen": (want(state="seen", seen=NOON - 10, looked=NOON - 0.5), NOON - 0.5 + LOOK),
    "seen for almost a minute": (want(state="seen", seen=NOON - SEEN_FOR + 1, looked=NOON - 0.5), NOON + 1),
    "an end of turn that was seen": (want("idle", state="seen", seen=NOON - 10), None),
    "silent": (want(state="silent"), None),
    "seen, and nobody knows when": (want(state="seen"), None),
}


@pytest.mark.parametrize(("of", "at"), JUDGED_AT.values(), ids=JUDGED_AT)
def test_when_a_want_is_judged(of: Want, at: float | None) -> None:
    assert next_judgement(of, Senses()) == at


def test_the_focus_is_not_looked_for_while_a_want_stays_held_back() -> None:
    looked: list[Session] = []

    def look(session: Session) -> bool | None:
        looked.append(session)
        return False

    senses = Senses(look, quiet=Quiet().snoozed(LATER))
    judge(want(state="held"), Policy(), NOON, senses)
    assert looked == []
    judge(want(), Policy(), NOON, senses)
    assert len(looked) == 1
    judge(want("error"), policy(rings={"error": {"ring": False}}), NOON, senses)
    judge(want(), policy(silence={"when_focused": False}), NOON, senses)
    assert len(looked) == 1


# the settings, what is known: what holds every ring back, and when to look again
HELD: dict[str, tuple[Policy, Senses, Hold | None]] = {
    "nothing": (Policy(), Senses(), None),
    "a snooze": (Policy(), SNOOZED, Hold("the snooze", UNTIL, LATER)),
    "a snooze that is over": (Policy(), Senses(quiet=Quiet().snoozed(NOON)), None),
    "quiet hours": (QUIET_HOURS, Senses(), Hold("quiet hours", "quiet hours until", 0)),
    "do-not-disturb": (Policy(), DND, Hold("do-not-disturb", "dunst is paused", NOON + DND_LOOK)),
    "do-not-disturb that does not count": (policy(silence={"system_dnd": False}), DND, None),
    "a snooze in quiet hours": (QUIET_HOURS, SNOOZED, Hold("the snooze", UNTIL, LATER)),
    "do-not-disturb in quiet hours": (QUIET_HOURS, DND, Hold("quiet hours", "quiet hours until", 0)),
}


@pytest.mark.parametrize(("settings", "senses", "held"), HELD.values(), ids=HELD)
def test_what_holds_rings_back(settings: Policy, senses: Senses, held: Hold | None) -> None:
    found = hold(settings, NOON, senses)
    if found and held and held.reason == "quiet hours until":
        end = settings.silence.hours_end(NOON)
        assert end is not None
        held = Hold("quiet hours", f"quiet hours until {clock(end, NOON)}", end)
    assert found == held


@pytest.mark.parametrize(
    ("held_by", "said"),
    [
        (["the snooze"] * 2, "While snoozed"),
        (["quiet hours"], "During quiet hours"),
        (["do-not-disturb"], "During do-not-disturb"),
        (["Later", "Later"], ""),
        (["the snooze", "Later"], "Meanwhile"),
    ],
)
def test_what_was_held_back_is_summed_up_under_the_name_of_what_held_it_back(held_by: list[HeldBy], said: str) -> None:
    assert lead(want(state="held", held_by=by) for by in held_by) == said


def test_only_a_snooze_and_later_take_back_what_is_on_the_screen() -> None:
    api, web = session("api"), session("web")
    by_later = Hold("Later", UNTIL.replace("snoozed", "later"), LATER)
    assert [put_off(one, NOON, SNOOZED) for one in (api, web)] == [Hold("the snooze", UNTIL, LATER)] * 2
    assert [put_off(one, NOON, PUT_OFF) for one in (api, web)] == [by_later, None]
    assert put_off(api, NOON, DND) is None


def test_the_settings_go_before_the_mutes_of_the_person() -> None:
    senses = Senses(quiet=Quiet().with_mute("projects", "api"))
    assert (
        muted(session("api"), policy(silence={"projects": ["api"]}), NOON, senses) == "the settings silence project api"
    )
    assert muted(session("api"), Policy(), NOON, senses) == "project api is muted"
    assert muted(session("web"), policy(silence={"projects": ["api"]}), NOON, senses) is None


@pytest.mark.parametrize(("known", "seen"), [(True, True), (False, False), (None, False)])
def test_only_a_focus_that_is_known_counts(known: bool | None, seen: bool) -> None:
    assert focused(session("api"), Policy(), Senses(focused=lambda _: known)) is seen


def test_nothing_is_known_by_default() -> None:
    assert Senses().focused(session("api")) is None


def test_what_rings_together_waits_until_the_focus_of_each_is_known() -> None:
    found = [want(found=NOON - 9), want(found=NOON - 9, session=session("web", "permission"))]
    alone = want(session=session("db", "permission"))
    held = want(state="held", session=session("docs", "permission"))
    unsure = Senses(awaits_focus=lambda one: one.project == "web")
    assert judge_due([*found, alone, held], Policy(), NOON, unsure) == [(alone, SHOWN)]
    assert [one for one, _ in judge_due([*found, held], Policy(), NOON, Senses())] == [*found, held]
    assert judge_due(found[:1], Policy(), NOON, replace(LOOKED_AT, awaits_focus=lambda _: True)) == [(found[0], SEEN)]


def test_a_want_whose_focus_is_still_asked_for_is_judged_in_a_moment() -> None:
    unsure = Senses(awaits_focus=lambda _: True)
    assert judge(want(), Policy(), NOON, unsure) is None
    assert judge(SEEN_NOW, Policy(), NOON, unsure) is None
    assert judge(want(), Policy(), NOON, replace(LOOKED_AT, awaits_focus=lambda _: True)) == SEEN
    assert judge(want(state="held"), Policy(), NOON, replace(SNOOZED, awaits_focus=lambda _: True)) is not None


FIVE = policy(escalation={"minutes": 5})
# a want, the settings: when the next step is due
STEPS: dict[str, tuple[Want, Policy, float | None]] = {
    "it rang": (want(rung=NOON), FIVE, NOON + 300),
    "half a minute": (want(rung=NOON), policy(escalation={"minutes": 0.5}), NOON + 30),
    "it never rang": (want(), FIVE, None),
    "no escalation": (want(rung=NOON), Policy(), None),
    "a status that does not escalate": (want("idle", rung=NOON), FIVE, None),
    "one step is left": (want(rung=NOON, steps=2), FIVE, NOON + 300),
    "no step is left": (want(rung=NOON, steps=3), FIVE, None),
    "the settings have fewer steps now": (want(rung=NOON, steps=9), FIVE, None),
}


@pytest.mark.parametrize(("of", "settings", "due"), STEPS.values(), ids=STEPS)
def test_when_the_next_step_is_due(of: Want, settings: Policy, due: float | None) -> None:
    assert next_step(of, settings) == due
