"""Put a lasting permission that the client suggests into words, unless the words would not say all of it. Pure."""

from collections.abc import Mapping

from deskbell.text.wording import short

ROOM = 120
"""The most characters of the rules of one choice."""


def in_words(suggestion: Mapping[str, object]) -> str:
    """Return a label that names every rule, because the person grants all of them; empty if they do not fit."""
    given = suggestion.get("rules")
    named = list(map(_rule, given)) if isinstance(given, list) else []
    text = ", ".join(named)
    if not named or not all(named) or short(text, ROOM) != text:
        return ""
    where = "in this session" if suggestion.get("destination") == "session" else "in this project"
    return f"Allow, and always {where}: {text}"


def _rule(rule: object) -> str:
    """Return the rule in words; empty for what is no rule or says more than a rule does."""
    if not isinstance(rule, dict) or not rule.keys() <= {"toolName", "ruleContent"}:
        return ""
    tool, content = rule.get("toolName"), rule.get("ruleContent")
    if not isinstance(tool, str) or not isinstance(content, str | None):
        return ""
    return f"{tool}({content})" if content else tool
