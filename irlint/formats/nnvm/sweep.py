"""One quick pass over a graph that tells whether anything needs a closer look; a clean file is done after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from irlint.formats.nnvm.examine import Examiner
from irlint.formats.nnvm.hidden import VariableCheck
from irlint.formats.nnvm.view import View


@dataclass
class Sweep:
    """What the passes that look closer start from."""

    view: View
    suspects: list[int] = field(default_factory=list)  # nodes of which the examiner had something to say
    totals: list[int | None] = field(default_factory=list)  # outputs per node; None: unknown
    special: list[int] = field(
        default_factory=list
    )  # nodes that read from themselves, later nodes or other outputs than 0
    all_used: bool = True  # every node is read by another one or handed out
    odd_heads: bool = False  # a head out of range, or of another output than 0
    unique_names: bool = True

    @cached_property
    def reachable(self) -> set[int]:
        """Nodes that a head depends on: the only ones whose attributes the loader reads."""
        view = self.view
        count = len(view.nodes)
        if self.all_used and not self.special:
            return set(range(count))
        found: set[int] = set()
        queue = [entry[0] for entry in view.heads if 0 <= entry[0] < count]
        while queue:
            index = queue.pop()
            if index in found:
                continue
            found.add(index)
            if view.ops[index] != "null":
                queue += [e[0] for e in view.inputs[index] if 0 <= e[0] < count]
        return found


def sweep(view: View, examiner: Examiner, variable: VariableCheck) -> Sweep:
    result = Sweep(view)
    misled = False
    suspects, totals, known = result.suspects, result.totals, examiner.known
    for i, (op, entries, attrs) in enumerate(zip(view.ops, view.inputs, view.attrs, strict=True)):
        if op == "null":
            totals.append(1)
            if entries:
                misled = True  # what a variable lists is not read
                suspects.append(i)
            elif attrs and variable(attrs):
                suspects.append(i)
            continue
        key = (op, len(entries), *attrs.items())
        found = known[key] if key in known else examiner(op, len(entries), attrs)
        if found is None:
            suspects.append(i)
            totals.append(None)
            continue
        if found.issues:
            suspects.append(i)
        totals.append(found.outputs.total)
    result.special = special = []
    for i, entries in enumerate(view.inputs):
        for entry in entries:
            if not 0 <= entry[0] < i or entry[1]:
                special.append(i)
                break
    used = {entry[0] for entries in view.inputs for entry in entries}
    used.update(entry[0] for entry in view.heads)
    result.all_used = len(used) == len(view.nodes) and not misled
    result.odd_heads = any(entry[1] or not 0 <= entry[0] < len(view.nodes) for entry in view.heads)
    result.unique_names = len(set(view.names)) == len(view.names)
    return result
