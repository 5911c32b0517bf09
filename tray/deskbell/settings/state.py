"""Report the state of the hooks in each settings file, and what the known files start. It writes nothing."""

from dataclasses import dataclass, field

from deskbell.errors import Problem
from deskbell.face.facts import HooksState
from deskbell.files.there import is_folder
from deskbell.home import Home
from deskbell.settings import file_text, settings_file
from deskbell.settings.known import read_known
from deskbell.settings.line_command import Line
from deskbell.settings.registration import Hook, hook_of
from deskbell.settings.setup import Setup
from deskbell.settings.standing import AskerState, Standing
from deskbell.settings.targets import Target, known_targets

INSTALL = "Run `deskbell install`."
ASKER: dict[AskerState, str] = {
    "missing": "Answers are switched on, and the hook that they need is not installed.",
    "stale": "The hook for answers is from another version or uses another Python.",
    "stray": "The hook for answers is installed where it should not be.",
}
OFF = "Answers are switched off, and the hook that they need is still installed."
"""Takes the place of "stray" while answers are switched off."""
STEPS: dict[HooksState, str] = {
    "installed": "",
    "overwritten": "Run `deskbell install`, or put a copy back with `deskbell restore`.",
}


@dataclass(frozen=True)
class Report:
    """The state of our hooks in one file."""

    target: Target
    state: HooksState
    sentence: str
    step: str = ""
    """What the person can do next; empty if the hooks are installed."""
    standing: Standing = field(default_factory=Standing)


def state_of(target: Target, setup: Setup) -> Report:
    try:
        standing = file_text.standing(target.path, settings_file.read(target.path), setup.wanted)
        remembered = target.path in read_known(setup.home.config).files
    except Problem as problem:
        return Report(target, "unreadable", problem.what, problem.step)
    state, sentence = _judged(standing, remembered, setup)
    return Report(target, state, sentence, STEPS.get(state, INSTALL), standing)


def _judged(standing: Standing, remembered: bool, setup: Setup) -> tuple[HooksState, str]:
    """Return the state, and a sentence for it."""
    current, count = len(standing.current), len(setup.wanted)
    if not standing.handlers:
        if remembered:
            return "overwritten", "Deskbell's hooks were removed: another program overwrote the file."
        return "missing", "Deskbell's hooks are not installed."
    if standing.stale or standing.stray:
        return (
            "outdated",
            f"The hooks are from another version or use another Python. {current} of {count} are up to date.",
        )
    if not standing.as_wanted and not standing.missing:
        return "outdated", ASKER[standing.asker] if setup.answers else OFF
    if standing.missing:
        return "partly", f"{current} of {count} events are reported. Missing: {', '.join(standing.missing)}."
    return "installed", setup.reach


def registered_hooks(home: Home) -> list[Hook]:
    """Return what the known settings files start. Raise Problem if one of them cannot be read."""
    found = [
        hook_of(handler)
        for target in known_targets(home.config)
        for handler in file_text.standing(target.path, settings_file.read(target.path), {}).handlers
    ]
    return list(dict.fromkeys(hook for hook in found if hook))


def registered_lines(home: Home) -> list[Line]:
    """Return what the statuslines of the known settings files start. Raise Problem if a file cannot be read."""
    known = read_known(home.config)
    there = [path for path in dict.fromkeys((*known.files, *known.lines)) if is_folder(path.parent, unknown=True)]
    found = (file_text.line(path, settings_file.read(path)).ours for path in there)
    return list(dict.fromkeys(one.line for one in found if one))
