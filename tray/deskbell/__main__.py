"""Parse the command line and run one command, a module of `deskbell.commands`.

Only the module of the command that was typed is imported: the others would double the time of the start.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType

from deskbell import VERSION
from deskbell.errors import Misuse, Problem, reason
from deskbell.nearest import suggestion
from deskbell.terminal import out

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("run", "show the icon in the tray and ring when a session needs you"),
    "list": ("list", "list every session and what it does, the most urgent first"),
    "board": ("board", "show the sessions as a board of cards that follows every change"),
    "show": ("show", "show everything known about one session and what happened in it"),
    "jump": ("jump", "show the window, the tab and the pane of a session on your screen"),
    "resume": ("resume", "resume a session that is over, in its folder"),
    "reply": ("reply", "type the next prompt of a session whose turn is over"),
    "events": ("events", "print the event log of one session or of all, or follow it"),
    "why": ("why", "explain why Deskbell rang, or why it did not"),
    "answer": ("answer", "list the open requests of the sessions, or answer one"),
    "snooze": ("snooze", "hold back all notifications for a while"),
    "unsnooze": ("snooze", "end the snooze and allow notifications again"),
    "mute": ("mute", "stop notifications for a session, a project or a status"),
    "unmute": ("mute", "allow notifications again for a session, a project or a status"),
    "config": ("config", "show, edit or set what rings, when and how"),
    "notify-test": ("notify_test", "show a test notification and say who displayed it"),
    "install": ("install", "add the hooks to Claude Code's settings"),
    "uninstall": ("uninstall", "remove the hooks from Claude Code's settings"),
    "answers": ("answers", "set whether Claude Code can be answered from outside its terminal: on, off or status"),
    "statusline": ("statusline", "show each session, and who else waits, in Claude Code's statusline"),
    "status": ("status", "show whether the hooks are installed, per settings file"),
    "doctor": ("doctor", "check every part of Deskbell and say how to fix what is wrong"),
    "restore": ("restore", "list, compare or restore earlier versions of the settings"),
    "autostart": ("autostart", "start Deskbell at login: on, off or status"),
    "tmux": ("tmux", "show the sessions in tmux: install, uninstall, status or line"),
    "prune": ("prune", "delete what is stored about sessions that ended long ago"),
    "demo": ("demo", "play an eventful afternoon, without Claude Code"),
}
"""Command: its module in `deskbell.commands`, and its help line."""

ABOUT = """\
The bell on the desk for Claude Code: it knows what every session does,
and rings once when one needs you. Without a command it shows the sessions, and what to do next."""
EXAMPLES = """\
examples:
  deskbell                    show the sessions, and what to do next
  deskbell run                show the icon and ring
  deskbell list --watch       keep the list on the screen
  deskbell why                explain what rang and what did not
  deskbell COMMAND --help     explain one command
"""
WITHOUT_COMMAND = "overview"
"""The module of `deskbell` without a command."""
CODES = {
    0: "it worked",
    1: "something went wrong: one sentence on stderr says what",
    2: "the command line is wrong: an unknown command, option, name or time",
    3: "what you named was not found; of `status` and `tmux status`: not installed as it should be",
    130: "you pressed Ctrl+C",
}
"""Every exit code and its meaning. `docs/commands.md` says which command ends with which."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in ARGV and return its exit code. A person reads sentences, never a traceback."""
    out.prepare()
    if argv is None:  # this process is Deskbell's own
        from deskbell.terminal.warnings import print_warnings

        print_warnings()
        # The search for plugins reads the metadata of every package: https://docs.pydantic.dev/latest/concepts/plugins
        os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    arguments = list(sys.argv[1:] if argv is None else argv)
    verb = next((word for word in arguments if not word.startswith("-")), None)
    try:
        try:
            return _run(verb, arguments)
        finally:
            out.flush()
    except Problem as problem:
        out.complain(str(problem))
        return problem.code
    except BrokenPipeError:  # the reader has left
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        out.complain(f"{reason(error)}.")
    except BaseException as error:  # an unforeseen error or a cancellation: a person needs a sentence, not a traceback
        if isinstance(error, SystemExit) or os.environ.get("DESKBELL_DEBUG"):
            raise
        out.complain(_unexpected(error))
    return 1


def _run(verb: str | None, arguments: list[str]) -> int:
    if verb is not None and verb not in COMMANDS:
        step = suggestion(verb, COMMANDS, "`deskbell --help` lists the commands.")
        raise Misuse(f"{verb!r} is not a command. {step}")
    args, unknown = parser(verb, alone=arguments[:1] == [verb]).parse_known_args(arguments)
    if unknown:
        raise Misuse(_unknown(unknown[0], args))
    module = COMMANDS[args.verb][0] if args.verb else WITHOUT_COMMAND
    return int(import_module(f"deskbell.commands.{module}").run(args))


def _unexpected(error: BaseException) -> str:
    file, line = _place(error.__traceback__)
    where = f"{type(error).__name__} in {file}, line {line}: {error}"
    return f"{where.rstrip(': .')}. This is a mistake in Deskbell. Set DESKBELL_DEBUG=1 to see the traceback."


def _place(trace: TracebackType | None) -> tuple[str, int]:
    """Return the latest place in the program's own code that led to an error."""
    found = ("an unknown file", 0)
    while trace:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.is_relative_to(Path(__file__).parent):
            found = (file.name, trace.tb_lineno)
        trace = trace.tb_next
    return found


def _unknown(word: str, args: argparse.Namespace) -> str:
    """Return the sentence about a WORD that the command does not take."""
    command = f"deskbell {args.verb}" if args.verb else "deskbell"
    known = re.findall(r"--[a-z-]+", args.help_text())
    return f"`{command}` does not take {word!r}. {suggestion(word, known, f'`{command} --help` says what it takes.')}"


def _epilog() -> str:
    codes = "\n".join(f"  {code:<5}{meaning}" for code, meaning in CODES.items())
    return f"{EXAMPLES}\nexit codes:\n{codes}"


def parser(verb: str | None, alone: bool = False) -> argparse.ArgumentParser:
    """Return a parser that knows the options of VERB, and unless ALONE every other command by its help line.

    The other commands would take 2 ms at each start.
    """
    whole = out.Parser(prog="deskbell", description=ABOUT, epilog=_epilog())
    whole.set_defaults(help_text=whole.format_help)
    whole.add_argument("--version", action="version", version=f"deskbell {VERSION}")
    verbs = whole.add_subparsers(dest="verb", metavar="COMMAND", title="commands")
    for name, (module, help_text) in COMMANDS.items():
        if alone and name != verb:
            continue
        sub = verbs.add_parser(name, help=help_text)
        sub.set_defaults(help_text=sub.format_help)
        if name == verb:
            import_module(f"deskbell.commands.{module}").arguments(sub)
    return whole


if __name__ == "__main__":
    sys.exit(main())
