"""Load what draws the icon on another system, with stand-ins for modules that load only there."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

from deskbell.desktop.tray import PystrayTray, library
from deskbell.desktop.tray.library import PANEL
from deskbell.program.boundary import Boundary


@contextmanager
def loaded(name: str, base: type, *modules: ModuleType) -> Iterator[Any]:
    """Load the module NAME of the tray over MODULES. Its icon is derived from BASE in place of pystray's."""
    name = f"deskbell.desktop.tray.{name}"
    theirs = {module.__name__: sys.modules.get(module.__name__) for module in modules}
    icon, library.Icon = library.Icon, base
    sys.modules |= {module.__name__: module for module in modules}
    try:
        yield import_module(name)
    finally:
        library.Icon = icon
        sys.modules.pop(name, None)
        for one, before in theirs.items():
            sys.modules.pop(one)
            if before:
                sys.modules[one] = before


def shown(icon: Any, story: Callable[[], object]) -> dict[str, str]:
    """Return what is shown as broken after STORY, which calls ICON as the system does while a tray shows it."""

    async def play() -> dict[str, str]:
        boundary = Boundary()
        PystrayTray(boundary, icon, lambda look: look, print).start()
        story()
        assert boundary.broken.keys() <= {PANEL}
        return dict(boundary.broken)

    return asyncio.run(play())
