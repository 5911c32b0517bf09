"""Write what the sessions do into the options of their tmux panes, and put our formats and keys into tmux servers."""
