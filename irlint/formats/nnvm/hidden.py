"""Hidden keys of variables: the few __x__ whose values the loader reads later, at inference, bind or in training."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from irlint.findings import Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.examine import HIDDEN, Era, only_texts
from irlint.formats.nnvm.issue import Issue
from irlint.formats.nnvm.values import Bad, leading_int, leading_shape
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
    """Whether a variable's attributes need a closer look; equal ones are looked at once."""

    def __init__(self, era: Era) -> None:
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
                    text = f"attribute {bare!r} has no effect in this version; it is written {f'__{bare}__'!r} since MXNet 1.0"
                    yield Issue(
                        R.ignored_attribute, f"attr_key:{bare}", text, f"__{bare}__", "unsafe", Severity.WARNING
                    )


def _shape(key: str, text: str) -> Iterator[Issue]:
    try:
        leading_shape(text)
    except Bad as bad:
        from irlint.formats.nnvm.repair import repair

        fixed = repair(Attribute(key, "shape"), text)
        why = "" if bad.reason == "no tuple" else f": {bad.reason}"
        message = f"attribute {key!r} is {text!r} where a tuple such as (1, 3) belongs{why}"
        yield Issue(
            R.wrong_attribute_type, f"attr:{key}", message, fixed and fixed.text, fixed.safety if fixed else "unsafe"
        )


def _numbered(what: str, names: Mapping[str, int]) -> _Check:
    """A check of a number that stands for a name."""
    values = set(names.values())

    def check(key: str, text: str) -> Iterator[Issue]:
        try:
            number = leading_int(text)
        except Bad:
            bare = text.strip().rpartition(".")[2].casefold()
            better = next((str(n) for name, n in names.items() if name.casefold() == bare), None)
            first = next(name for name, number in names.items() if number == 0)
            message = f"attribute {key!r} is {text!r}; it takes the number of a {what}, as text: '0' for {first}"
            yield Issue(R.wrong_attribute_type, f"attr:{key}", message, better, "safe")
            return
        if number not in values:
            listed = ", ".join(f"{n} {name}" for name, n in names.items())
            yield Issue(
                R.value_not_in_enum,
                f"attr:{key}",
                f"attribute {key!r} is {text!r}, which is no {what}; it takes {listed}",
            )

    return check


_storage_number = _numbered("storage type", _STORAGES)


def _storage(key: str, text: str) -> Iterator[Issue]:
    try:
        unknown = leading_int(text) == _UNKNOWN
    except Bad:
        unknown = False
    if unknown:  # like no attribute at all where the operators tell the storage type
        message = (
            f"attribute {key!r} is {text!r}, unknown: binding fails unless the operator that reads it tells the type"
        )
        yield Issue(R.value_not_in_enum, f"attr:{key}", message, severity=Severity.WARNING)
    else:
        yield from _storage_number(key, text)


def _factor(key: str, text: str) -> Iterator[Issue]:
    try:
        # mxnet 1.9.1 loads and binds __lr_mult__='fast'; the optimizer fails on it
        float(text)
    except ValueError:
        message = f"attribute {key!r} is {text!r}, which is no number: training will fail on it"
        yield Issue(R.wrong_attribute_type, f"attr:{key}", message, severity=Severity.WARNING)


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
        message = (
            f'attribute {key!r} is {text!r}, neither an initializer\'s name nor ["name", {{}}]: filling it will fail'
        )
        yield Issue(R.wrong_attribute_type, f"attr:{key}", message, severity=Severity.WARNING)


_CHECKS: dict[str, _Check] = {
    "__shape__": _shape,
    "__dtype__": _numbered("dtype", DTYPES),
    "__storage_type__": _storage,
    "__lr_mult__": _factor,
    "__wd_mult__": _factor,
    "__init__": _init,
}
