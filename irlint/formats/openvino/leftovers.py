"""Attributes that converters leave on operations which do not have them: whether their value would change anything."""

from __future__ import annotations

from functools import lru_cache

from irlint.formats.openvino import opsets
from irlint.graph import Node
from irlint.operators import Attribute

_TRANSPOSED = "BackpropData"  # Model Optimizer writes the attributes of both kinds of convolution on either


def matters(node: Node, name: str) -> bool:
    """Whether an attribute that a node's operation does not have says something that another version of it would do."""
    attribute = _elsewhere(node.op, name)
    return attribute is not None and not _is_neutral(str(node.attrs[name]), attribute)


@lru_cache(maxsize=4096)
def _elsewhere(op: str, name: str) -> Attribute | None:
    """The attribute as the newest other version of an operation has it, or the transposed operation."""
    for type_ in (op, op + _TRANSPOSED, op.removesuffix(_TRANSPOSED)):
        for opset in reversed(opsets.opsets_with(type_)):
            operator = opsets.operator_of(type_, opset)
            if operator is not None and name in operator.attributes:
                return operator.attributes[name]
    return None


def _is_neutral(value: str, attribute: Attribute) -> bool:
    """Whether a value is the default, in any spelling."""
    default = attribute.default
    if default is None:
        return False
    one, other = (_parts(text) for text in (value, str(default)))
    return one == other or (len(set(one)) <= 1 and len(set(other)) <= 1 and set(one) <= set(other))


def _parts(text: str) -> list[str]:
    words = [word.strip().lower() for word in text.split(",")]
    return [_WORDS.get(word, word.rstrip("0").rstrip(".") if "." in word else word) for word in words if word]


_WORDS = {"false": "0", "true": "1"}
