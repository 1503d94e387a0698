"""Problems from the inference of shapes and types: errors at their nodes, and declarations that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Set
from itertools import chain
from typing import TYPE_CHECKING, Any

from irlint.codes import R, RuleRow
from irlint.dryrun.differing import difference, differing, fits, other_dtype
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.infer import Inference, NodeShapeError, Outputs, infer
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.findings import Problem, Severity
from irlint.graph import NOWHERE, Graph, Node, Type, label
from irlint.rules.base import Model
from irlint.text import words
from irlint.text.base import Path, Place

if TYPE_CHECKING:
    from irlint.dryrun.blame.one_cause import Cause

_OF_SHAPES = frozenset((R.shape_mismatch, R.element_count_mismatch))  # errors that a number in an attribute may explain
_FATAL = frozenset("STROAW")  # rule groups whose findings suppress further findings of a node


def shape_problems(model: Model, mapping: Mapping, before: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems that inference finds; nodes with a fatal problem in `before` are skipped."""
    if mapping.blind:
        return
    paths = {problem.at.path for problem in before if isinstance(problem.at, Place) and _is_fatal(problem)}
    if not model.silent and mapping.sound(model, paths):
        model.types = LazyInference(model.graph, mapping, paths)
        return
    graphs = model.graph.walk()
    broken = _broken(graphs, paths) | model.silent
    found = infer(model.graph, mapping, broken=broken)
    model.types = found
    mistakes = found.all_mistakes()
    declaring = graphs if mapping.declares else []
    declared = [] if mistakes else list(_all_declared(declaring, mapping, found, broken))
    if mistakes or (declared and mapping.declares_outputs):
        yield from _explained(mistakes, found, mapping, broken, declaring)
    else:
        yield from declared or _by_trial(model.graph, mapping)
    yield from _not_inferred(model.graph, found)


def _explained(
    mistakes: list[NodeShapeError], found: Inference, mapping: Mapping, broken: set[int], declaring: list[Graph]
) -> Iterator[Problem]:
    """Yield the problems of errors and of declared types that differ, with one for each cause."""
    from irlint.dryrun.blame.one_cause import one_cause

    graph = found.graph
    dead = dead_nodes(graph, mapping) if mistakes else set()
    own = [m for m in mistakes if m.graph is graph and m.error.outputs is None and id(m.node) not in dead]
    cause = one_cause(graph, mapping, broken, found, mistakes, own)
    told = {id(mistake.node) for mistake in mistakes} if cause.is_told else set()  # id() of nodes that are mentioned
    problems = _mistaken([] if cause.is_told else mistakes, found, told, mapping, cause, dead)
    rest = _all_declared([] if cause.is_all else declaring, mapping, found, broken, told)
    yield from cause.noted(chain(problems, rest))


def _mistaken(
    mistakes: list[NodeShapeError], found: Inference, told: set[int], mapping: Mapping, cause: Cause, dead: set[int]
) -> Iterator[Problem]:
    """Yield the problems of errors that follow from no other."""
    follow = {id(m.node) for group in cause.others.values() for m in group}
    for mistake in mistakes:
        if id(mistake.node) in follow:
            told.add(id(mistake.node))
            continue
        others = cause.others.get(id(mistake.node), ())
        yield _problem(mistake, found, told, mapping, others, id(mistake.node) in dead)


def _all_declared(
    graphs: list[Graph], mapping: Mapping, found: Inference, broken: set[int], told: Set[int] = frozenset()
) -> Iterator[Problem]:
    """Yield declared types that differ, in all graphs; `told` has all its nodes when the first problem is asked for."""
    for graph in graphs:
        yield from _declared(mapping, graph, found, broken | told)


def dead_nodes(graph: Graph, mapping: Mapping) -> set[int]:
    """Return id() of the nodes that no loader reads, so that an error there has no effect."""
    return {id(graph.nodes[k]) for k in mapping.dead(graph)}


class LazyInference(Inference):
    """The types of a model for which a quick check was enough, inferred on demand.

    It does not refer to the model, which refers to it: a reference cycle would delay freeing both.
    """

    def __init__(self, graph: Graph, mapping: Mapping, broken: set[Path]) -> None:
        self._graph, self._mapping, self._broken = graph, mapping, broken

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        broken = _broken(self._graph.walk(), self._broken)
        self.__dict__.update(vars(infer(self._graph, self._mapping, broken=broken)))
        return self.__dict__[name]


def _broken(graphs: list[Graph], paths: set[Path]) -> set[int]:
    """Return id() of the nodes with an error of their own, given the paths of the errors."""
    found, others = set(), []
    for path in paths:
        node = _node_of(graphs[0].nodes, path) if len(graphs) == 1 else None
        if node is not None:
            found.add(id(node))
        else:
            others.append(path)
    if not others:
        return found
    nodes = {node.path: node for graph in graphs for node in graph.nodes}
    for path in others:
        for depth in range(len(path), 0, -1):
            if (node := nodes.get(path[:depth])) is not None:
                found.add(id(node))
                break
    return found


