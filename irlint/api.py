"""The Python API. What `irlint.__all__` lists is stable within a major version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, overload

from irlint import engine, offers
from irlint.findings import Fix, Severity
from irlint.graph import Graph, Type
from irlint.graph import Node as Node
from irlint.records import dataclass, field, replace
from irlint.rules import base, registry
from irlint.settings import Settings
from irlint.text.base import Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from irlint.inspection import Flat

    _Inputs = Mapping[str, NDArray[Any] | Sequence[Any]]
    _Outputs = dict[str, NDArray[Any]]


__tracebackhide__ = True  # pytest shows an error at the call, not the code that raises it


class ProtobufMessage(Protocol):
    """A message of protobuf, such as onnx.ModelProto."""

    def SerializeToString(self) -> bytes: ...


Source = str | bytes | Path | ProtobufMessage


@dataclass(slots=True, frozen=True)
class RelatedPlace:
    """A place that explains a finding. Lines and columns count from 1, in code points; the end is exclusive."""

    message: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(slots=True, frozen=True)
class Finding:
    """What is wrong with a model, and where. Lines and columns count from 1, in code points; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str  # such as R003
    name: str  # such as used-before-defined
    severity: Severity
    message: str
    node: str | None  # the name of the node that it is about
    pointer: str | None  # JSON Pointer or path of elements
    span: Span  # offsets in the decoded text: start and end
    fix: Fix | None
    related: tuple[RelatedPlace, ...]
    url: str | None  # of the rule's page
    taken: str  # what a runtime that takes the file despite the error makes of it; empty if none does

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.code}[{self.name}] {self.severity}: {self.message}"


@dataclass(slots=True, frozen=True)
class Model:
    """A model file: its graph, and what is wrong with it."""

    file: str
    format: str  # such as openvino
    dialect: str  # such as ir11
    graph: Graph
    findings: tuple[Finding, ...]
    source: Any = field(default=None, compare=False)  # what `load` was given
    as_format: str | None = field(default=None, compare=False)
    weights: Path | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        counts = f"{len(self.graph.nodes)} nodes, {len(self.findings)} findings"
        return f"<irlint.Model {self.file}: {self.format} ({self.dialect}), {counts}>"


def _read(source: Any) -> tuple[bytes, str, Path | None]:
    if isinstance(source, (bytearray, memoryview)):
        source = bytes(source)
    elif isinstance(source, PathLike):
        source = Path(source)
    if isinstance(source, Path):
        return _of_file(source)
    if isinstance(source, bytes):
        return source, "<bytes>", None
    if hasattr(source, "SerializeToString"):
        return source.SerializeToString(), "<model>", None
    if not isinstance(source, str):
        raise TypeError(f"expected a path, text, bytes or a protobuf message, got {type(source).__name__}")
    if source.strip() and "\n" not in source and not source.lstrip().startswith(("{", "[", "<")):
        return _of_file(Path(source))
    try:
        return source.encode("utf-8", "surrogateescape"), "<text>", None
    except UnicodeEncodeError:
        return source.encode("utf-8", "surrogatepass"), "<text>", None


def _of_file(path: Path) -> tuple[bytes, str, Path]:
    """Return the bytes of a file, or of the model of a folder, with its name and its path."""
    if path.is_dir():
        if (model := engine.model_of(str(path))) is None:
            raise IsADirectoryError(f"{path}: {engine.of_folder(str(path))}")
        path = Path(model)
    try:
        return path.read_bytes(), str(path), path
    except (OSError, ValueError) as error:
        raise error.with_traceback(None) from None


def _verified(settings: Settings | None, as_format: str | None) -> Settings:
    """Return settings with names of rules as codes; raise ValueError for unknown rules and formats."""
    from irlint.config import UnknownSelector, resolve
    from irlint.formats.base import by_name

    if as_format is not None and by_name(as_format.partition(":")[0]) is None:
        raise ValueError(f"unknown format {as_format!r}")
    settings = settings or Settings()
    words: dict[str, Any] = {}
    for name in ("select", "ignore"):
        given = getattr(settings, name)
        if isinstance(given, str):
            raise TypeError(f"expected a tuple of rules for {name}, got {given!r}")
        try:
            words[name] = tuple(resolve(word) for word in given)
        except UnknownSelector as error:
            raise ValueError(str(error)) from error
    return replace(settings, **words)


