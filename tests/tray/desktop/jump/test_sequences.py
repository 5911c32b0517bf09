"""Test what is written to which terminal to ring in it, and that no text can break out of its sequence."""

import re
from base64 import b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.desktop.jump.sequences import BELL, NOTIFY, ring

KITTY = "i=deskbell-7:o=unfocused:e=1"
RECENT = {"KONSOLE_VERSION": "230400"}
WRITTEN: dict[str, tuple[str, dict[str, str], str]] = {
    "foot": ("foot", {}, "\x1b]777;notify;api, web;wants to run a, b\x1b\\"),
    "Ghostty": ("ghostty", {}, "\x1b]777;notify;api, web;wants to run a, b\x1b\\"),
    "WezTerm": ("wezterm-gui", {}, "\x1b]777;notify;api, web;wants to run a, b\x1b\\"),
    "Konsole": ("konsole", RECENT, "\x1b]777;notify;api, web;wants to run a, b\x1b\\"),
    "kitty": (
        "kitty",
        {},
        f"\x1b]99;{KITTY}:d=0;YXBpOyB3ZWI=\x1b\\\x1b]99;{KITTY}:d=1:p=body;d2FudHMgdG8gcnVuIGE7IGI=\x1b\\",
    ),
    "iTerm2": ("iTermServer-3.5.11", {}, "\x1b]9;Deskbell: api, web. wants to run a, b\x1b\\"),
    "foot, over ssh": ("sshd-session", {"TERM": "foot"}, "\x1b]777;notify;api, web;wants to run a, b\x1b\\"),
    "iTerm2, over ssh": ("sshd", {"LC_TERMINAL": "iTerm2"}, "\x1b]9;Deskbell: api, web. wants to run a, b\x1b\\"),
}
RUNG: dict[str, tuple[str, dict[str, str]]] = {
    "gnome-terminal": ("gnome-terminal", {}),
    "xterm": ("xterm", {}),
    "tmux, in kitty": ("tmux: server", {"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}),
    "screen": ("screen", {"TERM": "foot"}),
    "a Konsole that shows no notifications": ("konsole", {"KONSOLE_VERSION": "221203"}),
    "a Konsole that does not tell": ("konsole", {"KONSOLE_VERSION": "٣٣٣٣٣٣"}),
    "ssh from a terminal that does not tell": ("sshd", {"TERM": "xterm-256color"}),
    "a terminal that only inherited a variable": ("xfce4-terminal", {"TERM": "xterm-kitty", "LC_TERMINAL": "iTerm2"}),
    "nobody knows what": ("", {}),
}


@pytest.mark.parametrize(("program", "variables", "written"), WRITTEN.values(), ids=WRITTEN)
def test_a_terminal_with_notifications_of_its_own_shows_one(
    program: str, variables: dict[str, str], written: str
) -> None:
    assert ring(program, variables, "api; web", "wants to run a; b", 7) == written


@pytest.mark.parametrize(("program", "variables"), RUNG.values(), ids=RUNG)
def test_every_other_terminal_rings_its_bell(program: str, variables: dict[str, str]) -> None:
    assert ring(program, variables, "api", "wants to run ls", 7) == BELL


def test_a_ring_without_a_body_is_its_title() -> None:
    assert ring("iTermServer-3.5", {}, "api", "", 7) == "\x1b]9;Deskbell: api\x1b\\"


def test_the_text_of_kitty_is_encoded_as_it_is() -> None:
    title, body = re.findall(r";([A-Za-z0-9+/=]*)\x1b", ring("kitty", {}, "ünï; ✓", "a\nb", 7))
    assert (b64decode(title).decode(), b64decode(body).decode()) == ("ünï; ✓", "a b")


FORM = {
    "foot": r"\x1b\]777;notify;[^;]*;[^;]*\x1b\\",
    "kitty": rf"\x1b\]99;{re.escape(KITTY)}:d=0;[A-Za-z0-9+/=]*\x1b\\\x1b\]99;{re.escape(KITTY)}:d=1:p=body;[A-Za-z0-9+/=]*\x1b\\",
    "iTermServer": r"\x1b\]9;Deskbell: [^;]*\x1b\\",
}
HOSTILE = st.text(
    st.one_of(st.sampled_from("\x1b\x07\x9c\x9d\\];\n\r\x00\x18\x1a\u202e\ud800"), st.characters()), max_size=600
)


@pytest.mark.parametrize("program", FORM)
@given(title=HOSTILE, body=HOSTILE)
def test_no_text_ends_its_sequence(program: str, title: str, body: str) -> None:
    written = ring(program, {}, title, body, 7)
    assert re.fullmatch(FORM[program], written)
    inner = written.replace("\x1b]", "").replace("\x1b\\", "")
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", inner)
    assert len(written.encode()) < 4096, "a terminal takes it in one piece"


def test_every_form_is_tested() -> None:
    assert {NOTIFY[name] for name in FORM} == set(NOTIFY.values())
