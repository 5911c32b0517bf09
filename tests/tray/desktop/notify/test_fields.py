"""Test which notification a text belongs to that is typed into a field."""

import pytest
from desktop_notifier import Notification, ReplyField

from deskbell.desktop.notify.fields import MOST, Fields
from deskbell.desktop.notify.notification import Extra
from deskbell.face.actions import Answer, Reply, Worded
from deskbell.notices.notice import Request

KEY = ("api-id", 414)
ABOUT = (Request("api-id", 414, "api", "permission", 5.0, (5.0, False)),)
SAY, REPLY = Answer(KEY, "aaaa", "say"), Reply(KEY, turn=1.0)


def shown(action: Worded | None) -> Fields:
    """A notification with the number 7, whose field does ACTION; None: it has no field."""
    fields = Fields()
    fields.put(7, asked(action), Extra(field=action, about=ABOUT))
    return fields


def asked(action: Worded | None) -> Notification:
    return Notification("api", "", identifier="api", reply_field=ReplyField() if action else None)


OTHERS: dict[str, tuple[Worded, Worded | None]] = {
    "the next request": (SAY, Answer(KEY, "bbbb", "say")),
    "the next turn": (REPLY, Reply(KEY, turn=2.0)),
    "a request after the end of a turn": (REPLY, SAY),
    "the end of a turn after a request": (SAY, REPLY),
    "no field": (SAY, None),
}


@pytest.mark.parametrize(("before", "after"), OTHERS.values(), ids=OTHERS)
def test_a_field_with_another_meaning_is_for_another(before: Worded, after: Worded | None) -> None:
    assert shown(before).are_for_another(7, Extra(field=after, about=ABOUT))


@pytest.mark.parametrize(
    ("before", "after", "number"),
    [(SAY, SAY, 7), (REPLY, REPLY, 7), (None, SAY, 7), (SAY, REPLY, 8), (SAY, REPLY, 0)],
    ids=["the same request", "the same turn", "no field before", "another number", "nothing before"],
)
def test_a_field_that_means_the_same_or_was_not_there_is_not(before: Worded | None, after: Worded, number: int) -> None:
    assert not shown(before).are_for_another(number, Extra(field=after, about=ABOUT))


def test_what_an_earlier_run_left_may_have_a_field_for_what_it_asked() -> None:
    fields = Fields()
    fields.left(7, ABOUT)
    fields.left(8, ())
    assert not fields.are_for_another(7, Extra(field=SAY, about=ABOUT))
    assert fields.are_for_another(7, Extra(field=SAY, about=(ABOUT[0]._replace(since=9.0),)))
    assert not fields.are_for_another(8, Extra(field=SAY, about=ABOUT)), "a message of Deskbell about itself"
    assert fields.take(7) is None


def test_a_field_is_used_once() -> None:
    fields = shown(SAY)
    assert fields.take(7) is not None
    assert fields.take(7) is None


@pytest.mark.parametrize("number", [8, None, "7", [7]])
def test_no_other_number_has_the_field(number: object) -> None:
    assert shown(SAY).take(number) is None


def test_a_number_that_the_daemon_uses_again_is_that_of_the_newest() -> None:
    fields = shown(SAY)
    fields.put(7, asked(None), Extra())
    assert fields.take(7) is None


def test_only_the_newest_fields_are_remembered() -> None:
    fields = Fields()
    for number in range(MOST + 1):
        fields.put(number, asked(SAY), Extra(field=SAY))
    assert [fields.take(number) is not None for number in (0, 1, MOST)] == [False, True, True]
