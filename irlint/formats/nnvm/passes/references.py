"""Report duplicate and empty names, undefined entries, undefined and internal outputs, forward references and unused nodes."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.problems import duplicate_definition
from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.passes.examine import Examination
from irlint.formats.nnvm.passes.operands import UNKNOWN_OUTPUTS
from irlint.formats.nnvm.passes.variables import roles_of
from irlint.formats.nnvm.passes.wiring import Repair, argument_of, is_strange, redirected, unread_for
from irlint.formats.nnvm.passes.wording import label, nodes
from irlint.formats.nnvm.passes.wording import outputs as outputs_of
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import WRAP, Entry, GraphView
from irlint.formats.nnvm.rules import R
from irlint.formats.nnvm.state import state_of
from irlint.graph import Graph
from irlint.operators import OperatorTable
from irlint.rules.base import Model
from irlint.text.base import Document, Place
from irlint.tools.names import FreeNames


def name_problems(view: GraphView, seen: Sweep, table: OperatorTable) -> Iterator[Problem]:
    """Yield what names get wrong; mxnet 1.9.1 was asked about each case.

    Two arguments, or two states, of one name cannot be bound. Operators of one name load and run, as do operators without a
    name: converters and unrolled loops write them by the hundred. Two outputs of one name cannot be told apart by name.
    """
    taken = FreeNames(view.names)
    operators: dict[str, list[int]] = {}
    variables: dict[str, list[int]] = {}
    for i, (op, name) in enumerate(zip(view.ops, view.names, strict=True)):
        if i in view.broken or not isinstance(view.originals[i].get("name"), str):
            continue
        if op != "null":
            operators.setdefault(name, []).append(i)
        elif i in seen.reachable:
            variables.setdefault(name, []).append(i)
    for name, group in operators.items():
        yield from (_operator(view, i, group[0], taken) for i in group[bool(name) :])
    if "" in variables:
        message = "empty name for a variable; its value cannot be set or saved by name"
        yield Problem(R.empty_name, view.place(variables[""][0], "name"), message, "")
    several = [group for group in variables.values() if len(group) > 1]
    states = roles_of(table, view).states if several else set()
    for group in several:
        yield from _variables(view, group, states, taken)
    yield from _outputs(view, taken)


def _operator(view: GraphView, index: int, first: int, taken: FreeNames) -> Problem:
    name, at = view.names[index], view.place(index, "name")
    if not name:
        message = f"empty name for `{view.ops[index]}`; MXNet runs it, but messages and tools cannot refer to it"
        return Problem(R.empty_name, at, message, name, severity=Severity.PEDANTIC)
    message = f"duplicate operator name {name!r}; MXNet runs both, but messages and tools cannot tell them apart"
    related = [("first defined here", view.place(first, "name"))]
    return Problem(R.duplicate_name, at, message, name, _renaming(view, index, taken), related, Severity.PEDANTIC)


def _variables(view: GraphView, group: list[int], states: set[int], taken: FreeNames) -> Iterator[Problem]:
    """Report variables that have the name of one above."""
    earlier = {group[0] in states: group[0]}
    for i in group[1:]:
        yield _variable(view, i, earlier, i in states, taken)
        earlier.setdefault(i in states, i)


def _variable(view: GraphView, index: int, earlier: dict[bool, int], is_state: bool, taken: FreeNames) -> Problem:
    name, place = view.names[index], view.place(index, "name")
    other = earlier.get(is_state, next(iter(earlier.values())))
    fix = _renaming(view, index, taken)
    severity = None
    rest = "; MXNet loads the graph but cannot bind it"
    if view.path:  # inputs of a subgraph go by position
        severity, rest = Severity.PEDANTIC, " in this subgraph; MXNet identifies the variables by position"
    elif is_state not in earlier:
        severity = Severity.WARNING
        rest = " for an argument and a state; only the prefixes `arg:` and `aux:` in a parameter file distinguish them"
    message = f"duplicate variable name {name!r}{rest}"
    return duplicate_definition(place, message, view.place(other, "name"), name, fix, severity)


def _outputs(view: GraphView, taken: FreeNames) -> Iterator[Problem]:
    """Report outputs of the whole graph that have the same name."""
    first: dict[tuple[str, bool, int], int] = {}
    for entry in view.heads if not view.path else ():
        if not view.has(entry[0]) or entry[0] in view.broken:
            continue
        key = view.names[entry[0]], view.ops[entry[0]] == "null", entry[1]
        other = first.setdefault(key, entry[0])
        if other == entry[0]:
            continue
        message = f"duplicate output name {key[0]!r}; two outputs of the graph cannot be told apart by name"
        related = [("first defined here", view.place(other, "name"))]
        place = view.place(entry[0], "name")
        yield Problem(R.duplicate_name, place, message, key[0], _renaming(view, entry[0], taken), related)


def _renaming(view: GraphView, index: int, taken: FreeNames) -> Repair:
    def fix(document: Document) -> Fix:
        name = view.names[index]
        new = taken.like(name)
        return Fix(f"Rename to `{new}`", document.write(view.place(index, "name"), new), "unsafe")

    return fix


_FEW = 3  # unused nodes that are examined one by one


def reference_problems(model: Model, graph: Graph, view: GraphView, seen: Sweep) -> Iterator[Problem]:
    entries = [(index, k, entry) for index in seen.special for k, entry in enumerate(view.inputs[index])]
    for index, k, entry in entries:
        who = f"the inputs of {label(view.ops[index], view.names[index])}"
        yield from _entry(seen, entry, view.place(index, f"input:{k}"), who, index, k)
    for k, entry in enumerate(view.heads):
        yield from _entry(seen, entry, view.head_place(k), "the graph's outputs", None, k)
    yield from _order(model, graph, seen, entries)
    used = [*view.heads, *(entry for _, _, entry in entries)]  # the loader drops inputs of variables
    if all(view.has(entry[0]) for entry in used) and not view.broken:
        yield from _unreachable(view, seen)


def _order(model: Model, graph: Graph, seen: Sweep, entries: list[tuple[int, int, Entry]]) -> Iterator[Problem]:
    """Report operators that use what is defined later; if there are none, nothing else need look for cycles."""
    view = seen.view
    later = [(index, k, entry[0]) for index, k, entry in entries if index <= entry[0] < len(view.nodes)]
    forward = [row for row in later if view.ops[row[0]] != "null"]
    if not forward and state_of(model).sweep is seen:  # no other graph is nested in it
        model.settled.update((R.self_reference, R.cycle))
    if late := [(index, k) for index, k, source in forward if source > index]:
        yield from _late(graph, view, late)


def _entry(seen: Sweep, entry: Entry, place: Place, who: str, reader: int | None, k: int) -> Iterator[Problem]:
    """Report an entry that refers to no node, or to no output of one."""
    view, (node, output) = seen.view, entry[:2]
    name = None if reader is None else view.names[reader]
    if not view.has(node):
        if node < 0 and view.has(node + WRAP):
            return
        argument = None if reader is None or reader in view.positions else argument_of(seen, reader, k)
        yield out_of_range(view, node, Place((*place.path, 0)), who, name, redirected(view, reader, argument, place))
    elif output and (reader is None or view.ops[reader] != "null"):
        yield from _output(seen, node, output, Place((*place.path, 1)), who, name)


def out_of_range(view: GraphView, node: int, at: Place, who: str, name: str | None, fix: Repair | None) -> Problem:
    """Report an index that no node has; `fix` uses the node that was meant."""
    count = len(view.nodes)
    message = f"undefined node {node} in {who}; the graph has {nodes(count)}"
    if -count <= node < 0:
        message += ", and negative indexes do not count from the end"
    return Problem(R.index_out_of_range, at, message, name, fix)


def _output(seen: Sweep, node: int, output: int, at: Place, who: str, name: str | None) -> Iterator[Problem]:
    """Report an output that a node does not have, or does not show."""
    view = seen.view
    is_variable, examined = view.ops[node] == "null", seen.examined[node]
    if is_variable and view.inputs[node]:
        return  # an operator whose name is lost, which is reported at the node
    total, visible = (1, 1) if is_variable else examined.outputs if examined else UNKNOWN_OUTPUTS
    what = f"output {output} of {label(view.ops[node], view.names[node])} in {who}"
    # mxnet 1.9.1 loads all of these: output 1 of one leaves shapes open until bind, output 1000000 ends shape inference with a crash, and a
    # hidden output gives other numbers
    if output < 0:
        rest = "outputs are numbered from 0"
    elif visible is None or output < visible:
        return
    elif output < (visible + 2 if total is None else total):
        public = f"{outputs_of(visible)} {'is' if visible == 1 else 'are'} public"
        yield Problem(R.hidden_output, at, f"internal {what}; {public}", name)
        return
    else:
        rest = f"it has {outputs_of(visible)}"

    def fix(document: Document) -> Fix:
        return Fix(f"Replace output {output} with `0`", document.write(at, 0), "unsafe")

    related = [("defined here", view.place(node, "name"))]
    if "num_outputs" in view.attrs[node]:
        related.append(("number of outputs declared here", view.place(node, "attr:num_outputs")))
    yield Problem(R.output_out_of_range, at, f"undefined {what}; {rest}", name, fix if visible == 1 else None, related)


def _late(graph: Graph, view: GraphView, late: list[tuple[int, int]]) -> Iterator[Problem]:
    """Report forward references outside cycles: mxnet 1.9.1 sorts the nodes, TVM 0.9.0 runs them in file order."""
    from irlint.formats.nnvm.reading.order import reorder
    from irlint.rules.checks._order import rings

    ring = rings(graph)
    fix = None if view.path else reorder(view)
    told: set[int] = set()
    for index, k in late:
        source = view.inputs[index][k][0]
        if source in told or ring[source] == ring[index]:
            continue
        told.add(source)
        uses = f"{label(view.ops[index], view.names[index])} uses {view.names[source]!r} before it is defined"
        message = f"{uses}; MXNet sorts the nodes, other readers may not"
        place = view.place(index, f"input:{k}")
        related = [("defined here", view.place(source, "name"))]
        yield Problem(R.used_before_defined, place, message, view.names[index], fix, related, Severity.WARNING)


def _unreachable(view: GraphView, seen: Sweep) -> Iterator[Problem]:
    """Report nodes on which no output depends, once for each node that no other node uses."""
    dead = [i for i in range(len(view.nodes)) if i not in seen.reachable] if view.heads else []
    read = {e[0] for i in dead for e in view.inputs[i] if view.ops[i] != "null"}
    ends = [i for i in dead if i not in read] or dead[:1]
    also = f" ({len(dead)} such nodes in total)" * (len(dead) > len(ends))
    for i in ends:
        misread = _misread(view, seen, i) if len(ends) <= _FEW else None
        rest = f"does not reach an output{also if i == ends[0] else ''}; the loader drops it"
        message = f"{label(view.ops[i], view.names[i])} {rest}"
        yield misread or Problem(R.unreachable_node, view.place(i, "name"), message, view.names[i])


def _misread(view: GraphView, seen: Sweep, index: int) -> Problem | None:
    """Return the problem of the input that an unused variable is named for, where the node uses another one."""
    name = view.names[index]
    if view.ops[index] != "null" or "_" not in name:
        return None
    for reader, examined in enumerate(seen.examined):
        for k, argument in enumerate(_arguments(examined)):
            is_meant = unread_for(view, reader, argument) == index and k < len(view.inputs[reader])
            if is_meant and view.has(view.inputs[reader][k][0]) and is_strange(view, reader, k, argument):
                return _replaced(view, index, reader, k, argument)
    return None


def _arguments(examined: Examination | None) -> tuple[str, ...]:
    """Return the names of a node's inputs; none where one is missing or duplicate, which is a finding of its own."""
    if examined is None or any(fault.rule == R.wrong_input_count for fault in examined.faults):
        return ()
    return examined.arguments


def _replaced(view: GraphView, index: int, reader: int, k: int, argument: str) -> Problem:
    """Return the problem of an input for which an unused variable was meant."""
    name, old, place = view.names[index], view.names[view.inputs[reader][k][0]], view.place(reader, f"input:{k}")
    who = label(view.ops[reader], view.names[reader])
    message = f"{who} takes {old!r} as `{argument}`, but {name!r} is unused; did you mean {name!r}?"

    def fix(document: Document) -> Fix:
        return Fix(f"Replace input {old!r} with {name!r}", document.write(Place((*place.path, 0)), index), "unsafe")

    related = [("unused variable defined here", view.place(index, "name"))]
    return Problem(R.unreachable_node, place, message, view.names[reader], fix, related)
