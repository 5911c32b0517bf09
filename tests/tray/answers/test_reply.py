"""Test that no text becomes anything but one prompt: no command, no line of a shell, no key."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deskbell.answers.reply import ENDS_THE_CLIENT, LONGEST, arrived, ready
from deskbell.errors import Misuse, Problem
from deskbell_hooks.trim import trim

UNCHANGED = [
    "run the tests again",
    "one\ntwo\n  three",
    "look at @README.md, /etc/hosts and #12!",
    "héllo 👩‍👩‍👧 日本語 ✅ می‌خواهم",
    "exit code 1 is what I see",
    "a \\ in the middle\\\nand at the end of a line",
    "！ls",
    "x" * LONGEST,
]


@pytest.mark.parametrize("text", UNCHANGED)
def test_a_text_is_pasted_as_it_is(text: str) -> None:
    assert ready(text) == text


CHANGED = {
    "blanks around it": ("  \n hello \t\n", "hello"),
    "a line of a shell": ("!rm -rf build", " !rm -rf build"),
    "a line of a shell behind blanks": ("\n\t !ls", " !ls"),
    "a line of a shell behind an invisible character": ("\ufeff\u200b!ls", " !ls"),
    "a line of a shell behind a joiner": ("\u200d\u2800!ls", " !ls"),
    "a line of a shell behind a variation": ("\ufe0f!ls", " !ls"),
    "a tab": ("a\tb", "a    b"),
    "line ends of Windows": ("a\r\nb", "a\nb"),
    "a carriage return": ("a\rb", "a\nb"),
    "a line separator": ("a\u2028b\u0085c", "a\nb\nc"),
    "the end of a paste": ("a\x1b[201~b", "ab"),
    "the end of a paste in eight bits": ("a\x9b201~b", "ab"),
    "a title": ("a\x1b]0;title\x07b", "ab"),
    "a key": ("a\x1bOMb", "aMb"),
    "a bare escape": ("a\x1b", "a"),
    "controls": ("a\x00\x03\x04\x08\x7fb", "ab"),
    "a direction": ("a\u202eb\u2066c", "abc"),
    "half a character": ("a\ud800b", "ab"),
    "blanks that are letters": ("a\u3164b\u2800\u115f", "ab"),
    "what joins nothing": ("a \u200d b\u200c \ufe0fc", "a  b c"),
    "a tag": ("a\U000e0041b", "ab"),
}


@pytest.mark.parametrize(("text", "pasted"), CHANGED.values(), ids=CHANGED)
def test_what_would_act_is_taken_out_or_defused(text: str, pasted: str) -> None:
    assert ready(text) == pasted


REFUSED = {
    "a command": ("/clear", "would be a command"),
    "a command behind a blank": (" /help", "would be a command"),
    "a command behind an invisible character": ("\u200b/help", "would be a command"),
    "a command behind a mark": ("\u0301/help", "would be a command"),
    "a line of a shell behind a mark": ("\u0301!ls", "would be a command"),
    "a command behind the end of a paste": ("\x1b[201~/exit", "would be a command"),
    "the path of a picture": ("/tmp/picture.png", "would be a command"),
    "a memory": ("# always run make", "would be a command"),
    "a backslash at the end": ("run this \\", "ends in a backslash"),
    "a backslash before blanks": ("run this \\ \n", "ends in a backslash"),
    **{word: (word, "would end Claude Code") for word in sorted(ENDS_THE_CLIENT)},
    "the end in capitals and blanks": (" Exit\n", "would end Claude Code"),
    "too long": ("x" * (LONGEST + 1), f"{LONGEST + 1} characters"),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_defused_is_refused(text: str, why: str) -> None:
    with pytest.raises(Problem, match=why) as refused:
        ready(text)
    assert refused.value.step


@pytest.mark.parametrize("text", ["", " \n\t", "\x1b[31m", "\u200b\u3164\u200d", "\x00", "\u0301"])
def test_an_empty_text_is_a_misuse(text: str) -> None:
    with pytest.raises(Misuse, match="empty"):
        ready(text)


HOSTILE = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            ["!", "/", "#", "\\", "\x1b[201~", "\x1b[200~", "\r", "\n", "\x9b", "\u200b", "\u200d", "exit"]
        ),
        st.characters(categories=["Cc", "Cf", "Zs", "Mn", "Cs"]),
    ),
    max_size=12,
).map("".join)


@given(HOSTILE)
@example("\u200d \u200d!x")
@example("\x1b\x1b[201~[201~")
def test_no_text_becomes_a_command_a_shell_line_an_early_enter_or_an_escape(text: str) -> None:
    try:
        pasted = ready(text)
    except Problem:
        return
    kinds = {unicodedata.category(char) for char in pasted if char not in "\n\u200c\u200d"}
    assert not kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}, "a key or an escape"
    assert not set(pasted) & set("\u115f\u1160\u2800\u3164\uffa0"), "what the client removes before it waits"
    shaped = [char for char in pasted if unicodedata.category(char)[0] not in "CMZ"]
    assert shaped, "nothing"
    assert shaped[0] not in "/#", "a command"
    assert shaped[0] != "!" or pasted[:2] == " !", "a line of a shell"
    assert not pasted.rstrip().endswith("\\"), "no Enter"
    assert pasted.strip().casefold() not in ENDS_THE_CLIENT, "the end of the client"
    assert ready(pasted) == pasted, "the same when it is read again"


def kept(prompt: str) -> str:
    """Return what the hook keeps of a prompt, which the client has cut at its end."""
    return str(trim("UserPromptSubmit", {"prompt": prompt.rstrip()})["facts"]["prompt"])


@pytest.mark.parametrize(
    "text",
    ["hello", "!ls", "a\nb", "x" * LONGEST, "use ghp_abcdefghijklmnopqrstuvwxyz0123456789", "password: hunter2hunter2"],
)
def test_a_prompt_of_the_journal_is_the_text_that_was_pasted(text: str) -> None:
    assert arrived(ready(text), kept(ready(text)))


def tagged(text: str) -> str:
    return f'\n\n<pasted_content id="e2b7">\n{text}\n</pasted_content id="e2b7">\n'


@pytest.mark.parametrize("text", ["hello", "a\n\nb", "x" * LONGEST, "password: hunter2hunter2"])
def test_the_tags_around_a_long_paste_are_no_part_of_it(text: str) -> None:
    assert arrived(ready(text), kept(tagged(ready(text))))


@pytest.mark.parametrize(
    "heard",
    [tagged("more"), f"more{tagged('hello')}", f"{tagged('hello')}more", tagged("")],
    ids=["another text", "more before it", "more after it", "nothing"],
)
def test_other_text_in_or_around_the_tags_is_another_prompt(heard: str) -> None:
    assert not arrived("hello", kept(heard))


def test_letters_that_the_client_composes_are_the_same_text() -> None:
    assert arrived("e\u0301\u0323 \u1112\u1161\u11ab", "\u1eb9\u0301 \ud55c")


@pytest.mark.parametrize("heard", ["", "hello", "hello world and more", "more\nhello world", "hello  world"])
def test_another_prompt_of_the_journal_is_not(heard: str) -> None:
    assert not arrived("hello world", heard)
