"""Defects by somebody who knows JSON but no models: any member, item or sign, changed without a thought."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from oracle.typos import number, numbers, typo

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+')


class Part(NamedTuple):
    """A value in the text: of a member from the quote of its key on."""

    start: int
    value: int  # where the value itself begins
    end: int
    key: str | None
    depth: int
    siblings: int = 0  # what it was found among, for swaps


class Change(NamedTuple):
    what: str
    start: int
    end: int
    new: str


def parts(text: str) -> list[Part]:
    """All members and items of JSON, inner ones first; none of a text whose brackets do not match."""
    walk = _Walk()
    for match in _TOKEN.finditer(text):
        token, at, end = match[0], match.start(), match.end()
        if token in "]}":
            if not walk.open:
                return []
            walk.close(end)
        elif token[0] == '"' and text[end : end + 20].lstrip().startswith(":"):
            walk.key = at, token[1:-1]
        elif token not in ":,":
            walk.value(token, at, end)
    return [] if walk.open else walk.found


class _Walk:
    """The containers that are open, and the key that waits for its value."""

    def __init__(self) -> None:
        self.found: list[Part] = []
        self.open: list[Part] = []  # with no end yet; `siblings` of what they hold is their own number
        self.key: tuple[int, str] | None = None
        self._numbers = [0]
        self._count = 0

    def value(self, token: str, at: int, end: int) -> None:
        start, name = self.key or (at, None)
        self.key = None
        part = Part(start, at, end, name, len(self.open), self._numbers[-1])
        if token in "[{":
            self._count += 1
            self._numbers.append(self._count)
            self.open.append(part)
        else:
            self.found.append(part)

    def close(self, end: int) -> None:
        self._numbers.pop()
        self.found.append(self.open.pop()._replace(end=end))


def _pick(rng: random.Random, found: list[Part]) -> Part | None:
    """Any of them, rare keys as often as common ones."""
    groups: dict[str | None, list[Part]] = defaultdict(list)
    for part in found:
        groups[part.key].append(part)
    if not groups:
        return None
    return rng.choice(groups[rng.choice(sorted(groups, key=str))])


def _scalars(text: str, found: list[Part]) -> list[Part]:
    return [part for part in found if text[part.value] not in "[{"]


def value_changed(text: str, found: list[Part], rng: random.Random) -> Change | None:
    part = _pick(rng, _scalars(text, found))
    if part is None:
        return None
    old = text[part.value : part.end]
    same = [text[p.value : p.end] for p in found if p.key == part.key and p.depth == part.depth]
    others = sorted({new for new in same if new != old and len(new) < 100})
    if others and rng.random() < 0.35:
        new = rng.choice(others)
    elif old[0] == '"':
        inner = old[1:-1]
        new = f'"{numbers(inner, rng) if re.search("[0-9]", inner) and rng.random() < 0.6 else typo(inner, rng)}"'
    else:
        new = number(old, rng) if old[0] in "-0123456789" else rng.choice(("true", "false", "null", "True", "0"))
    return Change("value", part.value, part.end, new)


def value_requoted(text: str, found: list[Part], rng: random.Random) -> Change | None:
    """A number becomes a string, a string loses its quotes."""
    part = _pick(rng, [p for p in _scalars(text, found) if p.end - p.value < 60])
    if part is None:
        return None
    old = text[part.value : part.end]
    return Change("requoted", part.value, part.end, old[1:-1] if old[0] == '"' else f'"{old}"')


def value_of_other_kind(text: str, found: list[Part], rng: random.Random) -> Change | None:
    part = _pick(rng, found)
    if part is None:
        return None
    old = text[part.value : part.end]
    kinds = ["null", "{}", "[]", "0", '""', f"[{old}]", "true", f'{{"a": {old}}}', "-1", '"x"']
    return Change("kind", part.value, part.end, rng.choice(kinds))


def member_removed(text: str, found: list[Part], rng: random.Random) -> Change | None:
    part = _pick(rng, [p for p in found if p.key is not None])
    return part and Change("removed", *_with_comma(text, part), "")


def item_removed(text: str, found: list[Part], rng: random.Random) -> Change | None:
    part = _any(rng, [p for p in found if p.key is None and p.depth])
    return part and Change("item removed", *_with_comma(text, part), "")


def _any(rng: random.Random, found: list[Part]) -> Part | None:
    """Any item, of each depth as often."""
    depths = sorted({part.depth for part in found})
    if not depths:
        return None
    depth = rng.choice(depths)
    return rng.choice([part for part in found if part.depth == depth])


def _with_comma(text: str, part: Part) -> tuple[int, int]:
    """The range of a member or item and of the comma that parts it from its neighbour."""
    after = re.compile(r"\s*,\s*").match(text, part.end)
    if after:
        return part.start, after.end()
    before = re.compile(r",\s*$").search(text[max(0, part.start - 200) : part.start])
    return (part.start - len(before[0]) if before else part.start), part.end


def doubled(text: str, found: list[Part], rng: random.Random) -> Change | None:
    part = _pick(rng, [p for p in found if p.depth and p.key is not None and p.end - p.start < 5000])
    return part and Change("doubled", part.end, part.end, f", {text[part.start : part.end]}")


def item_doubled(text: str, found: list[Part], rng: random.Random) -> Change | None:
    part = _any(rng, [p for p in found if p.depth and p.key is None and p.end - p.start < 5000])
    return part and Change("item doubled", part.end, part.end, f", {text[part.start : part.end]}")


def key_renamed(text: str, found: list[Part], rng: random.Random) -> Change | None:
    part = _pick(rng, [p for p in found if p.key])
    if part is None or part.key is None:
        return None
    new = typo(part.key, rng)
    if rng.random() < 0.2:
        new = rng.choice(sorted({p.key for p in found if p.key}))
    return Change("key renamed", part.start, part.start + len(part.key) + 2, f'"{new}"')


def items_swapped(text: str, found: list[Part], rng: random.Random) -> Change | None:
    """Two neighbours in one container change places."""
    groups: dict[int, list[Part]] = defaultdict(list)
    for part in found:
        groups[part.siblings].append(part)
    usable = [group for group in groups.values() if len(group) > 1]
    if not usable:
        return None
    group = sorted(rng.choice(usable))
    k = rng.randrange(len(group) - 1)
    one, two = group[k], group[k + 1]
    new = text[two.start : two.end] + text[one.end : two.start] + text[one.start : one.end]
    return Change("swapped", one.start, two.end, new)


def sign_removed(text: str, found: list[Part], rng: random.Random) -> Change | None:
    sign = rng.choice('",:[]{}')
    spots = [m.start() for m in re.finditer(re.escape(sign), text)]
    if not spots:
        return None
    at = rng.choice(spots)
    return Change(f"no {sign}", at, at + 1, "")


def sign_added(text: str, found: list[Part], rng: random.Random) -> Change | None:
    at = rng.choice([m.end() for m in re.finditer(r'[",:\[\]{}]', text)] or [0])
    return Change("sign added", at, at, rng.choice('",:[]{}'))


def cut_off(text: str, found: list[Part], rng: random.Random) -> Change | None:
    return Change("cut off", rng.randrange(len(text) // 4, len(text)), len(text), "")


Way = Callable[[str, "list[Part]", random.Random], "Change | None"]
WAYS: tuple[Way, ...] = (
    value_changed, value_changed, value_changed, value_requoted, value_of_other_kind, member_removed, member_removed, item_removed, doubled,
    item_doubled, key_renamed, key_renamed, items_swapped, sign_removed, sign_removed, sign_added, cut_off,
)  # fmt: skip


def _sign(sign: str) -> Way:
    """One sign is gone, wherever it is."""

    def way(text: str, found: list[Part], rng: random.Random) -> Change | None:
        spots = [m.start() for m in re.finditer(re.escape(sign), text)]
        if not spots:
            return None
        at = rng.choice(spots)
        return Change(f"no {sign}", at, at + 1, "")

    return way


SIGNS: dict[str, Way] = {f"no {sign}": _sign(sign) for sign in '",:[]{}'}
