"""Who wrote a model, its opset, and the values that it holds."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from irlint.formats.identity import Bytes, Identity, Origin, joined
from irlint.formats.onnx.opsets import DEFAULT, opset_of
from irlint.formats.onnx.passes.structure import imports
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.rules.base import Model


class OnnxIdentity(Identity):
    constants_have_types = True

    def origin(self, model: Model) -> Origin:
        document = model.document
        if not isinstance(document, OnnxDocument):
            return Origin()
        tree = document.tree
        opset = opset_of(DEFAULT, imports(tree))
        producer = joined(tree.get("producer_name"), tree.get("producer_version"))
        return Origin(producer, str(opset) if opset else None)

    def plain(self, value: Any) -> Any:
        return repr(value) if isinstance(value, TensorData) else sorted(value) if isinstance(value, dict) else value

    def values(self, model: Model) -> Iterator[Bytes]:
        for graph in model.graph.walk():
            for node in graph.nodes:
                for value in node.attrs.values():
                    if isinstance(value, TensorData) and (found := _stored(value)) is not None:
                        yield found


def _stored(data: TensorData) -> Bytes | None:
    raw: Bytes | None = data.tree.get("raw_data")
    if raw is not None:
        return raw  # not copied: most of the file
    if data.is_external or data.is_cut:
        return None
    try:
        return data.stored()
    except (LookupError, ValueError, ArithmeticError, struct.error):
        return None


IDENTITY = OnnxIdentity()
