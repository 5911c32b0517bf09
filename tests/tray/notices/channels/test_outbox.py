"""What is sent by other ways is kept until it got through."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deskbell.notices.channels import Failed, Message
from deskbell.notices.channels.outbox import TOO_OLD, Outbox
from deskbell.notices.news import Send
from deskbell.notices.notice import Notice, notice
from deskbell.notices.policy import Channel, Policy
from tests.tray.story import NOON, session

POLICY = Policy.model_validate({"channels": [{"name": "phone", "kind": "command", "command": ["x"], "attempts": 3}]})


@dataclass
class Wire:
    """Fails as often as it is told to."""

    failures: list[Failed] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    tries: int = 0
    open: threading.Event = field(default_factory=threading.Event)

    def send(self, message: Message, channel: Channel) -> None:
        self.open.wait(20)
        self.tries += 1
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(f"{channel.name}: {message.title}")


@dataclass
class Scene:
    folder: Path
    wire: Wire = field(default_factory=Wire)
    now: float = NOON
    given_up: list[tuple[str, ...]] = field(default_factory=list)
    boxes: list[Outbox] = field(default_factory=list)

    def box(self, policy: Policy = POLICY) -> Outbox:
        box = Outbox(self.folder, lambda: self.now, lambda *why: self.given_up.append(why), self.wire.send)
        self.boxes.append(box)
        box.start(policy)
        return box

    @property
    def kept(self) -> int:
        return len(list(self.folder.glob("*.json")))


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    one = Scene(tmp_path / "outbox")
    one.wire.open.set()
    yield one
    for box in one.boxes:
        box.stop()


def a(project: str) -> Notice:
    return notice(session(project, "permission"), POLICY, "ring", NOON)


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def test_what_is_put_in_is_sent_and_gone(scene: Scene) -> None:
    scene.box().put([Send("phone", a("api")), Send("phone", a("web"))], POLICY)
    until(lambda: sorted(scene.wire.sent) == ["phone: api", "phone: web"] and scene.kept == 0)


def test_what_fails_is_tried_again_after_a_pause(scene: Scene) -> None:
    scene.wire.failures = [Failed("no network")]
    box = scene.box()
    box.put([Send("phone", a("api"))], POLICY)
    until(lambda: scene.wire.tries == 1)
    scene.now += 6
    until(lambda: not box._flying)
    box._wake()
    until(lambda: scene.wire.sent == ["phone: api"] and scene.kept == 0)
    assert scene.given_up == []


def test_after_its_attempts_it_is_given_up_and_told(scene: Scene) -> None:
    scene.wire.failures = [Failed("no network")] * 9
    box = scene.box()
    box.put([Send("phone", a("api"))], POLICY)
    for tried in (1, 2, 3):
        until(lambda tried=tried: scene.wire.tries == tried and not box._flying)  # type: ignore[misc]  # a default
        scene.now += 1000
        box._wake()
    until(lambda: scene.given_up == [(a("api").slot, "phone", "no network")])
    assert scene.kept == 0


def test_what_cannot_get_through_is_given_up_at_once(scene: Scene) -> None:
    scene.wire.failures = [Failed("HTTP 401", for_good=True)]
    scene.box().put([Send("phone", a("api"))], POLICY)
    until(lambda: scene.given_up and scene.kept == 0)
    assert scene.wire.tries == 1


def test_what_was_not_sent_is_sent_by_the_next_run(scene: Scene) -> None:
    scene.wire.failures = [Failed("no network")]
    box = scene.box()
    box.put([Send("phone", a("api"))], POLICY)
    until(lambda: scene.wire.tries == 1 and not box._flying)
    box.stop()
    assert scene.kept == 1
    scene.now += 60
    scene.box()
    until(lambda: scene.wire.sent == ["phone: api"])


def test_what_is_too_old_when_the_next_run_comes_is_no_news(scene: Scene) -> None:
    scene.wire.open.clear()
    box = scene.box()
    box.stop()
    box.put([Send("phone", a("api"))], POLICY)
    scene.now += TOO_OLD + 1
    scene.wire.open.set()
    scene.box()
    until(lambda: scene.given_up == [(a("api").slot, "phone", "it was too old")])
    assert scene.wire.sent == []


def test_what_was_answered_meanwhile_is_not_sent(scene: Scene) -> None:
    scene.wire.failures = [Failed("no network")]
    box = scene.box()
    box.put([Send("phone", a("api")), Send("phone", a("web"))], POLICY)
    until(lambda: scene.wire.tries == 2 and not box._flying)
    left = "web" if scene.wire.sent == ["phone: api"] else "api"
    box.withdraw(a(left).slot)
    assert scene.kept == 0


def test_a_channel_that_is_not_configured_any_more_gets_nothing(scene: Scene) -> None:
    scene.box().put([Send("fax", a("api"))], POLICY)
    until(lambda: scene.given_up == [(a("api").slot, "fax", "it is not configured any more")])


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"channel": 3}', b"\xff"])
def test_a_letter_that_cannot_be_read_is_put_aside(scene: Scene, content: bytes) -> None:
    scene.folder.mkdir()
    (scene.folder / "0.json").write_bytes(content)
    scene.box()
    until(lambda: scene.kept == 0)
    assert (scene.folder / "0.bad").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_letters_are_for_the_person_alone(scene: Scene) -> None:
    scene.wire.open.clear()
    scene.box().put([Send("phone", a("api"))], POLICY)
    (file,) = scene.folder.glob("*.json")
    assert (file.stat().st_mode & 0o777, scene.folder.stat().st_mode & 0o777) == (0o600, 0o700)
    scene.wire.open.set()
    until(lambda: scene.kept == 0)
