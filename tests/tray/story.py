"""Tell a story: what sessions do, one after the other, and what their person then hears and sees."""

from collections.abc import Iterable
from dataclasses import replace

from deskbell.board import Board, board, leaves
from deskbell.notices.decisions import Decision, sentence
from deskbell.notices.judge import Senses
from deskbell.notices.news import closed, news
from deskbell.notices.notice import Notice
from deskbell.notices.orders import News, Withdrawal
from deskbell.notices.policy import Policy
from deskbell.notices.quiet import Quiet
from deskbell.notices.screen import Left
from deskbell.notices.wants import Memory
from deskbell.session import Session
from deskbell_hooks.schema import Status

NOON = 1_750_000_000.0


def session(project: str, status: Status = "idle", since: float = NOON, **more: object) -> Session:
    made = Session(
        session_id=f"{project}-id",
        pid=100 + sum(map(ord, project)),
        pid_start=1,
        status=status,
        detail="",
        reason="a test",
        since=since,
        heard=since,
        project=project,
        title="",
    )
    return replace(made, **more)  # type: ignore[arg-type]  # the fields of Session


class Story:
    """Play a history against `news` as the program does: at each change, and when `news` asked to be called."""

    def __init__(self, *present: Session, policy: Policy | None = None, at: float = NOON) -> None:
        self.policy = policy or Policy()
        self.now = at
        self.focused: set[str] = set()
        self.focus_known = True
        self.asked_for_focus = 0
        self.dnd: str | None = None
        self.patience = 0.0
        self.quiet = Quiet()
        self.sessions = {s.project: s for s in present}
        self.board = Board()
        self.left: tuple[Left, ...] | None = ()
        self.memory = Memory()
        self.wake_at: float | None = None
        self.rings: list[str] = []
        self.calls: list[tuple[float, Notice]] = []
        """Every ring and when it was."""
        self.rung: list[tuple[Notice, Session]] = []
        """Every ring with each of its sessions as it was then."""
        self.screen: dict[str, Notice] = {}
        self.withdrawn: list[Withdrawal] = []
        self.sent: list[tuple[str, Notice]] = []
        self.in_terminals: list[tuple[str, str]] = []
        """Every ring in the terminal of a project, with its title."""
        self.decisions: list[Decision] = []
        self.look()

    def does(self, project: str, status: Status, detail: str = "", **more: object) -> "Story":
        """The session does this now."""
        known = self.sessions.get(project) or session(project)
        turn: dict[str, object] = {}
        if status == "working" and known.group != "running" and known.status not in ("permission", "question"):
            turn = {"turn_started": self.now}
        changed = {"status": status, "detail": detail, "since": self.now, "heard": self.now, **turn, **more}
        self.sessions[project] = replace(known, **changed)  # type: ignore[arg-type]  # the fields of Session
        return self.look()

    def at_once(self, status: Status, *projects: str) -> "Story":
        """All PROJECTS do this between two readings."""
        for project in projects:
            known = self.sessions.get(project) or session(project, "working", since=self.now)
            self.sessions[project] = replace(known, status=status, since=self.now)
        return self.look()

    def leaves(self, project: str) -> "Story":
        del self.sessions[project]
        return self.look()

    def passes(self, seconds: float) -> "Story":
        """Let time pass. `news` is called when it asked to be, and when a session leaves the board."""
        end = self.now + seconds
        while (due := self.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.look()
        self.now = end
        return self

    def due(self) -> float | None:
        leaving = [until for s in self.board.sessions if (until := leaves(s)) is not None]
        return min([*leaving, *([] if self.wake_at is None else [self.wake_at])], default=None)

    def look(self) -> "Story":
        after = board(self.sessions.values(), self.now)
        self._take(news(self.board, after, self.policy, self.now, self.memory, self._senses()))
        self.board = after
        assert self.wake_at is None or self.wake_at > self.now, "it asks to be called at once, for ever"
        return self

    def dismissed(self, slot: str) -> "Story":
        self.screen.pop(slot)
        self.memory = closed(self.memory, slot)
        return self

    @property
    def said(self) -> list[str]:
        return [sentence(d) for d in self.decisions]

    @property
    def names(self) -> list[str]:
        """What is on the screen: the projects of sessions, and the titles of summaries."""
        return [named(n) for n in self.screen.values()]

    def text(self, slot: str) -> str:
        """What the notification in SLOT says."""
        return f"{self.screen[slot].title}\n{self.screen[slot].body}"

    def _senses(self) -> Senses:
        return Senses(self._focused, self.dnd, self.quiet, self.patience, self.left)

    def _focused(self, session: Session) -> bool | None:
        self.asked_for_focus += 1
        return session.project in self.focused if self.focus_known else None

    def _take(self, made: News) -> None:
        for slot, _ in made.withdraw:
            del self.screen[slot]
        self.withdrawn += made.withdraw
        for notice in made.show:
            assert notice.slot not in self.screen, "what is on the screen is replaced, not shown again"
            self._put(notice)
        for notice in made.replace:
            assert notice.slot in self.screen, "only what is on the screen can be replaced"
            self._put(notice)
        self.sent += made.sends
        self.in_terminals += [(one.project, notice.title) for one, notice in made.in_terminals]
        self.decisions += made.decisions
        self.memory, self.wake_at = made.memory, made.wake_at

    def _put(self, notice: Notice) -> None:
        self.screen[notice.slot] = notice
        if not notice.quiet:
            self.rings.append(ring(notice))
            self.calls.append((self.now, notice))
            self.rung += [(notice, s) for s in self.sessions.values() if s.key in notice.sessions]


def ring(notice: Notice) -> str:
    """NOTICE in short: its name, and the status if it is of one session."""
    return f"{named(notice)}: {notice.status}" if len(notice.sessions) == 1 else notice.title


def named(notice: Notice) -> str:
    """The project of a session, or the title of a summary."""
    return notice.about[0].project if len(notice.sessions) == 1 else notice.title


def several(names: Iterable[str], status: Status = "working") -> tuple[Session, ...]:
    return tuple(session(name, status) for name in names)
