"""The Python API: lint, load, flatten, infer and run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irlint import engine, offers
from irlint.findings import Finding, Severity
from irlint.graph import Graph, Type
from irlint.rules.base import Model
from irlint.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from irlint.flat import Flat


def _read(source: str | bytes | Path) -> tuple[bytes, str, Path | None]:
    if isinstance(source, Path):
        return source.read_bytes(), str(source), source
    if isinstance(source, bytes):
        return source, "<bytes>", None
    if "\n" not in source and not source.lstrip().startswith(("{", "[", "<")):
        return Path(source).read_bytes(), source, Path(source)
    return source.encode("utf-8", "surrogateescape"), "<text>", None


def lint(
    source: str | bytes | Path, *, as_format: str | None = None, settings: Settings | None = None
) -> list[Finding]:
    """Return the findings of a file (a path) or of a model's text, sorted by place."""
    data, name, path = _read(source)
    settings = settings or Settings()
    result = engine.lint_bytes(data, name, settings, as_format, path)
    offers.confirm(result, settings, as_format, path)
    return result.findings


def load(source: str | bytes | Path, *, as_format: str | None = None) -> Graph:
    """Return the graph of a model, as far as it is readable; raise ValueError if the file is not a model."""
    model, _ = _load(source, Settings(), as_format)
    return model.graph


def _load(source: str | bytes | Path, settings: Settings, as_format: str | None) -> tuple[Model, list[Finding]]:
    data, name, path = _read(source)
    result = engine.lint_bytes(data, name, settings, as_format, path)
    if result.model is None:
        raise ValueError(f"{name}: {result.findings[0].message if result.findings else result.why}")
    from irlint.formats.base import by_name

    format_ = by_name(result.model.format)
    result.model.graph.mapping = format_.dryrun(result.model) if format_ else None
    return result.model, result.findings


def infer(graph: Graph, inputs: Mapping[str, Any] | None = None) -> dict[str, list[Type]]:
    """Return the types of all results by node name. `inputs` are shapes or arrays by name; ValueError names an error."""
    from irlint.dryrun.infer import infer as walk
    from irlint.dryrun.run import abstract
    from irlint.dryrun.tensor import Tensor

    given = {}
    for feed in _mapping(graph).feeds(graph):
        name = next((name for name in feed.names if name in (inputs or {})), None)
        if name is not None and inputs is not None:
            value = inputs[name]
            given[feed.node] = (
                abstract(value, feed.type.dtype) if hasattr(value, "dtype") else Tensor(feed.type.dtype, tuple(value))
            )
    found = walk(graph, _mapping(graph), given)
    for mistake in found.all_mistakes():
        if mistake.error.outputs is None:
            raise ValueError(f"{mistake.node.op} {mistake.node.name!r}: {mistake.error.message}")
    return {node.name: [tensor.type for tensor in found.outputs(graph, node)] for node in graph.nodes}


def _mapping(graph: Graph) -> Any:
    if graph.mapping is None:
        raise ValueError("expected a graph from irlint.load")
    return graph.mapping


def run(
    source: str | bytes | Path,
    inputs: Mapping[str, NDArray[Any] | Sequence[Any]] | None = None,
    weights: str | Path | None = None,
    *,
    seed: int = 0,
    as_format: str | None = None,
    states: dict[str, Any] | None = None,
) -> dict[str, NDArray[Any]]:
    """Return a model's outputs by name. Missing inputs and weights get random values; ValueError names an error.

    `states` are the values that the model's states (a KV cache) start with, by name; those that are missing start with the
    model's initial value. After the run the dictionary holds the values that the next run starts with.
    """
    import numpy

    from irlint.dryrun import feeds, memory
    from irlint.dryrun import states as kept_states
    from irlint.dryrun.infer import infer as walk
    from irlint.dryrun.run import Failed, Unsupported, abstract
    from irlint.dryrun.run import run as execute
    from irlint.formats.base import by_name

    settings = Settings(weights=None if weights is None else Path(weights), missing_weights="required")
    model, findings = _load(source, settings, as_format)
    format_ = by_name(model.format)
    limits = format_.runtime_limits if format_ else ()
    for finding in findings:
        if finding.severity == Severity.ERROR and not feeds.harmless(finding, limits):
            raise ValueError(f"{finding.code} {finding.message}")
    graph, mapping = model.graph, _mapping(model.graph)
    try:
        known = mapping.feeds(graph)
        said = feeds.by_node({k: feeds.GivenInput(numpy.asarray(v)) for k, v in (inputs or {}).items()}, known)
        given = feeds.resolve(known, said)
        kept = kept_states.Kept(graph, mapping.states(graph)) if states is not None else None
        arrays = {name: numpy.asarray(value) for name, value in (states or {}).items()}
        held = kept_states.given(arrays, kept.states, walk(graph, mapping), graph) if kept else {}
        types = walk(
            graph, mapping, {**feeds.tensors(given), **{node: abstract(array) for node, array in held.items()}}
        )
        memory.check(graph, mapping, types, memory.free())
        outputs = execute(graph, mapping, types, {**feeds.values(known, given, seed), **held}, kept, seed)
    except feeds.BadInput as error:
        raise ValueError(str(error)) from error
    except (Failed, memory.TooMuch) as error:
        raise ValueError(str(error)) from error
    except Unsupported as error:
        raise NotImplementedError(str(error)) from error
    if states is not None and kept is not None:
        states.update(kept.values)
    return dict(zip(mapping.unique_names(graph), outputs, strict=True))


def flatten(graph: Graph, node_types: Iterable[str] = ("Call", "Var", "Constant")) -> Flat:
    """Return the flat view of a graph: its calls in depth-first post-order, with these kinds of node in their input lists.

    Raises ValueError (`irlint.order.CycleError`) for a graph with a cycle, and for an
    unknown kind of node.
    """
    from irlint.flat import flatten as make

    return make(graph, node_types)
