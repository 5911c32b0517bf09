"""Set how thoroughly the hook is tested. DESKBELL_THOROUGH=1 takes every figure to its full size."""

import os

THOROUGH = bool(os.environ.get("DESKBELL_THOROUGH"))
