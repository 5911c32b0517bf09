"""Follow the World: show its sessions again after every change.

Commands import this only if they follow, because it imports much that a single reading does not need.
"""

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

    SHARE: the largest part of a processor that reading and showing may take.
    OWN_TERMINAL: whether to show again when the terminal is resized, because nothing else notices that.
    New crashes are written down, as the program does, so that every later reading gives them the same time.
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
    """Wake when the terminal is resized. Windows has no signal for that."""
    if sys.platform != "win32":
        with suppress(RuntimeError, ValueError):  # only the main thread can handle signals
            asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, wake)
