"""A document after an edit of its text: what the edit left as it was is taken over, with what the text does not show of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irlint.formats.onnx.messages import MESSAGE, MODEL, Message
from irlint.formats.onnx.parse import Known, Parser
from irlint.formats.onnx.show import tensor_text
from irlint.formats.onnx.tensors import TensorData, bits
from irlint.formats.onnx.wire import Tree

if TYPE_CHECKING:
    from irlint.formats.onnx.document import OnnxDocument

_DATA = (
    "float_data",
    "int32_data",
    "string_data",
    "int64_data",
    "raw_data",
    "double_data",
    "uint64_data",
    "external_data",
    "data_location",
)
_KEYS = ("name", "key", "domain", "tensor_name")


def edited(document: OnnxDocument, text: str) -> OnnxDocument:
    parser = Parser(text, known=_known(document))
    tree = adopted(MODEL, document.tree, parser.model())
    found = type(document)(document.name, tree, text=text)
    found.base = document if document.is_binary else document.base
    found.records, found.troubles, found.encoding = parser.records, parser.troubles, document.encoding
    return found


def _known(document: OnnxDocument) -> dict[str, Known]:
    """Return the records of a document by their first lines."""
    if document.known is None:
        text = document.text
        document.known = {}
        for path, span in document.records.items():
            if (
                path[-2:-1]
                and path[-2] in ("node", "initializer", "value_info", "input", "output")
                and path[0] == "graph"
            ):
                whole = text[span.start : span.end]
                document.known[whole.partition("\n")[0]] = Known(
                    whole, path[-2] == "initializer", document.value_at(path)
                )
    return document.known


def adopted(message: Message, old: Tree, new: Tree) -> Tree:
    """Return a message that was read from text with what the text does not show of the one that it was made of."""
    if new is old:
        return old
    if message.name == "Tensor":
        return _adopted_tensor(old, new)
    found = dict(new)
    for name, field in message.fields.items():
        if name not in old:
            continue
        if name not in new:
            if not _is_shown(message, name):
                found[name] = old[name]
        elif field.kind == MESSAGE and field.message is not None:
            if field.many:
                found[name] = _adopted_list(field.message, old[name], new[name])
            else:
                found[name] = adopted(field.message, old[name], new[name])
    return found


def _adopted_list(message: Message, old: list[Tree], new: list[Tree]) -> list[Tree]:
    kept = {id(one) for one in new}
    gone = [one for one in old if id(one) not in kept]
    known = {id(one) for one in old}
    changed = [k for k, one in enumerate(new) if id(one) not in known]
    if not changed:
        return new
    found = list(new)
    rest, by_key = list(changed), {_key(one): one for one in gone}
    for k in changed:
        if (origin := by_key.pop(_key(new[k]), None)) is not None:
            found[k] = adopted(message, origin, new[k])
            rest.remove(k)
            gone = [one for one in gone if one is not origin]
    if len(rest) == len(gone):  # renamed where they are
        for k, origin in zip(rest, gone, strict=True):
            found[k] = adopted(message, origin, new[k])
    return found


def _key(item: Tree) -> Any:
    if "output" in item or "op_type" in item:
        return item.get("name", ""), item.get("op_type", ""), tuple(item.get("output", ()))
    return next((item[name] for name in _KEYS if name in item), None)


def _is_shown(message: Message, name: str) -> bool:
    """Return whether the textual form has a field, so that its absence there means something."""
    if name == "metadata_props":
        return message.name == "Model"
    if name == "doc_string":
        return message.name == "Model"
    return name not in (
        "denotation", "device_configurations", "quantization_annotation", "training_info", "configuration", "segment",
    )  # fmt: skip


def _adopted_tensor(old: Tree, new: Tree) -> Tree:
    found = {name: value for name, value in old.items() if name in ("doc_string", "metadata_props", "segment")}
    found |= {name: value for name, value in new.items() if name != "cut"}
    if new.get("cut") or _numbers_of(old) == _numbers_of(new):
        for name in _DATA:
            found.pop(name, None)
            if name in old:
                found[name] = old[name]
    elif "raw_data" in old and (dtype := TensorData(new).dtype) and bits(dtype) >= 8:
        for name in _DATA:
            found.pop(name, None)
        found["raw_data"] = memoryview(TensorData(new).stored())
    return found


def _numbers_of(tensor: Tree) -> str:
    return tensor_text({**tensor, "name": "", "dims": ()})
