"""`deskbell answer`: list the requests that can be answered from outside of their terminals, and answer one."""

import argparse
from collections.abc import Sequence
from typing import Any

from deskbell.answers.call import answer, requests, sentence
from deskbell.commands._session import named_session
from deskbell.errors import Misuse, NotFound, Problem
from deskbell.home import home
from deskbell.nearest import suggestion
from deskbell.terminal.out import say, say_json
from deskbell.text.wording import short, short_id

EXAMPLES = """\
examples:
  deskbell answer                       list what can be answered
  deskbell answer web                   show one request in full, with its choices
  deskbell answer web allow             allow what it asks
  deskbell answer web deny --reason "Use the staging server."
  deskbell answer web "Dark blue"       choose an option of a question
"""
CONFIRM = "Add --confirm if you are sure."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("id", nargs="?", help="name the session by the start of its id, title or project")
    parser.add_argument(
        "choice", nargs="?", metavar="CHOICE", help="choose allow, deny, approve, keep or the label of an option"
    )
    parser.add_argument(
        "--reason", metavar="TEXT", help="give Claude the reason, or answer a question in your own words"
    )
    confirm = "allow at once what would ask a second time, such as a dangerous command"
    parser.add_argument("--confirm", action="store_true", help=confirm)
    parser.add_argument("--json", action="store_true", help="print a JSON object, as docs/json.md describes it")


def run(args: argparse.Namespace) -> int:
    here = home()
    found = requests(here.state)
    if args.id is None:
        return _list(found, args.json)
    request = _of(args.id, found)
    if args.choice is None and args.reason is None:
        return _show(request, args.json)
    choice = _choice(args.choice, args.reason, request)
    result = answer(here.state, request["code"], choice, args.reason, args.confirm)
    return _report(result, request, args.json)


def _of(said: str, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    named = named_session(said)
    for request in found:
        if request["session_id"] == named.session_id:
            return request
    name = short_id(named.session_id)
    step = f"Run `deskbell jump {name}` to answer it in its terminal." if named.sessions else ""
    raise NotFound(f"Session {name} asks nothing that can be answered from here.", step)


def _choice(said: str | None, reason: str | None, request: dict[str, Any]) -> str:
    """Return the id of the choice that SAID names by its id or label. A reason alone is an answer in own words."""
    choices = request["choices"]
    if said is None:
        said = "say"
    folded = said.strip().casefold()
    for one in choices:
        if folded in (one["id"], one["label"].rstrip("…").casefold()):
            return str(one["id"])
    known = [str(one["label"]).rstrip("…") if one["id"].startswith("option") else str(one["id"]) for one in choices]
    why = f" {request['why_not']}" if request["why_not"] else ""
    step = suggestion(said, known, f"Choose: {', '.join(known)}.")
    raise Misuse(f"{short(said, 60)!r} is not a choice of this request.{why}", step)


def _report(result: dict[str, Any], request: dict[str, Any], as_json: bool) -> int:
    done, said = result.get("done") is True, sentence(result)
    if as_json:
        say_json({"version": 1, "done": done, "said": said})
    elif done:
        say(said)
    else:
        raise Problem(said, _step(result, said, short_id(request["session_id"])))
    return 0 if done else 1


def _step(result: dict[str, Any], said: str, name: str) -> str:
    """Return what to do next if the answer has another step; empty if it has none."""
    if said.startswith("Sure?"):
        return CONFIRM
    return f"Run `deskbell answer {name}` to see its choices." if result.get("next") else ""


def _list(found: Sequence[dict[str, Any]], as_json: bool) -> int:
    if as_json:
        say_json({"version": 1, "requests": found})
    elif not found:
        say("No request is open that can be answered from here.")
    for one in [] if as_json else found:
        say(f"{short_id(one['session_id'])}  {short(one['asks'], 100)}  ({', '.join(_ids(one))})")
    return 0


def _show(request: dict[str, Any], as_json: bool) -> int:
    if as_json:
        say_json({"version": 1, **request})
        return 0
    for line in request["whole"] or [request["asks"]]:
        say(line)
    for one in request["choices"]:
        say(f"  {one['id']:14} {one['label']}")
    if request["why_not"]:
        say(request["why_not"])
    return 0


def _ids(request: dict[str, Any]) -> list[str]:
    return [str(one["id"]) for one in request["choices"] if not one["takes_text"]]
