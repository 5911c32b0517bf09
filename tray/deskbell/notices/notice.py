"""What does a notification say? The words and the looks of one notice, for one session or for a burst of them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from deskbell.face.actions import Action, Jump, Mute, Open, Snooze
from deskbell.notices.policy import Policy, Ring, Urgency
from deskbell.session import URGENCY, Key, Session
from deskbell.text.times import clock
from deskbell.text.wording import short
from deskbell_hooks.schema import Status

DIGEST = "digest"
LINES = 5
"""Sessions a digest names; the others are counted. GNOME shows six lines."""

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
    "interrupted": "The turn was cut short",
    "error": "The turn ended in an error",
    "plan": "A plan waits for your approval",
    "idle": "The turn is over",
    "crashed": "Its process died without a word",
}


@dataclass(frozen=True, slots=True)
class Button:
    id: str
    label: str
    action: Action


@dataclass(frozen=True, slots=True)
class Notice:
    slot: str
    """Its place on the screen: one for each session, one for the digest. A new notice in a slot replaces the old."""
    sessions: tuple[Key, ...]
    status: Status
    title: str
    body: str
    urgency: Urgency
    click: Action | None
    """None where there is nothing to go to."""
    buttons: tuple[Button, ...] = ()
    sound: str = ""
    quiet: bool = False
    """Only its words have changed: it does not call again."""
    stays: bool = False
    """Until it is closed, however urgent it is."""
    reason: str = ""
    """Why it is shown: the end of the sentence that `deskbell why` prints."""

    @property
    def click_label(self) -> str:
        """Where a click on it needs a button of its own."""
        same = [button.label for button in self.buttons if button.action == self.click]
        return (*same, "Go" if isinstance(self.click, Jump) else "Show")[0]


def slot(key: Key) -> str:
    return f"{key[0]}:{key[1] or ''}"


def notice(session: Session, policy: Policy, reason: str, now: float, sound: str | None = None) -> Notice:
    ring = policy.rings.of(session.status) or Ring()
    return Notice(
        slot=slot(session.key),
        sessions=(session.key,),
        status=session.status,
        title=title(session, policy),
        body=body(session, policy, now),
        urgency=ring.urgency,
        click=Jump(session.key),
        buttons=_buttons(session.key) if policy.notification.buttons else (),
        sound=ring.sound if sound is None else sound,
        reason=reason,
    )


def digest(sessions: Sequence[Session], policy: Policy, reason: str, lead: str = "") -> Notice:
    """Many at once as one, the longest waiting first."""
    ordered = sorted(sessions, key=lambda s: (s.since, s.session_id))
    worst = min(ordered, key=lambda s: URGENCY[s.status])
    rings = [policy.rings.of(s.status) or Ring() for s in ordered]
    count = f"{len(ordered)} sessions need you"
    lines = [_line(s, policy) for s in ordered[:LINES]]
    if left := len(ordered) - LINES:
        lines += [f"and {left} more"] if left > 0 else []
    return Notice(
        slot=DIGEST,
        sessions=tuple(s.key for s in ordered),
        status=worst.status,
        title=f"{lead}: {count}" if lead else count,
        body="\n".join(lines),
        urgency="critical" if any(r.urgency == "critical" for r in rings) else "normal",
        click=Open("board"),
        buttons=(Button("snooze", "Snooze 30 min", Snooze("30m")),) if policy.notification.buttons else (),
        sound=next((r.sound for r in rings if r.sound), ""),
        reason=reason,
    )


def title(session: Session, policy: Policy) -> str:
    """The project, and unless details are off, what the session is called and its branch."""
    project, shown = short(session.project, 40), policy.notification
    if not shown.details:
        return project
    branch = short(session.branch or "", 30) if shown.branch else ""
    called = short(session.title or session.prompt, 60)
    return ": ".join(filter(None, (project, called))) + (f" ({branch})" if branch else "")


def body(session: Session, policy: Policy, now: float) -> str:
    """What is asked, then the status and since when; the status alone if details are off."""
    label = LABELS.get(session.status, session.status)
    if not policy.notification.details:
        return label
    return f"{asked(session, policy.notification.length)}\n{label} · since {clock(session.since, now)}"


def asked(session: Session, length: int) -> str:
    said = {"error": session.last_error, "idle": session.last_line}.get(session.status)
    return short(said or session.detail, length) or FALLBACKS.get(session.status, session.status)


def _line(session: Session, policy: Policy) -> str:
    label = LABELS.get(session.status, session.status).lower()
    if not policy.notification.details:
        return f"{short(session.project, 30)}: {label}"
    return f"{short(session.project, 30)}: {label}, {asked(session, 60)}"


def _buttons(key: Key) -> tuple[Button, ...]:
    return (
        Button("go", "Go", Jump(key)),
        Button("snooze", "Snooze 30 min", Snooze("30m")),
        Button("mute", "Mute session", Mute(key, True)),
    )
