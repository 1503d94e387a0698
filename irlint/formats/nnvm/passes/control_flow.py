"""_foreach, _while_loop, _cond: their subgraphs, and the lists that say which input goes where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any

from irlint.checks.signature import outside
from irlint.findings import Problem, Severity
from irlint.formats.nnvm.passes.examine import Examiner
from irlint.formats.nnvm.passes.operands import values_of
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.values import BadValue, read
from irlint.formats.nnvm.reading.versions import version_of
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.records import NamedTuple
from irlint.text.base import Place
from irlint.text.words import count


class _Kind(NamedTuple):
    parts: tuple[str, ...]  # what each subgraph is
    locations: tuple[str, ...] = ()  # for each subgraph, the attribute that lists its inputs
    states: str = ""  # the attribute that lists what a step hands to the next one
    state: str = ""  # what messages call one of these


_FOREACH = _Kind(("body",), (), "in_state_locs", "state")
_LOOP = _Kind(("condition", "body"), ("cond_input_locs", "func_input_locs"), "func_var_locs", "loop variable")
_BRANCHES = _Kind(
    ("condition", "then branch", "else branch"), ("cond_input_locs", "then_input_locs", "else_input_locs")
)
_KINDS = {"_foreach": _FOREACH, "_while_loop": _LOOP, "_cond": _BRANCHES}
_BODY_LISTS = ("in_data_locs", "in_state_locs", "remain_locs")  # of _foreach: which input of its body is which
_ACTIVATIONS = frozenset(("Activation", "LeakyReLU", "clip"))
# The attributes that say which operators of the fused graph are computed: MXNet 1.9.1 leaves the others out
_FUSED: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "_sg_mkldnn_conv": (("with_act", "with_postsum_act"), _ACTIVATIONS),
    "_sg_mkldnn_fully_connected": (("with_eltwise",), _ACTIVATIONS | {"square", "sqrt", "exp", "abs"}),
}


def check(view: GraphView, seen: Sweep, examiner: Examiner) -> Iterator[Problem]:
    """Report what contradicts the subgraphs of each reachable control-flow node."""
    for index, op in enumerate(view.ops):
        if index not in seen.reachable or index in view.broken:
            continue
        if op in _FUSED:
            yield from _FusedNode(view, index, examiner).problems()
        elif op in _KINDS and (values := _values(examiner, op, view.attrs[index])) is not None:
            yield from _ControlFlowNode(view, index, examiner, values).problems()


def _values(examiner: Examiner, op: str, attrs: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the values of all attributes; None if one is missing or cannot be read."""
    operator = examiner.table.get(op)
    try:
        return {name: read(one, attrs[name]) for name, one in operator.attributes.items()} if operator else None
    except (KeyError, BadValue):
        return None


class _NestingNode:
    """A node with subgraphs."""

    def __init__(self, view: GraphView, index: int, examiner: Examiner) -> None:
        self.view, self.index, self.examiner = view, index, examiner
        self.op, self.name, self.attrs = view.ops[index], view.names[index], view.attrs[index]
        found = view.originals[index].get("subgraphs")
        self.graphs: list[Any] = found if isinstance(found, list) else []

    def problem(
        self, part: str, what: str, related: Sequence[tuple[str, str]] = (), severity: Severity | None = None
    ) -> Problem:
        """Return a problem; `related` are notes and the part of the node that each is about."""
        others = [(words, self._place(other)) for words, other in related]
        message = f"{self.op} {self.name!r}: {what}"
        return Problem(R.subgraph_interface, self._place(part), message, self.name, related=others, severity=severity)

    def _place(self, part: str) -> Place:
        path = self.view.node_path(self.index)
        if part == "subgraphs":
            has = "subgraphs" in self.view.originals[self.index]
            return Place((*path, "subgraphs"), "key") if has else Place((*path, "op"))
        if part.startswith("subgraph:"):
            return Place((*path, "subgraphs", int(part[9:]), "heads"))
        return _version_place(self.view.raw) if part == "version" else self.view.place(self.index, part)


