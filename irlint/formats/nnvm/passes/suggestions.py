"""What was meant by an operator or attribute that is not known, and whether another operator takes the attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from irlint.checks.fault import Fault, Subject
from irlint.checks.grammar import PLAIN
from irlint.checks.problems import unknown_operator
from irlint.findings import Fix, Problem, Safety
from irlint.formats.nnvm.keys.repair import takes
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.rules import R
from irlint.operators import Operator, OperatorTable, table
from irlint.operators import nearest as nearest_operator
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Document, Place
from irlint.tools.names import abbreviated, distance, is_sure, nearest, plain

_SAME = {
    "conv2d": "Convolution", "conv2d_transpose": "Deconvolution", "dense": "FullyConnected", "batch_norm": "BatchNorm",
    "max_pool2d": "Pooling", "avg_pool2d": "Pooling", "global_max_pool2d": "Pooling", "global_avg_pool2d": "Pooling",
    "leaky_relu": "LeakyReLU", "prelu": "LeakyReLU", "lrn": "LRN", "concatenate": "Concat", "upsampling": "UpSampling",
    "strided_slice": "slice", "matmul": "dot", "dropout": "Dropout", "l2_normalize": "L2Normalization",
    "elemwise_sum": "add_n", "pad": "Pad", "block_grad": "BlockGrad",
}  # fmt: skip
_BACK: dict[str, str] = {mxnet: nnvm for nnvm, mxnet in reversed(_SAME.items())}


def unknown(model: Model, at: Place, op: str, node: str | None) -> Problem:
    """Return the problem of an operator that the dialect does not have."""
    classic = model.dialect == dialects.CLASSIC
    assert model.operators is not None
    message = f"unknown operator `{op}`" if op else "empty operator"
    own, other, twins = ("NNVM", "MXNet", _BACK) if classic else ("MXNet", "NNVM", _SAME)
    if op == "tvm_op":
        return Problem(R.unknown_operator, at, f"{message}; only TVM graph executor files have it", node)
    if nearest_operator(op, list(filter(None, ("null", model.operators.nearest(op))))) == "null":
        return _unknown_variable(at, op, message, node)
    if op in table(other.lower()):
        same = f", in {own} `{twins[op]}`" if op in twins else ""
        return Problem(R.unknown_operator, at, f"{message}; it is an operator of {other}{same}", node)
    return PLAIN.problem(Subject("", node, lambda part: at), unknown_operator(op, model.operators))


def _unknown_variable(at: Place, op: str, message: str, node: str | None) -> Problem:
    safety: Safety = "safe" if op.casefold() == "null" else "unsafe"
    hint = "did you mean `null`?" if safety == "safe" else "did you mean `null`, a variable?"

    def fix(document: Document) -> Fix:
        return Fix("Rename to `null`", document.write(at, "null"), safety)

    return Problem(R.unknown_operator, at, f"{message}; {hint}", node, fix)


_ANY = frozenset(("string", "char", "pointer"))  # kinds of which any text is a value


class Suggestion(NamedTuple):
    name: str
    safety: Safety = "unsafe"
    by_value: bool = False


def suggested(
    operator: Operator, key: str, attrs: Mapping[str, str], missing: Sequence[str], is_only: bool
) -> Suggestion | None:
    """`missing`: required attributes that are not there; `is_only`: there is no other unknown attribute."""
    absent = [one for name, one in operator.attributes.items() if name not in attrs]
    fitting = [one.name for one in absent if takes(one, attrs[key])]
    needed = [name for name in missing if name in fitting]
    for names in (needed, fitting, missing):
        if (found := nearest(key, names)) is not None:
            return Suggestion(found, _safety(key, found, operator, found in needed, found in fitting))
    if (found := abbreviated(key, fitting)) is not None:
        return Suggestion(found)
    known = list(operator.attributes)
    if (nearest(key, known) or abbreviated(key, known)) in attrs:
        return None
    only = _by_value(operator, fitting, missing, is_only)
    return None if only is None else Suggestion(only, by_value=True)


def _by_value(operator: Operator, fitting: list[str], missing: Sequence[str], is_only: bool) -> str | None:
    """Return the only attribute that can have the value: a word of an enum is one of few."""
    kinds = {name: operator.attributes[name].kind for name in fitting}
    found = missing or [name for name in fitting if kinds[name] == "enum"] or fitting
    if len(found) != 1 or found[0] not in kinds:
        return None
    is_clear = is_only if missing else kinds[found[0]] not in _ANY
    return found[0] if is_clear else None


def _safety(key: str, found: str, operator: Operator, is_needed: bool, fits: bool) -> Safety:
    """Safe where the loader refuses the name, the value fits, and no other name is near."""
    if not fits:
        return "unsafe"
    names = list(operator.attributes)
    others = [name for name in names if name != found and distance(plain(key), plain(name)) <= 3]
    close = len(found) > 4 and key[0] == found[0] and distance(plain(key), plain(found)) <= 2 and not others
    return "safe" if is_sure(key, found, names) or (is_needed and close) else "unsafe"


@cache
def _takers(operators: OperatorTable) -> dict[str, dict[str, frozenset[str]]]:
    """Return the operators that take an attribute, by their names, and the words that they know for it."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for name in operators.names:
        operator = operators.get(name)
        for attribute in operator.attributes.values() if operator is not None else ():
            found.setdefault(attribute.name, {})[name] = frozenset(attribute.values)
    return found


def are_known(operators: OperatorTable, names: list[str]) -> bool:
    """Return whether some operator takes each of the attributes: none of them is misspelt."""
    return _takers(operators).keys() >= set(names)


def is_right_elsewhere(operators: OperatorTable, op: str, fault: Fault, text: str) -> bool:
    """Return whether the attribute that a fault is about, or its word, is one that another operator takes."""
    if fault.rule == R.unknown_attribute:
        return fault.name in _takers(operators)
    if fault.rule != R.value_not_in_enum:
        return False
    return any(text in words for other, words in _takers(operators).get(fault.name, {}).items() if other != op)


def is_named_for_another(operators: OperatorTable, op: str, name: str, fault: Fault) -> bool:
    """Return whether a node is named, as front ends do, for an operator that takes the attribute that its own does not know: transpose0."""
    bare = name.rstrip("0123456789").lower()
    return bare != op.lower() and bare in map(str.lower, _takers(operators).get(fault.name, {}))
