"""_foreach, _while_loop, _cond: their subgraphs, and the lists that say which input goes where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.examine import Examiner
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.values import BadValue, read
from irlint.formats.nnvm.reading.versions import version_of
from irlint.formats.nnvm.reading.view import GraphView
from irlint.records import NamedTuple
from irlint.text.base import Place
from irlint.text.words import count


class _Kind(NamedTuple):
    parts: tuple[str, ...]  # what each subgraph is
    locations: tuple[str, ...]  # for each subgraph, the attribute that lists its inputs
    counts_itself: bool  # num_args has to be right


_KINDS = {
    "_foreach": _Kind(("body",), (), False),
    "_while_loop": _Kind(("condition", "body"), ("cond_input_locs", "func_input_locs"), True),
    "_cond": _Kind(
        ("condition", "then branch", "else branch"), ("cond_input_locs", "then_input_locs", "else_input_locs"), True
    ),
}
_FUSED_KIND = _Kind(("graph",), (), False)
_ACTIVATIONS = frozenset(("Activation", "LeakyReLU", "clip"))
# The attributes that say which operators of the fused graph are computed: MXNet 1.9.1 leaves the others out
_FUSED: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "_sg_mkldnn_conv": (("with_act", "with_postsum_act"), _ACTIVATIONS),
    "_sg_mkldnn_fully_connected": (("with_eltwise",), _ACTIVATIONS | {"square", "sqrt", "exp", "abs"}),
}


def check(view: GraphView, seen: Sweep, examiner: Examiner) -> Iterator[Problem]:
    """Report what contradicts the subgraphs of each reachable control-flow node."""
    for index, op in enumerate(view.ops):
        if (op in _KINDS or op in _FUSED) and index in seen.reachable and index not in view.broken:
            node = _Node(view, index, examiner)
            if op in _FUSED:
                yield from node.fused()
                continue
            if node.readable:
                yield from node.check()


class _Node:
    """One control-flow node with its attributes read."""

    def __init__(self, view: GraphView, index: int, examiner: Examiner) -> None:
        self.view, self.index, self.examiner = view, index, examiner
        self.op, self.name = view.ops[index], view.names[index]
        self.kind = _KINDS.get(self.op, _FUSED_KIND)
        self.given = len(view.inputs[index])
        found = view.originals[index].get("subgraphs")
        self.graphs: list[Any] = found if isinstance(found, list) else []
        self.values: dict[str, Any] = {}
        operator = examiner.table.get(self.op)
        self.readable = operator is not None
        for name, attribute in operator.attributes.items() if operator is not None else ():
            try:
                self.values[name] = read(attribute, view.attrs[index][name])
            except (KeyError, BadValue):
                self.readable = False

    def problem(
        self, part: str, what: str, related: Sequence[tuple[str, str]] = (), severity: Severity | None = None
    ) -> Problem:
        """Return a problem; `related` are notes and the part of the node that each is about."""
        others = [(words, self._place(other)) for words, other in related]
        message = f"{self.op} {self.name!r}: {what}"
        return Problem(R.subgraph_interface, self._place(part), message, self.name, related=others, severity=severity)

    def _place(self, part: str) -> Place:
        if part == "subgraphs":
            has = "subgraphs" in self.view.originals[self.index]
            return Place((*self.view.node_path(self.index), "subgraphs" if has else "op"), "key" if has else "value")
        if part.startswith("subgraph:"):
            return Place((*self.view.node_path(self.index), "subgraphs", int(part[9:]), "heads"))
        if part == "version":
            return _version_place(self.view.raw)
        return self.view.place(self.index, part)

    def fused(self) -> Iterator[Problem]:
        if len(self.graphs) != 1:
            yield self.problem("subgraphs", f"expected 1 subgraph (the fused graph), got {len(self.graphs)}")
        elif self.op in _FUSED:
            yield from self._left_out(self.graphs[0])

    def _left_out(self, graph: Any) -> Iterator[Problem]:
        """Report activations in the fused graph that no attribute enables."""
        flags, kinds = _FUSED[self.op]
        inside = [op for op in _operators(graph) if op in kinds]
        off = [flag for flag in flags if not self._is_on(flag)]
        if len(inside) > len(flags) - len(off):
            written = next((self._written(flag) for flag in off if self._written(flag) in self._attrs), None)
            what = f"{inside[-1]} in its subgraph never runs; it needs {' or '.join(f'`{flag}=True`' for flag in off)}"
            yield self.problem("op" if written is None else f"attr:{written}", what)

    @property
    def _attrs(self) -> dict[str, str]:
        return self.view.attrs[self.index]

    def _written(self, name: str) -> str:
        """Return the name under which MXNet reads an attribute: the former one if the node has it."""
        operator = self.examiner.table.get(self.op)
        attributes = operator.attributes.values() if operator is not None else ()
        former = (a.name for a in attributes if a.facts.get("renamed") == name and a.name in self._attrs)
        return next(former, name)

    def _is_on(self, name: str) -> bool:
        return self._attrs.get(self._written(name), "False").lower() not in ("false", "0")

    def check(self) -> Iterator[Problem]:
        parts = self.kind.parts
        if self.examiner.era.adds_inputs and self.values["num_args"] > self.given:
            version = version_of(self.view.raw)
            age = "a file without `mxnet_version`" if version is None else f"`mxnet_version` {version}"
            what = f"the loader takes {age} for MXNet 0.8 and adds inputs, with which the operator cannot run"
            yield self.problem("op", what, [("version belongs here" if version is None else "version", "version")])
            return
        if len(self.graphs) != len(parts):
            wanted = count(len(parts), "subgraph")
            yield self.problem("subgraphs", f"expected {wanted} ({', '.join(parts)}), got {len(self.graphs)}")
            return
        if self.kind.counts_itself and self.values["num_args"] != self.given + len(parts):
            total = self.given + len(parts)
            summands = f"{count(self.given, 'input')} and {count(len(parts), 'subgraph')}"
            what = f"expected {total} for `num_args` ({summands}), got {self.values['num_args']}"
            yield self.problem("attr:num_args", what)
            return
        if self.op == "_foreach":
            yield from self._foreach()
        else:
            yield from self._branches()

    def _foreach(self) -> Iterator[Problem]:
        if wrong := list(self._outputs(0, self.values["num_outputs"])):
            yield from wrong
            return
        if (fault := self._misplaced()) is not None:
            yield fault
            return
        yield from self._bare_variables()
        yield from self._states()

    def _misplaced(self) -> Problem | None:
        """Report the first mistake in the lists that map inputs of the node to inputs of the body."""
        names = ("in_data_locs", "in_state_locs", "remain_locs")
        listed = [(location, name) for name in names for location in self.values[name] or ()]
        taken = _variables(self.graphs[0])
        if taken == len({location for location, _ in listed}) == len(listed) > self.given:
            what = f"expected {count(taken, 'input')} for the body's variables, got {self.given}"
            return self.problem("inputs", what, [("last of the lists that map them", "attr:remain_locs")])
        seen: dict[int, str] = {}
        for location, name in listed:
            if not 0 <= location < self.given:
                what = f"undefined input {location} of the body in `{name}`; it has {count(self.given, 'input')}"
                return self.problem(f"attr:{name}", what, [("inputs declared here", "inputs")])
            if location in seen:
                what = f"duplicate input {location} of the body in `{name}`"
                return self.problem(f"attr:{name}", what, [("first declared here", f"attr:{seen[location]}")])
            seen[location] = name
        if taken is not None and taken != self.given and len(seen) == self.given:
            what = f"expected {count(taken, 'input')} for the body's variables, got {self.given}"
            return self.problem("subgraph:0" if taken < self.given else "inputs", what)
        if len(seen) != self.given:
            lists = "`in_data_locs`, `in_state_locs` and `remain_locs`"
            what = f"expected {count(self.given, 'input')} in {lists} together, got {len(seen)}"
            others = [("also declared here", f"attr:{name}") for name in names[:-1]]
            return self.problem("attr:remain_locs", what, [("inputs declared here", "inputs"), *others])
        return None

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
        """Report a wrong number of states: too many stop shape inference, too few never update some (mxnet 1.9.1)."""
        states, listed = (
            self.values["num_outputs"] - self.values["num_out_data"],
            len(self.values["in_state_locs"] or ()),
        )
        if states == listed:
            return
        what = (
            f"expected {count(listed, 'state')} (`num_outputs` - `num_out_data`), as `in_state_locs` has, got {states}"
        )
        related = [
            ("states declared here", "attr:in_state_locs"),
            ("number of outputs declared here", "attr:num_outputs"),
        ]
        severity = Severity.WARNING if 0 <= states < listed and self.values["num_out_data"] >= 0 else None
        yield self.problem("attr:num_out_data", what, related, severity)

    def _branches(self) -> Iterator[Problem]:
        outputs = self.values["num_outputs"]
        for k, name in enumerate(self.kind.locations):
            locations: Sequence[int] = self.values[name] or ()
            wrong = next((n for n in locations if not 0 <= n < self.given), None)
            if wrong is not None:
                what = f"undefined input {wrong} in `{name}`; the node has {count(self.given, 'input')}"
                yield self.problem(f"attr:{name}", what)
                return
            taken = _variables(self.graphs[k])
            if taken is not None and len(locations) != taken:
                part = self.kind.parts[k]
                what = f"expected {count(taken, 'input')} in `{name}` ({part} has {count(taken, 'variable')}), got {len(locations)}"
                yield self.problem(f"attr:{name}", what)
                return
            if uneven := list(self._outputs(k, 1 if k == 0 else outputs)):
                yield from uneven
                return
        if self.op == "_while_loop":
            yield from self._loop_variables()

    def _loop_variables(self) -> Iterator[Problem]:
        places, body = self.values["func_var_locs"] or (), self.values["func_input_locs"] or ()
        wrong = next((n for n in places if not 0 <= n < len(body)), None)
        if wrong is not None:
            what = f"undefined input {wrong} of the body in `func_var_locs`; it has {count(len(body), 'input')}"
            yield self.problem("attr:func_var_locs", what)
            return
        variables = self.values["num_outputs"] - self.values["num_out_data"]
        if variables != len(places):
            listed = count(len(places), "loop variable")
            what = f"expected {listed} (`num_outputs` - `num_out_data`), as `func_var_locs` has, got {variables}"
            yield self.problem("attr:num_out_data", what)

    def _outputs(self, k: int, wanted: int) -> Iterator[Problem]:
        heads = self.graphs[k].get("heads") if isinstance(self.graphs[k], dict) else None
        if isinstance(heads, list) and len(heads) != wanted:
            part = self.kind.parts[k]
            if part != "condition" and len(heads) == self._implied():
                what = f"expected {len(heads)} for `num_outputs` (outputs of the {part}), got {wanted}"
                yield self.problem("attr:num_outputs", what)
            else:
                yield self.problem(
                    f"subgraph:{k}", f"expected {count(wanted, 'output')} of the {part}, got {len(heads)}"
                )

    def _implied(self) -> int | None:
        """Return the number of outputs that everything except num_outputs implies."""
        if self.op == "_cond":
            counts = {len(graph.get("heads", ())) for graph in self.graphs[1:] if isinstance(graph, dict)}
            return counts.pop() if len(counts) == 1 else None
        places = self.values["in_state_locs" if self.op == "_foreach" else "func_var_locs"]
        return int(self.values["num_out_data"]) + len(places or ())


def _version_place(raw: Mapping[str, Any]) -> Place:
    """Return where a file declares which MXNet wrote it, or where the declaration belongs."""
    attrs = raw.get("attrs")
    if not isinstance(attrs, dict):
        return Place(())
    return Place(("attrs", "mxnet_version") if "mxnet_version" in attrs else ("attrs",))


def _operators(graph: Any) -> list[str]:
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    return [str(node.get("op")) for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []


def _variables(graph: Any) -> int | None:
    """Return how many variables a subgraph's outputs depend on; None if unknown, or if they are part of a cycle."""
    found: dict[int, bool] = {}  # whether all dependencies of a node have been visited
    try:
        nodes, stack = graph["nodes"], [entry[0] for entry in graph["heads"]]
        while stack:
            at = stack[-1]
            if found.get(at) is False or not 0 <= at < len(nodes):
                found[at] = True
            if found.get(at):
                stack.pop()
                continue
            found[at] = False
            sources = [entry[0] for entry in nodes[at]["inputs"]] if nodes[at]["op"] != "null" else []
            if any(found.get(source) is False for source in sources):
                return None
            stack += [source for source in sources if source not in found]
        return sum(bool(nodes[at]["op"] == "null") for at in found if 0 <= at < len(nodes))
    except (KeyError, TypeError, IndexError):
        return None
