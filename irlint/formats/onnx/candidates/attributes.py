"""What only ONNX has of attributes: tensors, and attributes that became inputs."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import shortened
from irlint.findings import Candidate
from irlint.formats.onnx import opsets
from irlint.formats.onnx.candidates.site import Site, written
from irlint.formats.onnx.candidates.tensors import repaired_tensors
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.wire.messages import ATTRIBUTE_TYPES, DTYPES
from irlint.formats.onnx.wire.reader import Tree
from irlint.repairs.attributes import attribute_candidates as common
from irlint.repairs.values import is_of
from irlint.text.base import Path
from irlint.tools.names import FreeNames


def attribute_candidates(site: Site, rest: Path) -> Iterator[Candidate]:
    """Yield other values of the attribute that an error is at; without one of all, the missing ones among them."""
    rows: list[Tree] = site.tree.get("attribute", [])
    at = rest[1] if rest[:1] == ("attribute",) and len(rest) > 1 and isinstance(rest[1], int) else None
    yield from common(site, rows[at].get("name", "") if at is not None and at < len(rows) else None)
    known = site.operator.attributes if site.operator is not None else {}
    for k, one in enumerate(rows):
        far = 0 if k == at else 1 if at is None else 2
        name, record = one.get("name", ""), known.get(one.get("name", ""))
        for tensor, title, likelihood in repaired_tensors(one["t"]) if "t" in one else ():
            yield site.candidate(title, likelihood + far, ("attribute", k, "t", tensor))
        if record is None:
            yield from _as_input(site, k, one)
        elif ATTRIBUTE_TYPES.get(one.get("type", 0), ("",))[0] != record.kind:
            kind, value = site.kind(record, None), value_of({key: part for key, part in one.items() if key != "type"})
            if kind is not None and is_of(kind, value):
                new = written(name, record.kind, value)
                yield site.candidate(f"Set `{name}` to `{shortened(value)}`", far, ("attribute", k, new))


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
