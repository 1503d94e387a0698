"""What irlint uses of `dataclasses` and `typing.NamedTuple`, without what takes longer than a small file to lint: the import of
`inspect`, and a look at what each field is said to be.

`frozen` promises that nobody changes a record, and makes it hashable; nobody checks the promise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _Named(type):
        def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> Any:
            if not bases:
                return super().__new__(cls, name, bases, members)
            fields = members.get("__annotations__", {})
            defaults = [members[field] for field in fields if field in members]
            made = namedtuple(name, fields, defaults=defaults, module=members["__module__"])
            for key, value in members.items():
                if key not in fields:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Named):
        pass

    _MISSING = object()

    class _Field:
        def __init__(self, default: Any, factory: Any, compare: bool) -> None:
            self.default, self.factory, self.compare = default, factory, compare

    def field(*, default: Any = _MISSING, default_factory: Any = None, compare: bool = True, hash: Any = None) -> Any:
        return _Field(default, default_factory, compare)

    def dataclass(cls: Any = None, /, *, slots: bool = False, frozen: bool = False, eq: bool = True) -> Any:
        def made(cls: Any) -> Any:
            return _made(cls, slots, frozen, eq)

        return made if cls is None else made(cls)

    def replace(record: Any, /, **changes: Any) -> Any:
        return type(record)(**{name: getattr(record, name) for name in record.__match_args__} | changes)

    def _made(cls: Any, slots: bool, frozen: bool, eq: bool) -> Any:
        own = {
            name: _as_field(cls.__dict__.get(name, _MISSING))
            for name, kind in cls.__annotations__.items()
            if not str(kind).startswith("ClassVar")
        }
        fields: dict[str, _Field] = {}
        for base in reversed(cls.__mro__):
            fields |= base.__dict__.get("__fields__", {})
        fields |= own
        for name, one in own.items():
            if one.default is not _MISSING and not slots:
                setattr(cls, name, one.default)
            elif name in cls.__dict__:
                delattr(cls, name)
        if slots:
            cls = _with_slots(cls, tuple(own))
        cls.__fields__ = fields
        cls.__match_args__ = tuple(fields)
        cls.__init__ = _init(fields, hasattr(cls, "__post_init__"))
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = _repr
        if eq:
            _compare(cls, [name for name in fields if fields[name].compare], frozen)
        return cls

    def _with_slots(cls: type, slots: tuple[str, ...]) -> type:
        """Return the class again, with slots: they cannot be added to one that is there."""
        members = {k: v for k, v in cls.__dict__.items() if k not in ("__dict__", "__weakref__")}
        new = type(cls)(cls.__name__, cls.__bases__, {**members, "__slots__": slots})
        new.__qualname__ = cls.__qualname__
        return new

    def _compare(cls: Any, fields: list[str], frozen: bool) -> None:
        """Have records compared by some of their fields and, if they are frozen, hashed."""

        def key(self: Any) -> tuple[Any, ...]:
            return tuple([getattr(self, name) for name in fields])

        cls.__eq__ = lambda self, other: key(self) == key(other) if type(other) is type(self) else NotImplemented
        cls.__hash__ = (lambda self: hash(key(self))) if frozen else None

    def _as_field(value: Any) -> _Field:
        return value if isinstance(value, _Field) else _Field(value, None, True)

    def _init(fields: dict[str, _Field], post: bool) -> Any:
        names: dict[str, Any] = {"_missing": _MISSING}
        arguments, body = ["self"], []
        for name, one in fields.items():
            argument, value = name, name
            if one.factory is not None:
                names[f"_make_{name}"] = one.factory
                argument = f"{name}=_missing"
                value = f"_make_{name}() if {name} is _missing else {name}"
            elif one.default is not _MISSING:
                names[f"_default_{name}"] = one.default
                argument = f"{name}=_default_{name}"
            arguments.append(argument)
            body.append(f"    self.{name} = {value}\n")
        if post:
            body.append("    self.__post_init__()\n")
        exec(f"def __init__({', '.join(arguments)}):\n{''.join(body) or '    pass'}", names)
        return names["__init__"]

    def _repr(self: Any) -> str:
        return (
            f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__match_args__)})"
        )


__all__ = ["NamedTuple", "dataclass", "field", "replace"]
