"""Lengths for the open dimensions of inputs: what a message suggests, and what comparisons of models begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irlint.dryrun import dims
from irlint.dryrun.check import dead_nodes
from irlint.dryrun.infer import Inference, NodeShapeError, infer
from irlint.dryrun.mapping import Feed
from irlint.dryrun.mapping import Mapping as DryRun
from irlint.dryrun.running.decoders import caches, is_past, mask_length
from irlint.dryrun.running.feeds import UNTYPED, BadInput, GivenInput, Settable, length_of, resolve, settable, tensors
from irlint.dryrun.running.memory import size_of
from irlint.graph import Graph, Shape
from irlint.records import NamedTuple

_IMAGE, _CHANNELS, _SIDE = 4, (1, 3), 224  # rank and channels of images, and their sides
_SMALLER = (96, 64, 32)  # sides of images where larger ones take too much memory
_MOST = 1 << 31  # bytes of all values together: of more, a run takes minutes
Given = Mapping[int, GivenInput]


class _Lengths(NamedTuple):
    """Usual lengths: of an open dimension, of one of a decoder's earlier keys and values, and of the sides of images."""

    usual: int = 8
    past: int = 8
    side: int = _SIDE


# Some decoders take one token after the first step, or begin only; windows over sounds and series may need a second of 16 kHz
_ATTEMPTS = (_Lengths(), _Lengths(usual=1), _Lengths(past=0))
_LONGER = (_Lengths(), _Lengths(usual=64), _Lengths(usual=1000), _Lengths(usual=16_000))


def completed(
    feeds: Sequence[Feed], said: Given, symbols: Mapping[str, int] | None = None, lengths: _Lengths = _ATTEMPTS[0]
) -> dict[int, GivenInput]:
    """Return what is given, with usual lengths for the open dimensions of other inputs: the same for the same symbol."""
    known = dict(symbols or {})
    for feed in (one for one in feeds if one.node in said):
        pairs = zip(feed.type.shape or (), _shape(feed, said), strict=False)
        known |= {dim: length for dim, length in pairs if isinstance(dim, str)}
    found = dict(said)
    for feed in _open(feeds):
        if feed.node not in said:
            found[feed.node] = GivenInput(None, _usual(feed, known, lengths), None)
    shapes = {feed.names[0]: _shape(feed, found) for feed in feeds}
    for feed in feeds:
        length = mask_length(shapes, feed.names[0])
        if length is not None and feed.node not in said and feed.node in found:
            found[feed.node] = GivenInput(None, (*shapes[feed.names[0]][:1], length), None)
    return found


def affordable(known: Settable, said: Given, memory: int | None) -> dict[int, GivenInput]:
    """Return what is given, with usual lengths for open dimensions; images have shorter sides if all values together take more memory, or
    much of it."""
    feeds, most = known.feeds, _MOST if memory is None else min(memory, _MOST)
    found = completed(feeds, said)
    for side in _SMALLER:
        smaller = completed(feeds, said, None, _Lengths(side=side))
        if smaller == found or _bytes(known, found) <= most:
            break
        found = smaller
    return found


def _bytes(known: Settable, given: Given) -> int:
    """Return how many bytes all values of a run take that inference knows the shapes of."""
    types = infer(known.graph, known.mapping, tensors(resolve(known.feeds, dict(given))))
    values = (tensor for outputs in types.types.get(id(known.graph), ()) for tensor in outputs)
    return sum(size_of(tensor) or 0 for tensor in values)


def _open(feeds: Sequence[Feed]) -> list[Feed]:
    """Return the inputs of a known rank with open dimensions."""
    shaped = [feed for feed in feeds if feed.type.shape is not None and feed.type.dtype not in UNTYPED]
    return [feed for feed in shaped if not dims.is_known(feed.type.shape)]


def _shape(feed: Feed, given: Given) -> tuple[int, ...]:
    told = given.get(feed.node, GivenInput(None, feed.type.shape))  # type: ignore[arg-type]
    return tuple(told.shape or () if told.array is None else told.array.shape)


