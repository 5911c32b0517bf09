"""Make the notices of wants, and from them the messages for channels and the rings in terminals. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deskbell.asking import Asking, Choice
from deskbell.notices.notice import Notice, are_buttons, notice, summary
from deskbell.notices.orders import InTerminal, Send
from deskbell.notices.policy import Channel, Policy
from deskbell.notices.wants import Want
from deskbell.notices.words import is_shown
from deskbell.session import Session

DENIALS = ("deny", "keep")
"""The choices that allow nothing."""


def notice_of(want: Want, policy: Policy, reason: str, now: float, sound: str | None = None) -> Notice:
    return replace(notice(want.session, policy, reason, now, sound), slot=want.slot)


def summary_of(wants: Sequence[Want], policy: Policy, reason: str, now: float, lead: str = "") -> Notice:
    waited = not lead and all(want.found is not None for want in wants)
    return summary([want.session for want in wants], policy, reason, lead, now if waited else None)


def sends(found: Sequence[Want], when: str, policy: Policy, now: float) -> Iterator[tuple[Send, Sequence[Want]]]:
    """Yield the message for each channel, and the wants in FOUND that it is about. The channel sets its own details."""
    for channel in policy.channels:
        meant = [want for want in found if want.session.status in channel.statuses]
        if channel.when == when and meant:
            yield Send(channel.name, replace(_made(meant, channel, policy, now), reason=when)), meant


def _made(meant: Sequence[Want], channel: Channel, policy: Policy, now: float) -> Notice:
    if len(meant) > 1:
        return summary_of(meant, _its(channel, policy), "", now)
    return replace(notice_for(meant[0].session, channel, policy, now), slot=meant[0].slot)


def notice_for(session: Session, channel: Channel, policy: Policy, now: float) -> Notice:
    """Return what CHANNEL gets of SESSION alone, with the choices that it may offer."""
    asking = session.asking.away if session.asking and channel.answers else None
    made = notice(replace(session, asking=asking), _its(channel, policy), "", now)
    choices = offered(asking, made, channel.details) if asking else ()
    return replace(made, away=replace(asking, choices=choices) if asking and choices else None)


def offered(asking: Asking, made: Notice, details: bool) -> tuple[Choice, ...]:
    """Return the choices of ASKING that go with MADE. A request that it does not show whole can only be denied.

    Options of a question are offered only if all of them fit: some of them would mislead.
    """
    asking = asking.where(details and is_shown(asking.whole, made.title, made.body))
    options = [one for one in asking.choices if one.id.startswith("option:")]
    if options:
        return tuple(options) if are_buttons([one.label for one in options]) else ()
    return tuple(one for one in asking.choices if one.id in (*DENIALS, "allow"))


def _its(channel: Channel, policy: Policy) -> Policy:
    shown = policy.notification.model_copy(update={"details": channel.details})
    return policy.model_copy(update={"notification": shown})


def in_terminals(found: Iterable[Want], policy: Policy, now: float) -> Iterator[InTerminal]:
    """Yield a ring for the terminal of each of FOUND, if the settings ask for it: a terminal knows only its session."""
    for want in found if policy.ring_in_terminal else ():
        if not want.session.over:
            yield InTerminal(want.session, notice_of(want, policy, "", now))
