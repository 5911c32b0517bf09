"""Test which nouns of desktop-notifier a notice becomes."""

from dataclasses import replace

import pytest
from desktop_notifier import Notification, Sound, Urgency

from deskbell.desktop.notify.notification import URGENCY, Answers, Extra, extra, notification
from deskbell.face.actions import Action, Hooks, Jump, Later, Mute, Reply
from deskbell.notices.notice import Button, Inline, Notice
from tests.tray.desktop.notify.notices import API, a_notice

KEY = ("api-id", 414)
LEADS_NOWHERE = Notice("deskbell", (), "idle", "Deskbell", "The bell on the desk", "normal", None)


def made(notice: Notice) -> tuple[Notification, list[object]]:
    """The notification, and what its callbacks record."""
    heard: list[object] = []

    def clicked(action: Action) -> None:
        heard.append(action)

    answers = Answers(lambda: heard.append("displayed"), clicked, lambda: heard.append("closed"))
    return notification(notice, answers), heard


def test_a_notice_becomes_a_notification_under_its_slot() -> None:
    notice = a_notice("api", detail="Bash: make")
    found, _ = made(notice)
    assert (found.identifier, found.title, found.message) == (API, "api", notice.body)
    assert [(button.identifier, button.title) for button in found.buttons] == [
        ("go", "Jump to it"),
        ("later", "Later"),
        ("mute", "Mute session"),
    ]


def test_every_click_carries_the_action_of_the_notice_that_is_on_the_screen() -> None:
    found, heard = made(a_notice("api"))
    for call in (found.on_dispatched, found.on_clicked, *(b.on_pressed for b in found.buttons), found.on_dismissed):
        assert call
        call()
    assert heard == ["displayed", Jump(KEY), Jump(KEY), Later(KEY, True), Mute(KEY, True), "closed"]


def test_a_text_comes_back_in_its_action_as_it_was_typed() -> None:
    found, heard = made(replace(a_notice("api"), inline=Inline("Reply\x1b[1m", Reply(KEY))))
    assert found.reply_field
    assert (found.reply_field.title, found.reply_field.button_title) == ("Reply", "Send")
    assert found.reply_field.on_replied
    found.reply_field.on_replied("!ls\n\x1b")
    assert heard == [Reply(KEY, "!ls\n\x1b")]
    assert made(a_notice("api"))[0].reply_field is None


def test_a_notice_that_leads_nowhere_has_no_click() -> None:
    assert made(LEADS_NOWHERE)[0].on_clicked is None


def test_each_urgency_has_its_counterpart() -> None:
    assert {made(replace(a_notice("api"), urgency=name))[0].urgency for name in URGENCY} == set(Urgency)


SOUNDS = {
    "none": ("", False, None),
    "the default": ("default", False, Sound(name="default")),
    "a name": ("bell", False, Sound(name="bell")),
    "an update in place": ("bell", True, None),
}


@pytest.mark.parametrize(("sound", "quiet", "expected"), SOUNDS.values(), ids=SOUNDS)
def test_the_sound_is_that_of_the_notice_unless_only_its_words_have_changed(
    sound: str, quiet: bool, expected: Sound | None
) -> None:
    assert made(a_notice("api", sound=sound, quiet=quiet))[0].sound == expected


def test_a_sound_can_be_a_file(tmp_path: object) -> None:
    sound = made(a_notice("api", sound=f"{tmp_path}/ding.oga"))[0].sound
    assert sound
    assert str(sound.as_path()) == f"{tmp_path}/ding.oga"


INSTALL = Button("install", "Install", Hooks("install"))
EXTRAS = {
    "a session": (
        a_notice("api"),
        Extra("permission", False, "Jump to it", frozenset(["go"]), a_notice("api").about),
    ),
    "one that leads nowhere": (LEADS_NOWHERE, Extra("idle", False, "Show")),
    "an offer that stays": (
        Notice("deskbell", (), "idle", "", "", "normal", INSTALL.action, (INSTALL,), stays=True),
        Extra("idle", True, "Install", frozenset(["install"])),
    ),
    "a message with a sign of its own": (
        Notice("deskbell", (), "idle", "", "", "normal", None, sign="install"),
        Extra("install", False, "Show"),
    ),
}


@pytest.mark.parametrize(("notice", "expected"), EXTRAS.values(), ids=EXTRAS)
def test_what_has_no_field_in_a_notification_is_kept_beside_it(notice: Notice, expected: Extra) -> None:
    assert extra(notice) == expected


def test_every_text_is_safe_to_show_whoever_wrote_it() -> None:
    """D-Bus refuses a text with a NUL, and nothing would be shown."""
    hostile = "web\0\x1b[2J\x9b\u202e: https://me:hunter2secret@host"
    notice = replace(a_notice("api"), title=hostile, body=f"{hostile}\n  {hostile}", sound="bell\0")
    notice = replace(notice, buttons=(Button("go", hostile, Jump(KEY)),), click=Jump(KEY))
    found, _ = made(notice)
    shown = "web: https://me:[redacted]@host"
    assert (found.title, found.message) == (shown, f"{shown}\n  {shown}")
    assert [button.title for button in found.buttons] == [shown]
    assert found.sound == Sound(name="bell")
    assert extra(notice).click_label == shown


def test_isolates_around_what_is_written_from_right_to_left_stay() -> None:
    found, _ = made(replace(a_notice("api"), title="a: \u2068שלום\u2069"))
    assert found.title == "a: \u2068שלום\u2069"


def test_a_line_that_begins_from_right_to_left_stands_on_the_left_with_the_others() -> None:
    found, _ = made(replace(a_notice("api"), title="\u2068שלום\u2069: a", body="a\n\u2068ב\u2069 c\n\u200ed"))
    assert (found.title, found.message) == ("\u200e\u2068שלום\u2069: a", "a\n\u200e\u2068ב\u2069 c\nd")