def settings_for(path: str | Path) -> Settings:
    """Return the settings that the configuration of a file's folder (irlint.yaml, pyproject.toml) gives it."""
    from irlint.config.find import Configurations

    where = Path(path).absolute()
    return Configurations().of_folder(str(where.parent)).settings(str(where))


def lint(source: Source | Model, *, as_format: str | None = None, settings: Settings | None = None) -> list[Finding]:
    """Return the findings of a file (a path), of a model's text or bytes, or of an onnx.ModelProto, sorted by place. No
    configuration file is read; `settings_for` does that.

    All functions take a loaded model as well: this one, `check_model`, `fix` and `load` read again what it was loaded from.
    """
    return _located(_confirmed(source, as_format, settings))


def _confirmed(source: Source | Model, as_format: str | None, settings: Settings | None) -> engine.Result:
    result = _linted(source, as_format, settings)
    offers.confirm(result)
    return result


def _linted(source: Source | Model, as_format: str | None, settings: Settings | None) -> engine.Result:
    """Lint what any function of the API is given."""
    if isinstance(source, Model):
        if settings is None or settings.weights is None:
            settings = replace(settings or Settings(), weights=source.weights)
        as_format = as_format or source.as_format
        source = source.source
    data, name, path = _read(source)
    return engine.lint_bytes(data, name, _verified(settings, as_format), as_format, path)


class ModelError(AssertionError):
    """A model has findings that `check_model` does not allow. The message is irlint's report; `findings` has all findings."""

    def __init__(self, report: str, findings: Sequence[Finding]) -> None:
        super().__init__(report)
        self.findings = list(findings)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.findings)


def check_model(
    model: Source | Model,
    *,
    fail_on: Severity | str = Severity.ERROR,
    as_format: str | None = None,
    settings: Settings | None = None,
) -> list[Finding]:
    """Raise `ModelError`, an AssertionError whose message is the report, if a model has findings at or above `fail_on`
    ("error", "warning", "info" or "pedantic"); else return its findings. For tests of exporters.

    The model is a path (of a folder: its only model, or its openvino_model.xml), text, bytes, or an onnx.ModelProto, whose
    data in other files is not checked. The other arguments are those of `lint`.
    """
    if str(fail_on).lower() not in map(str, Severity):
        raise ValueError(f"fail_on: expected one of {', '.join(map(str, Severity))}, got {str(fail_on)!r}")
    least = Severity.parse(str(fail_on))
    settings = settings or Settings()
    if least == Severity.PEDANTIC:
        settings = replace(settings, pedantic=True)
    result = _confirmed(model, as_format, settings)
    findings = _located(result)
    if any(finding.severity >= least for finding in findings):
        raise ModelError(_report(result), findings)
    return findings


def _report(result: engine.Result) -> str:
    from io import StringIO

    from irlint import report

    stream = StringIO("")
    report.write([result], report.DEFAULT, stream, can_fix=result.request.path is not None)
    return stream.getvalue().rstrip()


def fix(
    source: Source | Model, *, unsafe: bool = False, as_format: str | None = None, settings: Settings | None = None
) -> str:
    """Return the text of a model after its fixes; no file is written. `unsafe`: unsafe fixes are applied, too."""
    from irlint import fixes

    result = _linted(source, as_format, settings)
    if result.document is None or not result.certain:
        return result.lines.text
    trials = offers.TrialLinter(result)
    return fixes.fix(result.document.text, trials.lint, unsafe, trials.search, budget=trials.budget).text


def _located(result: engine.Result) -> list[Finding]:
    documented = registry.documented(result.format) if result.findings else frozenset()

    def places(span: Span) -> tuple[int, int, int, int]:
        (line, column), (end_line, end_column) = result.lines.positions(*span)
        return line, column, end_line, end_column

    return [
        Finding(
            result.name,
            *places(found.span),
            found.code,
            found.name,
            found.severity,
            found.message,
            found.node,
            found.pointer,
            found.span,
            found.fix,
            tuple(RelatedPlace(place.message, *places(place.span)) for place in found.related),
            registry.url(found.name, result.format) if found.name in documented else None,
            found.taken,
        )
        for found in result.findings
    ]


