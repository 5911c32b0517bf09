"""Assemble a Session from the verdict of `truth` and everything else that is known of it. Pure."""

from collections.abc import Iterable
from pathlib import PurePosixPath, PureWindowsPath

from deskbell.session import STALE_AFTER, STALLED_AFTER, STALLED_IN_TOOL_AFTER, Agent, Ask, Place, Session
from deskbell.sessions.attended import is_hidden, kind_of
from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Verdict
from deskbell.sessions.lines import text
from deskbell.sessions.presence import person_at
from deskbell.sessions.project_folder import project_folder
from deskbell.sessions.registry import Entry
from deskbell.sessions.turns import GRACE, is_own_prompt, is_refused, turn_at
from deskbell_hooks.fold import words
from deskbell_hooks.schema import Record, Run

SUSPENDED = "; its client is suspended: type fg in its terminal"


def assemble(
    session_id: str,
    record: Record | None,
    run: Run | None,
    entry: Entry | None,
    tail: Tail,
    verdict: Verdict,
    now: float,
    silent: bool = False,
    suspended: bool = False,
    left_dialog: float | None = None,
    host: str | None = None,
    lost: bool = False,
) -> Session:
    """Return the session. What is not known of it is None or empty.

    SILENT: the hooks no longer report what this session does, so what they said of its turn is out of date. A SUSPENDED
    session keeps its status: a request still waits, but its terminal first needs the command `fg`. LEFT_DIALOG is when
    its newest dialog was closed, as `Memory` saw it. HOST is the name of its machine. LOST: its process cannot be asked
    about.
    """
    where = run.get("where") if run else None
    known: Record = record or {}
    doing: Run = run or {}
    cwd = known.get("cwd") or (entry.cwd if entry else None)
    turn_started, last_turn_seconds = _turn(run, tail, verdict, silent)
    if _is_outdated(run or record, tail):  # its texts are about an earlier turn
        known = {**known, "title": "", "prompt": tail.prompt, "last_message": None, "last_error": {}}  # type: ignore[typeddict-item]  # as if never recorded
    if is_refused(run, tail) or is_own_prompt(doing.get("turn_started"), tail):
        known = {**known, "prompt": tail.prompt}
    heard = max(doing.get("last_at", 0.0), entry.status_since if entry else 0.0, tail.at or 0.0) or verdict.since
    stalls_at = None if suspended else _stalls_at(doing, tail, verdict, heard)
    return Session(
        session_id=session_id,
        pid=entry.pid if entry else where["pid"] if where else None,
        pid_start=entry.pid_start if entry else where.get("start") if where else None,
        status=verdict.status,
        detail=verdict.detail,
        reason=f"{verdict.reason}{SUSPENDED if suspended else ''}",
        since=verdict.since,
        heard=heard,
        project=project_of(record, entry),
        title=(entry and entry.name) or tail.title or known.get("title") or "",
        prompt=known.get("prompt", ""),
        cwd=cwd,
        branch=tail.branch,
        model=tail.model or known.get("model"),
        permission_mode=doing.get("mode"),
        host=host,
        lost=lost,
        kind=kind_of(run, entry),
        config_dir=entry.config_dir if entry else known.get("config_dir"),
        transcript_path=transcript_of(session_id, record, entry),
        started=known.get("started") or (entry.started if entry else None),
        turn_started=turn_started,
        last_turn_seconds=last_turn_seconds,
        turns=known.get("turns", 0),
        agents=_agents(doing),
        tasks=tuple(task.get("description") or task.get("type", "") for task in doing.get("tasks", [])),
        todo=tail.todo or _todo(known),
        context_tokens=tail.context_tokens,
        context_percent=tail.context_percent,
        output_tokens=tail.output_tokens,
        cost_usd=tail.cost_usd,
        spent=tail.spent,
        last_line=tail.last_line or known.get("last_message"),
        last_error=tail.error or text(known.get("last_error", {}).get("message")),
        place=_place(run),
        hidden=is_hidden(run, entry),
        resets_at=tail.limit.resets if tail.limit and verdict.status == "limit" else None,
        stale=now - heard > STALE_AFTER,
        stalled=stalls_at is not None and now >= stalls_at,
        stalls_at=stalls_at,
        suspended=suspended,
        began=doing.get("began") or (entry.started if entry else None),
        started_in=_started_in(known.get("start_cwd"), entry.cwd if entry else None, cwd),
        ask=_ask(doing, verdict),
        person_at=person_at(run, entry, tail, verdict, left_dialog, silent),
    )


