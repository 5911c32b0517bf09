"""Add Deskbell's hooks to the text of a settings.json, remove them, and report their state in it. Pure.

Install adds entries at the ends of their lists and changes no other character; uninstall removes exactly what install
added. A text that is not understood raises Misshapen with its place.
"""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deskbell.settings import jsonedit
from deskbell.settings.jsonedit import Edit, Style
from deskbell.settings.jsonspans import BOM, Misshapen, Value, is_blank, last_member, loaded, members, parse
from deskbell.settings.registration import Handler, Verb, Wanted, hook_of, is_ours
from deskbell.settings.standing import SortedOut, Standing, slots_of, standing_of


class HookEntry(NamedTuple):
    """A handler of ours in the text."""

    event: str
    verb: Verb
    span: Value
    handler: Handler
    whole: bool
    """Whether the client reads it, and starts it for every use of its event."""


def with_hooks(text: str, wanted: Wanted) -> str:
    """Add our handlers or correct them; keep every other character."""
    if is_blank(text):
        return _new_text(text, wanted)
    root = parse(text)
    _check_shape(root)
    look = jsonedit.style(text, root)
    ours = _sorted_out(text, root, wanted, look)
    text = jsonedit.applied(text, ours.edits)
    slots = slots_of(wanted)
    missing: dict[str, list[Handler]] = {event: [] for event, _ in ours.missing}
    for event, verb in ours.missing:
        missing[event].append(slots[event, verb])
    return _added(text, missing, look)


def without_hooks(text: str) -> str:
    """Remove our handlers and what was added with them; keep every other character."""
    if is_blank(text):
        return text
    root = parse(text)
    return jsonedit.applied(text, _root_without(text, root, {entry.span.start for entry in _ours(text, root)}))


def compared(text: str, wanted: Wanted) -> Standing:
    if is_blank(text):
        return standing_of(SortedOut([], list(slots_of(wanted)), [], [], [], []))
    root = parse(text)
    return standing_of(_sorted_out(text, root, wanted, Style()))


def has_other_hooks(text: str, event: str) -> bool:
    """Return whether the text registers a handler for EVENT that is not ours."""
    if is_blank(text):
        return False
    hooks = last_member(parse(text), "hooks")
    groups = last_member(hooks.value, event) if hooks else None
    return any(_has_others(text, group.value) for group in (groups.value.items if groups else ()))


def _has_others(text: str, group: Value) -> bool:
    handlers = last_member(group, "hooks")
    found = handlers.value.items if handlers and handlers.value.kind == "array" else ()
    return any(item.value.kind == "object" and not is_ours(_flat(text, item.value)) for item in found)


def hooks_disabled(text: str) -> int | None:
    """Return the place where the text switches all hooks off; None if it does not."""
    return _true_at(text, "disableAllHooks")


def managed_only(text: str) -> int | None:
    """Return the place where an administrator's text allows only its own hooks; None if it allows others."""
    return _true_at(text, "allowManagedHooksOnly")


def _true_at(text: str, key: str) -> int | None:
    if is_blank(text):
        return None
    found = last_member(parse(text), key)
    return found.start if found and text[found.value.start : found.end] == "true" else None


def _sorted_out(text: str, root: Value, wanted: Wanted, look: Style) -> SortedOut:
    found = SortedOut([], [], [], [], [], [])
    slots, unwanted = slots_of(wanted), set()
    for event, verb, span, handler, whole in _ours(text, root):
        slot = (event, verb)
        found.handlers.append(handler)
        if slot not in slots or not whole or slot in found.current or slot in found.stale:
            found.stray.append(slot)
            unwanted.add(span.start)
        elif _same(handler, slots[slot]):
            found.current.append(slot)
        else:
            found.stale.append(slot)
            found.edits.append(Edit(span.start, span.end, look.rendered(slots[slot])))
    found.missing.extend(slot for slot in slots if slot not in found.current and slot not in found.stale)
    found.edits.extend(_root_without(text, root, unwanted))
    return found


