#!/bin/sh
# The entry for the Tmux Plugin Manager: it shows the sessions of Claude Code in tmux, as `deskbell tmux install` does,
# and leaves tmux.conf alone. Deskbell itself has to be installed. Other keys: set -g @deskbell-jump-key M-u
if ! command -v deskbell >/dev/null 2>&1; then
    tmux display-message "Deskbell: put deskbell on the PATH of tmux, then reload tmux.conf."
    exit 0
fi
set -- tmux install --no-conf
jump=$(tmux show-options -gqv @deskbell-jump-key)
board=$(tmux show-options -gqv @deskbell-board-key)
[ -n "$jump" ] && set -- "$@" --jump-key "$jump"
[ -n "$board" ] && set -- "$@" --board-key "$board"
deskbell "$@" >/dev/null 2>&1 || tmux display-message "Deskbell: run 'deskbell tmux install' to see what is wrong."
