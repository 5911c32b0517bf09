"""Make every call of the program that can fail do so, one after the other, in an afternoon with three sessions.

`calls` lists the calls and the errors that each can have. `injector` counts the calls that the program makes and lets
one of them fail, or one and all later ones. `afternoon` plays the real parts of the program on real files, with a clock
that the story moves, on the `machine` that it needs; `evening` says what came of it. `test_faults` plays it once for each
fault and says what must be true afterwards. `test_hook_faults` does the same to the hook, which `hook` runs. `desktop`
plays the icon and the notifications on a bus whose calls fail, for `test_bus_faults`. `sampling` chooses the faults: an
evenly spread part of them, or all with DESKBELL_THOROUGH=1.

This is the one place that puts something else in the place of functions of the system: a real disk, process table or
network fails in few of these ways, and none fails at the call that a test names.
"""
