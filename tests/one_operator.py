"""Models of one operator, from the operator tables of all formats, in which one attribute is a number that nobody expects.

python tests/one_operator.py FORMAT STAGE STEP: takes each STEP-th model through a stage of STAGES and prints those that raise, hang or want
too much memory. The process limits itself.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))

from dryrun import mxnet_cases
from formats.lightnet import models as lightnet
from formats.ncnn import dryrun_cases
from formats.nnvm import models as symbols
from formats.openvino import models as ir

from irlint import api, engine, offers
from irlint.formats.base import all_formats
from irlint.operators import Attribute, table
from irlint.settings import Settings

MEMORY, SECONDS = 3 << 30, {"check": 2, "repairs": 20, "shapes": 2, "run": 2}  # of the process, and of one model
HUGE = (0, -1, 2**31 - 1, 2**63)
NUMBERS = (*HUGE, 2_000_000)  # a list of so many is not too large for the memory, only for a check
SHAPES: tuple[tuple[int, ...], ...] = ((1, 4, 8, 8), (2, 3, 4), (4, 8), (8,))
_SINGLE = {"int", "uint", "long", "ulong", "optional", "any", "value", "float", "double"}
_LISTS = {"ints", "shape", "shapes", "slice", "floats", "partial_shape"}
Attrs = dict[str, Any]


class Trial(NamedTuple):
    form: str
    what: str  # the operator, and its attribute with the number
    text: str


def _tuples(number: int, rank: int) -> list[tuple[int, ...]]:
    return [(number,), (number, number), (1, number), *([(number,) * rank] if rank > 2 else [])]


def _varied(attrs: Attrs, names: Mapping[str, bool], rank: int) -> Iterator[tuple[str, Attrs]]:
    """Yield the attributes with one of them changed; `names` says of each whether it is a list."""
    for name, is_list in names.items():
        for number in NUMBERS:
            for value in _tuples(number, rank) if is_list else (number,):
                yield f"{name}={value}", {**attrs, name: value}


def _names(attributes: Mapping[str, Attribute]) -> dict[str, bool]:
    return {name: a.kind in _LISTS for name, a in attributes.items() if a.kind in _SINGLE | _LISTS}


# -- MXNet and classic NNVM ---------------------------------------------------------------------------------------------

_PLAIN = {"shape": "(1, 1)", "ints": "(1, 1)", "floats": "(1.0,)", "bool": "False", "string": "x", "float": "1.0"}


def _required(attributes: Mapping[str, Attribute]) -> Attrs:
    needed = [a for a in attributes.values() if a.required]
    return {a.name: str(a.values[0]) if a.values else _PLAIN.get(a.kind, "1") for a in needed}


def _symbol(op: str, attrs: Attrs, shapes: Sequence[Any], outputs: int, version: int | None) -> str:
    b = symbols.Builder(version=version)
    ins = [b.var(f"in{k}", None if shape is None else tuple(shape)) for k, shape in enumerate(shapes)]
    return json.dumps(
        b.graph(b.add(op, "node", ins, {key: str(value) for key, value in attrs.items()}, outputs)), indent=1
    )


def _mxnet() -> Iterator[Trial]:
    known = table("mxnet")
    bases = [(name, record["attrs"], record["shapes"], record["outputs"]) for name, record in symbols.RUNNABLE.items()]
    bases += [(case.op, case.attrs, case.shapes, 1) for case in mxnet_cases.CASES if not case.graphs]
    seen = {name for name, *_ in bases}
    for name in known.names:
        operator = known.get(name)
        if operator is not None and name not in seen and operator.name == name:
            count, required = max(len(operator.inputs), 1), _required(operator.attributes)
            bases += [(name, required, [shape] * count, 1) for shape in SHAPES]
    for name, attrs, shapes, outputs in bases:
        operator = known.get(name)
        assert operator is not None
        rank = len(shapes[0]) if shapes and shapes[0] else 2
        for what, changed in _varied(attrs, _names(operator.attributes), rank):
            yield Trial("nnvm:mxnet", f"{name} {what}", _symbol(name, changed, shapes, outputs, 10901))


def _classic() -> Iterator[Trial]:
    known = table("nnvm")
    for name in known.names:
        operator = known.get(name)
        assert operator is not None
        count, required = max(len(operator.inputs), 1), _required(operator.attributes)
        for shape in SHAPES:
            for what, changed in _varied(required, _names(operator.attributes), len(shape)):
                yield Trial("nnvm:classic", f"{name} {what}", _symbol(name, changed, [shape] * count, 1, None))


# -- ONNX ---------------------------------------------------------------------------------------------------------------

_SPELLED = {"float32": "float", "float64": "double"}
_VALUES = {"int": 1, "ints": (1, 1), "float": 1.0, "floats": (1.0,), "strings": ("x",)}


def _onnx() -> Iterator[Trial]:
    raw = table("onnx").raw
    for name, versions in raw["versions"].items():
        operator = table("onnx").get(f"{name}-{versions[-1]}")
        assert operator is not None
        attributes = operator.attributes.values()
        if any(a.kind in ("graph", "graphs") for a in attributes):
            continue
        domain = name.rpartition(".")[0]
        opsets = {"": raw["opsets"]["ai.onnx"], **({domain: raw["opsets"].get(domain, 1)} if domain else {})}
        head = f"<ir_version: 10, opset_import: [{', '.join(f'{json.dumps(d)} : {v}' for d, v in opsets.items())}]>"
        attrs = {a.name: _onnx_value(a) for a in attributes if a.required and a.kind != "tensor"}
        allowed = operator.facts.get("types", {})
        types = [_type_of(allowed.get(p.facts["type"], [p.facts["type"]]), raw["sets"]) for p in operator.inputs]
        outs = ", ".join(f"y{k}" for k in range(max(sum(p.kind != "optional" for p in operator.outputs), 1)))
        names = {a.name: a.kind == "ints" for a in attributes if a.kind in ("int", "ints")}
        ins = ", ".join(f"x{k}" for k in range(len(types)))
        for shape in SHAPES:
            rows = [
                f"{_SPELLED.get(t, t)}{list(shape) if not k or t == types[0] else [2]} x{k}"
                for k, t in enumerate(types)
            ]
            made = [(what, changed, -1, "") for what, changed in _varied(attrs, names, len(shape))]
            for k, type_ in enumerate(types[1:], 1):
                made += [(f"input {k}={v}", attrs, k, _initializer(k, type_, v)) for v in _constants(type_, shape)]
            for what, changed, at, held in made:
                words = ", ".join(f"{key} = {_onnx_written(value)}" for key, value in changed.items())
                given = ", ".join(row for k, row in enumerate(rows) if k != at)
                call = f"{outs} = {name} {f'<{words}>' if words else ''} ({ins})"
                text = f"{head}\ng ({given}) => (int64 n){held} {{\n   {call}\n   n = Size (y0)\n}}\n"
                yield Trial("onnx", f"{name} {what}", text)


def _constants(type_: str, shape: tuple[int, ...]) -> Iterator[tuple[int, ...] | int]:
    most = {"int64": 2**63 - 1, "int32": 2**31 - 1}.get(type_)
    for number in NUMBERS if most is not None else ():
        yield from (min(number, most), *_tuples(min(number, most), len(shape)))


def _initializer(k: int, type_: str, value: tuple[int, ...] | int) -> str:
    if isinstance(value, int):
        return f" <{type_} x{k} = {{{value}}}>"
    return f" <{type_}[{len(value)}] x{k} = {{{', '.join(map(str, value))}}}>"


def _onnx_value(attribute: Attribute) -> Any:
    return attribute.values[0] if attribute.values else _VALUES.get(attribute.kind, "x")


def _onnx_written(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_onnx_written, value))}]"
    return json.dumps(value) if isinstance(value, str) else str(value)


def _type_of(allowed: str | list[str], sets: dict[str, list[str]]) -> str:
    listed = sets.get(allowed, [allowed]) if isinstance(allowed, str) else allowed
    return next((t for t in ("float32", "int64", *listed) if t in listed), "float32")


# -- OpenVINO -----------------------------------------------------------------------------------------------------------


def _openvino() -> Iterator[Trial]:
    known = table("openvino")
    for key, record in ir.operations().items():
        operator = known.get(key)
        assert operator is not None
        rank, data = len(record["inputs"][0][1]) if record["inputs"] else 2, record["data"]
        names = _names(operator.attributes) | {
            name: "," in str(text) for name, text in data.items() if str(text)[:1].isdecimal()
        }
        for what, changed in _varied(data, names, rank):
            written = {k: ",".join(map(str, v)) if isinstance(v, tuple) else v for k, v in changed.items()}
            yield Trial("openvino", f"{key} {what}", ir.model(key, {**record, "data": written}).text)


# -- ncnn and pnnx ------------------------------------------------------------------------------------------------------


def _ncnn() -> Iterator[Trial]:
    known = table("ncnn")
    bases = [(c.type, c.layer.partition(" ")[2], c.inputs, c.outputs) for c in dryrun_cases.CASES]
    seen = {name for name, *_ in bases}
    for name in known.names:
        operator = known.get(name)
        if operator is not None and name not in seen and operator.name == name:
            count, outputs = max(len(operator.inputs), 1), max(len(operator.outputs), 1)
            bases += [(name, "", [list(shape)] * count, outputs) for shape in SHAPES]
    for name, words, inputs, outputs in bases:
        operator = known.get(name)
        for what, changed in _varied({}, _names(operator.attributes if operator else {}), 2):
            ((key, value),) = changed.items()
            ids = (key, str(-23300 - int(key)) if key.isdecimal() else "")
            kept = [word for word in words.split() if word.partition("=")[0] not in ids]
            written = (
                f"{ids[1]}={len(value)},{','.join(map(str, value))}" if isinstance(value, tuple) else f"{key}={value}"
            )
            case = dryrun_cases.Case(f"{name} {' '.join([*kept, written])}", inputs, outputs)
            yield Trial("ncnn:param", f"{name} {what}", case.text)


def _pnnx() -> Iterator[Trial]:
    known = table("pnnx")
    for name in known.names:
        operator = known.get(name)
        assert operator is not None
        names = {key: a.kind != "int" for key, a in operator.attributes.items() if a.kind in _SINGLE}
        for what, changed in _varied({}, names, 2):
            ((key, value),) = changed.items()
            word = f"{key}=({','.join(map(str, value))})" if isinstance(value, tuple) else f"{key}={value}"
            rows = ["pnnx.Input in 0 1 0 #0=(1,3,8,8)f32", f"{name} op 1 1 0 1 {word} #1=(1,3,8,8)f32"]
            yield Trial("pnnx", f"{name} {what}", "\n".join(["7767517", "3 2", *rows, "pnnx.Output out 1 0 1\n"]))


# -- LightNet -----------------------------------------------------------------------------------------------------------


def _lightnet() -> Iterator[Trial]:
    for base in lightnet.MODELS:
        model = lightnet.model(base)
        for op in model["ops"]:
            for param in op["params"]:
                value = param["value"]
                if isinstance(value, bool) or not isinstance(value, (int, float, list)):
                    continue
                names = {"value": isinstance(value, list)}
                for _, changed in _varied({}, names, len(value) if isinstance(value, list) else 1):
                    param["value"] = changed["value"]
                    what = f"{op['optype']} {param['arg_name']}={changed['value']}"
                    yield Trial("lightnet", what, json.dumps(model, indent=1))
                param["value"] = value


# -- Keras --------------------------------------------------------------------------------------------------------------

_JSON = {"int": 1, "ints": [1, 1], "string": "x", "float": 1.0, "bool": False, "list": [], "object": {}}


def _keras(dialect: str, key: str) -> Iterator[Trial]:
    for name in table(dialect).names:
        operator = table(dialect).get(name)
        assert operator is not None
        if "." in name:  # an initializer, a function of keras.ops and so on
            continue
        kinds = {a.name: a.kind.split("|") for a in operator.attributes.values()}
        needed = [a for a in operator.attributes.values() if a.required]
        attrs = {a.name: a.values[0] if a.values else _JSON.get(kinds[a.name][0], 1) for a in needed}
        names = {one: "ints" in listed for one, listed in kinds.items() if {"int", "ints", "any"} & {*listed}}
        for shape in SHAPES:
            image = {"class_name": "InputLayer", "config": {key: [None, *shape[1:]], "name": "image"}}
            for what, changed in _varied(attrs, names, len(shape)):
                layer = {"class_name": name, "config": {"name": "layer", **changed}}
                config = {"name": "net", "layers": [image, layer]}
                yield Trial(
                    f"keras:{dialect}", f"{name} {what}", json.dumps({"class_name": "Sequential", "config": config})
                )


MODELS: dict[str, Callable[[], Iterator[Trial]]] = {
    "nnvm:mxnet": _mxnet, "nnvm:classic": _classic, "onnx": _onnx, "openvino": _openvino, "ncnn": _ncnn, "pnnx": _pnnx,
    "lightnet": _lightnet, "keras:keras-3": partial(_keras, "keras-3", "batch_shape"),
    "keras:keras-2": partial(_keras, "keras-2", "batch_input_shape"),
}  # fmt: skip
WITHOUT = {"glacier"}  # formats whose operators have no attributes


# -- what is done with a model ------------------------------------------------------------------------------------------


def _check(trial: Trial) -> None:
    result = engine.lint(trial.text, "x", Settings(), trial.form)
    assert result.model is not None or result.document is None


def _repairs(trial: Trial) -> None:
    offers.confirm(engine.lint(trial.text, "x", Settings(), trial.form))


def _shapes(trial: Trial) -> None:
    model = api.load(trial.text.encode(), as_format=trial.form)
    if model.graph.mapping is not None:
        api.infer(model)


def _run(trial: Trial) -> None:
    if "2000000" not in trial.what:  # as many steps take their time
        api.run(trial.text.encode(), as_format=trial.form)


STAGES = {"check": _check, "repairs": _repairs, "shapes": _shapes, "run": _run}


class LateError(BaseException):
    """A model that took too long."""


def _late(*_: object) -> None:
    raise LateError


def main(form: str, stage: str, step: int) -> int:
    """Print what fails, and return how much was tried."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _late)
    tried = 0
    for trial in islice(MODELS[form](), step // 2, None, step):
        signal.setitimer(signal.ITIMER_PROF, SECONDS[stage])
        try:
            STAGES[stage](trial)
        except (ValueError, NotImplementedError) as refused:
            if type(refused) not in (ValueError, NotImplementedError):
                print(f"{trial.what}: {refused!r}", flush=True)
        except (LateError, Exception) as error:
            print(f"{trial.what}: {error!r}", flush=True)
        signal.setitimer(signal.ITIMER_PROF, 0)
        tried += 1
    return tried


if __name__ == "__main__":
    assert {name.partition(":")[0] for name in MODELS} | WITHOUT >= set(all_formats())
    print(f"tried {main(sys.argv[1], sys.argv[2], int(sys.argv[3]))}")