def _is_outdated(heard: Run | None, tail: Tail) -> bool:
    """Return True if the person has written a prompt that no hook reported: HEARD is then about an earlier turn."""
    return heard is not None and tail.prompted is not None and tail.prompted > turn_at(heard) + GRACE


def _turn(run: Run | None, tail: Tail, verdict: Verdict, silent: bool) -> tuple[float | None, float | None]:
    """Return when the turn of VERDICT began, and how many seconds the newest finished turn took."""
    if run is None or silent:
        started = max(tail.prompts, default=None)
        is_over = verdict.status in ("idle", "interrupted", "error")
        return started, None if started is None or not is_over else max(0.0, verdict.since - started)
    started, took = run.get("turn_started"), run.get("last_turn_seconds")
    is_new = verdict.status == "working" and _is_new_turn(run, verdict)
    return verdict.since if is_new else started, None if took is None else max(0.0, took)


def _is_new_turn(run: Run, verdict: Verdict) -> bool:
    """Return True if the client works in a turn that no hook has reported yet, or compacts at its prompt."""
    return run.get("turn") != "working" and (verdict.since > turn_at(run) or bool(run.get("compacting")))


def _stalls_at(run: Run, tail: Tail, verdict: Verdict, heard: float) -> float | None:
    """Return when a session that was HEARD then is stalled; None if it does not work."""
    if verdict.status != "working":
        return None
    return heard + (STALLED_IN_TOOL_AFTER if run.get("calls") or tail.calls else STALLED_AFTER)


def _ask(run: Run, verdict: Verdict) -> Ask | None:
    """Return the request that VERDICT is about: the one of its kind and time. A Notification names no request."""
    named = [
        (request["order"], request["agent"])
        for request in run.get("pending", [])
        if request["tool"] and (request["kind"], request["at"]) == (verdict.status, verdict.since)
    ]
    return min(named, default=None)


def transcript_of(session_id: str, record: Record | None, entry: Entry | None) -> str | None:
    """Return the path that the hooks recorded, else the one to which Claude Code writes; None if neither is known."""
    if record and record.get("transcript"):
        return record["transcript"]
    if entry and entry.cwd:
        return f"{entry.config_dir}/projects/{project_folder(entry.cwd)}/{session_id}.jsonl"
    return None


def project_of(record: Record | None, entry: Entry | None) -> str:
    known: Record = record or {}
    return known.get("project") or _last_part(known.get("cwd") or (entry.cwd if entry else None)) or "?"


def _last_part(path: str | None) -> str:
    if not path:
        return ""
    return (PurePosixPath(path) if path.startswith("/") else PureWindowsPath(path)).name or path


def _started_in(*folders: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(folder for folder in folders if folder))


def _todo(record: Record) -> tuple[int, int] | None:
    todo = record.get("todo")
    return (todo[0], max(todo)) if todo and len(todo) == 2 else None


def _agents(run: Run) -> tuple[Agent, ...]:
    calls = {call["agent"]: words(call) for call in run.get("calls", []) if call["agent"]}
    return tuple(
        Agent(
            id=agent["id"],
            type=agent.get("type", ""),
            status=agent["status"],
            detail=calls.get(agent["id"], ""),
            started=agent.get("started"),
            ended=agent.get("ended"),
        )
        for agent in run.get("agents", [])
    )


def _place(run: Run | None) -> Place:
    where = run.get("where", {}) if run else {}
    named: Iterable[tuple[str, str]] = where.get("handles", {}).items()
    more = ((name, str(where[name])) for name in ("ssh", "wsl", "container") if where.get(name))
    return Place(where.get("tty"), (*named, *more))
