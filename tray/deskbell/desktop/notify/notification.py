"""Convert a Notice into a Notification of desktop-notifier, and into an Extra for what that cannot hold. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from dataclasses import field as column
from functools import partial
from pathlib import Path

from desktop_notifier import Button, Notification, ReplyField, Sound, Urgency

from deskbell.face.actions import Action, Worded
from deskbell.face.item import LEFT_TO_RIGHT
from deskbell.notices.notice import Inline, Notice, Request
from deskbell.notices.policy import Urgency as Weight
from deskbell.text.clean import ISOLATE, visible
from deskbell.text.wording import safe
from deskbell_icons import Sign

APP = "Deskbell"
"""The AUMID on Windows. It must never change, and must not hold a backslash."""

SEND = "Send"

URGENCY: dict[Weight, Urgency] = {"low": Urgency.Low, "normal": Urgency.Normal, "critical": Urgency.Critical}


def _nothing() -> None:
    """Do nothing when nobody waits for the end of a notification."""


@dataclass(frozen=True, slots=True)
class Extra:
    """What belongs to a Notification but has no field in it. It is stored by the Notification's identifier."""

    sign: Sign | None = None
    """Decides the picture and the category."""
    stays: bool = False
    """Whether it stays until somebody closes it, even with a low urgency. The field `timeout` cannot say that."""
    click_label: str = "Show"
    """The label of a click on the notification itself, for a daemon that draws it as a button."""
    same_as_click: frozenset[str] = frozenset()
    """The identifiers of the buttons that do what a click on the notification itself does."""
    about: tuple[Request, ...] = ()
    """The requests that it is about, one for each of its sessions."""
    field: Worded | None = None
    """What a text does that is typed into it; None if it has no field."""
    expired: Callable[[], object] = column(default=_nothing, compare=False)
    """Called in the loop when its time on the screen is over. The library does not tell that from a dismissal."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What to call when something happens to a notification. The system may call the last two in any thread."""

    displayed: Callable[[], object]
    clicked: Callable[[Action], object]
    closed: Callable[[], object]
    """The person has closed it."""


def notification(notice: Notice, answers: Answers) -> Notification:
    """Return NOTICE as a Notification. Its slot is the identifier: a notification replaces the one with the same one.

    Every text is made safe again, whoever wrote it, because D-Bus refuses a NUL and would show nothing.
    """
    return Notification(
        title=_from_the_left(safe(notice.title)),
        message=_from_the_left(safe(notice.body)),
        urgency=URGENCY[notice.urgency],
        buttons=tuple(Button(safe(b.label), partial(answers.clicked, b.action), b.id) for b in notice.buttons),
        reply_field=_field(notice.inline, answers) if notice.inline else None,
        on_dispatched=answers.displayed,
        on_clicked=partial(answers.clicked, notice.click) if notice.click else None,
        on_dismissed=answers.closed,
        sound=_sound(notice),
        thread=APP,
        identifier=notice.slot,
    )


def extra(notice: Notice) -> Extra:
    """Return what a Notification cannot hold of NOTICE."""
    same = frozenset(button.id for button in notice.buttons if button.action == notice.click)
    field = notice.inline.action if notice.inline else None
    return Extra(notice.sign or notice.status, notice.stays, safe(notice.click_label), same, notice.about, field)


def _field(inline: Inline, answers: Answers) -> ReplyField:
    """Return the text field. What is typed is not made safe here, because it goes to no screen."""
    return ReplyField(safe(inline.label), SEND, lambda typed: answers.clicked(replace(inline.action, text=typed)))


def _from_the_left(text: str) -> str:
    """Return TEXT with a mark before each line that begins with right-to-left text.

    Pango takes the direction of a line from its first strong letter, even inside an isolate. GNOME and Cinnamon take
    the direction of the whole notification from its first line.
    """
    return "\n".join(f"{LEFT_TO_RIGHT}{line}" if line.startswith(ISOLATE) else line for line in text.split("\n"))


def _sound(notice: Notice) -> Sound | None:
    """Return the sound; None for a quiet notice, of which only the words have changed. None is silent everywhere."""
    if notice.quiet or not notice.sound:
        return None
    name = visible(notice.sound)
    path = Path(name)
    return Sound(path=path) if path.is_absolute() else Sound(name=name)
