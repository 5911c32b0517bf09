"""Say in a phrase why a program is dangerous. Pure.

This table allows nothing and forbids nothing. A program that `reads` and `checks` do not list needs two clicks, whether
it is listed here or not. The phrase tells the person why.
"""

import re
from collections.abc import Sequence

from deskbell.answers.risk.words import names

PROGRAMS: dict[str, str] = {
    name: reason
    for reason, of in {
        "acts with the rights of another user": "sudo doas su pkexec runuser gosu setpriv runas capsh sg newgrp",
        "deletes files": """rm rmdir unlink shred srm wipe trash trash-put rimraf del erase rd remove-item ri
            truncate tmpwatch fdupes""",
        "writes to disks, mounts or boots": """dd mkfs mke2fs fdisk sfdisk gdisk parted mount umount losetup cryptsetup
            swapon swapoff lvremove vgremove pvremove zpool zfs btrfs diskutil hdiutil format wipefs fsck tune2fs
            efibootmgr grub-install blkdiscard hdparm mdadm dmsetup""",
        "stops or changes services or the machine": """systemctl service launchctl initctl rc-service update-rc.d
            chkconfig shutdown reboot halt poweroff init telinit systemd-run sysctl modprobe insmod rmmod kexec loginctl
            timedatectl hostnamectl nmcli ip ifconfig iptables nft ufw firewall-cmd route netsh sc reg pfctl
            setenforce auditctl swapoff""",
        "ends processes": "kill pkill killall killall5 xkill taskkill stop-process fuser skill tmux screen",
        "changes permissions or owners": """chmod chown chgrp chattr setfacl setcap chflags icacls takeown cacls umask
            xattr install""",
        "changes users or passwords": """passwd useradd userdel usermod groupadd groupdel gpasswd chsh chfn chpasswd
            adduser deluser visudo dscl net vipw""",
        "plans something for later": "crontab at batch atd anacron schtasks",
        "uses credentials": """aws gcloud az gsutil ssh-agent ssh-add ssh-keygen ssh-keyscan ssh-copy-id
            gpg gpg2 gpgconf
            security secret-tool pass op bw vault keyring keychain openssl age sops kinit klist doctl heroku
            fly flyctl vercel netlify firebase wrangler lpass kwallet-query getent gcore printenv""",
        "sends to or fetches from the network": """curl wget scp sftp ftp rsync nc ncat netcat socat telnet rclone s3cmd
            mail sendmail mutt http https xh httpie aria2c lftp tftp nslookup dig host ping whois invoke-webrequest iwr
            irm invoke-restmethod certutil bitsadmin smbclient ngrok cloudflared busybox toybox""",
        "works on another machine": "ssh mosh rsh rlogin telnet ansible ansible-playbook pssh winrs psexec salt fab",
        "runs or changes containers": """docker podman nerdctl docker-compose kubectl helm oc minikube kind
            k9s ctr crictl
            nsenter unshare chroot bwrap firejail lxc lxc-attach machinectl systemd-nspawn vagrant multipass""",
        "changes infrastructure": """terraform tofu terragrunt pulumi cdk serverless sam eksctl packer nomad consul cf
            aws-vault""",
        "works on a database": """psql mysql mariadb mongo mongosh redis-cli sqlite3 sqlcmd dropdb createdb pg_restore
            pg_dump mysqladmin mysqldump cqlsh influx clickhouse-client duckdb prisma alembic""",
        "publishes a package": "twine gem vsce ovsx cargo-release semantic-release changeset lerna np",
        "installs or removes software": """apt apt-get dpkg yum dnf rpm zypper pacman apk brew port snap
            flatpak nix nix-env
            pip pip3 pipx conda mamba choco winget scoop corepack nvm pyenv rbenv rustup asdf mise volta
            easy_install cpan luarocks opam cabal stack""",
        "moves or overwrites files": """mv cp ln tee sponge patch touch mkdir mktemp mkfifo split csplit
            tar unzip zip 7z
            gzip gunzip bzip2 xz zstd cpio ar rename mmv install ditto robocopy xcopy copy move ren out-file
            set-content add-content new-item copy-item move-item""",
        "changes what later commands do": """alias unalias export unset set shopt setopt source . trap hash enable
            declare typeset local readonly ulimit exec eval function""",
        "opens something outside the terminal": """open xdg-open start osascript xdotool ydotool wmctrl
            xclip xsel pbcopy
            wl-copy notify-send gsettings dconf defaults dbus-send busctl gdbus qdbus powershell pwsh cmd wscript
            cscript
            mshta rundll32 regsvr32 wmic""",
        "may write or run something by its options": "sed awk gawk mawk sort find fd fdfind less more man vi vim ed"
        " ex git",
        "asks another agent": "claude codex gemini aider cursor-agent opencode",
        "answers in your place": "deskbell",
    }.items()
    for name in of.split()
}

