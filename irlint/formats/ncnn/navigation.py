"""What editors need to know of .param files: labels of numbered parameters, blobs by name, operands of pnnx."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from typing import Any

from irlint.formats.navigation import Choice, Mention, Navigation, NodeToken, Target, describe
from irlint.formats.ncnn.comments import comment_edit
from irlint.graph import Graph, Node
from irlint.operators import Attribute, Operator, table
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Edit, Place, Span
from irlint.text.layers import LayerDocument
from irlint.text.layers_values import parameters

_ARRAYS = ("ints", "floats")
LONGEST = 255  # bytes of a name that the runtime reads


class NcnnNavigation(Navigation):
    is_table = True

    def names_tensors(self, target: Target) -> bool:
        return target.output is not None

    def unfit(self, name: str) -> str:
        if any(map(str.isspace, name)) or "=" in name:
            return "a name cannot hold white space or `=`"
        if len(name.encode(errors="replace")) > LONGEST:
            return f"the runtime reads names of up to {LONGEST} bytes"
        return super().unfit(name)

    def operator(self, model: Model, node: Node) -> Operator | None:
        return _operator(node.op) if model.dialect == "param" else table("pnnx").get(node.op)

    def operator_names(self, model: Model, node: Node) -> list[str]:
        return super().operator_names(model, node) if model.dialect == "param" else table("pnnx").names

    def tokens(self, model: Model, graph: Graph, node: Node) -> Iterator[NodeToken]:
        yield from super().tokens(model, graph, node)
        for key in self._keys(model, node):
            if key.startswith("#"):
                for word, part in (("attr_key", "key"), ("attr", "value")):
                    span = model.document.span(Place((node.index, part, key)))
                    yield NodeToken(Target(graph, node), f"{word}:{key}", span)

    def _keys(self, model: Model, node: Node) -> Mapping[str, Any]:
        """Return the parameters of an operator of pnnx together with the types of its operands."""
        assert isinstance(model.document, LayerDocument)
        return parameters(model.document.rows[node.index].params) if model.dialect == "pnnx" else {}

    def referent(self, model: Model, offset: int) -> Target | None:
        token = self.token_at(model, offset)
        word, _, key = token.part.partition(":") if token else ("", "", "")
        if token is None or (word, key[:1]) not in (("attr_key", "#"), ("attr", "$")):
            return super().referent(model, offset)
        graph, node = token.target.graph, token.target.node
        name = key[1:] if word == "attr_key" else str(node.attrs[key])
        sources = [*node.inputs, *((node.index, k) for k in range(len(node.outputs)))]
        found = (Target(graph, graph.nodes[n], k) for n, k in sources if n >= 0 and len(graph.nodes[n].outputs) > k)
        return next((one for one in found if self.name_of(one) == name), None)

    def mentions(self, model: Model, target: Target) -> Iterator[Mention]:
        """In graphs of pnnx, also types and names of inputs."""
        yield from super().mentions(model, target)
        if model.dialect == "param" or target.output is None:
            return
        name, graph, source = self.name_of(target), target.graph, (target.node.index, target.output)
        for node in [target.node, *(node for node in graph.nodes if source in node.inputs)]:
            for key, value in self._keys(model, node).items():
                if key == f"#{name}":
                    yield Mention(Place((node.index, "operand", key)), "reference")
                elif key.startswith("$") and str(value) == name and node is not target.node:
                    yield Mention(Place((node.index, "value", key)), "reference")

    def attribute_choices(self, model: Model, node: Node, but: str = "") -> Iterator[Choice]:
        return _parameters(self.operator(model, node), node.attrs.keys() - {but}, "")

    def choices(self, model: Model, token: NodeToken) -> Iterator[Choice]:
        seen = set()
        for choice in super().choices(model, token):
            if choice.text not in seen:
                seen.add(choice.text)
                yield choice

    def choices_at(self, model: Model, offset: int) -> Iterator[Choice]:
        """Types at the start of a line; blobs, then parameters, behind what a layer has so far. It need not be one that can be read."""
        document = model.document
        assert isinstance(document, LayerDocument)
        line = document.text[document.text.rfind("\n", 0, offset) + 1 : offset]
        words = line.split()
        typed = len(words) - (line[-1:] not in ("", " ", "\t"))
        names = table("ncnn" if model.dialect == "param" else "pnnx").names
        if typed == 0:
            yield from (Choice(name, "operator") for name in names)
        elif 4 <= typed < 4 + int(words[2] if words[2].isdigit() else 0):
            number = document.lines.position(offset).line - 1
            above = model.graph.nodes[: bisect_left(document.rows, number, key=lambda row: row.line)]
            blobs = dict.fromkeys((value.name or "", node.op) for node in above for value in node.outputs)
            yield from (Choice(name, "tensor", op) for name, op in blobs)
        elif typed >= 4 and words[0] in names:
            operator = _operator(words[0]) if model.dialect == "param" else table("pnnx").get(words[0])
            key, sign, _ = words[typed].partition("=") if typed < len(words) else ("", "", "")
            if sign:
                yield from _values(operator, key)
            elif typed >= 4 + sum(int(word) for word in words[2:4] if word.isdigit()):
                yield from _parameters(operator, {word.partition("=")[0] for word in words if "=" in word}, "=")

    def hints(self, model: Model, start: int, end: int) -> Iterator[tuple[int, str]]:
        """What numbers of enumerations mean. Names of all parameters would make lines twice as long."""
        document = model.document
        assert isinstance(document, LayerDocument)
        first, last = (document.lines.position(at).line - 1 for at in (start, end))
        begin = bisect_left(document.rows, first, key=lambda row: row.line)
        for node in model.graph.nodes[begin : bisect_left(document.rows, last + 1, key=lambda row: row.line)]:
            known = self.attributes(model, node) if model.dialect == "param" else {}
            for key, value in node.attrs.items():
                word = known[key].meanings.get(str(value), "no") if key in known else "no"
                if word not in ("no", "yes"):
                    yield document.span(Place((node.index, "value", key))).end, word

    def suppression(self, model: Model, span: Span, code: str) -> Edit | None:
        document = model.document
        assert isinstance(document, LayerDocument)
        return comment_edit(document, span, code)


def _parameters(operator: Operator | None, given: Set[str], sign: str) -> Iterator[Choice]:
    for name, attribute in operator.attributes.items() if operator else ():
        key = str(-23300 - int(name)) if attribute.kind in _ARRAYS and attribute.label else name
        if not given & {name, key} and "until" not in attribute.facts:
            yield Choice(f"{key}{sign}", "attribute", describe(attribute), label=f"{key} {attribute.label}".strip())


def _values(operator: Operator | None, key: str) -> Iterator[Choice]:
    attribute = operator.attributes.get(key) if operator else None
    for value in dict.fromkeys((*attribute.values, *attribute.meanings)) if attribute else ():
        yield Choice(value, "value", attribute.meanings.get(value, "") if attribute else "")


@lru_cache
def _operator(name: str) -> Operator | None:
    """Return an operator; a parameter whose default is that of another has its label for a default."""
    found = table("ncnn").get(name)
    if found is None:
        return None
    return replace(found, attributes={key: _shown(found, one) for key, one in found.attributes.items()})


def _shown(operator: Operator, attribute: Attribute) -> Attribute:
    facts = {key: value for key, value in attribute.facts.items() if key != "default_of"}
    if other := operator.attributes.get(str(attribute.facts.get("default_of"))):
        return replace(attribute, default=other.facts.get("label"), facts=facts)
    return replace(attribute, facts=facts)


NAVIGATION = NcnnNavigation()