def load(source: Source | Model, *, as_format: str | None = None, weights: str | Path | None = None) -> Model:
    """Return a model with its graph, as far as it is readable; raise ValueError if the file is not a model. `weights`: the file
    of its weights, if that is not next to it."""
    result, model = _load(source, None if weights is None else _with_weights(weights), as_format)
    known = result.request.settings.weights
    if isinstance(source, Model):
        as_format = as_format or source.as_format
        source = source.source
    findings = tuple(_located(result))
    return Model(result.name, model.format, model.dialect, model.graph, findings, source, as_format, known)


def _load(source: Source | Model, settings: Settings | None, as_format: str | None) -> tuple[engine.Result, base.Model]:
    result = _linted(source, as_format, settings)
    settings, name = result.request.settings, result.name
    if result.model is None:
        raise ValueError(f"{name}: {result.findings[0].message if result.findings else result.why}")
    from irlint.formats.base import by_name

    format_ = by_name(result.model.format)
    if settings.weights is not None and format_ is not None and (trouble := format_.weights_trouble()):
        raise ValueError(f"{name}: `weights` has no effect: {trouble}")
    result.model.graph.mapping = format_.dryrun(result.model) if format_ else None
    return result, result.model


def infer(model: Source | Model | Graph, inputs: Mapping[str, Any] | None = None) -> dict[str, list[Type]]:
    """Return the types of all results of a model, or of what `load` takes, by node name. `inputs` are shapes or arrays by name;
    ValueError names an error."""
    from irlint.dryrun.infer import infer as walk
    from irlint.dryrun.running import feeds
    from irlint.dryrun.running.run import abstract
    from irlint.dryrun.tensor import Tensor

    graph, given = _graph(model), {}
    known = feeds.settable(_mapping(graph), graph)
    try:
        said = feeds.by_node(inputs or {}, known)
    except feeds.BadInput as error:
        raise ValueError(str(error)) from error
    for feed in known.used(said):
        if (value := said.get(feed.node)) is not None:
            declared = feed.type.dtype
            given[feed.node] = abstract(value, declared) if hasattr(value, "dtype") else Tensor(declared, tuple(value))
    found = walk(graph, _mapping(graph), given)
    for mistake in found.all_mistakes():
        if mistake.error.outputs is None:
            raise ValueError(f"{mistake.node.op} {mistake.node.name!r}: {mistake.error.message}")
    return {node.name: [tensor.type for tensor in found.outputs(graph, node)] for node in graph.nodes}


def _graph(model: Source | Model | Graph) -> Graph:
    if isinstance(model, Graph):
        return model
    return model.graph if isinstance(model, Model) else load(model).graph


def _mapping(graph: Graph) -> Any:
    if graph.mapping is None:
        raise ValueError("expected a model from irlint.load")
    return graph.mapping


@contextmanager
def _errors() -> Iterator[None]:
    """Raise errors of a run as those that the API names."""
    from irlint.dryrun.running import feeds, memory
    from irlint.dryrun.running.run import Failed, Unsupported

    try:
        yield
    except (feeds.BadInput, Failed, memory.TooMuch) as error:
        raise ValueError(str(error)) from error
    except Unsupported as error:
        raise NotImplementedError(str(error)) from error


