"""What a text does not show: a tree that was read from text takes it over from the tree that the text was made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.formats.onnx.tensors import FIELDS, TensorData, bits
from irlint.formats.onnx.text.printer import tensor_text, type_text
from irlint.formats.onnx.wire import ATTRIBUTE_TYPES
from irlint.formats.onnx.wire.reader import Packed
from irlint.text.prototext.messages import MESSAGE, Field, Message, Tree

Origins = dict[int, Tree]  # of each message that changed the one that it was made of, by identity

_HIDDEN = frozenset((
    "metadata_props", "doc_string", "denotation", "device_configurations", "quantization_annotation", "training_info",
    "configuration", "segment",
))  # fmt: skip
_SHOWN_OF_MODELS = (("Model", "metadata_props"), ("Model", "doc_string"))
_VALUES = frozenset(field for _, field in ATTRIBUTE_TYPES.values())
_DATA = (
    "float_data", "int32_data", "string_data", "int64_data", "raw_data", "double_data", "uint64_data", "external_data",
    "data_location",
)  # fmt: skip


class CarryOver:
    """Makes one tree of two; parts that did not change are the old ones themselves."""

    def __init__(self) -> None:
        self.origins: Origins = {}

    def message(self, message: Message, old: Tree, new: Tree) -> Tree:
        if new is old:
            return old
        found = dict(new)
        for name, field in message.fields.items():
            if name in old and name in new:
                found[name] = self._part(field, old[name], new[name])
            elif name in old and not _is_shown(message, name, old, new):
                found[name] = old[name]
            elif name in new and _is_default(field, new[name]) and not _decides(message, name, old, new):
                del found[name]
        if message.name == "Tensor":
            _carry_data(found, old, new)
        elif "cut" in found:  # a sparse tensor
            del found["cut"]
            found |= {name: old[name] for name in ("indices", "cut") if name in old}
        if found == old:
            return old
        self.origins[id(found)] = old
        return found

    def _part(self, field: Field, old: Any, new: Any) -> Any:
        if field.message is None:
            return old if _is_same(old, new) else new
        return (self._list if field.many else self.message)(field.message, old, new)

    def _list(self, message: Message, old: list[Tree], new: list[Tree]) -> list[Tree]:
        left = {id(one): one for one in old}
        changed = [k for k, one in enumerate(new) if left.pop(id(one), None) is None]
        found = list(new)
        for key in _KEYS.get(message.name, ()):
            if not changed or not left:
                break
            waiting: dict[Any, list[Tree]] = {}
            for one in reversed(left.values()):
                waiting.setdefault(key(one), []).append(one)
            rest = []
            for k in changed:
                if candidates := waiting.get(key(new[k])):
                    origin = candidates.pop()
                    del left[id(origin)]
                    found[k] = self.message(message, origin, new[k])
                else:
                    rest.append(k)
            changed = rest
        if len(changed) == len(left):  # renamed where they are
            for k, origin in zip(changed, left.values(), strict=True):
                found[k] = self.message(message, origin, new[k])
        return old if found == old else found


def _by(*names: str) -> Callable[[Tree], Any]:
    return lambda one: tuple(tuple(v) if isinstance(v := one.get(name, ""), list) else v for name in names)


# By what changed items of a list are known again, the surest first
_KEYS: dict[str, tuple[Callable[[Tree], Any], ...]] = {
    "Node": (_by("name", "op_type", "output"), _by("output"), _by("name", "op_type", "input")),
    "Tensor": (_by("name"), tensor_text),
    "SparseTensor": (lambda one: one.get("values", {}).get("name", ""),),
    "ValueInfo": (_by("name"),),
    "Attribute": (_by("name"),),
    "Function": (_by("domain", "name", "overload"), _by("name")),
    "OperatorSetId": (_by("domain"),),
    "Entry": (_by("key"),),
}


def _is_default(field: Field, value: Any) -> bool:
    """Return whether a field means the same if it is left out."""
    return (field.many or field.kind != MESSAGE) and not value and repr(value) != "-0.0"


def _decides(message: Message, name: str, old: Tree, new: Tree) -> bool:
    """Return whether it matters that a field is there, whatever its value is."""
    if message.name == "Attribute":
        return old.get("type") != new.get("type")
    return name == "dim_value"


def _is_shown(message: Message, name: str, old: Tree, new: Tree) -> bool:
    """Return whether the textual form would have a field of the old tree, so that its absence means something."""
    if name != "dim_value" and _is_default(message.fields[name], old[name]):
        return False
    if message.name == "Attribute" and name in _VALUES:
        _, own = ATTRIBUTE_TYPES.get(old.get("type", 0), ("", name))
        return own == name or old.get("type") != new.get("type")
    if message.name == "ValueInfo" and name == "type":
        return bool(type_text(old[name]))
    if name == "dims":
        return not new.get("cut")  # of the values of a sparse tensor: a scalar is never cut
    return name not in _HIDDEN or (message.name, name) in _SHOWN_OF_MODELS


def _is_same(old: Any, new: Any) -> bool:
    """Return whether two values have one text: that tells -0.0 from 0.0, and knows NaN again."""
    return repr(old.numbers() if isinstance(old, Packed) else old) == repr(new)


def _carry_data(found: Tree, old: Tree, new: Tree) -> None:
    """Give a tensor the data of the one that it was made of, as far as the text does not say otherwise."""
    found.pop("cut", None)
    is_same = _data_text(old) == _data_text(new)
    if TensorData(new).is_external and not is_same:
        return  # the text shows where the data is
    if is_same or new.get("cut"):
        for name in (*_DATA, "cut"):
            found.pop(name, None)
            if name in old:
                found[name] = old[name]
        if not is_same:
            _overwrite(found, new)
    elif "raw_data" in old and (dtype := TensorData(new).dtype) and bits(dtype) >= 8:
        for name in _DATA:
            found.pop(name, None)
        found["raw_data"] = memoryview(TensorData(new).stored())


def _overwrite(found: Tree, new: Tree) -> None:
    """Write the first numbers, which a text shows, over data that it cuts."""
    data = TensorData({name: value for name, value in new.items() if name != "cut"})
    field = FIELDS.get(data.dtype or "", "int32_data")
    if not new.get(field):
        return
    if (raw := found.get("raw_data")) is not None:
        first = data.stored()
        found["raw_data"] = memoryview(first + bytes(raw[len(first) :]))
    elif (values := found.get(field)) is not None:
        numbers = values.numbers() if isinstance(values, Packed) else values
        found[field] = [*new[field], *numbers[len(new[field]) :]]


def _data_text(tensor: Tree) -> str:
    return tensor_text({**tensor, "name": "", "dims": ()})
