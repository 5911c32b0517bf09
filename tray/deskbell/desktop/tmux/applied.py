"""Put Deskbell's formats and keys into a running tmux server, remove them, and tell whether a server has them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deskbell.desktop.tmux.server import OLDEST, ask, is_new_enough, version
from deskbell.errors import Problem
from deskbell_hooks.panes import NAMES, OWNER, STAMP

ESCAPES = "3.4"
"""The version that prints a backslash before what looks like a variable, even in the value of an option."""
_VARIABLE = re.compile(r"\\(?=\$[A-Za-z_{])")

Ask = Callable[..., str | None]
Place = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Server:
    """The state of a server that listens."""

    socket: str
    version: str
    has: bool
    """Whether it has the formats of this Deskbell."""
    problem: str = ""


def examined(socket: str, option: str, state: str, ask: Ask = ask) -> Server | None:
    """Return the state of a server; None if none listens at SOCKET. OPTION holds the state folder of its Deskbell.

    STATE: the state folder of this Deskbell.
    """
    try:
        named = version(socket)
        if named is None:
            return None
        if not is_new_enough(named):
            oldest = ".".join(map(str, OLDEST))
            return Server(socket, named, False, f"tmux {named} is too old: options of panes need {oldest}.")
        return Server(socket, named, state in (ask(socket, "show-options", "-gqv", option) or ""))
    except Problem as problem:
        return Server(socket, "", False, problem.what)


def apply(socket: str, include: str, ask: Ask = ask) -> None:
    """Make the server read the file INCLUDE. Raise Problem if the server refuses it."""
    if ask(socket, "source-file", include) is None:
        raise Problem(f"tmux at {socket} refused {include}.", "Run `tmux source-file` with it to see why.")


def bound_otherwise(socket: str, key: str, ask: Ask = ask) -> bool:
    """Return whether KEY, after the prefix, does something else. Raise Problem if the server does not answer."""
    binding = _binding(ask, socket, key)
    return bool(binding) and "deskbell" not in binding


def remove(socket: str, places: Sequence[Place], were: Sequence[Place], keys: Sequence[str], ask: Ask = ask) -> None:
    """Remove Deskbell's formats and keys from a server. Keep what the person has changed since.

    PLACES: the options that Deskbell adds to. WERE: the options that it replaces, and where it kept their values.
    """
    escapes = version(socket) == ESCAPES
    for flags, option, ours, _ in places:
        reference = f"#{{E:{ours}}}"
        value = unescaped(_shown(ask, socket, flags, option), escapes)
        if reference in value:
            ask(socket, "set-option", flags, option, value.replace(reference, ""))
    for flags, option, was, became in were:
        before = _shown(ask, socket, "-g", was)
        if before and _shown(ask, socket, flags, option) == became:
            ask(socket, "set-option", flags, option, before)
    for option in _ours(ask(socket, "show-options", "-g") or ""):
        ask(socket, "set-option", "-gqu", option)
    for key in keys:
        if "deskbell" in _binding(ask, socket, key):
            ask(socket, "unbind-key", "-T", "prefix", key)


def remove_marks(socket: str, owner: str, ask: Ask = ask) -> None:
    """Remove from every pane of a server the options that the Deskbell OWNER has written, and no others."""
    for line in (ask(socket, "list-panes", "-a", "-F", f"#{{pane_id}} #{{{OWNER}}}") or "").split("\n"):
        pane, _, wrote = line.partition(" ")
        if wrote == owner:
            words = [word for name in (*NAMES, STAMP) for word in (";", "set-option", "-pqut", pane, name)]
            ask(socket, *words[1:])


def unescaped(said: str, escapes: bool) -> str:
    """Return the value that tmux SAID, without the backslashes that the version ESCAPES adds."""
    return _VARIABLE.sub("", said) if escapes else said


def _shown(ask: Ask, socket: str, flags: str, option: str) -> str:
    return (ask(socket, "show-options", f"{flags}qv", option) or "").rstrip("\n")


def _binding(ask: Ask, socket: str, key: str) -> str:
    for line in (ask(socket, "list-keys", "-T", "prefix") or "").split("\n"):
        _, _, bound = line.partition(" prefix ")
        if bound.split()[:1] == [key]:
            return line
    return ""


def _ours(said: str) -> list[str]:
    return [line.split(" ", 1)[0] for line in said.split("\n") if line.startswith("@deskbell_")]
