"""Write the icon of the program in every format that a package needs: `python -m deskbell_drawings FOLDER`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from deskbell_drawings import app, scenes, shapes
from deskbell_icons.formats import save_ico

PNG_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512, 1024)
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
ICNS_SIZES = (32, 64, 128, 256, 512, 1024)


def main(argv: Sequence[str]) -> int:
    if len(argv) != 1 or argv[0].startswith("-"):
        print("usage: python -m deskbell_drawings FOLDER", file=sys.stderr)
        return 2
    for path in write(Path(argv[0])):
        print(path)
    return 0


def write(folder: Path) -> list[Path]:
    """Write every file into FOLDER, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [*_pngs(folder), _svg(folder), _ico(folder), _icns(folder)]


def _pngs(folder: Path) -> list[Path]:
    paths = [folder / f"deskbell-{size}.png" for size in PNG_SIZES]
    for path, size in zip(paths, PNG_SIZES, strict=True):
        app(size).save(path, optimize=True)
    return paths


def _svg(folder: Path) -> Path:
    path = folder / "deskbell.svg"
    path.write_text(shapes.svg(scenes.app(256), 256), encoding="utf-8")
    return path


def _ico(folder: Path) -> Path:
    save_ico([app(size) for size in ICO_SIZES], path := folder / "deskbell.ico")
    return path


def _icns(folder: Path) -> Path:
    *smaller, largest = (app(size) for size in ICNS_SIZES)
    largest.save(path := folder / "deskbell.icns", append_images=smaller)
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
