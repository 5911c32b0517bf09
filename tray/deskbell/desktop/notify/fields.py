"""Remember which notification each text field belongs to, by the number that the daemon gave the notification. Pure.

The person may still type into a field whose notification has left the screen, or be about to send. The text belongs to
what they saw, and to nothing that came later.
"""

from collections.abc import Sequence
from typing import NamedTuple

from desktop_notifier import Notification

from deskbell.desktop.notify.notification import Extra
from deskbell.face.actions import Worded
from deskbell.notices.notice import Request

MOST = 100
"""Fields that are remembered. Usually there is one for each session."""


class _Field(NamedTuple):
    notification: Notification | None
    """None for one of an earlier run."""
    action: Worded | None
    """What a text in it does; None if that is not known."""
    about: Sequence[Request]


class Fields:
    """The fields on the screen, and the last that have left it."""

    def __init__(self) -> None:
        self._fields: dict[int, _Field] = {}

    def put(self, number: int, notification: Notification, more: Extra) -> None:
        """Note that NOTIFICATION is on the screen with this NUMBER."""
        self._fields.pop(number, None)
        if notification.reply_field:
            self._keep(number, _Field(notification, more.field, more.about))

    def left(self, number: int, about: Sequence[Request]) -> None:
        """Note that a notification of an earlier run is on the screen. It may have a field."""
        if about:
            self._keep(number, _Field(None, None, about))

    def take(self, number: object) -> Notification | None:
        """Return the notification with the field, and count the field as used; None if there is none."""
        field = self._fields.pop(number, None) if isinstance(number, int) else None
        return field.notification if field else None

    def are_for_another(self, number: int, after: Extra) -> bool:
        """Return whether a text in the field of NUMBER does something else than one in the field that comes AFTER."""
        field = self._fields.get(number)
        if field is None:
            return False
        return field.action != after.field if field.action else field.about != after.about

    def _keep(self, number: int, field: _Field) -> None:
        self._fields[number] = field
        if len(self._fields) > MOST:
            del self._fields[next(iter(self._fields))]
