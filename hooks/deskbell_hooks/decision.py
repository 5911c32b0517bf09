"""Say whether a decision on a permission request may be given to Claude Code. Pure.

The asker checks what it is about to print, and the program what it is about to send. Only these forms are allowed; a
decision that holds anything else is refused. `event` and `output` may be any value of JSON.

* deny, with a message or an interruption;
* allow, for a tool whose dialog asks for nothing but consent, also with rules that the client itself suggested;
* allow, with an answer to every question of AskUserQuestion and the questions as they were asked;
* allow, with the plan of ExitPlanMode as it was shown, also with accepted edits for this session. A plan that the
  client did not send was shown nowhere but in the terminal.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EVENT = "PermissionRequest"
QUESTION, PLAN = "AskUserQuestion", "ExitPlanMode"
ACCEPT_EDITS = [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]
"""The one change of the mode that an approved plan may bring."""
DESTINATIONS = ("session", "localSettings")
"""Where a suggested rule may be kept: not in the settings of the account, nor in those that a project shares."""


def is_allowed(event: object, output: object) -> bool:
    """Return whether OUTPUT is a decision that may answer EVENT. Raise nothing."""
    if not isinstance(event, dict) or event.get("hook_event_name") != EVENT or not _is_text(event.get("tool_name")):
        return False
    decision = _decision(output)
    if decision is None:
        return False
    behavior = decision.get("behavior")
    if behavior == "deny":
        return _is_denial(decision)
    return behavior == "allow" and _is_consent(event, decision)


def _decision(output: "Any") -> "dict[str, Any] | None":
    """Return the decision in OUTPUT; None if it is wrapped in any other way than the client's."""
    if not _has(output, "hookSpecificOutput"):
        return None
    specific = output["hookSpecificOutput"]
    if not _has(specific, "hookEventName", "decision") or specific["hookEventName"] != EVENT:
        return None
    return specific["decision"] if isinstance(specific["decision"], dict) else None


def _is_denial(decision: "dict[str, Any]") -> bool:
    known = decision.keys() <= {"behavior", "message", "interrupt"}
    return known and isinstance(decision.get("message", ""), str) and decision.get("interrupt", True) is True


def _is_consent(event: "dict[str, Any]", decision: "dict[str, Any]") -> bool:
    tool, given = event["tool_name"], event.get("tool_input")
    if tool == QUESTION:
        return _has(decision, "behavior", "updatedInput") and _answers_all(given, decision["updatedInput"])
    if tool == PLAN:
        return _approves(given, decision)
    if "updatedPermissions" not in decision:
        return _has(decision, "behavior")
    return _has(decision, "behavior", "updatedPermissions") and _are_suggested(event, decision["updatedPermissions"])


def _answers_all(given: object, updated: "Any") -> bool:
    """Return whether each question has an answer, and nothing else has. Refuse questions of the same text.

    Answers are named by the text of their question, so two such questions would share one.
    """
    questions = given.get("questions") if isinstance(given, dict) else None
    if not isinstance(questions, list) or not _has(updated, "questions", "answers"):
        return False
    texts: list[Any] = [one.get("question") if isinstance(one, dict) else None for one in questions]
    answers = updated["answers"]
    if not texts or not all(map(_is_text, texts)) or len(set(texts)) < len(texts) or not _has(answers, *texts):
        return False
    return all(map(_is_text, answers.values())) and same(updated["questions"], questions)


def _approves(given: object, decision: "dict[str, Any]") -> bool:
    if not isinstance(given, dict) or not _is_text(given.get("plan")) or not same(decision.get("updatedInput"), given):
        return False
    if "updatedPermissions" not in decision:
        return _has(decision, "behavior", "updatedInput")
    permissions = decision["updatedPermissions"]
    return _has(decision, "behavior", "updatedInput", "updatedPermissions") and same(permissions, ACCEPT_EDITS)


def _are_suggested(event: "dict[str, Any]", permissions: object) -> bool:
    suggested = event.get("permission_suggestions")
    if not isinstance(suggested, list) or not isinstance(permissions, list) or not permissions:
        return False
    return all(_is_rule(one) and any(same(one, other) for other in suggested) for one in permissions)


def _is_rule(update: object) -> bool:
    return isinstance(update, dict) and update.get("type") == "addRules" and update.get("destination") in DESTINATIONS


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _has(value: "Any", *keys: str) -> bool:
    """Return whether VALUE is an object with exactly these keys."""
    return isinstance(value, dict) and len(value) == len(keys) and all(key in value for key in keys)


def same(one: object, other: object) -> bool:
    """Compare as JSON, where true is not 1, 1 is not 1.0, and the order of keys means nothing.

    A loop, because a value may be nested deeper than Python allows calls to be.
    """
    pairs = [(one, other)]
    while pairs:
        left, right = pairs.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            pairs += [(value, right[key]) for key, value in left.items()]
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            pairs += zip(left, right, strict=True)
        elif left != right:
            return False
    return True
