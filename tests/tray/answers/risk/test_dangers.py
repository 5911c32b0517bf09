"""Test the phrase that says why a command is dangerous."""

import pytest

from deskbell.answers.risk.dangers import danger

PHRASES = {
    "rm x": "deletes files",
    "/bin/rm x": "deletes files",
    r"C:\x\RM.EXE x": "deletes files",
    "sudo rm x": "acts with the rights of another user",
    "git push": "sends commits to another machine",
    "git push -f": "may overwrite or delete commits of others",
    "git push origin :main": "may overwrite or delete commits of others",
    "git -c x reset": "can lose work or history",
    "git log --output=x": "may write or run something by its options",
    "npm publish": "publishes a package",
    "npm install": "installs or removes software",
    "env rm x": "deletes files",
    "find . -exec rm {} ;": "deletes files",
    "env": "runs another command",
    "bash x": "runs a text as a program",
    "psql -c select": "works on a database",
    "psql -c 'DROP TABLE x'": "may delete what is in a database",
    "crontab -e": "plans something for later",
}


@pytest.mark.parametrize(("command", "phrase"), PHRASES.items())
def test_a_known_danger_has_its_phrase(command: str, phrase: str) -> None:
    assert danger(command.split(" ")) == phrase


@pytest.mark.parametrize("words", [[], [""], ["unknown"], ["npm", "x"], ["ls", "rm"]])
def test_what_is_not_known_to_be_dangerous_has_none(words: list[str]) -> None:
    assert danger(words) is None


def test_a_program_that_reads_a_pipe_says_so() -> None:
    assert danger(["sh"], piped=True) == "runs what comes through a pipe"
    assert danger(["ls"], piped=True) is None
