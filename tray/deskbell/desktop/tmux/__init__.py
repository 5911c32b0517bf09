"""Write what the sessions do into the options of their tmux panes, and put our formats and keys into tmux servers.

`panes` keeps the options up to date, `applied` puts formats and keys into a server, `server` asks one. The words of the
options are in `deskbell_hooks.panes`, because the hook writes them, too.
"""
