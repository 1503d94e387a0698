"""Whether an attribute that a converter left on an operation without it would change anything."""

from __future__ import annotations

from functools import lru_cache

from irlint.formats.openvino import opsets
from irlint.graph import Node
from irlint.operators import Attribute

_TRANSPOSED = "BackpropData"  # Model Optimizer writes the attributes of both kinds of convolution on either


def matters(node: Node, name: str) -> bool:
    """Return whether an unknown attribute would have an effect in another version of the node's operation."""
    attribute = _elsewhere(node.op, name)
    return attribute is not None and not _is_neutral(str(node.attrs[name]), attribute)


@lru_cache(maxsize=4096)
def _elsewhere(op: str, name: str) -> Attribute | None:
    """Return the attribute in the newest other version of an operation, or in the transposed operation."""
    for type_ in (op, op + _TRANSPOSED, op.removesuffix(_TRANSPOSED)):
        for opset in reversed(opsets.opsets_with(type_)):
            operator = opsets.operator_of(type_, opset)
            if operator is not None and name in operator.attributes:
                return operator.attributes[name]
    return None


def _is_neutral(value: str, attribute: Attribute) -> bool:
    """Return whether a value is the default, in any spelling."""
    default = attribute.default
    if default is None:
        return False
    one, other = (_parts(text) for text in (value, str(default)))
    return one == other or (len(set(one)) <= 1 and len(set(other)) <= 1 and set(one) <= set(other))


def _parts(text: str) -> list[str]:
    words = [word.strip().lower() for word in text.split(",")]
    return [_WORDS.get(word, word.rstrip("0").rstrip(".") if "." in word else word) for word in words if word]


_WORDS = {"false": "0", "true": "1"}
