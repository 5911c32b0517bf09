"""Open the page of what a session asks, and keep it true while the session goes on. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from deskbell.asking import Asking
from deskbell.cards.draft import Draft, opened
from deskbell.cards.request import asked_of, followed
from deskbell.cards.state import Page, State
from deskbell.face.facts import Facts
from deskbell.session import Key, Session
from deskbell.text.wording import short


def attached(sessions: Iterable[Session], requests: Mapping[Key, Asking]) -> list[Session]:
    """Return SESSIONS, each blocked one with its open request."""
    return [_with(one, requests[one.key]) if one.blocked and one.key in requests else one for one in sessions]


def _with(session: Session, asking: Asking) -> Session:
    return replace(session, detail=asking.detail, asking=asking)


def answering(state: State, session: Session | None, facts: Facts) -> State:
    """Return STATE with the page of what SESSION asks, or with an empty reply, or with why there is neither."""
    if session and session.asking and session.asking.choices:
        page = state.page or Page("", (), session.key, has_details=False)
        page = page._replace(title=_title(session), asked=asked_of(session))
        return replace(state, mode="page", page=page, page_top=0)
    if session and session.asking and session.asking.why_not:
        return replace(state, message=session.asking.why_not)
    found = opened(session, facts)
    if isinstance(found, Draft):
        return replace(state, mode="reply", draft=found)
    return replace(state, message=found)


def with_session(state: State, session: Session | None) -> State:
    """Return STATE with a page that shows what SESSION, which it is about, asks now. None: the session is gone."""
    if state.page is None or state.page.about is None:
        return state
    title = _title(session) if session else state.page.title
    asked = followed(state.page.asked, asked_of(session) if session else None)
    return replace(state, page=state.page._replace(title=title, asked=asked))


def after_answer(state: State, is_over: bool) -> State:
    """Return STATE after an answer was sent. A page that shows nothing but a request that IS_OVER is left."""
    page = state.page
    if page is None or page.asked is None or not page.asked.is_sent:
        return state
    if is_over and not page.has_details:
        return replace(state, mode="board", page=None, page_top=0)
    return replace(state, page=page._replace(asked=page.asked._replace(is_sent=False)))


def _title(session: Session) -> str:
    return f"{short(session.project, 40)} · {short(session.name, 80)}"
