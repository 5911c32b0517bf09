"""Run the board of cards on the whole terminal, with Textual.

`deskbell.cards` decides what is shown and what a key means. This module draws its lines, and passes its orders to the
Hands. `palette` chooses colours that can be read in light and dark terminals. With NO_COLOR, shapes and bold letters
remain. Nothing moves by itself.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from rich.console import RenderableType
from textual.app import App
from textual.driver import Driver
from textual.screen import Screen
from textual.widget import Widget

from deskbell.asking import Asking, Choice
from deskbell.cards.answering import after_answer, answering, attached, with_session
from deskbell.cards.deck import Deck
from deskbell.cards.draft import inserted
from deskbell.cards.keys import CopyId, Order, ResumeHere, Scene, filtered, pressed, unfolded
from deskbell.cards.picture import NOTHING, Picture, content, picture, waiting
from deskbell.cards.state import State, hit, picked, scrolled
from deskbell.errors import Problem, reason
from deskbell.face.actions import Answer, Details, Jump, Quit, Reply
from deskbell.face.facts import Facts
from deskbell.session import Key, Session
from deskbell.terminal.canvas import Alone, Canvas
from deskbell.terminal.endings import on_signals
from deskbell.terminal.hands import Hands
from deskbell.terminal.strips import lines

TICK = 5.0
"""Seconds between two updates of the ages. Updating them every second would be restless."""
PAGE = 1.0
"""Seconds between two readings of the details of a session that is running."""
ASK, TRIES = 0.5, 4
"""Seconds between two readings of the open requests, and how many there are: a request is known a moment later."""
MESSAGE = 8.0
"""Seconds for which a message is shown in place of the keys."""
WRONG = 30.0
"""Seconds between two searches for problems, because a search takes a moment."""

Show = Callable[[Sequence[Session], float], None]


Feed = Callable[[Show], Awaitable[None]]
"""Calls its argument with the sessions, now and after every change, until it is cancelled."""
Left = ResumeHere | int
"""How the board ended: an exit code, or the session to resume in this terminal."""


def driver() -> type[Driver] | None:
    """Return what reads the terminal; None for Textual's own on Windows, where no bytes are read."""
    if sys.platform == "win32":
        return None
    from deskbell.terminal.driver import Terminal  # imported here, because Windows has no such driver

    return Terminal