class _FusedNode(_NestingNode):
    def problems(self) -> Iterator[Problem]:
        """Report activations in the fused graph that no attribute enables."""
        if len(self.graphs) != 1:
            yield self.problem("subgraphs", f"expected 1 subgraph (the fused graph), got {len(self.graphs)}")
            return
        flags, kinds = _FUSED[self.op]
        operator = self.examiner.table.get(self.op)
        values = values_of(self.attrs, operator)
        inside = [op for op in _operators(self.graphs[0]) if op in kinds]
        off = [flag for flag in flags if values.get(flag) is False]
        if operator is not None and len(inside) > len(flags) - len(off):
            known = operator.attributes.values()
            written = [
                one.name for one in known if one.facts.get("renamed", one.name) in off and one.name in self.attrs
            ]
            what = f"{inside[-1]} in its subgraph never runs; it needs {' or '.join(f'`{flag}=True`' for flag in off)}"
            yield self.problem(f"attr:{written[0]}" if written else "op", what)


class _ControlFlowNode(_NestingNode):
    """A node with its attributes read."""

    def __init__(self, view: GraphView, index: int, examiner: Examiner, values: dict[str, Any]) -> None:
        super().__init__(view, index, examiner)
        self.values, self.kind = values, _KINDS[self.op]
        self.given = len(view.inputs[index])
        self.heads = [_outputs(graph) for graph in self.graphs]

    def problems(self) -> list[Problem]:
        """Return what the first step finds that finds anything: the others go by what it has found wrong."""
        return next(filter(None, map(list, self._steps())), [])

    def _steps(self) -> Iterator[Iterator[Problem]]:
        outputs = self.values["num_outputs"]
        yield self._age()
        yield self._counts()
        if self.op == "_foreach":
            yield self._outputs(0, outputs)
            yield self._body_lists()
            yield chain(self._bare_variables(), self._states())
        for k, name in enumerate(self.kind.locations):
            yield self._branch_inputs(k, name)
            yield self._outputs(k, outputs if k else 1)
        if self.op == "_while_loop":
            yield self._loop_variables()
            yield self._states()

    def _listed(self, name: str) -> Sequence[int]:
        return self.values[name] or ()

    def _age(self) -> Iterator[Problem]:
        if self.examiner.era.adds_inputs and self.values["num_args"] > self.given:
            version = version_of(self.view.raw)
            age, note = f"`mxnet_version` {version}", "version"
            if version is None:
                age, note = "a file without `mxnet_version`", "version belongs here"
            what = f"the loader takes {age} for MXNet 0.8 and adds inputs, with which the operator cannot run"
            yield self.problem("op", what, [(note, "version")])

    def _counts(self) -> Iterator[Problem]:
        parts, given, told = self.kind.parts, count(self.given, "input"), self.values["num_args"]
        subgraphs, total = count(len(parts), "subgraph"), self.given + len(parts)
        if len(self.graphs) != len(parts):
            yield self.problem("subgraphs", f"expected {subgraphs} ({', '.join(parts)}), got {len(self.graphs)}")
        elif self.kind is not _FOREACH and told != total:  # which does not look at it
            yield self.problem(
                "attr:num_args", f"expected {total} for `num_args` ({given} and {subgraphs}), got {told}"
            )

    def _body_lists(self) -> Iterator[Problem]:
        """Report the first mistake in the lists that map inputs of the node to inputs of the body."""
        listed = [(location, name) for name in _BODY_LISTS for location in self._listed(name)]
        taken, given = _variables(self.graphs[0]), count(self.given, "input")
        locations = {location for location, _ in listed}
        for_variables = f"expected {count(taken or 0, 'input')} for the body's variables, got {self.given}"
        if taken == len(locations) == len(listed) > self.given:
            yield self.problem("inputs", for_variables, [("last of the lists that map them", "attr:remain_locs")])
            return
        seen: dict[int, str] = {}
        for location, name in listed:
            if not 0 <= location < self.given:
                what = f"undefined input {location} of the body in `{name}`; it has {given}"
                yield self.problem(f"attr:{name}", what, [("inputs declared here", "inputs")])
                return
            if location in seen:
                what = f"duplicate input {location} of the body in `{name}`"
                yield self.problem(f"attr:{name}", what, [("first declared here", f"attr:{seen[location]}")])
                return
            seen[location] = name
        if len(seen) != self.given:
            lists = "`in_data_locs`, `in_state_locs` and `remain_locs`"
            others = [("also declared here", f"attr:{name}") for name in _BODY_LISTS[:-1]]
            what = f"expected {given} in {lists} together, got {len(seen)}"
            yield self.problem("attr:remain_locs", what, [("inputs declared here", "inputs"), *others])
        elif taken not in (None, self.given):
            yield self.problem("subgraph:0" if (taken or 0) < self.given else "inputs", for_variables)

    def _bare_variables(self) -> Iterator[Problem]:
        """Report outputs of a body that are variables: mxnet 1.9.1 infers no storage type for them.

        Front ends insert a _copy.
        """
        if _variables(body := self.graphs[0]) is None:
            return
        for k, (source, *_) in enumerate(body["heads"]):
            if 0 <= source < len(body["nodes"]) and body["nodes"][source]["op"] == "null":
                name = body["nodes"][source].get("name")
                what = f"output {k} of the body is variable {name!r} itself; MXNet cannot bind it without a `_copy`"
                yield self.problem("subgraph:0", what)
                return

    def _states(self) -> Iterator[Problem]:
        """Report a wrong number of states. Of a _foreach too many stop shape inference, too few never update some (mxnet 1.9.1)."""
        name, shown = self.kind.states, self.values["num_out_data"]
        states, listed = self.values["num_outputs"] - shown, len(self._listed(name))
        if states == listed:
            return
        wanted = count(listed, self.kind.state)
        what = f"expected {wanted} (`num_outputs` - `num_out_data`), as `{name}` has, got {states}"
        if self.kind is _LOOP:
            yield self.problem("attr:num_out_data", what)
            return
        related = [("states declared here", f"attr:{name}"), ("number of outputs declared here", "attr:num_outputs")]
        severity = Severity.WARNING if 0 <= states < listed and shown >= 0 else None
        yield self.problem("attr:num_out_data", what, related, severity)

    def _branch_inputs(self, k: int, name: str) -> Iterator[Problem]:
        locations, taken = self._listed(name), _variables(self.graphs[k])
        if (wrong := outside(locations, self.given)) is not None:
            what = f"undefined input {wrong} in `{name}`; the node has {count(self.given, 'input')}"
            yield self.problem(f"attr:{name}", what)
        elif taken not in (None, len(locations)):
            variables = f"{self.kind.parts[k]} has {count(taken or 0, 'variable')}"
            what = f"expected {count(taken or 0, 'input')} in `{name}` ({variables}), got {len(locations)}"
            yield self.problem(f"attr:{name}", what)

    def _loop_variables(self) -> Iterator[Problem]:
        body = self._listed("func_input_locs")
        if (wrong := outside(self._listed("func_var_locs"), len(body))) is not None:
            what = f"undefined input {wrong} of the body in `func_var_locs`; it has {count(len(body), 'input')}"
            yield self.problem("attr:func_var_locs", what)

    def _outputs(self, k: int, wanted: int) -> Iterator[Problem]:
        heads, part = self.heads[k], self.kind.parts[k]
        if heads is None or heads == wanted:
            return
        if part != "condition" and heads == self._implied():
            what = f"expected {heads} for `num_outputs` (outputs of the {part}), got {wanted}"
            yield self.problem("attr:num_outputs", what)
        else:
            yield self.problem(f"subgraph:{k}", f"expected {count(wanted, 'output')} of the {part}, got {heads}")

    def _implied(self) -> int | None:
        """Return the number of outputs that everything except num_outputs implies."""
        if self.kind.states:
            return int(self.values["num_out_data"]) + len(self._listed(self.kind.states))
        numbers = set(self.heads[1:])
        return numbers.pop() if len(numbers) == 1 else None


