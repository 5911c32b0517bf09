"""`deskbell reply`: type the next prompt of a session whose turn is over, and say whether it arrived."""

import argparse
import sys

from deskbell.answers.reply import LONGEST, ready
from deskbell.commands._session import named_session, one_client
from deskbell.desktop.clipboard import Clipboard
from deskbell.errors import Misuse, Problem
from deskbell.home import home
from deskbell.program.boundary import Boundary
from deskbell.program.replying import Replied, refuse_off, reply
from deskbell.session import Session
from deskbell.terminal.out import complain, say, say_json
from deskbell.text.wording import short_id

STDIN = "-"
MOST_BYTES = 8 * LONGEST
"""Bytes that are read from stdin: more than the longest reply."""

EXAMPLES = """\
examples:
  deskbell reply api "run the tests again"  send one line to the session of a project
  deskbell reply 3f2a9c10 - < notes.txt     send what a file holds
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("id", help="name the session by the start of its id, title or project")
    parser.add_argument("text", metavar="TEXT", help="give the text, or - to read it from stdin")
    parser.add_argument("--json", action="store_true", help="print a JSON object, as docs/json.md describes it")


def run(args: argparse.Namespace) -> int:
    refuse_off(home())
    text = _text(args.text)
    ready(text)
    session = _named(args.id)
    came = _sent(session, text)
    if args.json:
        say_json(_fields(session, came))
    else:
        (say if came.delivered else complain)(came.sentence)
    return 0 if came.delivered else 1


def _text(said: str) -> str:
    if said != STDIN:
        return said
    if sys.stdin.isatty():
        raise Misuse("There is nothing on stdin.", 'Name the text: `deskbell reply ID "text"`.')
    return sys.stdin.buffer.read(MOST_BYTES).decode(errors="replace")


def _named(said: str) -> Session:
    """Return the client of the session that SAID names; one that is over if none runs.

    Raise Problem if several clients run it, or if it has left the board.
    """
    found = named_session(said)
    if client := one_client(found):
        return client
    name = short_id(found.session_id)
    raise Problem(f"Session {name} has ended.", f"Run `deskbell resume {name}` to go on with it.")


def _sent(session: Session, text: str) -> Replied:
    board = Clipboard(Boundary())

    def copy(lost: str) -> str:
        """Put the text on the clipboard. On X11 it stays after this process only if a clipboard manager takes it."""
        unsure = board.copy(lost, lines=True)
        if not board.close():
            raise Problem("No clipboard manager keeps it once this command has ended.", "Copy it from your terminal.")
        return unsure

    return reply(session, text, home(), copy)


def _fields(session: Session, came: Replied) -> dict[str, object]:
    return {
        "version": 1,
        "session_id": session.session_id,
        "pid": session.pid,
        "delivered": came.delivered,
        "sentence": came.sentence,
        "where": came.what or None,
        "seconds": came.seconds,
        "clipboard": came.kept,
    }
