"""List the commands that only read, each with the one shape in which it does. Pure.

`shapes` explains the shapes. A command or an option that is not listed takes two clicks. The list leaves out every
option that writes a file (`sort -o`, `git log --output`), runs a program (`rg --pre`, `find -exec`) or prints the
environment, where keys are. It also leaves out the programs that do so by themselves: `env`, `printenv`, `less`, `man`,
`xargs`, `tee`.
"""

from deskbell.answers.risk.words import names

_SEARCH = (
    "-e=search --regexp=search"
    " -r -R -n -i -v -w -x -c -l -L -h -H -o -q -s -E -F -P -G -a -I --recursive --line-number --ignore-case --count"
    " --invert-match"
    " --files-with-matches --files-without-match --word-regexp --only-matching --quiet --no-messages --extended-regexp"
    " --fixed-strings --no-filename --with-filename -A=context -B=context -C=context -m=number --context=context"
    " --after-context=context --before-context=context --max-count=number --include=chosen --exclude=any"
    " --exclude-dir=any"
    " --color~any --colour~any -# safe"
)
_RIPGREP = (
    "search path* -e=search --regexp=search"
    " -n -N -i -S -s -w -x -v -c -l -o -q -F -P -U -H -I -L -p --line-number --ignore-case --smart-case"
    " --count"
    " --files-with-matches --files-without-match --fixed-strings --word-regexp --only-matching --invert-match --json"
    " --no-heading --heading --multiline --stats --trim --vimgrep --pcre2 --column --no-line-number --no-filename"
    " --follow"
    " -A=context -B=context -C=context -m=number --context=context --after-context=context --before-context=context"
    " --max-count=number --max-depth=number -d=number -g=chosen --glob=chosen --iglob=chosen -t=name -T=name"
    " --type=name --type-not=name --color=name --sort=name"
)
_SUM = "path* -b -t --tag --quiet --status -c --check safe"
_LOG = (
    "--oneline --graph --all --decorate --no-decorate --stat --shortstat --numstat --name-only --name-status --summary"
    " --patch --no-patch --reverse --merges --no-merges --first-parent --follow --no-color --abbrev-commit --cc -p"
    " -u -s -w"
    " -b -M -C -z --no-renames --raw --no-ext-diff --no-textconv --date-order --topo-order --cherry-pick --left-right"
    " --color~name --decorate~name --pretty~any --format=any --date=any --since=any --until=any --after=any"
    " --before=any"
    " --author=any --committer=any --grep=hunt -S=hunt -G=hunt -i -n=number --max-count=number --skip=number -L=traced"
    " -#"
    " -U=number"
    " --unified=number --relative~any --diff-filter=name --abbrev~number --stat~any --word-diff~name --find-renames~any"
)
_DIFF = (
    _LOG + " --cached --staged --merge-base --check --quiet --exit-code --ignore-all-space --ignore-space-change"
    " --ignore-blank-lines --ignore-space-at-eol --minimal --patience --histogram --color-words --word-diff"
    " --compact-summary"
    " --dirstat --full-index --binary --text -a -R --function-context -W --diff-algorithm=name"
)

