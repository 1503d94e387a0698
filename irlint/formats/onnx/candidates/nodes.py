"""What only ONNX has of nodes: domains, opsets, functions, attributes that became inputs, and a Cast where an element type does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from irlint.checks.fault import shortened
from irlint.findings import EVIDENT, Candidate
from irlint.formats.onnx import opsets
from irlint.formats.onnx.candidates.model import WholeModel
from irlint.formats.onnx.candidates.site import OnnxSite, cast_to, renamed, written
from irlint.formats.onnx.candidates.tensors import quantized, repaired_tensors
from irlint.formats.onnx.opset_guess import better
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.trees import names_of
from irlint.formats.onnx.wire import ATTRIBUTE_TYPES, DTYPE_NUMBERS, DTYPES
from irlint.graph import Node
from irlint.operators import Attribute, nearest
from irlint.repairs.attributes import attribute_candidates as common_attributes
from irlint.repairs.operators import operator_candidates as common_operators
from irlint.repairs.site import Edits
from irlint.repairs.values import is_of
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree

_NEAR = 5  # functions
_FLOATS = ("float32", "float16", "bfloat16", "float64")  # among which a Cast changes the precision only
_FEW = 3  # element types that an input may have, so that each of them may be meant


def operator_candidates(site: OnnxSite) -> Iterator[Candidate]:
    """Yield other opsets, domains, functions and operators for a call."""
    yield from _imported(site)
    functions = site.document.tree.get("functions", ())
    of_name = [domain_of(one.get("domain", "")) for one in functions if one.get("name") == site.op]
    having = dict.fromkeys((*of_name, *opsets.domains_with(site.op)))
    is_own = (
        site.domain not in having and opsets.newest_opset(site.domain) is None
    )  # a program may register its operators
    for domain in dict.fromkeys((*having, *site.imports)):
        if domain != site.domain:
            word = "" if domain == DEFAULT else domain
            is_there = site.domain in having  # so the domain is probably right
            likelihood = EVIDENT if domain in site.imports and domain in having and not is_there else 2
            title = f"Replace the domain with {domain}"
            is_guess = is_there or (is_own and nearest(site.domain, [domain]) is None)
            yield site.candidate(title, likelihood, ("domain", word), is_guess=is_guess)
    if site.domain != DEFAULT:
        for other in get_close_matches(site.op, names_of(functions), _NEAR):
            yield site.candidate(f"Replace with `{other}`", 1, ("op_type", other))
    if (successor := opsets.successor(site.op, site.domain)) is not None:
        found = site.candidate(f"Replace with `{successor}`", 0, ("op_type", successor))
        yield found._replace(is_guess=True)  # it may need other attributes
    yield from common_operators(site)


def _imported(site: OnnxSite) -> Iterator[Candidate]:
    """Yield another opset of the call's domain: the one that its nodes fit."""
    root = site.path[:2] if site.path[0] == "functions" else ()
    rows = site.document.value_at(root).get("opset_import", [])
    places = {domain_of(one.get("domain", "")): k for k, one in reversed([*enumerate(rows)])}
    k = places.get(site.domain)
    if k is None or opsets.newest_opset(site.domain) is None:
        return
    opset = rows[k].get("version", 0)
    least = 2 if opsets.absence(site.op, site.domain, opset) is None else 1
    best = better(site.document.tree, site.domain, opset, least)
    if best is not None:
        edits = site.document.changed((*root, "opset_import", k, "version"), best)
        yield Candidate(f"Import opset {best} of {site.domain}", edits, 1)


def attribute_candidates(site: OnnxSite, rest: Path) -> Iterator[Candidate]:
    """Yield other values of the attribute that an error is at; without one of all, the missing ones among them."""
    rows: list[Tree] = site.tree.get("attribute", [])
    at = rest[1] if len(rest) > 1 and rest[0] == "attribute" else None
    pointed = rows[at : at + 1] if isinstance(at, int) else []
    yield from common_attributes(site, pointed[0].get("name", "") if pointed else None)
    known = site.operator.attributes if site.operator is not None else {}
    for k, one in enumerate(rows):
        far = 0 if k == at else 1 if at is None else 2
        for tensor, title, likelihood in repaired_tensors(one["t"]) if "t" in one else ():
            yield site.candidate(title, likelihood + far, ("attribute", k, "t", tensor))
        record = known.get(one.get("name", ""))
        yield from _as_input(site, k, one) if record is None else _of_kind(site, k, record, far)


def _of_kind(site: OnnxSite, k: int, record: Attribute, far: int) -> Iterator[Candidate]:
    """Yield an attribute of the kind that the operator wants with the value that it has, if that is of this kind."""
    one: Tree = site.tree["attribute"][k]
    kind = site.kind(record, None)
    if kind is None or ATTRIBUTE_TYPES.get(one.get("type", 0), ("",))[0] == record.kind:
        return
    value = value_of({key: part for key, part in one.items() if key != "type"})
    if is_of(kind, value):
        new = written(record.name, record.kind, value)
        yield site.candidate(f"Set `{record.name}` to `{shortened(value)}`", EVIDENT + far, ("attribute", k, new))


