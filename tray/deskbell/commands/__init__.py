"""Hold the commands of `deskbell`, one module each.

Each module has `arguments(parser)` and `run(args)`. `deskbell.__main__` imports the module of the command that was
typed. Modules with an underscore hold what several commands share.
"""