class Tui(App[Left], inherit_bindings=False):
    """The app of Textual: it draws pictures, and passes on keys and orders."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Deskbell"
    BINDINGS: ClassVar = []

    def __init__(
        self,
        feed: Feed,
        hands: Hands,
        state: State,
        covers: bool = False,
        clock: Callable[[], float] = time.time,
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        """COVERS: the board is in front of what a jump shows, as in a popup of tmux, so that it ends after a jump."""
        super().__init__(driver_class=driver(), ansi_color=True)
        self._covers = covers
        self.animation_level = "none"
        self._feed = feed
        self._hands = hands
        self._clock = clock
        self._elapsed = elapsed
        self._state = state
        self._sessions: Sequence[Session] = ()
        """The sessions as they were read, without their requests."""
        self._requests: Mapping[Key, Asking] = {}
        self._asking = False
        self._offered: tuple[Asking | None, Mapping[str, Choice]] = (None, {})
        """The step that is on the screen, and its answers."""
        self._offered_at = 0.0
        self._content = NOTHING
        self._has_looked = False
        self._facts = Facts()
        self._deck = Deck()
        self._picture: Picture | None = None
        self._canvas = Canvas(self)
        self._told_at = 0.0
        self._page: tuple[Session | None, RenderableType] = (None, "")
        self._gathering = False
        self._forget_signals: Callable[[], None] = lambda: None
        self.failed: BaseException | None = None
        """The exception that ended the board."""

    def get_default_screen(self) -> Screen[Any]:
        return Alone(self)

    def compose(self) -> Sequence[Widget]:
        return [self._canvas]

    def on_mount(self) -> None:
        self._forget_signals = on_signals(asyncio.get_running_loop(), self.exit)
        self.app_resume_signal.subscribe(self._canvas, lambda _: self._canvas.refresh())  # after Ctrl+Z and fg
        self.call_after_refresh(self.work, self._feed, self.show)  # the first reading may take long: paint before it
        self.set_interval(TICK, lambda: self.guarded(self.tick))

    def on_unmount(self) -> None:
        self._forget_signals()

    def work(self, work: Callable[..., Awaitable[None]], *given: object) -> None:
        """Start WORK. An exception in it ends the board."""

        async def guarded() -> None:
            try:
                await work(*given)
            except Exception as error:  # noqa: BLE001  # `run` raises it once the terminal is restored
                self._fail(error)

        self.run_worker(guarded(), exit_on_error=False)

    def guarded(self, effect: Callable[..., None], *given: object) -> None:
        try:
            effect(*given)
        except Exception as error:  # noqa: BLE001  # `run` raises it once the terminal is restored
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self.failed = self.failed or error
        self.exit(1)

    async def _look(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self._hands.look)
                self.tick()
            except (Problem, OSError) as problem:
                self.tell(reason(problem))
            await asyncio.sleep(WRONG)

    def show(self, sessions: Sequence[Session], now: float) -> None:
        """Show SESSIONS, as they were read at NOW."""
        is_first, self._has_looked = not self._has_looked, True
        self._sessions = sessions
        self._arrange(now)
        if is_first:
            self.call_after_refresh(self.work, self._look)
        self._refresh_page()
        self._ask()

    def _arrange(self, now: float) -> None:
        """Show the sessions with their requests, also on the page of one."""
        self._content = content(attached(self._sessions, self._requests), now)
        if (page := self._state.page) and page.about:
            self._state = with_session(self._state, self._find(page.about))
        self.paint()

    def _ask(self) -> None:
        """Ask for the open requests, and go on while the page of a session that waits is shown."""
        if not self._asking and any(session.blocked for session in self._sessions):
            self._asking = True
            self.work(self._follow_requests)

    async def _follow_requests(self) -> None:
        """Read the requests: again while a page shows one, and a few times if that of a session is missing."""
        left = TRIES
        try:
            while left > 0:
                await self._read_requests()
                shows_one = self._state.page is not None and self._state.page.asked is not None
                has_all = all(one.key in self._requests for one in self._sessions if one.blocked)
                left = TRIES if shows_one else 0 if has_all else left - 1
                await asyncio.sleep(ASK if left else 0)
        finally:
            self._asking = False

    async def _read_requests(self) -> None:
        found = await asyncio.to_thread(self._hands.requests)
        if found != self._requests:
            self._requests = found
            self._arrange(self._clock())

    def tick(self) -> None:
        if self._state.message and abs(self._clock() - self._told_at) > MESSAGE:  # the clock may step back
            self._state = replace(self._state, message="")
        self._content = content(self._content.sessions, self._clock())
        self.paint()
        self._ask()

    def paint(self) -> None:
        size, now = self._canvas.size, self._clock()
        if not size.width or not size.height:
            return
        if not self._has_looked:
            self._canvas.draw(waiting(size.width, size.height))
            return
        self._facts = self._hands.facts(now)
        shown = picture(self._content, self._state, self._facts, now - now % TICK, size.width, size.height, self._deck)
        self._picture, self._state = shown, shown.state
        asked = shown.state.page.asked if shown.state.page else None
        if (offered := (asked and asked.asking, shown.offers)) != self._offered:
            self._offered, self._offered_at = offered, self._elapsed()
        self._canvas.draw(shown.lines)

    def sized(self) -> None:
        self._lay_page_out()
        self.paint()

    def key(self, key: str, character: str | None) -> None:
        if key == "ctrl+c":
            self.exit(130)
        elif key == "ctrl+z":
            self.action_suspend_process()
        elif self._picture:
            typed = character if character and character.isprintable() and character != " " else None
            step = pressed(self._state, typed or key, character, self._scene(self._picture))
            self._state = step.state
            if step.state.message:
                self._told_at = self._clock()
            self.paint()
            if step.order:
                self.order(step.order)

    def _scene(self, shown: Picture) -> Scene:
        age = self._elapsed() - self._offered_at
        return Scene(shown.panes, self._facts, shown.page_lines, shown.page_rows, shown.offers, age)

    def paste(self, text: str) -> None:
        """Add TEXT to the reply or the filter. Elsewhere a paste does nothing, so that it is not taken for keys."""
        if self._state.draft:
            self._state = replace(self._state, draft=inserted(self._state.draft, text))
            self.paint()
        elif self._state.mode == "filter":
            self._state = filtered(self._state, text)
            self.paint()

    def click(self, x: int, y: int, times: int) -> None:
        if self._picture is None:
            return
        if y == len(self._picture.lines) - 1:
            pressed_at = (one.key for one in self._picture.buttons if one.first <= x < one.end)
            if key := next(pressed_at, None):
                self.key(key, None)
            return
        found = hit(self._state, self._picture.panes, x, y) if self._state.mode != "page" else None
        if found is None:
            return
        if found.key:
            self._state = picked(self._state, found.key)
        elif found.lane == "ended":
            self._state = replace(self._state, view=unfolded(self._state.view))
        self.paint()
        if found.key and times == 2:
            self.order(Jump(found.key))

    def wheel(self, x: int, y: int, by: int) -> None:
        if self._state.mode == "page":
            for _ in range(abs(by)):
                self.key("down" if by > 0 else "up", None)
        elif self._picture and (found := hit(self._state, self._picture.panes, x, y)):
            self._state = scrolled(self._state, found.pane, by)
            self.paint()

    def order(self, order: Order) -> None:
        if isinstance(order, Quit):
            self.exit(0)
        elif isinstance(order, Details):
            self._lay_page_out()
            self._refresh_page()
            self._arrange(self._clock())
            self._ask()
        elif isinstance(order, Reply) and order.text is None:
            self._write(order)
        else:
            self.work(self._carry_out, order)

    def _write(self, order: Reply) -> None:
        """Show the answers or the line for a reply, or say why there is neither."""
        self._state, self._told_at = answering(self._state, self._find(order.session), self._facts), self._clock()
        self.paint()
        self._ask()

    async def _carry_out(self, order: Order) -> None:
        session = self._find(getattr(order, "session", None))
        if session is None and hasattr(order, "session"):
            return self.tell("This session no longer exists.")
        if isinstance(order, Answer):
            return await self._answer(order, session)
        try:
            said = await asyncio.to_thread(self._hands.do, order, session)
        except (Problem, OSError) as problem:
            return self.tell(reason(problem))
        if isinstance(order, ResumeHere):
            return self.exit(order)
        if self._covers and isinstance(order, Jump) and self._hands.is_shown():
            return self.exit(0)
        if isinstance(order, CopyId):
            self.copy_to_clipboard(order.session[0])
        return self.tell(said)

    async def _answer(self, order: Answer, session: Session | None) -> None:
        """Answer what is on the page, and show what it asks next."""
        asked = self._state.page.asked if self._state.page else None
        if session and asked:
            session = replace(session, asking=asked.asking)
        try:
            said = await asyncio.to_thread(self._hands.do, order, session)
        except (Problem, OSError) as problem:
            said = reason(problem)
        await self._read_requests()
        self._state = after_answer(self._state, all(one.code != order.code for one in self._requests.values()))
        self.tell(said)

    def tell(self, sentence: str) -> None:
        self._state, self._told_at = replace(self._state, message=sentence), self._clock()
        self.paint()

    def _find(self, key: Key | None) -> Session | None:
        return next((one for one in self._content.sessions if one.key == key), None)

    def _refresh_page(self) -> None:
        """Read the details again if their session has changed."""
        page = self._state.page
        session = self._find(page.about) if page and page.has_details else None
        if session is not None and session is not self._page[0] and not self._gathering:
            self._gathering = True
            self.work(self._gather, session)

    async def _gather(self, session: Session) -> None:
        try:
            shown = await asyncio.to_thread(self._hands.details, session, self._clock())
        except (Problem, OSError) as problem:
            return self.tell(reason(problem))
        finally:
            self._gathering = False
        self._page = session, shown
        self._lay_page_out()
        self.paint()
        await asyncio.sleep(PAGE)
        return self._refresh_page()

    def _lay_page_out(self) -> None:
        """Wrap the details for the width of the screen."""
        session, shown = self._page
        page = self._state.page
        if page and page.has_details and session and page.about == session.key and self._canvas.size.width:
            laid = lines(shown, max(10, self._canvas.size.width - 2))
            self._state = replace(self._state, page=page._replace(lines=laid))


def run(feed: Feed, hands: Hands, state: State, covers: bool = False) -> Left:
    """Show the board until the person ends it. If an exception ends it, raise that exception."""
    app = Tui(feed, hands, state, covers)
    left = app.run()
    if app.failed:
        raise app.failed
    return 1 if left is None else left
