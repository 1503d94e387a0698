"""Check the hidden keys of variables: the few __x__ whose values are read at inference, bind or in training."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from irlint.findings import Safety, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.examine import HIDDEN, LoaderBehavior, only_texts
from irlint.formats.nnvm.passes.issue import Issue
from irlint.formats.nnvm.passes.wording import code
from irlint.formats.nnvm.reading.values import EMPTY, NO_TUPLE, BadValue, leading_int, leading_shape
from irlint.operators import Attribute
from irlint.text.patterns import later

DTYPES = {
    "undefined": -1,
    "float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6, "bool": 7, "int16": 8,
    "uint16": 9, "uint32": 10, "uint64": 11, "bfloat16": 12,
}  # fmt: skip
_STORAGES = {"default": 0, "row_sparse": 1, "csr": 2}
_UNKNOWN = -1  # storage type
_Check = Callable[[str, str], Iterator[Issue]]
_READ = ("__shape__", "__dtype__", "__storage_type__", "__lr_mult__", "__wd_mult__", "__init__")
_PLAIN_INIT = later(r'\["\w+", \{\}\]|\w*', re.ASCII)


class VariableCheck:
    """A check of the attributes of variables; equal ones are checked once."""

    def __init__(self, era: LoaderBehavior) -> None:
        self.era = era
        self._known: dict[tuple[str, ...], tuple[Issue, ...]] = {}

    def __call__(self, attrs: Mapping[str, str]) -> tuple[Issue, ...]:
        key = (*attrs, *attrs.values())
        if (found := self._known.get(key)) is None:
            only_texts(attrs.values())
            found = self._known[key] = tuple(self._issues(attrs))
        return found

    def _issues(self, attrs: Mapping[str, str]) -> Iterator[Issue]:
        for key in _READ:
            if key in attrs:
                yield from _CHECKS[key](key, attrs[key])
        if not self.era.moves_hidden_keys:
            for bare in HIDDEN:
                if bare in attrs:
                    text, rest = f"attribute `{bare}` has no effect on", f"; MXNet 1.0 and later read `__{bare}__`"
                    yield Issue(
                        R.ignored_attribute,
                        f"attr_key:{bare}",
                        text,
                        f"__{bare}__",
                        "unsafe",
                        Severity.WARNING,
                        rest=rest,
                    )


def _shape(key: str, text: str) -> Iterator[Issue]:
    try:
        leading_shape(text)
    except BadValue as bad:
        from irlint.formats.nnvm.keys.repair import repair

        fixed = repair(Attribute(key, "shape"), text)
        why = "" if bad.reason in (NO_TUPLE, EMPTY) else f"; {bad.reason}"
        message = f"expected a tuple such as `(1, 3)` for `{key}` of"
        safety: Safety = fixed.safety if fixed else "unsafe"
        better, rest = fixed and fixed.text, f", got {code(text)}{why}"
        yield Issue(R.wrong_attribute_type, f"attr:{key}", message, better, safety, rest=rest)


def _numbered(what: str, names: Mapping[str, int]) -> _Check:
    """Return a check of a number that represents a name."""
    values = set(names.values())

    def check(key: str, text: str) -> Iterator[Issue]:
        try:
            number = leading_int(text)
        except BadValue:
            bare = text.strip().rpartition(".")[2].casefold()
            better = next((str(n) for name, n in names.items() if name.casefold() == bare), None)
            first = next(name for name, number in names.items() if number == 0)
            message = f"expected the number of a {what} (such as `0` for {first}) for `{key}` of"
            rest = f", got {code(text)}"
            yield Issue(R.wrong_attribute_type, f"attr:{key}", message, better, "safe", rest=rest)
            return
        if number not in values:
            low, high = min(values), max(values)
            listed = f"{low} ({_name(names, low)}) to {high} ({_name(names, high)})"
            message, rest = f"unknown {what} {code(text)} for `{key}` of", f"; expected {listed}"
            yield Issue(R.value_not_in_enum, f"attr:{key}", message, rest=rest)

    return check


def _name(names: Mapping[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


_storage_number = _numbered("storage type", _STORAGES)


def _storage(key: str, text: str) -> Iterator[Issue]:
    try:
        unknown = leading_int(text) == _UNKNOWN
    except BadValue:
        unknown = False
    if unknown:  # as if there was no attribute where the operators decide the storage type
        message = f"unknown storage type {code(text)} for `{key}` of"
        rest = "; MXNet fails to bind the graph unless the operator that uses it decides the type"
        yield Issue(R.value_not_in_enum, f"attr:{key}", message, severity=Severity.WARNING, rest=rest)
    else:
        yield from _storage_number(key, text)


def _factor(key: str, text: str) -> Iterator[Issue]:
    try:
        # mxnet 1.9.1 loads and binds __lr_mult__='fast'; the optimizer fails on it
        float(text)
    except ValueError:
        message, rest = f"expected a number for `{key}` of", f", got {code(text)}; training fails on it"
        yield Issue(R.wrong_attribute_type, f"attr:{key}", message, severity=Severity.WARNING, rest=rest)


def _init(key: str, text: str) -> Iterator[Issue]:
    if _PLAIN_INIT.fullmatch(text):
        return
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    listed = isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)
    if not (listed or (isinstance(value, dict) and "initializer" in value)):
        message = f'expected an initializer (`name` or `["name", {{}}]`) for `{key}` of'
        rest = f", got {code(text)}; initialization fails on it"
        yield Issue(R.wrong_attribute_type, f"attr:{key}", message, severity=Severity.WARNING, rest=rest)


_CHECKS: dict[str, _Check] = {
    "__shape__": _shape,
    "__dtype__": _numbered("dtype", DTYPES),
    "__storage_type__": _storage,
    "__lr_mult__": _factor,
    "__wd_mult__": _factor,
    "__init__": _init,
}
