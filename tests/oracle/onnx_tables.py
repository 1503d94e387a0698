"""Make schemas/operators/onnx.json from the schemas of onnx and onnxruntime: python -m oracle.onnx_tables (in tests, with the Python that has both).

onnx's own schemas come first; onnxruntime adds its domains and the operators that it still runs in ai.onnx. What no schema says is in onnx_facts.py.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as ort

from oracle import onnx_facts as known
from oracle.kernels.names import type_of

TABLE = Path(__file__).parents[2] / "schemas/operators/onnx.json"
NOTE = (
    "Operators of ONNX and onnxruntime, a record for each version: NAME-SINCE in ai.onnx, DOMAIN.NAME-SINCE in the others. kind of a port: required, optional, variadic (one or"
    " more), variadic0 (any number); least: a larger minimum; mixed: elements may differ in type. type: a type parameter or a type; types: what parameters allow, as a list or the name of one of the sets."
    " Tensor types have the names of irlint, others their own. least_inputs, least_outputs: how many must be written where an optional one comes first, even if as an empty name."
    " named_inputs: optional ones may be missing at the end, but have no empty names. values, min, max, above, length: what is wrong otherwise; finite: not NaN or infinite; when: with which other attributes it matters; refused_FACT: which of onnx (its checker with shape inference), onnxruntime and openvino refuse every value that is wrong by that fact, at load or when it runs;"
    " refused_case: words in other letter case, if not the same; without it: not measured; taken: words that are wrong, but that they take. demands: what has to hold of attributes together, said of the first of `id` that is there. ignores_unknown: unknown attributes are ignored. per_axis, per_dim: how many values there are for each spatial axis, each dimension; each: what all of them are where the attribute is absent;"
    " of: the version that has what is not said. axis_of: the input whose axes are meant, past: how many numbers after them are allowed; only: the runtime that alone has the operator; uninferred: onnx infers no shapes for it. opsets: the newest of each domain, unreleased: in development."
    " versions: the opsets that changed an operator. moved: attributes that an opset made an input, or renamed: opset, new name, number of the input. ir: the opsets that each IR version came with, and"
    " the first release of onnx. releases: the first release with each opset. runtimes: the newest opset of ai.onnx and ai.onnx.ml and the newest IR version that a release loads, from that release to the"
    " next one listed. elsewhere: what others call an operator, empty for what exporters leave where ONNX has none."
)
DOMAINS = ("com.microsoft", "com.microsoft.nchwc")
EMPTY = (
    "com.microsoft.experimental",
    "org.pytorch.aten",
)  # domains without operators that onnxruntime has a version of

Record = dict[str, Any]


def schemas() -> Iterator[tuple[Any, bool]]:
    """Yield each schema, and whether only onnxruntime has it."""
    own = onnx.defs.get_all_schemas_with_history()
    yield from ((schema, False) for schema in own)
    had = {(schema.domain, schema.name, schema.since_version) for schema in own}
    for schema in ort.get_all_operator_schema():
        key = (schema.domain, schema.name, schema.since_version)
        if key not in had and (schema.domain in DOMAINS or not schema.domain):
            yield schema, True


def key_of(schema: Any) -> str:
    return f"{schema.domain}.{schema.name}-{schema.since_version}".removeprefix(".")


def name_of(schema: Any) -> str:
    return f"{schema.domain}.{schema.name}".removeprefix(".")


def port(formal: Any) -> Record:
    option = str(formal.option).rpartition(".")[2].lower()
    is_variadic = option == "variadic"
    least = getattr(formal, "min_arity", 1)
    facts: Record = {"name": formal.name}
    if option != "single":
        facts["kind"] = option if not is_variadic or least else "variadic0"
    facts["type"] = type_of(getattr(formal, "type_str", None) or formal.typeStr)
    if is_variadic and least > 1:
        facts["least"] = least
    if is_variadic and not (formal.is_homogeneous if hasattr(formal, "is_homogeneous") else formal.isHomogeneous):
        facts["mixed"] = True
    return facts


def default_of(attribute: Any) -> Any:
    """Return an attribute's default, floats as they are written; None if there is none."""
    proto = onnx.AttributeProto()
    proto.ParseFromString(
        attribute.default_value.SerializeToString() if hasattr(attribute, "default_value") else attribute._default_value
    )
    if proto.type == onnx.AttributeProto.UNDEFINED:
        return None
    value = onnx.helper.get_attribute_value(proto)
    if proto.type == onnx.AttributeProto.TENSOR:
        return None
    return [plain(item) for item in value] if isinstance(value, list) else plain(value)


def plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return float(str(np.float32(value))) if isinstance(value, float) else value


def attribute(found: Any, facts: Record) -> Record:
    kind = str(found.type).rpartition(".")[2].lower().replace("???", "type_proto")
    record: Record = {"name": found.name, "kind": kind}
    default = default_of(found)
    if found.required:
        record["required"] = True
    elif default is not None:
        record["default"] = default
    return record | facts


def record(schema: Any, only_runtime: bool, sets: dict[tuple[str, ...], str]) -> Record:
    name, since = name_of(schema), schema.since_version
    found: Record = {}
    if name in known.DOCS:
        found["doc"] = known.DOCS[name]
    for side, least in (("inputs", schema.min_input), ("outputs", schema.min_output)):
        ports = [port(formal) for formal in getattr(schema, side)]
        if ports and ports[-1].get("kind") == "variadic" and least < len(ports):
            ports[-1]["kind"] = "variadic0"
        if ports:
            found[side] = ports
        if least > sum(p.get("kind") in (None, "variadic") for p in ports):
            found[f"least_{side}"] = least
    attributes = [
        attribute(schema.attributes[key], known.facts_of(name, since, key)) for key in sorted(schema.attributes)
    ]
    if attributes:
        found["attributes"] = attributes
    if schema.type_constraints:
        found["types"] = {c.type_param_str: sets.get(types(c), list(types(c))) for c in schema.type_constraints}
    found |= known.OPERATORS.get(name, {})
    if schema.deprecated:
        found["deprecated"] = True
    if only_runtime and not schema.domain:
        found["only"] = "onnxruntime"
    if not only_runtime and not schema.has_type_and_shape_inference_function and not schema.has_function:
        found["uninferred"] = True
    return found


def types(constraint: Any) -> tuple[str, ...]:
    return tuple(sorted({type_of(text) for text in constraint.allowed_type_strs}))


def shared(found: list[tuple[Any, bool]]) -> dict[tuple[str, ...], str]:
    """Return names for the sets of types that several parameters have: the first that has it."""
    uses = Counter(types(c) for schema, _ in found for c in schema.type_constraints)
    names: dict[tuple[str, ...], str] = {}
    for schema, _ in found:
        for c in schema.type_constraints:
            if uses[types(c)] > 1 and len(types(c)) > 1:
                names.setdefault(types(c), f"{key_of(schema)}.{c.type_param_str}")
    return names


def moved(found: list[Any]) -> dict[str, dict[str, list[Any]]]:
    """Return what attributes became inputs, or other attributes, and when: [opset, name, number of the input]."""
    result: dict[str, dict[str, list[Any]]] = {}
    for older, newer in pairwise(found):
        if name_of(older) != name_of(newer):
            continue
        had = {formal.name.lower() for formal in older.inputs}
        has = {formal.name.lower(): [k, formal.name] for k, formal in enumerate(newer.inputs)}
        for name in sorted(older.attributes.keys() - newer.attributes.keys()):
            since = newer.since_version
            became = known.RENAMED.get((name_of(newer), since, name))
            if became is None and name.lower() in has.keys() - had:
                number, port_name = has[name.lower()]
                became = [port_name, number]
            if became:
                result.setdefault(name_of(newer), {}).setdefault(name, []).append([since, *became])
    return result


