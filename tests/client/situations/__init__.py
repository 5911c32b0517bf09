"""List the situations of the real client, with what a person at its terminal would call each."""

from tests.client.situations.asks import ASKS, DIALOGS
from tests.client.situations.lives import APART, CONVERSATIONS, ENDS, OWN_HOOKS, UNHEARD
from tests.client.situations.refusals import REFUSALS, UNHEARD_LATER
from tests.client.situations.turns import BEHIND, CUT_SHORT, FAILURES, LIMITS, TURNS

SITUATIONS = (
    *TURNS,
    *CUT_SHORT,
    *ASKS,
    *DIALOGS,
    *REFUSALS,
    *BEHIND,
    *FAILURES,
    *LIMITS,
    *CONVERSATIONS,
    *ENDS,
    *OWN_HOOKS,
    *APART,
    *UNHEARD,
    *UNHEARD_LATER,
)
