"""What picture goes with a status, in the form that notification daemons take?"""

from functools import cache

from deskbell_hooks.schema import Status
from deskbell_icons import pixels


@cache
def image_data(status: Status) -> list[object]:
    """(iiibiiay): width, height, bytes in a row, alpha, bits, channels, pixels."""
    size, rgba = pixels.sign(status)
    return [size, size, size * 4, True, 8, 4, rgba]
