"""What every kind of companion is: a format of files without a graph, whose rules may look at the models that a file is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath

from irlint.dryrun.infer import Inference
from irlint.dryrun.known import known_type
from irlint.findings import Problem
from irlint.formats.base import Format, by_name
from irlint.graph import Shape, Type
from irlint.records import NamedTuple
from irlint.rules.base import Model


class Port(NamedTuple):
    """An input or an output of a model."""

    names: tuple[str, ...]
    type: Type
    is_needed: bool = True

    @property
    def shape(self) -> Shape | None:
        return self.type.shape


class Signature(NamedTuple):
    """What a program has to know to run a model."""

    name: str  # of its file
    inputs: list[Port]
    outputs: list[Port]


class Companion(Format):
    """One kind of companions."""

    is_companion = True

    def read(self, model: Model) -> Iterator[Problem]:
        """Yield what is wrong in the file by itself."""
        return iter(())

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        """Yield where the file contradicts what stands beside it, if its own syntax is right."""
        if model.path is not None and not model.document.guesses:
            yield from self.beside(model, model.path)

    def beside(self, model: Model, path: FilePath) -> Iterator[Problem]:
        """Yield where the file contradicts what stands beside it. `model.opens` reads a model."""
        return iter(())


def signature(model: Model | None) -> Signature | None:
    """Return the inputs and outputs of a model; None if it could not be read that far."""
    format_ = None if model is None else by_name(model.format)
    mapping = None if model is None or format_ is None else format_.dryrun(model)
    if model is None or mapping is None:
        return None
    graph, types = model.graph, model.types if isinstance(model.types, Inference) else None
    feeds = mapping.feeds(graph)
    makers = mapping.outputs(graph)
    outputs = [
        Port(names, known_type(types, graph, graph.nodes[source[0]], source[1]))
        for names, source in zip(mapping.aliases(graph), makers, strict=True)
        if source[0] >= 0
    ]
    return Signature(model.document.name, [Port(feed.names, feed.type, feed.needed) for feed in feeds], outputs)


def find(ports: Sequence[Port], name: str) -> Port | None:
    """Return the input or output with a name."""
    return next((port for port in ports if name in port.names), None)
