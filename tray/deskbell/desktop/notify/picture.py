"""What picture goes with a status, in the form that notification daemons take?"""

from functools import cache

from deskbell_hooks.schema import Status
from deskbell_icons import notice

SIZE = 48


@cache
def image_data(status: Status) -> list[object]:
    """(iiibiiay): width, height, bytes in a row, alpha, bits, channels, pixels."""
    picture = notice(status, SIZE).convert("RGBA")
    return [SIZE, SIZE, SIZE * 4, True, 8, 4, picture.tobytes()]
