"""Write the table of characters that look alike, from Unicode's confusables data as a package on PyPI carries them.

`make lookalikes` runs it with the file to write, beside the package confusable-homoglyphs. The package names each
character with those that look like it, in both directions. Unicode chose one of them as the prototype, which stands for
all: of two, it is the one that is longer, or that more characters look like.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path

HEAD = """\
# Characters that look alike: each line has a prototype and the characters that look like it, as hexadecimal numbers.
# `make lookalikes` writes this file from confusables.txt of Unicode Technical Standard 39, as the package
# confusable-homoglyphs {version} carries it. The order and the form of the data are changed.
#
# UNICODE LICENSE V3
#
# COPYRIGHT AND PERMISSION NOTICE
#
# Copyright (c) 1991-2024 Unicode, Inc.
#
# NOTICE TO USER: Carefully read the following legal agreement. BY DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING
# DATA FILES, AND/OR SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE TERMS AND CONDITIONS OF
# THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.
#
# Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated
# documentation (the "Data Files") or software and any associated documentation (the "Software") to deal in the Data
# Files or Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
# distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data Files or Software
# are furnished to do so, provided that either (a) this copyright and permission notice appear with all copies of the
# Data Files or Software, or (b) this copyright and permission notice appear in associated Documentation.
#
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
# LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY
# RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY
# SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
# WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
# PERFORMANCE OF THE DATA FILES OR SOFTWARE.
#
# Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to
# promote the sale, use or other dealings in these Data Files or Software without prior written authorization of the
# copyright holder.
"""
MARK = "\u200e"
"""Unicode's file has it around right-to-left characters in comments, and the package took it over."""


def table(alike: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield a line for each prototype. ALIKE: each text with those that look like it."""
    both = defaultdict[str, set[str]](set)
    for one, others in alike.items():
        for other in others:
            both[_bare(one)].add(_bare(other))
            both[_bare(other)].add(_bare(one))
    found = defaultdict[str, set[str]](set)
    for one, others in both.items():
        prototype = max((one, *others), key=lambda text: (len(text), len(both[text]), -ord(text[0])))
        found[prototype].add(one)
    for prototype, sources in sorted(found.items()):
        yield " ".join((_hex(prototype), *map(_hex, sorted(sources - {prototype}))))


def _bare(text: str) -> str:
    return text.replace(MARK, "")


def _hex(text: str) -> str:
    return "+".join(f"{ord(char):x}" for char in text)


def main(file: str) -> None:
    package = distribution("confusable-homoglyphs")
    data = Path(str(package.locate_file("confusable_homoglyphs/confusables.json")))
    given = json.loads(data.read_text(encoding="utf-8"))
    lines = table({one: [other["c"] for other in others] for one, others in given.items()})
    Path(file).write_text(HEAD.format(version=package.version) + "\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
