"""Word each segment of the statusline, in several forms from the longest to the shortest. Pure.

`statusline` calls `segments` with what Claude Code gave it and what it found in the files; `layout` chooses the forms
that fit. A form is text without colours. This module cleans text from elsewhere: the names of branches, models and
projects, and what other sessions ask. It leaves out what is unknown or of a wrong type.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NamedTuple

    Options = dict[str, Any]

    class Segment(NamedTuple):
        name: str
        mood: str
        """ "good", "warn", "bad" or "turn", for the colour; empty for none."""
        forms: list[str]
        session: str = ""
        """The id of the session to which a click jumps."""

    class Waiting(NamedTuple):
        """Another session that waits for its person."""

        session_id: str
        project: str
        says: str

    class Others(NamedTuple):
        blocked: "list[Waiting]"
        your_turn: "list[Waiting]"
        unread: int = 0
        """Records that cannot be read."""

    class Found(NamedTuple):
        """What `statusline` found in the files."""

        branch: str
        others: Others
        agents: "dict[str, int] | None"
        """How many subagents are running, idle, done and error; None if the record cannot be read."""
        now: float
        problem: str = ""

else:

    def _named(name, fields, **defaults):
        """Make a tuple with named fields. Importing `typing.NamedTuple` would double the time of the statusline."""

        def new(cls, *cells, **more):
            if len(cells) == len(fields):
                return tuple.__new__(cls, cells)
            given = {**defaults, **dict(zip(fields, cells, strict=False)), **more}
            return tuple.__new__(cls, [given[field] for field in fields])

        parts = {field: property(lambda self, at=at: self[at]) for at, field in enumerate(fields)}
        return type(name, (tuple,), {"__slots__": (), "__new__": new, **parts})

    Segment = _named("Segment", ("name", "mood", "forms", "session"), session="")
    Waiting = _named("Waiting", ("session_id", "project", "says"))
    Others = _named("Others", ("blocked", "your_turn", "unread"), unread=0)
    Found = _named("Found", ("branch", "others", "agents", "now", "problem"), problem="")

NAME, PROJECT, BRANCH, SAYS = 40, 30, 40, 48
"""The most characters of a model, a project, a branch, and of what another session asks."""
WARN, BAD = 60, 85
"""Percent of the context from which its mood is "warn", and from which it is "bad"."""
LIMIT_WARN, LIMIT_BAD = 70, 90
"""The same for the limits of the account."""
NOTHING = "Claude Code"
"""The line if no segment has anything to show."""
MOST = 100
"""The most waiting sessions of each kind that are counted; a count this high is shown with a plus."""
MOST_ENDED = 8
"""The most ended subagents that a record keeps; a count this high is shown with a plus."""


def segments(given: "Any", found: "Found", options: "Options") -> "list[Segment]":
    """Return the segments that OPTIONS names and that have something to show, in that order."""
    given = given if isinstance(given, dict) else {}
    made = [one for name in options["segments"] if (one := SEGMENTS[name](given, found, options))]
    if found.problem:
        made.append(Segment("problem", "warn", [found.problem]))
    return made or [Segment("model", "", [NOTHING])]


def _each_once(*forms: str) -> "list[str]":
    return list(dict.fromkeys(forms))


def _others(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    blocked, turn, unread = found.others
    known = [f"{_many(blocked)} blocked"] if blocked else []
    known += [f"{_many(turn)} your turn"] if turn else []
    known += [f"{unread} unreadable"] if unread else []
    if not known:
        return None
    if not blocked and not turn:
        return Segment("others", "warn", ["? " + known[0], f"?{unread}"])
    first = (blocked or turn)[0]
    sign = "●" if blocked else "○"
    project, says = clean(first.project, PROJECT) or first.session_id[:8], clean(first.says, SAYS)
    counted, more = known[0], "".join(f" · {one}" for one in known[1:])
    whole = f"{sign} {counted}: {project} {says}{more}" if blocked and says and options["details"] else ""
    signs = [f"●{_many(blocked)}" * bool(blocked), f"○{_many(turn)}" * bool(turn), f"?{unread}" * bool(unread)]
    first_sign, *other_signs = [one for one in signs if one]
    short = " ".join([first_sign, _cut(project, 12), *other_signs])
    forms = [whole, f"{sign} {counted}: {project}{more}", short, "".join(signs)]
    return Segment("others", "bad" if blocked else "turn", [form for form in forms if form], first.session_id)


def _many(waiting: "list[Waiting]") -> str:
    return f"{len(waiting)}" if len(waiting) < MOST else f"{MOST}+"


def _model(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    model = _part(given, "model")
    name = clean(model.get("display_name"), NAME) or clean(model.get("id"), NAME)
    return Segment("model", "", _each_once(name, name.split(" ")[0])) if name else None


def _project(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    place = _part(given, "workspace")
    path = place.get("current_dir") or given.get("cwd")
    name = clean(last_part(path), PROJECT) if isinstance(path, str) else ""
    return Segment("project", "", [name]) if name else None


def last_part(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path


def _branch(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    name = clean(found.branch, BRANCH)
    return Segment("branch", "", _each_once(f"⎇ {name}", f"⎇ {_cut(name, 16)}")) if name else None


def _context(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    window = _part(given, "context_window")
    size, used = _number(window.get("context_window_size")), _number(window.get("total_input_tokens"))
    percent = _number(window.get("used_percentage"))
    if percent is None and used and size:
        percent = used * 100 / size
    if percent is None or percent > 1000:
        return None
    bar = _bar(percent, options["bar"])
    share = f"{percent:.0f}%"
    tokens = f" {tokens_of(used)}/{tokens_of(size)}" if used and size else ""
    forms = [f"{bar} {share}{tokens}", f"{bar} {share}", f"{_bar(percent, 4)} {share}"] if bar else []
    return Segment("context", _level(percent, WARN, BAD) or "good", _each_once(*forms, f"ctx {share}"))


def _bar(percent: float, cells: int) -> str:
    full = min(cells, int(percent * cells / 100 + 0.5))
    return "█" * full + "░" * (cells - full)


def tokens_of(count: float) -> str:
    """Put a number of tokens into words: 950, 84k, 1M, 1.2M."""
    if count < 1000:
        return f"{count:.0f}"
    if count < 999_500:
        return f"{count / 1000:.0f}k"
    return f"{count / 1e6:.1f}".removesuffix(".0") + "M"


def _level(percent: float, warn: float, bad: float) -> str:
    return "bad" if percent >= bad else "warn" if percent >= warn else ""


def _agents(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    if found.agents is None:
        return Segment("agents", "warn", ["record unreadable", "rec?"])
    counts = found.agents
    shown = [(mark, word, counts.get(word, 0)) for mark, word in AGENT_SIGNS if counts.get(word, 0)]
    if not shown:
        return None
    more = {word: "+" for _, word, count in shown if word != "running" and count >= MOST_ENDED}
    long = "agents: " + ", ".join(f"{count}{more.get(word, '')} {word}" for _, word, count in shown)
    short = " ".join(f"{mark}{count}{more.get(word, '')}" for mark, word, count in shown)
    return Segment("agents", "bad" if counts.get("error") else "", [long, short])


AGENT_SIGNS = (("▸", "running"), ("○", "idle"), ("✓", "done"), ("✗", "error"))


def _cost(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    cost = _number(_part(given, "cost").get("total_cost_usd"))
    if cost is None or cost >= 1e6:
        return None
    return Segment("cost", "", [f"${cost:.2f}", f"${cost:.0f}"] if cost >= 10 else [f"${cost:.2f}"])


def _limits(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    limits = _part(given, "rate_limits")
    long, short, worst = [], [], 0.0
    for name, label in (("five_hour", "5h"), ("seven_day", "7d")):
        limit = _part(limits, name)
        percent, resets = _number(limit.get("used_percentage")), _number(limit.get("resets_at"))
        if percent is None or percent > 1000 or (resets is not None and resets <= found.now):
            continue  # the limit has been reset since this was counted
        worst = max(worst, percent)
        left = f" ({span(resets - found.now)} left)" if resets is not None and resets - found.now < 8 * 86400 else ""
        long.append(f"{label} {percent:.0f}%{left}")
        short.append(f"{label} {percent:.0f}%")
    if not short:
        return None
    return Segment("limits", _level(worst, LIMIT_WARN, LIMIT_BAD), _each_once(" · ".join(long), " · ".join(short)))


def _lines(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    cost = _part(given, "cost")
    added, removed = _number(cost.get("total_lines_added")), _number(cost.get("total_lines_removed"))
    if added is None or removed is None or not added + removed or max(added, removed) >= 1e7:
        return None
    return Segment("lines", "", [f"+{added:.0f} -{removed:.0f}"])


def _duration(given: "dict[str, Any]", found: "Found", options: "Options") -> "Segment | None":
    took = _number(_part(given, "cost").get("total_duration_ms"))
    return Segment("duration", "", [span(took / 1000)]) if took is not None and took < 1e12 else None


def span(seconds: float) -> str:
    """Put a time into one or two units: 42s, 12m, 3h05m, 2d4h."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return f"{int(seconds)}s"
    if minutes < 60:
        return f"{minutes}m"
    hours = minutes // 60
    return f"{hours}h{minutes % 60:02d}m" if hours < 24 else f"{hours // 24}d{hours % 24}h"


