"""Draw the statusline of a running session for `deskbell statusline preview`: each preset, and each segment.

Figures that this machine does not have, such as the limits of an account, are examples and are labelled so.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from deskbell.home import Home
from deskbell.session import Session
from deskbell_hooks.branch import branch
from deskbell_hooks.layout import line
from deskbell_hooks.linesettings import PRESETS, resolved, settings
from deskbell_hooks.others import others
from deskbell_hooks.segments import NOTHING, SEGMENTS, Found, Others, Segment, Waiting, segments
from deskbell_hooks.statusline import MARGIN, agents_of, has_few_colours, is_ascii

if TYPE_CHECKING:
    from deskbell_hooks.segments import Options

INDENT = 2
WAITS = Others([Waiting("example", "shop", "wants to run npm publish")], [Waiting("example", "site", "")])
AGENTS = {"running": 2, "done": 1, "error": 1}


class Picture(NamedTuple):
    """A part of the preview."""

    title: str
    line: str = ""
    """The line with its colours; empty if there is only a title."""


def example(now: float) -> dict[str, Any]:
    """Return a made-up session in the form in which Claude Code passes it to a statusline."""
    return {
        "model": {"display_name": "Opus 4.8"},
        "workspace": {"current_dir": "/home/you/shop"},
        "context_window": {"used_percentage": 62, "total_input_tokens": 124_000, "context_window_size": 200_000},
        "cost": {
            "total_cost_usd": 1.84,
            "total_duration_ms": 4_380_000,
            "total_lines_added": 156,
            "total_lines_removed": 23,
        },
        "rate_limits": {
            "five_hour": {"used_percentage": 42, "resets_at": now + 7_900},
            "seven_day": {"used_percentage": 12, "resets_at": now + 300_000},
        },
    }


def given_of(session: Session, now: float) -> dict[str, Any]:
    """Return SESSION in the same form, as far as Deskbell knows it."""
    window: dict[str, Any] = {"used_percentage": session.context_percent}
    if session.context_tokens and session.context_percent:
        size = session.context_tokens * 100 / session.context_percent
        window |= {"total_input_tokens": session.context_tokens, "context_window_size": size}
    took = (now - session.started) * 1000 if session.started is not None else None
    return {
        "session_id": session.session_id,
        "model": {"display_name": session.model},
        "workspace": {"current_dir": session.cwd},
        "context_window": window,
        "cost": {"total_cost_usd": session.cost_usd, "total_duration_ms": took},
    }


def pictures(here: Home, session: Session | None, now: float, room: int, coloured: bool) -> list[Picture]:
    """Return the preview: each preset, the line as it is set, and each segment. ROOM: the columns of the terminal."""
    options, problem = settings(str(here.state), str(here.config / "config.toml"))
    given = given_of(session, now) if session else {}
    path = session.cwd if session else None
    agents = agents_of(str(here.sessions / f"{session.session_id}.json")) if session else {}
    own = session.session_id if session else ""
    real = Found(branch(path), others(str(here.state), own, now), agents, now)
    like = Found("main", WAITS, AGENTS, now)
    every = {**options, "segments": list(SEGMENTS)}
    known = {one.name: one for one in segments(given, real, every) if one.forms != [NOTHING]}
    named = {one.name: known.get(one.name, one) for one in segments(example(now), like, every)}

    def picture(title: str, chosen: "Options") -> Picture:
        shown = [named[name] for name in chosen["segments"]]
        return Picture(
            title, line(shown, chosen, room - MARGIN - INDENT, coloured, is_ascii(options), few=has_few_colours())
        )

    looks = [picture(name, resolved({"preset": name})[0]) for name in PRESETS]
    mine = picture(f"as config.toml says{', which has a mistake' if problem else ''}", options)
    heading = Picture("segments, each in its forms from wide to narrow")
    return [*looks, mine, heading, *(_row(one, one.name not in known) for one in named.values())]


def _row(one: Segment, is_example: bool) -> Picture:
    note = " (an example)" if is_example else ""
    return Picture(f"  {one.name + ':':<10}{'  |  '.join(one.forms)}{note}")
