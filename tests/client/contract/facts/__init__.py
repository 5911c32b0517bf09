"""The table of all facts that Deskbell's rules rest on, and which modules rest on each."""

from tests.client.contract.facts import answers, dialogs, lives, registry, transcript, turns

FACTS = (*lives.FACTS, *turns.FACTS, *dialogs.FACTS, *answers.FACTS, *registry.FACTS, *transcript.FACTS)
