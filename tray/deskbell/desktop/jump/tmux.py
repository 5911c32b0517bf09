"""Show a pane of tmux in the client that was used last; the server's list of clients proves it.

The pane is the one whose process is above the session, wherever it has been moved. Reaches the panes of every server of
the person; for a popup, only its client.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from deskbell.desktop.focus import processes
from deskbell.desktop.jump.arrival import BY_HAND, Step
from deskbell.desktop.jump.desk import Desk, Inside
from deskbell.desktop.jump.output import output
from deskbell.desktop.jump.spot import Spot, spot
from deskbell.desktop.own import is_mine
from deskbell.errors import Problem

PANES = "pane #{pane_pid} #{pane_id} #{window_id} #{session_id} #{pane_active} #{window_zoomed_flag} #{session_name}"
CLIENTS = "client #{client_pid} #{client_activity} #{client_control_mode} #{session_id} #{pane_id} #{client_name}"


SCREENS = frozenset(("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE"))
"""Variables of a person who sits at this machine. Over ssh the client that they use there is the right one."""


@dataclass(frozen=True, slots=True)
class Pane:
    """A pane as the server lists it."""

    pid: int
    id: str
    window: str
    session: str
    active: bool
    zoomed: bool
    name: str
    """The name of its session."""

    @property
    def target(self) -> str:
        return f"{self.session}:{self.window}.{self.id}"


@dataclass(frozen=True, slots=True)
class Client:
    """A client as the server lists it."""

    pid: int
    used: int
    """When the person last typed in it."""
    session: str
    pane: str
    name: str


def inside(there: Spot, desk: Desk) -> Inside | None:
    """Return None for a process that no tmux has started. Raise Problem if its server does not answer."""
    server = server_of(there)
    if server is None:
        return None
    socket = socket_of(there, server)
    if socket is None:
        raise Problem("The session runs in a tmux whose socket is not known.", BY_HAND)
    if not is_mine(socket):
        raise Problem(f"The socket of tmux has gone or belongs to somebody else: {socket}.", BY_HAND)
    said = output("tmux", "-S", socket, "list-panes", "-a", "-F", PANES, ";", "list-clients", "-F", CLIENTS)
    if said is None:
        raise Problem(f"The tmux at {socket} does not say what it shows.", BY_HAND)
    panes, clients = parsed(said)
    pane = next((one for pid in there.below(server) for one in panes if one.pid == pid), None)
    copies = [one for one in panes if pane and one.id == pane.id]
    showing = [one for one in clients if one.pid not in there.line and not processes.is_stopped(one.pid)]
    far = {one.pid for one in showing if _is_far(one.pid)} if SCREENS & desk.env.keys() else set[int]()
    client = chosen(showing, {one.session for one in copies}, far)
    if pane is None and there.tty is None:  # the system takes the terminal from it with the pane
        return Inside(None, None, "It still runs, but its pane of tmux was closed.")
    if pane is None:
        return _popup(client)
    if client is None:
        where = f"tmux session {pane.name}, pane {pane.id}, to which nobody is attached"
        return Inside(None, None, f"It is in {where}.", attach(socket, pane))
    shown = next((one for one in copies if one.session == client.session), pane)
    step = Step(
        "pane",
        f"tmux pane {pane.id}",
        lambda: _show(socket, client, shown),
        lambda: _shown(socket, client.pid) == pane.id,
        lambda: f"pane {other}" if (other := _shown(socket, client.pid)) else "",
    )
    return Inside(step, spot(client.pid))


def parsed(said: str) -> tuple[list[Pane], list[Client]]:
    """Return the panes and the clients in the answer of tmux, without clients in control mode, which show nothing."""
    panes, clients = [], []
    for line in said.split("\n"):
        match line.split(" ", 7 if line.startswith("pane") else 6):
            case ["pane", pid, id_, window, session, active, zoomed, name]:
                panes.append(Pane(int(pid), id_, window, session, active == "1", zoomed == "1", name))
            case ["client", pid, used, "0" | "", session, pane, name]:
                clients.append(Client(int(pid), int(used), session, pane, name))
    return panes, clients


def chosen(clients: Sequence[Client], sessions: set[str], far: AbstractSet[int] = frozenset()) -> Client | None:
    """Return the client that was used last of those attached to SESSIONS, else of all.

    FAR: the processes of clients on other machines, which are chosen only where there is no other.
    """
    return max(clients, key=lambda one: (one.pid not in far, one.session in sessions, one.used), default=None)


def _is_far(pid: int) -> bool:
    """Return whether a client was attached from another machine, and so in no window here."""
    return any(processes.name(one).startswith(("sshd", "mosh-server")) for one in processes.line(pid))


def attach(socket: str, pane: Pane) -> tuple[str, ...]:
    """Return the command that shows the session of PANE in a new terminal."""
    return ("tmux", "-S", socket, "attach-session", "-t", pane.target)


def _popup(client: Client | None) -> Inside:
    outer = spot(client.pid) if client else None
    if outer is None:
        return Inside(None, None, "It is in a popup of a tmux to which nobody is attached.")
    return Inside(Step("pane", "the popup of tmux", lambda: None, lambda: None), outer)


def server_of(there: Spot) -> int | None:
    """Return the nearest server above THERE; None if there is none."""
    return next((pid for pid in there.line[1:] if processes.name(pid) in processes.TMUX_SERVERS), None)


def socket_of(there: Spot, server: int) -> str | None:
    """Return the socket at which SERVER listens.

    Where the system does not tell, take it from the variable TMUX of the processes below the server, the highest first:
    that one has it from the server itself. A client of another tmux in a pane has none, because tmux wants TMUX unset.
    """
    given = (processes.environment(pid).get("TMUX", "").rsplit(",", 2)[0] for pid in reversed(there.below(server)))
    said = (*processes.listens_at(server), *given)
    return next((socket for socket in said if socket.startswith("/") and Path(socket).name), None)


def _show(socket: str, client: Client, pane: Pane) -> None:
    # -Z: a zoomed window shows this pane, as large; tmux 3.1
    keeps = ["-Z"] if pane.zoomed else []
    commands = ["switch-client", *keeps, "-c", client.name, "-t", pane.target]
    if client.session != pane.session or client.pane != pane.id:
        commands += [";", "select-window", "-t", f"{pane.session}:{pane.window}"]
        if not pane.active:
            commands += [";", "select-pane", *keeps, "-t", pane.id]
        if output("tmux", "-S", socket, *commands) is None:
            raise Problem(f"tmux did not switch to pane {pane.id}.", BY_HAND)


def _shown(socket: str, client: int) -> str | None:
    said = output("tmux", "-S", socket, "list-clients", "-F", "#{client_pid} #{pane_id}") or ""
    return dict(line.split(" ", 1) for line in said.split("\n") if " " in line).get(str(client))
