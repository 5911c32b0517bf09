"""Play the icon and the notifications on a session bus whose calls fail, and say what came of it.

The tray, its menu, the notifier and the boundary are real; the daemon and the host on the bus record. A fault is a call
that gets an error or no answer, a connection that cannot be made, or one that is lost just before the call.
"""

import asyncio
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from dbus_fast import Message
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusStr
from dbus_fast.service import ServiceInterface, dbus_method

from deskbell.desktop.bus import call, close
from deskbell.desktop.notify import notifier
from deskbell.desktop.tray import tray
from deskbell.desktop.tray.item import MENU_PATH
from deskbell.desktop.tray.panel import WATCHER
from deskbell.face import Face
from deskbell.face.actions import Quit
from deskbell.face.look import Look
from deskbell.face.menu import Item
from deskbell.notices.screen import ScreenEvent
from deskbell.program.boundary import Boundary
from tests.faults.injector import place
from tests.tray.desktop.fake_daemon import Daemon
from tests.tray.desktop.notify.notices import a_notice
from tests.waiting import Late, wait_in_loop

ERRORS = ("AccessDenied", "NoReply", "LimitsExceeded", "ServiceUnknown", "UnknownMethod")
HOW = (*ERRORS, "no answer", "lost")
MADE = "made"
"""The call that makes a connection. It can only be refused."""
MOMENT, PATIENCE = 0.3, 20.0
"""Seconds that a step waits for its effect, which a fault may prevent, and that the last effects are waited for."""


class BusFault(NamedTuple):
    call: str
    """The method that the program calls, or MADE."""
    number: int
    """Which of the calls of that method fails, counted from 0."""
    how: str


class Told(NamedTuple):
    shown: list[str]
    """The titles that are on the screen in the end."""
    menu: list[str]
    """The rows of the menu that the host gets in the end."""
    clicks: int
    broken: dict[str, str]
    leaks: list[str]
    tracebacks: list[str]


class Injector:
    def __init__(self, fault: BusFault | None = None) -> None:
        self.fault = fault
        self.counted: Counter[str] = Counter()
        self.failed = ""
        """Where the program made the call that failed."""
        self.over = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        real = {name: getattr(MessageBus, name) for name in ("connect", "call", "send")}
        bus: Any = MessageBus
        injector = self

        async def connect(self: MessageBus) -> MessageBus:
            if injector._strikes(MADE):
                raise ConnectionRefusedError("the bus takes no connection")
            return await real["connect"](self)  # type: ignore[no-any-return]

        async def called(self: MessageBus, message: Message) -> Message | None:
            if injector._strikes(str(message.member)):
                return await injector._answer(self, message, real["call"])
            return await real["call"](self, message)  # type: ignore[no-any-return]

        def send(self: MessageBus, message: Message) -> Any:
            if injector._strikes(f"{message.member or 'reply'}, sent"):
                self.disconnect()
            return real["send"](self, message)

        bus.connect, bus.call, bus.send = connect, called, send
        try:
            yield
        finally:
            for name, method in real.items():
                setattr(bus, name, method)

    def _strikes(self, name: str) -> bool:
        where = None if self.over else place()
        if where is None:
            return False
        number = self.counted[name]
        self.counted[name] += 1
        if self.fault and self.fault[:2] == (name, number):
            self.failed = where
            return True
        return False

    async def _answer(self, bus: MessageBus, message: Message, real: Callable[..., Any]) -> Message | None:
        how = self.fault.how if self.fault else ""
        if how in ERRORS:
            message.serial = message.serial or 1
            return Message.new_error(message, f"org.freedesktop.DBus.Error.{how}", "a fault")
        if how == "lost":
            bus.disconnect()
            return await real(bus, message)  # type: ignore[no-any-return]
        raise TimeoutError


def faults(counted: Mapping[str, int]) -> list[BusFault]:
    """Every fault that an undisturbed story, which made COUNTED calls, could have had."""
    return [
        BusFault(name, number, how)
        for name, times in sorted(counted.items())
        for number in range(times)
        for how in (HOW if name != MADE and not name.endswith(", sent") else ("lost",))
    ]


