"""Make the arguments of Notify for a notification daemon, with regard to the peculiarities of each daemon.

Pure. The specification: https://specifications.freedesktop.org/notification-spec/latest/
"""

import re
from dataclasses import dataclass
from functools import cache

from dbus_fast import Variant
from desktop_notifier import Capability, Notification, Sound, Urgency

from deskbell.desktop.notify.notification import APP, Extra
from deskbell.desktop.notify.sound import named
from deskbell_icons import Sign, pixels

DRAWS_CLICK = frozenset(("Xfce Notify Daemon", "lxqt-notificationd"))
"""Daemons that draw the default action as the first button. LXQt's is 300 pixels wide and cuts three labels."""
GNOME = "gnome-shell"
JOINS_LINES = 46
"""The first version of GNOME Shell that draws a line break as a space, even in expanded notifications."""
JOINER = " · "
URGENCY = {Urgency.Low: 0, Urgency.Normal: 1, Urgency.Critical: 2}
ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
LOOKALIKES = str.maketrans("<>", "‹›")
ENTITY = re.compile(r"&(?=#?\w+;)")
UNSEEN = "\u2060"
"""The word joiner, which is not drawn."""
INLINE = "inline-reply"
"""The name of the capability of a text field, and the key of its action."""
NEVER, BY_DAEMON = 0, -1
"""When a notification expires: never, or when the daemon decides."""

ALWAYS = frozenset(
    {
        Capability.APP_NAME,
        Capability.TITLE,
        Capability.URGENCY,
        Capability.SOUND,
        Capability.SOUND_NAME,
        Capability.SOUND_FILE,
        Capability.ON_DISPATCHED,
        Capability.ON_DISMISSED,
    }
)
"""What every daemon can do. Deskbell plays a sound that the daemon does not play."""


@dataclass(frozen=True, slots=True)
class Daemon:
    """A notification daemon, as it describes itself."""

    name: str
    version: str
    capabilities: frozenset[str]
    """In the words of the specification."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def capabilities(daemon: Daemon) -> frozenset[Capability]:
    """Return what DAEMON can do, in the words of desktop-notifier."""
    clicks = {Capability.BUTTONS, Capability.ON_CLICKED} if "actions" in daemon.capabilities else set()
    body = {Capability.MESSAGE} if "body" in daemon.capabilities else set()
    reply = {Capability.REPLY_FIELD} if takes_text(daemon) else set()
    return ALWAYS | clicks | body | reply


def takes_text(daemon: Daemon) -> bool:
    """Return whether a notification of DAEMON can have a text field, as in KDE Plasma and swaync.

    The field is an action with a key of its own. NotificationReplied brings the text in place of ActionInvoked:
    https://invent.kde.org/frameworks/knotifications/-/merge_requests/28
    """
    return {"actions", INLINE} <= daemon.capabilities


def arguments(notification: Notification, extra: Extra, daemon: Daemon, replaces: int) -> list[object]:
    """Return the arguments of Notify. REPLACES is the number of the notification that this one replaces, or 0."""
    stays = extra.stays or notification.urgency is Urgency.Critical
    return [
        APP,
        replaces,
        "",
        notification.title,
        _body(notification.message, daemon),
        _actions(notification, extra, daemon),
        _hints(notification, extra, daemon),
        NEVER if stays else BY_DAEMON,
    ]


def drawn(message: str, daemon: Daemon) -> str:
    """Return what a person reads of MESSAGE on the screen of DAEMON. What joins two lines is read as the end of one."""
    if "body" not in daemon.capabilities:
        return ""
    if _joins_lines(daemon):
        message = _joined(message).replace(JOINER, "\n")
    return message.translate(LOOKALIKES) if _may_parse(daemon) else message


def _joined(message: str) -> str:
    return JOINER.join(line for line in message.splitlines() if line)


def _may_parse(daemon: Daemon) -> bool:
    """Return whether DAEMON may parse markup or not: dunst 1.9 without a `markup` setting does, and does not say so."""
    return "body-hyperlinks" in daemon.capabilities and "body-markup" not in daemon.capabilities


def _body(message: str, daemon: Daemon) -> str:
    if _joins_lines(daemon):
        message = _joined(message)
    if "body-markup" in daemon.capabilities:
        return message.translate(ESCAPED)
    if _may_parse(daemon):
        # Neither < nor &lt; is safe, and a command with &amp; would show only &.
        return ENTITY.sub(f"&{UNSEEN}", message.translate(LOOKALIKES))
    return message


def _joins_lines(daemon: Daemon) -> bool:
    major = daemon.version.partition(".")[0]
    return daemon.name == GNOME and major.isdecimal() and int(major) >= JOINS_LINES


def _actions(notification: Notification, extra: Extra, daemon: Daemon) -> list[str]:
    """Return pairs of key and label. "default" is a click on the notification itself.

    A daemon that draws "default" as the first button would show two buttons that do the same, so it does not get the
    button with that action. If no button has that action, it does not get "default": the buttons are in order of use.

    On a click on a notification without "default", GNOME would start the program of the desktop entry, and so a second
    Deskbell. With "default", the click comes here, and closes the notification if it has no action.
    """
    if "actions" not in daemon.capabilities:
        return []
    draws_click = daemon.name in DRAWS_CLICK
    doubled = extra.same_as_click if draws_click else frozenset()
    clickable = notification.on_clicked and not (draws_click and notification.buttons and not doubled)
    default = [("default", extra.click_label)] if clickable or daemon.name == GNOME else []
    buttons = [(button.identifier, button.title) for button in notification.buttons if button.identifier not in doubled]
    field = notification.reply_field
    reply = [(INLINE, field.title)] if field and takes_text(daemon) else []
    return [word for pair in [*default, *reply, *buttons] for word in pair]


def _hints(notification: Notification, extra: Extra, daemon: Daemon) -> dict[str, Variant]:
    hints = {"urgency": Variant("y", URGENCY[notification.urgency]), "desktop-entry": Variant("s", "deskbell")}
    if extra.sign:
        hints["category"] = Variant("s", f"x-deskbell.{extra.sign}")
        hints["image-data"] = Variant("(iiibiiay)", _picture(extra.sign))
    if (field := notification.reply_field) and takes_text(daemon):
        hints["x-kde-reply-placeholder-text"] = Variant("s", f"{field.title}…")
        hints["x-kde-reply-submit-button-text"] = Variant("s", field.button_title)
    return hints | _sound(notification.sound)


def _sound(sound: Sound | None) -> dict[str, Variant]:
    """Return the hints for SOUND. For None the daemon must be silent, too, or a replaced notification rings again."""
    if sound is None:
        return {"suppress-sound": Variant("b", True)}
    if sound.is_named():
        return {"sound-name": Variant("s", named(sound.as_name()))}
    return {"sound-file": Variant("s", str(sound.as_path()))}


@cache
def _picture(sign: Sign) -> list[object]:
    """Return width, height, bytes of a row, whether there is alpha, bits of a sample, channels, and the pixels."""
    size, rgba = pixels.sign(sign)
    return [size, size, size * 4, True, 8, 4, rgba]
