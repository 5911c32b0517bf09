"""Test the settings: what is accepted, what each status rings with, and when the quiet hours end."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deskbell.notices.part import Part
from deskbell.notices.policy import DEEPEST, LONGEST_TOPIC, Channel, Policy, Silence
from deskbell.notices.wants import WANTING
from deskbell.session import STATUSES
from deskbell_hooks.schema import Status


def at(clock: str, day: int = 3) -> float:
    hour, minute = map(int, clock.split(":"))
    return datetime(2026, 3, day, hour, minute).timestamp()


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_that_wants_its_person_has_a_ring_and_no_other_has(status: Status) -> None:
    assert (Policy().rings.of(status) is not None) == (status in WANTING)


DEFAULTS: dict[Status, tuple[bool, float, str]] = {
    "permission": (True, 0.0, "critical"),
    "question": (True, 0.0, "critical"),
    "input": (True, 0.0, "critical"),
    "plan": (True, 0.0, "critical"),
    "interrupted": (True, 0.0, "normal"),
    "error": (True, 0.0, "normal"),
    "crashed": (True, 0.0, "normal"),
    "idle": (True, 1.0, "normal"),
}


@pytest.mark.parametrize(("status", "default"), DEFAULTS.items(), ids=DEFAULTS)
def test_the_defaults_of_a_ring(status: Status, default: tuple[bool, float, str]) -> None:
    ring = Policy().rings.of(status)
    assert ring is not None
    assert (ring.ring, ring.delay, ring.urgency, ring.sound) == (*default, "")


def test_the_other_defaults() -> None:
    policy = Policy()
    assert (policy.rings.idle.min_turn, policy.burst.more_than, policy.burst.within) == (10.0, 3, 2.0)
    assert (policy.silence.when_focused, policy.silence.system_dnd) == (True, True)
    assert (policy.silence.hours, policy.silence.projects, policy.channels) == ((), (), ())
    assert (policy.escalation.minutes, policy.escalation.steps) == (0.0, ("again", "sound", "phone"))
    assert policy.escalation.sound == "default"
    shown = policy.notification
    assert (shown.details, shown.branch, shown.length, shown.buttons) == (True, True, 240, True)


# quiet hours, now: when they end
HOURS: dict[str, tuple[tuple[str, ...], float, float | None]] = {
    "outside": (("22:00-07:30",), at("12:00"), None),
    "in the evening": (("22:00-07:30",), at("23:00"), at("07:30", 4)),
    "in the morning": (("22:00-07:30",), at("06:00"), at("07:30")),
    "when they begin": (("22:00-07:30",), at("22:00"), at("07:30", 4)),
    "when they end": (("22:00-07:30",), at("07:30"), None),
    "at noon": (("12:00-13:00",), at("12:30"), at("13:00")),
    "one digit": (("9:00-9:30",), at("09:10"), at("09:30")),
    "the later of two ends": (("12:00-13:00", "12:15-14:00"), at("12:30"), at("14:00")),
    "the whole day": (("08:00-08:00",), at("12:00"), at("08:00", 4)),
    "none": ((), at("12:00"), None),
}


@pytest.mark.parametrize(("hours", "now", "end"), HOURS.values(), ids=HOURS)
def test_quiet_hours_end(hours: tuple[str, ...], now: float, end: float | None) -> None:
    assert Silence(hours=hours).hours_end(now) == end


@given(st.integers(0, 47), st.integers(0, 47), st.integers(0, 10**6))
def test_quiet_hours_always_end_within_a_day(first: int, last: int, minute: int) -> None:
    def clock(half: int) -> str:
        return f"{half // 2:02}:{half % 2 * 30:02}"

    now = at("00:00") + minute * 60.0
    end = Silence(hours=(f"{clock(first)}-{clock(last)}",)).hours_end(now)
    assert end is None or now < end <= now + 25 * 3600  # an hour more in the night that clocks are put back


@pytest.mark.parametrize("text", ["10pm-7am", "24:00-07:00", "22:00", "22:60-07:00", "", "22:00-07:30 "])
def test_hours_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="22:00-07:30"):
        Silence(hours=(text,))


URL = {"name": "a", "kind": "ntfy", "url": "https://ntfy.sh/topic"}
COMMAND = {"name": "a", "kind": "command", "command": ["x"]}
GOOD_CHANNELS = [
    URL,
    COMMAND,
    {**URL, "kind": "webhook", "secret": "keyring:hook"},
    {**URL, "secret": "env:TOKEN"},
    {**URL, "url": "http://127.0.0.1:8080/a?b=c"},
    {**URL, "url": "http://[::1]/a"},
    {**URL, "url": "https://xn--bcher-kva.example/a"},
    {**URL, "answers": True},
    {**URL, "answers": True, "url": "https://ntfy.example:8443/up/" + "t" * LONGEST_TOPIC},
]
BAD_CHANNELS: dict[str, dict[str, Any]] = {
    "no command": {**COMMAND, "command": []},
    "no url": {**URL, "url": ""},
    "another scheme": {**URL, "url": "ftp://ntfy.sh/topic"},
    "no host": {**URL, "url": "https:///topic"},
    "an empty label": {**URL, "url": "https://a..b/x"},
    "half an address": {**URL, "url": "http://[::1/x"},
    "a port that is not a number": {**URL, "url": "https://ntfy.sh:x/topic"},
    "port 0": {**URL, "url": "https://ntfy.sh:0/topic"},
    "a space": {**URL, "url": "https://ntfy.sh/my topic"},
    "a newline": {**URL, "url": "https://ntfy.sh/topic\n"},
    "a letter outside ASCII": {**URL, "url": "https://ntfy.sh/wörter"},
    "a secret in the file": {**URL, "secret": "tk_123"},
    "no name": {**URL, "name": ""},
    "answers by a webhook": {**URL, "kind": "webhook", "answers": True},
    "answers by a command": {**COMMAND, "answers": True},
    "answers without a topic": {**URL, "answers": True, "url": "https://ntfy.sh/"},
    "answers without a path": {**URL, "answers": True, "url": "https://ntfy.sh"},
    "answers and a topic that leaves no room": {**URL, "answers": True, "url": URL["url"] + "t" * LONGEST_TOPIC},
    "answers and a topic with a dot": {**URL, "answers": True, "url": "https://ntfy.sh/a.b"},
    "answers and a password, which would be sent": {**URL, "answers": True, "url": "https://me:pass@ntfy.sh/topic"},
    "answers and a query, which would be lost": {**URL, "answers": True, "url": "https://ntfy.sh/topic?auth=x"},
}


@pytest.mark.parametrize("given", GOOD_CHANNELS, ids=str)
def test_a_channel_is_accepted(given: dict[str, Any]) -> None:
    Channel.model_validate(given)


@pytest.mark.parametrize("given", BAD_CHANNELS.values(), ids=BAD_CHANNELS)
def test_a_channel_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Channel.model_validate(given)


def nested(levels: int, inner: object = "x") -> object:
    for level in range(levels):
        inner = {"a": inner} if level % 2 else [inner]
    return inner


def test_a_template_may_be_nested_only_so_deep() -> None:
    hook = {**URL, "kind": "webhook"}
    Channel.model_validate({**hook, "template": {"a": nested(DEEPEST - 2)}})
    for levels in (DEEPEST - 1, 5000):
        with pytest.raises(ValidationError, match="20 levels deep"):
            Channel.model_validate({**hook, "template": {"a": nested(levels)}})


def test_the_table_of_an_older_file_is_still_read() -> None:
    assert Policy.model_validate({"words": {"details": False}}).notification.details is False


@pytest.mark.parametrize(
    ("said", "words"), [("", ()), ("kitty", ("kitty",)), (["st", "-e"], ("st", "-e")), ([], ())], ids=str
)
def test_a_terminal_is_a_name_or_a_list_of_words(said: object, words: tuple[str, ...]) -> None:
    assert Policy.model_validate({"terminal": {"command": said}}).terminal.command == words


def parts(model: type[Part]) -> list[type[Part]]:
    below = [field.annotation for field in model.model_fields.values()]
    return [model, *(p for b in below if isinstance(b, type) and issubclass(b, Part) for p in parts(b))]


@pytest.mark.parametrize("model", [*parts(Policy), Channel], ids=lambda model: model.__name__)
def test_every_setting_has_a_sentence_of_its_own(model: type[Part]) -> None:
    for name, about in model.model_fields.items():
        assert about.description, name
        assert about.description[0].isupper(), name
        assert about.description.endswith("."), name
        assert len(about.description) <= 118, name


def test_the_defaults_are_made_once() -> None:
    assert Policy.usual() is Policy.usual()
    assert Policy.usual() == Policy()


NO_ANSWERS = {
    "a webhook": (
        {**URL, "kind": "webhook"},
        'answers = true needs kind = "ntfy"; "webhook" cannot bring an answer back',
    ),
    "a topic": ({**URL, "url": "https://ntfy.sh/a.b"}, "answers = true needs a url that ends in the topic"),
}


@pytest.mark.parametrize(("given", "said"), NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_a_channel_that_cannot_answer_says_why(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Channel.model_validate({**given, "answers": True})
    assert Channel.model_validate(given).answers is False
