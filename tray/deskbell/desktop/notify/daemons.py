"""Make the arguments of Notify for one notification daemon, with what each daemon does in its own way.

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
"""The daemons that draw the default action as their first button. In 300 pixels LXQt cuts the names of three."""
GNOME = "gnome-shell"
JOINS_LINES = 46
"""The version of GNOME Shell from which on it draws a line break as a space, in expanded notifications too."""
JOINER = " · "
URGENCY = {Urgency.Low: 0, Urgency.Normal: 1, Urgency.Critical: 2}
ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
LOOKALIKES = str.maketrans("<>", "‹›")
ENTITY = re.compile(r"&(?=#?\w+;)")
UNSEEN = "\u2060"
"""The word joiner, which is not drawn."""
INLINE = "inline-reply"
"""The name of the capability, and the key of the action."""
NEVER, BY_DAEMON = 0, -1
"""When a notification expires, in milliseconds: never, or when the daemon thinks fit."""

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
"""What every daemon can do; a sound that the daemon does not play is played by Deskbell."""


@dataclass(frozen=True, slots=True)
class Daemon:
    name: str
    version: str
    capabilities: frozenset[str]
    """In the words of the specification."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def capabilities(daemon: Daemon) -> frozenset[Capability]:
    """What DAEMON can do, in the words of desktop-notifier."""
    clicks = {Capability.BUTTONS, Capability.ON_CLICKED} if "actions" in daemon.capabilities else set()
    body = {Capability.MESSAGE} if "body" in daemon.capabilities else set()
    reply = {Capability.REPLY_FIELD} if takes_text(daemon) else set()
    return ALWAYS | clicks | body | reply


def takes_text(daemon: Daemon) -> bool:
    """Return whether a notification of DAEMON can have a field for a text, as KDE Plasma and swaync have it.

    The action has a key of its own, and NotificationReplied brings the text in place of ActionInvoked:
    https://invent.kde.org/frameworks/knotifications/-/merge_requests/28
    """
    return {"actions", INLINE} <= daemon.capabilities


def arguments(notification: Notification, extra: Extra, daemon: Daemon, replaces: int) -> list[object]:
    """The arguments of Notify. REPLACES is the number of the notification in whose place this one comes, or 0."""
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


def _body(message: str, daemon: Daemon) -> str:
    if _joins_lines(daemon):
        message = JOINER.join(line for line in message.splitlines() if line)
    if "body-markup" in daemon.capabilities:
        return message.translate(ESCAPED)
    if "body-hyperlinks" in daemon.capabilities:
        # dunst 1.9 without a `markup` setting parses markup and does not announce it: neither < nor &lt; is safe, and
        # of a command with &amp; only & would be shown.
        return ENTITY.sub(f"&{UNSEEN}", message.translate(LOOKALIKES))
    return message


def _joins_lines(daemon: Daemon) -> bool:
    major = daemon.version.partition(".")[0]
    return daemon.name == GNOME and major.isdecimal() and int(major) >= JOINS_LINES


def _actions(notification: Notification, extra: Extra, daemon: Daemon) -> list[str]:
    """Pairs of key and label. "default" is a click on the notification itself.

    Where "default" is drawn as the first button, one of the two that do the same is left out. If no button does what
    the click does, the click is: the buttons stand in the order of use.

    GNOME opens the program of the desktop entry for a click on a notification without "default", which would start
    Deskbell once more. With it, the click comes here, and closes what leads nowhere.
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
    """Without a sound the daemon must be silent too: an update in place would otherwise ring again."""
    if sound is None:
        return {"suppress-sound": Variant("b", True)}
    if sound.is_named():
        return {"sound-name": Variant("s", named(sound.as_name()))}
    return {"sound-file": Variant("s", str(sound.as_path()))}


@cache
def _picture(sign: Sign) -> list[object]:
    """Width, height, bytes in a row, whether it has alpha, bits of a sample, channels, the pixels."""
    size, rgba = pixels.sign(sign)
    return [size, size, size * 4, True, 8, 4, rgba]
