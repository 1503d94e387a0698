"""What editors need to know of lists of layers: names, what a line may hold next, comments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Set

from irlint.formats.layers_comments import comment_edit
from irlint.formats.navigation import Choice, Navigation, NodeToken, Target, describe
from irlint.graph import Node
from irlint.operators import Operator, table
from irlint.rules.base import Model
from irlint.text.base import Edit, Span
from irlint.text.layers.document import LayerDocument
from irlint.text.numbers import decimal

LONGEST = 255  # bytes of a name that the runtime reads


class LayerNavigation(Navigation):
    is_table = True

    def names_tensors(self, target: Target) -> bool:
        return target.output is not None

    def unfit(self, name: str) -> str:
        if any(map(str.isspace, name)) or "=" in name:
            return "a name cannot contain white space or `=`"
        if len(name.encode(errors="replace")) > LONGEST:
            return f"the runtime reads names of up to {LONGEST} bytes"
        return super().unfit(name)

    def operator(self, model: Model, node: Node) -> Operator | None:
        return self.known(model, node.op)

    def known(self, model: Model, op: str) -> Operator | None:
        """Return an operator as editors show it."""
        return table(model.format).get(op)

    def operator_names(self, model: Model, node: Node) -> list[str]:
        return table(model.format).names

    def attribute_choices(self, model: Model, node: Node, but: str = "") -> Iterator[Choice]:
        return self.parameters(self.operator(model, node), node.attrs.keys() - {but}, "")

    def choices(self, model: Model, token: NodeToken) -> Iterator[Choice]:
        seen = set()
        for choice in super().choices(model, token):
            if choice.text not in seen:
                seen.add(choice.text)
                yield choice
        if not seen:  # of a line that is being typed, the last word is taken for another part
            yield from self.choices_at(model, token.span.end)

    def choices_at(self, model: Model, offset: int) -> Iterator[Choice]:
        """Types at the start of a line; values, then parameters, behind what a layer has so far. It need not be one that can be read."""
        text, start = model.document.text, model.document.text.rfind("\n", 0, offset) + 1
        line = text[start:offset]
        words = line.split()
        typed = len(words) - (line[-1:] not in ("", " ", "\t"))
        if typed == 0:
            return (Choice(name, "operator") for name in table(model.format).names)
        if typed < 4:
            return iter(())
        inputs, outputs = (decimal(word) or 0 for word in words[2:4])
        if typed < 4 + inputs:
            return _values_above(model, offset)
        operator = self.known(model, words[0])
        key, sign, _ = words[typed].partition("=") if typed < len(words) else ("", "", "")
        if sign:
            return _words_of(operator, key)
        if operator is None or typed < 4 + inputs + outputs:
            return iter(())
        return self.parameters(operator, {word.partition("=")[0] for word in words if "=" in word}, "=")

    def parameters(self, operator: Operator | None, given: Set[str], sign: str) -> Iterator[Choice]:
        """Yield the parameters that a layer can have besides those that are given."""
        for name, attribute in operator.attributes.items() if operator else ():
            if name not in given:
                yield Choice(f"{name}{sign}", "attribute", describe(attribute), label=name)

    def suppression(self, model: Model, span: Span, code: str) -> Edit | None:
        document = model.document
        assert isinstance(document, LayerDocument)
        return comment_edit(document, span, code)


def _values_above(model: Model, offset: int) -> Iterator[Choice]:
    """Yield the values of the layers above a line."""
    document = model.document
    assert isinstance(document, LayerDocument)
    number = document.lines.position(offset).line - 1
    above = model.graph.nodes[: bisect_left(document.rows, number, key=lambda row: row.line)]
    values = dict.fromkeys((value.name or "", node.op) for node in above for value in node.outputs)
    return (Choice(name, "tensor", op) for name, op in values)


def _words_of(operator: Operator | None, key: str) -> Iterator[Choice]:
    """Yield what a table says that a parameter may be."""
    attribute = operator.attributes.get(key) if operator else None
    if attribute is not None:
        for value in dict.fromkeys((*attribute.values, *attribute.meanings)):
            yield Choice(value, "value", attribute.meanings.get(value, ""))
