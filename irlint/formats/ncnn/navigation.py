"""What editors need to know of .param files: labels of numbered parameters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Set
from functools import lru_cache

from irlint.formats.layers_navigation import LayerNavigation
from irlint.formats.navigation import Choice, describe
from irlint.operators import Attribute, Operator, table
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers.document import LayerDocument

_ARRAYS = ("ints", "floats")


class NcnnNavigation(LayerNavigation):
    def known(self, model: Model, op: str) -> Operator | None:
        return _operator(op)

    def parameters(self, operator: Operator | None, given: Set[str], sign: str) -> Iterator[Choice]:
        for name, attribute in operator.attributes.items() if operator else ():
            key = str(-23300 - int(name)) if attribute.kind in _ARRAYS else name
            if not given & {name, key} and "until" not in attribute.facts:
                yield Choice(f"{key}{sign}", "attribute", describe(attribute), label=f"{key} {attribute.label}".strip())

    def hints(self, model: Model, start: int, end: int) -> Iterator[tuple[int, str]]:
        """What numbers of enumerations mean. Names of all parameters would make lines twice as long."""
        document = model.document
        assert isinstance(document, LayerDocument)
        first, last = (document.lines.position(at).line - 1 for at in (start, end))
        begin = bisect_left(document.rows, first, key=lambda row: row.line)
        for node in model.graph.nodes[begin : bisect_left(document.rows, last + 1, key=lambda row: row.line)]:
            known = self.attributes(model, node)
            for key, value in node.attrs.items():
                word = known[key].meanings.get(str(value), "no") if key in known else "no"
                if word not in ("no", "yes"):
                    yield document.span(Place((node.index, "value", key))).end, word


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
