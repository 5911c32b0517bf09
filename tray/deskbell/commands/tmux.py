"""`deskbell tmux install|uninstall|status|line`: show the sessions in the panes, windows and status line of tmux."""

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import suppress

from deskbell.board import board
from deskbell.commands._world import world
from deskbell.desktop.autostart import program
from deskbell.desktop.tmux.applied import Server, apply, bound_otherwise, examined, remove, remove_marks
from deskbell.desktop.tmux.panes import Panes
from deskbell.desktop.tmux.server import is_usable, sockets
from deskbell.errors import Misuse, NotFound, Problem
from deskbell.home import expanded, home, with_tilde
from deskbell.program.boundary import Boundary
from deskbell.settings import tmux_files
from deskbell.settings.interpreter import stable_interpreter
from deskbell.settings.tmux_files import Files
from deskbell.settings.tmux_include import BOARD_KEY, JUMP_KEY, LINE, NO_KEY, PLACES, WERE, checked_key
from deskbell.terminal.out import is_terminal, one_of, say
from deskbell_hooks.panes import owner, socket_of

WISHES = ("install", "uninstall", "status", "line")
ONLY_INSTALL = ("jump_key", "board_key", "no_conf")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "wish",
        metavar="{install,uninstall,status,line}",
        type=one_of(WISHES),
        help="add the marks and keys, remove them, show what is installed, or print the line",
    )
    parser.add_argument("--jump-key", metavar="KEY", help="set the key that jumps, or none (default: u)")
    parser.add_argument("--board-key", metavar="KEY", help="set the key that opens the board, or none (default: b)")
    parser.add_argument(
        "--no-conf", action="store_true", help="change nothing in tmux.conf: a plugin manager reads the file"
    )


def run(args: argparse.Namespace) -> int:
    if args.wish != "install" and any(getattr(args, name) for name in ONLY_INSTALL):
        raise Misuse("Only `deskbell tmux install` takes --jump-key, --board-key and --no-conf.", "Leave them out.")
    places = tmux_files.files(home())
    return {"install": _install, "uninstall": _uninstall, "status": _status, "line": _line}[args.wish](places, args)


def _install(places: Files, args: argparse.Namespace) -> int:
    before, after = tmux_files.with_line(places) if not args.no_conf else (None, None)
    found = list(_sockets())
    servers = [one for socket in found if (one := _examined(socket, places))]
    usable = [one.socket for one in servers if not one.problem]
    notes: list[str] = []
    keys = (_key(args.jump_key, JUMP_KEY, usable, notes), _key(args.board_key, BOARD_KEY, usable, notes))
    was = tmux_files.state(places)
    changed = tmux_files.install(places, stable_interpreter(), _command(), keys)
    try:
        tmux_files.put(places.conf, before, after)
    except Problem:
        if was == "missing":
            with suppress(Problem):
                tmux_files.uninstall(places)
        raise
    what = "Installed into tmux" if changed or before != after else "Already installed in tmux"
    say(f"{what}: {with_tilde(str(places.include))}.")
    if not args.no_conf:
        say(f"The last line of {with_tilde(str(places.conf))} makes tmux read that file.")
    say(*notes, *_key_lines(keys), *(_applied(one, places) for one in servers))
    _mark(places)
    return 0


def _mark(places: Files) -> None:
    """Show the sessions that run already. Without the icon, each would be shown only after its next event."""
    now = time.time()
    running = board(world().read(now), now).sessions
    Panes(places.home.state, Boundary()).write([one for one in running if not one.over])


def _key(asked: str | None, usual: str, sockets: list[str], notes: list[str]) -> str:
    """Return the key to bind: ASKED, or the USUAL one if it does nothing else yet. If it does, add a note to NOTES."""
    if asked is not None:
        return checked_key(asked)
    for socket in sockets:
        if bound_otherwise(socket, usual):
            name = "jump" if usual == JUMP_KEY else "board"
            taken = f"The key {usual} does something else in your tmux and was left alone."
            notes.append(f"{taken} Choose another with --{name}-key.")
            return NO_KEY
    return usual


def _key_lines(keys: tuple[str, str]) -> Iterator[str]:
    jump, board = keys
    if jump != NO_KEY:
        yield f"prefix {jump}: go to the session that needs you most. Press both again for the next one."
    if board != NO_KEY:
        yield f"prefix {board}: open the board."


def _applied(server: Server, places: Files) -> str:
    if server.problem:
        return f"! {server.socket}: {server.problem}"
    try:
        apply(server.socket, str(places.include))
    except Problem as problem:
        return f"! {server.socket}: {problem}"
    return f"✓ {server.socket}: tmux {server.version} shows the sessions."


def _uninstall(places: Files, args: argparse.Namespace) -> int:
    before, after = tmux_files.without_line(places)
    keys, mine = tmux_files.keys(places), _owner(places)
    tmux_files.put(places.conf, before, after)
    there = tmux_files.uninstall(places)
    say("Removed from tmux." if there or before != after else "Nothing was installed in tmux.")
    for socket in _sockets():
        try:
            server = _examined(socket, places)
            if server and not server.problem:
                remove_marks(socket, mine)
            if server and server.has:
                remove(socket, PLACES, WERE, keys)
                say(f"✓ {socket}: restored.")
        except Problem as problem:
            say(f"! {socket}: {problem}")
    return 0


def _examined(socket: str, places: Files) -> Server | None:
    return examined(socket, LINE, str(places.home.state))


def _owner(places: Files) -> str:
    """Return the word by which this Deskbell marks the panes that it writes to."""
    try:
        return owner(places.home.state.stat())
    except OSError:  # without a state folder it has written to none
        return "none"


def _status(places: Files, args: argparse.Namespace) -> int:
    state = tmux_files.state(places)
    say(f"{'✓' if state == 'installed' else '-' if state == 'missing' else '!'} {tmux_files.SAYS[state]}")
    if state != "missing":
        has_line = tmux_files.has_line(places.conf)
        line = "makes tmux read that file" if has_line else "does not name that file: a plugin manager reads it"
        say(f"  tmux reads {with_tilde(str(places.include))}.", f"  {with_tilde(str(places.conf))} {line}.")
    say(*(_server_line(server) for socket in _sockets() if (server := _examined(socket, places))))
    return 0 if state == "installed" else NotFound.code


def _server_line(server: Server) -> str:
    if server.problem:
        return f"! {server.socket}: {server.problem}"
    sign, words = ("✓", "shows the sessions") if server.has else ("-", "does not show the sessions")
    return f"{sign} {server.socket}: tmux {server.version} {words}."


def _line(places: Files, args: argparse.Namespace) -> int:
    """Print words to a terminal, and a part of a tmux format to anything else. tmux itself starts the hook's code."""
    from deskbell_hooks import tmuxline
    from deskbell_hooks.others import others

    if not is_terminal():
        tmuxline.main(str(places.home.state))
    if words := tmuxline.line(others(str(places.home.state), "", time.time())):
        say(words)
    return 0


def _command() -> tuple[str, ...]:
    """Return the command that starts this Deskbell from tmux, which may have another environment."""
    moved = os.environ.get("DESKBELL_HOME")
    return (*(("env", f"DESKBELL_HOME={expanded(moved).absolute()}") if moved else ()), *program())


def _sockets() -> Iterator[str]:
    """Yield the sockets of the person's servers: those in the usual folder, and those in which a session runs."""
    named = (socket_of(session.place.handle("TMUX") or "") for session in world().read(time.time()))
    yield from dict.fromkeys([*sockets(), *(socket for socket in named if socket and is_usable(socket))])
