"""`deskbell answer`: list the requests that can be answered from outside of their terminals, and answer one."""

import argparse
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from deskbell.answers.call import answer, requests, sentence, shown
from deskbell.commands._session import named_session, one_client
from deskbell.commands._world import world
from deskbell.errors import Misuse, NotFound, Problem
from deskbell.home import home
from deskbell.nearest import suggestion
from deskbell.sessions.find import apart
from deskbell.terminal.out import ask, complain, is_terminal, say, say_json
from deskbell.text.wording import short, short_id

EXAMPLES = """\
examples:
  deskbell answer                       list what can be answered
  deskbell answer web                   show one request whole, with its choices
  deskbell answer web allow             allow what it asks, once it was shown
  deskbell answer web deny --reason "Use the staging server."
  deskbell answer web "Dark blue"       choose an option of a question
"""
CONFIRM = "Add --confirm if you are sure."
AGAIN = "Read it above, and run the command again if that is what you want."
ELSEWHERE = "What a subagent asks, and what was open before answers were switched on, is answered in its terminal."
LISTED = 6
"""Lines of a request that the list shows whole."""
SUBJECT, ASKS = 100, 400
"""Characters of a request in one line: in the list, and where it cannot be shown whole."""
HEADS = {"plan": "Plan", "question": "Question"}
"""What stands above a request that is no call of a tool, which has the name of the tool there."""
ALLOW, SURE, SAY = "allow", "allow-sure", "say"
CALLED = {"next": "send"}
"""What a person types for a choice that is not called by its id."""


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
    found = requests(home().state)
    if args.id is None:
        return _list(found, args.json)
    request = _of(args.id, found)
    if args.choice is None and args.reason is None:
        return _show(request, args.json)
    return _answer(request, _choice(args, request), args)


