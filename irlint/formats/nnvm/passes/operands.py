"""What an operator is given and gives: how many inputs and outputs, as its attributes say, of which types and shapes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from irlint.checks.signature import Values
from irlint.checks.written import WrittenOperator
from irlint.formats.nnvm.reading.values import BadValue, BareNumber, read
from irlint.operators import Attribute, Operator, Port
from irlint.records import NamedTuple
from irlint.text.numbers import MANY

_VARIADIC = ("variadic", "variadic0")
HIDDEN = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage")  # MXNet 1.0 and later: __key__
CANONICAL_BOOL = frozenset(("True", "False", "None"))
UNSIGNED = frozenset(("uint", "ulong"))


class LoaderBehavior(NamedTuple):
    """What the loader does with a file of this age."""

    moves_hidden_keys: bool = False  # renames keys such as lr_mult to __lr_mult__, on the node or on an input
    adds_inputs: bool = False  # creates variables for inputs that are missing at the end
    drops_unused: bool = False  # removes nodes that no head depends on before it reads attributes
    drops_last_axis: bool = False  # drops axis="-1" of argmax and argmin, which then reduce over all axes


def is_hidden(key: str) -> bool:
    """Return whether a key has the form __x__: these are free for any use, and all loaders ignore them."""
    return len(key) > 4 and key.startswith("__") and key.endswith("__")


class ExpectedInputs(NamedTuple):
    """Names of what is expected, in order; open: any further number may follow."""

    names: tuple[str, ...]
    open: bool = False
    counted_by: str | None = None  # the attribute that says how many

    def fit(self, given: int) -> bool:
        return given == len(self.names) or (self.open and given > len(self.names))


class OutputCounts(NamedTuple):
    total: int | None  # None: unknown
    visible: int | None


UNKNOWN_OUTPUTS = OutputCounts(None, None)


def values_of(attrs: Mapping[str, str], operator: Operator | None) -> Values:
    """Return what the loader makes of attributes, and of their defaults; None where it makes nothing of them."""
    known = operator.attributes if operator is not None else {}
    values: Values = {name: value_of(one, attrs.get(name, one.default)) for name, one in known.items()}
    for name, attribute in known.items():  # mxnet 1.9.1: of two names of one attribute the former one wins
        if name in attrs and "renamed" in attribute.facts:
            values[attribute.facts["renamed"]] = values[name]
    return {**values, "given": attrs}


def value_of(attribute: Attribute, text: str | None) -> Any:
    try:
        return None if text is None else read(attribute, text)
    except BadValue:
        return None


def length_condition(attribute: Attribute) -> str:
    """Return what the table asks of the length of a tuple, as an expression over values; empty if it asks nothing."""
    facts, length = attribute.facts, f"len({attribute.name})"
    if "ranks" in facts:
        return f"(not ({facts.get('ranks_when', True)}) or {length} in {facts['ranks']})"
    return f"{length} in (0, len({facts['rank_of']}))" if "rank_of" in facts else ""


def written(operator: Operator, attrs: Mapping[str, str]) -> WrittenOperator:
    """Return an operator with its attributes, of which nothing need be right."""
    return WrittenOperator(operator, attrs, read=values_of)


def inputs(call: WrittenOperator) -> ExpectedInputs | None:
    """Return what inputs an operator takes; None where the table does not say."""
    if call.operator.facts.get("open_inputs"):
        return None
    names: list[str] = []
    counted_by: str | None = None
    for port, number in call.ports("input"):
        if port.kind not in _VARIADIC:
            names.append(port.name)
        elif "count" not in port.facts:
            return ExpectedInputs((*names, *[port.name] * (port.kind == "variadic")), True)
        elif number is None or not 0 <= number <= MANY:
            return None
        else:
            counted_by = port.facts["count"]
            names += [f"{port.name}{k}" for k in range(number)]
    return ExpectedInputs(tuple(names), False, counted_by)


def outputs(call: WrittenOperator) -> OutputCounts:
    total, visible = 0, 0
    depends_on_build = False
    for port, number in call.ports("output"):
        if port.kind == "optional":
            depends_on_build = True
            continue
        width = _width(call, port, number)
        if width is None or width < 0:
            return UNKNOWN_OUTPUTS
        total += width
        if not port.facts.get("hidden") and call.applies({"when": port.facts.get("shown_when", "True")}):
            visible += width
    is_told = bool(call.operator.outputs)
    return OutputCounts(None if depends_on_build else total, visible) if is_told else UNKNOWN_OUTPUTS


def _width(call: WrittenOperator, port: Port, number: int | None) -> int | None:
    """Return how many outputs one port of the table is; None if unknown."""
    if port.kind not in _VARIADIC:
        return 1
    if "sections" not in port.facts:
        return number
    parts = call.values[port.facts["sections"]]
    if isinstance(parts, BareNumber):
        return int(parts[0])
    return None if parts is None else len(parts) + 1


def signatures(operator: Operator) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what MXNet asks of operands beyond what shape functions tell: patterns of element types and of shapes, and whose they are."""
    names = tuple(port.name for port in operator.inputs)
    return tuple((text, names) for text in _patterns(operator.facts.get("types", ""), operator.facts.get("shapes", "")))


@cache
def _patterns(types: str, shapes: str) -> tuple[str, ...]:
    return tuple(filter(None, (" ".join(map(_typed, types.split())), shapes)))


def _typed(word: str) -> str:
    """Return a type as the pattern of an operand; the table was measured without bfloat16."""
    if word in ("...", "_"):
        return word
    return f"_/{word}|bfloat16" if "=" in word or word[0].islower() else f"_/{word}"
