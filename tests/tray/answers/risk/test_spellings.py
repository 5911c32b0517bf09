"""Test the law that no spelling of a dangerous operand is milder than its plainest one."""

import os
import shlex
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskbell.answers.risk import Place, risk
from deskbell.answers.risk.kind import SEVERITY
from deskbell.answers.risk.links import linked
from tests.tray.answers.risk.table import AT

MANY = 20_000 if os.environ.get("DESKBELL_THOROUGH") else 400
OPERANDS = [".env", "prod.env", "config/master.key", "deploy_rsa", "secrets/db.txt", "stripe-token.txt", ".npmrc", "server.pem",
            "../other/notes.txt", "~/.netrc", "~/Documents/a.txt", "/etc/openvpn/x.conf", "/proc/self/environ",
            ".git/config", "~/.ssh/id_rsa", "/home/ann/.bashrc"]  # fmt: skip
READERS = ["cat {}", "cat -n {}", "head -5 {}", "tail -n 3 {}", "nl {}", "cut -c1-9 {}", "sort {}", "uniq {}", "paste {}", "fold {}",
           "od -c {}", "xxd {}", "strings {}", "sed -n 1p {}", "awk 1 {}", "grep -n foobar {}", "rg foobar {}", "diff {} a.txt",
           "diff a.txt {}", "comm {} b", "cmp {} b", "md5sum {}", "jq . {}", "cat a.txt {}", "cat {} a.txt", "tac {}", "rev {}",
           "column -t {}", "hexdump -C {}", "cat -- {}", "cat < {}", "tr a b < {}", "git blame {}", "shellcheck {}"]  # fmt: skip
CHOOSERS = ["rg foobar -g {}", "rg foobar -g{}", "rg --glob {} foobar", "rg --glob={} foobar", "rg foobar --iglob={}",
            "grep -rn --include={} foobar .", "grep -rn foobar --include={}", "git log -L1,5:{}", "git show HEAD:{}",
            "git log -p -2 -- {}", "git diff HEAD -- {}", "git grep foobar -- {}"]  # fmt: skip


def severity(command: str) -> int:
    return SEVERITY[risk("Bash", {"command": command}, AT).verdict]


def escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign not in "~/" else sign for sign in text)


def coded(text: str) -> str:
    return "$'" + "".join(f"\\x{ord(sign):02x}" for sign in text) + "'"


def quoted_from(text: str, quote: str) -> str:
    """Quote all but what the shell must see bare: the tilde of the home."""
    bare, rest = (text[:2], text[2:]) if text.startswith("~/") else ("", text)
    return f"{bare}{quote}{rest}{quote}"


def stepped(text: str) -> str:
    head, slash, last = text.rpartition("/")
    return f"{head}{slash}.//{last}" if slash else f".//{last}"


SPELLINGS = {
    "in single quotes": lambda text: quoted_from(text, "'"),
    "in double quotes": lambda text: quoted_from(text, '"'),
    "escaped": escaped,
    "in codes": lambda text: text if text.startswith("~") else coded(text),
    "with a quote inside": lambda text: f"{text[:-1]}''{text[-1]}",
    "with a step that leads nowhere": stepped,
    "with a step up": lambda text: text if text[0] in "~/" else f"src/../{text}",
    "from the folder of the project": lambda text: text if text[0] in "~/" else f"/home/ann/work/shop/{text}",
    "as the folder that it is in": lambda text: text if text[0] in "~/" else f"$PWD/{text}",
    "with braces": lambda text: f"{text[:-1]}{{{text[-1]},}}",
    "with a question mark": lambda text: f"{text[:-2]}?{text[-1]}",
    "with brackets": lambda text: f"{text[:-1]}[{text[-1]}]",
    "with a variable that is empty": lambda text: f"{text[:-1]}$X{text[-1]}",
    "over two lines": lambda text: f"{text[:-1]}\\\n{text[-1]}",
}
AROUND = ["{}", "{} 2>&1", "{} 2>/dev/null", "{} | head -50", "{} 2>&1 | tail -3", "ls && {}", "ls; {}", "ls || {}", "cd . && {}",
          "timeout 60 {}", "time {}", "CI=1 {}", "NO_COLOR=1 {}", "  {}", "ls | {}", "{} && ls", "{} > /dev/null"]  # fmt: skip


@pytest.mark.parametrize("operand", OPERANDS)
def test_the_plainest_spelling_is_not_plain(operand: str) -> None:
    assert [reader for reader in READERS if not severity(reader.format(operand))] == []


@given(st.sampled_from(READERS), st.sampled_from(OPERANDS), st.sampled_from(list(SPELLINGS)), st.sampled_from(AROUND))
@settings(max_examples=MANY, deadline=None)
def test_no_spelling_of_what_is_read_is_milder(reader: str, operand: str, spelling: str, around: str) -> None:
    """The shell gives all of them to the program as the same word, or as a word that matches the same file."""
    spelled = around.format(reader.format(SPELLINGS[spelling](operand)))
    assert severity(spelled) >= min(severity(reader.format(operand)), 1)


