"""The reference of the Python API, made of what `irlint` exports: signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

from markup import code, definitions, inline

import irlint

WIDTH = 88  # of a signature in one line

_HEAD = """\
---
description: The Python API of irlint. Every public name, with its signature and its documentation.
---

# Python API

These are the public names of `irlint`. What is not listed here may change without notice.

```python
import irlint

for finding in irlint.lint("model.json"):
    print(finding.code, finding.message)
```
"""


def page() -> str:
    names = sorted((name for name in irlint.__all__ if not name.startswith("_")), key=lambda n: (n[0].isupper(), n))
    return "\n\n".join([_HEAD, *(_entry(name, getattr(irlint, name)) for name in names)]) + "\n"


def _entry(name: str, value: Any) -> str:
    parts = [f"## {name} {{ #{name} }}"]
    if inspect.isclass(value):
        parts += [_class(name, value), _docstring(value)]
        if members := list(_members(name, value)):
            parts.append(definitions(members))
    elif callable(value):
        parts += [_fenced(f"{name}{_signature(value)}"), _docstring(value)]
    else:
        parts.append(_docstring(value) if inspect.ismodule(value) else _fenced(f"{name} = {value!r}"))
    return "\n\n".join(part for part in parts if part)


def _fenced(text: str) -> str:
    return f"```python\n{text}\n```"


def _docstring(value: Any) -> str:
    """Return a docstring as Markdown; that of a base class, or one that a decorator wrote, is not the value's own."""
    own = vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__
    return inspect.cleandoc(own) if own and not own.startswith(f"{getattr(value, '__name__', '')}(") else ""


def _class(name: str, value: type) -> str:
    """Return the head of a class: of a record its fields, else how it is called."""
    bases = ", ".join(base.__name__ for base in value.__bases__ if issubclass(base, (Enum, BaseException, int, str)))
    if fields := _fields(value):
        return _fenced("\n".join([f"class {name}:", *(f"    {field}" for field in fields)]))
    if issubclass(value, Enum):
        return _fenced("\n".join([f"class {name}({bases}):", *(f"    {m.name} = {m.value!r}" for m in value)]))
    if bases or value.__init__ is object.__init__:
        return _fenced(f"class {name}({bases})" if bases else f"class {name}")
    return _fenced(f"class {name}{_signature(value)}")


def _fields(value: type) -> list[str]:
    """Return the public fields of a record, each with its type and its default."""
    names = getattr(value, "__match_args__", None) or getattr(value, "_fields", ())
    types = {key: type_ for base in reversed(value.__mro__) for key, type_ in inspect.get_annotations(base).items()}
    defaults = {key: field.default for key, field in getattr(value, "__fields__", {}).items()}
    defaults |= getattr(value, "_field_defaults", {})
    found = []
    for name in names:
        default = f" = {_shown(defaults[name])}" if name in defaults else ""
        found.append(f"{name}: {_written(str(types.get(name, 'Any')))}{default.removesuffix(' = ...')}")
    return [field for field in found if not field.startswith("_")]


def _signature(value: Any) -> str:
    """Return a signature as it is written, in one line or with a line for each parameter."""
    found = inspect.signature(value)
    plain = found.replace(
        parameters=[
            p.replace(default=_Default(p)) if p.default is not p.empty else p for p in found.parameters.values()
        ],
        return_annotation=found.return_annotation if not inspect.isclass(value) else found.empty,
    )
    text = _written(str(plain))
    if len(text) <= WIDTH:
        return text
    marks: list[str] = []
    kind = None
    for parameter in plain.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and kind not in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL):
            marks.append("*")
        marks.append(_written(str(parameter)))
        kind = parameter.kind
    body = "".join(f"    {mark},\n" for mark in marks)
    return f"(\n{body}){text[text.rindex(')') + 1 :] if ' -> ' in text else ''}"


class _Default:
    """A default value, shown as short as it can be."""

    def __init__(self, parameter: inspect.Parameter) -> None:
        self.value = parameter.default

    def __repr__(self) -> str:
        return _shown(self.value)


def _shown(value: Any) -> str:
    """Return a default value as it is written; dots for one that is computed or has no short form."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    text = repr(value)
    return "..." if " at 0x" in text else text


def _written(text: str) -> str:
    """Return an annotation without the quotes of a postponed one and without modules."""
    return re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", re.sub(r"(: |-> )'([^']*)'", r"\1\2", text))


def _members(name: str, value: type) -> Iterator[tuple[str, str, str]]:
    fields = {field.partition(":")[0] for field in _fields(value)}
    for key, member in inspect.getmembers_static(value):
        if key.startswith("_") or key in fields or isinstance(member, value):
            continue
        if isinstance(member, (staticmethod, classmethod)):
            member = member.__func__
        if inspect.isfunction(member):
            yield f"{name}.{key}", code(f"{key}{_signature(member)}"), inline(_summary(member))
        elif isinstance(member, property) or hasattr(member, "func"):
            get = getattr(member, "fget", None) or getattr(member, "func", None)
            returns = _written(str(inspect.signature(get).return_annotation)) if get else ""
            yield f"{name}.{key}", code(f"{key}: {returns.strip(chr(39))}"), inline(_summary(get))


def _summary(function: Any) -> str:
    return " ".join((inspect.getdoc(function) or "").split())
