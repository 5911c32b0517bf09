"""Do the links between Deskbell and the desktop hold: the settings, the notification daemon, the focus?"""

import asyncio
import sys
from collections.abc import Callable, Iterator

from deskbell.desktop.focus import Screen, SilentScreen, screen
from deskbell.doctor import Check
from deskbell.errors import Problem
from deskbell.home import Home
from deskbell.notices.policyfile import parse


def examined(home: Home, who: Callable[[], str | None] | None = None, looking: Screen | None = None) -> list[Check]:
    return [*settings(home), *notifications(who or daemon), *focus(looking or screen())]


def settings(home: Home) -> Iterator[Check]:
    path = home.config / "config.toml"
    try:
        parse(path.read_text(encoding="utf-8") if path.exists() else "", path)
    except (Problem, OSError, UnicodeDecodeError) as problem:
        yield Check("settings of Deskbell", "bad", str(problem), "deskbell config edit")
    else:
        yield Check("settings of Deskbell", "ok", f"{path} is whole" if path.exists() else "all as they come")


def notifications(who: Callable[[], str | None]) -> Iterator[Check]:
    if found := who():
        yield Check("notifications", "ok", f"{found} displays them; to see one: deskbell notify-test")
    else:
        mend = "start your desktop's notification daemon, or another, such as dunst"
        yield Check("notifications", "warn", "nobody displays them; the icon carries on", mend)


def focus(looking: Screen) -> Iterator[Check]:
    if isinstance(looking, SilentScreen):
        what = "which window is focused cannot be known here: it rings also for the session you look at"
        yield Check("focus", "warn", what, "on Wayland: KDE, sway or Hyprland; on GNOME there is no way")
    else:
        yield Check("focus", "ok", f"{looking.name} tells which window is focused: what you look at does not ring")


def daemon() -> str | None:
    """Asked without showing anything. Not to be called in a running loop."""
    if sys.platform != "linux":
        return "this system"
    from deskbell.desktop.notify.linux import identity

    return asyncio.run(identity())