@given(st.sampled_from(READERS), st.sampled_from(OPERANDS), st.sampled_from(AROUND))
@settings(max_examples=MANY, deadline=None)
def test_nothing_around_a_command_makes_it_milder(reader: str, operand: str, around: str) -> None:
    assert severity(around.format(reader.format(operand))) >= severity(reader.format(operand))


@given(
    st.sampled_from(READERS),
    st.sampled_from(OPERANDS),
    st.sampled_from(["in single quotes", "in double quotes", "escaped"]),
)
@settings(max_examples=MANY, deadline=None)
def test_no_quote_makes_a_guarded_place_milder(reader: str, operand: str, spelling: str) -> None:
    plainest = reader.format(operand)
    assert severity(reader.format(SPELLINGS[spelling](operand))) >= severity(plainest)


@given(
    st.sampled_from(CHOOSERS),
    st.sampled_from([one for one in OPERANDS if one[0] not in "~/" and ".." not in one]),
    st.data(),
)
@settings(max_examples=MANY, deadline=None)
def test_no_spelling_of_what_chooses_files_is_plain(chooser: str, operand: str, data: st.DataObject) -> None:
    names = ["in single quotes", "in double quotes", "escaped", "in codes", "with a quote inside"]
    spelled = SPELLINGS[data.draw(st.sampled_from(names))](operand)
    assert severity(chooser.format(operand)) >= 1
    assert severity(data.draw(st.sampled_from(AROUND)).format(chooser.format(spelled))) >= 1


OWN_PATTERNS = ["*.env", ".env*", ".en?", ".e[n]v", ".[^x]nv", "**/.env", "**/*.pem", "*.{pem,txt}", "{a.py,.npmrc}", "id_*", "*.key",
                ".aws/**", "secrets/**", "*", "**", ".*", "*secret*", "*.PEM", ".ENV", "*token*.txt", "{a,b}.{c,d}", "x" * 201, ".git/**", ".claude/*"]  # fmt: skip
OTHER_PATTERNS = [
    "*.ts",
    "*.{ts,tsx}",
    "**/*.py",
    "src/**/*.go",
    "*.md",
    "Makefile",
    "*_test.go",
    "!.env",
    "!*.pem",
    "test_*.py",
]


@pytest.mark.parametrize(
    "option",
    ["rg foobar -g '{}'", "rg foobar --glob='{}'", "rg --iglob '{}' foobar", "grep -rn --include='{}' foobar ."],
)
def test_a_pattern_of_the_program_is_a_path(option: str) -> None:
    assert [one for one in OWN_PATTERNS if not severity(option.format(one))] == []
    assert [one for one in OTHER_PATTERNS if severity(option.format(one))] == []


ODD = [
    " ",
    "'",
    '"',
    "=",
    ":",
    ";",
    "|",
    "&",
    "<",
    ">",
    "\\",
    "(",
    ")",
    "#",
    "$",
    "*",
    "?",
    "[",
    "!",
    ",",
    "@",
    "%",
    "^",
    "`",
    "ä",
    "~",
]
NAMES = st.lists(st.sampled_from([*ODD, "a", "b"]), min_size=1, max_size=5).map("".join).map(lambda name: f"x{name}y")


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A home with guarded places and with what is private, and a project."""
    home = tmp_path_factory.mktemp("disk") / "ann"
    for folder in (home / ".ssh", home / "shop" / "sub", home / "private"):
        folder.mkdir(parents=True)
    for file in (home / ".ssh" / "config", home / "private" / "notes.txt", home / "shop" / "a.txt"):
        file.write_text("x\n")
    return Place(str(home / "shop"), str(home / "shop"), str(home))


LINKED = ["cat {}", "grep foobar {}", "head -n 2 {}", "cat < {}", "ls; cat {}", "cd sub && cat ../{}", "wc -l a.txt {}"]


@given(st.data())
@settings(max_examples=MANY // 2, deadline=None)
def test_no_name_of_a_link_hides_where_it_leads(disk: Place, data: st.DataObject) -> None:
    reader, name = data.draw(st.sampled_from(LINKED)), data.draw(NAMES)
    guarded, folder = data.draw(st.booleans()), data.draw(st.booleans())
    project, target = Path(disk.project), Path(disk.home, ".ssh/config" if guarded else "private/notes.txt")
    link = project / name
    link.symlink_to(target.parent if folder else target)
    spelled = shlex.quote(name) + (f"/{target.name}" if folder else "")
    try:
        found = linked("Bash", {"command": reader.format(spelled)}, disk)
    finally:
        link.unlink()
    assert found.verdict == "jump" if guarded else found.verdict != "plain"
