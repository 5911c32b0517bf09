"""Turn a key into the next state of the board, and into an order if it gives one. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from deskbell.asking import Choice
from deskbell.cards.draft import Draft, edited
from deskbell.cards.lanes import View
from deskbell.cards.panes import Pane
from deskbell.cards.request import CHANGED, TOO_SOON, UNREAD, UNSURE, confirms
from deskbell.cards.state import Mode, Page, State, crossed, moved, screenful
from deskbell.face.actions import Answer, Details, Jump, Mute, Quit, Reply, Resume, Snooze
from deskbell.face.facts import Facts
from deskbell.session import Key


@dataclass(frozen=True, slots=True)
class CopyId:
    """Copy the id of the session to the clipboard."""

    session: Key


@dataclass(frozen=True, slots=True)
class ResumeHere:
    """Leave the board, and resume the session in the terminal of the board."""

    session: Key


Order = Jump | Resume | ResumeHere | Answer | Reply | Mute | Snooze | Details | CopyId | Quit


class Step(NamedTuple):
    """What follows from a key: the next state, and the order that it gives."""

    state: State
    order: Order | None = None


class Scene(NamedTuple):
    """What a key acts on, besides the state."""

    panes: Sequence[Pane]
    facts: Facts
    page_lines: int
    """The lines of the screen that a page can use."""
    page_rows: int = 0
    """The lines of the whole page."""
    offers: Mapping[str, Choice] = MappingProxyType({})
    """The answers that are on the screen, by their keys."""
    age: float = 0.0
    """Seconds for which these answers have been there."""


class Binding(NamedTuple):
    """What one or more keys do on the board."""

    keys: tuple[str, ...]
    shown: str
    """The key as a person reads it."""
    brief: str
    """What it does, in a word or two; empty if the last line of the screen does not name the key."""
    help: str
    do: Callable[[State, Scene], Step]


def pressed(state: State, key: str, character: str | None, scene: Scene) -> Step:
    """Return what follows from KEY. CHARACTER: what it types; None if it types nothing."""
    state = replace(state, message="")
    match state.mode:
        case "filter":
            return Step(_typed(state, key, character))
        case "snooze":
            return _snooze(state, key)
        case "page":
            return _turned(state, key, scene)
        case "reply" if state.draft:
            return _written(state, state.draft, key, character)
    found = next((binding for binding in BINDINGS if key in binding.keys), None)
    return found.do(state, scene) if found else Step(state)


def _typed(state: State, key: str, character: str | None) -> State:
    query = state.view.query
    if key in ("enter", "escape", "up", "down"):
        kept = "" if key == "escape" else query
        return replace(state, mode="board", view=replace(state.view, query=kept))
    if key in ("backspace", "ctrl+h"):
        query = query[:-1]
    elif key in ("ctrl+u", "ctrl+w"):
        query = "" if key == "ctrl+u" else query.rstrip().rpartition(" ")[0]
    elif character and character.isprintable():
        return filtered(state, character)
    return replace(state, view=replace(state.view, query=query), loose=False)


def filtered(state: State, text: str) -> State:
    """Return STATE with TEXT at the end of its filter, as far as there is room."""
    query = state.view.query + "".join(filter(str.isprintable, text[:LONGEST]))
    return replace(state, view=replace(state.view, query=query[:LONGEST]), loose=False)


LONGEST = 100
"""Characters of a filter."""
SNOOZES = {"1": Snooze("30m"), "2": Snooze("1h"), "3": Snooze("tomorrow"), "0": Snooze(None)}
CHOICES = (
    "Snooze all: 1 for 30 minutes, 2 for an hour, 3 until tomorrow, 0 to ring again",
    "Snooze: 1 30 min, 2 1 h, 3 tomorrow, 0 off",
    "1 30m 2 1h 3 day 0 off",
)
"""What may be chosen, in a wide line and in narrower ones."""


def _snooze(state: State, key: str) -> Step:
    return Step(replace(state, mode="board"), SNOOZES.get(key))


def _turned(state: State, key: str, scene: Scene) -> Step:
    """Answer what the page shows, scroll it, or leave it."""
    if choice := scene.offers.get(key):
        return _answered(state, choice, scene)
    if key == "d" and state.page and state.page.about and not state.page.has_details:
        return _details(state, scene)
    if key in ("escape", "q", "d", "?", "backspace", "left", "h"):
        return Step(replace(state, mode="board", page=None, page_top=0))
    if state.page and state.page.about and key in ON_A_PAGE:
        return next(binding for binding in BINDINGS if key in binding.keys).do(state, scene)
    whole = scene.page_rows
    most, screen = max(0, whole - scene.page_lines), max(1, scene.page_lines - 2)
    by = {**dict.fromkeys(("down", "j"), 1), **dict.fromkeys(("up", "k"), -1), "pageup": -screen, "ctrl+b": -screen}
    by |= dict.fromkeys(("pagedown", "space", "ctrl+f"), screen)
    by |= {"home": -whole, "g": -whole, "end": whole, "G": whole}
    return Step(replace(state, page_top=max(0, min(state.page_top + by.get(key, 0), most))))


def _answered(state: State, choice: Choice, scene: Scene) -> Step:
    """Give the answer, or open a line for its text. A key that was pressed before anybody could read counts not."""
    if state.page is None or state.page.about is None or state.page.asked is None:
        return Step(state)
    if scene.age < (UNSURE if confirms(scene.offers.values()) else UNREAD):
        return Step(replace(state, message=TOO_SOON))
    asked = state.page.asked
    answer = Answer(state.page.about, asked.asking.code, choice.id)
    if choice.takes_text:
        return Step(replace(state, mode="reply", draft=Draft(state.page.about, answers=answer, asked=asked.asking)))
    return Step(replace(state, page=state.page._replace(asked=asked._replace(is_sent=True))), answer)


def _written(state: State, draft: Draft, key: str, character: str | None) -> Step:
    """Edit the reply, send it, or drop it. An empty reply is dropped, too."""
    if key not in ("enter", "escape"):
        return Step(replace(state, draft=edited(draft, key, character)))
    back = replace(state, mode="page" if state.page else "board", draft=None)
    if key != "enter" or not draft.text.strip():
        return Step(back)
    if draft.answers and not (state.page and state.page.asked and state.page.asked.asking == draft.asked):
        return Step(replace(back, message=CHANGED))
    return Step(back, replace(draft.answers, text=draft.text) if draft.answers else Reply(draft.to, draft.text))


ON_A_PAGE = ("enter", "a", "r", "R", "m", "y")
"""The keys that act on the session of a page as on a chosen card."""


def _on(order: Callable[[Key], Order]) -> Callable[[State, Scene], Step]:
    """Return a function that gives an order about the chosen session, or about the session of the page."""

    def do(state: State, scene: Scene) -> Step:
        key = state.page.about if state.page else state.chosen
        return Step(state, order(key)) if key else Step(replace(state, message="No session is chosen."))

    return do


def _mute(state: State, scene: Scene) -> Step:
    return _on(lambda key: Mute(key, key[0] not in scene.facts.muted))(state, scene)


def _move(by: int) -> Callable[[State, Scene], Step]:
    return lambda state, scene: Step(moved(state, scene.panes, by))


def _screen(by: int) -> Callable[[State, Scene], Step]:
    return lambda state, scene: Step(moved(state, scene.panes, by * max(2, screenful(state, scene.panes))))


def _cross(by: int, around: bool = False) -> Callable[[State, Scene], Step]:
    return lambda state, scene: Step(crossed(state, scene.panes, by, around))


def _view(change: Callable[[View], View]) -> Callable[[State, Scene], Step]:
    return lambda state, scene: Step(replace(state, view=change(state.view), loose=False))


def _mode(mode: Mode) -> Callable[[State, Scene], Step]:
    return lambda state, scene: Step(replace(state, mode=mode))


def _only(view: View) -> View:
    return replace(view, only_needs_you=not view.only_needs_you)


def _grouped(view: View) -> View:
    return replace(view, by_project=not view.by_project)


def unfolded(view: View) -> View:
    return replace(view, unfolded=not view.unfolded)


def _clear(state: State, scene: Scene) -> Step:
    """Show every session again."""
    return Step(replace(state, view=replace(state.view, query="", only_needs_you=False), loose=False))


def _details(state: State, scene: Scene) -> Step:
    session = state.page.about if state.page else state.chosen
    if session is None:
        return Step(replace(state, message="No session is chosen."))
    return Step(with_details(state, session), Details(session))


def with_details(state: State, session: Key) -> State:
    """Return STATE with the page of SESSION, which is empty until its details are known."""
    return replace(state, mode="page", page=Page("Details", (), session), page_top=0)


def _help(state: State, scene: Scene) -> Step:
    from deskbell.cards.help import page  # imported here, because that module lists the keys of this one

    return Step(replace(state, mode="page", page=page(), page_top=0))


BINDINGS: tuple[Binding, ...] = (
    Binding(("enter",), "Enter", "jump", "show the window, the tab and the pane of the session", _on(Jump)),
    Binding(("a",), "a", "answer", "answer what a session asks, or reply to one whose turn is over", _on(Reply)),
    Binding(("r",), "r", "resume", "resume a session that is over, in a new terminal", _on(Resume)),
    Binding(("d",), "d", "details", "show what is known of the session and what happened in it", _details),
    Binding(("s",), "s", "snooze", "hold back all notifications for a while", _mode("snooze")),
    Binding(("m",), "m", "mute", "stop the notifications of the session, or allow them again", _mute),
    Binding(("/",), "/", "filter", "show only the sessions with these words", _mode("filter")),
    Binding(("!",), "!", "needs you", "show only who needs you, or all", _view(_only)),
    Binding(("p",), "p", "projects", "group the sessions by project, or not", _view(_grouped)),
    Binding(("y",), "y", "copy id", "copy the id of the session", _on(CopyId)),
    Binding(("e",), "e", "ended", "show the sessions that ended within a day, or hide them", _view(unfolded)),
    Binding(("?", "f1"), "?", "help", "show this help", _help),
    Binding(("q", "ctrl+q"), "q", "quit", "end the board", lambda state, scene: Step(state, Quit())),
    Binding(("R",), "R", "", "leave the board and resume the session in this terminal", _on(ResumeHere)),
    Binding(("down", "j"), "↓ j", "", "choose the next session", _move(1)),
    Binding(("up", "k"), "↑ k", "", "choose the session before", _move(-1)),
    Binding(("right", "l"), "→ l", "", "go to the column on the right", _cross(1)),
    Binding(("left", "h"), "← h", "", "go to the column on the left", _cross(-1)),
    Binding(("tab",), "Tab", "", "go to the next part of the board", _cross(1, around=True)),
    Binding(("shift+tab",), "Shift+Tab", "", "go to the part before", _cross(-1, around=True)),
    Binding(("pagedown", "ctrl+f", "space"), "PgDn", "", "go down by a screen", _screen(1)),
    Binding(("pageup", "ctrl+b"), "PgUp", "", "go up by a screen", _screen(-1)),
    Binding(("home", "g"), "Home g", "", "choose the first session of the column", _move(-(10**6))),
    Binding(("end", "G"), "End G", "", "choose the last session of the column", _move(10**6)),
    Binding(("escape",), "Esc", "", "show every session again, without a filter", _clear),
)
"""Every key of the board, the most used first."""
