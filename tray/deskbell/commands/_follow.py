"""Follow the World: show its sessions again after every change. To look once needs none of what this imports."""

import asyncio
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from deskbell.desktop.ears import RealEars
from deskbell.home import home
from deskbell.program.boundary import Boundary
from deskbell.session import Session
from deskbell.sessions.crashes import CrashFile
from deskbell.sessions.world import World
from deskbell.wake import Wake

Show = Callable[[Sequence[Session], float], None]


def follow(there: World, show: Show, refresh: float) -> None:
    """Run `following` until Ctrl+C."""
    asyncio.run(following(there, show, refresh))


async def following(there: World, show: Show, refresh: float, share: float = 1.0, own_terminal: bool = True) -> None:
    """Show the sessions now, after every change and every REFRESH seconds, until cancelled.

    SHARE: the part of a processor that looking and showing take at most, however many changes there are.
    OWN_TERMINAL: nobody else notices that the terminal has another size.
    What crashes meanwhile is written down, as the program does it: then every later look dates it alike.
    """
    crashes = CrashFile(home().state)
    wake, boundary = Wake(), Boundary()
    ears = RealEars(boundary, lambda: [home().sessions, *there.watched], there.died)
    ears.listen(wake)
    if own_terminal:
        _wake_at_a_new_size(wake)
    try:
        while True:
            wake.clear()
            began = time.thread_time()
            now = time.time()
            sessions = there.read(now, ears.changes())
            show(sessions, now)
            with suppress(OSError):  # `list` also works where nothing can be written
                crashes.follow(sessions, now)
            patience = ears.follow(there.pids)
            ears.mend()
            rests_until = time.monotonic() + (time.thread_time() - began) * (1 / share - 1)
            due = min(there.again or now + refresh, now + refresh, now + (patience or refresh))
            await wake.wait(max(0.0, due - time.time()))
            await asyncio.sleep(max(0.0, rests_until - time.monotonic()))
    finally:
        ears.close()
        await boundary.stopped()


def _wake_at_a_new_size(wake: Wake) -> None:
    """Show again when the terminal has another size. Windows does not say so."""
    if sys.platform != "win32":
        with suppress(RuntimeError, ValueError):  # outside of the main thread no signal can be handled
            asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, wake)
