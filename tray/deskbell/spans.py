"""When is a span of time over that a person types: "90s", "30m", "2h", "3d", "tomorrow"?"""

import re

from deskbell.errors import Problem
from deskbell.notices.quiet import until

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def end_of(span: str, now: float) -> float:
    if span == "tomorrow":
        return until("tomorrow", now)
    found = re.fullmatch(r"(\d{1,6})\s*([smhd])(?:in|our|ours|ay|ays)?", span.strip().lower())
    if not found or int(found[1]) == 0:
        raise Problem(f"{span!r} is no span of time; write 30m, 2h, 3d or tomorrow.")
    return now + int(found[1]) * SECONDS[found[2]]
