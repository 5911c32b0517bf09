"""Play sounds with an installed player on Linux, for notification daemons that play none.

`play` blocks until the sound is over; `Player` calls it in a thread.
"""

import contextlib
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from deskbell.helper import run
from deskbell.supervision import Supervisor

DEFAULT = "message-new-instant"
"""The name in the sound theme that "default" stands for."""
LONGEST = 20.0
"""Seconds after which a sound is cut off."""
THEME = Path("/usr/share/sounds/freedesktop/stereo")
PLAYERS: Mapping[str, Sequence[str]] = {
    "canberra-gtk-play": ("-f",),
    "pw-play": (),
    "paplay": (),
    "ffplay": ("-nodisp", "-autoexit", "-loglevel", "quiet"),
    "aplay": ("-q",),
}
"""The players in order of preference -> the arguments before the file."""
LATE = 2.0
"""Seconds after which a sound that waits for another one to end is dropped, because its notification is old news."""


def named(sound: str) -> str:
    """Return the name of SOUND in the sound theme."""
    return DEFAULT if sound == "default" else sound


def play(sound: str) -> None:
    """Play SOUND, the path of a file or a name in the theme. Play nothing if there is no such file or no player."""
    file = sound if sound.startswith("/") else str(THEME / f"{named(sound)}.oga")
    player = next((found for name in PLAYERS if (found := shutil.which(name))), None)
    if player and Path(file).is_file():
        with contextlib.suppress(TimeoutError, OSError):
            run([player, *PLAYERS[Path(player).name], file], LONGEST)


class Player:
    """Plays one sound at a time, and then the newest of those that came meanwhile."""

    def __init__(
        self,
        supervisor: Supervisor,
        play: Callable[[str], None] = play,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._supervisor = supervisor
        self._play = play
        self._clock = clock
        self._lock = threading.Lock()
        # The following fields are used only while the lock is held.
        self._next: tuple[str, float] | None = None
        """The sound that waits, and when it was wanted."""
        self._runs = False

    def play(self, sound: str) -> None:
        """Play SOUND in a thread, and return at once. Raise nothing, because the notification is shown already."""
        with self._lock:
            self._next = sound, self._clock()
            if self._runs:
                return
            self._runs = True
        if not self._supervisor.thread("sound", self._serve):
            self._rest()

    def _serve(self) -> None:
        try:
            while sound := self._taken():
                self._play(sound)
        except BaseException:
            self._rest()
            raise

    def _taken(self) -> str | None:
        """Return what to play next; None if there is nothing, and then the thread ends."""
        with self._lock:
            sound, wanted = self._next or (None, 0.0)
            self._next = None
            if sound and self._clock() - wanted < LATE:
                return sound
            self._runs = False
            return None

    def _rest(self) -> None:
        with self._lock:
            self._next, self._runs = None, False
