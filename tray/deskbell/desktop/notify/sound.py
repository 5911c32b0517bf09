"""How is a sound played where the notification daemon plays none? By whatever player the system has."""

import contextlib
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

DEFAULT = "message-new-instant"
LONGEST = 20.0
"""Seconds; it is to be a sound and not a song."""
THEME = Path("/usr/share/sounds/freedesktop/stereo")
PLAYERS: Mapping[str, Sequence[str]] = {
    "canberra-gtk-play": ("-f",),
    "pw-play": (),
    "paplay": (),
    "ffplay": ("-nodisp", "-autoexit", "-loglevel", "quiet"),
    "aplay": ("-q",),
}


def named(sound: str) -> str:
    return DEFAULT if sound == "default" else sound


def play(sound: str) -> None:
    """A sound that is not there, or that nothing can play, is silence."""
    file = sound if sound.startswith("/") else str(THEME / f"{named(sound)}.oga")
    player = next((found for name in PLAYERS if (found := shutil.which(name))), None)
    if player and Path(file).is_file():
        command = [player, *PLAYERS[Path(player).name], file]
        Thread(target=_play, args=(command,), name="sound", daemon=True).start()


def _play(command: Sequence[str]) -> None:
    nothing = subprocess.DEVNULL
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, stdin=nothing, stdout=nothing, stderr=nothing, timeout=LONGEST, check=False)
