"""What Claude Code starts, by file: `python -I -S .../deskbell_hooks/__main__.py record STATE_FOLDER`.

Kept tiny because Python compiles the file it is given anew at every start; the rest comes from compiled modules.
"""

import sys

sys.path.insert(0, __file__.replace("\\", "/").rpartition("/")[0].rpartition("/")[0] or ".")

if len(sys.argv) == 3 and sys.argv[1] == "record" and sys.argv[2]:
    from deskbell_hooks.record import main

    main(sys.argv[2])
