"""Negative sizes that values declare: runtimes treat them as unknown, onnx's inference (full_check, 1.23.2) for sizes like any other.

It refuses a model that declares another size where it has inferred a negative one.
"""

from __future__ import annotations

from collections.abc import Iterator

from irlint.dryrun.infer import Inference, Outputs, infer
from irlint.dryrun.mapping import Difference, Mapping
from irlint.dryrun.tensor import Tensor
from irlint.findings import Severity
from irlint.formats.onnx.trees import names_of
from irlint.graph import Dim, Graph, Node
from irlint.records import NamedTuple
from irlint.text.base import Path, Place
from irlint.text.prototext.messages import Tree

_MARK = (1 << 61) - 1  # a size that no model has, and that none of its parts divides
_LISTS = ("input", "value_info", "output")


class Clash(NamedTuple):
    """A value that declares another size than a negative one that onnx infers from a declared one."""

    name: str
    size: int
    at: Place


def clashes(tree: Tree, mapping: Mapping, types: Inference) -> dict[Path, Clash]:
    """Return by the paths of negative sizes where they do not match what other values declare. Each is followed through the graph as a
    size of its own."""
    graph, marks, given = types.graph, dict[int, Path](), dict[int, Tensor]()
    makers = {node.outputs[0].name: node for node in graph.nodes if len(node.outputs) == 1}
    for path, name, axes in _negative(tree.get("graph", {})):
        node = makers.get(name)
        sizes = None if node is None else _open_sizes(node, types.outputs(graph, node), axes)
        if node is None or sizes is None:
            continue
        for axis in axes:
            if axis < len(sizes):
                sizes[axis] = _MARK - len(marks)
                marks[_MARK - len(marks)] = (*path, axis)
        given.setdefault(node.index, Tensor(types.outputs(graph, node)[0].dtype, tuple(sizes)))
    found = infer(graph, mapping, given)
    return {marks[mark]: clash for part in graph.walk() for mark, clash in _differing(part, found, mapping, marks)}


def _open_sizes(node: Node, outputs: Outputs, axes: list[int]) -> list[Dim] | None:
    """Return the sizes of a value, if nothing is known of those along some axes but what is declared."""
    shape = outputs[0].shape if outputs else None
    known = [axis for axis in axes if shape is not None and axis < len(shape) and type(shape[axis]) is int]
    if not outputs or (node.kind == "call" and known):
        return None
    return list(shape if shape is not None else node.outputs[0].type.shape or ())


def _negative(graph: Tree) -> Iterator[tuple[Path, str, list[int]]]:
    """Yield where a value declares a shape with negative sizes, its name, and their axes."""
    outer = {*names_of(graph.get("input", ())), *names_of(graph.get("output", ()))}
    for word in _LISTS:
        for k, value in enumerate(graph.get(word, ())):
            if word == "value_info" and value.get("name", "") in outer:
                continue  # onnx does not look at it
            tensor = value.get("type", {}).get("tensor_type", {})
            sizes = [dim.get("dim_value", 0) for dim in tensor.get("shape", {}).get("dim", ())]
            if sizes and min(sizes) < 0:
                path = ("graph", word, k, "type", "tensor_type", "shape", "dim")
                yield path, value.get("name", ""), [axis for axis, size in enumerate(sizes) if size < 0]


def _differing(graph: Graph, found: Inference, mapping: Mapping, marks: dict[int, Path]) -> Iterator[tuple[int, Clash]]:
    for node, tensors in zip(graph.nodes, found.types.get(id(graph), ()), strict=False):
        for k, (value, tensor) in enumerate(zip(node.outputs, tensors, strict=False)):
            declared, shape = value.type.shape, tensor.shape
            if node.kind != "call" or declared is None or shape is None or len(declared) != len(shape):
                continue
            for axis, (size, mark) in enumerate(zip(declared, shape, strict=True)):
                is_clash = isinstance(mark, int) and mark in marks and isinstance(size, int) and size != mark
                differs: Difference = "sizes" if axis else "first"
                if is_clash and mapping.declared_severity(graph, node, k, differs) is Severity.ERROR:
                    yield mark, Clash(value.name or "", size, graph.place(node, f"type:{k}"))  # type: ignore[misc, arg-type]
