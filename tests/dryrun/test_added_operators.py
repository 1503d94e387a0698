"""What an operator costs that the dry run has not: a few lines for each kind, besides its row in a table of operators."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from irlint.dryrun.errors import ShapeError
from irlint.dryrun.kernels.recurrent import STEPS
from irlint.dryrun.kernels.windows.pooling import pool_max, pool_sum
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.openvino.recurrent import RecurrentSteps, _sequence
from irlint.dryrun.ops.shared.pooling import Pool
from irlint.dryrun.ops.shared.unary import Unary
from irlint.dryrun.tensor import Tensor

MOST = 12  # lines


class Cube(Unary):
    """Elementwise."""

    inputs = "data:S/T=floats -> S/T"

    def run(self, data: Any, **_: Any) -> Any:
        return data**3


class RangePool(Pool):
    """Of a window: how far its numbers are apart."""

    def run(self, data: Any, **attrs: Any) -> Any:
        return pool_max(data, **attrs) + pool_max(-data, **attrs)


class TakeRows(Operator):
    """Gather-like."""

    inputs = "data:[N,*S]/T places:[M]/integers -> [M,*S]/T"

    def run(self, data: Any, places: Any, **_: Any) -> Any:
        return np.take(data, places, 0)


def mgu(inputs: Any, h: Any, c: Any, g: Any) -> Any:
    size = h.shape[-1]
    forget = g.functions[0](inputs[..., :size] + h @ g.r[:size].T + g.b[:size])
    new = g.functions[1](inputs[..., size:] + (forget * h) @ g.r[size:].T + g.b[size:])
    return (1 - forget) * h + forget * new, c


class MGUSequence(RecurrentSteps):
    """Recurrent: a minimal gated unit."""

    inputs = _sequence(2, "2")


@pytest.mark.parametrize(
    "parts", [(Cube,), (RangePool,), (TakeRows,), (mgu, MGUSequence)], ids=lambda p: p[-1].__name__
)
def test_an_operator_is_a_few_lines(parts: tuple[Any, ...]) -> None:
    assert sum(len(inspect.getsource(part).splitlines()) for part in parts) <= MOST


def test_elementwise() -> None:
    assert repr(Cube().shape(Tensor("float16", (2, "n")))) == "<float16 [2, n]>"
    with pytest.raises(ShapeError, match="int32"):
        Cube().shape(Tensor("int32", (2,)))
    assert Cube().run(np.array([2.0])) == 8


def test_window() -> None:
    attrs: dict[str, Any] = {"kernel": (2, 2), "strides": (2, 1), "pads_begin": (1, 0)}
    assert repr(RangePool().shape(Tensor("float32", (1, None, 5, 7)), **attrs)) == "<float32 [1, ?, 3, 6]>"
    with pytest.raises(ShapeError, match="window of 2 is larger"):
        RangePool().shape(Tensor("float32", (1, 3, 5, 1)), **attrs)
    data = np.random.default_rng(0).random((1, 3, 5, 7), np.float32)
    found = RangePool().run(data, kernel=(2, 2), strides=(2, 1))
    assert found.shape == (1, 3, 2, 6)
    assert np.allclose(found[0, 0, 0, 0], np.ptp(data[0, 0, :2, :2]))
    assert np.allclose(pool_sum(data, kernel=(5, 7)), data.sum((2, 3), keepdims=True))


def test_gather_like() -> None:
    found = TakeRows().shape(Tensor("int8", (4, "n", 2)), Tensor("int64", (3,)))
    assert repr(found) == "<int8 [3, n, 2]>"
    with pytest.raises(ShapeError, match="places"):
        TakeRows().shape(Tensor("int8", (4,)), Tensor("float32", (3,)))
    assert TakeRows().run(np.arange(4), np.array([3, 0])).tolist() == [3, 0]


def test_recurrent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STEPS, "MGU", (mgu, ("sigmoid", "tanh")))
    rng = np.random.default_rng(0)
    shapes = [(2, 5, 3), (2, 2, 4), (2,), (2, 8, 3), (2, 8, 4), (2, 8)]
    tensors = [Tensor("int32" if k == 2 else "float32", shape) for k, shape in enumerate(shapes)]
    found = MGUSequence().shape(*tensors, direction="bidirectional")
    assert repr(found) == "[<float32 [2, 2, 5, 4]>, <float32 [2, 2, 4]>]"
    with pytest.raises(ShapeError, match="R"):
        MGUSequence().shape(*tensors[:4], Tensor("float32", (2, 9, 4)), tensors[5], direction="bidirectional")
    x, h, lengths, w, r, b = [rng.random(shape, np.float32) for shape in shapes]
    lengths[:] = 5, 3
    outputs, last = MGUSequence().run(x, h, lengths, w, r, b, direction="bidirectional")
    assert outputs.shape == (2, 2, 5, 4)
    assert not outputs[1, :, 3:].any()  # the second sequence ends early

    def sigmoid(v: Any) -> Any:
        return 1 / (1 + np.exp(-v))

    state = h[0, 0]  # forward
    for t in range(5):
        forget = sigmoid(w[0, :4] @ x[0, t] + r[0, :4] @ state + b[0, :4])
        new = np.tanh(w[0, 4:] @ x[0, t] + r[0, 4:] @ (forget * state) + b[0, 4:])
        state = (1 - forget) * state + forget * new
    assert np.allclose(last[0, 0], state, atol=1e-6)
