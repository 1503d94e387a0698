"""What editors need to know of .param files: labels of numbered parameters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from irlint.formats.layers_navigation import LayerNavigation
from irlint.operators import Attribute, Operator, table
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers import LayerDocument


class NcnnNavigation(LayerNavigation):
    def known(self, model: Model, op: str) -> Operator | None:
        return _operator(op)

    def hints(self, model: Model, start: int, end: int) -> Iterator[tuple[int, str]]:
        """What ids of parameters and numbers of enumerations mean."""
        document = model.document
        assert isinstance(document, LayerDocument)
        first, last = (document.lines.position(at).line - 1 for at in (start, end))
        begin = bisect_left(document.rows, first, key=lambda row: row.line)
        for node in model.graph.nodes[begin : bisect_left(document.rows, last + 1, key=lambda row: row.line)]:
            known = self.attributes(model, node)
            for key, value in node.attrs.items():
                if (attribute := known.get(key)) is not None and (label := attribute.facts.get("label")):
                    yield document.span(Place((node.index, "key", key))).end, str(label)
                    if word := attribute.facts.get("words", {}).get(str(value)):
                        yield document.span(Place((node.index, "value", key))).end, str(word)


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
