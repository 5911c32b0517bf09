#!/bin/sh
# The Tmux Plugin Manager runs this file. It does what `deskbell tmux install` does, but leaves tmux.conf alone.
# Deskbell itself must be installed. Other keys: set -g @deskbell-jump-key M-u, set -g @deskbell-board-key M-b
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
