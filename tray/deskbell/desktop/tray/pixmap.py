"""How does a picture travel over D-Bus? As width, height and the four bytes of every pixel, alpha first."""

from PIL import Image

Pixmap = list[int | bytes]


def pixmap(picture: Image.Image) -> Pixmap:
    red, green, blue, alpha = picture.convert("RGBA").split()
    return [picture.width, picture.height, Image.merge("RGBA", (alpha, red, green, blue)).tobytes()]
