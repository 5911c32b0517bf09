"""Play the scenes on the real client and print which facts hold: `python -m tests.client.contract [FILE]`.

DESKBELL_TEST_VERSION chooses the version. With FILE, say what was seen in an earlier run, which that run has kept.
"""

import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.client import fetch
from tests.client.api import Api
from tests.client.claude import account
from tests.client.contract.facts import FACTS
from tests.client.contract.judge import FAILS, exit_code, judged, table
from tests.client.contract.scenes import SCENES
from tests.client.contract.seen import Run, parsed, written
from tests.client.contract.watched import Scene, watched

AT_ONCE = 4
AGAIN = 2
"""How often a scene is played again at the most."""
KEPT = Path(__file__).parents[3] / "build" / "contract"


def main(words: Sequence[str]) -> int:
    if words:
        file = Path(words[0])
        return _say(parsed(file.read_text(encoding="utf-8")), file.stem)
    if reason := fetch.missing():
        print(f"Cannot play the scenes: {reason}.", file=sys.stderr)
        return 2
    try:
        binary, version = fetch.client(), fetch.version()
    except (ValueError, subprocess.CalledProcessError) as problem:
        print(f"Cannot fetch Claude Code. {getattr(problem, 'stderr', None) or problem}", file=sys.stderr)
        return 2
    with Api() as api:

        def play(scene: Scene) -> Run:
            with account(binary, api.url) as claude:
                return Run(watched(scene, claude))

        run = played(SCENES, play)
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"{version}.jsonl"
    kept.write_text(written(run), encoding="utf-8")
    code = _say(run, version)
    print(f"What was seen is in {kept}.")
    return code


def played(scenes: Sequence[Scene], play: Callable[[Scene], Run]) -> Run:
    """Play the scenes side by side. Play a scene again, alone, if it broke off or a fact did not hold: the machine may
    be slow, and a status that is over soon is then missed."""
    with ThreadPoolExecutor(AT_ONCE) as stages:
        run = _joined(list(stages.map(play, scenes)))
    for _ in range(AGAIN):
        doubtful = _doubtful(run)
        again = [scene for scene in scenes if any(act.name in doubtful for act in scene.acts)]
        run = _joined([run, *map(play, again)])
    return run


def _doubtful(run: Run) -> set[str]:
    """Return the names of the parts that broke off, or in which a fact did not hold."""
    failed = {name for one in judged(FACTS, run) if one.verdict == FAILS for name in one.parts}
    return failed | {part.name for part in run.parts.values() if part.trouble}


def _joined(runs: Collection[Run]) -> Run:
    """The parts of all runs. Of two parts of one name the later is taken."""
    return Run(part for run in runs for part in run.parts.values())


def _say(run: Run, version: str) -> int:
    judgements = judged(FACTS, run)
    print(*table(judgements, version), sep="\n")
    return exit_code(judgements)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
