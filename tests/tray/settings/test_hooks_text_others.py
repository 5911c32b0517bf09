"""Test which texts register a hook that is not Deskbell's."""

import json

import pytest

from deskbell.settings.hooks_text import has_other_hooks, with_hooks
from deskbell.settings.jsonspans import BOM, Misshapen
from tests.tray.settings_texts import OLDER, WANTED

OURS = json.dumps(WANTED["PermissionRequest"][0], ensure_ascii=False)
OLD = json.dumps(OLDER["Stop"][0], ensure_ascii=False)
THEIRS = '{"type": "command", "command": "approve"}'


def registering(*groups: str, event: str = "PermissionRequest") -> str:
    return f'{{"hooks": {{"{event}": [{", ".join(groups)}]}}}}'


def group(*handlers: str) -> str:
    return f'{{"matcher": "Bash", "hooks": [{", ".join(handlers)}]}}'


TEXTS: dict[str, tuple[str, bool]] = {
    "nothing": ("", False),
    "a byte order mark": (f"{BOM}\n", False),
    "no hooks": ('{"model": "opus"}', False),
    "hooks of another event": (registering(group(THEIRS), event="PreToolUse"), False),
    "ours": (registering(group(OURS)), False),
    "one of an older Deskbell": (registering(group(OLD)), False),
    "theirs": (registering(group(THEIRS)), True),
    "theirs beside ours": (registering(group(OURS), group(OURS, THEIRS)), True),
    "theirs of another type": (registering(group('{"type": "prompt", "prompt": "May it?"}')), True),
    "theirs that wraps ours": (registering(group(OURS.replace('"p=', '"exec p=').replace("p='", "exec p='", 1))), True),
    "no handlers": (registering('{"matcher": "Bash"}', group()), False),
    "what the client drops": (registering("1", '{"hooks": {"a": {}}}', group("1", '"approve"')), False),
    "hooks of the wrong shape": ('{"hooks": [1]}', False),
    "an event of the wrong shape": ('{"hooks": {"PermissionRequest": 1}}', False),
    "hooks that later ones replace": (registering(group(THEIRS))[:-1] + ', "hooks": {}}', False),
    "an event that a later one replaces": (
        registering(group(THEIRS))[:-2] + f', "PermissionRequest": [{group(OURS)}]' + "}}",
        False,
    ),
    "a list": ("[]", False),
}


@pytest.mark.parametrize(("text", "others"), TEXTS.values(), ids=TEXTS)
def test_a_text_registers_other_hooks(text: str, others: bool) -> None:
    assert has_other_hooks(text, "PermissionRequest") is others


@pytest.mark.parametrize("text", ["", "{}", registering(group(THEIRS), event="Stop")], ids=["nothing", "empty", "Stop"])
def test_install_registers_no_other_hook(text: str) -> None:
    assert not has_other_hooks(with_hooks(text, WANTED), "PermissionRequest")


@pytest.mark.parametrize("text", ['{"hooks": ', "\f", "\u00a0"], ids=["half", "a form feed", "a space of another kind"])
def test_a_text_that_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(Misshapen):
        has_other_hooks(text, "PermissionRequest")
