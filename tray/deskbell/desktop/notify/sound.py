"""Play a sound with the player that this Linux has, for notification daemons that play none.

`play` blocks until the sound is over: it is called in a thread.
"""

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from deskbell.helper import run

DEFAULT = "message-new-instant"
"""The sound of the theme that "default" stands for."""
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
"""The players in the order of preference, with the arguments that go before the file."""


def named(sound: str) -> str:
    """The name of SOUND in the sound theme."""
    return DEFAULT if sound == "default" else sound


def play(sound: str) -> None:
    """Play SOUND, the path of a file or a name in the theme. Play nothing if there is no such file or no player."""
    file = sound if sound.startswith("/") else str(THEME / f"{named(sound)}.oga")
    player = next((found for name in PLAYERS if (found := shutil.which(name))), None)
    if player and Path(file).is_file():
        with contextlib.suppress(TimeoutError, OSError):
            run([player, *PLAYERS[Path(player).name], file], LONGEST)
