"""Write the text of the file that tmux reads: our formats, references to them in the person's formats, and keys. Pure.

Each of our formats is the value of an option of ours, and the person's formats get a reference to that option. A format
that already has the reference stays as it is: the file may be read again, or the person may have put the reference
elsewhere. It uses only features of tmux 3.0; popups, which came with 3.2, are under a condition.
"""

import re
from dataclasses import dataclass

from deskbell.errors import Problem
from deskbell_hooks.panes import DETAIL, ENDED, OURS, SESSION, SHOWN, STATUS, quoted

VERSION = 1
PANE, WINDOW, LINE = "@deskbell_pane", "@deskbell_window", "@deskbell_line"
ASKED = "-permission-question-input-plan-"
"""The statuses of a blocked session."""
PLACES = (
    ("-g", "status-right", LINE, "before"),
    ("-gw", "pane-border-format", PANE, "before"),
    ("-gw", "window-status-format", WINDOW, "after"),
    ("-gw", "window-status-current-format", WINDOW, "after"),
)
"""For each option of the person that gets a reference: its flags, its name, our option, and where to put it."""
WERE = (
    ("-gw", "pane-border-status", "@deskbell_was_border", "top"),
    ("-g", "status-interval", "@deskbell_was_interval", "5"),
    ("-g", "status-right-length", "@deskbell_was_length", "100"),
)
"""For each option of the person that is set: its flags, its name, our option with the old value, and the new value."""
BLOCKED, TURN = "#[fg=white]#[bg=red]#[bold]", "#[fg=black]#[bg=yellow]"
"""Styles with a background, readable on any colour. Each part has its own brackets: a comma would end a condition."""
GONE = "Deskbell is gone from this machine: delete the line of tmux.conf that names deskbell.conf."
JUMP_KEY, BOARD_KEY = "u", "b"
NO_KEY = "none"

_PLAIN = re.compile(r"[\w@+=:./ ~-]+")
_KEY = re.compile(r"((C-|M-|S-){0,3}([!-~]|[A-Z][A-Za-z0-9]{1,10}))")
_ODD_KEYS = frozenset("'\"\\;#{}$~")


@dataclass(frozen=True, slots=True)
class Wish:
    """What goes into the file."""

    deskbell: tuple[str, ...]
    """The command that starts Deskbell, with the environment that it needs."""
    line: tuple[str, ...]
    """The command that prints Deskbell's part of the status line."""
    jump_key: str = JUMP_KEY
    board_key: str = BOARD_KEY


def reference(option: str) -> str:
    return f"#{{E:{option}}}"


def mark(word: str) -> str:
    """Return the mark of a stopped session, in a colour that says how urgent it is."""
    asked = f"#{{m:*-#{{{OURS}}}-*,{ASKED}}}"
    return f"#{{?{asked},{BLOCKED},{TURN}}}{word}#[default]"


def pane_format() -> str:
    """Return the format in the border of a pane: the mark of its session, the short id, and what the session does."""
    waits = f"#{{?#{{==:#{{{OURS}}},new}},[·],{mark('[⏸]')}}}"
    known = f"#{{?#{{==:#{{{STATUS}}},stopped}},{waits},[?]}}"
    now = f"#{{?#{{==:#{{{STATUS}}},running}},#[fg=green][▶]#[default],{known}}}"
    living = f"{now} #{{=8:{SESSION}}}#{{?{DETAIL}, #{{{SHOWN}}},}} "
    return f" #{{?{SESSION},{living},#{{?{ENDED},[■] #{{=8:{ENDED}}} ,}}}}"


def window_format() -> str:
    """Return the format after the name of a window: a mark if a session in one of its panes waits."""
    states, statuses = f"#{{P:-#{{{OURS}}}-}}", f"#{{P:-#{{?#{{==:#{{{OURS}}},new}},,#{{{STATUS}}}}}-}}"
    asks = f"#{{m/r:-(permission|question|input|plan)-,{states}}}"
    colour = f"#{{?{asks},{BLOCKED},{TURN}}}"
    return f"#{{?#{{m:*-stopped-*,{statuses}}},#{{?window_flags, ,}}{colour}(⏸)#[default],}}"


