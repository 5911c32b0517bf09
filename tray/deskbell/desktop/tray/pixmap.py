"""Convert a picture to its form on D-Bus: width, height and the four bytes of every pixel, alpha first. Pure."""

from deskbell_icons.pixels import Pixels

Pixmap = list[int | bytes]


def pixmap(picture: Pixels) -> Pixmap:
    """Return PICTURE in the form of D-Bus."""
    argb = bytearray(len(picture.rgba))
    for place, channel in enumerate((3, 0, 1, 2)):
        argb[place::4] = picture.rgba[channel::4]
    return [picture.size, picture.size, bytes(argb)]
