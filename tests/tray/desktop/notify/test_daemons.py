"""Test the arguments of Notify for each daemon."""

import pytest
from dbus_fast import Variant
from desktop_notifier import Button, Capability, Notification, Sound, Urgency

from deskbell.desktop.notify.daemons import JOINER, Daemon, arguments, capabilities, drawn
from deskbell.desktop.notify.notification import Extra

XFCE = Daemon("Xfce Notify Daemon", "0.7.3", frozenset(("actions", "body", "body-markup")))
LXQT = Daemon("lxqt-notificationd", "2.1.0", frozenset(("actions", "body", "body-hyperlinks", "body-markup")))
PLAIN = Daemon("Plain", "1", frozenset(("body",)))
GNOME = Daemon("gnome-shell", "43", frozenset(("actions", "body", "body-markup", "sound")))
DUNST = Daemon("dunst", "1.9.0", frozenset(("actions", "body", "body-hyperlinks")))

GO, MUTE = Button("Go", identifier="go"), Button("Mute session", identifier="mute")
EXTRA = Extra(click_label="Go", same_as_click=frozenset(["go"]))


def body(message: str, daemon: Daemon) -> object:
    return arguments(Notification("api", message), Extra(), daemon, 0)[4]


def actions(daemon: Daemon, clickable: bool = True, extra: Extra = EXTRA) -> object:
    notification = Notification("api", "", buttons=(GO, MUTE), on_clicked=print if clickable else None)
    return arguments(notification, extra, daemon, 0)[5]


def hints(notification: Notification, extra: Extra = Extra()) -> dict[str, object]:  # noqa: B008  # frozen
    found = arguments(notification, extra, GNOME, 0)[6]
    assert isinstance(found, dict)
    assert all(isinstance(value, Variant) for value in found.values())
    return {key: variant.value for key, variant in found.items()}


def test_a_notification_comes_in_place_of_another() -> None:
    assert arguments(Notification("api", ""), Extra(), GNOME, 7)[:4] == ["Deskbell", 7, "", "api"]


def test_a_click_on_the_notification_is_the_default_action() -> None:
    assert actions(GNOME) == ["default", "Go", "go", "Go", "mute", "Mute session"]


@pytest.mark.parametrize("daemon", [XFCE, LXQT])
def test_a_daemon_that_draws_the_default_action_as_a_button_gets_no_second_one(daemon: Daemon) -> None:
    assert actions(daemon) == ["default", "Go", "mute", "Mute session"]


def test_a_daemon_that_draws_the_default_action_gets_none_that_is_no_button() -> None:
    crash = Extra(click_label="Show all sessions")
    assert actions(XFCE, extra=crash) == ["go", "Go", "mute", "Mute session"]
    assert actions(GNOME, extra=crash) == ["default", "Show all sessions", "go", "Go", "mute", "Mute session"]
    plain = Notification("api", "", on_clicked=print)
    assert arguments(plain, crash, XFCE, 0)[5] == ["default", "Show all sessions"]


def test_a_notification_that_leads_nowhere_has_no_default_action() -> None:
    assert actions(DUNST, clickable=False) == ["go", "Go", "mute", "Mute session"]


def test_on_gnome_it_has_one_lest_a_click_starts_the_program() -> None:
    assert actions(GNOME, clickable=False) == ["default", "Go", "go", "Go", "mute", "Mute session"]


def test_a_daemon_without_actions_gets_no_buttons() -> None:
    assert actions(PLAIN) == []


@pytest.mark.parametrize(
    ("urgency", "stays", "expires"),
    [(Urgency.Normal, False, -1), (Urgency.Critical, False, 0), (Urgency.Low, True, 0)],
)
def test_what_waits_for_an_answer_does_not_expire(urgency: Urgency, stays: bool, expires: int) -> None:
    assert arguments(Notification("", "", urgency), Extra(stays=stays), GNOME, 0)[7] == expires


def test_markup_is_escaped_for_a_daemon_that_parses_it_and_only_for_such_a_daemon() -> None:
    hostile = '<a href="x">&</a>'
    assert body(hostile, GNOME) == '&lt;a href="x"&gt;&amp;&lt;/a&gt;'
    assert body(hostile, PLAIN) == hostile


LINES = "`npm publish`\nYou asked: Release 2.4\n\nWaiting since 14:02"