READS: dict[str, str] = {
    "ls": "folder* -a -A -l -h -r -t -S -R -1 -d -F -i -s -p -n -g -o -G -L -H -c -u -U -X -v -m -x -C -B -k --all"
    " --almost-all"
    " --human-readable --recursive --directory --reverse --inode --size --classify --full-time"
    " --group-directories-first"
    " --color~name --sort=name --time=name --time-style=any safe",
    "cat": "path* -n -b -A -E -T -e -s -t -u -v --number --number-nonblank --show-all --show-ends --show-tabs safe",
    "tac": "path* safe",
    "rev": "path* safe",
    "nl": "path* -b=name -w=number -s=any safe",
    "head": "path* -n=number -c=number -q -v -# --lines=number --bytes=number --quiet --verbose safe",
    "tail": "path* -n=number -c=number -q -v -# --lines=number --bytes=number --quiet --verbose safe",
    "wc": "path* -l -w -c -m -L --lines --words --bytes --chars --max-line-length safe",
    "cut": "path* -d=any -f=any -c=any -b=any -s --delimiter=any --fields=any --characters=any --complement safe",
    "tr": "any any? -d -s -c -C --delete --squeeze-repeats --complement safe",
    "sort": "path* -n -r -u -f -h -V -b -d -g -M -s -c -z -k=any -t=any --numeric-sort --reverse --unique"
    " --human-numeric-sort"
    " --version-sort --key=any --field-separator=any --stable --ignore-case",
    "uniq": "path? -c -d -u -i --count --repeated --unique --ignore-case -f=number -s=number -w=number",
    "comm": "path path -1 -2 -3",
    "paste": "path* -s -d=any",
    "fold": "path* -s -w=number safe",
    "column": "path* -t -s=any -c=number",
    "diff": "compared compared -u -r -q -N -w -b -i -B -y -a -s -c -e --unified --brief --recursive --ignore-all-space"
    " --new-file"
    " --ignore-space-change --ignore-blank-lines --side-by-side --suppress-common-lines --color~name -U=number"
    " --unified~number"
    " -W=number --width=number --strip-trailing-cr --exclude=any -x=any --no-dereference --minimal",
    "cmp": "path path -s -l -b --silent --quiet",
    "md5sum": _SUM,
    "sha1sum": _SUM,
    "sha256sum": _SUM,
    "sha512sum": _SUM,
    "b2sum": _SUM,
    "cksum": "path* safe",
    "shasum": "path* -a=number",
    "xxd": "path? -l=number -s=number -c=number -g=number -p -u -b",
    "od": "path* -c -x -b -d -o -t=any -A=name -N=number -j=number -v safe",
    "hexdump": "path* -C -n=number -s=number -v",
    "strings": "path* -n=number -a",
    "file": "folder+ -b -i -L -h -k --brief --mime --mime-type --mime-encoding --dereference",
    "stat": "folder+ -c=any -f -L -t -x --format=any --printf=any --dereference --terse safe",
    "du": "folder* -s -h -a -c -d=number -k -m -b -x --summarize --human-readable --all --total --max-depth=number"
    " --apparent-size --exclude=any safe",
    "df": "folder* -h -T -i -k -m --human-readable --total safe",
    "tree": "folder* -a -d -f -s -h -C -n -F -p -D -L=number -I=any -P=any --dirsfirst --gitignore --noreport --du"
    " --prune",
    "realpath": "folder+ -e -m -s --relative-to=folder safe",
    "readlink": "folder+ -f -e -m -n safe",
    "basename": "any any? -a -s=any safe",
    "dirname": "any+ safe",
    "pwd": "-P -L",
    "whoami": "",
    "id": "-u -g -n -G -un -gn",
    "groups": "",
    "date": "format? -d=any --date=any -u --utc -I --iso-8601~name -R",
    "uname": "-a -s -r -m -n -v -p -o",
    "hostname": "-s -f",
    "arch": "",
    "nproc": "--all",
    "uptime": "-p -s",
    "free": "-h -m -g -k",
    "lscpu": "",
    "ps": "processes? -e -f -A -ef -aux -ax -l",
    "which": "name+ -a",
    "type": "name+ -a -t -p -P",
    "command -v": "name+",
    "whereis": "name+",
    "true": "",
    "false": "",
    "sleep": "seconds",
    "echo": "said* -n -e -E free",
    "printf": "text said*",
    "seq": "number number? number? -w -s=any",
    "test": "-f=folder -d=folder -e=folder -s=folder -r=folder -w=folder -x=folder -L=folder -h=folder -n=any -z=any",
    "grep": f"search path* {_SEARCH}",
    "egrep": f"search path* {_SEARCH}",
    "fgrep": f"search path* {_SEARCH}",
    "rg": _RIPGREP,
    "rg --files": "folder* -g=sought --glob=sought --iglob=sought -t=name -T=name --type=name --type-not=name"
    " --sort=name",
    "find": "folder* -name=sought -iname=sought -path=sought -ipath=sought -wholename=sought -regex=any"
    " -iregex=any -regextype=name"
    " -type=name -maxdepth=number -mindepth=number -size=any -mtime=any -mmin=any -atime=any -ctime=any -newer=folder"
    " -perm=mode -user=name -group=name -printf=any -not -o -a -and -or -print -print0 -prune -empty -quit -depth -xdev"
    " -mount -ls -readable -writable -executable -H -L -P",
    "fd": "sought? folder* -e=ending -t=name -d=number -E=any -g -F -s -i -a -p --extension=ending --type=name"
    " --max-depth=number"
    " --exclude=any --glob --full-path --absolute-path",
    "sed": "sed path* -n -E -r --quiet --silent",
    "awk": "awk path* -F=any -v=variable",
    "jq": "jq path* -r -c -e -S -s -M -C -n -j --raw-output --compact-output --exit-status --sort-keys --slurp --tab"
    " --indent=number",
    "git status": "inside* -s -b -u -uall -uno -unormal -v -z --short --branch --porcelain --porcelain~name"
    " --untracked-files~name"
    " --long --ignored"
    " --show-stash --ahead-behind --column",
    "git log": f"revision* {_LOG}",
    "git show": f"revision* {_DIFF}",
    "git diff": f"revision* {_DIFF}",
    "git shortlog": "revision* -s -n -e --summary --numbered --email --since=any --no-merges",
    "git reflog": "-n=number -# --oneline",
    "git blame": "kept kept? -w -L=any -e -s --date=any --line-porcelain --porcelain -C -M",
    "git branch": "-a -r -v -vv --all --remotes --verbose --show-current --no-color --merged --no-merged --list"
    " --sort=name",
    "git branch --list": "any* -a -r -v --sort=name",
    "git tag --list": "any* -n --sort=name",
    "git tag -l": "any* -n --sort=name",
    "git cherry": "revision* -v",
    "git tag": "-l --list --sort=name -n --no-color",
    "git remote": "-v --verbose",
    "git remote get-url": "name",
    "git rev-parse": "revision* --short~number --abbrev-ref --show-toplevel --verify --quiet --is-inside-work-tree"
    " --symbolic-full-name --show-prefix --show-cdup",
    "git rev-list": "revision* --count --all --max-count=number -n=number --reverse --no-merges --left-right",
    "git ls-files": "inside* -m -o -d -s -c -z --others --modified --deleted --cached --stage --exclude-standard"
    " --ignored"
    " --error-unmatch --full-name --unmerged -u",
    "git ls-tree": "revision inside* -r -t -l -z --name-only --full-tree",
    "git cat-file": "revision? revision? -t -s -p -e",
    "git describe": "revision? --tags --always --all --long --dirty --abbrev=number --exact-match",
    "git merge-base": "revision revision --is-ancestor --all",
    "git show-ref": "revision* --heads --tags --verify --hash",
    "git for-each-ref": "revision* --sort=any --count=number --format=any",
    "git stash list": "-n=number -# --oneline",
    "git stash show": "revision? -p -u --stat --name-only --patch",
    "git worktree list": "--porcelain",
    "git config": "setting? --global --local --show-origin --get=setting",
    "git check-ignore": "inside+ -v -q",
    "git diff-tree": "revision* -r --name-only --name-status --no-commit-id --root --stat -p",
    "git count-objects": "-v -H",
    "git grep": "search pathspec* -n -i -w -l -c -E -F -P -v -h -o -q --line-number --ignore-case --name-only --count"
    " --word-regexp -A=context -B=context -C=context --heading --break",
    "git version": "",
    "git --version": "",
    "npm ls": "name* --depth=number --all --json --prod --dev",
    "npm list": "name* --depth=number --all --json --prod --dev",
    "npm outdated": "name* --json",
    "pip list": "--outdated --format=name",
    "pip show": "name+ -f",
    "pip freeze": "",
    "go version": "",
    "go env": "name*",
    "go list": "listed* -m -json -deps",
    "cargo tree": "--depth=number -i=name -p=name --workspace",
    "cargo metadata": "--no-deps --format-version=number",
    "rustc --version": "",
    "gh pr view": "number? --comments --json=names",
    "gh pr list": "--state=name --limit=number --author=name --json=names",
    "gh pr diff": "number? --name-only",
    "gh pr checks": "number?",
    "gh pr status": "",
    "gh issue view": "number --comments --json=names",
    "gh issue list": "--state=name --limit=number --label=name --json=names",
    "gh run list": "--limit=number --branch=name --workflow=name",
    "gh run view": "number? --log --log-failed",
}
"""Program and verb -> the shape of its arguments."""

VERSIONS = names("""python python3 pip pip3 uv poetry black pre-commit node npm npx yarn pnpm bun deno cargo rustc go
    java javac ruby perl php gcc g++
clang make cmake git
    tsc ruff mypy pytest eslint prettier jest vitest docker kubectl terraform gh jq rg swift dotnet mvn gradle""")
"""Programs for which `--version` prints the version and does nothing else."""
VERSION_LETTERS = {
    "-V": names("python python3 pip pip3 cargo rustc"),
    "-v": names("node npm npx yarn pnpm"),
    "-version": names("java javac"),
}
CONFIGURED = frozenset(("cargo", "go", "npm", "pip", "rustc"))
"""Programs that obey the configuration of the folder that they run in, even when they only read."""
CONTENT_SEARCH = frozenset(("rg", "git grep"))
"""Programs that search every file of a folder by default."""
