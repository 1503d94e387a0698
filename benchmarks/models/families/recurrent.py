"""Recurrent networks of PyTorch, as sequences and as TensorIterators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from cases import Built, Case, converted

KINDS = {"lstm": torch.nn.LSTM, "gru": torch.nn.GRU, "rnn": torch.nn.RNN}


def cases() -> Iterator[Case]:
    for kind in KINDS:
        yield Case(kind, lambda kind=kind: sequence(kind))
        yield Case(f"{kind}_two_ways", lambda kind=kind: sequence(kind, bidirectional=True, num_layers=2))
    yield Case("lstm_open", lambda: sequence("lstm", fixed=False))
    yield Case("lstm_large", lambda: sequence("lstm", width=256, length=100, num_layers=2))
    yield Case("gru_large", lambda: sequence("gru", width=256, length=100, num_layers=2))
    yield Case("lstm_projected", lambda: sequence("lstm", proj_size=8))
    yield Case("crnn", lambda: converted(Recogniser(), torch.rand(1, 1, 32, 100)))
    yield Case("low_latency", low_latency)


class Last(torch.nn.Module):
    def __init__(self, inner: torch.nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)[0]


def sequence(kind: str, width: int = 24, length: int = 20, fixed: bool = True, **options: Any) -> Built:
    inner = KINDS[kind](12, width, batch_first=True, **options)
    return converted(Last(inner), torch.rand(2, length, 12), fixed=fixed)


class Recogniser(torch.nn.Module):
    """Text recognition: convolutions, then an LSTM both ways."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[torch.nn.Module] = []
        for inner, outer, pool in ((1, 16, 2), (16, 32, 2), (32, 64, (2, 1)), (64, 64, (4, 1))):
            layers += [
                torch.nn.Conv2d(inner, outer, 3, 1, 1), torch.nn.BatchNorm2d(outer), torch.nn.ReLU(), torch.nn.MaxPool2d(pool)
            ]  # fmt: skip
        self.body = torch.nn.Sequential(*layers)
        self.lstm = torch.nn.LSTM(64, 64, bidirectional=True)
        self.head = torch.nn.Linear(128, 37)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.body(x).squeeze(2).permute(2, 0, 1)
        return self.head(self.lstm(x)[0]).log_softmax(-1)


def low_latency() -> Built:
    """A sequence of one step, with its state as a variable."""
    import numpy as np
    import openvino as ov
    from openvino import opset13 as op
    from openvino.op.util import Variable, VariableInfo

    random = np.random.default_rng(0)
    x = op.parameter([1, 1, 8], np.float32, name="x")
    info = VariableInfo()
    info.data_shape, info.data_type, info.variable_id = ov.PartialShape([1, 1, 6]), ov.Type.f32, "hidden"
    variable = Variable(info)
    read = op.read_value(
        op.constant(np.zeros((1, 1, 6), np.float32)), "hidden", ov.Type.f32, ov.PartialShape([1, 1, 6])
    )
    del variable
    weights = [op.constant(random.standard_normal(s).astype(np.float32)) for s in ((1, 18, 8), (1, 18, 6), (1, 18))]
    node = op.gru_sequence(x, read, op.constant([1], np.int64), *weights, 6, "forward")
    assign = op.assign(node.output(1), "hidden")
    model = ov.Model([op.result(node.output(0), name="y")], [assign], [x], "low_latency")
    return Built(model, [(1, 1, 8)])