def _node_of(nodes: list[Node], path: Path) -> Node | None:
    """Return the node that contains a path, if its number is a step of the path."""
    for depth in range(len(path), 0, -1):
        step = path[depth - 1]
        if isinstance(step, int) and 0 <= step < len(nodes) and nodes[step].path == path[:depth]:
            return nodes[step]
    return None


def _is_fatal(problem: Problem) -> bool:
    return problem.is_error and problem.rule.code[0] in _FATAL


def _problem(
    mistake: NodeShapeError,
    found: Inference,
    told: set[int],
    mapping: Mapping,
    others: Iterable[NodeShapeError],
    dead: bool,
) -> Problem:
    """Return the problem for an error; `others` are errors with the same cause."""
    graph, node, error, part, operands = mistake
    place, related = graph.place(node, part), []
    if (declared := _declaring(mistake, mapping)) is not None:
        related.append((f"used here by {label(node)}", place))
        place = declared
    given = False
    for k in operands:
        source = node.inputs[k] if k < len(node.inputs) else None
        if source is not None and source[0] >= 0:
            maker = graph.nodes[source[0]]
            outputs = found.outputs(graph, maker)
            told_elsewhere = part == f"input:{k}" and maker.kind == "var" and maker.outputs[0].type.shape is None
            given = given or mapping.given(graph, maker) or told_elsewhere  # no declaration that a loader may ignore
            if source[1] < len(outputs):
                told.add(id(maker))
                related.append((_origin(maker, source[1], outputs[source[1]], error.rule), graph.place(maker)))
                if maker.kind == "var" and graph.parent is not None:
                    related += _from_outside(found.graph, mapping, graph, maker)
    related += _results(node, error, found)
    taken = operands[0] if operands else 0
    if part.startswith("attr:") and (operands or error.rule == R.axis_out_of_range) and taken < len(node.inputs):
        related.append(("input used here", graph.place(node, f"input:{taken}")))
    if error.outputs is None and not dead and error.rule in _OF_SHAPES:
        related += _numbers(mistake, found, mapping, {place for _, place in related} | {place})
    related += [(f"{label(other.node)} fails for the same reason", graph.place(other.node)) for other in others]
    return Problem(
        error.rule,
        place,
        f"{label(node)}: {error.message}",
        node.name,
        related=related,
        is_too_low=error.is_too_low,
        severity=Severity.WARNING if dead or (error.outputs is not None and not given) else Severity.ERROR,
    )


def _results(node: Node, error: ShapeError, found: Inference) -> Iterator[tuple[str, Place]]:
    """Yield what the output of each nested graph is that an error is about, and where."""
    if (k := error.result) is None:
        return
    for graph in node.graphs:
        index, output = graph.outputs[k] if k < len(graph.outputs) else NOWHERE
        outputs = found.outputs(graph, graph.nodes[index]) if index >= 0 else ()
        if output < len(outputs):
            maker = graph.nodes[index]
            yield _origin(maker, output, outputs[output], error.rule), graph.place(maker, f"output:{output}")


def _numbers(
    mistake: NodeShapeError, found: Inference, mapping: Mapping, told: Collection[Place]
) -> list[tuple[str, Place]]:
    """Return the attributes that may explain why shapes do not match, if there are few."""
    from irlint.dryrun.numbers import deciding

    places = [(mistake.graph.place(node, f"attr:{key}"), key) for node, key in deciding(found, mapping, mistake)]
    return [(f"a different value for `{key}` would match", place) for place, key in places if place not in told]


def _from_outside(root: Graph, mapping: Mapping, graph: Graph, variable: Node) -> list[tuple[str, Place]]:
    from irlint.dryrun.inside import source_of

    place = source_of(root, mapping, graph, variable.index)
    return [] if place is None else [(f"value of {variable.name!r} comes from here", place)]


def _declaring(mistake: NodeShapeError, mapping: Mapping) -> Place | None:
    """Return where the file declares the operand that an error is about, if it is a declared variable."""
    graph, node = mistake.graph, mistake.node
    word, _, number = mistake.part.partition(":")
    if word != "input" or int(number) >= len(node.inputs):
        return None
    source = node.inputs[int(number)][0]
    if source < 0 or graph.nodes[source].kind != "var":
        return None
    part = mapping.declaring(graph.nodes[source], mistake.error.rule, node, int(number))
    return None if part is None else graph.place(source, part)


def _origin(maker: Node, output: int, tensor: Tensor, rule: RuleRow) -> str:
    """Return what a value is, as far as an error is about it."""
    if rule == R.dtype_mismatch and tensor.dtype is not None:
        return f"{label(maker)} {'outputs' if maker.kind == 'call' else 'has type'} {tensor.dtype}"
    shape = tensor.shape
    declared = maker.outputs[output].type.shape if output < len(maker.outputs) else None
    other = "" if fits(declared, shape) else f", declared {show(declared)}"
    return f"{label(maker)} {'outputs' if maker.kind == 'call' else 'has shape'} {show(shape)}{other}"


