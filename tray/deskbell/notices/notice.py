"""Build notices: a notification of one session or of many at once, with its buttons. Pure.

`words` puts sessions into words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from deskbell.asking import READ, Asking
from deskbell.face.actions import (
    Action,
    Answer,
    CopyResume,
    Details,
    Dismiss,
    Jump,
    Later,
    Mute,
    Open,
    Reply,
    Resume,
    Snooze,
    Worded,
)
from deskbell.notices.policy import Policy, Ring, Urgency
from deskbell.notices.words import is_shown, words, words_of_many
from deskbell.session import URGENCY, Ask, Key, Session
from deskbell.text.width import width
from deskbell_hooks.schema import Status
from deskbell_icons import Sign

SUMMARY = "summary"
"""The slot of the summary."""
JUMP, LATER, MUTE = "Jump to it", "Later", "Mute session"
RESUME, COPY, DISMISS, DETAILS = "Resume it", "Copy resume command", "Dismiss", "Show details"
REPLY = "Reply to Claude"
SHOW_ALL, SNOOZE_ALL = "Show all sessions", "Snooze all for 30 min"
"""Each label says what a click does, and to which sessions."""
MOST_BUTTONS = 3
"""GNOME shows no more."""
LABEL, SEEN = 40, 12
"""Columns of a button, and those that the narrowest one shows: in LXQt, three buttons share 300 pixels."""


@dataclass(frozen=True, slots=True)
class Button:
    id: str
    label: str
    action: Action
    whole: tuple[str, ...] = ()
    """All that is asked, if a click allows it: the button is offered only beside it, to the last character."""
    why: str = ""
    """Why a click asks to be sure, if it confirms one: the button is offered only beside that."""


@dataclass(frozen=True, slots=True)
class Inline:
    """A text that the person may type into the notification itself, if the daemon has a field for it."""

    label: str
    action: Worded
    """What a click on "Send" does, with the text in it."""


class Request(NamedTuple):
    """What a notification asks of the person: one session, since when it waits, and for which of its requests."""

    session_id: str
    pid: int | None
    project: str
    status: Status
    since: float
    ask: Ask | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    slot: str
    """Its place on the screen: one for each session, one for the summary. A new notice in a slot replaces the old."""
    sessions: tuple[Key, ...]
    status: Status
    title: str
    body: str
    urgency: Urgency
    click: Action | None
    """What a click on the notification does; None if nothing."""
    buttons: tuple[Button, ...] = ()
    sound: str = ""
    quiet: bool = False
    """Whether only its text has changed, so that it does not ring."""
    stays: bool = False
    """Whether it stays until it is closed, whatever its urgency."""
    reason: str = ""
    """Why it is shown, as the end of a sentence of `deskbell why`."""
    about: tuple[Request, ...] = ()
    """What it asks, for each of its sessions. The next run of Deskbell recognises it by this."""
    sign: Sign | None = None
    """Its picture; None for that of its status."""
    inline: Inline | None = None
    lead: str = ""
    """What the title of a summary begins with: "While snoozed"."""
    away: Asking | None = None
    """What can be answered at the channel that it is sent to."""
    tag: str = ""
    """Its name at that channel."""

    @property
    def click_label(self) -> str:
        """The label of the click, for a daemon that shows the click as a button."""
        same = [button.label for button in self.buttons if button.action == self.click]
        return same[0] if same else _label(self.click)

    def differs_from(self, before: "Notice") -> str:
        """Return what has changed since BEFORE, as a part of a sentence; empty if a person sees nothing new."""
        if (self.title, self.body) != (before.title, before.body):
            return "text has"
        same = (self.buttons, self.inline) == (before.buttons, before.inline)
        return "" if same else "buttons have"


def _label(action: Action | None) -> str:
    match action:
        case Jump():
            return JUMP
        case CopyResume():
            return COPY
        case Details():
            return DETAILS
        case Open("board"):
            return SHOW_ALL
    return "Show"


def slot(key: Key) -> str:
    return f"{key[0]}:{key[1] or ''}"


def notice(session: Session, policy: Policy, reason: str, now: float, sound: str | None = None) -> Notice:
    """Return the notice of one session. SOUND takes the place of the sound of its status."""
    ring = policy.rings.of(session.status, session.stalled) or Ring()
    session = _as_shown(session, policy, now)
    said = words(session, policy.notification, now)
    return Notice(
        slot=slot(session.key),
        sessions=(session.key,),
        status=session.status,
        title=said.title,
        body=said.body,
        urgency=ring.urgency,
        click=_click(session),
        buttons=_buttons(session, policy.notification.details) if policy.notification.buttons else (),
        inline=_inline(session, policy) if policy.notification.buttons else None,
        sound=ring.sound if sound is None else sound,
        reason=reason,
        about=(_request(session),),
    )


def summary(
    sessions: Sequence[Session], policy: Policy, reason: str, lead: str = "", waited_at: float | None = None
) -> Notice:
    """Return one notice for many sessions: the blocked ones first, the longest wait before the others.

    LEAD begins its title: "While snoozed". WAITED_AT is the time of the notice if all of them waited before Deskbell
    started; it then says since when, unless details are off.
    """
    ordered = sorted(sessions, key=lambda s: (not s.blocked, not s.your_turn, s.since, s.session_id))
    said = words_of_many(ordered, policy.notification, lead, waited_at)
    worst = min(ordered, key=lambda s: URGENCY[s.status])
    rings = [policy.rings.of(s.status, s.stalled) or Ring() for s in ordered]
    return Notice(
        slot=SUMMARY,
        sessions=tuple(s.key for s in ordered),
        status=worst.status,
        title=said.title,
        body=said.body,
        urgency="critical" if any(r.urgency == "critical" for r in rings) else "normal",
        click=SHOWS_ALL.action,
        buttons=(SHOWS_ALL, SNOOZES_ALL) if policy.notification.buttons else (),
        sound=next((r.sound for r in rings if r.sound), ""),
        reason=reason,
        about=tuple(map(_request, ordered)),
        lead=lead,
    )


def _as_shown(session: Session, policy: Policy, now: float) -> Session:
    """Return SESSION with the choices of its notification: with those that allow only if it shows all that is asked."""
    if session.asking is None:
        return session
    shown = is_shown(session.asking.whole, *words(session, policy.notification, now))
    return replace(session, asking=session.asking.where(shown))


def _request(session: Session) -> Request:
    return Request(session.session_id, session.pid, session.project, session.status, session.since, session.ask)


def _click(session: Session) -> Action:
    """Return what a click on the message does. It copies nothing: the person may only want to read it."""
    return Details(session.key) if session.over else Jump(session.key)


def _buttons(session: Session, details: bool) -> tuple[Button, ...]:
    """Return at most three buttons, in the order of use. Without DETAILS none answers, as the request is not shown."""
    key = session.key
    asking = session.asking
    if asking and details and (answers := answer_buttons(key, session.status, asking)):
        more = (Button("go", JUMP, Jump(key)), Button("details", DETAILS, Details(key)))
        return (*answers, *more[: 1 if asking.unread else 2])[:MOST_BUTTONS]
    if session.over:
        return (
            Button("resume", RESUME, Resume(key)),
            Button("copy", COPY, CopyResume(key)),
            Button("dismiss", DISMISS, Dismiss((key,))),
        )
    return (
        Button("go", JUMP, Jump(key)),
        Button("later", LATER, Later(key, True)),
        Button("mute", MUTE, Mute(key, True)),
    )


def answer_buttons(key: Key, status: Status, asking: Asking) -> tuple[Button, ...]:
    """Return a button for each choice; none if not all of them fit, because some or cut ones would mislead.

    A permission has buttons only for Allow and Deny. What is not shown whole has one that leads to all of it. Each id
    has the start of the request's code and its step, so that a late click on a button of an earlier one matches none.
    """
    choices = [choice for choice in asking.choices if not choice.takes_text]
    if any(choice.id == "deny" for choice in choices):
        choices = [choice for choice in choices if choice.id in ("allow", "allow-sure", "deny")]
    if not are_buttons([one.label for one in choices]):
        return ()
    name, step = f"{asking.code[:8]}{asking.step or ''}", asking.step
    read = [Button("details", READ.get(status, DETAILS), Details(key))] if asking.unread else []
    made = [
        Button(
            f"{one.id}-{name}",
            one.label,
            Answer(key, asking.code, one.id, step=step),
            asking.whole if one.allows else (),
            asking.why_not if one.id == "allow-sure" else "",
        )
        for one in choices
    ]
    return (*read, *made)


def are_buttons(labels: Sequence[str]) -> bool:
    """Return whether LABELS fit on the buttons of one notification, and differ even where a daemon cuts them."""
    few = len(labels) <= MOST_BUTTONS and all(width(label) <= LABEL for label in labels)
    return few and len({label[:SEEN].rstrip() for label in labels}) == len(labels)


def as_drawn(notice: Notice, title: str, body: str) -> Notice:
    """Return NOTICE for a screen that draws TITLE and BODY of it: no button allows what they do not show whole.

    A button that confirms needs its reason, too, which is at the end.
    """
    kept = [
        one for one in notice.buttons if not one.whole or (is_shown(one.whole, title, body) and body.endswith(one.why))
    ]
    if len(kept) == len(notice.buttons):
        return notice
    (key,) = {one.action.session for one in notice.buttons if one.whole and isinstance(one.action, Answer)}
    read = Button("details", READ.get(notice.sign or notice.status, DETAILS), Details(key))
    return replace(notice, buttons=(read, *(one for one in kept if one.id != read.id))[:MOST_BUTTONS])


def _inline(session: Session, policy: Policy) -> Inline | None:
    """Return what the person can type: the next prompt of a session whose turn is over, or words for what it asks."""
    if session.asking and policy.notification.details:
        asking = session.asking
        words = next((one for one in asking.choices if one.takes_text), None)
        return Inline(words.label, Answer(session.key, asking.code, words.id, step=asking.step)) if words else None
    return (
        Inline(REPLY, Reply(session.key, turn=session.turn_started))
        if policy.answers.reply and session.your_turn
        else None
    )


SHOWS_ALL = Button("board", SHOW_ALL, Open("board"))
SNOOZES_ALL = Button("snooze", SNOOZE_ALL, Snooze("30m"))
