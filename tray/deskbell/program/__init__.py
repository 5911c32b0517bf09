"""Run the program: build its parts, run its loop, carry out clicks, and go on when a part breaks.

`deskbell run` starts it. Other commands use single modules: `single`, `boundary`, `jumping`, `replying`, `resuming`.
"""
