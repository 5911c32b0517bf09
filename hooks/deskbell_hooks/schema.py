"""What is on disk: the shapes of an event, of a journal line and of a record. The contract between hook and tray.

Types cost nothing at run time; nothing here is imported by the hook itself.
"""

from typing import Literal

VERSION = 1

Status = Literal[
    "permission",
    "question",
    "input",
    "interrupted",
    "error",
    "plan",
    "idle",
    "working",
    "background",
    "ended",
    "crashed",
]
