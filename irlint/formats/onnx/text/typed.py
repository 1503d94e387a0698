"""Types and tensors of the textual form, read token by token."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from irlint.formats.onnx.tensors import FIELDS, HALVES, half_bits
from irlint.formats.onnx.text.printer import KEYWORDS
from irlint.formats.onnx.text.tokens import NUMBERS, Token, TokenReader, Unexpected
from irlint.formats.onnx.wire import DTYPES, ELEMENT_NUMBERS
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree

_UNKNOWN = re.compile(r"type([0-9]{1,10})")
_READERS: dict[str, Callable[[TokenReader, Path], Any]] = {  # by the field that holds the numbers of a tensor
    "float_data": TokenReader.single,
    "double_data": TokenReader.real,
    "string_data": TokenReader.encoded,
}


class TypeReader(TokenReader):
    def is_type(self) -> bool:
        return self.token.kind == "word" and (self.token.text in KEYWORDS or unknown_type(self.token.text) is not None)

    def type(self, path: Path) -> Tree:
        start = self.token.start
        self.enter("types")
        found = self._compound(path) or {"tensor_type": self.tensor_type((*path, "tensor_type"))}
        self.depth -= 1
        self.mark(path, start)
        return found

    def _compound(self, path: Path) -> Tree | None:
        """Return a type that is written as a word and a list in parentheses; None if what comes next is another."""
        read = _COMPOUND.get(self.token.text)
        if read is None:
            return None
        self.take()
        self.expect("(")
        found = read(self, path)
        self.expect(")")
        return found

    def _sequence(self, path: Path) -> Tree:
        return {"sequence_type": {"elem_type": self.type((*path, "sequence_type", "elem_type"))}}

    def _optional(self, path: Path) -> Tree:
        return {"optional_type": {"elem_type": self.type((*path, "optional_type", "elem_type"))}}

    def _map(self, path: Path) -> Tree:
        key = self.element((*path, "map_type", "key_type"))
        self.expect(",")
        return {"map_type": {"key_type": key, "value_type": self.type((*path, "map_type", "value_type"))}}

    def _sparse(self, path: Path) -> Tree:
        return {"sparse_tensor_type": self.tensor_type((*path, "sparse_tensor_type"))}

    def _opaque(self, path: Path) -> Tree:
        words = [""]
        while not self.at(")"):
            if self.matches(","):
                words.append("")
            else:
                words[-1] += "." if self.matches(".") else self.name((*path, "opaque_type", "name"))
        domain = {"domain": words[0]} if len(words) > 1 else {}
        return {"opaque_type": {"name": words[-1], **domain}}

    def element(self, path: Path) -> int:
        text = self.token.text
        number = 0 if text == "undefined" else ELEMENT_NUMBERS.get(text, unknown_type(text))
        if number is None:
            raise Unexpected("an element type such as float or int64", self.token)
        self.marked(path)
        return number

    def tensor_type(self, path: Path) -> Tree:
        number = self.element((*path, "elem_type"))
        found: Tree = {"elem_type": number} if number else {}
        start = self.token.start
        if not self.matches("["):
            return {**found, "shape": {}}
        if self.matches("]"):
            return found
        dims: list[Tree] = []
        for _ in self.items("]"):
            dims.append(self._dim((*path, "shape", "dim", len(dims))))
        self.mark((*path, "shape"), start)
        return {**found, "shape": {"dim": dims}}

    def _dim(self, path: Path) -> Tree:
        if self.at("?"):
            self.marked(path)
            return {}
        if self.token.kind in NUMBERS:
            return {"dim_value": self.integer(path)}
        return {"dim_param": self.name(path, "a dimension")}

    # data

    def tensor(self, kind: Tree, begin: Token, path: Path) -> Tree:
        """Read the data of a tensor of a type, which begins at a token."""
        inner = kind.get("tensor_type", {})
        dims = inner.get("shape", {}).get("dim", ())
        if "shape" not in inner or not all("dim_value" in dim for dim in dims):
            raise Unexpected("the type of a tensor with known sizes", begin)
        tensor: Tree = {"dims": [dim["dim_value"] for dim in dims]} if dims else {}
        number, start = inner.get("elem_type", 0), self.token.start
        if number:
            tensor["data_type"] = number
        if self.at("["):
            tensor |= {"data_location": 1, "external_data": self.pairs((*path, "external_data"))}
        else:
            self._numbers(tensor, DTYPES.get(number, ""), (*path, "data"))
        self.mark((*path, "data"), start)
        return tensor

    def _numbers(self, tensor: Tree, dtype: str, path: Path) -> None:
        field, values = FIELDS.get(dtype, "int32_data"), list[Any]()
        read = _READERS.get(field, TokenReader.integer)
        self.expect("{")
        for token in self.items("}"):
            place = (*path, len(values))
            if self.matches("..."):
                tensor["cut"] = True
                if not self.at("}"):
                    raise Unexpected("`}`", self.token)
            elif (
                dtype in HALVES and token.kind != "integer"
            ):  # an integer says bits: so do onnx.parser and onnx.printer
                values.append(half_bits(self.real(place), dtype))
            else:
                values.append(read(self, place))
        if values or "cut" not in tensor:
            tensor[field] = values

    def sparse_tensor(self, kind: Tree, name: str) -> Tree:
        """Return a sparse tensor of a type; its data is not read."""
        self.expect("{")
        while not self.at("}"):
            if self.token.kind == "end":
                raise Unexpected("`}`", self.token)
            self.take()
        self.take()
        inner = kind.get("sparse_tensor_type", {})
        dims = [dim.get("dim_value", 0) for dim in inner.get("shape", {}).get("dim", ())]
        named = {"name": name} if name else {}
        return {"values": {**named, "data_type": inner.get("elem_type", 0), "cut": True}, "dims": dims, "cut": True}

    def pairs(self, path: Path, key: str = "key", value: str = "value") -> list[Tree]:
        """Return a list of keys and strings, or of domains and versions, by their fields."""
        found: list[Tree] = []
        read = self.integer if value == "version" else self.string
        start = self.expect("[").start
        for first in self.items("]"):
            place = (*path, len(found))
            name = self.string((*place, key))
            self.expect(":")
            found.append({key: name, value: read((*place, value))})
            self.mark(place, first.start)
        self.mark(path, start)
        return found

    def become_tensor(self, place: Path, tensor: Path, part: Path = ()) -> None:
        """Make the marks of a value, or of a part of it, those of the tensor that it turned out to be."""
        marks = self.marks or {}
        for path in [path for path in marks if path[: len(place)] == place]:
            marks[_of_tensor(tensor, (*part, *path[len(place) :]))] = marks.pop(path)


_COMPOUND = {
    "seq": TypeReader._sequence,
    "optional": TypeReader._optional,
    "map": TypeReader._map,
    "sparse_tensor": TypeReader._sparse,
    "opaque": TypeReader._opaque,
}


def unknown_type(word: str) -> int | None:
    """Return the number of a type that has no name."""
    match = _UNKNOWN.fullmatch(word)
    return None if match is None else int(match[1])


def _of_tensor(tensor: Path, path: Path) -> Path:
    """Return the path of a part of a tensor that was read as a part of a value."""
    if path == ("type", "tensor_type", "elem_type"):
        return (*tensor, "data_type")
    if path[:3] == ("type", "tensor_type", "shape"):
        return (*tensor, "dims", *path[4:])
    return (*tensor, *(path[1:] if path[:1] == ("type",) else path))
