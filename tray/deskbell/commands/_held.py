"""Run a command in a terminal that Deskbell has opened, and that may have another environment than Deskbell."""

import argparse
import os
from collections.abc import Callable

from deskbell.errors import Problem, reason
from deskbell.home import with_tilde
from deskbell.terminal.out import ask, complain


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hold", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--home", help=argparse.SUPPRESS)
    parser.add_argument("--claude", help=argparse.SUPPRESS)


def held(run: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    """Run RUN with the folders that Deskbell uses. With --hold, wait for Enter after an error."""
    if args.home:
        os.environ["DESKBELL_HOME"] = args.home
    if args.claude:
        os.environ["CLAUDE_CONFIG_DIR"] = args.claude
    try:
        return run(args)
    except (Problem, OSError) as problem:
        if not args.hold:
            raise
        complain(with_tilde(reason(problem)))
        ask("Press Enter to close this window. ")
        return 1
