"""Types and values of the inputs of a run, given or random."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from collections.abc import Mapping as Dictionary
from typing import Any, TypeVar

from irlint.dryrun import dims
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Feed, Mapping
from irlint.dryrun.running import draw
from irlint.dryrun.running.arrays import stored
from irlint.dryrun.running.run import abstract
from irlint.dryrun.running.sequences import boxed, is_box
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.graph import Dim, Graph, Shape
from irlint.operators import nearest
from irlint.records import NamedTuple
from irlint.text.safe import Command
from irlint.tools import UserError

Given = TypeVar("Given")
_LISTED = 5  # weights in a message
SEQUENCE = "sequence"
UNTYPED = (SEQUENCE, "optional")  # values whose types are not followed
_MANY, _FEW = 12, 3  # inputs without a shape: of more, some are named and none is in an example


class BadInput(UserError):
    """Inputs that cannot be used, and why."""


class GivenInput(NamedTuple):
    """The value or the type that the user gives for one input."""

    array: Any = None
    shape: tuple[int, ...] | None = None
    dtype: str | None = None


class Settable(NamedTuple):
    """What a user may give a run of a model: its inputs, and weights that replace those of the model."""

    feeds: Sequence[Feed]
    weights: Sequence[Feed]
    mapping: Mapping
    graph: Graph

    def by_name(self) -> dict[str, Feed]:
        return {name: feed for feed in reversed((*self.feeds, *self.weights)) for name in feed.names}

    def used(self, given: Container[int]) -> list[Feed]:
        """Return the inputs of a run for which the user gives these nodes."""
        return [*self.feeds, *[weight for weight in self.weights if weight.node in given]]

    def instead_of(self, name: str) -> str:
        """Return a suggestion for an unknown name: the nearest one, else a list."""
        close = nearest(name, list(self.by_name()))
        return f"did you mean {close!r}?" if close else self.listed()

    def listed(self) -> str:
        names = [feed.names[0] for feed in self.feeds if feed.needed] or [feed.names[0] for feed in self.feeds]
        text = f"the inputs are {', '.join(map(repr, names))}" if names else "the model has no inputs"
        if not self.weights:
            return text
        more = f" and {len(self.weights) - _LISTED} more" if len(self.weights) > _LISTED else ""
        return f"{text}; weights can be set, too: {', '.join(repr(w.names[0]) for w in self.weights[:_LISTED])}{more}"


def settable(mapping: Mapping, graph: Graph) -> Settable:
    return Settable(mapping.feeds(graph), mapping.replaceable(graph), mapping, graph)


def by_node(given: Dictionary[str, Given], known: Settable) -> dict[int, Given]:
    """Return what the user gives for the inputs by name, by node index."""
    feeds = known.by_name()
    if (stranger := next((name for name in given if name not in feeds), None)) is not None:
        raise BadInput(f"unknown input {stranger!r}; {known.instead_of(stranger)}")
    return {feeds[name].node: value for name, value in given.items()}


def of_values(given: Dictionary[str, Any], known: Settable) -> dict[int, GivenInput]:
    """Return what a program gives by name: arrays, or what NumPy makes one of, and sequences of arrays."""
    feeds = {feed.node: feed for feed in (*known.feeds, *known.weights)}
    return {node: GivenInput(_array(value, feeds[node])) for node, value in by_node(given, known).items()}


def _array(value: Any, feed: Feed) -> Any:
    """Return a value as an array; raise BadInput if NumPy makes none of it."""
    dtype = feed.type.dtype
    if dtype == SEQUENCE and isinstance(value, list | tuple):
        return boxed(map(np.asarray, value))
    if dtype == "optional" and value is None:
        return boxed(None)
    try:
        array = np.asarray(value)
    except ValueError:
        raise BadInput(f"expected an array for input {feed.names[0]!r}, got lists of different lengths") from None
    if (
        not hasattr(value, "__array__")
        and array.ndim == 0
        and array.dtype.kind in "OU"
        and dtype not in ("string", *UNTYPED)
    ):
        raise BadInput(f"expected an array for input {feed.names[0]!r}, got {type(value).__name__}")
    return array


def tensors(inputs: Inputs) -> dict[int, Tensor]:
    """Return the inputs as inference takes them."""
    return {
        node: UNKNOWN
        if dtype in UNTYPED
        else abstract(inputs.arrays[node], dtype)
        if node in inputs.arrays
        else Tensor(dtype, shape)
        for node, (dtype, shape) in inputs.types.items()
    }


def tensors_of(feeds: Sequence[Feed], arrays: Dictionary[int, Any]) -> dict[int, Tensor]:
    """Return values of inputs as inference takes them, in the narrow types that the inputs have: bfloat16 is stored as float32."""
    kinds = {feed.node: feed.type.dtype or "" for feed in feeds}
    return {node: UNKNOWN if is_box(array) else _typed(array, kinds.get(node, "")) for node, array in arrays.items()}


def _typed(array: Any, dtype: str) -> Tensor:
    return abstract(array, dtype if stored(dtype) == array.dtype.name else None)


class Inputs(NamedTuple):
    """Types by node index, and the values that the user gives."""

    types: dict[int, tuple[str, tuple[int, ...]]]
    arrays: dict[int, Any]


def resolve(
    feeds: Sequence[Feed],
    said: dict[int, GivenInput],
    suggest: Callable[[Sequence[Feed], Dictionary[int, GivenInput]], str] | None = None,
) -> Inputs:
    """Return the types of all inputs, and the given values; `suggest` returns options that give what is missing."""
    types: dict[int, tuple[str, tuple[int, ...]]] = {}
    arrays: dict[int, Any] = {}
    symbols: dict[str, int] = {}
    still: list[Feed] = []
    for feed in (one for one in feeds if one.node in said):  # what is given first: it tells what symbols stand for
        dtype, shape, array = _given(feed, said[feed.node])
        if array is not None:
            arrays[feed.node] = array
        types[feed.node] = dtype, shape
        for dim, length in zip(feed.type.shape or (), shape, strict=False):
            if isinstance(dim, str):
                symbols.setdefault(dim, length)
    for feed in feeds:
        if feed.node in types:
            continue
        lengths = _lengths(feed, symbols)
        if lengths is None:
            if feed.needed:
                still.append(feed)
        else:
            types[feed.node] = feed.type.dtype or "float32", lengths
    if still:
        raise BadInput(_unsized(still, suggest(still, said) if suggest is not None else ""))
    return Inputs(types, arrays)


def disagreement(feeds: Sequence[Feed], types: Dictionary[int, tuple[str, Sequence[int]]]) -> str:
    """Return which inputs give one symbolic dimension different lengths; nothing if none do. Runtimes accept such inputs where they
    broadcast."""
    seen: dict[str, tuple[int, str]] = {}
    for feed in (one for one in feeds if one.node in types):
        name = feed.names[0]
        for dim, length in zip(feed.type.shape or (), types[feed.node][1], strict=False):
            if isinstance(dim, str) and seen.setdefault(dim, (length, name))[0] != length:
                other, first = seen[dim]
                return f"the inputs disagree: `{dim}` is {other} in {first!r} and {length} in {name!r}"
    return ""


def _given(feed: Feed, told: GivenInput) -> tuple[str, tuple[int, ...], Any]:
    """Return element type, shape and values (if there are any) of an input of which something is given."""
    array = told.array
    if array is None and feed.type.dtype in UNTYPED:
        raise BadInput(_untyped(feed))
    shape = tuple(array.shape) if array is not None else told.shape or ()
    _check_shape(feed, shape)
    dtype = told.dtype or feed.type.dtype or ("float32" if array is None else _kind(feed, array))
    return dtype, shape, None if array is None else _as(feed, array, dtype)


def values(feeds: Sequence[Feed], inputs: Inputs, seed: int) -> dict[int, Any]:
    """Return values for every input: the given ones, or random ones."""
    return {
        feed.node: inputs.arrays[feed.node]
        if feed.node in inputs.arrays
        else _drawn(feed, seed, *inputs.types[feed.node])
        for feed in feeds
        if feed.node in inputs.types
    }


def _drawn(feed: Feed, seed: int, dtype: str, shape: tuple[int, ...]) -> Any:
    try:
        return (draw.weight if feed.weight else draw.variable)(seed, feed.names[0], dtype, shape)
    except MemoryError:
        raise BadInput(f"not enough memory for {dtype} {dims.show(shape)} of input {feed.names[0]!r}") from None


def _check_shape(feed: Feed, shape: tuple[int, ...]) -> None:
    declared = feed.type.shape
    if declared is None:
        return
    if len(declared) != len(shape) or not all(map(dims.compatible, declared, shape)):
        raise BadInput(f"expected {dims.show(declared)} for input {feed.names[0]!r}, got {dims.show(shape)}")


def _kind(feed: Feed, array: Any) -> str:
    """Return the element type of an array, for an input whose type the model does not declare."""
    name: str = array.dtype.name
    if array.dtype.kind not in "iufb":
        raise BadInput(f"expected numbers for input {feed.names[0]!r}, got {name}")
    return name


def _unsized(still: Sequence[Feed], example: str) -> str:
    """Return what is missing: a shape for each of these inputs, with an example of all."""
    if (other := next((feed for feed in still if feed.type.dtype in UNTYPED), None)) is not None:
        return _untyped(other)

    def hint(message: str) -> str:
        return Command(f"{message}, for example with ", example) if example else message

    if len(still) == 1:
        name, shape = still[0].names[0], dims.show(still[0].type.shape)
        return hint(f"input {name!r} has no fixed shape, only {shape}; set one")
    if len(still) > _MANY:
        named = ", ".join(repr(feed.names[0]) for feed in still[:_FEW])
        return f"{len(still)} inputs have no fixed shape: {named} and {len(still) - _FEW} more; set each with --input"
    open_ = ", ".join(f"{feed.names[0]!r} {dims.show(feed.type.shape)}" for feed in still)
    return hint(f"{len(still)} inputs have no fixed shape: {open_}; set them")


def _untyped(feed: Feed) -> str:
    """Return what is missing of an input whose type is not followed."""
    name, kind = feed.names[0], feed.type.dtype
    parts = f", for example as {f'{name}[0]'!r} and {f'{name}[1]'!r} in --input FILE.npz"
    return f"input {name!r} is of type {kind}; set its value{parts if kind == SEQUENCE else ''}"


def _as(feed: Feed, array: Any, dtype: str) -> Any:
    """Return the array in the element type of the input."""
    if dtype in UNTYPED:
        if dtype == SEQUENCE and (not is_box(array) or array[()] is None):
            raise BadInput(f"expected a sequence of arrays for input {feed.names[0]!r}, got {array.dtype}")
        return array
    kept = stored(dtype)
    if kept == "object":
        if array.dtype.kind not in "OUS":
            raise BadInput(f"expected {dtype} for input {feed.names[0]!r}, got {array.dtype}")
        return array.astype(object)
    if array.dtype == kept:
        return array
    if array.dtype.kind not in "iufb" or (
        array.dtype.kind == "f" and dtype not in ("bfloat16",) and "float" not in kept
    ):
        raise BadInput(f"expected {dtype} for input {feed.names[0]!r}, got {array.dtype}")
    return array.astype(kept)


def _lengths(feed: Feed, symbols: dict[str, int]) -> tuple[int, ...] | None:
    shape: Shape | None = feed.type.shape
    lengths = [] if shape is None else [length_of(dim, k, symbols) for k, dim in enumerate(shape)]
    if shape is not None and None not in lengths:
        return tuple(lengths)  # type: ignore[arg-type]
    return None


def length_of(dim: Dim, axis: int, symbols: dict[str, int]) -> int | None:
    """Return a number for a dimension: its minimum if it has one; 1 for a batch."""
    if isinstance(dim, int):
        return dim
    if isinstance(dim, str) and dim in symbols:
        return symbols[dim]
    low, high = dims.bounds(dim)
    if axis == 0 or high is not None or low:
        found = max(low, 1) if high is None or high >= 1 else 0
        if isinstance(dim, str):
            symbols[dim] = found
        return found
    return None
