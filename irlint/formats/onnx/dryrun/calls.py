"""How calls are put together from a node: its attributes with their defaults, its opset, which inputs and outputs it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from irlint.codes import R
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import Call, FromAttr, Keys
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor, constant, scalar
from irlint.formats.onnx.opsets import in_opset, types_of
from irlint.formats.onnx.wire import DTYPES
from irlint.graph import Node
from irlint.operators import Port
from irlint.records import NamedTuple

Make = Callable[["NodeAttrs"], Call]
Inputs = Sequence[int | FromAttr | None]

AUTO_PAD = {
    "NOTSET": "explicit",
    "": "explicit",
    "VALID": "valid",
    "SAME_UPPER": "same_upper",
    "SAME_LOWER": "same_lower",
}
_KINDS: dict[type, Any] = {
    bool: int,
    float: (int, float),
    type(None): object,
}  # which values each type of default allows
WINDOW_KEYS = {"kernel": "kernel_shape", "pads_begin": "pads", "pads_end": "pads", "groups": "group"}


class NodeAttrs:
    """The attributes of a node; those of another type than their default are for other rules: the node is not checked."""

    def __init__(self, node: Node, opset: int) -> None:
        self.values: Mapping[str, Any] = node.attrs
        self.opset = opset
        self.given = tuple([source[0] >= 0 for source in node.inputs])
        self.inputs = len(node.inputs)
        self.outputs = len(node.outputs)

    def has(self, place: int) -> bool:
        """Return whether the node has an input."""
        return place < len(self.given) and self.given[place]

    def at(self, place: int) -> int | None:
        """Return the place of an input as an origin of an operand; None if it is left out."""
        return place if self.has(place) else None

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def get(self, name: str, default: Any) -> Any:
        """Return an attribute, of the type that its default has; a default of None says nothing of that."""
        value = self.values.get(name)
        if value is None:
            return default
        kept = _kept(value, _KINDS.get(type(default), type(default)))
        return bool(kept) if isinstance(default, bool) else kept

    def need(self, name: str, kind: type) -> Any:
        """Return an attribute without a default."""
        return _kept(self.values.get(name), kind)

    def dtype(self, name: str, default: str | None = None) -> str | None:
        """Return the element type that an attribute names by its number; runtimes refuse 0 where it is not the default."""
        return self.wanted_dtype(name) if name in self else default

    def wanted_dtype(self, name: str) -> str:
        """Return the element type that an attribute names, which the node must have."""
        number = self.need(name, int)
        if number not in DTYPES:
            message = f"expected the number of an element type for `{name}`, got {number}"
            raise ShapeError(R.value_not_in_enum, message, f"attr:{name}")
        return DTYPES[number]

    def word(self, name: str, default: str, words: Mapping[str, str]) -> str:
        """Return the shared operator's word for that of an attribute."""
        found: str = _kept(words.get(self.get(name, default)), str)
        return found

    def listed(self, name: str) -> FromAttr | None:
        """Return a list of integers as an operand; None if it is absent."""
        if name not in self:
            return None
        return FromAttr(name, constant(self.need(name, tuple)))

    def number(self, name: str, default: Any, dtype: str | None = "float32") -> FromAttr:
        """Return a number as an operand."""
        return FromAttr(name, Tensor(dtype, (), (self.get(name, default),)))

    def pads(self) -> tuple[Any, Any]:
        """Return the padding before and after each axis."""
        pads = self.get("pads", ())
        half = len(pads) // 2
        return pads[:half], pads[half:]


def _kept(value: Any, kind: Any) -> Any:
    if not isinstance(value, kind):
        raise Undecided
    return value


def fixed(value: int, dtype: str = "int64") -> FromAttr:
    """Return a number that no attribute says as an operand."""
    return FromAttr("", scalar(value, dtype))


class Setting(NamedTuple):
    """What a setting of a shared operator is, by the attributes of a node."""

    read: Callable[[NodeAttrs], Any]


def of(name: str, default: Any) -> Setting:
    """Return a setting that is an attribute of another name."""
    return Setting(lambda a: a.get(name, default))


def needed(name: str, kind: type) -> Setting:
    """Return a setting that is an attribute without a default."""
    return Setting(lambda a: a.need(name, kind))


def dtype_of(name: str, default: str | None = None) -> Setting:
    """Return a setting that is the element type of a number."""
    return Setting(lambda a: a.dtype(name, default))


def always(value: Any) -> Setting:
    return Setting(lambda _: value)


def since(opset: int) -> Setting:
    """Return a setting that is true from an opset on."""
    return Setting(lambda a: a.opset >= opset)


def before(opset: int) -> Setting:
    return Setting(lambda a: a.opset < opset)


