"""Test that texts which a person cannot tell apart are reduced to the same, and the writer of the table."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deskbell.text.lookalikes import FILE, look

WRITER = Path(__file__).parents[3] / "packaging" / "lookalikes.py"

ALIKE = [
    ("paypal", "p\u0430yp\u0430l"),
    ("rn", "m"),
    ("O0", "0O"),
    ("a-b", "a\u2014b"),
    ("a-b", "a\u2212b"),
    ("\u30fc", "\u4e00"),
    ("\u00e9", "e\u0301"),
    ("\uff21", "A"),
    ("%", "\u066a"),
    ("a b", "a\u3000b"),
    ("a", "a\ufe0f"),
    ("", "\u00ad\u200b"),
]
DIFFERENT = [("a", "b"), ("A", "a"), ("e", "\u00e9"), ("\u4e8c", "\u4e09"), ("\u0434\u0430", "aa"), ("+", "-")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_texts_that_look_alike_are_reduced_to_the_same(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_texts_that_look_different_are_not(one: str, other: str) -> None:
    assert look(one) != look(other)


@given(st.text(max_size=20), st.text(max_size=20))
@example("", "\u00d9\u00b8")
def test_what_it_looks_like_looks_like_itself_wherever_it_stands(one: str, other: str) -> None:
    assert look(look(one)) == look(one)
    assert look(f"{one}.{other}") == look(f"{look(one)}.{look(other)}")


def test_every_character_has_one_prototype_at_the_most() -> None:
    rows = [line.split() for line in FILE.read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    sources = [one for _, *more in rows for one in more]
    assert len(sources) > 6000
    assert len(sources) == len(set(sources))
    assert not {prototype for prototype, *_ in rows} & set(sources)


def test_the_writer_puts_each_character_beside_its_prototype(tmp_path: Path) -> None:
    (tmp_path / "confusable_homoglyphs").mkdir()
    (tmp_path / "confusable_homoglyphs-9.8.dist-info").mkdir()
    metadata = tmp_path / "confusable_homoglyphs-9.8.dist-info" / "METADATA"
    metadata.write_text("Metadata-Version: 2.1\nName: confusable-homoglyphs\nVersion: 9.8\n")
    alike = {"a": ["\u0430", "\u0251"], "\u0430": ["a"], "m": ["rn"], "\u200e\u05c0\u200e": ["l"], "\u05c0": ["l"]}
    given = {one: [{"c": other, "n": "A NAME"} for other in others] for one, others in alike.items()}
    (tmp_path / "confusable_homoglyphs" / "confusables.json").write_text(json.dumps(given), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, WRITER, tmp_path / "table.txt"], env=environment, check=True, timeout=60)
    lines = (tmp_path / "table.txt").read_text(encoding="ascii").splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["61 251 430", "6c 5c0", "72+6e 6d"]
    assert any("confusable-homoglyphs 9.8 " in line for line in lines)
    assert any("UNICODE LICENSE" in line for line in FILE.read_text(encoding="ascii").splitlines())
