"""Models of one operator, from the operator tables of all formats, in which one attribute is a number that nobody expects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from formats.lightnet import models as lightnet
from formats.ncnn import dryrun_cases
from formats.nnvm import models as symbols
from formats.openvino import models as ir

from dryrun import mxnet_cases
from irlint.operators import Attribute, table

NUMBERS = (0, -1, 2_000_000, 2**31 - 1, 2**63)
SHAPES: tuple[tuple[int, ...], ...] = ((1, 4, 8, 8), (2, 3, 4), (4, 8), (8,))
_NUMERIC = {"int", "ints", "uint", "long", "ulong", "shape", "shapes", "slice", "optional", "any", "value", "float", "floats", "double"}
Attrs = dict[str, Any]


class Trial(NamedTuple):
    form: str
    what: str  # the operator and the attribute
    text: str
    weights: bytes = b""


def trials() -> Iterator[Trial]:
    """Yield a model for each number in each attribute of each operator of each format."""
    for make in (_mxnet, _classic, _onnx, _openvino, _ncnn, _pnnx, _lightnet):
        yield from make()


def _tuples(number: int, rank: int) -> Iterator[tuple[int, ...]]:
    yield from ((number,), (number, number), (1, number))
    if rank > 2:
        yield (number,) * rank


def _varied(attrs: Attrs, names: dict[str, bool], write: Callable[[Any], Any], rank: int) -> Iterator[tuple[str, Attrs]]:
    """Yield the attributes with one of them changed; `names` says of each whether it is a list."""
    for name, is_list in names.items():
        for number in NUMBERS:
            for value in _tuples(number, rank) if is_list else (number,):
                yield f"{name}={value}", {**attrs, name: write(value)}


# -- MXNet and classic NNVM ---------------------------------------------------------------------------------------------

_LISTS = {"shape", "shapes", "slice", "ints", "floats"}
_PLAIN = {"int": "1", "uint": "1", "long": "1", "ulong": "1", "shape": "(1, 1)", "ints": "(1, 1)", "floats": "(1.0,)", "bool": "False", "string": "x"}


def _names(attributes: dict[str, Attribute], lists: set[str] = _LISTS) -> dict[str, bool]:
    return {name: a.kind in lists for name, a in attributes.items() if a.kind in _NUMERIC}


def _required(attributes: dict[str, Attribute]) -> Attrs:
    return {
        a.name: str(a.values[0]) if a.values else _PLAIN.get(a.kind, "1.0") for a in attributes.values() if a.required
    }


def _symbol(op: str, attrs: Attrs, shapes: Any, outputs: int, version: int | None) -> str:
    b = symbols.Builder(version=version)
    ins = [b.var(f"in{k}", None if shape is None else tuple(shape)) for k, shape in enumerate(shapes)]
    at = b.add(op, "node", ins, {key: str(value) for key, value in attrs.items()}, outputs)
    return json.dumps(b.graph(at))


def _mxnet() -> Iterator[Trial]:
    known = table("mxnet")
    bases = [(name, record["attrs"], record["shapes"], record["outputs"]) for name, record in symbols.RUNNABLE.items()]
    bases += [(case.op, case.attrs, case.shapes, 1) for case in mxnet_cases.CASES if not case.graphs]
    seen = {name for name, *_ in bases}
    for name in known.names:
        if (operator := known.get(name)) is not None and name not in seen and operator.name == name:
            count = max(len(operator.inputs), 1)
            bases += [(name, _required(operator.attributes), [shape] * count, 1) for shape in SHAPES]
    told = set()
    for name, attrs, shapes, outputs in bases:
        operator = known.get(name)
        assert operator is not None
        rank = len(shapes[0]) if shapes and shapes[0] else 2
        for what, changed in _varied(attrs, _names(operator.attributes), str, rank):
            if (key := (name, what, str(shapes), len(attrs))) not in told:
                told.add(key)
                yield Trial("nnvm:mxnet", f"{name} {what}", _symbol(name, changed, shapes, outputs, 10901))


def _classic() -> Iterator[Trial]:
    known = table("nnvm")
    for name in known.names:
        operator = known.get(name)
        assert operator is not None
        count = max(len(operator.inputs), 1)
        for shape in SHAPES:
            for what, changed in _varied(_required(operator.attributes), _names(operator.attributes), str, len(shape)):
                yield Trial("nnvm:classic", f"{name} {what}", _symbol(name, changed, [shape] * count, 1, None))


# -- ONNX ---------------------------------------------------------------------------------------------------------------

_SPELLED = {"float32": "float", "float64": "double"}


def _onnx() -> Iterator[Trial]:
    known = table("onnx")
    latest = {}
    for key in known.names:
        name, _, since = key.rpartition("-")
        latest[name] = max(latest.get(name, 0), int(since))
    versions: dict[str, int] = {**known.raw["opsets"], "": known.raw["opsets"]["ai.onnx"]}
    for name, since in latest.items():
        operator = known.get(f"{name}-{since}")
        assert operator is not None
        domain, _, op = name.rpartition(".")
        attributes = operator.attributes
        if any(a.kind in ("graph", "graphs") for a in attributes.values()):
            continue
        attrs = {a.name: _onnx_value(a) for a in attributes.values() if a.required and a.kind != "tensor"}
        header = ", ".join(f'"{d}" : {versions.get(d, 1)}' for d in dict.fromkeys(("", domain)))
        for shape in SHAPES:
            types = [_type_of(operator.facts.get("types", {}).get(p.facts["type"], [p.facts["type"]]), known.raw["sets"]) for p in operator.inputs]
            names = {n: a.kind == "ints" for n, a in attributes.items() if a.kind in ("int", "ints")}
            declared = [f"{_SPELLED.get(t, t)}{list(shape) if k == 0 or t == types[0] else [2]} x{k}" for k, t in enumerate(types)]
            made = [(w, c, None) for w, c in _varied(attrs, names, lambda v: v, len(shape))]
            for k, type_ in enumerate(types):
                if k and type_ in ("int64", "int32"):
                    for number in NUMBERS:
                        number = min(number, 2**63 - 1 if type_ == "int64" else 2**31 - 1)
                        made += [(f"input {k}={v}", attrs, (k, type_, v)) for v in [(), *_tuples(number, len(shape))] for v in [v or number]]
            for what, changed, constant in made:
                words = ", ".join(f"{n} = {_onnx_written(v)}" for n, v in changed.items())
                held = ""
                if constant is not None:
                    k, type_, value = constant
                    shown = "" if isinstance(value, int) else f"[{len(value)}]"
                    held = f" <{type_}{shown} x{k} = {{{', '.join(map(str, value if isinstance(value, tuple) else [value]))}}}>"
                inputs = ", ".join(f"x{k}" for k in range(len(types)))
                outs = ", ".join(f"y{k}" for k in range(max(sum(p.kind != "optional" for p in operator.outputs), 1)))
                kept = ", ".join(word for k, word in enumerate(declared) if constant is None or k != constant[0])
                yield Trial(
                    "onnx",
                    f"{name} {what}",
                    f"<ir_version: 10, opset_import: [{header}]>\ng ({kept}) => (int64 n){held} {{\n"
                    f"   {outs} = {name} {f'<{words}>' if words else ''} ({inputs})\n   n = Size (y0)\n}}\n",
                )


def _onnx_value(attribute: Attribute) -> Any:
    if attribute.values:
        return attribute.values[0]
    return {"int": 1, "ints": (1, 1), "float": 1.0, "floats": (1.0,), "strings": ("x",)}.get(attribute.kind, "x")


def _onnx_written(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_onnx_written, value))}]"
    return json.dumps(value) if isinstance(value, str) else str(value)


def _type_of(allowed: Any, sets: dict[str, list[str]]) -> str:
    allowed = sets.get(allowed, [allowed]) if isinstance(allowed, str) else allowed
    return next((t for t in ("float32", "int64", *allowed) if t in allowed), "float32")


# -- OpenVINO -----------------------------------------------------------------------------------------------------------


def _openvino() -> Iterator[Trial]:
    known = table("openvino")
    for key, record in ir.operations().items():
        operator = known.get(key)
        assert operator is not None
        rank = len(record["inputs"][0][1]) if record["inputs"] else 2
        names = {}
        for name, a in operator.attributes.items():
            text = str(record["data"].get(name, a.default or ""))
            if a.kind in ("int", "ints", "float", "partial_shape", "shape") or text[:1].isdigit():
                names[name] = "," in text or a.kind not in ("int", "float")
        for what, data in _varied(record["data"], names, lambda v: ",".join(map(str, v)) if isinstance(v, tuple) else v, rank):
            made = ir.model(key, {**record, "data": data})
            yield Trial("openvino", f"{key} {what}", made.text, made.weights)
        for place, values in record.get("constants", {}).items():
            kind = ir.TYPES[record["inputs"][int(place)][0]]
            limits = {"i64": 2**63 - 1, "i32": 2**31 - 1}.get(kind)
            for number in NUMBERS if limits else ():
                number = min(number, limits)
                for changed in ([number] * len(values), [*values[:-1], number]) if values else ():
                    made = ir.model(key, {**record, "constants": {**record["constants"], place: changed}})
                    yield Trial("openvino", f"{key} input {place}={changed}", made.text, made.weights)


# -- ncnn and pnnx ------------------------------------------------------------------------------------------------------


def _ncnn() -> Iterator[Trial]:
    known = table("ncnn")
    bases = [(c.type, c.layer.partition(" ")[2], c.inputs, c.outputs) for c in dryrun_cases.CASES]
    seen = {name for name, *_ in bases}
    for name in known.names:
        operator = known.get(name)
        if operator is not None and name not in seen and operator.name == name:
            bases += [(name, "", [list(shape)] * max(len(operator.inputs), 1), max(len(operator.outputs), 1)) for shape in SHAPES]
    for name, words, inputs, outputs in bases:
        operator = known.get(name)
        if operator is None:
            continue
        names = {n: a.kind != "int" for n, a in operator.attributes.items() if a.kind in ("int", "ints", "any") and n.isdigit()}
        for what, changed in _varied({}, names, lambda v: v, len(inputs[0]) if inputs else 2):
            kept = [w for w in words.split() if int(w.partition("=")[0]) not in (int(k) for k in changed) and int(w.partition("=")[0]) not in (-23300 - int(k) for k in changed)]
            for k, v in changed.items():
                kept.append(f"{-23300 - int(k)}={len(v)},{','.join(map(str, v))}" if isinstance(v, tuple) else f"{k}={v}")
            case = dryrun_cases.Case(f"{name} {' '.join(kept)}", inputs, outputs)
            yield Trial("ncnn:param", f"{name} {what}", case.text)


def _pnnx() -> Iterator[Trial]:
    known = table("pnnx")
    for name in known.names:
        operator = known.get(name)
        assert operator is not None
        names = {n: a.kind != "int" for n, a in operator.attributes.items() if a.kind in ("int", "value")}
        for what, changed in _varied({}, names, lambda v: f"({','.join(map(str, v))})" if isinstance(v, tuple) else v, 2):
            words = " ".join(f"{k}={v}" for k, v in changed.items())
            yield Trial("pnnx", f"{name} {what}", f"7767517\n3 2\npnnx.Input in 0 1 0 #0=(1,3,8,8)f32\n{name} op 1 1 0 1 {words} #1=(1,3,8,8)f32\npnnx.Output out 1 0 1\n")


# -- LightNet -----------------------------------------------------------------------------------------------------------


def _lightnet() -> Iterator[Trial]:
    for base in lightnet.MODELS:
        model = lightnet.model(base)
        for op in model["ops"]:
            for param in op["params"]:
                value = param["value"]
                if isinstance(value, bool) or not isinstance(value, (int, float, list)):
                    continue
                for number in NUMBERS:
                    for changed in _tuples(number, len(value)) if isinstance(value, list) else (number,):
                        param["value"] = changed
                        yield Trial("lightnet", f"{op['optype']} {param['arg_name']}={changed}", json.dumps(model, indent=1))
                param["value"] = value
