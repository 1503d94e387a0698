"""Report mistakes in single nodes: operators, attributes, number of inputs, variables with inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from irlint.checks.fault import NO_VALUE, Fault, Subject
from irlint.findings import Problem, Safety, Severity
from irlint.formats.nnvm.passes import wiring
from irlint.formats.nnvm.passes.calls import ADDED, COUNTED, DECIDING, DEMANDED, SWITCHED, conditions
from irlint.formats.nnvm.passes.examine import Examiner
from irlint.formats.nnvm.passes.grammar import GRAMMAR, MOVED
from irlint.formats.nnvm.passes.operands import HIDDEN
from irlint.formats.nnvm.passes.suggestions import is_named_for_another, is_right_elsewhere, unknown
from irlint.formats.nnvm.passes.variables import VariableCheck, is_never_told, roles_of, variable_with_inputs
from irlint.formats.nnvm.passes.wording import label
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.rules.base import Model

_OF_OPERATOR = (R.unknown_attribute, R.missing_attribute, R.wrong_input_count)  # another operator may be meant
_UNREAD_AT_LOAD = (COUNTED, DEMANDED, SWITCHED)
_NEARLY_A_TUPLE = "[^A-Za-z0-9]*[0-9][^A-Za-z]*"


class FaultsInGraph:
    """The faults of nodes in one graph, which decides what becomes of them."""

    def __init__(self, view: GraphView, seen: Sweep, examiner: Examiner) -> None:
        self.view, self.seen, self.examiner = view, seen, examiner

    def problems(self, model: Model, variable: VariableCheck) -> Iterator[Problem]:
        view = self.view
        for index in self.seen.suspects:
            if view.ops[index] == "null":
                if view.inputs[index] or index in view.broken:
                    yield variable_with_inputs(view, self.seen.reachable, index, index in self.of_several_outputs)
                yield from self._of_node(index, variable(view.attrs[index]))
            elif (examined := self.seen.examined[index]) is not None:
                yield from self._of_node(index, examined.faults)
            elif view.ops[index] or index not in view.broken:
                yield unknown(model, view.place(index, "op"), view.ops[index], view.names[index])

    @cached_property
    def of_several_outputs(self) -> set[int]:
        """Return the nodes of which an output other than the first is used."""
        return {entry[0] for entry in (*self.view.heads, *self.view.entries) if entry[1]}

    def _of_node(self, index: int, faults: Iterable[Fault]) -> Iterator[Problem]:
        """Yield the problems of one node; at most one of them points at the node's operator."""
        view, is_named = self.view, self.view.ops[index] == "null"
        for found in faults:
            if (fault := self._in_graph(index, found)) is None:
                continue
            problem = self._problem(index, fault)
            if not is_named and self._may_be_another(index, fault):
                is_named = True
                problem.related = [*problem.related, ("operator declared here", view.place(index, "op"))]
            yield problem

    def _in_graph(self, index: int, fault: Fault) -> Fault | None:
        """Return a fault as the rest of the graph makes it, or None if it is not one in this graph."""
        if fault.rule in (MOVED, ADDED):
            placed = self._moved if fault.rule == MOVED else self._added
            return placed(index, fault) if index in self.seen.reachable else None
        if index in self.view.broken and fault.rule in (R.wrong_input_count, R.missing_attribute):
            return None
        if self.view.ops[index] == "null":
            return self._of_variable(index, fault)
        # where the operator is probably the wrong one, the attribute is probably right
        if fault.rule == R.unknown_attribute and fault.safety == "safe" and self._is_named_for_another(index, fault):
            return fault._replace(safety="unsafe")
        return fault

    def _is_named_for_another(self, index: int, fault: Fault) -> bool:
        return is_named_for_another(self.examiner.table, self.view.ops[index], self.view.names[index], fault)

    def _may_be_another(self, index: int, fault: Fault) -> bool:
        """Return whether another operator may be meant: one that has the attribute, the value or the number of inputs."""
        if fault.severity is not None or fault.part == "op":
            return False
        if fault.rule in _OF_OPERATOR and fault.meant is None:
            is_attribute = fault.rule == R.wrong_input_count and fault.part.startswith("attr:")
            return not is_attribute  # which contradicts the inputs
        text = self.view.attrs[index].get(fault.name, "")
        return is_right_elsewhere(self.examiner.table, self.view.ops[index], fault, text)

    def _problem(self, index: int, fault: Fault) -> Problem:
        """Return the problem of a fault: a warning if the loader never reads what is wrong."""
        view, name, op = self.view, self.view.names[index], self.view.ops[index]
        is_late = self.examiner.era.drops_unused or op == "null" or fault.fact in _UNREAD_AT_LOAD
        if fault.severity is None and is_late and index not in self.seen.reachable:
            fault = fault._replace(severity=Severity.WARNING)
        if fault.fact == SWITCHED:
            fault = self._culprit(index, fault)
        problem = GRAMMAR.problem(Subject(label(op, name), name, lambda part: view.place(index, part)), fault)
        if fault.rule == R.wrong_input_count and index not in view.broken:
            self._rewire(index, fault, problem)
        return problem

    # Inputs

    def _rewire(self, index: int, fault: Fault, problem: Problem) -> None:
        """Add the repair of a wrong number of inputs that the nodes' names suggest."""
        examined = self.seen.examined[index]
        assert examined is not None
        expected = examined.inputs
        if expected is None or expected.open:
            return
        if (found := wiring.rewired(self.view, index, expected.names)) is not None:
            may_be_attribute = fault.fact == SWITCHED or expected.counted_by is not None
            safety: Safety = "safe" if found.surely and not may_be_attribute else "unsafe"
            problem.fix = wiring.fix(self.view, index, found, safety)

    def _culprit(self, index: int, fault: Fault) -> Fault:
        """Return a fault of the attribute or of the inputs: an input with the name of the port is probably right."""
        view, is_given = self.view, fault.change == "write"
        key = fault.name if is_given else next(iter(fault.better))
        operator = self.examiner.table.get(view.ops[index])
        assert operator is not None
        port = next(port.name for port in operator.inputs if key in conditions(operator, port))
        sources = [entry[0] for entry in view.inputs[index]]
        is_there = any(view.names[k].endswith(f"_{port}") for k in filter(view.has, sources))
        is_nowhere = f"{view.names[index]}_{port}" not in view.names
        related = [(DECIDING, fault.part)] if is_given else []
        of_inputs = fault._replace(part="inputs", better=NO_VALUE, change="write", related=related)
        if not is_given:
            return fault if is_nowhere and not is_there else of_inputs
        forbids = fault.better == ("False" if key.startswith("no_") else "True")
        of_attribute = fault._replace(related=[("inputs declared here", "inputs")])
        return of_attribute if (is_there if forbids else is_nowhere) else of_inputs

    def _added(self, index: int, fault: Fault) -> Fault | None:
        """Report a variable that the loader would create for a missing input, but that already exists."""
        owner, names = self.view.names[index], self.seen.names_in_use
        port = next((port for port in fault.message.split() if f"{owner}_{port}" in names), None)
        if port is None:
            return None
        rest = f"; variable {f'{owner}_{port}'!r} exists but is not one of its inputs"
        return Fault(R.wrong_input_count, "inputs", f"missing input `{port}` for", rest)

    def _moved(self, index: int, fault: Fault) -> Fault | None:
        """Report a key that the loader moves to an input, unless the node has that input and it is a variable."""
        view, key = self.view, fault.name
        bare = next(h for h in HIDDEN if key.endswith(h))
        port = key[: -len(bare) - 1]
        examined, operator = self.seen.examined[index], self.examiner.table.get(view.ops[index])
        assert examined is not None
        assert operator is not None
        facts = operator.facts
        names = () if facts.get("anonymous_inputs") else examined.arguments
        if facts.get("keeps_hidden") and port not in names:
            return None
        sources = dict(zip(names, (entry[0] for entry in view.inputs[index]), strict=False))
        if port in sources and view.is_variable(sources[port]):
            return None
        rest = f"; its input `{port}` is not a variable" if port in sources else f", whose input `{port}` is missing"
        change = "write"
        if port not in names:
            change, rest = "remove", f", which has no input `{port}`"
        return Fault(R.unknown_attribute, f"attr_key:{key}", f"unknown attribute `{key}` for", rest, change=change)

    # Variables

    def _of_variable(self, index: int, fault: Fault) -> Fault:
        if fault.name == "__shape__":
            return self._shape(index, fault)
        if fault.name == "__storage_type__" and fault.severity == Severity.WARNING:
            return fault._replace(severity=None) if is_never_told(self.examiner.table, self.view, index) else fault
        return fault

    def _shape(self, index: int, fault: Fault) -> Fault:
        """Downgrade an unreadable shape of an input: mxnet 1.9.1 fails on it only if the caller passes no shape.

        Not where the text is nearly a tuple: a tuple that lost a character was readable before, so nothing shows that
        callers pass a shape.
        """
        is_tuple = re.fullmatch(_NEARLY_A_TUPLE, self.view.attrs[index].get("__shape__", "")) is not None
        if is_tuple or index in roles_of(self.examiner.table, self.view).parameters:
            return fault
        rest = f"{fault.rest}; MXNet fails on it unless the caller passes a shape"
        return fault._replace(rest=rest, severity=Severity.WARNING)
