"""_foreach, _while_loop, _cond: their subgraphs, and the lists that say which input goes where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.examine import Examiner, number
from irlint.formats.nnvm.stamp import version_of
from irlint.formats.nnvm.sweep import Sweep
from irlint.formats.nnvm.values import Bad, read
from irlint.formats.nnvm.view import View
from irlint.records import NamedTuple
from irlint.text.base import Place


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


def check(view: View, seen: Sweep, examiner: Examiner) -> Iterator[Problem]:
    """What each control-flow node that is run has to agree with."""
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

    def __init__(self, view: View, index: int, examiner: Examiner) -> None:
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
            except (KeyError, Bad):
                self.readable = False

    def problem(
        self, part: str, what: str, related: Sequence[tuple[str, str]] = (), severity: Severity | None = None
    ) -> Problem:
        """`related` are words and the part of the node that they speak of."""
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
            yield self.problem(
                "subgraphs", f"needs the graph that was fused into it, but has {len(self.graphs)} subgraphs"
            )
        elif self.op in _FUSED:
            yield from self._left_out(self.graphs[0])

    def _left_out(self, graph: Any) -> Iterator[Problem]:
        """Activations in the fused graph that no attribute switches on."""
        flags, kinds = _FUSED[self.op]
        inside = [op for op in _operators(graph) if op in kinds]
        off = [flag for flag in flags if not self._is_on(flag)]
        if len(inside) > len(flags) - len(off):
            written = next((self._written(flag) for flag in off if self._written(flag) in self._attrs), None)
            what = f"{inside[-1]} in its graph is never computed: set {' or '.join(f'`{flag}`' for flag in off)}"
            yield self.problem("op" if written is None else f"attr:{written}", what)

    @property
    def _attrs(self) -> dict[str, str]:
        return self.view.attrs[self.index]

    def _written(self, name: str) -> str:
        """The name under which an attribute counts: the former one where it is given."""
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
            age = "without mxnet_version counts as" if version is None else f"with mxnet_version {version} is"
            what = f"a file {age} one of before 0.9: the loader adds inputs to this operator, with which it cannot run"
            yield self.problem("op", what, [("this is where the version belongs", "version")])
            return
        if len(self.graphs) != len(parts):
            wanted = "a subgraph" if len(parts) == 1 else f"{len(parts)} subgraphs"
            yield self.problem("subgraphs", f"needs {wanted} ({', '.join(parts)}), but has {len(self.graphs)}")
            return
        if self.kind.counts_itself and self.values["num_args"] != self.given + len(parts):
            total = self.given + len(parts)
            what = f"num_args is {self.values['num_args']}; {self.given} inputs and {len(parts)} subgraphs make {total}"
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
        """The first thing wrong with the lists that say which input of the body each input of the node is."""
        names = ("in_data_locs", "in_state_locs", "remain_locs")
        listed = [(location, name) for name in names for location in self.values[name] or ()]
        taken = _variables(self.graphs[0])
        if taken == len({location for location, _ in listed}) == len(listed) > self.given:
            what = f"the body depends on {number(taken, 'variable')}, but {number(self.given, 'input')} are given to it"
            return self.problem("inputs", what, [("this is the last of the lists that place them", "attr:remain_locs")])
        seen: dict[int, str] = {}
        for location, name in listed:
            if not 0 <= location < self.given:
                what = f"{name} points at input {location} of the body; it has {self.given}"
                return self.problem(f"attr:{name}", what, [("these are the inputs", "inputs")])
            if location in seen:
                what = f"input {location} of the body is given twice"
                return self.problem(f"attr:{name}", what, [("the other list that places it", f"attr:{seen[location]}")])
            seen[location] = name
        if taken is not None and taken != self.given and len(seen) == self.given:
            what = f"{self.given} inputs are given to the body, whose outputs depend on {number(taken, 'variable')}"
            return self.problem("subgraph:0" if taken < self.given else "inputs", what)
        if len(seen) != self.given:
            what = f"in_data_locs, in_state_locs and remain_locs place {len(seen)} inputs, but {self.given} are given"
            lists = [("this places some of them", f"attr:{name}") for name in names[:-1]]
            return self.problem("attr:remain_locs", what, [("these are the inputs", "inputs"), *lists])
        return None

    def _bare_variables(self) -> Iterator[Problem]:
        """mxnet 1.9.1 does not learn the storage type of a body's output that no operator makes; front ends put a _copy there."""
        if _variables(body := self.graphs[0]) is None:
            return
        for k, (source, *_) in enumerate(body["heads"]):
            if 0 <= source < len(body["nodes"]) and body["nodes"][source]["op"] == "null":
                name = body["nodes"][source].get("name")
                what = f"output {k} of the body is its variable {name!r}; it cannot be bound without an operator such as _copy in between"
                yield self.problem("subgraph:0", what)
                return

    def _states(self) -> Iterator[Problem]:
        """More states than the lists name stop shape inference; fewer leave some as they are at first (mxnet 1.9.1)."""
        states, listed = (
            self.values["num_outputs"] - self.values["num_out_data"],
            len(self.values["in_state_locs"] or ()),
        )
        if states == listed:
            return
        what = (
            f"num_outputs is {self.values['num_outputs']} and num_out_data {self.values['num_out_data']}, "
            f"which leaves {states} states; in_state_locs lists {listed}"
        )
        related = [
            ("these are the states", "attr:in_state_locs"),
            ("this is the number of all outputs", "attr:num_outputs"),
        ]
        severity = Severity.WARNING if 0 <= states < listed and self.values["num_out_data"] >= 0 else None
        yield self.problem("attr:num_out_data", what, related, severity)

    def _branches(self) -> Iterator[Problem]:
        outputs = self.values["num_outputs"]
        for k, name in enumerate(self.kind.locations):
            locations: Sequence[int] = self.values[name] or ()
            wrong = next((n for n in locations if not 0 <= n < self.given), None)
            if wrong is not None:
                yield self.problem(f"attr:{name}", f"{name} points at input {wrong}; there are {self.given}")
                return
            taken = _variables(self.graphs[k])
            if taken is not None and len(locations) != taken:
                part = self.kind.parts[k]
                what = f"{name} gives {number(len(locations), 'input')} to the {part}, which has {number(taken, 'variable')}"
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
            yield self.problem(
                "attr:func_var_locs", f"func_var_locs points at input {wrong} of the body; it has {len(body)}"
            )
            return
        variables = self.values["num_outputs"] - self.values["num_out_data"]
        if variables != len(places):
            what = (
                f"num_outputs is {self.values['num_outputs']} and num_out_data {self.values['num_out_data']}, "
                f"which leaves {variables} loop variables; func_var_locs lists {len(places)}"
            )
            yield self.problem("attr:num_out_data", what)

    def _outputs(self, k: int, wanted: int) -> Iterator[Problem]:
        heads = self.graphs[k].get("heads") if isinstance(self.graphs[k], dict) else None
        if isinstance(heads, list) and len(heads) != wanted:
            part, given = self.kind.parts[k], number(len(heads), "value")
            if part != "condition" and len(heads) == self._told():
                yield self.problem("attr:num_outputs", f"num_outputs is {wanted}, but the {part} hands out {given}")
            else:
                yield self.problem(f"subgraph:{k}", f"the {part} hands out {given}, not {wanted}")

    def _told(self) -> int | None:
        """How many outputs everything but num_outputs speaks of."""
        if self.op == "_cond":
            counts = {len(graph.get("heads", ())) for graph in self.graphs[1:] if isinstance(graph, dict)}
            return counts.pop() if len(counts) == 1 else None
        places = self.values["in_state_locs" if self.op == "_foreach" else "func_var_locs"]
        return int(self.values["num_out_data"]) + len(places or ())


def _version_place(raw: Mapping[str, Any]) -> Place:
    """Where a file says which MXNet wrote it, or would."""
    attrs = raw.get("attrs")
    if not isinstance(attrs, dict):
        return Place(())
    return Place(("attrs", "mxnet_version") if "mxnet_version" in attrs else ("attrs",))


def _operators(graph: Any) -> list[str]:
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    return [str(node.get("op")) for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []


def _variables(graph: Any) -> int | None:
    """How many variables a subgraph's outputs depend on; None if that cannot be told, or they depend on themselves."""
    found: dict[int, bool] = {}  # whether all that a node depends on has been seen
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
