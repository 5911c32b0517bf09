"""Define a base for the D-Bus interfaces that Deskbell offers to the panel, in which no error stays unseen.

dbus-fast answers with an error and logs it. The methods and properties made here also pass it to the supervisor.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from dbus_fast import DBusError, ErrorType, PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

from deskbell.desktop.tray.library import PANEL
from deskbell.supervision import Supervisor

P = ParamSpec("P")
T = TypeVar("T")
Own = TypeVar("Own", bound="Interface")


class Interface(ServiceInterface):
    """An interface whose methods and properties are made with `method` and `readable`."""

    def __init__(self, name: str, supervisor: Supervisor) -> None:
        super().__init__(name)
        self._supervisor = supervisor

    def answer(self, work: Callable[[], T]) -> T:
        """Return what WORK returns, or raise its DBusError, which is an answer.

        Show any other error, and raise a DBusError in its place.
        """
        found: list[T] = []
        refused: list[DBusError] = []

        def ask() -> None:
            try:
                found.append(work())
            except DBusError as refusal:
                refused.append(refusal)

        self._supervisor.guarded(PANEL, ask)()
        if not found:
            raise refused[0] if refused else DBusError(ErrorType.SERVICE_ERROR, "Deskbell could not answer")
        return found[0]


def method(name: str) -> Callable[[Callable[Concatenate[Own, P], Any]], Callable[Concatenate[Own, P], None]]:
    """Export a method of an `Interface` under NAME."""
    return lambda work: dbus_method(name=name)(_guarded(work))


def readable(name: str) -> Callable[[Callable[[Own], Any]], Any]:
    """Export a property of an `Interface` under NAME."""
    return lambda getter: dbus_property(PropertyAccess.READ, name=name)(_guarded(getter))


def _guarded(work: Callable[Concatenate[Own, P], T]) -> Callable[Concatenate[Own, P], T]:
    @wraps(work)
    def run(interface: Own, /, *args: P.args, **named: P.kwargs) -> T:
        return interface.answer(partial(work, interface, *args, **named))

    return run
