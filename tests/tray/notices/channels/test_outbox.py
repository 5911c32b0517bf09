"""Test that a message that fails is tried again after a pause, a few times only, and that nothing secret is said."""

import asyncio
import logging
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from deskbell.errors import Problem
from deskbell.notices.channels import Failed, Message
from deskbell.notices.channels import send as really_send
from deskbell.notices.channels.letters import MOST
from deskbell.notices.channels.outbox import AT_ONCE, FIRST_PAUSE, HUNG, TOO_OLD, Outbox
from deskbell.notices.notice import Notice, notice
from deskbell.notices.orders import Send
from deskbell.notices.policy import Channel, Policy
from deskbell.supervision import Work
from tests.tray.notices.channels.receiver import receiver
from tests.tray.story import NOON, session


def policy(*names: str, attempts: int = 3, **more: object) -> Policy:
    channel = {"kind": "command", "command": ["x"], "attempts": attempts, **more}
    return Policy.model_validate({"channels": [{"name": name, **channel} for name in names]})


PHONE = policy("phone")
SECRET = "tk_9f3a7c"


@dataclass
class Wire:
    """Raise what was put into `failures`, then send."""

    failures: list[BaseException] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    tries: int = 0
    now: int = 0
    most: int = 0
    """Calls at the same time."""
    open: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, message: Message, channel: Channel) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.open.wait(20)
        with self.lock:
            self.now -= 1
            self.tries += 1
            if self.failures:
                raise self.failures.pop(0)
            self.sent.append(f"{channel.name}: {message.title}")


@dataclass
class Threads:
    """A Supervisor that starts threads and knows which of them still run."""

    started: list[threading.Thread] = field(default_factory=list)
    refuses: bool = False
    raised: list[str] = field(default_factory=list)
    """What ended a thread."""

    def keep(self, part: str, work: Work) -> asyncio.Task[None]:
        return self.once(part, work())

    def once(self, part: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return asyncio.get_running_loop().create_task(work, name=part)

    def thread(self, part: str, work: Callable[[], None]) -> bool:
        def run() -> None:
            try:
                work()
            except LookupError as error:
                self.raised.append(str(error))

        if self.refuses:
            return False
        self.started.append(threading.Thread(target=run, name=part, daemon=True))
        self.started[-1].start()
        return True

    @property
    def running(self) -> int:
        return sum(thread.is_alive() for thread in self.started)


@dataclass
class Scene:
    folder: Path
    wire: Wire = field(default_factory=Wire)
    threads: Threads = field(default_factory=Threads)
    now: float = NOON
    given_up: list[tuple[str, ...]] = field(default_factory=list)
    called_in: set[int] = field(default_factory=set)
    """The threads in which `failed` was called."""
    boxes: list[Outbox] = field(default_factory=list)
    send: Callable[[Message, Channel], None] | None = None
    standing: Callable[[], list[tuple[str, float]]] | None = None
    reads: bool = True
    """Whether the sessions are read at once when an outbox starts."""

    def box(self, policy: Policy = PHONE) -> Outbox:
        box = Outbox(self.folder, lambda: self.now, self._failed, self.threads, self.send or self.wire.send)
        self.boxes.append(box)
        box.standing = self.standing
        box.start(policy)
        if self.reads:
            box.put((), policy)
        return box

    def _failed(self, *why: str) -> None:
        self.given_up.append(why)
        self.called_in.add(threading.get_ident())

    async def later(self, box: Outbox, seconds: float) -> None:
        """Let SECONDS pass. The program calls `put` at every turn, with or without something to send."""
        self.now += seconds
        box.put((), box.policy)
        await asyncio.sleep(0)

    async def tried(self, times: int) -> None:
        """Until there were so many attempts, and each letter knows when the next one is due."""
        await until(lambda: self.wire.tries == times and not any(box._busy for box in self.boxes))

    async def failed_once(self) -> Outbox:
        """Return an outbox whose only letter could not be sent and waits for its second attempt."""
        self.wire.failures = [Failed("no network")]
        box = self.box()
        box.put(sends(["api"]), PHONE)
        await self.tried(1)
        return box

    async def over(self) -> None:
        """Until no thread runs, and what they called in the loop was called."""
        await until(lambda: not self.threads.running)
        await asyncio.sleep(0)

    @property
    def kept(self) -> int:
        return len(list(self.folder.glob("*.json")))


Story = Callable[[Callable[[Scene], Coroutine[Any, Any, None]]], Scene]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Story]:
    scene = Scene(tmp_path / "outbox")
    scene.wire.open.set()

    def run(story: Callable[[Scene], Coroutine[Any, Any, None]]) -> Scene:
        asyncio.run(story(scene))
        return scene

    yield run
    scene.wire.open.set()
    for box in scene.boxes:
        box.stop()


