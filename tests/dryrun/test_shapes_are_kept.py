"""Every operator of OpenVINO and MXNet there is a model of: what its shapes say beforehand is what comes out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint import engine
from irlint.dryrun import dims
from irlint.dryrun.dtypes import FLOATS
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.running.arrays import cast
from irlint.dryrun.running.run import Failed, Unsupported, run
from irlint.dryrun.tensor import Tensor
from irlint.formats.base import by_name
from irlint.graph import Graph, Node, Shape
from tests.formats.openvino.models import model, operations

from .mxnet_cases import CASES
from .mxnet_compare import given, ours, symbol, visible
from .mxnet_nested import SYMBOLS

# Nobody computes these shapes beforehand: the reader says how many boxes there are at the most.
AT_MOST = ("opset1.NonMaxSuppression", "opset3.NonMaxSuppression", "opset4.NonMaxSuppression")
KEYS = [key for key in operations() if key not in AT_MOST]


class Subject:
    """A model of one operation, with the types of its inputs by node."""

    def __init__(self, key: str, folder: Path) -> None:
        made = model(key)
        path = folder / "model.xml"
        path.write_text(made.text)
        path.with_suffix(".bin").write_bytes(made.weights)
        read = engine.lint_bytes(path.read_bytes(), path.name, path=path).model
        format_ = by_name("openvino")
        assert read is not None
        assert format_ is not None
        self.graph, self.mapping = read.graph, format_.dryrun(read)
        self.made: list[tuple[Graph, Node, list[Shape]]] = []  # by the last run
        types = self.infer({})
        self.inputs = {feed.node: types.types[id(self.graph)][feed.node][0] for feed in self.mapping.feeds(self.graph)}

    def infer(self, changed: dict[int, Tensor]) -> Inference:
        return infer(self.graph, self.mapping, changed)

    def difference(self, types: Inference, inputs: dict[int, Tensor]) -> str | None:
        """What shapes say otherwise than a run; a run that breaks off, whatever integers it begins with, has no shapes."""
        self.made.clear()

        def watch(graph: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> None:
            self.made.append((graph, node, [array.shape for array in outputs]))

        reason = ""
        for integer in (0, 1, None):
            self.made.clear()
            values = {node: numbers(node, kind, integer) for node, kind in inputs.items()}
            try:
                run(self.graph, self.mapping, types, values, watch)
            except Unsupported:
                return "it is not computed"
            except Failed as error:
                reason = str(error)
                continue
            return self.contradiction(types)
        return reason

    def contradiction(self, types: Inference) -> str | None:
        """What types say otherwise than the last run."""
        for graph, node, shapes in self.made:
            for said, shape in zip(types.outputs(graph, node), shapes, strict=False):
                if not stands_for(said.shape, shape):
                    return f"{node.op}: {said.shape}, but {shape} comes out"
        return None

    @property
    def large(self) -> bool:
        return sum(prod(kind.shape or ()) for kind in self.inputs.values()) > 20_000  # type: ignore[arg-type]


def numbers(seed: int, kind: Tensor, integer: int | None) -> Any:
    """Values of a type; integers are all the same, or 0 and 1."""
    assert kind.dtype is not None
    assert kind.shape is not None
    drawn = np.random.default_rng(seed)
    if kind.dtype == "string":
        return np.full(kind.shape, "", object)
    if kind.dtype in FLOATS:
        return cast(drawn.uniform(0.1, 1, kind.shape).astype(np.float32), kind.dtype)
    return cast(drawn.integers(0, 2, kind.shape) if integer is None else np.full(kind.shape, integer), kind.dtype)


def stands_for(said: Shape | None, shape: Shape) -> bool:
    return said is None or (len(said) == len(shape) and all(map(dims.can_be, said, shape)))


def less_known(kind: Tensor) -> Iterator[Tensor]:
    shape = kind.shape or ()
    yield Tensor(kind.dtype, None)
    yield Tensor(kind.dtype, (None,) * len(shape))
    yield Tensor(kind.dtype, tuple(f"n{k}" for k in range(len(shape))))
    yield Tensor(kind.dtype, tuple((max(dim - 1, 0), dim + 2) for dim in shape))  # type: ignore[operator]


def others(kind: Tensor, drawn: random.Random) -> Iterator[Tensor]:
    """Types with another rank, another dimension or other elements."""
    shape = tuple(kind.shape or ())
    shapes = [shape[1:], (*shape, 2), (2, *shape)]
    shapes += [(*shape[:k], dim, *shape[k + 1 :]) for k in range(len(shape)) for dim in (1, 2, shape[k] + 1, 0)]  # type: ignore[operator]
    for other in drawn.sample(shapes, min(len(shapes), 5)):
        yield Tensor(kind.dtype, other)
    for dtype in drawn.sample(("float16", "int32", "bool", "string"), 2):
        yield Tensor(dtype, shape)


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Subject]:
    return {key: Subject(key, tmp_path_factory.mktemp("model")) for key in KEYS}


def refused(types: Inference) -> bool:
    return any(mistake.error.outputs is None for mistake in types.all_mistakes())


def test_openvinos_operations(subjects: dict[str, Subject]) -> None:
    wrong = {
        key: found
        for key, subject in subjects.items()
        if (found := subject.difference(subject.infer({}), subject.inputs)) and key not in NEEDING
    }
    assert wrong == {}


# What these take cannot be drawn: places in order, or of the right number.
NEEDING = ("opset3.EmbeddingSegmentsSum", "opset15.SliceScatter")


def test_openvinos_operations_when_less_is_known(subjects: dict[str, Subject]) -> None:
    """Dimensions that are unknown, symbols or ranges: what is said is less, but not wrong."""
    wrong = {}
    for key, subject in subjects.items():
        for node, kind in subject.inputs.items():
            for less in less_known(kind):
                types = subject.infer({node: less})
                if refused(types):
                    found: str | None = "refused"
                elif less.shape is None:
                    found = subject.difference(types, subject.inputs)
                else:  # numbers are the same
                    found = subject.contradiction(types)
                if found and key not in (*NEEDING, "opset6.ReadValue"):
                    wrong[key, node, less.shape] = found
    assert wrong == {}


def test_openvinos_operations_with_other_operands(subjects: dict[str, Subject]) -> None:
    """They are refused, or computed to the shapes that are said; or values alone show that they will not do."""
    drawn, wrong, count = random.Random(0), {}, 0
    for key, subject in subjects.items():
        for node, kind in subject.inputs.items():
            for other in islice(others(kind, drawn), 2 if subject.large else None):
                types = subject.infer({node: other})
                if refused(types):
                    count += 1
                    continue
                found = subject.difference(types, {**subject.inputs, node: other})
                if found and found.endswith("comes out"):
                    wrong[key, node, other] = found
    assert wrong == {}
    assert count > len(subjects)


def test_mxnets_operators() -> None:
    wrong = {}
    for case in CASES:
        text = symbol(case, visible(case))
        found = ours(text, given(case), case.fill, case.values)
        shapes = [list(array.shape) for array in found.values]
        if found.error is not None or (found.values and shapes != found.outs):
            wrong[case.op, str(case.shapes), str(case.attrs)] = found.error or f"{found.outs}, but {shapes} come out"
    assert wrong == {}


@pytest.mark.parametrize("name", SYMBOLS)
def test_graphs_inside_of_mxnets_operators(name: str) -> None:
    text, shapes = SYMBOLS[name]
    found = ours(text, shapes, {})
    assert found.error is None
    assert [list(array.shape) for array in found.values] == found.outs