def _usual(feed: Feed, symbols: dict[str, int], lengths: _Lengths) -> tuple[int, ...]:
    """Return lengths for the shape of an input, usual ones for open dimensions."""
    shape: Shape = feed.type.shape or ()
    usual = lengths.past if is_past(feed.names[0]) else lengths.usual
    if len(shape) == _IMAGE and shape[1] in _CHANNELS and not is_past(feed.names[0]):
        usual = lengths.side
    found = []
    for k, dim in enumerate(shape):
        length = length_of(dim, k, symbols)
        if length is None:
            length = symbols.setdefault(dim, usual) if isinstance(dim, str) else usual
        found.append(length)
    return tuple(found)


def _fitting(feeds: Sequence[Feed], said: Given, known: Settable) -> dict[int, GivenInput] | None:
    """Return what is given and usual lengths for the rest that the model takes; None if it takes none of those that are tried."""
    symbols = _kept(known)
    has_past = any(is_past(feed.names[0]) for feed in feeds)
    for lengths in _ATTEMPTS if has_past else _LONGER:
        found = completed(feeds, said, symbols, lengths)
        examples = {
            feed.node: GivenInput(None, tuple(map(int, feed.example.split(","))))
            for feed in feeds
            if feed.needed and feed.type.shape is None and feed.node not in found and feed.type.dtype not in UNTYPED
        }
        try:
            types = infer(known.graph, known.mapping, tensors(resolve(feeds, {**found, **examples})))
        except BadInput:
            continue
        if not errors_of(known.graph, known.mapping, types):
            return found
    return None


def errors_of(graph: Graph, mapping: DryRun, found: Inference) -> list[NodeShapeError]:
    """Return the errors of nodes that a loader reads."""
    wrong = [mistake for mistake in found.all_mistakes() if mistake.error.outputs is None]
    dead = dead_nodes(graph, mapping) if wrong else set()
    return [mistake for mistake in wrong if id(mistake.node) not in dead]


def _kept(known: Settable) -> dict[str, int]:
    """Return lengths of symbols in the shapes of earlier keys and values: those that are inferred for the next step's."""
    graph, shapes = known.graph, {feed.names[0]: feed.type.shape for feed in known.feeds}
    sources = dict(zip(known.mapping.unique_names(graph), graph.outputs, strict=False))
    types: Inference | None = None
    found: dict[str, int] = {}
    for past, present in caches(shapes, sources).items():
        types = types or infer(graph, known.mapping)
        node, output = sources[present]
        computed = types.outputs(graph, graph.nodes[node]) if node >= 0 else ()
        shape = computed[output].type.shape if output < len(computed) else None
        pairs = zip(shapes[past] or (), shape or (), strict=False)
        found |= {dim: length for dim, length in pairs if isinstance(dim, str) and isinstance(length, int)}
    return found


def suggestion(known: Settable, still: Sequence[Feed], said: Given) -> str:
    """Return options that set the open shapes of these inputs, as an example that the model takes; nothing if none is known."""
    given = _fitting(known.used(said), said, known)
    return "" if given is None else _options(still, given)


def options(mapping: DryRun, graph: Graph) -> str:
    """Return options for the command line that set the open shapes of a model, as an example; nothing if none is known to fit."""
    known = settable(mapping, graph)
    open_ = [feed for feed in known.feeds if feed.type.dtype not in UNTYPED and not dims.is_known(feed.type.shape)]
    return suggestion(known, open_, {}) if open_ else ""


def _options(feeds: Sequence[Feed], given: Given) -> str:
    from shlex import quote

    words = []
    for feed in feeds:
        written = feed.example if feed.type.shape is None else ",".join(map(str, _shape(feed, given)))
        words.append(f"--input {quote(f'{feed.names[0]}={written}')}")
    return " ".join(words)
