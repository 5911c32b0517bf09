"""Set how many examples a law is tried with. DESKBELL_THOROUGH=1 takes every figure to its full size."""

import os

from hypothesis import settings

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))

settings.register_profile("quick", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=3_000)
settings.load_profile("thorough" if THOROUGH else "quick")