def _as_input(site: OnnxSite, k: int, one: Tree) -> Iterator[Candidate]:
    """Yield what an attribute became in the model's opset: an input, which a new Constant provides."""
    moved = opsets.moved(site.op, site.domain, one.get("name", ""), site.opset) if site.opset else None
    tensor, names = _tensor_of(value_of(one)), site.inputs
    if moved is None or moved.input is None or tensor is None or len(site.path) != 3:
        return
    if any(names[moved.input : moved.input + 1]):
        return
    new = site.whole.free(moved.name)
    constant = {"output": [new], "op_type": "Constant", "attribute": [{"name": "value", "t": tensor, "type": 4}]}
    others = [other for other in site.tree["attribute"] if other is not one]
    inputs = [*names[: moved.input], *[""] * (moved.input - len(names)), new, *names[moved.input + 1 :]]
    call = site.candidate(f"Make `{one['name']}` an input", EVIDENT, ("attribute", others), ("input", inputs))
    yield call._replace(edits=(*site.document.inserted(site.path, constant), *call.edits))


def _tensor_of(value: object) -> Tree | None:
    """Return the tensor of a number or of a list of numbers; None for other values."""
    entries = list(value) if isinstance(value, tuple) else [value]
    if not all(isinstance(entry, (int, float)) for entry in entries):
        return None
    field, dtype = ("int64_data", "int64") if isinstance(entries[0], int) else ("float_data", "float32")
    return {
        "dims": [len(entries)] if isinstance(value, tuple) else [],
        "data_type": DTYPE_NUMBERS[dtype],
        field: entries,
    }


def cast_candidates(site: OnnxSite) -> Iterator[Candidate]:
    """Yield a Cast of an input to the type of another input, or to one of the few that it may have."""
    if site.operator is None or site.path[:-1] != ("graph", "node") or quantized(site.operator.name):
        return
    types = [site.input_type(k).dtype for k in range(len(site.inputs))]
    for k, (name, given) in enumerate(zip(site.inputs, types, strict=True)):
        source, allowed = site.source(k), site.allowed(k)
        if name and given is not None and _may_be_cast(source):
            wanted = [*types, *(sorted(allowed) if len(allowed) <= _FEW else ())]
            yield from casts(site, k, [one for one in wanted if one in allowed and one != given])


def _may_be_cast(source: Node | None) -> bool:
    """Return whether a Cast may be missing after a value."""
    return source is not None and source.op not in ("Initializer", "Cast") and not quantized(source.op)


def casts(site: OnnxSite, k: int, dtypes: list[str | None]) -> Iterator[Candidate]:
    """Yield casts of an input to some element types."""
    name = site.inputs[k]
    for dtype in dict.fromkeys(dtypes):
        number = DTYPE_NUMBERS.get(dtype or "")
        if number is None:
            continue
        new = site.whole.free(name)
        call = site.candidate(f"Cast {name!r} to {dtype}", 2, ("input", k, new))
        cast = {"input": [name], "output": [new], **cast_to(number)}
        yield call._replace(edits=(*site.document.inserted(site.path, cast), *call.edits))


def output_cast_candidates(whole: WholeModel, path: Path) -> Iterator[Candidate]:
    """Yield a Cast to the type that an output of the model declares. What calls the model expects that type, and if the model also
    takes such inputs, its float types inside have changed and not those of its interface."""
    if path[:2] != ("graph", "output") or len(path) < 3:
        return
    output: Tree = whole.document.value_at(path[:3])
    name, number = output.get("name", ""), output.get("type", {}).get("tensor_type", {}).get("elem_type", 0)
    declared, inferred = DTYPES.get(number), whole.type_of_name(("graph",), name).dtype
    if declared == inferred or declared not in _FLOATS or inferred not in _FLOATS:
        return
    main = whole.graphs[0]
    given = {main.nodes[index].outputs[0].type.dtype for index in main.inputs}
    yield Candidate(f"Cast {name!r} to {declared}", _cast_output(whole, name, number), 2 if inferred in given else 0)


def _cast_output(whole: WholeModel, name: str, number: int) -> Edits:
    """Return the edits that cast what the model outputs by a name, or do so to another type; none if a nested graph uses it, too."""
    calls: list[Tree] = whole.document.tree["graph"].get("node", [])
    makers = [k for k, call in enumerate(calls) if name in call.get("output", ())]
    users = [k for k, call in enumerate(calls) if name in call.get("input", ())]
    if len(makers) != 1 or whole.read[name] > 1 + sum(calls[k]["input"].count(name) for k in users):
        return ()
    if calls[makers[0]].get("op_type") == "Cast" and not users:  # to another type than was meant
        kept = [one for one in calls[makers[0]].get("attribute", ()) if one.get("name") != "to"]
        attributes = [*kept, *cast_to(number)["attribute"]]
        return tuple(whole.document.changed(("graph", "node", makers[0], "attribute"), attributes))
    new = whole.free(name)
    edits = whole.document.inserted(
        ("graph", "node", len(calls)), {"input": [new], "output": [name], **cast_to(number)}
    )
    for k, word in [(makers[0], "output"), *((k, "input") for k in users)]:
        edits += whole.document.changed(("graph", "node", k, word), renamed(calls[k][word], name, new))
    return edits