def domain_versions() -> tuple[dict[str, int], dict[str, int]]:
    """Return the newest released opset of each domain, and the opset in development of those that have one."""
    header = (Path(onnx.__file__).parent / "defs/schema.h").read_text("utf-8")
    constants = {
        "ONNX_DOMAIN": "ai.onnx",
        "AI_ONNX_ML_DOMAIN": "ai.onnx.ml",
        "AI_ONNX_TRAINING_DOMAIN": "ai.onnx.training",
        "AI_ONNX_PREVIEW_DOMAIN": "ai.onnx.preview",
        "AI_ONNX_PREVIEW_TRAINING_DOMAIN": "ai.onnx.preview.training",
    }
    released, newest = {}, {}
    for line in header.splitlines():
        words = line.replace("[", " ").replace("]", " ").replace(";", " ").replace(")", " ").replace(",", " ").split()
        if len(words) > 3 and words[1] in constants and words[0].endswith("map_"):
            (released if words[0].startswith("last") else newest)[constants[words[1]]] = int(words[-1])
    released |= dict.fromkeys((*DOMAINS, *EMPTY), 1)
    return released, {domain: n for domain, n in newest.items() if n > released[domain]}


def ir_versions() -> dict[str, Record]:
    found: dict[str, Record] = {}
    for release, ir, opset, ml, *_ in onnx.helper.VERSION_TABLE:
        facts = found.setdefault(str(ir), {"onnx": release, "oldest": opset, "opset": opset, "ml": ml})
        facts |= {"opset": opset, "ml": ml}
    return found


def releases() -> dict[str, str]:
    found: dict[str, str] = {}
    for release, _, opset, *_ in onnx.helper.VERSION_TABLE:
        found.setdefault(str(opset), release)
    return found


def follows(versions: dict[str, list[int]]) -> Iterator[tuple[str, str]]:
    """Yield each version of the operators with the one before it, or with an empty word."""
    for name, since in versions.items():
        keys = [f"{name}-{number}" for number in since]
        yield from zip(keys, ["", *keys], strict=False)


def packed(found: Record, before: str, earlier: Record) -> str:
    """Return a record as the table has it: what differs from the version before, if that has nothing else and it is shorter."""
    whole = json.dumps(found, separators=(",", ":"))
    if not earlier or not earlier.keys() <= found.keys():
        return whole
    changed = {key: value for key, value in found.items() if key not in earlier or earlier[key] != value}
    return min(whole, json.dumps({"of": before, **changed}, separators=(",", ":")), key=len)


def made() -> str:
    """Return the text of the table."""
    found = sorted(schemas(), key=lambda item: (item[0].domain, item[0].name, item[0].since_version))
    sets = shared(found)
    versions: dict[str, list[int]] = {}
    for schema, _ in found:
        versions.setdefault(name_of(schema), []).append(schema.since_version)
    released, unreleased = domain_versions()
    head = {
        "dialect": "onnx",
        "version": onnx.__version__,
        "onnxruntime": onnxruntime.__version__,
        "note": NOTE,
        "opsets": released,
        "unreleased": unreleased,
        "ir": ir_versions(),
        "releases": releases(),
        "runtimes": known.RUNTIMES,
        "versions": versions,
        "moved": moved([schema for schema, _ in found]),
        "elsewhere": known.ELSEWHERE,
        "libraries": known.LIBRARIES,
        "sets": {name: list(of) for of, name in sets.items()},
    }
    start = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    records = {key_of(schema): record(schema, only, sets) for schema, only in found}
    lines = [
        f"{json.dumps(name)}: {packed(records[name], before, records.get(before, {}))}"
        for name, before in follows(versions)
    ]
    return f'{{\n{start},\n"operators": {{\n' + ",\n".join(lines) + "\n}\n}\n"


if __name__ == "__main__":
    TABLE.write_text(made(), "utf-8")
