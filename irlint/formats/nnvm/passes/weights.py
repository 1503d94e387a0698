"""Compare the parameter file of a model with the graph."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from irlint.files.side_files import SideFile, foreign, is_pointer
from irlint.findings import Problem, Severity
from irlint.formats.nnvm.passes.variables import VariableRoles, roles_of
from irlint.formats.nnvm.passes.wording import names
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.beside import named, path_of
from irlint.formats.nnvm.reading.graph import declared_type
from irlint.formats.nnvm.reading.params import Array, ParamsDefect, ParamsIndex, prefixed, read_index
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.formats.nnvm.state import state_of
from irlint.operators import nearest
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.words import count

if TYPE_CHECKING:
    from irlint.formats.nnvm.tvm.lists import Lists

_TVM_PARAMETER = re.compile(r"p[0-9]+")
_TVM_TYPES = {"uint1": "bool", "float": "float32", "int": "int32", "uint": "uint32"}  # by their short names
_UNREADABLE = {  # by dialect and kind of file
    (dialects.TVM, "mxnet"): "an MXNet parameter file; TVM cannot read it",
    **dict.fromkeys(((dialects.MXNET, "tvm"), (dialects.LEGACY, "tvm")), "a TVM parameter file; MXNet cannot read it"),
}
_MANY = 20  # findings of one kind; the rest is only counted


def check(model: Model, view: GraphView) -> Iterator[Problem]:
    """Report what is wrong with the parameter file, and where it contradicts the graph."""
    path = path_of(model)
    assert path is not None
    file = SideFile(path, None if named(model) else model.path)
    index = yield from _opened(model, file)
    if index is None:
        return
    state_of(model).params = (file, index)  # the dry run takes its values from here
    if what := _UNREADABLE.get((model.dialect, index.kind)):
        yield Problem(R.weights_mismatch, _AT, f"{path.name!r} is {what}")
    else:
        yield from (_tvm if model.dialect == dialects.TVM else _mxnet)(model, view, index, path.name)


_AT = Place(("arg_nodes",), "key")


def _opened(model: Model, file: SideFile) -> Generator[Problem, None, ParamsIndex | None]:
    from irlint.missing_weights import missing, pointer

    name = file.path.name
    expected = f"expected a parameter file in {name!r}"
    if file.state == "outside":
        message = f"parameter file {name!r} is outside the model's folder; irlint does not open it"
        yield Problem(R.unsafe_path, _AT, message)
    elif file.state == "missing":
        yield missing(model, R.missing_weights, _AT, f"missing parameter file {name!r}", file.path)
    elif file.state != "open":
        yield Problem(R.weights_format, _AT, f"expected a readable regular file for parameter file {name!r}")
    elif (what := foreign(file.data)) is None:
        try:
            return read_index(file.data)
        except ParamsDefect as damage:
            rule = R.weights_too_short if damage.short else R.weights_format
            yield Problem(rule, _AT, f"{name!r}, byte {damage.offset}: {damage.reason}")
    elif is_pointer(file.data):
        yield pointer(model, R.weights_format, _AT, f"{expected}, got {what}")
    else:
        yield Problem(R.weights_format, _AT, f"{expected}, got {what}")
    return None


def _mxnet(model: Model, view: GraphView, index: ParamsIndex, file: str) -> Iterator[Problem]:
    is_classic, is_mxnet = model.dialect == dialects.CLASSIC, index.kind == "mxnet"
    if is_mxnet and index.arrays and not any(array.name for array in index.arrays):
        yield Problem(R.weights_mismatch, _AT, f"the arrays in {file!r} have no names; no variable can be filled")
        return
    bare = [array.name for array in index.arrays if is_mxnet and not array.name.startswith(("arg:", "aux:"))]
    if bare and not is_classic:
        if not prefixed(index) and set(view.names).isdisjoint(bare):
            return  # saved by other means, under other names
        yield _without_prefix(bare, prefixed(index), file)
    yield from _filled(model, view, index, file)


def _without_prefix(bare: list[str], others_have_one: bool, file: str) -> Problem:
    some = f"name {bare[0]!r}" if len(bare) == 1 else "some names"
    which = some if others_have_one else "all names"
    message = f"missing prefix `arg:` or `aux:` on {which} in {file!r}; most of MXNet's loaders refuse the file"
    return Problem(R.weights_mismatch, _AT, message, severity=Severity.WARNING)


def _filled(model: Model, view: GraphView, index: ParamsIndex, file: str) -> Iterator[Problem]:
    """Compare the arrays with the variables that they fill."""
    # a prefix, perhaps an empty one, and a name
    split = [("", *array.name.split(":", 1))[-2:] for array in index.arrays]
    found = {name: (prefix, array) for (prefix, name), array in zip(split, index.arrays, strict=True)}
    variables = _variables(view)
    assert model.operators is not None
    roles = roles_of(model.operators, view)
    surplus = [name for name in found if name not in variables and name not in roles.added]
    if found and len(surplus) == len(found):
        yield _of_another(surplus, file, "variable")
        return
    missing = [name for name, i in variables.items() if i in roles.parameters and name not in found]
    yield from _missing(view, variables, missing, surplus, file)
    if surplus:
        yield _unused(surplus, file)
    for name in filter(variables.__contains__, found):
        yield from _prefix(view, variables[name], roles, found[name][0], file)
        yield from _types(view, variables[name], found[name][1], file)


def _prefix(view: GraphView, index: int, roles: VariableRoles, prefix: str, file: str) -> Iterator[Problem]:
    wanted, what = ("aux", "an auxiliary state") if index in roles.states else ("arg", "an argument")
    if prefix not in ("", wanted):
        name = view.names[index]
        message = f"expected prefix `{wanted}:` for {name!r} ({what}) in {file!r}, got `{prefix}:`"
        yield Problem(R.weights_mismatch, view.place(index, "name"), message, name)


def _variables(view: GraphView) -> dict[str, int]:
    return {view.names[i]: i for i, op in enumerate(view.ops) if op == "null"}


def _missing(
    view: GraphView, variables: dict[str, int], missing: list[str], surplus: list[str], file: str
) -> Iterator[Problem]:
    """Report parameters that the file does not hold. Arrays under a similar name are taken out of the surplus ones."""
    more = f" (and {len(missing) - _MANY} more)" if len(missing) > _MANY else ""
    for name in missing[:_MANY]:
        hint = ""
        if (meant := nearest(name, surplus)) is not None:
            surplus.remove(meant)
            hint = f"; did you mean the unused array {meant!r}?"
        message = f"missing values for {name!r}{more if name == missing[0] else ''} in {file!r}{hint}"
        yield Problem(R.missing_weights, view.place(variables[name], "name"), message, name)


def _unused(surplus: list[str], file: str, rest: str = "") -> Problem:
    message = f"{count(len(surplus), 'unused array')} in {file!r}: {names(surplus, 5)}{rest}"
    return Problem(R.unused_weights, _AT, message, severity=Severity.WARNING)


def _of_another(arrays: list[str], file: str, what: str) -> Problem:
    """Return the problem of a file of which no array has the name of a variable."""
    held = f"none of its {len(arrays)} arrays ({arrays[0]!r}, ...) is a"
    if len(arrays) == 1:
        held = f"its only array, {arrays[0]!r}, is not a"
    return Problem(R.weights_mismatch, _AT, f"{file!r} belongs to another model: {held} {what} of this graph")


def _types(view: GraphView, index: int, array: Array, file: str) -> Iterator[Problem]:
    """Compare what a variable declares with what the file holds."""
    (dtype, shape), name = declared_type(view.attrs[index]), view.names[index]
    if array.shape is None:
        return
    if shape is not None and not _fits(shape, array.shape):
        declared, at = f"shape {view.attrs[index]['__shape__']}", view.place(index, "attr:__shape__")
        yield _mismatch(name, at, declared, f"shape {array.shape} in {file!r}")
    elif dtype not in (None, array.dtype):
        at, held = view.place(index, "attr:__dtype__"), f"{array.dtype} in {file!r}; MXNet converts the values"
        yield _mismatch(name, at, f"type {dtype}", held, Severity.WARNING)


def _mismatch(name: str, at: Place, declared: str, held: str, severity: Severity | None = None) -> Problem:
    """Return the problem of an array that is not as the graph declares it."""
    message = f"declared {declared} of {name!r} does not match {held}"
    return Problem(R.weights_mismatch, at, message, name, severity=severity)


def _fits(declared: tuple[object, ...], given: tuple[int, ...]) -> bool:
    return len(declared) == len(given) and all(d in (None, g) for d, g in zip(declared, given, strict=True))


def _tvm(model: Model, view: GraphView, index: ParamsIndex, file: str) -> Iterator[Problem]:
    from irlint.formats.nnvm.tvm.lists import Lists

    lists, variables = Lists(view), _variables(view)
    found = {array.name: array for array in index.arrays}
    surplus = [name for name in found if name not in variables]
    if found and len(surplus) == len(found):
        yield _of_another(surplus, file, "input")
        return
    for name, i in variables.items():
        if name in found:
            yield from _tvm_types(lists, i, found[name], file)
        elif _TVM_PARAMETER.fullmatch(name):
            message = f"missing values for {name!r} in {file!r}; TVM leaves it uninitialized"
            yield Problem(R.missing_weights, view.place(i, "name"), message, name, severity=Severity.WARNING)
    if surplus:
        yield _unused(surplus, file, f"; TVM ignores {'it' if len(surplus) == 1 else 'them'}")


def _tvm_types(lists: Lists, index: int, array: Array, file: str) -> Iterator[Problem]:
    if not lists.sound:
        return
    assert lists.rows is not None
    value = lists.rows[index]
    shape, dtype = lists.values["shape"][value], lists.values["dltype"][value]
    if array.shape is not None and list(array.shape) != shape:
        at, held = Place(("attrs", "shape", 1, value)), f"shape {list(array.shape)} in {file!r}"
        yield _mismatch(array.name, at, f"shape {shape}", held)
    elif array.dtype != _TVM_TYPES.get(dtype, dtype):
        at = Place(("attrs", "dltype", 1, value))
        yield _mismatch(array.name, at, f"type {dtype}", f"{array.dtype} in {file!r}")
