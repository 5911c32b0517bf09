"""Switch answers on and off: in config.toml, and in every known settings file with the hook that they need.

The command `deskbell answers` and the menu call this. Everything is planned before anything is written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from deskbell.errors import Problem
from deskbell.settings import file_text, install, settings_file
from deskbell.settings.registration import EXEC_FORM_SINCE, hook_of
from deskbell.settings.settings_file import Change
from deskbell.settings.setup import Setup
from deskbell.settings.targets import Target, known_targets, user_targets

Kind = Literal["permission", "question", "plan", "reply"]
KINDS: tuple[Kind, ...] = ("permission", "question", "plan", "reply")
USUAL: tuple[Kind, ...] = ("permission", "question", "plan")
"""What is switched on if nothing is named."""


@dataclass(frozen=True, slots=True)
class Switch:
    """The planned changes, and what they are based on."""

    setup: Setup
    policy: Change
    """The change of config.toml."""
    targets: Sequence[Target]
    """The settings files to install into."""
    settings: Sequence[Change]

    @property
    def changes(self) -> list[Change]:
        return [self.policy, *self.settings]


def plan(kinds: Iterable[Kind], on: bool, found: Setup) -> Switch:
    """Plan to switch KINDS on or off. Raise Problem if it cannot be done."""
    from deskbell.notices.policyfile import parse, text  # imported here: most runs change no settings
    from deskbell.notices.policytext import changed

    path = found.home.config / "config.toml"
    there = text(path)
    before = after = there or ""
    answers = parse(before, path).answers
    for kind in kinds:
        if getattr(answers, kind) is not on:
            after = changed(after, f"answers.{kind}", "true" if on else "false")
    wish = replace(found, answers=parse(after, path).answers.needs_asker)
    if on and wish.answers and not wish.can_answer:
        raise cannot_answer(wish)
    targets = _targets(wish)
    policy = Change(path, _encoded(there), _encoded(there if after == before else after))
    return Switch(wish, policy, targets, install.plan_install(targets, wish) if targets else ())


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def carry_out(switch: Switch) -> list[Change]:
    """Make the planned changes, and return those of the settings files. Raise Problem if one cannot be made."""
    from deskbell.notices.policytext import write  # imported here: most runs change no settings

    if switch.policy.needed and switch.policy.after is not None:
        write(switch.policy.path, switch.policy.after.decode())
    return install.install(switch.targets, switch.setup) if switch.targets else []


def cannot_answer(wish: Setup) -> Problem:
    since = ".".join(map(str, EXEC_FORM_SINCE))
    if wish.client is None:
        what = f"{wish.found.missing}, and only some versions of it can be answered from outside the terminal."
        return Problem(f"{what} Nothing was changed.", f"{wish.found.step}, then try again.")
    what = f"Claude Code {'.'.join(map(str, wish.client))} cannot be answered from outside the terminal."
    return Problem(f"{what} Nothing was changed.", f"Update it to {since} or newer, then try again.")


def _targets(wish: Setup) -> list[Target]:
    """Return the files to install into. Switching off leaves files without an asker alone."""
    known = known_targets(wish.home.config)
    if wish.answers and wish.can_answer:
        return known or user_targets(())
    return [target for target in known if has_asker(target.path)]


def has_asker(path: Path) -> bool:
    """Return whether the file starts the asker. Raise Problem if it cannot be read or understood."""
    handlers = file_text.standing(path, settings_file.read(path), {}).handlers
    return any(hook.verb == "ask" for handler in handlers if (hook := hook_of(handler)))