# What convolution and pooling have in common, and what convolutions have
WINDOWS: dict[str, Any] = {
    "strides": of("strides", ()),
    "dilations": of("dilations", ()),
    "pads_begin": Setting(lambda a: a.pads()[0]),
    "pads_end": Setting(lambda a: a.pads()[1]),
    "auto_pad": Setting(lambda a: a.word("auto_pad", "NOTSET", AUTO_PAD)),
}
FILTER: dict[str, Any] = {"kernel": of("kernel_shape", None), "groups": of("group", 1), **WINDOWS}
GEMM: dict[str, Any] = {
    "transpose_a": of("transA", False),
    "transpose_b": of("transB", False),
    "alpha": of("alpha", 1.0),
}


def taking(
    word: str, keys: Keys | None = None, /, *, inputs: Callable[[NodeAttrs], Inputs] | None = None, **settings: Any
) -> Make:
    """Return how calls of an operator are made: each setting is a `Setting`, or the default of an attribute of the same name."""
    read = {name: one if isinstance(one, Setting) else of(name, one) for name, one in settings.items()}

    def make(attrs: NodeAttrs) -> Call:
        found = {name: one.read(attrs) for name, one in read.items()}
        return Call(operator(word), found, None if inputs is None else inputs(attrs), keys)

    return make


def having(word: str, **attributes: Any) -> Make:
    """Return how calls of an operator with fixed attributes are made."""
    return lambda attrs: Call(operator(word), attributes)


def demanding(make: Make, *signatures: tuple[str, str], opset: int = 1) -> Make:
    """Return how calls are made that demand more of their inputs from an opset on: signatures, each with the names of inputs."""
    split = tuple([(signature, tuple(names.split())) for signature, names in signatures])

    def made(attrs: NodeAttrs) -> Call:
        call = make(attrs)
        call.demands = split if attrs.opset >= opset else ()
        return call

    return made


def from_opset(opset: int, newer: Make, older: Make) -> Make:
    """Return how calls of an operator are made that an opset changed."""
    return lambda attrs: newer(attrs) if attrs.opset >= opset else older(attrs)


def with_axes(word: str, opset: int, name: str = "axes", **attributes: Any) -> Make:
    """Return how calls of an operator are made whose second operand was an attribute before an opset."""
    settings = {key: always(value) for key, value in attributes.items()}
    return from_opset(opset, having(word, **attributes), taking(word, inputs=lambda a: [0, a.listed(name)], **settings))


def origins(attrs: NodeAttrs, *places: int) -> Inputs:
    """Return the origins of operands, without the inputs that the node leaves out."""
    return [attrs.at(place) for place in places]


def by_domain(known: Mapping[str, int]) -> dict[str, int]:
    """Return opsets by the domain as nodes name it."""
    return {"" if domain == "ai.onnx" else domain: opset for domain, opset in known.items()}


# Ranks of first inputs that no schema demands, with the opset since when: onnxruntime 1.32 loads others, and fails when it runs.
_RANKS = {
    "Compress": ("[_,*_]", 11), "GlobalAveragePool": ("[_,_,_,*_]", 1), "GlobalLpPool": ("[_,_,_,*_]", 1),
    "GlobalMaxPool": ("[_,_,_,*_]", 1), "LRN": ("[_,_,_,_]", 1), "MeanVarianceNormalization": ("[_,*_]", 1),
    "OneHot": ("[_,*_]", 1), "Pad": ("[_,*_]", 1),
}  # fmt: skip


@lru_cache(1 << 12)
def demands(op: str, domain: str, opset: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the signature of an operator's inputs with their names (see `irlint.dryrun.signature`): which element types it takes, which
    inputs share one (the type parameters of its schema), and ranks; nothing for an unknown operator."""
    record = in_opset(op, domain, opset)
    if record is None or not record.inputs:
        return ()
    letters: dict[str, str] = {}
    patterns = [f"_{_types(record.name, port, letters)}" for port in record.inputs]
    rank, since_opset = _RANKS.get(op, ("_", 1))
    if domain == "" and opset >= since_opset:
        patterns[0] = rank + patterns[0][1:]
    more = " ..." if record.inputs[-1].kind.startswith("variadic") else ""
    return ((" ".join(patterns) + more, tuple(port.name for port in record.inputs)),)


def _types(operator_name: str, port: Port, letters: dict[str, str]) -> str:
    """Return the element types of an input as a signature has them; inputs of one type parameter share a letter."""
    parameter = str(port.facts.get("type", ""))
    allowed = sorted(types_of(operator_name, parameter)) if parameter else []
    kinds = [kind for kind in allowed if "(" not in kind] or [kind.replace(" ", "") for kind in allowed]
    letter = "" if port.facts.get("mixed") else letters.setdefault(parameter, f"T{len(letters)}") + "="
    return f"/{letter}{'|'.join(kinds)}" if kinds else ""
