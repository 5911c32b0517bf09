"""Check that the statusline is registered and prints a line, that no other one hides it, and that its links work."""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from deskbell.desktop.link import Handler, handler
from deskbell.doctor import Check
from deskbell.doctor.hooks import Scene, is_disabled
from deskbell.errors import Problem
from deskbell.files.there import ending_in, exists, is_folder
from deskbell.helper import run
from deskbell.home import environment
from deskbell.settings import file_text, settings_file
from deskbell.settings.claude_code import registry_entry
from deskbell.settings.known import line_files, read_known, remembered_config_dirs
from deskbell.settings.line_command import Line
from deskbell.settings.line_override import overriding, reach

INSTALL = "Run `deskbell statusline install`."
PATIENCE = 20.0
"""Seconds until a statusline that hangs is ended."""
SLOW = 1.0
"""Seconds. A statusline that takes longer is slow."""
SHOWN = "Deskbell"
"""The model of the session in the trial."""

LinkHandler = Callable[[], Handler | None]


def examined(scene: Scene, opener: LinkHandler = handler) -> list[Check]:
    try:
        known = [path for path in read_known(scene.home.config).lines if is_folder(path.parent, unknown=True)]
    except Problem:
        return []  # another check reports it
    if not known:
        return [Check("statusline", "ok", "It is not installed. `deskbell statusline install` adds it.")]
    return [*(found for path in known for found in _registered(path, scene)), *hidden(scene), *_links(opener())]


def _registered(path: Path, scene: Scene) -> Iterator[Check]:
    name = f"statusline {path}"
    try:
        found = file_text.line(path, settings_file.read(path))
    except Problem as problem:
        yield Check(name, "bad", problem.what, problem.step)
        return
    if is_disabled(path):
        yield Check(name, "bad", '"disableAllHooks" stops the statusline.', "Set it to false.")
    elif found.ours is None:
        what = "Another statusLine took its place." if found.kind == "theirs" else "Another program removed it."
        yield Check(name, "bad", what, f"{INSTALL} It chains a line of your own.")
    elif scene.setup and found.ours.line != scene.setup.line:
        yield Check(name, "warn", "It is from another version or uses another Python.", INSTALL)
    else:
        yield trial(name, found.ours.line)


def trial(name: str, line: Line) -> Check:
    """Start the statusline once with a made-up session, without the person's own line."""
    command = [line.python, "-I", "-S", line.main, "statusline", line.state, line.config]
    given = json.dumps({"model": {"display_name": SHOWN}}).encode()
    begun = time.perf_counter()
    try:
        done = run(command, PATIENCE, given=given, env=environment(os.environ))
    except (OSError, TimeoutError):
        return Check(name, "bad", "It does not start.", INSTALL)
    took = time.perf_counter() - begun
    if done.code != 0 or not done.said.strip():
        return Check(name, "bad", "It shows nothing.", INSTALL)
    sentence = f"It shows a line in {took * 1000:.0f} ms."
    return Check(name, "warn", sentence, "Look for a busy machine.") if took > SLOW else Check(name, "ok", sentence)


def hidden(scene: Scene) -> Iterator[Check]:
    """Yield a check for each statusLine that hides Deskbell's: in projects of sessions, or in the current folder."""
    for path in overriding(_projects(scene), scene.managed, line_files(scene.home.config)):
        what = f"{path} has a statusLine, too. Claude Code shows that one {reach(path, scene.managed)}."
        yield Check("other statusline", "warn", what, "Remove it from that file to see Deskbell's.")


def _projects(scene: Scene) -> Iterable[Path]:
    found = [Path.cwd()]
    for folder in remembered_config_dirs(scene.home.config):
        for path in ending_in(folder / "sessions", ".json"):
            with suppress(OSError, ValueError):
                cwd = registry_entry(path).get("cwd")
                found += [Path(cwd)] if isinstance(cwd, str) and "\0" not in cwd else []
    return dict.fromkeys(found)


def _links(opener: Handler | None) -> Iterator[Check]:
    if opener and opener.works():
        yield Check("statusline links", "ok", "A click on the session that waits jumps to it, in terminals with links.")
    elif opener and exists(opener.path):
        what = "The desktop does not open the links of the statusline with Deskbell."
        yield Check("statusline links", "warn", what, INSTALL)
    else:
        yield Check("statusline links", "ok", "This desktop opens no links of Deskbell, so the statusline has none.")
