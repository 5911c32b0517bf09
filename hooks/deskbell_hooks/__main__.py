"""Start the recorder, the asker, the statusline, or the part of tmux's status line.

Claude Code runs this file: `python -I -S .../__main__.py record STATE_FOLDER`, or `ask` or `statusline`; tmux runs it
with `tmuxline`. It stays tiny because Python compiles this file anew at every start; all other modules are cached.
"""

import gc
import sys

gc.disable()  # the process ends before there is garbage worth collecting; looking for it takes 0.08 ms

own = __file__.replace("\\", "/") if sys.platform == "win32" else __file__
sys.path.insert(0, own.rpartition("/")[0].rpartition("/")[0] or ".")

if len(sys.argv) == 3 and sys.argv[1] == "record" and sys.argv[2]:
    from deskbell_hooks.record import main

    main(sys.argv[2])
elif len(sys.argv) == 3 and sys.argv[1] == "ask" and sys.argv[2]:
    from deskbell_hooks.ask import main as ask

    ask(sys.argv[2])
elif len(sys.argv) >= 4 and sys.argv[1] == "statusline":
    from deskbell_hooks.statusline import main as show

    show(sys.argv[2:])
elif len(sys.argv) >= 3 and sys.argv[1] == "tmuxline" and sys.argv[2]:
    from deskbell_hooks.tmuxline import main as write

    write(sys.argv[2], "".join(sys.argv[3:4]))
