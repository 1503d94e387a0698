"""How arguments of layers are written: values of JSON's types, of which an argument may have several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irlint.checks.fault import Fault
from irlint.checks.grammar import Grammar
from irlint.checks.values import expected, flaws
from irlint.checks.written import WrittenOperator
from irlint.formats.keras.rules import R
from irlint.graph import Graph, Node
from irlint.operators import Attribute
from irlint.records import replace
from irlint.repairs import site
from irlint.repairs.table_site import TableSite
from irlint.text.base import Document, Edit, Place
from irlint.text.json.document import JsonDocument

_WORDS = {
    "null": "`null`", "bool": "`true` or `false`", "int": "an integer", "float": "a number", "string": "a string",
    "ints": "a list of integers", "floats": "a list of numbers", "strings": "a list of strings", "list": "a list", "object": "an object",
}  # fmt: skip
_KINDS = {type(None): "null", bool: "bool", int: "int", float: "float", str: "string", dict: "object"}
_WIDER = {"bool": ("int",), "int": ("float",), "ints": ("floats",), "list": ()}


def kind_of(value: Any) -> str:
    """Return the word for the kind of a JSON value."""
    if not isinstance(value, list):
        return _KINDS[type(value)]
    inner = {type(one) for one in value}
    if inner == {int, float}:
        return "floats"
    return f"{_KINDS[inner.pop()]}s" if len(inner) == 1 and inner <= {int, float, str} else "list"


def said(kinds: Sequence[str]) -> str:
    """Return the kinds of values in words."""
    words = [_WORDS[kind] for kind in kinds if not (kind == "int" and "float" in kinds)]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class KerasGrammar(Grammar):
    word, runtime = "argument", "Keras"
    foreign = {
        "batch_shape": "batch_input_shape",
        "shape": "input_shape",
        "batch_input_shape": "batch_shape",
    }  # of the other era

    def flaws(self, value: Any, attribute: Attribute) -> Iterator[Fault]:
        kinds, kind = attribute.kind.split("|"), kind_of(value)
        if kinds == ["any"] or value == []:
            return
        if kind not in kinds and not any(wide in kinds for wide in _WIDER.get(kind, ())):
            yield expected(R.wrong_attribute_type, attribute, said(kinds), _shown(value, kind), fact="kind")
        elif kind in ("int", "ints", "float", "floats") or (kind == "string" and attribute.values):
            yield from flaws(
                value, lambda held: held, "", attribute if kind == "string" else replace(attribute, values=())
            )

    def read(self, value: Any, kind: str) -> Any:
        return tuple(value) if isinstance(value, list) else value

    def strange(self, written: WrittenOperator, name: str, lacking: dict[str, Attribute]) -> Fault | None:
        """Return None for arguments of any layer."""
        return None if name in self.common or name in OF_ALL else super().strange(written, name, lacking)

    def missing(self, written: WrittenOperator, attribute: Attribute) -> Fault | None:
        return super().missing(written, attribute) if written.applies(attribute.facts) else None

    def meant(self, name: str, written: WrittenOperator, absent: Mapping[str, Attribute]) -> str | None:
        """Return the name in the other era before one that looks alike."""
        free = [
            one for one in [self.foreign.get(name)] if one in written.operator.attributes and one not in written.attrs
        ]
        return free[0] if free else super().meant(name, written, absent)

    def insert(self, document: Document, graph: Graph, node: Node, values: Mapping[str, Any]) -> Sequence[Edit]:
        assert isinstance(document, JsonDocument)
        path = graph.place(node, "attrs").path
        return [
            edit for name, value in values.items() for edit in document.insert_member(path, name, document.dump(value))
        ]

    def remove(self, document: Document, at: Place) -> Sequence[Edit]:
        assert isinstance(document, JsonDocument)
        return document.remove(at.path)


OF_ALL = frozenset(("name", "trainable", "dtype"))  # what any object may have


def _shown(value: Any, kind: str) -> str:
    """Return a value as messages quote it."""
    if kind in ("object", "list") or (isinstance(value, list) and len(value) > 8):
        return _WORDS[kind]
    return f"`{JsonDocument.dump(value)[:40]}`"


class LayerSite(TableSite):
    """A call of a layer, for the search for repairs."""

    def kind(self, record: Attribute | None, old: Any) -> site.Kind | None:
        if record is None or record.values:
            return site.Kind("word") if record is not None else None
        found = (super(LayerSite, self).kind(replace(record, kind=kind), old) for kind in record.kind.split("|"))
        return next(filter(None, found), None)

    def read(self, old: Any) -> Any:
        return tuple(old) if isinstance(old, list) else old

    def spelled(self, value: Any, record: Attribute | None, old: Any) -> Any:
        return list(value) if isinstance(value, tuple) else value


GRAMMAR = KerasGrammar()
LayerSite.grammar = GRAMMAR
