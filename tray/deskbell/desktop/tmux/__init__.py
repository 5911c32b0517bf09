"""Write what the sessions do into tmux, as options of their panes, and put our formats and keys into its servers."""
