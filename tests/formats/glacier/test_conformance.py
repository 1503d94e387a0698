"""Listings and events that are right: no finding, and the values of the calls that a listing says all about."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import erf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conformance import Row, check

from irlint.operators import table

X, Y = np.array([[0.2, -0.4, 0.9], [1.5, -2.5, 3.0]]), np.array([0.5, 2.0, -1.5])
POSITIVE, UNIT, WHOLE = np.abs(X), X / 4, np.array([[1, 2, 3], [7, 5, 6]])
Inputs = tuple[Any, ...]
CALLS: dict[str, tuple[Callable[..., Any], Inputs]] = {
    **{name: (getattr(np, name), (X,)) for name in ("abs", "ceil", "cos", "cosh", "exp", "floor", "negative", "sign", "sin", "sinh", "tan", "tanh", "trunc")},
    **{name: (getattr(np, name), (POSITIVE,)) for name in ("log", "log10", "log2", "sqrt")},
    **{f"a{name}": (getattr(np, f"arc{name}"), (UNIT,)) for name in ("cos", "sin", "tan", "sinh", "tanh")}, "acosh": (np.arccosh, (POSITIVE + 1,)),
    **{name: (getattr(np, name), (X, Y)) for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "equal", "not_equal", "greater", "greater_equal", "less", "less_equal")},
    **{name: (getattr(np, name), (WHOLE, WHOLE[0])) for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")}, "floor_mod": (np.mod, (WHOLE, WHOLE[0])),
    **{name: (getattr(np, name), (X > 0, Y > 0)) for name in ("logical_and", "logical_or", "logical_xor")}, "logical_not": (np.logical_not, (X > 0,)),
    "power": (np.power, (POSITIVE, Y)), "bitwise_not": (np.invert, (WHOLE,)), "fast_exp": (np.exp, (X,)), "fast_tanh": (np.tanh, (X,)), "copy": (np.copy, (X,)),
    "isfinite": (np.isfinite, (X,)), "isinf": (np.isinf, (X,)), "isnan": (np.isnan, (X,)), "zeros_like": (np.zeros_like, (X,)), "ones_like": (np.ones_like, (X,)),
    "erf": (np.vectorize(erf), (X,)), "rsqrt": (lambda x: 1 / np.sqrt(x), (POSITIVE,)), "nn.relu": (lambda x: np.maximum(x, 0), (X,)),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), (X,)), "round": (lambda x: np.trunc(x + np.copysign(0.5, x)), (X,)), "where": (np.where, (X > 0, X, Y)),
    "nn.dense": (lambda x, w: x @ w.T, (X, X)), "nn.batch_flatten": (lambda x: x.reshape(2, 6), (np.ones((2, 3, 2)),)),
}  # fmt: skip


@pytest.mark.parametrize("op", CALLS)
def test_calls_that_a_listing_says_all_about(op: str, tmp_path: Path) -> None:
    wanted, inputs = CALLS[op]
    names = [f"in{k}" for k in range(len(inputs))]
    text = f"0 {op} [{', '.join(map(repr, names))}]\n1 copy [0]\n"
    given = {
        name: array.astype("float32") if array.dtype.kind == "f" else array
        for name, array in zip(names, inputs, strict=True)
    }
    check(Row(op, text, "listing", inputs=given, values={"1": wanted(*given.values())}), tmp_path / "listing.txt")


def listed(op: str, count: int) -> str:
    """A call with so many inputs, one of them a call, and others around it."""
    names = ["0", *(f"'in{k}'" for k in range(1, count))][:count]
    return f"0 abs ['x']\n1 {op} [{', '.join(names)}]\n2 abs [{'1, ' if count else ''}'y']\n".replace("1, 'y'", "1")


@pytest.mark.parametrize("op", table("relay").names)
def test_every_operator_of_relay(op: str, tmp_path: Path) -> None:
    known = table("relay").get(op)
    assert known is not None
    needed = [port for port in known.inputs if port.kind in ("required", "variadic")]
    for count in sorted({len(needed), len(known.inputs)}):
        if count:
            check(Row(op, listed(op, count), "listing"), tmp_path / "listing.txt")


def event(number: int | str, name: str = "abs", inputs: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"nodeID": number, "name": name, "inputs": inputs or [], "duration": 0.5, "size": 24, "session": "s", **more}


CHAIN = [event(0, "nn.conv2d", ["x", "w"]), event(1, "nn.bias_add", [0, "b"]), event(2, "nn.relu", [1])]
LEAVES = [event(name, name, dtype="float32", shape=[2, 3]) for name in ("x", "w")]
BARE = [{key: e[key] for key in ("nodeID", "name", "inputs")} for e in CHAIN]
EVENTS: dict[str, Any] = {
    "a list": CHAIN, "backwards": CHAIN[::-1], "one": CHAIN[:1], "with leaves": [*LEAVES, *CHAIN], "leaves last": [*CHAIN, *LEAVES], "an object": {"events": CHAIN},
    "of a session": {"session": "s", "events": CHAIN}, "of sessions": {"sessions": ["s", 7], "events": [*CHAIN, *(e | {"session": 7} for e in CHAIN)]},
    "of a model": {"session": "s", "model": "net.onnx", "events": CHAIN}, "sessions mixed": [e for a in CHAIN for e in (a, a | {"session": "t"})],
    "sessions are numbers": [e | {"session": 3} for e in CHAIN], "nothing measured": BARE, "of a session, nothing measured": {"session": "s", "events": BARE},
    "durations are integers": [e | {"duration": 1} for e in CHAIN], "no time": [e | {"duration": 0} for e in CHAIN], "no size": [e | {"size": 0} for e in CHAIN],
    "names of nodes": [e | {"node": f"net/{e['name']}"} for e in CHAIN], "results": [e | {"value": [[1.5, 2, 3], [4, 5, 6]]} for e in CHAIN],
    "a result is a number": [*CHAIN[:2], CHAIN[2] | {"value": 1.5}], "constants by the word": [*CHAIN, event("c", "constant", dtype="int64", shape=[3])],
    "a scalar": [*CHAIN, event("c", "c", dtype="float64", shape=[], size=8)], "open shapes": [*CHAIN, event("z", "z", dtype="int32", shape=["batch", None, 3])],
    "half precision": [*CHAIN, event("h", "h", dtype="float16", shape=[3, 4])], "no elements": [*CHAIN, event("n", "n", dtype="float32", shape=[0, 4], size=0)],
    "of MXNet": [event(0, "Convolution", ["x", "w", "b"]), event(1, "Activation", [0]), event(2, "FullyConnected", [1, "v", "c"])],
    "of OpenVINO": [event(0, "MatMul", ["x", "w"]), event(1, "ReduceMean", [0, "a"]), event(2, "HSwish", [1]), event(3, "SoftPlus", [2])],
    "of LightNet": [event(0, "conv2d", ["x", "w", "b"]), event(1, "maxpool2d", [0]), event(2, "lrelu", [1])],
    "a branch": [event(0, "abs", ["x"]), event(1, "exp", [0]), event(2, "add", [0, 1])], "one value twice": [event(0, "multiply", ["x", "x"]), event(1, "abs", [0])],
    "many": [event(0, "abs", ["x"]), *(event(k, "abs", [k - 1]) for k in range(1, 300))],
}  # fmt: skip


FORMS = [(name, form) for name in EVENTS for form in ("indented", "one line", "lines")]


@pytest.mark.parametrize(("name", "form"), [(n, f) for n, f in FORMS if f != "lines" or isinstance(EVENTS[n], list)])
def test_events(name: str, form: str, tmp_path: Path) -> None:
    events = EVENTS[name]
    text = json.dumps(events, indent=1 if form == "indented" else None)
    if form == "lines":
        text = "".join(f"{json.dumps(each)}\n" for each in events)
    check(Row(name, text, "events"), tmp_path / ("run.jsonl" if form == "lines" else "run.json"))


LISTINGS = {
    "constants shown": "0 nn.conv2d ['x', 'w']\n1 nn.bias_add [0, 'b']\n2 nn.relu [1]\n", "constants hidden": "0 nn.conv2d ['x']\n1 nn.bias_add [0]\n2 nn.relu [1]\n",
    "variables hidden": "0 nn.conv2d []\n1 nn.bias_add [0]\n2 nn.relu [1]\n", "no line feed at the end": "0 abs ['x']\n1 exp [0]", "carriage returns": "0 abs ['x']\r\n1 exp [0]\r\n",
    "two values joined": "0 abs ['x']\n1 exp ['y']\n2 add [0, 1]\n", "names with blanks": "0 abs ['the input']\n1 exp [0]\n", "names of other scripts": "0 abs ['größe/輸入:0']\n1 exp [0]\n",
    "several inputs": "0 abs ['x']\n1 concatenate [0, 'y', 'z', 'u']\n2 exp [1]\n", "of MXNet": "0 Convolution ['x', 'w', 'b']\n1 Activation [0]\n2 FullyConnected [1, 'v', 'c']\n",
    "of OpenVINO": "0 MatMul ['x', 'w']\n1 HSwish [0]\n2 SoftPlus [1]\n3 ReduceMean [2, 'a']\n", "of LightNet": "0 conv2d ['x', 'w', 'b']\n1 maxpool2d [0]\n2 lrelu [1]\n", "long": "0 abs ['x']\n" + "".join(f"{k} exp [{k - 1}]\n" for k in range(1, 500)),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTINGS)
def test_listings(name: str, tmp_path: Path) -> None:
    check(Row(name, LISTINGS[name], "listing"), tmp_path / "listing.txt")
