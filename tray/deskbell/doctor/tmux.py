"""Check whether tmux shows the sessions: what is installed for it, and which running servers use that."""

import shutil
from collections.abc import Callable, Iterator, Sequence

from deskbell.desktop.tmux.applied import Server, examined
from deskbell.desktop.tmux.server import sockets
from deskbell.doctor import Check
from deskbell.home import Home
from deskbell.settings import tmux_files
from deskbell.settings.tmux_include import LINE

INSTALL = "Run `deskbell tmux install`."


def servers(home: Home) -> list[Server]:
    """Return the person's running servers whose sockets are in the usual folder."""
    return [server for socket in sockets() if (server := examined(socket, LINE, str(home.state)))]


def checked(
    home: Home,
    is_there: Callable[[], bool] = lambda: shutil.which("tmux") is not None,
    servers: Callable[[Home], Sequence[Server]] = servers,
) -> Iterator[Check]:
    """Yield the checks; none if nothing is installed for tmux, because Deskbell needs nothing there."""
    state = tmux_files.state(tmux_files.files(home))
    if state == "missing":
        return
    if not is_there():
        yield Check("tmux", "warn", "Deskbell is installed for tmux, but tmux is not on the PATH.", "Put it there.")
        return
    if state == "outdated":
        yield Check("tmux", "warn", "The file that tmux reads is from another version of Deskbell.", INSTALL)
    found = servers(home)
    for server in found:
        name = f"tmux {server.socket}"
        if server.problem:
            yield Check(name, "warn", server.problem, "Newer versions show it; `deskbell tmux status` lists them.")
        elif not server.has:
            yield Check(name, "warn", f"This server, tmux {server.version}, does not show the sessions yet.", INSTALL)
    shown = [server for server in found if server.has]
    if state == "installed" and len(shown) == len(found):
        which = ", ".join(sorted({f"tmux {server.version}" for server in shown})) or "no server runs now"
        yield Check("tmux", "ok", f"tmux shows the sessions: {which}.")
