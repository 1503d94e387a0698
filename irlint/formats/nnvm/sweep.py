"""One quick pass over a graph that tells whether anything needs a closer look; a clean file is done after it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.formats.nnvm.examine import Examination, Examiner
from irlint.formats.nnvm.hidden import VariableCheck
from irlint.formats.nnvm.view import NO_ATTRIBUTES, View, attributes

if TYPE_CHECKING:
    from irlint.rules.memory import Memory


class Sweep:
    """What the passes that look closer start from."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.suspects: list[int] = []  # nodes of which the examiner had something to say
        self.special: list[int] = []  # nodes that read from themselves, later nodes or other outputs than 0
        self.odd: list[int] = []  # nodes with more than op, name, inputs and attrs
        self.variables: list[int] = []
        self.totals: list[int | None] = []  # outputs per node; None: unknown
        self.examined: list[Examination | None] = []  # per node; None for variables and operators that are not known
        self.ops: set[str] = set()
        self.all_used = True  # every node is read by another one or handed out
        self.odd_heads = False  # a head out of range, or of another output than 0
        self.unique_names = True
        self.misled = False  # a variable lists inputs, which are not read
        self.types = object()  # the same one where nothing has changed that the types of values depend on

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

    @cached_property
    def names_in_use(self) -> set[str]:
        """Names of the nodes that a head depends on."""
        return {self.view.names[index] for index in self.reachable}


def swept(view: View, examiner: Examiner, variable: VariableCheck, memory: Memory) -> Sweep:
    """The sweep of a graph, made from that of the text before where an edit changed few of its nodes."""

    def revise(before: Any, found: Sweep) -> Sweep | None:
        from irlint.formats.nnvm.sweep_again import sweep_again

        return sweep_again(found, view, examiner, variable) if before == examiner.era else None

    return memory.revised(f"sweep {view.path}", examiner.era, lambda: sweep(view, examiner, variable), revise)


def sweep(view: View, examiner: Examiner, variable: VariableCheck) -> Sweep:
    """Every node once, and as little as possible done to it."""
    result = Sweep(view)
    suspects, special, odd, variables = result.suspects, result.special, result.odd, result.variables
    totals, ops, known = result.totals, result.ops, examiner.known
    keep = result.examined.append
    used: set[int] = set()
    names: set[str] = set()
    use, call, count_outputs = used.add, names.add, totals.append
    for i, node in enumerate(view.nodes):
        op, entries = node["op"], node["inputs"]
        call(node["name"])
        size = len(node)
        if size == 3:
            attrs = NO_ATTRIBUTES
        elif size == 4 and "attrs" in node:
            attrs = node["attrs"]
        else:
            odd.append(i)
            attrs = attributes(node)
        if op == "null":
            variables.append(i)
            count_outputs(1)
            keep(None)
            if entries:
                result.misled = True
                suspects.append(i)
            elif attrs and variable(attrs):
                suspects.append(i)
            continue
        plain = True
        for entry in entries:
            source = entry[0]
            if source >= i or entry[1] or source < 0:
                plain = False
            use(source)
        if not plain:
            special.append(i)
        key = (op, len(entries), *attrs, *attrs.values())
        if key in known:
            found = known[key]
        else:
            ops.add(op)
            found = examiner(op, len(entries), attrs)
        keep(found)
        if found is None:
            suspects.append(i)
            count_outputs(None)
            continue
        if found.issues:
            suspects.append(i)
        count_outputs(found.outputs.total)
    used.update(entry[0] for entry in view.heads)
    result.all_used = len(used) == len(view.nodes) and not result.misled
    result.odd_heads = has_odd_heads(view)
    result.unique_names = are_unique(names, view)
    return result


def has_odd_heads(view: View) -> bool:
    return any(entry[1] or not 0 <= entry[0] < len(view.nodes) for entry in view.heads)


def are_unique(names: set[str], view: View) -> bool:
    return len(names) == len(view.nodes) and "" not in names
