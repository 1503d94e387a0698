"""Other values for the attributes of a call, values for those that it lacks, and calls without those that it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Candidate
from irlint.formats.onnx import opsets
from irlint.formats.onnx.candidates.site import Site
from irlint.formats.onnx.candidates.tensors import repaired_tensors
from irlint.formats.onnx.candidates.values import values
from irlint.formats.onnx.messages import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES, DTYPES
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.wire import Tree
from irlint.operators import Attribute
from irlint.text.base import Path
from irlint.tools.names import FreeNames

_KINDS = ("int", "float", "string", "ints", "floats", "strings")
_UNCHECKED = ("float", "string", "floats", "strings")  # kinds on which no shape depends
_SHAPING = ("kernel_shape", "strides", "dilations", "pads", "group", "axis", "transA", "transB", "perm", "broadcast")


def attribute_candidates(site: Site, rest: Path) -> Iterator[Candidate]:
    """Yield other values of the attribute that an error is at; without one of all, the missing ones among them."""
    operator = site.operator
    known = operator.attributes if operator is not None else {}
    written: list[Tree] = site.tree.get("attribute", [])
    at = rest[1] if rest[:1] == ("attribute",) and len(rest) > 1 and isinstance(rest[1], int) else None
    for k, one in enumerate(written):
        far = 0 if k == at else 1 if at is None else 2
        record = known.get(one.get("name", ""))
        yield from _written(site, k, one, record, far)
    for name, record in known.items():
        if name not in site.attributes and (record.required or name in _SHAPING):
            yield from _added(site, name, record, 0 if record.required else 2)


def _written(site: Site, k: int, one: Tree, record: Attribute | None, far: int) -> Iterator[Candidate]:
    name = one.get("name", "")
    if "t" in one:
        for tensor, title, likelihood in repaired_tensors(one["t"]):
            yield site.candidate(title, likelihood + far, ("attribute", k, "t", tensor))
    if record is None or not record.required:
        rest = [*site.tree["attribute"][:k], *site.tree["attribute"][k + 1 :]]
        likely = 2 if record is not None else 1
        is_guess = record.kind in _UNCHECKED if record is not None else _has_moved(site, name)
        yield site.candidate(f"Remove `{name}`", likely + far, ("attribute", rest), is_guess=is_guess)
    if record is None:
        yield from _as_input(site, k, one)
        return
    if record.kind not in _KINDS:
        return
    old = value_of({key: part for key, part in one.items() if key != "type"})
    kind = ATTRIBUTE_TYPES.get(one.get("type", 0))
    is_right = kind is not None and kind[0] == record.kind
    for value, likelihood in values(site, name, record, old):
        if value != old or not is_right:
            yield site.candidate(
                f"Set `{name}` to `{_shown(value)}`",
                likelihood + far,
                ("attribute", k, written(name, record.kind, value)),
                is_guess=record.kind in _UNCHECKED,
            )


def _has_moved(site: Site, name: str) -> bool:
    """Return whether what an attribute says belongs into an input, so that the model means something else without it."""
    return (
        site.opset is not None and opsets.moved(site.tree.get("op_type", ""), site.domain, name, site.opset) is not None
    )


def _added(site: Site, name: str, record: Attribute, far: int) -> Iterator[Candidate]:
    if record.kind not in _KINDS:
        return
    attributes = site.tree.get("attribute", [])
    for value, likelihood in values(site, name, record, None):
        if value != record.default or record.required:
            new = [*attributes, written(name, record.kind, value)]
            title = f"Insert `{name}` with `{_shown(value)}`"
            yield site.candidate(title, likelihood + far, ("attribute", new), is_guess=record.kind in _UNCHECKED)


def written(name: str, kind: str, value: Any) -> Tree:
    """Return an attribute of a value."""
    number = ATTRIBUTE_NUMBERS[kind]
    if kind in ("ints", "floats"):
        plain: Any = [(int if kind == "ints" else float)(one) for one in value]
    elif kind == "strings":
        plain = [str(one).encode("utf-8", "surrogateescape") for one in value]
    else:
        plain = {"int": int, "float": float}.get(kind, lambda text: str(text).encode("utf-8", "surrogateescape"))(value)
    return {"name": name, ATTRIBUTE_TYPES[number][1]: plain, "type": number}


def _as_input(site: Site, k: int, one: Tree) -> Iterator[Candidate]:
    """Yield what an attribute became in the model's opset: an input, which a new Constant provides."""
    opset, value = site.opset, value_of(one)
    moved = opsets.moved(site.tree["op_type"], site.domain, one.get("name", ""), opset) if opset else None
    names = site.tree.get("input", [])
    if moved is None or moved.input is None or value is None or len(site.path) != 3:
        return
    if len(names) > moved.input and names[moved.input]:
        return
    new = FreeNames(site.whole.defined).like(moved.name)
    entries = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(entry, (int, float)) for entry in entries):
        return
    field, dtype = ("int64_data", "int64") if isinstance(entries[0], int) else ("float_data", "float32")
    number = next(number for number, word in DTYPES.items() if word == dtype)
    dims = [len(entries)] if isinstance(value, tuple) else []
    tensor = {"dims": dims, "data_type": number, field: list(entries)}
    constant = {"output": [new], "op_type": "Constant", "attribute": [{"name": "value", "t": tensor, "type": 4}]}
    inputs = [*names[: moved.input], *[""] * (moved.input - len(names)), new, *names[moved.input + 1 :]]
    call = site.candidate(
        f"Make `{one['name']}` an input",
        0,
        ("attribute", [other for j, other in enumerate(site.tree["attribute"]) if j != k]),
        ("input", inputs),
    )
    yield call._replace(edits=(*site.document.inserted(site.path, constant), *call.edits))


def _shown(value: Any) -> str:
    text = str(list(value)) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