RUNNERS: dict[str, str] = {
    name: reason
    for reason, of in {
        "runs a text as a program": """sh bash zsh dash ksh fish csh tcsh ash rbash eval source . python python2 python3
            pypy pypy3 node nodejs deno bun perl ruby php lua luajit tclsh wish expect awk gawk mawk nawk osascript
            Rscript julia ghci scala groovy jshell iex elixir erl guile gdb lldb pwsh powershell irb ipython m4 ts-node
            tsx""",
        "runs another command": """env xargs nohup nice ionice timeout time stdbuf setsid command builtin exec watch
            parallel script unbuffer strace ltrace chronic flock taskset numactl chrt catchsegv valgrind entr
            find fd fdfind make npx bunx uvx pipx ssh docker podman kubectl sudo doas su runuser proot coproc
            start-stop-daemon run-parts rlwrap then else do if while until elif ! { in faketime dbus-launch xvfb-run
            screen tmux""",
    }.items()
    for name in of.split()
}
GIT: dict[str, str] = {
    name: reason
    for reason, of in {
        "sends commits to another machine": "push send-pack send-email request-pull svn p4",
        "can lose work or history": """reset clean rebase filter-branch filter-repo checkout restore switch
            stash gc prune
            reflog update-ref replace rm mv revert cherry-pick am apply merge pull read-tree checkout-index symbolic-ref
            branch tag notes bisect worktree sparse-checkout""",
        "writes commits": "commit add fast-import hash-object commit-tree update-index init",
        "fetches from another machine": "clone fetch remote submodule ls-remote lfs archive bundle daemon",
        "runs another command": "difftool mergetool instaweb gui hook maintenance",
        "uses credentials": "credential credential-store credential-cache credential-manager",
    }.items()
    for name in of.split()
}
PACKAGERS = names("npm yarn pnpm bun cargo poetry uv hatch flit gem mvn gradle dotnet nuget twine deno jsr")
_PUBLISH = names("publish unpublish deprecate dist-tag owner access yank upload push deploy release")
_INSTALL = names("install i add ci remove uninstall update upgrade link exec dlx create init sync get")
_FORCE = re.compile(r"--(?:force|mirror|delete|prune)|-[a-zA-Z]*[fd]|\+|:")
_SQL = re.compile(r"\b(?:drop|truncate|delete\s+from|alter)\b", re.IGNORECASE)


def danger(words: Sequence[str], piped: bool = False) -> str | None:
    """Return the phrase for the command WORDS; None if nothing is known of it. PIPED: it reads from a pipe."""
    if not words:
        return None
    name, rest = _base(words[0]), list(words[1:])
    if name == "git":
        return _git(rest)
    if name in PACKAGERS and (found := _packager(rest)):
        return found
    if name in RUNNERS and not PROGRAMS.get(name, "").startswith("acts with"):
        return _inner(rest) or ("runs what comes through a pipe" if piped else PROGRAMS.get(name, RUNNERS[name]))
    if PROGRAMS.get(name) == "works on a database" and any(map(_SQL.search, rest)):
        return "may delete what is in a database"
    return PROGRAMS.get(name)


def _base(name: str) -> str:
    """Return the name of the program at a path, in small letters, without an ending of Windows such as `.exe`."""
    name = name.replace("\\", "/").rpartition("/")[2].casefold()
    return re.sub(r"\.(?:exe|cmd|bat|com)$", "", name)


def _git(rest: list[str]) -> str:
    verbs = [word for word in rest if word in GIT]
    if "push" in verbs[:1] and any(_FORCE.match(word) for word in rest):
        return "may overwrite or delete commits of others"
    return GIT[verbs[0]] if verbs else PROGRAMS["git"]


def _packager(rest: list[str]) -> str | None:
    verbs = {word for word in rest if not word.startswith("-")}
    if verbs & _PUBLISH:
        return "publishes a package"
    return "installs or removes software" if verbs & _INSTALL else None


def _inner(rest: list[str]) -> str | None:
    """Return the phrase for what a runner runs: for the first dangerous program that its words name."""
    inner = [one for word in rest[:200] for one in re.split(r"[\s;&|(){}'\"`$,\[\]]+", word[:2000])]
    names = (_base(one) for one in inner if one)
    return next((PROGRAMS[name] for name in names if name in PROGRAMS and name not in RUNNERS), None)