def a(project: str) -> Notice:
    return replace(notice(session(project, "permission"), PHONE, "ring", NOON), title=project)


def sends(projects: Iterable[str], channel: str = "phone") -> list[Send]:
    return [Send(channel, a(project)) for project in projects]


async def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.005)


def test_what_is_put_in_is_sent_in_order_and_removed_from_the_disk(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.box().put(sends(["web", "api"]), PHONE)
        await scene.over()

    scene = play(story)
    assert (scene.wire.sent, scene.kept) == (["phone: web", "phone: api"], 0)


def test_what_fails_waits_its_pause_and_is_tried_again(play: Story) -> None:
    async def story(scene: Scene) -> None:
        box = await scene.failed_once()
        await scene.later(box, 4.9)
        await asyncio.sleep(0.2)
        assert scene.wire.tries == 1
        await scene.later(box, 0.2)
        await scene.over()

    scene = play(story)
    assert (scene.wire.sent, scene.given_up, scene.kept) == (["phone: api"], [], 0)


def test_each_pause_is_twice_as_long_as_the_one_before(play: Story) -> None:
    async def story(scene: Scene) -> None:
        many = policy("phone", attempts=5)
        scene.wire.failures = [Failed("no network")] * 9
        box = scene.box(many)
        box.put(sends(["api"]), many)
        for attempt, pause in enumerate((5, 10, 20, 40), 1):
            await scene.tried(attempt)
            await scene.later(box, pause + 0.1)
        await scene.over()

    scene = play(story)
    assert (scene.wire.tries, scene.given_up) == (5, [(a("api").slot, "phone", "no network")])
    assert scene.kept == 0


def test_what_cannot_succeed_is_given_up_at_once(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.wire.failures = [Failed("the server answered 401", for_good=True)]
        scene.box().put(sends(["api"]), PHONE)
        await scene.over()

    scene = play(story)
    assert (scene.wire.tries, len(scene.given_up), scene.kept) == (1, 1, 0)


UNEXPECTED: dict[str, Callable[[], BaseException]] = {
    "a header that is not valid": lambda: ValueError(f"Invalid header value b'Bearer {SECRET}\\n'"),
    "a token outside Latin-1": lambda: UnicodeEncodeError("latin-1", SECRET, 0, 1, "ordinal not in range(256)"),
    "a host that is not a host": lambda: UnicodeError(f"label empty: {SECRET}"),
    "a system call": lambda: OSError(28, "No space left on device", SECRET),
    "a library that looks up what is missing": lambda: KeyError(SECRET),
    "a library that ends the program": lambda: SystemExit(SECRET),
    "too deep a structure": lambda: RecursionError(SECRET),
    "no memory": lambda: MemoryError(),
    "an exception of its own": lambda: type("Odd", (BaseException,), {})(SECRET),
}


@pytest.mark.long
@pytest.mark.parametrize("raised", UNEXPECTED.values(), ids=UNEXPECTED)
def test_an_unexpected_exception_is_one_attempt_and_its_text_is_not_repeated(
    play: Story,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    raised: Callable[[], BaseException],
) -> None:
    caplog.set_level(logging.DEBUG)

    async def story(scene: Scene) -> None:
        scene.wire.failures = [raised() for _ in range(99)]
        box = scene.box()
        box.put(sends(["api"]), PHONE)
        for attempt in (1, 2, 3):
            await scene.tried(attempt)
            await asyncio.sleep(0.15)
            assert scene.wire.tries == attempt
            await scene.later(box, 1000)
        await scene.over()

    scene = play(story)
    ((slot, channel, why),) = scene.given_up
    assert (slot, channel) == (a("api").slot, "phone")
    assert re.fullmatch(r"unexpected \w+ in test_outbox\.py, line \d+", why)
    errors = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(errors) == 1
    shown = capfd.readouterr()
    assert SECRET not in caplog.text + shown.out + shown.err + str(scene.given_up)
    assert "Traceback" not in caplog.text + shown.err


REAL = {
    "a token that ends in a newline": ({"kind": "ntfy", "url": "http://127.0.0.1:1/t", "secret": "env:DB_T"}, f"{SECRET}\n"),
    "a newline inside a token": ({"kind": "ntfy", "url": "http://127.0.0.1:1/t", "secret": "env:DB_T"}, f"a\n{SECRET}"),
    "a token outside Latin-1": ({"kind": "ntfy", "url": "http://127.0.0.1:1/t", "secret": "env:DB_T"}, f"{SECRET}→"),
    "a host with an empty label": ({"kind": "webhook", "url": f"https://a..b/{SECRET}"}, "x"),
    "half an IPv6 address": ({"kind": "webhook", "url": f"http://[::1/{SECRET}"}, "x"),
    "a path with a space": ({"kind": "webhook", "url": f"http://127.0.0.1:1/{SECRET} x"}, "x"),
    "a port that is not a number": ({"kind": "webhook", "url": f"http://127.0.0.1:{SECRET}/"}, "x"),
    "a password in the url": ({"kind": "webhook", "url": f"http://me:{SECRET}@127.0.0.1:1/"}, "x"),
    "nobody answers": ({"kind": "webhook", "url": f"http://127.0.0.1:1/services/{SECRET}"}, "x"),
    "a server that does not exist": ({"kind": "webhook", "url": f"http://nowhere.invalid/{SECRET}"}, "x"),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "token"), REAL.values(), ids=REAL)
def test_a_wrong_url_or_secret_is_tried_a_few_times_and_never_named(
    play: Story,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, object],
    token: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("DB_T", token)
    # Built without validation: a file of an older version may hold such a url.
    channel = Channel.model_construct(**{**Channel(name="phone", kind="command", command=("x",)).__dict__, **settings})
    broken = PHONE.model_copy(update={"channels": (channel.model_copy(update={"attempts": 2, "timeout": 5.0}),)})
    tries: list[str] = []

    def send(message: Message, channel: Channel) -> None:
        tries.append(channel.name)
        really_send(message, channel)

    async def story(scene: Scene) -> None:
        scene.send = send
        box = scene.box(broken)
        box.put(sends(["api"]), broken)
        while not scene.given_up:
            await scene.later(box, 1.0)
            await asyncio.sleep(0.01)
        await scene.over()

    scene = play(story)
    assert 1 <= len(tries) <= 2
    shown = capfd.readouterr()
    assert SECRET not in caplog.text + shown.out + shown.err + str(scene.given_up)


def test_a_full_disk_delays_nothing_and_is_logged_once(play: Story, caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene) -> None:
        scene.folder.write_text("a file where the folder should be")
        scene.wire.failures = [Failed("no network")] * 4
        box = scene.box()
        box.put(sends(["api", "web"]), PHONE)
        await scene.tried(2)
        await asyncio.sleep(0.15)
        assert scene.wire.tries == 2
        await scene.later(box, 6)
        await scene.tried(4)
        await scene.later(box, 11)
        await scene.over()

    scene = play(story)
    assert (sorted(scene.wire.sent), scene.given_up) == (["phone: api", "phone: web"], [])
    assert len([record for record in caplog.records if "unsent messages are lost" in record.message]) == 1


def test_forty_letters_to_one_channel_need_one_thread(play: Story) -> None:
    async def story(scene: Scene) -> None:
        box = scene.box()
        for number in range(40):
            box.put(sends([f"p{number:02}"]), PHONE)
        await scene.over()

    scene = play(story)
    assert scene.wire.sent == [f"phone: p{number:02}" for number in range(40)]
    assert (scene.wire.most, scene.kept) == (1, 0)


def test_forty_letters_that_fail_need_one_thread_and_their_attempts(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.wire.failures = [ValueError(SECRET) for _ in range(999)]
        box = scene.box()
        box.put(sends(f"p{number:02}" for number in range(40)), PHONE)
        for attempts in (40, 80, 120):
            await scene.tried(attempts)
            assert scene.threads.running <= 1
            await scene.later(box, 1000)
        await scene.over()

    scene = play(story)
    assert (scene.wire.tries, len(scene.given_up), scene.kept) == (120, 40, 0)
    assert scene.wire.most == 1


def test_there_are_no_more_threads_than_channels(play: Story) -> None:
    three = policy("a", "b", "c")

    async def story(scene: Scene) -> None:
        scene.wire.open.clear()
        box = scene.box(three)
        for number in range(40):
            box.put(sends([f"p{number}"], "abc"[number % 3]), three)
        await until(lambda: scene.wire.now == 3)
        assert scene.threads.running == 3
        scene.wire.open.set()
        await scene.over()

    scene = play(story)
    assert (len(scene.wire.sent), scene.wire.most, len(scene.threads.started)) == (40, 3, 3)


def test_a_hundred_letters_that_fail_on_a_full_disk_need_a_thread_for_each_channel_and_their_attempts(
    play: Story,
) -> None:
    tries: list[tuple[str, str]] = []
    running: list[int] = []
    scene: Scene

    def send(message: Message, channel: Channel) -> None:
        running.append(scene.threads.running)
        tries.append((channel.name, message.title))
        really_send(message, channel)

    async def story(playing: Scene) -> None:
        nonlocal scene
        scene = playing
        scene.folder.write_text("a file where the folder should be")
        scene.send = send
        box = scene.box(three)
        for number in range(100):
            box.put(sends([f"p{number}"], "abc"[number % 3]), three)
        while len(scene.given_up) < 100:
            await scene.later(box, 5)
            await asyncio.sleep(0.02)
        await scene.over()

    with receiver(*[503] * 100) as server:
        every = {"attempts": 2, "timeout": 5.0}
        three = Policy.model_validate(
            {
                "channels": [
                    {"name": "a", "kind": "command", "command": ["false"], **every},
                    {"name": "b", "kind": "ntfy", "url": f"{server.url}/topic", **every},
                    {"name": "c", "kind": "webhook", "url": "http://127.0.0.1:1/", **every},
                ]
            }
        )
        play(story)
    assert (len(tries), len(scene.given_up), set(Counter(tries).values())) == (200, 100, {2})
    assert max(running) <= 3


def test_with_many_channels_the_threads_are_bounded(play: Story) -> None:
    names = [f"c{number}" for number in range(20)]
    many = policy(*names)

    async def story(scene: Scene) -> None:
        scene.wire.open.clear()
        scene.box(many).put([Send(name, a("api")) for name in names], many)
        await until(lambda: scene.wire.now == AT_ONCE)
        scene.wire.open.set()
        await scene.over()

    scene = play(story)
    assert (len(scene.wire.sent), len(scene.threads.started)) == (20, AT_ONCE)


def test_a_channel_that_hangs_does_not_hold_up_the_others(play: Story) -> None:
    two = policy("slow", "fast")

    async def story(scene: Scene) -> None:
        sent: list[str] = []

        def send(message: Message, channel: Channel) -> None:
            if channel.name == "slow":
                scene.wire.open.wait(20)
            sent.append(channel.name)

        scene.send = send
        scene.wire.open.clear()
        scene.box(two).put([*sends(["api"], "slow"), *sends(["web", "db"], "fast")], two)
        await until(lambda: sent == ["fast", "fast"])
        scene.wire.open.set()
        await scene.over()
        assert sent == ["fast", "fast", "slow"]

    play(story)


def test_a_channel_that_hangs_is_named_until_it_does_not(play: Story) -> None:
    two = policy("slow", "fast")

    async def story(scene: Scene) -> None:
        scene.wire.open.clear()
        box = scene.box(two)
        box.put(sends(["api"], "slow"), two)
        await until(lambda: scene.wire.now)
        box.check()
        scene.now += HUNG
        with pytest.raises(Problem, match=r"^slow has not ended an attempt for 180 s\. Unlock the keyring"):
            box.check()
        scene.wire.open.set()
        await until(lambda: scene.wire.sent)
        await until(lambda: not box._busy)
        box.check()

    play(story)


def test_a_thread_that_does_not_start_is_started_after_a_pause(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.threads.refuses = True
        box = scene.box()
        box.put(sends(["api"]), PHONE)
        assert scene.wire.sent == []
        scene.threads.refuses = False
        await scene.later(box, FIRST_PAUSE)
        await scene.over()

    assert play(story).wire.sent == ["phone: api"]


def test_what_an_earlier_run_left_is_sent_once_a_thread_starts(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.threads.refuses = True
        scene.box().put(sends(["api"]), PHONE)
        box = scene.box()
        scene.threads.refuses = False
        await scene.later(box, FIRST_PAUSE)
        await scene.over()

    assert play(story).wire.sent == ["phone: api"]


class Broken:
    """Channels that cannot be listed once; after that, those of PHONE."""

    def __init__(self) -> None:
        self.failures = 1

    def __iter__(self) -> Iterator[Channel]:
        if self.failures:
            self.failures -= 1
            raise LookupError("no channels")
        return iter(PHONE.channels)


class Stubborn(type(Path())):  # type: ignore[misc]  # the class of paths of this system
    """A path that fails to remove its file in a way that nobody expects."""

    failures = 0

    def unlink(self, missing_ok: bool = False) -> None:
        if Stubborn.failures:
            Stubborn.failures -= 1
            raise LookupError("no file")
        super().unlink(missing_ok)


def _fails_before_it_sends(scene: Scene) -> Policy:
    return PHONE.model_copy(update={"channels": Broken()})


def _fails_after_it_has_sent(scene: Scene) -> Policy:
    scene.folder, Stubborn.failures = Stubborn(scene.folder), 1
    return PHONE


@pytest.mark.parametrize("fault", [_fails_before_it_sends, _fails_after_it_has_sent])
def test_after_an_unexpected_error_of_a_thread_the_next_one_starts_after_a_pause_and_sends_everything(
    play: Story, fault: Callable[[Scene], Policy]
) -> None:
    async def story(scene: Scene) -> None:
        policy = fault(scene)
        box = scene.box(policy)
        box.put(sends(["api"]), policy)
        await scene.over()
        assert len(scene.threads.raised) == 1  # the supervisor shows it
        box.put(sends(["web"]), policy)
        await scene.over()
        assert len(scene.threads.started) == 1
        await scene.later(box, FIRST_PAUSE)
        await scene.over()
        assert len(scene.threads.started) == 2

    scene = play(story)
    assert sorted(scene.wire.sent) == ["phone: api", "phone: web"]
    assert len(scene.threads.raised) == 1


def test_a_letter_that_ends_its_thread_again_and_again_waits_longer_each_time(play: Story) -> None:
    async def story(scene: Scene) -> None:
        broken = Broken()
        broken.failures = 99
        policy = PHONE.model_copy(update={"channels": broken})
        box = scene.box(policy)
        box.put(sends(["api"]), policy)
        for times, pause in enumerate((5, 10, 20, 40), 1):
            await until(lambda: len(scene.threads.raised) == times)  # noqa: B023
            await scene.over()
            await scene.later(box, pause - 1)
            await scene.later(box, 1)
        await until(lambda: len(scene.threads.raised) == 5)
        await scene.over()

    play(story)


def test_what_was_given_up_is_reported_in_the_loop(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.wire.failures = [Failed("the server answered 404", for_good=True)]
        scene.box().put(sends(["api"]), PHONE)
        await scene.over()
        assert scene.called_in == {threading.get_ident()}

    play(story)


def test_a_letter_that_is_given_up_after_the_loop_has_ended_raises_nothing(
    play: Story, capfd: pytest.CaptureFixture[str]
) -> None:
    async def story(scene: Scene) -> None:
        scene.wire.failures = [Failed("the server answered 404", for_good=True)]
        scene.wire.open.clear()
        scene.box().put(sends(["api"]), PHONE)
        await until(lambda: scene.wire.now == 1)

    scene = play(story)
    scene.wire.open.set()
    for thread in scene.threads.started:
        thread.join(20)
    assert (scene.given_up, capfd.readouterr().err) == ([], "")


def test_what_was_not_sent_is_sent_by_the_next_run(play: Story) -> None:
    async def story(scene: Scene) -> None:
        box = await scene.failed_once()
        box.stop()
        await scene.over()
        assert scene.kept == 1
        scene.now += 60
        scene.box()
        await scene.over()

    scene = play(story)
    assert (scene.wire.sent, scene.kept) == (["phone: api"], 0)


def test_what_an_earlier_run_left_waits_for_the_first_reading_and_may_be_withdrawn_before(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.threads.refuses = True
        scene.box().put(sends(["api", "web"]), PHONE)
        scene.threads.refuses, scene.reads = False, False
        box = scene.box()
        scene.now += 1800
        box.take_back("phone", "t4g")
        await scene.over()
        assert scene.wire.sent == ["phone: "]
        box.withdraw(a("web").slot)
        box.put((), PHONE)
        await scene.over()

    scene = play(story)
    assert (scene.wire.sent, scene.given_up, scene.kept) == (["phone: ", "phone: api"], [], 0)


API = a("api").about[0]
STANDING: dict[str, tuple[list[tuple[str, float]], bool]] = {
    "as it did": ([(API.session_id, API.since), ("web-id", 5.0)], True),
    "as another hook said": ([(API.session_id, API.since + 0.9)], True),
    "for the next request": ([(API.session_id, API.since + 9)], False),
    "no longer": ([("web-id", API.since)], False),
    "for nothing": ([], False),
}


@pytest.mark.parametrize(("standing", "is_sent"), STANDING.values(), ids=STANDING)
def test_a_message_of_an_earlier_run_is_sent_only_while_its_session_waits(
    standing: list[tuple[str, float]], is_sent: bool, play: Story
) -> None:
    async def story(scene: Scene) -> None:
        scene.threads.refuses = True
        scene.box().put(sends(["api"]), PHONE)
        scene.threads.refuses, scene.standing = False, lambda: standing
        scene.box()
        await scene.over()

    scene = play(story)
    assert (scene.wire.sent, scene.kept) == (["phone: api"] if is_sent else [], 0)


def test_a_message_about_many_is_sent_only_if_all_of_them_wait(play: Story) -> None:
    many = replace(a("api"), about=(*a("api").about, *a("web").about))

    async def story(scene: Scene) -> None:
        scene.threads.refuses = True
        scene.box().put([Send("phone", many)], PHONE)
        scene.threads.refuses, scene.standing = False, lambda: [(API.session_id, API.since)]
        scene.box()
        await scene.over()

    assert play(story).wire.sent == []


def test_the_attempts_of_an_earlier_run_count(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.wire.failures = [Failed("no network")] * 9
        for attempt in (1, 2, 3):
            box = scene.box()
            if attempt == 1:
                box.put(sends(["api"]), PHONE)
            await scene.tried(attempt)
            box.stop()
            await scene.over()
            scene.now += 1000

    scene = play(story)
    assert (scene.wire.tries, len(scene.given_up), scene.kept) == (3, 1, 0)


def test_letters_of_an_earlier_run_to_several_channels_are_all_sent(play: Story) -> None:
    two = policy("a", "b")

    async def story(scene: Scene) -> None:
        box = scene.box(two)
        box.stop()
        box.put([*sends(["x", "y"], "a"), *sends(["z"], "b")], two)
        scene.box(two)
        await scene.over()

    scene = play(story)
    assert (sorted(scene.wire.sent), scene.kept) == (["a: x", "a: y", "b: z"], 0)


def test_a_message_that_is_too_old_is_not_sent(play: Story) -> None:
    async def story(scene: Scene) -> None:
        box = scene.box()
        box.stop()
        box.put(sends(["api"]), PHONE)
        scene.now += TOO_OLD + 1
        scene.box()
        await scene.over()

    scene = play(story)
    assert (scene.wire.tries, scene.given_up) == (0, [(a("api").slot, "phone", "it was more than an hour old")])


def test_what_was_answered_while_it_waited_is_not_sent(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.wire.failures = [Failed("no network")] * 2
        box = scene.box()
        box.put(sends(["api", "web"]), PHONE)
        await scene.tried(2)
        box.withdraw(a("web").slot)
        await scene.later(box, 6)
        await scene.over()

    scene = play(story)
    assert (scene.wire.sent, scene.given_up, scene.kept) == (["phone: api"], [], 0)


@pytest.mark.parametrize("failure", [Failed("no network"), Failed("gone", for_good=True), None])
def test_what_was_answered_while_it_was_sent_is_not_tried_again(play: Story, failure: Failed | None) -> None:
    async def story(scene: Scene) -> None:
        scene.wire.failures = [failure] if failure else []
        scene.wire.open.clear()
        box = scene.box()
        box.put(sends(["api"]), PHONE)
        await until(lambda: scene.wire.now == 1)
        box.withdraw(a("api").slot)
        scene.wire.open.set()
        await scene.over()

    scene = play(story)
    assert (scene.wire.tries, scene.given_up, scene.kept) == (1, [], 0)


def test_a_withdrawal_does_not_read_the_folder(play: Story) -> None:
    async def story(scene: Scene) -> None:
        box = await scene.failed_once()
        for number in range(50):
            (scene.folder / f"{number}.json").write_text("not a letter")
        box.withdraw("another slot")
        assert list(scene.folder.glob("*.bad")) == []

    play(story)


def test_a_channel_that_is_no_longer_configured_gets_nothing(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.box().put(sends(["api"], "fax"), PHONE)
        await scene.over()

    assert play(story).given_up == [(a("api").slot, "fax", "it is no longer configured")]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"channel": 3}', b"\xff"])
def test_a_file_that_is_not_a_letter_is_renamed(play: Story, content: bytes) -> None:
    async def story(scene: Scene) -> None:
        scene.folder.mkdir()
        (scene.folder / "0.json").write_bytes(content)
        scene.box()
        await scene.over()

    scene = play(story)
    assert [file.name for file in scene.folder.iterdir()] == ["0.bad"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_only_the_person_can_read_letters(play: Story) -> None:
    async def story(scene: Scene) -> None:
        scene.wire.open.clear()
        scene.box().put(sends(["api"]), PHONE)
        (file,) = scene.folder.glob("*.json")
        assert (file.stat().st_mode & 0o777, scene.folder.stat().st_mode & 0o777) == (0o600, 0o700)
        scene.wire.open.set()
        await scene.over()

    play(story)


def test_a_clock_that_was_set_back_since_the_last_run_does_not_keep_a_message_waiting(play: Story) -> None:
    async def story(scene: Scene) -> None:
        box = await scene.failed_once()
        box.stop()
        await scene.over()
        scene.now -= 365 * 86400
        scene.box()
        await scene.over()

    scene = play(story)
    assert (scene.wire.sent, scene.kept) == (["phone: api"], 0)


@pytest.mark.long
def test_of_too_many_messages_that_wait_the_oldest_are_given_up(play: Story) -> None:
    async def story(scene: Scene) -> None:
        box = scene.box()
        box.stop()
        for number in range(MOST + 2):
            scene.now += 0.001
            box.put(sends([f"p{number:04}"]), PHONE)
        assert scene.kept == len(box._letters) == MOST
        await asyncio.sleep(0)

    scene = play(story)
    why = f"more than {MOST} messages were waiting"
    assert scene.given_up == [(a(name).slot, "phone", why) for name in ("p0000", "p0001")]


def test_a_message_names_the_time_of_the_clock_that_was_corrected(play: Story) -> None:
    sent: list[float] = []

    async def story(scene: Scene) -> None:
        scene.send = lambda message, channel: sent.append(message.at)
        box = scene.box()
        box.wall = lambda: scene.now + 3600
        box.put(sends(["api"]), PHONE)
        await scene.over()

    play(story)
    assert sent == [NOON + 3600]


def test_a_message_is_taken_back_after_the_attempt_to_send_it(play: Story) -> None:
    tried: list[tuple[str, bool]] = []
    begun, go_on = threading.Event(), threading.Event()

    def send(message: Message, channel: Channel) -> None:
        tried.append((message.tag, message.gone))
        begun.set()
        assert go_on.wait(20)

    async def story(scene: Scene) -> None:
        scene.send = send
        box = scene.box()
        box.put([Send("phone", replace(a("api"), tag="t4g"))], PHONE)
        await until(begun.is_set)
        box.take_back("phone", "t4g")
        await asyncio.sleep(0.1)
        assert tried == [("t4g", False)]
        go_on.set()
        await scene.over()

    scene = play(story)
    assert (tried, scene.kept) == ([("t4g", False), ("t4g", True)], 0)


def test_what_could_not_be_taken_back_is_taken_back_by_the_next_run(play: Story) -> None:
    tried: list[tuple[str, bool]] = []

    async def story(scene: Scene) -> None:
        scene.wire.failures = [Failed("no network")]
        scene.box().take_back("phone", "t4g")
        await scene.tried(1)
        scene.boxes[0].stop()
        await scene.over()
        scene.now += 10
        scene.send = lambda message, _: tried.append((message.tag, message.gone))
        scene.box()
        await until(lambda: tried)
        await scene.over()

    scene = play(story)
    assert (tried, scene.kept) == ([("t4g", True)], 0)
