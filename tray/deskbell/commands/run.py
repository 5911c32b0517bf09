"""`deskbell run`: the tray icon and the notifications, until the person quits it."""

import argparse
import logging
import os

from deskbell.home import home
from deskbell.program.single import Other, claim
from deskbell.terminal.out import complain


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--headless", action="store_true", help="show notifications only, no tray icon")
    parser.add_argument("--install", action="store_true", help="install the hooks first")


def run(args: argparse.Namespace) -> int:
    # The state folder may be deleted while Deskbell runs, so the lock is elsewhere.
    places = home()
    claimed = claim(places.data / "running")
    if isinstance(claimed, Other):
        return _show(claimed)
    # The search for plugins reads the metadata of every installed package: https://docs.pydantic.dev/latest/concepts/plugins
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    from deskbell.desktop.descriptors import allow_enough
    from deskbell.program import log
    from deskbell.program.assembly import Program  # imported here, so that a second start costs little

    handler = log.start(places.state)
    allow_enough()
    try:
        Program(places, args.headless).run(install=args.install)
    except Exception:
        logging.getLogger("deskbell").exception("Deskbell cannot go on")
        raise
    finally:
        logging.getLogger("deskbell").info("Deskbell ends")
        handler.close()
        claimed.release()
    return 0


def _show(other: Other) -> int:
    from deskbell.__main__ import main

    complain(f"Deskbell is already running{f' (process {other.pid})' if other.pid else ''}:")
    return main(["list"])