class Runner:
    """A model that can be run again and again, as `run` returns it for a loaded model.

    Call it with values of inputs, and of weights, by name; it returns the outputs by name. `states` are those of `run`. What follows
    from constants alone is computed in the first two runs, and types are inferred again only if those of the inputs change.
    """

    def __init__(self, graph: Graph, seed: int = 0) -> None:
        from irlint.dryrun.running import feeds

        self._graph, self._mapping, self._seed = graph, _mapping(graph), seed
        with _errors():
            self._known = feeds.settable(self._mapping, graph)
        self._open_types: Any = None  # those that the file alone tells
        self._types: Any = None  # of the last run

    def __call__(
        self,
        inputs: Mapping[str, NDArray[Any] | Sequence[Any]] | None = None,
        *,
        states: dict[str, Any] | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Return the outputs by name. `inputs` are values of inputs and of weights by name; `states` are those of `run`."""
        with _errors():
            return self._run(inputs or {}, states)

    def _run(self, inputs: Mapping[str, Any], states: dict[str, Any] | None) -> _Outputs:
        import numpy

        from irlint.dryrun.infer import infer as walk
        from irlint.dryrun.running import feeds, memory
        from irlint.dryrun.running.run import Run
        from irlint.dryrun.running.states import WrittenStates
        from irlint.dryrun.running.states import tensors as state_tensors

        for name, values in (("inputs", inputs), ("states", states or {})):
            if not isinstance(values, Mapping):
                raise ValueError(f"expected a dictionary of arrays by name for `{name}`, got {type(values).__name__}")
        graph, mapping = self._graph, self._mapping
        arrays = {name: numpy.asarray(value) for name, value in (states or {}).items()}
        said = feeds.of_values(inputs, self._known)
        used = self._known.used(said)
        given = feeds.resolve(used, said)
        kept = WrittenStates(mapping.states(graph) if states is not None else ())
        held = self._held(arrays, kept.states) if states is not None else {}
        tensors = {**feeds.tensors(given), **state_tensors(held, self._open_types, graph)}
        types = walk(graph, mapping, tensors, earlier=self._types)
        if types is not self._types:
            memory.roughly(graph, mapping, types, memory.free())
            self._types = types
        job = Run(mapping, types, None, self._seed, wanted=kept.wanted())
        outputs = job.outputs(graph, {**feeds.values(used, given, self._seed), **held})
        if states is not None:
            kept.take(job.found)
            states.update(kept.values)
        # copies: what a caller does with them is not seen by the next run, nor by the caller that passed the inputs
        return dict(zip(mapping.unique_names(graph), map(numpy.array, outputs), strict=True))

    def _held(self, arrays: Mapping[str, Any], states: Sequence[Any]) -> dict[int, Any]:
        """Return the values of states by node."""
        from irlint.dryrun.infer import infer as walk
        from irlint.dryrun.running.states import given

        if self._open_types is None:
            self._open_types = walk(self._graph, self._mapping)
        return given(arrays, states, self._open_types, self._graph)


@overload
def run(source: Model, *, seed: int = 0) -> Runner: ...


@overload
def run(source: Model, inputs: _Inputs, *, seed: int = 0, states: dict[str, Any] | None = None) -> _Outputs: ...


@overload
def run(
    source: Source,
    inputs: _Inputs | None = None,
    weights: str | Path | None = None,
    *,
    seed: int = 0,
    as_format: str | None = None,
    states: dict[str, Any] | None = None,
) -> _Outputs: ...


def run(
    source: Source | Model,
    inputs: Mapping[str, NDArray[Any] | Sequence[Any]] | None = None,
    weights: str | Path | None = None,
    *,
    seed: int = 0,
    as_format: str | None = None,
    states: dict[str, Any] | None = None,
) -> dict[str, NDArray[Any]] | Runner:
    """Return a model's outputs by name. Missing inputs and weights get random values; ValueError names an error. `inputs` may
    hold values of weights, too.

    A loaded model alone gives a `Runner`, which can be called with inputs as often as wanted.

    `states` are the values that the model's states (a KV cache) start with, by name; those that are missing start with the
    model's initial value. After the run the dictionary holds the values that the next run starts with.
    """
    if isinstance(source, Model):
        if weights is not None or as_format is not None:
            raise TypeError("`weights` and `as_format` are for a file; give them to irlint.load")
        _refuse_errors(source.findings, source.format)
        runner = Runner(source.graph, seed)
        return runner if inputs is None and states is None else runner(inputs, states=states)
    result, model = _load(source, _with_weights(weights), as_format)
    _refuse_errors(result.findings, model.format)
    return Runner(model.graph, seed)(inputs, states=states)


def _with_weights(weights: str | Path | None) -> Settings:
    if weights is not None and not Path(weights).is_file():
        raise FileNotFoundError(f"no file of weights: {weights}")
    return Settings(weights=None if weights is None else Path(weights), missing_weights="required")


def _refuse_errors(findings: Iterable[Any], format: str) -> None:
    """Raise ValueError for the first error that a run depends on."""
    from irlint.formats.base import by_name
    from irlint.inspection.needs import verdict

    for finding in verdict("values", findings, by_name(format)).stopping:
        raise ValueError(f"{finding.code} {finding.message}")


def flatten(model: Source | Model | Graph, node_types: Iterable[str] = ("Call", "Var", "Constant")) -> Flat:
    """Return the flat view of a model, or of what `load` takes: its calls in depth-first post-order, with these kinds of node in their
    input lists.

    Raises ValueError (`irlint.order.CycleError`) for a graph with a cycle, and for an
    unknown kind of node.
    """
    from irlint.inspection import flatten as make

    return make(_graph(model), node_types)
