"""In which order the parts of a file can run, if each takes what others write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from irlint.codes import R
from irlint.companions.demands import Item, each
from irlint.companions.report import Report


def waiting(left: dict[Any, int], readers: Mapping[Any, list[Any]]) -> set[Any]:
    """Return the nodes that cannot run; `left` are the numbers of their inputs that no other node has written yet."""
    ready = [node for node in readers if node not in left]
    while ready:
        for reader in readers.get(ready.pop(), ()):
            left[reader] -= 1
            if not left[reader]:
                ready.append(reader)
    return {node for node, inputs in left.items() if inputs}


def check_steps(tree: Any, steps: str, report: Report) -> bool:
    """Report the first tensor that a step takes, but only a later one writes, which itself waits for it. Return whether there is none."""
    made = {name: k for k, step in enumerate(each(tree, steps)) for name in _mapped(step, "output")}
    left = _stuck(tree, steps, made)
    for at in each(tree, f"{steps}/input_map/*/value") if left else ():
        source, k = made.get(at.value, -1), int(at.path[-4])
        if {source, k} <= left and source >= k:
            report.say(R.cycle, at.path, f"the steps wait for each other: {at.value!r} is written by a later one")
            return False
    return True


def _stuck(tree: Any, steps: str, made: Mapping[str, int]) -> set[Any]:
    """Return the steps that cannot run; `made` are the steps that write tensors."""
    waits: dict[Any, int] = {}
    readers = defaultdict[Any, list[Any]](list)
    for k, step in enumerate(each(tree, steps)):
        sources = [made[name] for name in {*_mapped(step, "input")} & made.keys()]
        for source in sources:
            readers[source].append(k)
        if sources:
            waits[k] = len(sources)
        else:
            readers.setdefault(k, [])
    return waiting(waits, readers)


def _mapped(step: Item, side: str) -> list[str]:
    return [at.value for at in each(step.value, f"{side}_map/*/value") if isinstance(at.value, str)]
