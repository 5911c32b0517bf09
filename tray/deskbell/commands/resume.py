"""`deskbell resume`: resume a session that is over, in its folder."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from deskbell.commands import _held
from deskbell.commands._choice import chosen
from deskbell.commands._session import one_client
from deskbell.commands._shown import shown
from deskbell.commands._world import world
from deskbell.errors import Problem
from deskbell.history.past import past
from deskbell.home import claude_dir, home, own_home, with_tilde
from deskbell.session import Session
from deskbell.sessions.crashes import DAY
from deskbell.sessions.find import Found, Past, find
from deskbell.sessions.resumable import Resumable, current_folder, resumable
from deskbell.sessions.written import Written, glance, written
from deskbell.settings.claude_code import client_program
from deskbell.terminal.out import ask, complain, flush, say
from deskbell.terminal.resume import resume_arguments, resume_command, resume_environment
from deskbell.text.wording import short, short_id

NOTHING = "Nothing was resumed."
STEP = "Run `deskbell resume` to choose from those that are over."
MOST_READ = 1000
"""Transcripts whose titles are compared with the name that was typed: the newest ones."""
TITLE = 4 * 1024
"""Bytes at the beginning and at the end of a transcript that are read for its title."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="name the session by the start of its id, title or project")
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("-y", "--yes", action="store_true", help="resume it even if its folder is not certain")
    answer.add_argument("-n", "--no", action="store_true", help="resume it in the current folder")
    parser.add_argument("--fork", action="store_true", help="go on under a new id and keep the session as it is")
    parser.add_argument("--print", action="store_true", help="print the command and run nothing")
    _held.arguments(parser)


def run(args: argparse.Namespace) -> int:
    return _held.held(_run, args)


def _run(args: argparse.Namespace) -> int:
    there = world(ended_for=DAY)
    sessions = there.read(time.time())
    transcripts = written(there.config_dirs)
    if args.id is None:
        alive = {session.session_id for session in sessions if not session.over}
        picked = chosen([one for one in transcripts if one.session_id not in alive])
        if picked is None:
            say(NOTHING)
            return 1
        found = Found(picked, ())
    else:
        found = find(args.id, sessions, lambda: _past(args.id, transcripts), STEP)
    if (client := one_client(found)) and not client.over:
        return _go_to(client, args)
    transcript = next((one for one in transcripts if one.session_id == found.session_id), None)
    session = resumable(found.session_id, home().sessions, transcript, current_folder(), stays=args.no)
    return _print(session, args) if args.print else _resume(session, args)


def _past(said: str, transcripts: list[Written]) -> Iterator[Past]:
    """Yield every session that is over. Read the transcript of one that was never recorded only if necessary."""
    places = home()
    recorded = {one.session_id: one for one in past(places.sessions, places.events, lambda _: None)}
    yield from recorded.values()
    others = [one for one in transcripts if one.session_id not in recorded or not recorded[one.session_id].title]
    named = [one for one in others if one.session_id.casefold().startswith(said.strip().casefold())]
    for one in named or others[:MOST_READ]:
        seen = glance(one.path, TITLE)
        yield Past(one.session_id, Path(seen.first).name, seen.title or seen.prompt, one.at)


def _go_to(session: Session, args: argparse.Namespace) -> int:
    """Jump to a session that runs, because a second client would run it twice. With --print, raise Problem."""
    if args.print:
        from deskbell.program.clicks import running_there  # imported for this refusal only

        raise running_there(session)
    from deskbell.program.jumping import go_to  # imported here, because it imports every way to a window

    return shown(session, go_to(session, None, home()), f"{short(session.project, 40)} is still running.")


def _print(session: Resumable, args: argparse.Namespace) -> int:
    if session.doubt:
        complain(with_tilde(session.doubt))
    say(resume_command(session, claude_dir(), sys.platform == "win32", args.fork))
    return 0


def _resume(session: Resumable, args: argparse.Namespace) -> int:
    if session.doubt and not _agreed(session, args):
        say(NOTHING)
        return 1
    client = client_program()
    if client is None:
        raise Problem("Claude Code was not found.", "Install it, or add the folder of `claude` to your PATH.")
    env = _environment(session, client)
    try:
        os.chdir(session.cwd)
    except OSError as error:
        what = f"{with_tilde(session.cwd)} cannot be entered: {error.strerror}. {NOTHING}"
        raise Problem(what, "Make the folder yours, or add -n to resume it in the current folder.") from None
    return _become([str(client), *resume_arguments(session.session_id, args.fork)], env)


def _environment(session: Resumable, client: Path) -> dict[str, str]:
    """Return the environment for the client, with its folder on the PATH: npm puts the node that it needs there."""
    home_folder = own_home()
    env = resume_environment(os.environ, session.config_dir, claude_dir(), home_folder and home_folder / ".claude")
    path = env.get("PATH", os.defpath)
    if str(client.parent) not in path.split(os.pathsep):
        path = f"{client.parent}{os.pathsep}{path}"
    return env | {"PATH": path, "PWD": session.cwd}


if sys.platform == "win32":

    def _become(command: list[str], env: dict[str, str]) -> int:
        """Run COMMAND to its end, because Windows cannot replace a process by another."""
        flush()
        return subprocess.call(command, env=env)

else:

    def _become(command: list[str], env: dict[str, str]) -> NoReturn:
        """Replace this process by COMMAND."""
        flush()
        os.execve(command[0], command, env)


def _agreed(session: Resumable, args: argparse.Namespace) -> bool:
    folder = with_tilde(short(session.cwd, 200))
    complain(with_tilde(session.doubt))
    if args.yes:
        return True
    if not sys.stdin.isatty():
        raise Problem(
            f"Cannot ask without a terminal. {NOTHING}", f"Use -y to resume it from {folder}, -n to resume it here."
        )
    answer = ask(f"Resume {short_id(session.session_id)} from {folder}? [Y/n] ")
    return answer is not None and answer.strip().lower() in ("", "y", "yes")
