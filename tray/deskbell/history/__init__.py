"""Read, summarise, follow and prune the journals, which say what happened in each session."""
