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


TAG, ESCAPED = '<pasted_content id="1">a</Pasted_Content>', '<\\pasted_content id="1">a<\\/Pasted_Content>'
WORDS, ROWS = "word " * 400 + "end", "a line\n" * 8 + "end"
PARAGRAPHS = "one\n\n" * 3 + "two\n\n" * 3 + "end"


def in_two(text: str, at: int) -> str:
    """Return TEXT as the client reports it if it takes the paste in two parts."""
    first, second = text[:at], text[at:]
    return tagged(first.removesuffix("\n")) + tagged(second)


SAME = {
    "a tag": (f"what is {TAG}?", f"what is {ESCAPED}?"),
    "a tag in a client that lets it stand": ("what is <pasted_content>?", "what is <pasted_content>?"),
    "a tag that was escaped before": (f"what is {ESCAPED}?", f"what is {ESCAPED}?"),
    "a tag in a long paste": (f"{TAG} {WORDS}", tagged(f"{ESCAPED} {WORDS}")),
    "two parts of a line": (WORDS, in_two(WORDS, 1002)),
    "two parts after a word": (WORDS, in_two(WORDS, 1005)),
    "two parts of some lines": (ROWS, in_two(ROWS, 31)),
    "two parts at the end of a line": (ROWS, in_two(ROWS, 28)),
    "two parts before the end of a line": (ROWS, in_two(ROWS, 27)),
    "two parts between paragraphs": (PARAGRAPHS, in_two(PARAGRAPHS, 15)),
    "two parts in the middle of an empty line": (PARAGRAPHS, in_two(PARAGRAPHS, 14)),
    "two parts with a tag and a secret": (
        f"{TAG} password: hunter2hunter2 {WORDS}", in_two(f"{ESCAPED} password: hunter2hunter2 {WORDS}", 1002),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "reported"), SAME.values(), ids=SAME)
def test_what_the_client_does_to_a_text_does_not_make_it_another_one(text: str, reported: str) -> None:
    assert arrived(ready(text), kept(reported))


OTHERS = {
    "a tag where an escaped one was sent": ("what is <\\pasted_content>?", "what is <pasted_content>?"),
    "a tag escaped twice": ("what is <pasted_content>?", "what is <\\\\pasted_content>?"),
    "one of two tags escaped": ("<pasted_content> <pasted_content>", "<\\pasted_content> <pasted_content>"),
    "another tag escaped": ("what is <div>?", "what is <\\div>?"),
    "a text cut because of its tags": (f"<pasted_content>{'x' * (LONGEST - 16)}", f"<\\pasted_content>{'x' * LONGEST}"),
    "a line end in a short text": ("helloworld", "hello\nworld"),
    "a line end instead of a blank": (WORDS, f"{WORDS[:1004]}\n{WORDS[1005:]}"),
    "a line end near the start": (WORDS, f"{WORDS[:700]}\n{WORDS[700:]}"),
    "a line end near the end": (WORDS, f"{WORDS[:1300]}\n{WORDS[1300:]}"),
    "a line end after two lines": (ROWS, f"{ROWS[:17]}\n{ROWS[17:]}"),
    "two line ends": (WORDS, f"{WORDS[:1002]}\n\n{WORDS[1002:]}"),
    "three parts": ("x" * 3000, "\n".join(["x" * 1000] * 3)),
    "a line end less": (PARAGRAPHS, f"{PARAGRAPHS[:14]}{PARAGRAPHS[15:]}"),
    "the second part first": (WORDS, tagged(WORDS[1002:]) + tagged(WORDS[:1002])),
    "only the first part": (WORDS, tagged(WORDS[:1002])),
    "only the second part": (WORDS, tagged(WORDS[1002:])),
    "a word between two parts": (WORDS, f"{tagged(WORDS[:1002])}more{tagged(WORDS[1002:])}"),
    "a word after two parts": (WORDS, f"{in_two(WORDS, 1002)}more"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "reported"), OTHERS.values(), ids=OTHERS)
def test_a_text_with_any_other_difference_is_another_one(text: str, reported: str) -> None:
    assert not arrived(ready(text), kept(reported))


@given(st.text("ab \n<", max_size=7), st.text("ab \n<", max_size=7))
def test_two_short_texts_are_never_taken_for_the_same(text: str, other: str) -> None:
    assert arrived(text, other) is (text.strip() == other.strip())


def test_letters_that_the_client_composes_are_the_same_text() -> None:
    assert arrived("e\u0301\u0323 \u1112\u1161\u11ab", "\u1eb9\u0301 \ud55c")


@pytest.mark.parametrize("heard", ["", "hello", "hello world and more", "more\nhello world", "hello  world"])
def test_another_prompt_of_the_journal_is_not(heard: str) -> None:
    assert not arrived("hello world", heard)
