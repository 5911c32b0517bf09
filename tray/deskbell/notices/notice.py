"""Build notices: what a notification says, for one session or for many at once. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deskbell.face.actions import Action, CopyResume, Details, Jump, Mute, Open, Snooze
from deskbell.notices.policy import Policy, Ring, Urgency
from deskbell.session import URGENCY, Ask, Key, Session
from deskbell.text.times import clock
from deskbell.text.wording import short
from deskbell_hooks.schema import Status
from deskbell_icons import Sign

SUMMARY = "summary"
"""The slot of the summary."""
LINES = 5
"""Sessions that a summary names; the others are counted in one more line. GNOME shows six lines."""
SHOW, RESUME, DETAILS = "Show where it runs", "Copy resume command", "Show details"
SNOOZE = "Snooze all for 30 min"
"""The labels say what a click does, and for whom: a snooze is for all sessions."""

LABELS: dict[Status, str] = {
    "permission": "Permission",
    "question": "Question",
    "input": "Input",
    "interrupted": "Interrupted",
    "error": "Error",
    "plan": "Plan",
    "idle": "Your turn",
    "crashed": "Crashed",
}
FALLBACKS: dict[Status, str] = {
    "permission": "A tool waits for your approval",
    "question": "Claude has a question",
    "input": "A dialog waits for you",
    "interrupted": "You cut the turn short",
    "error": "The turn ended in an error",
    "plan": "A plan waits for your approval",
    "idle": "The turn is over",
    "crashed": "The process exited unexpectedly",
}


@dataclass(frozen=True, slots=True)
class Button:
    id: str
    label: str
    action: Action


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
    """Only its text has changed: it does not ring."""
    stays: bool = False
    """It stays until it is closed, whatever its urgency."""
    reason: str = ""
    """Why it is shown, as the end of a sentence of `deskbell why`."""
    about: tuple[Request, ...] = ()
    """What it asks, for each of its sessions. The next run of Deskbell knows it by this."""
    sign: Sign | None = None
    """Its picture, if that is not the one of its status: that of a message about Deskbell itself."""

    @property
    def click_label(self) -> str:
        """The label of the click, for a daemon that shows the click as a button."""
        same = [button.label for button in self.buttons if button.action == self.click]
        return same[0] if same else _LABEL.get(type(self.click), "Show")


_LABEL: Mapping[type, str] = {Jump: SHOW, CopyResume: RESUME, Details: DETAILS}


def slot(key: Key) -> str:
    return f"{key[0]}:{key[1] or ''}"


def notice(
    session: Session, policy: Policy, reason: str, now: float, sound: str | None = None, waited: bool = False
) -> Notice:
    """The notice of one session. SOUND takes the place of the sound of its status.

    WAITED: it waited before Deskbell started, and the notice says so.
    """
    ring = policy.rings.of(session.status) or Ring()
    click = _click(session)
    return Notice(
        slot=slot(session.key),
        sessions=(session.key,),
        status=session.status,
        title=title(session, policy),
        body=body(session, policy, now, waited),
        urgency=ring.urgency,
        click=click,
        buttons=_buttons(session) if policy.notification.buttons else (),
        sound=ring.sound if sound is None else sound,
        reason=reason,
        about=(_request(session),),
    )


def summary(
    sessions: Sequence[Session], policy: Policy, reason: str, lead: str = "", waited_at: float | None = None
) -> Notice:
    """One notice for many sessions, the longest waiting first. LEAD goes before the title.

    WAITED_AT: the time of the notice if all of them waited before Deskbell started. The first line then says since
    when, unless details are off; Xfce cuts a longer title.
    """
    ordered = sorted(sessions, key=lambda s: (s.since, s.session_id))
    worst = min(ordered, key=lambda s: URGENCY[s.status])
    rings = [policy.rings.of(s.status) or Ring() for s in ordered]
    count = f"{len(ordered)} sessions {'need you' if waited_at is None else 'have been waiting'}"
    lines = []
    if waited_at is not None and policy.notification.details:
        lines.append(f"The longest since {clock(ordered[0].since, waited_at)}")
    room = LINES - len(lines) if len(ordered) > LINES else LINES
    lines += [_line(s, policy) for s in ordered[:room]]
    lines += [f"and {len(ordered) - room} more"] if len(ordered) > room else []
    return Notice(
        slot=SUMMARY,
        sessions=tuple(s.key for s in ordered),
        status=worst.status,
        title=f"{lead}: {count}" if lead else count,
        body="\n".join(lines),
        urgency="critical" if any(r.urgency == "critical" for r in rings) else "normal",
        click=Open("board"),
        buttons=(Button("snooze", SNOOZE, Snooze("30m")),) if policy.notification.buttons else (),
        sound=next((r.sound for r in rings if r.sound), ""),
        reason=reason,
        about=tuple(map(_request, ordered)),
    )


def title(session: Session, policy: Policy) -> str:
    """The project, and unless details are off, what the session is called and its branch."""
    project, shown = short(session.project, 40), policy.notification
    if not shown.details:
        return project
    branch = short(session.branch or "", 30) if shown.branch else ""
    called = short(session.title or session.prompt, 60)
    return ": ".join(filter(None, (project, called))) + (f" ({branch})" if branch else "")


def body(session: Session, policy: Policy, now: float, waited: bool = False) -> str:
    """What is asked, then the status and the time when it began; the status alone if details are off."""
    label = LABELS.get(session.status, session.status)
    if not policy.notification.details:
        return label
    since = f"{'waiting since' if waited else 'since'} {clock(session.since, now)}"
    return f"{asked(session, policy.notification.length)}\n{label} · {since}"


def asked(session: Session, length: int) -> str:
    """What SESSION asks or says, in at most LENGTH characters."""
    said = {"error": session.last_error, "idle": session.last_line}.get(session.status)
    return short(said or session.detail, length) or FALLBACKS.get(session.status, session.status)


def _line(session: Session, policy: Policy) -> str:
    label = LABELS.get(session.status, session.status).lower()
    if not policy.notification.details:
        return f"{short(session.project, 30)}: {label}"
    return f"{short(session.project, 30)}: {label}, {asked(session, 60)}"


def _request(session: Session) -> Request:
    return Request(session.session_id, session.pid, session.project, session.status, session.since, session.ask)


def _click(session: Session) -> Action:
    """Only a button copies something: a click on the message may be meant to read it."""
    return Details(session.key) if session.over else Jump(session.key)


def _buttons(session: Session) -> tuple[Button, ...]:
    key = session.key
    return (
        Button("copy", RESUME, CopyResume(key)) if session.over else Button("go", SHOW, Jump(key)),
        Button("snooze", SNOOZE, Snooze("30m")),
        Button("mute", "Mute session", Mute(key, True)),
    )
