"""One quick pass over a graph that decides whether anything needs the slower passes; a clean file needs nothing else.

It may go over a graph that no schema has judged yet, and judge the nodes itself: to have looked at each of them once costs less.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import Any

from irlint import schema
from irlint.formats.nnvm.passes.examine import Examination, Examiner
from irlint.formats.nnvm.passes.variables import VariableCheck
from irlint.formats.nnvm.reading.view import NO_ATTRIBUTES, WRAP, Entry, GraphView, attributes, view_of


class Sweep:
    """What the passes that look closer start from."""

    def __init__(self, view: GraphView) -> None:
        self.view = view
        self.suspects: list[int] = []  # nodes of which the examiner had something to say
        self.special: list[int] = []  # nodes that read from themselves, later nodes or other outputs than 0
        self.odd: list[int] = []  # nodes with more than op, name, inputs and attrs
        self.variables: list[int] = []
        self.totals: list[int | None] = []  # outputs per node; None: unknown
        self.examined: list[Examination | None] = []  # per node; None for variables and operators that are not known
        self.ops: set[str] = set()
        self.all_used = True  # every node is used by another one or is an output
        self.odd_heads = False  # a head out of range, or of another output than 0
        self.unique_names = True
        self.has_wired_variable = False  # a variable lists inputs, which are not read
        self.doubled = False  # a node with parameters takes one value as two of its inputs

    @cached_property
    def row_ptr(self) -> list[int] | None:
        """Where the outputs of each node begin when all are counted in one row; None where one has an unknown number of them."""
        known: Any = self.totals
        return None if None in self.totals else list(accumulate(known, initial=0))

    @cached_property
    def reachable(self) -> set[int]:
        """Nodes that a head depends on: the only ones whose attributes the loader reads."""
        count = len(self.view.nodes)
        if self.all_used and not self.special:
            return set(range(count))
        inputs, found = dict(self.view.calls), set[int]()
        queue = [entry[0] for entry in self.view.heads]
        while queue:
            index = queue.pop()
            if 0 <= index < count and index not in found:
                found.add(index)
                queue += [entry[0] for entry in inputs.get(index, ())]
        return found

    @cached_property
    def names_in_use(self) -> set[str]:
        """Names of the nodes that a head depends on."""
        return {self.view.names[index] for index in self.reachable}


class DoubtfulNode(Exception):
    """Whether a node is as the schema has it is not for the sweep to say."""


def early_sweep(name: str, value: Any, examiner: Examiner, variable: VariableCheck) -> Sweep | None:
    """Return the sweep of a graph that satisfies the schema; None if only the schema can decide that."""
    if type(value.get("nodes")) is not list or not schema.is_valid(name, {**value, "nodes": []}):
        return None
    try:
        return sweep(view_of(value), examiner, variable, judged=False)
    except (DoubtfulNode, KeyError, TypeError, ValueError, AttributeError):  # of values that are not nodes
        return None


class UsedNodes:
    """Which nodes are used. An undefined entry is assumed to mean a node that nothing else uses."""

    def __init__(self, count: int) -> None:
        self.nodes = bytearray(count)
        self.nowhere: set[int] = set()

    def add(self, entries: list[Entry]) -> None:
        for entry in entries:
            if 0 <= entry[0] < len(self.nodes):
                self.nodes[entry[0]] = 1
            else:
                self.nowhere.add(entry[0])

    @property
    def all(self) -> bool:
        return self.nodes.count(1) + len(self.nowhere) == len(self.nodes)


def sweep(view: GraphView, examiner: Examiner, variable: VariableCheck, judged: bool = True) -> Sweep:
    """Every node once, and as little as possible done to it.

    `judged`: the schema has found the graph right. Else it ends with one of several exceptions where a node may be wrong.
    """
    result = Sweep(view)
    suspects, special, odd, variables = result.suspects, result.special, result.odd, result.variables
    ops, known, count = result.ops, examiner.known, len(view.nodes)
    totals: list[int | None] = [1] * count
    examined: list[Examination | None] = [None] * count
    result.totals, result.examined = totals, examined
    used, zero = UsedNodes(count), 0
    nodes_used = used.nodes
    names: set[str] = set()
    call = names.add
    doubt = _never if judged else _only_entries
    like: dict[
        str, tuple[dict[str, str], int, Examination, int | None]
    ] = {}  # the last node of each operator that is in order
    for i, node in enumerate(view.nodes):
        op, name, entries = node["op"], node["name"], node["inputs"]
        call(name)
        if type(name) is not str or type(entries) is not list:
            doubt(node)
        size = len(node)
        if size == 3:
            attrs = NO_ATTRIBUTES
        elif size == 4 and "attrs" in node:
            attrs = node["attrs"]
            if not attrs and type(attrs) is not dict:
                doubt(attrs)
        else:
            doubt(node)
            odd.append(i)
            attrs = attributes(node)
        if op == "null":
            variables.append(i)
            if entries:
                doubt(node)
                result.has_wired_variable = True
                suspects.append(i)
            elif attrs and variable(attrs):
                suspects.append(i)
            continue
        try:
            for source, output, version in entries:
                if output is not zero or version is not zero or not 0 <= source < i or type(source) is not int:
                    raise ValueError
                nodes_used[source] = 1
        except ValueError:
            for entry in entries:
                doubt(entry)
            if any(entry[1] or not 0 <= entry[0] < i for entry in entries):
                special.append(i)
            used.add(entries)
        given = len(entries)
        before = like.get(op)
        if before is not None and before[1] == given and before[0] == attrs:
            examined[i], totals[i] = before[2:]
            continue
        ops.add(op)
        key = (op, given, *attrs, *attrs.values())
        found = known[key] if key in known else examiner(op, given, attrs)
        examined[i] = found
        if found is None:
            suspects.append(i)
            totals[i] = None
            continue
        if found.faults:
            suspects.append(i)
        else:
            like[op] = attrs, given, found, found.outputs.total
        totals[i] = found.outputs.total
    used.add(view.heads)
    result.all_used = used.all and not result.has_wired_variable
    result.odd_heads = any(entry[1] or not 0 <= entry[0] < count for entry in view.heads)
    result.unique_names = len(names) == count and "" not in names
    return result


def _never(part: Any) -> None:
    """The schema has seen it."""


def _only_entries(part: Any) -> None:
    """Of what looks unusual only entries are judged here."""
    if type(part) is not list or len(part) not in (2, 3) or not all(type(n) is int and 0 <= n < WRAP for n in part):
        raise DoubtfulNode
