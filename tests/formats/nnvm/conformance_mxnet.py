"""Symbols that must stay right: an operator of MXNet each, with what MXNet 1.9.1 computed.

IRLINT_MXNET_PYTHON=PYTHON python -m tests.formats.nnvm.conformance_mxnet measures them again.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

import irlint

from .models import RUNNABLE, Builder, Graph

MEASURED = Path(__file__).with_suffix(".json")
SHOWN = 8  # numbers of an output


def symbol(op: str) -> Graph:
    record = RUNNABLE[op]
    b = Builder()
    inputs = [b.var(f"x{k}", None if shape is None else tuple(shape)) for k, shape in enumerate(record["shapes"])]
    at = b.add(op, "call", inputs, {key: str(text) for key, text in record["attrs"].items()}, record["outputs"])
    return b.graph(*((at, k, 0) for k in range(record["visible"])))


def drawn(name: str, shape: tuple[int, ...], dtype: str) -> Any:
    """Return the numbers that the oracle gives a variable."""
    rng = np.random.RandomState(zlib.crc32(name.encode()) & 0x7FFFFFFF)
    return (rng.uniform(-1, 1, shape) if np.dtype(dtype).kind == "f" else rng.randint(0, 2, shape)).astype(dtype)


def computed(text: bytes) -> list[tuple[list[int], list[float]]]:
    """Return the shape and the first numbers of each output, as irlint computes them."""
    model = irlint.load(text)
    types = irlint.infer(model)
    inputs = {}
    for node in model.graph.nodes:
        if node.kind == "var":
            dtype, shape = types[node.name][0]
            assert shape is not None
            inputs[node.name] = drawn(node.name, tuple(map(int, shape)), dtype or "float32")  # type: ignore[arg-type]
    return [
        (list(found.shape), [round(float(n), 4) for n in found.ravel()[:SHOWN]])
        for found in irlint.run(text, inputs).values()
    ]


def agree(one: Any, other: Any) -> bool:
    return len(one) == len(other) and all(
        list(a[0]) == list(b[0]) and np.allclose(a[1], b[1], rtol=1e-3, atol=2e-3)
        for a, b in zip(one, other, strict=True)
    )


def measure() -> None:
    from .oracle import Oracle

    judge, found = Oracle(), {}
    for op in RUNNABLE:
        text = json.dumps(symbol(op))
        verdicts = [judge(text).get("numbers") for _ in range(2)]
        if verdicts[0] != verdicts[1] or not verdicts[0] or any(None in numbers for _, numbers in verdicts[0]):
            continue  # random, or not computed
        numbers = [[shape, flat[:SHOWN]] for shape, flat in verdicts[0]]
        try:
            same = agree(computed(text.encode()), numbers)
        except (NotImplementedError, ValueError, AssertionError) as error:
            print(op, error)
            continue
        if same:
            found[op] = numbers
        else:
            print(op, computed(text.encode()), numbers)
    lines = ",\n".join(f"{json.dumps(op)}: {json.dumps(numbers)}" for op, numbers in found.items())
    MEASURED.write_text(f"{{\n{lines}\n}}\n")
    print(len(found))


if __name__ == "__main__":
    measure()
