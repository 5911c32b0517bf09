"""deskbell run: the tray icon and the notifications, until it is told to quit."""

import argparse
import logging
import os
import sys

from deskbell.home import home
from deskbell.program.single import Other, claim


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--headless", action="store_true", help="notifications only, without a tray icon")
    parser.add_argument("--install", action="store_true", help="install the hooks first")


def run(args: argparse.Namespace) -> int:
    # Not in the state folder: that one may be deleted while Deskbell runs.
    claimed = claim(home().data / "running")
    if isinstance(claimed, Other):
        return _show(claimed)
    # Looking for plugins reads the metadata of all that is installed: https://docs.pydantic.dev/latest/concepts/plugins
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    from deskbell.program import log
    from deskbell.program.assembly import Program  # only now, so that a second start costs nothing

    handler = log.start(home().state)
    try:
        Program(home(), args.headless).run(install=args.install)
    finally:
        logging.getLogger("deskbell").info("Deskbell ends")
        handler.close()
        claimed.release()
    return 0


def _show(other: Other) -> int:
    from deskbell.__main__ import main

    print(f"Deskbell runs already{f' (process {other.pid})' if other.pid else ''}:", file=sys.stderr)
    return main(["list"])