def _type_source(mapping: Mapping, graph: Graph, node: Node, k: int) -> tuple[str, list[tuple[str, Place]]]:
    """Return where the type of an output comes from, in a word and as a note."""
    words = {"call": "computed", "const": "stored"} if mapping.declares_outputs else {}
    word = words.get(node.kind)
    related = [] if word is None else [(f"{word} here", graph.place(node, f"output:{k}"))]
    return "stored" if word == "stored" else "inferred", related


def _declared(mapping: Mapping, graph: Graph, found: Inference, broken: set[int]) -> Iterator[Problem]:
    """Yield declared types that differ from the inferred ones, unless an input already differs."""
    types = found.types.get(id(graph))
    if types is None:
        return
    differ = differing(graph, types)
    if not differ:
        return
    wrong = bytearray(len(graph.nodes))
    if mistaken := {mistake.node.index for mistake in found.mistakes.get(id(graph), ())}:
        for node in graph.nodes:  # what is inferred after a mistake may follow from it
            wrong[node.index] = node.index in mistaken or any(wrong[k] for k, _ in node.inputs if 0 <= k < node.index)
    read = {source for node in graph.nodes if len(node.inputs) for source in node.inputs}
    inputs = set[int]()
    if mapping.declares_outputs:
        read.update(graph.outputs)
        if graph.parent is not None:
            inputs.update(graph.inputs)
    for node, k, declared, tensor in _compared(graph, types, differ, wrong):
        dtype, shape = other_dtype(declared, tensor), not fits(declared.shape, tensor.shape)
        if (node.index, k) not in read:  # element types of the inputs of nested graphs count even if nothing uses them
            shape, dtype = False, dtype and node.index in inputs
        if not (dtype or shape):
            continue
        wrong[node.index] = 1
        if id(node) in broken or any(source[0] >= 0 and wrong[source[0]] for source in node.inputs):
            continue
        place = graph.place(node, f"type:{k}" if mapping.declares_outputs else f"output:{k}")
        origin, related = _type_source(mapping, graph, node, k)
        which = label(node) if len(node.outputs) == 1 else f"output {k} of {label(node)}"
        if shape:
            severity = mapping.declared_severity(graph, node, k, difference(declared.shape, tensor.shape))
            message = (
                f"declared shape {show(declared.shape)} does not match {origin} shape {show(tensor.shape)} for {which}"
            )
            yield Problem(R.declared_shape_differs, place, message, node.name, None, related, severity)
        if dtype:
            severity = Severity.ERROR if mapping.declares_outputs else Severity.WARNING
            message = f"declared type {declared.dtype} does not match {origin} type {tensor.dtype} for {which}"
            yield Problem(R.declared_dtype_differs, place, message, node.name, None, related, severity)


def _by_trial(graph: Graph, mapping: Mapping) -> Iterator[Problem]:
    """Yield the first declared shape whose expressions are not what is computed."""
    if not mapping.declares_outputs:
        return
    from irlint.dryrun.running.trial_sizes import other_size

    found = other_size(graph, mapping)
    if found is not None:
        node, k = found.node, found.output
        sizes = words.joined([f"`{name}` is {size}" for name, size in found.sizes.items()])
        declared = (
            f"declared shape {show(node.outputs[k].type.shape)} does not match inferred shape {show(found.inferred)}"
        )
        message = f"{declared} for {label(node)}{' where ' if sizes else ''}{sizes}"
        place, related = graph.place(node, f"type:{k}"), [("computed here", graph.place(node, f"output:{k}"))]
        yield Problem(R.declared_shape_differs, place, message, node.name, None, related, Severity.WARNING)


def _compared(
    graph: Graph, types: list[Outputs], differ: Set[int], wrong: bytearray
) -> Iterator[tuple[Node, int, Type, Tensor]]:
    """Yield the outputs of nodes whose declared types differ. What nobody declares between them follows from what is wrong before."""
    for node in graph.nodes:
        if node.index in differ:
            for k, (value, tensor) in enumerate(zip(node.outputs, types[node.index], strict=False)):
                yield node, k, value.type, tensor
        elif not wrong[node.index] and any(0 <= source < node.index and wrong[source] for source, _ in node.inputs):
            wrong[node.index] = all(value.type.shape is None for value in node.outputs)


def _not_inferred(graph: Graph, found: Inference) -> Iterator[Problem]:
    """Report the operators without a shape function whose outputs other nodes use, once."""
    if not found.unknown:
        return
    used = [(g, n) for g in graph.walk() for n in _used(g) if n.op in found.unknown]
    if not used:
        return
    numbers = Counter(node.op for _, node in used)
    names = ", ".join(f"`{op}` ({words.count(number, 'node')})" for op, number in sorted(numbers.items()))
    home, first = used[0]
    message = f"cannot infer shapes through {names}; irlint treats the outputs as unknown"
    yield Problem(R.shape_not_followed, home.place(first, "op"), message, first.name)


def _used(graph: Graph) -> list[Node]:
    """Return the nodes whose outputs other nodes use, in order."""
    indices = {source[0] for node in graph.nodes for source in node.inputs}
    return [node for node in graph.nodes if node.index in indices]