SEGMENTS: "dict[str, Callable[[dict[str, Any], Found, Options], Segment | None]]" = {
    "others": _others,
    "model": _model,
    "project": _project,
    "branch": _branch,
    "context": _context,
    "agents": _agents,
    "cost": _cost,
    "limits": _limits,
    "lines": _lines,
    "duration": _duration,
}
"""Every segment by its name in config.toml."""


def _part(given: "dict[str, Any]", name: str) -> "dict[str, Any]":
    value = given.get(name)
    return value if isinstance(value, dict) else {}


def _number(value: object) -> float | None:
    """Return VALUE if it is a number from 0 to below 1e15, as all those of Claude Code are; else None."""
    return value if type(value) in (int, float) and 0 <= value < 1e15 else None  # type: ignore[return-value,operator]


def clean(value: object, longest: int) -> str:
    """Return text as one line that cannot act on the terminal, of at most LONGEST characters; "" for anything else."""
    if not isinstance(value, str):
        return ""
    text = value[: 8 * longest]
    if not text.isprintable():
        if "\x1b" in text or "\x9b" in text or "\x9d" in text:
            text = _without_escapes(text)
        text = "".join(char if char.isprintable() else " " * char.isspace() for char in text)
    if not text.isascii():
        from deskbell_hooks.columns import without_stacks

        text = without_stacks(text)
    return _cut(" ".join(text.split()), longest)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _without_escapes(text: str) -> str:
    """Remove the escape sequences: each begins with ESC, or with a character that stands for ESC and another."""
    text = text.replace("\x9b", "\x1b[").replace("\x9d", "\x1b]")
    first, *rest = text.split("\x1b")
    return first + "".join(_after_escape(part) for part in rest)


def _after_escape(part: str) -> str:
    kind, body = part[:1], part[1:]
    if kind == "[":
        ends = (at for at, char in enumerate(body) if "@" <= char <= "~")
        return body[next(ends, len(body)) + 1 :]
    if kind in ("]", "P", "X", "^", "_"):  # they end with BEL, or with the ESC of the next part
        return body.partition("\x07")[2]
    return body
