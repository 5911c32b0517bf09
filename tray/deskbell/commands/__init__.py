"""Hold the commands of `deskbell`, one module each.

Each module has `arguments(parser)` and `run(args)`. `deskbell.__main__` imports the one that was typed; what several
commands share is in the modules with an underscore.
"""
