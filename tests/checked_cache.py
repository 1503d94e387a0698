"""A PassCache that computes whatever it reuses once more, and names the pass whose result differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, TypeVar

from irlint.formats.nnvm.graph import KeptNodes
from irlint.rules.base import Model
from irlint.rules.pass_cache import PassCache
from irlint.text.base import Document

Item = TypeVar("Item")
Found = TypeVar("Found")

_PASSED = (Document, Model, KeptNodes)
_ONLY_ONCE = ("walk",)  # LightNet's walk fills names in as it goes: a second one finds them settled


class CheckedCache(PassCache):
    """A cache for tests."""

    compared = 0  # results, to prove that something was checked

    def once(self, key: str, given: Any, work: Callable[[], Found]) -> Found:
        return self._checked(key, key in self._before, super().once(key, given, work), work)

    def each(
        self, key: str, items: Sequence[Item], given: Any, work: Callable[[int, Item], Found],
        all_work: Callable[[Sequence[Item]], list[Found]] | None = None,
    ) -> list[Found]:  # fmt: skip
        def fresh() -> list[Found]:
            return list(map(work, count(), items))

        is_checked = key in self._before or all_work is not None
        return self._checked(key, is_checked, super().each(key, items, given, work, all_work), fresh)

    def revised(
        self, key: str, given: Any, work: Callable[[], Found], revise: Callable[[Any, Found], Found | None]
    ) -> Found:
        return self._checked(key, key in self._before, super().revised(key, given, work, revise), work)

    def asked(
        self, key: str, given: Any, work: Callable[[], Found], revise: Callable[[Any, Found], Found | None]
    ) -> Found:
        is_reused, found = key in self._asked, super().asked(key, given, work, revise)
        self._checked(key, is_reused, _answer(found), lambda: _answer(work()))
        return found

    def _checked(self, key: str, is_reused: bool, found: Found, work: Callable[[], Found]) -> Found:
        if is_reused and key not in _ONLY_ONCE:
            CheckedCache.compared += 1
            if (where := difference(found, work())) is not None:
                raise AssertionError(f"the pass {key!r} reuses what has changed: {where}")
        return found


def _answer(verdict: Any) -> Any:
    """Return what a gate says; the rest is what its next revision starts from."""
    return getattr(verdict, "sound", verdict)


def difference(one: Any, other: Any, where: str = "", seen: set[tuple[int, int]] | None = None) -> str | None:
    """Return where two results differ in content; None if they do not. Not compared: functions, documents, models, nodes that are kept for the
    next graph, and tokens that are only compared by identity.
    """
    seen = set() if seen is None else seen
    if one is other or (id(one), id(other)) in seen or callable(one) or isinstance(one, _PASSED) or type(one) is object:
        return None
    seen.add((id(one), id(other)))
    if type(one) is not type(other):
        return f"{where}: {one!r:.80} and {other!r:.80}"
    parts = _parts(one), _parts(other)
    if parts[0] is None or parts[1] is None:
        return None if one == other or (one != one and other != other) else f"{where}: {one!r:.80} and {other!r:.80}"
    keys = parts[0].keys() & parts[1].keys()
    if isinstance(one, (dict, list, tuple)) and len(keys) < max(map(len, parts)):
        return f"{where}: {sorted(map(str, parts[0].keys() ^ parts[1].keys()))[:5]} in one only"
    for key in keys:  # of an object, what is computed on demand may be there in one only
        if (found := difference(parts[0][key], parts[1][key], f"{where}.{key}", seen)) is not None:
            return found
    return None


def _parts(value: Any) -> dict[Any, Any] | None:
    """Return what a value is made of; None if it is one thing."""
    if isinstance(value, dict):
        return value
    if isinstance(value, (list, tuple)):
        return dict(enumerate(value))
    if isinstance(value, (str, bytes, int, float, set, frozenset, type(None))):
        return None
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    fields = {name: getattr(value, name) for name in slots if hasattr(value, name)} | getattr(value, "__dict__", {})
    return {name: part for name, part in fields.items() if not name.startswith("_")} if fields else None
