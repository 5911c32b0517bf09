"""Put wants into notices, and make of them what goes elsewhere than to the screen: to channels and terminals. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deskbell.notices.notice import Notice, notice, summary
from deskbell.notices.orders import InTerminal, Send
from deskbell.notices.policy import Policy
from deskbell.notices.wants import Want


def notice_of(want: Want, policy: Policy, reason: str, now: float, sound: str | None = None) -> Notice:
    return replace(notice(want.session, policy, reason, now, sound), slot=want.slot)


def summary_of(wants: Sequence[Want], policy: Policy, reason: str, now: float, lead: str = "") -> Notice:
    waited = not lead and all(want.found is not None for want in wants)
    return summary([want.session for want in wants], policy, reason, lead, now if waited else None)


def sends(found: Sequence[Want], when: str, policy: Policy, now: float) -> Iterator[tuple[Send, Sequence[Want]]]:
    """Yield what each channel is sent of FOUND, and about which. The channel decides about details, not the screen."""
    for channel in policy.channels:
        meant = [want for want in found if want.session.status in channel.statuses]
        if channel.when == when and meant:
            shown = policy.notification.model_copy(update={"details": channel.details})
            its = policy.model_copy(update={"notification": shown})
            alone = len(meant) == 1
            made = notice_of(meant[0], its, when, now) if alone else summary_of(meant, its, when, now)
            yield Send(channel.name, made), meant


def in_terminals(found: Iterable[Want], policy: Policy, now: float) -> Iterator[InTerminal]:
    """Yield a ring for the terminal of each of FOUND, if the person wants them: a terminal knows only its session."""
    for want in found if policy.ring_in_terminal else ():
        if not want.session.over:
            yield InTerminal(want.session, notice_of(want, policy, "", now))