class Host(ServiceInterface):
    """A panel: draws the icon that registered last."""

    def __init__(self) -> None:
        super().__init__(WATCHER)
        self.names: list[str] = []

    @dbus_method(name="RegisterStatusNotifierItem")
    def _register(self, service: DBusStr) -> None:
        self.names.append(service)

    async def menu(self, bus: MessageBus) -> list[str]:
        """Return the rows of the menu, as the panel would show them now; none if the icon does not answer."""
        name = self.names[-1] if self.names else WATCHER
        with suppress(TimeoutError):
            reply = await call(
                bus, name, MENU_PATH, "GetLayout", "iias", [0, -1, []], interface="com.canonical.dbusmenu"
            )
            if not reply.error_name:
                return [child.value[1]["label"].value for child in reply.body[1][2]]
        return []


def face(text: str) -> Face:
    return Face(Look("quiet", 0, text), (Item("row", text), Item("quit", "Quit", Quit())))


async def play(address: str, root: Path, injector: Injector) -> Told:
    """Play the story on the bus at ADDRESS, with files below ROOT."""
    before = len(os.listdir("/proc/self/fd"))
    told: list[ScreenEvent] = []
    with _errors_logged() as tracebacks:
        async with _desk(address) as (daemon, host, bus):
            boundary = Boundary()
            with injector.installed(), boundary.strays():
                screen, panel = (
                    notifier(told.append, boundary, root / "screen.json"),
                    tray(boundary, _nothing, _nothing),
                )
                screen.start()
                panel.start()
                panel.show(face("one"))
                shows = [a_notice("api"), a_notice("web"), a_notice("api", detail="Bash: make"), a_notice("docs")]
                for number, one in enumerate(shows):
                    screen.show(one)
                    await _moment(lambda n=number: len(_of("displayed", told)) > n)  # type: ignore[misc]
                screen.withdraw(shows[1].slot)
                await _moment(lambda: len(daemon.screen) == 2)
                for number in list(daemon.screen)[:1]:
                    daemon.click(number, "go")
                await _moment(lambda: _of("clicked", told))
                injector.over = True
                await _last_effects(screen, panel, daemon, host, bus)
                menu, shown = await host.menu(bus), [one.title for one in daemon.screen.values()]
                await screen.stop()
                panel.stop()
                await boundary.stopped()
    leaks = [f"{more} descriptors"] if (more := len(os.listdir("/proc/self/fd")) - before) > 0 else []
    return Told(sorted(shown), menu, len(_of("clicked", told)), dict(boundary.broken), leaks, tracebacks)


async def _last_effects(screen: Any, panel: Any, daemon: Daemon, host: Host, bus: MessageBus) -> None:
    """Show something new on both, and wait until it is seen."""
    panel.show(face("two"))
    screen.show(a_notice("last", "question"))
    with suppress(Late):
        await wait_in_loop(lambda: any("last" in one.title for one in daemon.screen.values()), within=PATIENCE)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while "two" not in await host.menu(bus):
                await asyncio.sleep(0.02)


@asynccontextmanager
async def _desk(address: str) -> AsyncIterator[tuple[Daemon, Host, MessageBus]]:
    daemon, host = await Daemon(address).up(), Host()
    bus = await MessageBus(bus_address=address).connect()
    bus.export("/StatusNotifierWatcher", host)
    await bus.request_name(WATCHER)
    try:
        yield daemon, host, bus
    finally:
        await close(bus)
        await daemon.down()


async def _moment(seen: Callable[[], object]) -> None:
    with suppress(Late):
        await wait_in_loop(seen, within=MOMENT)


def _of(what: str, told: list[ScreenEvent]) -> list[ScreenEvent]:
    return [event for event in told if event.what == what]


class _Tracebacks(logging.Handler):
    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.name.startswith("deskbell"):
            self._found.append(f"{record.name}: {record.getMessage()}")


@contextmanager
def _errors_logged() -> Iterator[list[str]]:
    found: list[str] = []
    handler = _Tracebacks(found)
    logging.getLogger().addHandler(handler)
    try:
        yield found
    finally:
        logging.getLogger().removeHandler(handler)


def _nothing(*_: object) -> None:
    """Do nothing with a click."""
