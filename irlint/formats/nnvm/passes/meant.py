"""What was meant by an operator or attribute that is not known, and whether another operator takes the attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from irlint.checks.fault import Subject
from irlint.checks.grammar import PLAIN
from irlint.checks.problems import unknown_operator
from irlint.findings import Fix, Problem, Safety
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.keys.repair import takes
from irlint.formats.nnvm.passes.issue import Issue
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.operators import Attribute, Operator, OperatorTable, table
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
    classic = model.dialect == dialects.CLASSIC
    title, other = ("NNVM", table("mxnet")) if classic else ("MXNet", table("nnvm"))
    assert model.operators is not None
    message = f"unknown operator `{op}`" if op else "empty operator"
    if op == "tvm_op":
        return Problem(R.unknown_operator, at, f"{message}; only TVM graph executor files have it", node)
    if nearest_operator(op, [near for near in ("null", model.operators.nearest(op)) if near]) == "null":
        sure = op.casefold() == "null"

        def fix(document: Document) -> Fix:
            return Fix("Rename to `null`", document.write(at, "null"), "safe" if sure else "unsafe")

        hint = "did you mean `null`?" if sure else "did you mean `null`, a variable?"
        return Problem(R.unknown_operator, at, f"{message}; {hint}", node, fix)
    if op in other:
        same = (_BACK if classic else _SAME).get(op)
        message += f"; it is an operator of {'MXNet' if classic else 'NNVM'}"
        return Problem(R.unknown_operator, at, message + (f", in {title} `{same}`" if same else ""), node)
    return PLAIN.problem(Subject("", node, lambda part: at), unknown_operator(op, model.operators))


_ANY = frozenset(("string", "char", "pointer"))  # kinds of which any text is a value


class MeantName(NamedTuple):
    name: str
    safety: Safety = "unsafe"
    by_value: bool = False


def meant(
    operator: Operator, key: str, attrs: Mapping[str, str], missing: Sequence[str], is_only: bool
) -> MeantName | None:
    """`missing`: required attributes that are not there; `is_only`: there is no other unknown attribute."""
    absent = {name: attribute for name, attribute in operator.attributes.items() if name not in attrs}
    fitting = [name for name, attribute in absent.items() if takes(attribute, attrs[key])]
    needed = [name for name in missing if name in fitting]
    for names in (needed, fitting, missing):
        if (found := nearest(key, names)) is not None:
            return MeantName(found, _safety(key, found, operator, found in needed, found in fitting))
    if (found := abbreviated(key, fitting)) is not None:
        return MeantName(found)
    known = list(operator.attributes)
    if (twin := nearest(key, known) or abbreviated(key, known)) is not None and twin in attrs:
        return None
    if len(missing) == len(needed) == 1 and is_only:
        return MeantName(needed[0], by_value=True)
    only = _only(absent, fitting)
    return MeantName(only, by_value=True) if only is not None and not missing else None


def _safety(key: str, found: str, operator: Operator, is_needed: bool, fits: bool) -> Safety:
    """Safe where the loader refuses the name, the value fits, and no other name is near."""
    if not fits:
        return "unsafe"
    names = list(operator.attributes)
    others = [name for name in names if name != found and distance(plain(key), plain(name)) <= 3]
    close = len(found) > 4 and key[0] == found[0] and distance(plain(key), plain(found)) <= 2 and not others
    return "safe" if is_sure(key, found, names) or (is_needed and close) else "unsafe"


def _only(absent: Mapping[str, Attribute], fitting: Sequence[str]) -> str | None:
    """The only attribute that can have the value: a word of an enum is one of few."""
    words = [name for name in fitting if absent[name].kind == "enum"]
    found = words or fitting
    return found[0] if len(found) == 1 and absent[found[0]].kind not in _ANY else None


@cache
def _takers(operators: OperatorTable) -> dict[str, dict[str, frozenset[str]]]:
    """The operators that take an attribute, by their names, and the words that they know for it."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for name in operators.names:
        operator = operators.get(name)
        for attribute in operator.attributes.values() if operator is not None else ():
            found.setdefault(attribute.name, {})[name] = frozenset(attribute.values)
    return found


def are_known(operators: OperatorTable, names: list[str]) -> bool:
    """Whether some operator takes each of the attributes: none of them is misspelt."""
    return all(name in _takers(operators) for name in names)


def is_right_elsewhere(operators: OperatorTable, op: str, issue: Issue, text: str) -> bool:
    """Whether the attribute that an issue is about, or its word, is one that another operator takes."""
    key = issue.part.partition(":")[2]
    takers = _takers(operators).get(key, {})
    if issue.rule == R.unknown_attribute:
        return bool(takers)
    return issue.rule == R.value_not_in_enum and any(text in words for other, words in takers.items() if other != op)


def is_named_for_another(operators: OperatorTable, op: str, name: str, issue: Issue) -> bool:
    """Whether a node is named, as front ends do, for an operator that takes the attribute that its own does not know: transpose0."""
    plain = name.rstrip("0123456789").lower()
    takers = _takers(operators).get(issue.part.partition(":")[2], {}) if issue.rule == R.unknown_attribute else {}
    return plain != op.lower() and any(plain == other.lower() for other in takers)
