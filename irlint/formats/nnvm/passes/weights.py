"""Compare the parameter file of a model with the graph."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterator

from irlint.files.side_files import SideFile, foreign, is_pointer
from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.roles import roles_of
from irlint.formats.nnvm.passes.wording import names
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.beside import named, path_of
from irlint.formats.nnvm.reading.graph import declared_type
from irlint.formats.nnvm.reading.params import Array, ParamsDefect, ParamsIndex, prefixed, read_index
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.state import state_of
from irlint.operators import nearest
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.words import count

_WEIGHTS = re.compile(r".*(?:weight|bias|gamma|beta|moving_mean|moving_var|running_mean|running_var|parameters)")
_TVM_PARAMETER = re.compile(r"p[0-9]+")
_MANY = 20  # findings of one kind; the rest is only counted


def check(model: Model, view: GraphView) -> Iterator[Problem]:
    """Report what is wrong with the parameter file, and where it contradicts the graph."""
    path = path_of(model)
    if path is None:
        return
    file = SideFile(path, None if named(model) else model.path)
    index = yield from _opened(model, file)
    if index is not None:
        state_of(model).params = (file, index)  # the dry run takes its values from here
        yield from (_tvm if model.dialect == dialects.TVM else _mxnet)(model, view, index, path.name)


_AT = Place(("arg_nodes",), "key")


def _opened(model: Model, file: SideFile) -> Generator[Problem, None, ParamsIndex | None]:
    from irlint.missing_weights import missing, pointer

    name = file.path.name
    if file.state == "outside":
        yield Problem(
            R.unsafe_path, _AT, f"parameter file {name!r} is outside the model's folder; irlint does not open it"
        )
    elif file.state == "missing":
        yield missing(model, R.missing_weights, _AT, f"missing parameter file {name!r}", file.path)
    elif file.state != "open":
        yield Problem(R.weights_format, _AT, f"expected a readable regular file for parameter file {name!r}")
    elif (what := foreign(file.data)) is not None and is_pointer(file.data):
        yield pointer(model, R.weights_format, _AT, f"expected a parameter file in {name!r}, got {what}")
    elif what is not None:
        yield Problem(R.weights_format, _AT, f"expected a parameter file in {name!r}, got {what}")
    else:
        try:
            return read_index(file.data)
        except ParamsDefect as damage:
            rule = R.weights_too_short if damage.short else R.weights_format
            yield Problem(rule, _AT, f"{name!r}, byte {damage.offset}: {damage.reason}")
    return None


def _mxnet(model: Model, view: GraphView, index: ParamsIndex, file: str) -> Iterator[Problem]:
    classic = model.dialect == dialects.CLASSIC
    if index.kind == "tvm" and not classic:
        message = f"{file!r} is a TVM parameter file; MXNet cannot read it"
        yield Problem(R.weights_mismatch, _AT, message)
        return
    if index.kind == "mxnet" and index.arrays and not any(array.name for array in index.arrays):
        yield Problem(R.weights_mismatch, _AT, f"the arrays in {file!r} have no names; no variable can be filled")
        return
    bare = [a.name for a in index.arrays if not a.name.startswith(("arg:", "aux:"))] if index.kind == "mxnet" else []
    if bare and not classic:
        if not prefixed(index) and not any(name in view.names for name in bare):
            return  # saved by other means, under other names
        yield _without_prefix(bare, prefixed(index), file)
    yield from _filled(model, view, index, file)


def _without_prefix(bare: list[str], others_have_one: bool, file: str) -> Problem:
    which = "all names" if not others_have_one else f"name {bare[0]!r}" if len(bare) == 1 else "some names"
    message = f"missing prefix `arg:` or `aux:` on {which} in {file!r}; most of MXNet's loaders refuse the file"
    return Problem(R.weights_mismatch, _AT, message, severity=Severity.WARNING)


def _filled(model: Model, view: GraphView, index: ParamsIndex, file: str) -> Iterator[Problem]:
    """Compare the arrays with the variables that they fill."""
    found: dict[str, tuple[str, Array]] = {}
    for array in index.arrays:
        kind, colon, name = array.name.partition(":")
        found[name if colon else array.name] = (kind if colon else "", array)
    variables = {view.names[i]: i for i, op in enumerate(view.ops) if op == "null"}
    assert model.operators is not None
    roles, states, added = roles_of(model.operators, view)
    yield from _between(view, variables, found, roles, added, file)
    for name, (kind, array) in found.items():
        if name not in variables:
            continue
        at, i = view.place(variables[name], "name"), variables[name]
        wanted = "aux" if i in states else "arg"
        if kind and kind != wanted:
            what = "an auxiliary state" if wanted == "aux" else "an argument"
            message = f"expected prefix `{wanted}:` for {name!r} ({what}) in {file!r}, got `{kind}:`"
            yield Problem(R.weights_mismatch, at, message, name)
        yield from _types(view, i, array, file)


def _between(
    view: GraphView,
    variables: dict[str, int],
    found: dict[str, tuple[str, Array]],
    roles: set[int],
    added: set[str],
    file: str,
) -> Iterator[Problem]:
    """Report parameters that the file does not hold, and arrays that the graph does not use."""
    missing = [name for name, i in variables.items() if i in roles and name not in found]
    surplus = [name for name in found if name not in variables and name not in added]
    if len(surplus) == len(found) and found:
        yield Problem(R.weights_mismatch, _AT, _none(found, file, "variable"))
        return
    for name in missing[:_MANY]:
        meant = nearest(name, surplus)
        if meant is not None:
            surplus.remove(meant)
        more = f"; did you mean the unused array {meant!r}?" if meant else ""
        rest = f" (and {len(missing) - _MANY} more)" if len(missing) > _MANY and name == missing[0] else ""
        message = f"missing values for {name!r}{rest} in {file!r}{more}"
        yield Problem(R.missing_weights, view.place(variables[name], "name"), message, name)
    if surplus:
        message = f"{count(len(surplus), 'unused array')} in {file!r}: {names(surplus, 5)}"
        yield Problem(R.unused_weights, _AT, message, severity=Severity.WARNING)


def _none(found: Collection[str], file: str, what: str) -> str:
    first = repr(next(iter(found)))
    if len(found) == 1:
        return f"{file!r} belongs to another model: its only array, {first}, is not a {what} of this graph"
    return (
        f"{file!r} belongs to another model: none of its {len(found)} arrays ({first}, ...) is a {what} of this graph"
    )


def _types(view: GraphView, index: int, array: Array, file: str) -> Iterator[Problem]:
    """Compare what a variable declares with what the file holds."""
    dtype, shape = declared_type(view.attrs[index])
    name = view.names[index]
    if array.shape is None:
        return
    if shape is not None and not _fits(shape, array.shape):
        declared = view.attrs[index]["__shape__"]
        message = f"declared shape {declared} of {name!r} does not match shape {array.shape} in {file!r}"
        yield Problem(R.weights_mismatch, view.place(index, "attr:__shape__"), message, name)
    elif dtype is not None and dtype != array.dtype:
        message = (
            f"declared type {dtype} of {name!r} does not match {array.dtype} in {file!r}; MXNet converts the values"
        )
        place = view.place(index, "attr:__dtype__")
        yield Problem(R.weights_mismatch, place, message, name, severity=Severity.WARNING)


def _fits(declared: tuple[object, ...], given: tuple[int, ...]) -> bool:
    return len(declared) == len(given) and all(d is None or d == g for d, g in zip(declared, given, strict=True))


def _tvm(model: Model, view: GraphView, index: ParamsIndex, file: str) -> Iterator[Problem]:
    from irlint.formats.nnvm.tvm.lists import Lists

    if index.kind == "mxnet":
        yield Problem(R.weights_mismatch, _AT, f"{file!r} is an MXNet parameter file; TVM cannot read it")
        return
    lists = Lists(view)
    found = {array.name: array for array in index.arrays}
    variables = {view.names[i]: i for i, op in enumerate(view.ops) if op == "null"}
    surplus = [name for name in found if name not in variables]
    if found and len(surplus) == len(found):
        yield Problem(R.weights_mismatch, _AT, _none(found, file, "input"))
        return
    for name, i in variables.items():
        if name not in found:
            if _TVM_PARAMETER.fullmatch(name):
                message = f"missing values for {name!r} in {file!r}; TVM leaves it uninitialized"
                yield Problem(R.missing_weights, view.place(i, "name"), message, name, severity=Severity.WARNING)
            continue
        if lists.sound and lists.rows is not None:
            yield from _tvm_types(lists, lists.rows[i], found[name], file)
    if surplus:
        arrays = count(len(surplus), "unused array")
        message = f"{arrays} in {file!r}: {names(surplus, 5)}; TVM ignores {'it' if len(surplus) == 1 else 'them'}"
        yield Problem(R.unused_weights, _AT, message, severity=Severity.WARNING)


def _tvm_types(lists: object, value: int, array: Array, file: str) -> Iterator[Problem]:
    from irlint.formats.nnvm.tvm.lists import Lists

    assert isinstance(lists, Lists)
    shape, dtype = lists.values["shape"][value], lists.values["dltype"][value]
    if array.shape is not None and list(array.shape) != shape:
        message = f"declared shape {shape} of {array.name!r} does not match shape {list(array.shape)} in {file!r}"
        yield Problem(R.weights_mismatch, Place(("attrs", "shape", 1, value)), message, array.name)
    elif array.dtype != {"uint1": "bool", "float": "float32", "int": "int32", "uint": "uint32"}.get(dtype, dtype):
        message = f"declared type {dtype} of {array.name!r} does not match {array.dtype} in {file!r}"
        yield Problem(R.weights_mismatch, Place(("attrs", "dltype", 1, value)), message, array.name)
