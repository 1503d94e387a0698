"""What is new in the findings of an object since an earlier report."""

from __future__ import annotations

from collections import Counter

from irlint.report.objects import Record, is_readable

Key = tuple[str, str, str, "str | None", str]


def key_of(finding: Record) -> Key:
    """Return what a finding is but for its place in the file, which moves with every edit before it."""
    return finding["code"], finding["name"], finding["message"], finding["node"], finding["severity"]


def changes(now: Record, then: Record | None) -> tuple[list[int], Counter[Key]]:
    """Return which of an object's findings are new, by number, and how often those are gone that it had."""
    left = Counter(map(key_of, then["findings"])) if then is not None else Counter()
    fresh = []
    for number, finding in enumerate(now["findings"]):
        key = key_of(finding)
        if left[key] > 0:
            left[key] -= 1
        else:
            fresh.append(number)
    return fresh, +left


def are_comparable(now: Record, then: Record | None) -> bool:
    """Return whether both runs could read an object: what one could not has neither new nor fixed findings."""
    return is_readable(now) and (then is None or is_readable(then))
