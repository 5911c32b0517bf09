"""Write what the sessions do into the options of their tmux panes, and put Deskbell's formats and keys into servers.

`panes` keeps the options up to date, `applied` puts formats and keys into a server, and `server` runs commands in one.
The names of the options are in `deskbell_hooks.panes`, because the hook writes them, too.
"""