def _of(said: str, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the request of the session that SAID names. Raise Misuse if several of its clients run."""
    named = named_session(said)
    client = one_client(named)
    for request in found if client else ():
        if client and (request["session_id"], request["pid"]) == client.key:
            return request
    name = short_id(named.session_id)
    if client is None or not client.blocked:
        raise NotFound(f"Session {name} asks nothing now.", "Run `deskbell answer` to list what is asked.")
    step = f"Run `deskbell jump {name}` to answer it in its terminal."
    raise NotFound(f"What session {name} asks cannot be answered from here. {ELSEWHERE}", step)


def _choice(args: argparse.Namespace, request: dict[str, Any]) -> dict[str, Any]:
    """Return the choice that the command line names by its id or label. A reason alone is an answer in own words."""
    said = SAY if args.choice is None else args.choice
    named = [one for one in request["choices"] if said.strip().casefold() in _names(one)]
    if not named and _asks_again(said, request):
        if not args.confirm:
            raise Problem(request["why_not"], CONFIRM)
        named = [one for one in request["choices"] if one["id"] == SURE]
    if len(named) == 1:
        return dict(named[0])
    known = [_called(one) for one in request["choices"] if not one["takes_text"]]
    if named:
        raise Misuse(f"{short(said, 60)!r} names two choices of this request.", "Choose in the terminal.")
    why = f" {request['why_not']}" if request["why_not"] else ""
    step = suggestion(said, known, f"Choose: {', '.join(known)}.")
    raise Misuse(f"{short(said, 60)!r} is not a choice of this request.{why}", step)


def _asks_again(said: str, request: dict[str, Any]) -> bool:
    """Return whether SAID is the first step of a request that waits for its second."""
    return said.strip().casefold() == ALLOW and any(one["id"] == SURE for one in request["choices"])


def _names(choice: dict[str, Any]) -> set[str]:
    return {name.casefold() for name in (choice["id"], _called(choice), choice["label"].rstrip("…"), choice["label"])}


def _called(choice: dict[str, Any]) -> str:
    """Return what a person types for CHOICE: an option by its label, anything else by its id."""
    if choice["id"].startswith("option:"):
        return str(choice["label"]).removeprefix("✓ ")
    return CALLED.get(choice["id"], str(choice["id"]))


def _answer(request: dict[str, Any], choice: dict[str, Any], args: argparse.Namespace) -> int:
    state = home().state
    result = answer(state, request["code"], choice["id"], args.reason, args.confirm, request["view"])
    if not result.get("unshown"):
        return _report(result, request, args.json)
    if args.json:
        shown(state, [request["view"]])
        say_json({"version": 1, "done": False, "said": f"{sentence(result)} {AGAIN}", "request": request})
        return 1
    if (now := _step(request["code"])) and now["view"] != request["view"]:
        _show(now, False)
        raise Problem(sentence(result), AGAIN)
    _show(request, False)
    if not _is_asked():
        raise Problem(sentence(result), AGAIN)
    if (ask(f"{choice['label'].rstrip('…')}? [y/N] ") or "").strip().lower() not in ("y", "yes"):
        complain("Nothing was answered.")
        return 1
    again = answer(state, request["code"], choice["id"], args.reason, args.confirm, request["view"])
    return _report(again, request, False)


def _is_asked() -> bool:
    """Return whether a person at a terminal can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and is_terminal()


def _report(result: dict[str, Any], request: dict[str, Any], as_json: bool) -> int:
    done, said = result.get("done") is True, sentence(result)
    if as_json:
        say_json({"version": 1, "done": done, "said": said})
    elif done:
        say(said)
    elif result.get("next") is not None and not said.startswith("Sure?"):
        _go_on(request, said)
    elif said.startswith("Sure?"):
        if (step := _step(request["code"])) and step["why_not"] == said:
            shown(home().state, [step["view"]])  # the request was shown before, and its reason is about to be
        raise Problem(said, CONFIRM)
    else:
        raise Problem(said)
    return 0 if done else 1


def _step(code: str) -> dict[str, Any] | None:
    """Return the request CODE as it is now; None if it is over."""
    return next((one for one in requests(home().state) if one["code"] == code), None)


def _go_on(request: dict[str, Any], said: str) -> None:
    """Show the step that follows in REQUEST: the next of a question, or the first again, which SAID explains."""
    if (step := _step(request["code"])) is None:
        raise Problem(said)
    noted = "That is noted. Nothing is sent before the last answer."
    say(noted if request["kind"] == "question" else said, "")
    _show(step, False)


def _list(found: Sequence[dict[str, Any]], as_json: bool) -> int:
    if as_json:
        say_json({"version": 1, "requests": found})
        shown(home().state, [one["view"] for one in found])
        return 0
    names = apart([one["session_id"] for one in found])
    for one in found:
        say(*in_short(one, _name(one, found, names)))
    shown(home().state, [one["view"] for one in found if len(one["whole"]) <= LISTED])
    _say_what_is_asked_elsewhere(found)
    return 0


def _name(one: dict[str, Any], found: Sequence[dict[str, Any]], names: dict[str, str]) -> str:
    """Return what names the client of a request: its id, and its process if the id runs twice."""
    same = [other for other in found if other["session_id"] == one["session_id"]]
    return names[one["session_id"]] + (f":{one['pid']}" if len(same) > 1 else "")


def in_short(one: dict[str, Any], name: str) -> Iterator[str]:
    """Yield the lines of a request: it in short, all of it if it is short enough, and its choices."""
    asks, whole = short(one["asks"], SUBJECT), one["whole"]
    fits = len(whole) <= LISTED
    yield f"{name}  {asks}"
    alone = len(whole) == 1 and asks.endswith((f" {whole[0]}", f": {whole[0]}"))
    yield from (f"    {line}" for line in whole if fits and not alone)
    choices = [_in_list(one) for one in one["choices"] if not one["takes_text"] and (fits or not one["allows"])]
    yield f"  {', '.join(choices)}"
    if fits and one["why_not"]:
        yield f"  {one['why_not']}"
    if not fits:
        yield f"  It has {len(whole)} lines: `deskbell answer {name}` shows them, and what allows it."


def _in_list(choice: dict[str, Any]) -> str:
    """Return what a person types for CHOICE, with what it does unless that says it."""
    says = f" ({choice['label']})" if choice["id"].startswith("rule:") else ""
    return f"{_called(choice)}{says}"


def _say_what_is_asked_elsewhere(found: Sequence[dict[str, Any]]) -> None:
    """Say which sessions wait for an answer that cannot be given here."""
    keys = {(one["session_id"], one["pid"]) for one in found}
    others = [one for one in world().read(time.time()) if one.blocked and one.key not in keys]
    if not found and not others:
        say("Nothing is asked.")
    elif others:
        names = ", ".join(dict.fromkeys(short(one.project, 30) for one in others))
        say(f"In their terminals only: {names}. {ELSEWHERE}")


def _show(request: dict[str, Any], as_json: bool) -> int:
    """Print REQUEST whole, with its choices, and tell the program that it was shown."""
    if as_json:
        say_json({"version": 1, **request})
    else:
        say(*described(request))
    shown(home().state, [request["view"]])
    return 0


def described(request: dict[str, Any]) -> Iterator[str]:
    """Yield all of REQUEST, line by line, then its choices, and why one is missing or takes two steps."""
    yield f"{HEADS.get(request['kind'], request['tool'])}:"
    yield from request["whole"] or [short(request["asks"], ASKS)]
    yield ""
    for one in request["choices"]:
        named = "--reason TEXT" if one["takes_text"] else shlex.quote(_called(one))
        about = "" if one["id"].startswith("option:") else one["label"]
        yield f"  {named:14} {about}".rstrip()
    if request["why_not"]:
        yield request["why_not"]
