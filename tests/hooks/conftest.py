"""How hard are the laws tried? DESKBELL_THOROUGH=1 gives every figure its full size; without it the suite is quick."""

import os

from hypothesis import settings

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))

settings.register_profile("quick", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=3_000)
settings.load_profile("thorough" if THOROUGH else "quick")
