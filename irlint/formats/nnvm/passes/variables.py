"""Check variables: the values of hidden keys __x__, inputs that they cannot have, and what they are named and used for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from irlint.checks.fault import NO_VALUE, Fault
from irlint.findings import Problem, Severity
from irlint.formats.nnvm.passes.examine import Examiner, only_texts
from irlint.formats.nnvm.passes.operands import HIDDEN, LoaderBehavior
from irlint.formats.nnvm.passes.wording import code
from irlint.formats.nnvm.reading.values import EMPTY, NO_TUPLE, BadValue, leading_int, leading_shape
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.operators import Attribute, OperatorTable
from irlint.records import NamedTuple
from irlint.tools import later

if TYPE_CHECKING:
    from irlint.formats.nnvm.reading.view import GraphView

DTYPES = {
    "undefined": -1,
    "float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6, "bool": 7, "int16": 8,
    "uint16": 9, "uint32": 10, "uint64": 11, "bfloat16": 12,
}  # fmt: skip
_STORAGES = {"default": 0, "row_sparse": 1, "csr": 2}
_UNKNOWN = -1  # storage type
_PLAIN_INIT = later(r'\["\w+", \{\}\]|\w*', re.ASCII)


class VariableCheck:
    """A check of the attributes of variables; equal ones are checked once."""

    def __init__(self, era: LoaderBehavior) -> None:
        self.era = era
        self._known: dict[tuple[str, ...], tuple[Fault, ...]] = {}

    def __call__(self, attrs: Mapping[str, str]) -> tuple[Fault, ...]:
        key = (*attrs, *attrs.values())
        if (found := self._known.get(key)) is None:
            only_texts(attrs.values())
            found = self._known[key] = tuple(self._faults(attrs))
        return found

    def _faults(self, attrs: Mapping[str, str]) -> Iterator[Fault]:
        for key, check in _CHECKS.items():
            if key in attrs and (fault := check(key, attrs[key])) is not None:
                yield fault
        for bare in () if self.era.moves_hidden_keys else filter(attrs.__contains__, HIDDEN):
            text, rest = f"attribute `{bare}` has no effect on", f"; MXNet 1.0 and later read `__{bare}__`"
            yield Fault(R.ignored_attribute, f"attr_key:{bare}", text, rest, f"__{bare}__", Severity.WARNING)


def _expected(key: str, told: str, text: str, rest: str = "", **how: Any) -> Fault:
    message = f"expected {told} for `{key}` of"
    return Fault(R.wrong_attribute_type, f"attr:{key}", message, f", got {code(text)}{rest}", **how)


def _shape(key: str, text: str) -> Fault | None:
    try:
        leading_shape(text)
    except BadValue as bad:
        from irlint.formats.nnvm.keys.repair import repair

        fixed = repair(Attribute(key, "shape"), text)
        how: dict[str, Any] = {"better": fixed.text, "safety": fixed.safety} if fixed else {}
        why = "" if bad.reason in (NO_TUPLE, EMPTY) else f"; {bad.reason}"
        return _expected(key, "a tuple such as `(1, 3)`", text, why, **how)
    return None


def _numbered(key: str, text: str, what: str, names: Mapping[str, int]) -> Fault | None:
    """Return what is wrong with a number that stands for a name."""
    by_number = {number: name for name, number in names.items()}
    try:
        number = leading_int(text)
    except BadValue:
        bare = text.strip().rpartition(".")[2].casefold()
        meant = next((str(n) for n, name in by_number.items() if name.casefold() == bare), NO_VALUE)
        told = f"the number of a {what} (such as `0` for {by_number[0]})"
        return _expected(key, told, text, better=meant, safety="safe")
    if number in by_number:
        return None
    low, high = min(by_number), max(by_number)
    rest = f"; expected {low} ({by_number[low]}) to {high} ({by_number[high]})"
    return Fault(R.value_not_in_enum, f"attr:{key}", f"unknown {what} {code(text)} for `{key}` of", rest)


def _dtype(key: str, text: str) -> Fault | None:
    return _numbered(key, text, "dtype", DTYPES)


def _storage(key: str, text: str) -> Fault | None:
    fault = _numbered(key, text, "storage type", _STORAGES)
    if fault is None or fault.rule != R.value_not_in_enum or leading_int(text) != _UNKNOWN:
        return fault
    # as if there was no attribute where the operators decide the storage type
    rest = "; MXNet fails to bind the graph unless the operator that uses it decides the type"
    return fault._replace(rest=rest, severity=Severity.WARNING)


def _factor(key: str, text: str) -> Fault | None:
    try:
        # mxnet 1.9.1 loads and binds __lr_mult__='fast'; the optimizer fails on it
        float(text)
    except ValueError:
        return _expected(key, "a number", text, "; training fails on it", severity=Severity.WARNING)
    return None


def _init(key: str, text: str) -> Fault | None:
    if _PLAIN_INIT.fullmatch(text) or _is_initializer(text):
        return None
    told, rest = 'an initializer (`name` or `["name", {}]`)', "; initialization fails on it"
    return _expected(key, told, text, rest, severity=Severity.WARNING)


def _is_initializer(text: str) -> bool:
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if isinstance(value, list):
        return list(map(type, value)) == [str, dict]
    return isinstance(value, dict) and "initializer" in value


_CHECKS = {
    "__shape__": _shape, "__dtype__": _dtype, "__storage_type__": _storage, "__lr_mult__": _factor, "__wd_mult__": _factor,
    "__init__": _init,
}  # fmt: skip


def variable_with_inputs(view: GraphView, reachable: set[int], index: int, several: bool) -> Problem:
    """Return the problem; `several`: an output other than the first is used."""
    name = view.names[index]
    lost = [entry[0] for entry in view.inputs[index] if view.has(entry[0]) and entry[0] not in reachable]
    message = f"variable {name!r} has inputs, which the loader drops"
    if index in reachable and (lost or several):
        with_them = f" together with {view.names[lost[0]]!r}" if lost else "; several of its outputs are used"
        message += f"{with_them}; did you mean an operator?"
        return Problem(R.variable_with_inputs, view.place(index, "op"), message, name)
    return Problem(R.variable_with_inputs, view.place(index, "inputs"), message, name, severity=Severity.WARNING)


def executor_variable(view: GraphView, index: int, called: bool, listed: bool) -> Problem:
    """Return the problem in a TVM graph; `called`: it has a function's attributes; `listed`: in arg_nodes.

    The executor ignores the attributes and the inputs of a node with the operator `null`.
    """
    name = view.names[index]
    if called and not listed:
        message = f"input {name!r} has the attributes of a function call; TVM never computes it"
        return Problem(R.variable_with_inputs, view.place(index, "op"), message, name)
    if called and not view.inputs[index]:
        message = f"input {name!r} has the attributes of a function call; TVM ignores them"
        return Problem(R.variable_with_inputs, view.place(index, "op"), message, name, severity=Severity.PEDANTIC)
    message = f"input {name!r} has inputs itself; TVM ignores them"
    return Problem(R.variable_with_inputs, view.place(index, "inputs"), message, name, severity=Severity.WARNING)


ROLES = frozenset(("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters"))


class VariableRoles(NamedTuple):
    """Indices of variables, and names."""

    parameters: set[int]  # surely: some operator takes them as its weight, bias, ...
    states: set[int]  # what a run changes: MXNet keeps them apart from the arguments
    added: set[str]  # variables that the loader makes by itself


def roles_of(table: OperatorTable, view: GraphView) -> VariableRoles:
    """Return what each variable is for, as far as operators show it."""
    examiner = Examiner(table, LoaderBehavior())
    roles = VariableRoles(set(), set(), set())
    for i, op in enumerate(view.ops):
        examined, operator = examiner(op, len(view.inputs[i]), view.attrs[i]), table.get(op)
        if examined is None or operator is None:
            continue
        ports, given = examined.arguments, view.inputs[i]
        states = {port.name for port in operator.inputs if port.facts.get("state")}
        roles.added.update(f"{view.names[i]}_{port}" for port in ports[len(given) :])
        taken = [(port, entry[0]) for port, entry in zip(ports, given, strict=False) if view.is_variable(entry[0])]
        roles.parameters.update(source for port, source in taken if port in ROLES)
        roles.states.update(source for port, source in taken if port in states)
    return roles


def is_never_told(table: OperatorTable, view: GraphView, index: int) -> bool:
    """Return whether nothing that takes a variable, which something does, tells its storage type.

    mxnet 1.9.1 does not bind operators that need to know how their inputs are stored to a variable of storage type -1. They were
    measured with every input of every operator of the dry run's cases; all others take such a variable for a dense one.
    """
    takers = {op for op, entries in zip(view.ops, view.inputs, strict=True) if any(e[0] == index for e in entries)}
    operators = [table.get(op) for op in takers - {"null"}]
    is_taken = bool(operators) or any(entry[0] == index for entry in view.heads)
    return is_taken and all(operator and operator.facts.get("asks_storage") for operator in operators)
