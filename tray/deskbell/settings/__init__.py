"""Add Deskbell to the settings of Claude Code and of tmux, remove it again to the byte, and report what is installed.

`install` adds the hooks: `hooks_text` edits the text, `registration` words the commands, `settings_file` and `exchange`
replace the file. `line_install` adds the statusline: `line_text` edits the text, `line_command` words the command. The
modules `tmux_*` write the files of `deskbell tmux install`. `hooks_state` and `state` report what is installed.
"""