@pytest.mark.parametrize("version", ["46", "48.7", "50.rc", "101.0"])
def test_lines_are_told_apart_where_the_daemon_joins_them(version: str) -> None:
    gnome = Daemon("gnome-shell", version, GNOME.capabilities)
    assert body(LINES, gnome) == "`npm publish` · You asked: Release 2.4 · Waiting since 14:02"
    assert body("one & line", gnome) == "one &amp; line"
    assert body("", gnome) == ""


@pytest.mark.parametrize(
    "daemon",
    [GNOME, XFCE, PLAIN, *(Daemon("gnome-shell", odd, GNOME.capabilities) for odd in ("45.9", "3.38.6", "", "x"))],
)
def test_lines_stay_where_the_daemon_draws_them(daemon: Daemon) -> None:
    assert body(LINES, daemon) == LINES


def test_a_daemon_that_may_or_may_not_parse_markup_gets_none() -> None:
    """dunst 1.9 without a `markup` setting draws <i> in italics, and draws &lt; as it is when markup is off."""
    assert body("<i>& a&b; &amp;&#38;", DUNST) == "‹i›& a&\u2060b; &\u2060amp;&\u2060#38;"


TITLE_ONLY = Daemon("Bare", "1", frozenset(("actions",)))
NEW_GNOME = Daemon("gnome-shell", "48.7", GNOME.capabilities)

# what is read on the screen of a daemon
DRAWN: dict[str, tuple[str, Daemon, str]] = {
    "as it is": ("cd web\nrm -rf <b>&amp;", XFCE, "cd web\nrm -rf <b>&amp;"),
    "as it is, without markup": ("a < b", PLAIN, "a < b"),
    "nothing where there is no body": ("npm test", TITLE_ONLY, ""),
    "lines that are joined": ("cd web\nnpm test", NEW_GNOME, "cd web\nnpm test"),
    "no empty line where lines are joined": ("cd web\n\nnpm test", NEW_GNOME, "cd web\nnpm test"),
    "a line that looks like two": (f"cd web{JOINER}npm test", NEW_GNOME, "cd web\nnpm test"),
    "other signs in place of markup": ("sort < a > b", DUNST, "sort ‹ a › b"),
}


@pytest.mark.parametrize(("message", "daemon", "read"), DRAWN.values(), ids=DRAWN)
def test_it_is_known_what_a_person_reads_on_the_screen_of_a_daemon(message: str, daemon: Daemon, read: str) -> None:
    assert drawn(message, daemon) == read


def test_urgencies_are_those_of_the_specification() -> None:
    assert [hints(Notification("", "", urgency))["urgency"] for urgency in Urgency] == [2, 1, 0]


SOUNDS = {
    "none": (None, {"suppress-sound": True}),
    "the default": (Sound(name="default"), {"sound-name": "message-new-instant"}),
    "a name": (Sound(name="bell"), {"sound-name": "bell"}),
    "a file": (Sound(uri="file:///a/b%20c.oga"), {"sound-file": "/a/b c.oga"}),
}


@pytest.mark.parametrize(("sound", "expected"), SOUNDS.values(), ids=SOUNDS)
def test_the_daemon_plays_the_sound_or_none(sound: Sound | None, expected: dict[str, object]) -> None:
    assert {key: v for key, v in hints(Notification("", "", sound=sound)).items() if "sound" in key} == expected


def test_the_picture_and_the_category_are_those_of_the_status() -> None:
    found = hints(Notification("", ""), Extra("question"))
    assert found["category"] == "x-deskbell.question"
    width, height, row, alpha, bits, channels, pixels = found["image-data"]  # type: ignore[misc]  # a list
    assert (width * height * 4, row, alpha, bits, channels) == (len(pixels), width * 4, True, 8, 4)


def test_without_a_status_there_is_no_picture() -> None:
    assert hints(Notification("", "")).keys() == {"urgency", "desktop-entry", "suppress-sound"}


def test_the_capabilities_of_a_daemon_are_told_in_the_words_of_the_library() -> None:
    optional = {Capability.BUTTONS, Capability.ON_CLICKED, Capability.MESSAGE}
    assert capabilities(GNOME) & optional == optional
    assert capabilities(PLAIN) & optional == {Capability.MESSAGE}
    assert capabilities(Daemon("", "", frozenset())) & {*optional, Capability.TITLE} == {Capability.TITLE}


def test_a_daemon_is_named_with_its_version() -> None:
    assert str(DUNST) == "dunst 1.9.0"
