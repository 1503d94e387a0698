"""Metadata in a model of speech: what sherpa-onnx reads must be there, be numbers, and agree with the model's inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from irlint.checks.signature import evaluate
from irlint.codes import R
from irlint.companions import demands
from irlint.companions.claims import claim_size
from irlint.companions.demands import Scope
from irlint.companions.embeddings import claim_rows, tables_of
from irlint.companions.ports import PortList, Ports, ServedPort, find
from irlint.companions.report import OFFERED, Report, sizes
from irlint.dryrun.dims import show
from irlint.findings import Severity
from irlint.tools.names import nearest

Tree = dict[str, Any]
SHOWN = 40  # characters of a value


def ints(text: str | None) -> list[int]:
    return [int(item) for item in str(text).split(",")]


def floats(text: str | None) -> list[float]:
    return [float(item) for item in str(text).split(",")]


FUNCTIONS = {"ints": ints, "floats": floats, "int": int, "str": str, "nearest": nearest}
_STACKS = 32  # of layers
_KINDS = (
    ("numbers", int, "an integer; sherpa-onnx reads it as far as it is one", Severity.WARNING),
    ("lists", ints, "integers with commas between them", None),
    ("floats", floats, "numbers with commas between them", None),
    ("texts", str, "", None),
)  # of keys in a row, how a value is read, and what is said of others


def check(tree: Tree, table: Mapping[str, Any], model: Ports, report: Report) -> None:
    """Report what contradicts the rows of a table that are about a model with this metadata."""
    scope = Scope({**FUNCTIONS, **tree, "inputs": len(model.inputs), "outputs": len(model.outputs)})
    scope["read"] = {key for row in table["models"] for key in _keys(row)}
    demands.check(tree, table, report, {**FUNCTIONS, "inputs": scope["inputs"]})
    rows = [row for row in table["models"] if _known(row, tree) and evaluate(row["when"], scope)]
    for row in rows:
        _row(row, tree, scope, report)
    before = len(report.found)
    for size in (size for row in rows for size in row.get("sizes", ())):
        for part in _parts(size, scope):
            _size(part, scope, model, report)
    if len(report.found) == before:  # else the model shows which one of two lists has another length
        _alike(rows, tree, report)


def _known(row: Mapping[str, Any], tree: Tree) -> list[str]:
    return [key for key in _keys(row) if tree.get(key)]


def _alike(rows: Iterable[Mapping[str, Any]], tree: Tree, report: Report) -> None:
    for row in rows:
        if (of := row.get("same")) is not None:
            _lengths(of, row["lists" if of in row.get("lists", "").split() else "floats"].split(), tree, report)


def _keys(row: Mapping[str, Any]) -> list[str]:
    return [key for kind, *_ in _KINDS for key in row.get(kind, "").split()]


def _row(row: Mapping[str, Any], tree: Tree, scope: Scope, report: Report) -> None:
    if missing := [key for key in _keys(row) if not tree.get(key)]:
        at = next((key for key in ("model_type", "framework") if key in tree), _known(row, tree)[0])
        unread = sorted(tree.keys() - scope["read"])[:OFFERED]
        close = next((other for key in missing if (other := nearest(key, unread))), None)
        listed = ", ".join(f"`{key}`" for key in missing)
        hint = f"; is `{close}` misspelled?" if close else ""
        report.say(R.missing_key, (at,), f"missing {listed} of {row['of']} for sherpa-onnx{hint}")
    for kind, read, words, severity in _KINDS:
        for key in row.get(kind, "").split():
            _value(key, tree.get(key), read, words, severity, report)
    if (wanted := evaluate(row.get("inputs", "None"), scope)) not in (None, scope["inputs"]):
        words = f"the numbers of layers are those of a model with {wanted} inputs, not {scope['inputs']}"
        report.say(R.other_value, ("num_encoder_layers",), words)


def _value(key: str, value: str | None, read: Any, words: str, severity: Severity | None, report: Report) -> None:
    if not value:
        return
    shown = value if len(value) <= SHOWN else f"{value[:SHOWN]}..."
    try:
        found = read(value)
    except ValueError:
        report.say(R.value_not_allowed, (key,), f"expected {words}; got {shown}", severity=severity)
        return
    if read is int and found < 0:
        report.say(R.value_not_allowed, (key,), f"expected at least 0, got {found}")


def _lengths(first: str, keys: list[str], tree: Tree, report: Report) -> None:
    """Report lists that are not as long as the first one."""
    length = len(str(tree.get(first, "")).split(","))
    for key in keys:
        own = len(tree.get(key, "").split(","))
        if tree.get(key) and tree.get(first) and own != length:
            report.say(R.wrong_length, (key,), f"expected {length} items, as in `{first}`; got {own}")


def _parts(size: Mapping[str, Any], scope: Scope) -> Iterator[Mapping[str, Any]]:
    """Yield a row for the first layer of each stack, whose number is `stack`, or the row itself if it is not about stacks."""
    layers = (evaluate(f"ints({size['stacks']})", scope) or []) if "stacks" in size else []
    if "stacks" not in size:
        yield size
    for stack in range(min(len(layers), _STACKS)):
        scope["stack"] = stack
        yield {**size, "input": size["input"].format(layer=sum(layers[:stack]))}


def _size(size: Mapping[str, Any], scope: Scope, model: Ports, report: Report) -> None:
    """Compare a value with a dimension, or with the whole shape of an input or an output."""
    side, key = "input" if "input" in size else "output", size["at"]
    if "table" in size:
        shape, said = next(tables_of(model, size["table"]), None), evaluate(size["says"], scope)
        if shape is not None:
            claim_rows((key,), said, shape, size["table"], "the model", report)
        return
    port = _port(model.inputs if side == "input" else model.outputs, size[side])
    if port is None or port.type.shape is None:
        return
    severity = None if side == "input" else Severity.WARNING  # the program makes inputs by its metadata
    (_axis if "axis" in size else _whole)(size, scope, port, f"{side} {port.name!r}", severity, report)


def _whole(
    size: Mapping[str, Any], scope: Scope, port: ServedPort, of: str, severity: Severity | None, report: Report
) -> None:
    shape, said = port.type.shape or (), evaluate(f"ints({size['at']})", scope)
    if said is not None and all(isinstance(one, int) for one in shape) and said != list(shape):
        message = f"{of} is {show(shape)}: the shape is not {sizes(said)}"
        report.say(R.other_shape, (size["at"],), message, other=("declared here", port.at), severity=severity)


def _axis(
    size: Mapping[str, Any], scope: Scope, port: ServedPort, of: str, severity: Severity | None, report: Report
) -> None:
    shape, axis, said = port.type.shape or (), size["axis"], evaluate(size.get("says", f"int({size['at']})"), scope)
    real = shape[axis] if axis < len(shape) else None
    if "room" in size and isinstance(real, int) and isinstance(said, int) and said <= real <= said + size["room"]:
        return  # a blank need not be counted
    claim_size((size["at"],), of, said, port, axis, report, can_write=False, severity=severity)


def _port(known: PortList, name: str | int) -> ServedPort | None:
    """Return a port by its name or by its place."""
    if isinstance(name, str):
        return find(known, name)
    return known[name] if name < len(known) else None