def _outputs(graph: Any) -> int | None:
    heads = graph.get("heads") if isinstance(graph, dict) else None
    return len(heads) if isinstance(heads, list) else None


def _version_place(raw: Mapping[str, Any]) -> Place:
    """Return where a file declares which MXNet wrote it, or where the declaration belongs."""
    attrs = raw.get("attrs")
    if not isinstance(attrs, dict):
        return Place(())
    return Place(("attrs", "mxnet_version") if "mxnet_version" in attrs else ("attrs",))


def _operators(graph: Any) -> list[str]:
    try:
        return [str(node["op"]) for node in graph["nodes"]]
    except (KeyError, TypeError):
        return []


def _variables(graph: Any) -> int | None:
    """Return how many variables a subgraph's outputs depend on; None if unknown, or if they are part of a cycle."""
    try:
        nodes, queue = graph["nodes"], [entry[0] for entry in graph["heads"]]
        sources: dict[int, list[int]] = {}  # of nodes that have been visited
        for at in queue:
            if at not in sources and 0 <= at < len(nodes):
                sources[at] = [] if nodes[at]["op"] == "null" else [entry[0] for entry in nodes[at]["inputs"]]
                queue += sources[at]
        TopologicalSorter(sources).prepare()
    except (KeyError, TypeError, IndexError, CycleError):
        return None
    return sum(bool(nodes[at]["op"] == "null") for at in sources)