def line_format(command: tuple[str, ...]) -> str:
    return f"#({_shell(command)} #{{client_width}})"


def text(wish: Wish) -> str:
    """Return the content of the file. Raise Problem for a path that a format of tmux cannot hold."""
    jump = f"{_shell((*wish.deskbell, 'jump', '--next'))} >/dev/null 2>&1"
    nobody = "tmux display-message 'Deskbell: no session needs you, or it cannot be shown.'"
    jump += f" || {_gone(f'tmux display-message {quoted(GONE)}', nobody)}"
    board = f"{_shell((*wish.deskbell, 'board', '--popup'))} || {_gone(f'echo {quoted(GONE)}; read -r _')}"
    formats = {PANE: pane_format(), WINDOW: window_format(), LINE: line_format(wish.line)}
    lines = [
        f"# Written by `deskbell tmux install` (version {VERSION}), removed by `deskbell tmux uninstall`.",
        "# To have one of the three elsewhere, put it into a format of your own before this file is read:",
        f"# {reference(PANE)} {reference(WINDOW)} {reference(LINE)}",
        *(f"set-option -g {name} {quoted(value)}" for name, value in formats.items()),
        *(_placed(*place) for place in PLACES),
        *_set_for(),
        *_bound(wish.jump_key, f"{wish.jump_key} run-shell -b {quoted(jump)}"),
        *_board_bound(wish.board_key, board),
    ]
    return "\n".join(lines) + "\n"


def _gone(then: str, otherwise: str = ":") -> str:
    """Return the part of a shell command that runs THEN if the command before it does not exist, else OTHERWISE."""
    return f"case $? in 126|127) {then};; *) {otherwise};; esac"


def _placed(flags: str, option: str, ours: str, where: str) -> str:
    new = f"#{reference(ours)}#{{{option}}}" if where == "before" else f"#{{{option}}}#{reference(ours)}"
    command = f'set-option {flags}F {option} "{new}"'
    return f"if-shell -F '#{{m:*{ours}*,#{{{option}}}}}' '' {quoted(command)}"


def _set_for() -> list[str]:
    """Return the commands that set what our formats need, and that remember the old values."""
    conditions = (
        "#{==:#{pane-border-status},off}",
        "#{==:#{status-interval},15}",
        "#{||:#{m:[0-9],#{status-right-length}},#{m:[0-9][0-9],#{status-right-length}}}",
    )
    found = []
    for condition, (flags, option, was, becomes) in zip(conditions, WERE, strict=True):
        commands = f'set-option -gF {was} "#{{{option}}}" ; set-option {flags} {option} {becomes}'
        found.append(f"if-shell -F {quoted(condition)} {quoted(commands)}")
    return found


def _bound(key: str, command: str) -> list[str]:
    return [] if key == NO_KEY else [f"bind-key {command}"]


def _board_bound(key: str, board: str) -> list[str]:
    if key == NO_KEY:
        return []
    popup = f"bind-key {key} display-popup -E -w 90% -h 85% {quoted(board)}"
    window = f"bind-key {key} new-window -n deskbell {quoted(board)}"
    return ['%if "#{>=:#{version},3.2}"', popup, "%else", window, "%endif"]


def bound_keys(content: str) -> list[str]:
    """Return the keys that the content of the file binds."""
    bound = (line.split() for line in content.splitlines() if line.startswith("bind-key "))
    return list(dict.fromkeys(words[1] for words in bound))


def checked_key(key: str) -> str:
    """Return KEY if tmux knows it as a key, or if it is "none". Raise Problem otherwise."""
    if key == NO_KEY or (_KEY.fullmatch(key) and key[-1] not in _ODD_KEYS):
        return key
    raise Problem(f"{key!r} is not a key that can be bound.", "Name it as tmux does: u, C-u, M-u, F5; or none.")


def _shell(words: tuple[str, ...]) -> str:
    """Return WORDS as a command for a shell that tmux starts. Raise Problem for signs that tmux would expand."""
    for word in words:
        if not _PLAIN.fullmatch(word):
            raise Problem(f"tmux would expand signs in the path {word}.", "Move the program to a path without them.")
    return " ".join(f"'{word}'" if " " in word or "~" in word else word for word in words)
