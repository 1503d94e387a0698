"""Who wrote a model, its opset, and the values that it holds."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from irlint.formats.identity import Bytes, Identity, Origin, joined
from irlint.formats.onnx.opsets import DEFAULT, domain_of, newest_opset, opset_of
from irlint.formats.onnx.passes.structure import imports
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.trees import names_of
from irlint.rules.base import Model
from irlint.text.base import Place


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


def versions(model: Model) -> list[tuple[str, str, int]]:
    """Return the opsets that a file imports: as reports call each, its domain, and its version."""
    tree = model.document.tree if isinstance(model.document, OnnxDocument) else {}
    rows = [(domain_of(one.get("domain", "")), one.get("version", 0)) for one in tree.get("opset_import", ())]
    return [("opset" if domain == DEFAULT else f"opset of {domain}", domain, number) for domain, number in rows]


def idle_versions(model: Model) -> set[str]:
    """Return the opsets that no node uses, of domains that are not known, or of their first versions: onnxruntime checks those of domains
    that it knows, used or not."""
    used = {domain_of(node.version or "") for graph in model.graphs() for node in graph.nodes}
    rows = [row for row in versions(model) if row[1] not in used | {DEFAULT}]
    return {word for word, domain, number in rows if newest_opset(domain) is None or number <= 1}


def defaults(model: Model) -> list[str]:
    """Return the names of inputs that have an initializer, too. Before IR version 4 each initializer is listed as an input, and
    onnxruntime takes no other value for it."""
    tree = model.document.tree if isinstance(model.document, OnnxDocument) else {}
    graph = tree.get("graph", {}) if tree.get("ir_version", 0) >= 4 else {}
    initialized = {*names_of(graph.get("initializer", ()))}
    return [name for name in names_of(graph.get("input", ())) if name in initialized]


_FIELDS = ("domain", "model_version", "doc_string")
_PLACES = {"IR version": ("ir_version",), "producer": ("producer_name",), "name": ("graph", "name")}


def metadata(model: Model) -> dict[str, dict[str, str]]:
    """Return what the model says of itself beside `Format.facts`, in the section with the empty name, and its metadata_props."""
    if not isinstance(model.document, OnnxDocument):
        return {}
    tree = model.document.tree
    fields = {key: str(tree[key]) for key in _FIELDS if tree.get(key) not in (None, "")}
    entries = [entry for entry in tree.get("metadata_props", ()) if isinstance(entry, dict)]
    said = {str(entry.get("key", "")): str(entry.get("value", "")) for entry in entries}
    return {name: section for name, section in (("", fields), ("metadata_props", said)) if section}


def metadata_place(model: Model, section: str, key: str, part: str) -> Place | None:
    """Return the place of an entry of `metadata`, or of what else `Format.metadata_place` finds."""
    tree = model.document.tree if isinstance(model.document, OnnxDocument) else {}
    if section == "functions":
        return Place(("functions", int(key), "name"))
    if section:
        entries = tree.get("metadata_props", ())
        found = (k for k, entry in enumerate(entries) if isinstance(entry, dict) and entry.get("key") == key)
        return next((Place(("metadata_props", k, part)) for k in found), None)
    if key.startswith("opset"):
        domain = key.removeprefix("opset").removeprefix(" of ")
        domains = [domain_of(str(one.get("domain", ""))) for one in tree.get("opset_import", ())]
        at = domains.index(domain or DEFAULT) if (domain or DEFAULT) in domains else 0
        return Place(("opset_import", at, "version"))
    path = _PLACES.get(key, (key,) if key in _FIELDS else None)
    return None if path is None else Place(path)


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
