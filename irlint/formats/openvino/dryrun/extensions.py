"""Library operations in the dry run: by the signature in their table, else by what the file declares."""

from __future__ import annotations

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.formats.openvino.reading.layers import IrLayer
from irlint.operators import Operator


def extension_call(known: Operator, layer: IrLayer, count: int) -> Call:
    """Return the operator for a number of inputs; raise Undecided if the operation does not accept that many."""
    facts = known.facts
    if (word := facts.get("shapes")) is not None:
        return Call(operator(word))
    if (variants := facts.get("signatures")) is not None:
        if (signature := variants.get(str(count))) is None:
            raise Undecided
        return Call(operator("signed.Signed"), {"signature": signature})
    if (signature := facts.get("signature")) is None:
        return as_declared(layer)
    names = tuple(port.name or f"input {k}" for k, port in enumerate(known.inputs))
    return Call(operator("signed.Signed"), {"signature": signature, "names": names})


def as_declared(layer: IrLayer) -> Call:
    taken, made = ([value.type for value in ports.values] for ports in (layer.inputs, layer.outputs))
    return Call(operator("signed.AsDeclared"), {"taken": taken, "made": made})