def _same(one: Handler, other: Handler) -> bool:
    """Compare as JSON, where true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _ours(text: str, root: Value) -> Iterator[HookEntry]:
    for hooks in members(root, "hooks"):
        for event in hooks.value.items if hooks.value.kind == "object" else ():
            name = str(event.key)
            read = last_member(root, "hooks") is hooks and last_member(hooks.value, name) is event
            for group in event.value.items if event.value.kind == "array" else ():
                yield from _ours_of_group(text, name, group.value, read and _for_everything(text, group.value))


def _ours_of_group(text: str, event: str, group: Value, whole: bool) -> Iterator[HookEntry]:
    for handlers in members(group, "hooks"):
        counts = whole and last_member(group, "hooks") is handlers
        for item in handlers.value.items if handlers.value.kind == "array" else ():
            handler = _flat(text, item.value)
            if hook := hook_of(handler):
                yield HookEntry(event, hook.verb, item.value, handler, counts)


def _for_everything(text: str, group: Value) -> bool:
    matcher = last_member(group, "matcher")
    return matcher is None or text[matcher.value.start : matcher.end] in ('""', '"*"')


def _flat(text: str, value: Value) -> Handler:
    """Return the handler, with None for every value nested deeper than a list of words: ours has no such value."""
    if value.kind != "object":
        return {}
    return {
        str(item.key): None if any(word.value.items for word in item.value.items) else loaded(text, item.value)
        for item in value.items
    }


def _check_shape(root: Value) -> None:
    """Raise Misshapen for hooks of the wrong shape: the client drops them, or the whole file with them."""
    _expect(root, "object", "the settings are", root.start)
    hooks = last_member(root, "hooks")
    if hooks is None:
        return
    _expect(hooks.value, "object", '"hooks" is', hooks.value.start)
    for event in hooks.value.items:
        name = json.dumps(event.key)  # a key may hold control characters and halves of surrogate pairs
        _expect(event.value, "array", f'{name} under "hooks" is', event.value.start)
        for group in event.value.items:
            _expect(group.value, "object", f"an entry of {name} is", group.start)
            handlers = last_member(group.value, "hooks")
            if handlers is None:
                raise Misshapen(f'an entry of {name} has no list "hooks"', group.start)
            _expect(handlers.value, "array", f'"hooks" in an entry of {name} is', handlers.value.start)


def _expect(value: Value, kind: str, what: str, at: int) -> None:
    names = {"object": "an object", "array": "a list"}
    if value.kind != kind:
        raise Misshapen(f"{what} not {names[kind]}", at)


def _new_text(text: str, wanted: Wanted) -> str:
    bom = BOM if text.startswith(BOM) else ""
    found = "\r\n" if "\r\n" in text else "\n"
    look = Style(newline=found)
    hooks = _hooks_member(wanted, look, look.unit)
    return bom + look.container("{}", [hooks], "", jsonedit.WAS_NOTHING) + text.removeprefix(BOM)


def _added(text: str, missing: Wanted, look: Style) -> str:
    if not missing:
        return text
    root = parse(text)
    hooks = last_member(root, "hooks")
    if hooks is None:
        member = _hooks_member(missing, look, jsonedit.item_indent(text, root, look))
        return jsonedit.applied(text, [jsonedit.appended(text, root, [member], look)])
    lists = {event: last_member(hooks.value, event) for event in missing}
    edits = [
        jsonedit.appended(text, there.value, [look.rendered(group) for group in _groups(missing[event])], look)
        for event, there in lists.items()
        if there
    ]
    new = [_event_member(event, missing[event], look) for event, there in lists.items() if not there]
    if new:
        edits.append(jsonedit.appended(text, hooks.value, new, look))
    return jsonedit.applied(text, edits)


def _hooks_member(handlers: Wanted, look: Style, indent: str) -> str:
    events = [_event_member(event, own, look) for event, own in handlers.items()]
    return look.member("hooks", look.container("{}", events, indent))


def _event_member(event: str, handlers: Sequence[Handler], look: Style) -> str:
    """Render an event on one line, so that all of ours take about twenty lines of the person's file."""
    return look.member(event, look.rendered(_groups(handlers)))


def _groups(handlers: Sequence[Handler]) -> list[Handler]:
    """Return a group for each handler, so that each can be removed alone."""
    return [{"hooks": [handler]} for handler in handlers]


def _root_without(text: str, root: Value, unwanted: set[int]) -> list[Edit]:
    edits = _without(text, root, unwanted, "root")
    return [jsonedit.emptied(text, root)] if edits is None else edits


# For each level of the settings, the level below that may hold our handlers, and the key that leads there.
_BELOW = {"root": "events", "events": "groups", "groups": "group", "group": "handlers", "handlers": "handler"}
_KEYED = {"root": "hooks", "group": "hooks"}


def _without(text: str, value: Value, unwanted: set[int], level: str) -> list[Edit] | None:
    """Return the edits that remove the UNWANTED handlers from the value; None if nothing of the value is left."""
    if level == "handler":
        return None if value.start in unwanted else []
    edits: list[Edit] = []
    gone = set()
    for index, item in enumerate(value.items):
        if level in _KEYED and item.key != _KEYED[level]:
            continue
        below = _without(text, item.value, unwanted, _BELOW[level])
        if below is None:
            gone.add(index)
        else:
            edits += below
    if level == "group" and gone:
        return None  # the rest of a group, such as its matcher, means nothing without its handlers
    own = jsonedit.cut(text, value, gone)
    return None if own is None else edits + own
