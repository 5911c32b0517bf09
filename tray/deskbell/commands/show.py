"""`deskbell show`: print all that is known about one session, its present state and its history."""

import argparse
import sys
import time
from dataclasses import asdict, replace

from deskbell.cards.request import asked_of, request_rows
from deskbell.commands._requests import with_requests
from deskbell.commands._session import named_session
from deskbell.history.page import DECISIONS, page
from deskbell.history.summary import Summary
from deskbell.history.whole import summary_of, with_asked, with_sums
from deskbell.home import claude_dir, home
from deskbell.session import Session
from deskbell.sessions.contract import VERSION, as_json
from deskbell.sessions.find import Found
from deskbell.terminal.console import console
from deskbell.terminal.lines import print_lines
from deskbell.terminal.out import columns, say_json
from deskbell.terminal.resume import resumption
from deskbell.text.rows import Span
from deskbell.text.table import ENDLESS
from deskbell.text.wording import short_id, without_secrets_inside

TEXTS = frozenset(("title", "prompts", "agents", "errors", "notifications", "timeline"))
"""The fields of the history in which an older version may have recorded secrets."""

EXAMPLES = """\
examples:
  deskbell show api                               name the session by its project
  deskbell show 3f2a9c10                          name it by the start of its id
  deskbell show api --json | jq '.history.tools'  print the tools that it used
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("id", help="name the session by the start of its id, title or project")
    parser.add_argument("--json", action="store_true", help="print a JSON object, as docs/json.md describes it")


def run(args: argparse.Namespace) -> int:
    found = named_session(args.id)
    summary = summary_of(home(), found.session_id)
    summary = replace(summary, active=any(not session.over for session in found.sessions))
    found = found._replace(sessions=tuple(with_sums(session) for session in found.sessions))
    if args.json:
        say_json(document(found, summary), indent=2)
    else:
        over = next((session for session in found.sessions if session.over), None)
        resume = resumption(over, claude_dir(), sys.platform == "win32") if over else None
        from deskbell.notices.decisions import sentences  # imported here, because --json shows none

        why = sentences(home().state, found.session_id, DECISIONS)
        shown = [with_asked(session) for session in found.sessions]
        asking = with_requests(home().state, shown)
        for session in asking:
            _print_request(session)
        console().print(page(found.session_id, asking, summary, time.time(), resume, why))
    return 0


def _print_request(session: Session) -> None:
    """Print what SESSION asks, whole, and how to answer it; nothing if no request of it is known."""
    if not (asked := asked_of(session)):
        return
    shown = request_rows(asked, columns() or ENDLESS)
    answers = asked.asking.where(all(row.is_exact for row in shown))
    choices = [(Span(f"  {one.id:14} ", "bold"), Span(one.label)) for one in answers.choices]
    why = f"{answers.why_not} " if answers.unread else ""
    how = (Span(f"  {why}Answer it with `deskbell answer {short_id(session.session_id)} CHOICE`.", "dim"),)
    print_lines([*(row.line for row in shown), (), *choices, *([how, ()] if asked.asking.choices else [])])


def document(found: Found, summary: Summary) -> dict[str, object]:
    sessions = [as_json(session) for session in found.sessions]
    history = asdict(summary)
    history |= {name: without_secrets_inside(history[name]) for name in TEXTS}
    return {"version": VERSION, "session_id": found.session_id, "sessions": sessions, "history": history}
