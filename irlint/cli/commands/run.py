"""Run a model in NumPy, without its runtime: shapes, values, and the time of every operator."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irlint.cli.model import lint_model, model_file, model_for, place, remedy
from irlint.cli.options import integer
from irlint.cli.running import add_values, refusals, runnable
from irlint.cli.status import OK, Refused, UsageError, say
from irlint.cli.tolerances import add_tolerances
from irlint.findings import Severity
from irlint.settings import Settings
from irlint.targets.precision import FLOATS
from irlint.text.safe import visible
from irlint.text.words import more_than

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irlint.cli.run_report import CompletedRun, NodeProgress
    from irlint.dryrun.infer import Inference
    from irlint.dryrun.mapping import Feed, Mapping, State
    from irlint.dryrun.running.feeds import Inputs, Settable
    from irlint.engine import Result
    from irlint.graph import Graph
    from irlint.rules.base import Model

_NOTED = 3  # errors of nodes that --shapes-only names
_WARM = 1.0  # seconds: a shorter run is repeated, as it is the first one that imports modules
_SHORT, _REPEATS = 0.25, 4  # seconds of all runs below which there are more, of which the quickest is reported

EPILOG = """\
exit status:
  0  success
  1  the model has errors, irlint failed on it, or --compare or --as found a difference
  2  invalid usage, or not enough memory
  4  the model has an operator that irlint cannot run
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=model_file, metavar="MODEL", help="model file, or - for stdin")
    add_values(parser, "", "inputs and weights")
    parser.add_argument(
        "--weights", type=Path, metavar="FILE", help="weights file (default: the file next to the model)"
    )
    parser.add_argument("--shapes-only", action="store_true", help="infer shapes and element types only")
    parser.add_argument("--output", metavar="OUT.npz", help="write the outputs to an .npz, by name")
    parser.add_argument(
        "--events", metavar="FILE.jsonl", help="write one event per operator, for summary, ngrams, compare and graph"
    )
    parser.add_argument(
        "--compare", metavar="REF.npz", help="compare outputs or results of operators with the arrays of this .npz"
    )
    add_tolerances(parser)
    parser.set_defaults(rtol=None, precision=None)  # it depends on --as
    parser.add_argument(
        "--ranges", action="store_true", help="show the range of each value, and which overflow float16 or saturate"
    )
    parser.add_argument(
        "--samples", type=Path, metavar="DIR", help="with --ranges: run the model on each FILE.npz of inputs in DIR"
    )
    parser.add_argument(
        "--node-data",
        metavar="FILE.json",
        help="with --ranges: write the largest magnitudes for `irlint graph --overlay` and Model Explorer",
    )
    parser.add_argument(
        "--steps",
        type=integer(1, 999_999, "an integer from 1 to 999999"),
        default=1,
        metavar="N",
        help="run N times and keep the states (a KV cache, also one that is inputs past_key_values.* and outputs present.*);"
        " a decoder continues with its likeliest token (default: 1)",
    )
    parser.add_argument("--state", metavar="IN.npz", help="initial values of states, by name (variable_id)")
    parser.add_argument("--state-out", metavar="OUT.npz", help="write the states after the last step to an .npz")
    parser.add_argument("--all", action="store_true", help="show all operators instead of the 30 slowest")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--as",
        dest="as_format",
        action=_As,
        metavar="PRECISION|FORMAT[:DIALECT]",
        help=f"{' or '.join(FLOATS)}: round to this precision after each operator, and name the first one that differs from"
        " float32; otherwise read the file as this format",
    )


class _As(argparse.Action):
    """--as: how to compute, or how to read the file; each may be given."""

    def __call__(self, parser: Any, namespace: Any, value: Any, option: str | None = None) -> None:
        setattr(namespace, "precision" if value in FLOATS else self.dest, value)


def run(args: argparse.Namespace) -> int:
    for path in filter(None, (args.output, args.events, args.state_out)):
        if not Path(path).parent.is_dir():  # reported before the run, not after it
            raise UsageError(f"cannot write {path}: no such file or folder")
    for option, path in (("--output", args.output), ("--state-out", args.state_out)):
        if path and not path.lower().endswith(".npz"):
            raise UsageError(f"{option} {path}: expected a name that ends in .npz")
    from irlint.formats.glacier.sessions import sessions_of
    from irlint.inspection.comparison import Tolerance
    from irlint.inspection.rounding import ROUNDING

    _only_alone(args)
    if args.rtol is None:
        args.rtol = Tolerance().relative if args.precision is None else ROUNDING[FLOATS[args.precision]].limit
    if args.shapes_only:
        _only_shapes(args)
    result = _read(args)
    model = result.model
    assert model is not None
    if not args.shapes_only and sessions_of(model) is not None:
        name = visible(args.model)
        raise UsageError(
            f"{name}: events of a run, which do not have what a run needs; run the model that they are of"
            f" (`irlint summary {name}` lists its slowest operators)"
        )
    with refusals(args.model, model.format) as status:
        mapping = runnable(model)
        shown = _shapes if args.shapes_only else _ranges if args.ranges else _values
        status.value = shown(args, result, model, mapping)
    return status.value


def _only_alone(args: argparse.Namespace) -> None:
    """Refuse options that have no effect together."""
    others = {"--compare": args.compare, "--shapes-only": args.shapes_only, "--steps": args.steps > 1}
    for option, is_given, excluded in (
        ("--as", args.precision, {**others, "--ranges": args.ranges}),
        ("--ranges", args.ranges, {**others, "--output": args.output, "--events": args.events, "--state": args.state}),
    ):
        other = next((name for name, value in excluded.items() if value), None)
        if is_given and other is not None:
            raise UsageError(f"{option} cannot be used with {other}")
    if not args.ranges and (args.samples or args.node_data):
        raise UsageError(f"{'--samples' if args.samples else '--node-data'} has no effect without --ranges")


def _only_shapes(args: argparse.Namespace) -> None:
    """Refuse options about values, of which there are none."""
    steps = args.steps if args.steps > 1 else None
    about = {"--output": args.output, "--events": args.events, "--compare": args.compare, "--steps": steps}
    about |= {"--state": args.state, "--state-out": args.state_out}
    given = next((name for name, value in about.items() if value is not None), None)
    if given is not None:
        raise UsageError(f"{given} has no effect: --shapes-only computes no values")


def _read(args: argparse.Namespace) -> Result:
    """Return the linted model; raise Refused if it has errors that a run in NumPy depends on."""
    from irlint.cli.inputs import only_regular
    from irlint.formats.base import by_name

    if args.weights is not None:
        only_regular(str(args.weights))
    result = lint_model(args.model, Settings(weights=args.weights, missing_weights="required"), args.as_format)
    format_ = by_name(result.format or "")
    if args.weights is not None and format_ is not None and (trouble := format_.weights_trouble()):
        raise UsageError(f"`--weights` has no effect: {trouble}")
    model_for("shapes" if args.shapes_only else "values", result)
    return result


def _infer(
    args: argparse.Namespace,
    result: Result,
    model: Model,
    mapping: Mapping,
    inputs: Any,
    held: dict[int, Any],
    earlier: Inference | None = None,
    needs_all: bool = True,
) -> Inference:
    """Return all types, given those of the inputs and of the states that are held; raise Refused if there are errors, or note them if
    not all types are needed."""
    from irlint.dryrun.infer import infer
    from irlint.dryrun.running import feeds, states
    from irlint.dryrun.running.examples import errors_of, options

    given = {**feeds.tensors(inputs), **states.tensors(held, model.types, model.graph)}
    found = infer(model.graph, mapping, given, earlier=earlier)
    mistakes = errors_of(model.graph, mapping, found)
    if not needs_all:  # those that are findings are noted
        said = {finding.node for finding in result.findings if finding.severity == Severity.ERROR}
        mistakes = [mistake for mistake in mistakes if mistake.node.name not in said]
    if mistakes:
        assert result.document is not None
        lines = [
            f"{result.name}:{place(result, result.document.span(m.graph.place(m.node, m.part)).start)}: "
            f"{m.node.op} {m.node.name!r}: {m.error.message}"
            for m in mistakes
        ]
        if not needs_all:
            say(*(f"note: {line}; its results are unknown" for line in lines[:_NOTED]), *more_than(_NOTED, lines))
            return found
        disagreement = feeds.disagreement(mapping.feeds(model.graph), inputs.types)
        raise Refused(*lines, _remedy(result, disagreement, lambda: options(mapping, model.graph)))
    return found


def _remedy(result: Result, disagreement: str, options: Callable[[], str]) -> str:
    """Return what to do about a model whose operators do not take the inputs; `options` returns such that they take, if any are known."""
    if disagreement:
        return f"{disagreement}; give both the same length with --input"
    known = any(finding.severity == Severity.ERROR for finding in result.findings)
    if not known:  # a fix of a warning would change nothing
        return (
            f"the model takes other shapes: {fitting}"
            if (fitting := options())
            else "none of the usual shapes fits, either"
        )
    return remedy(result, "values")


def _shapes(args: argparse.Namespace, result: Result, model: Model, mapping: Mapping) -> int:
    from irlint.cli.inputs import given_inputs
    from irlint.cli.run_report import show_shapes
    from irlint.dryrun.running.feeds import resolve, settable

    known = settable(mapping, model.graph)
    said = given_inputs(args.input, known)
    told = resolve([feed for feed in known.used(said) if feed.node in said], said)
    types = _infer(args, result, model, mapping, told, {}, needs_all=bool(args.input))
    show_shapes(args, model, mapping, types)
    return OK


def _ranges(args: argparse.Namespace, result: Result, model: Model, mapping: Mapping) -> int:
    from irlint.cli.ranges import samples, show_ranges
    from irlint.cli.run_report import NodeProgress
    from irlint.dryrun.running import feeds as dryrun_feeds
    from irlint.dryrun.running import memory
    from irlint.dryrun.running.examples import suggestion
    from irlint.dryrun.running.run import Run
    from irlint.precision.ranges import Ranges

    graph, known = model.graph, dryrun_feeds.settable(mapping, model.graph)
    ranges, types = Ranges(graph, NodeProgress(len(graph.nodes))), None
    for said in samples(args, known):
        feeds = known.used(said)
        inputs = dryrun_feeds.resolve(feeds, said, partial(suggestion, known))
        types = _followed(_infer(args, result, model, mapping, inputs, {}, types), graph)
        limit = memory.free() // 2 if args.memory_limit is None else args.memory_limit
        memory.check(graph, mapping, types, limit)
        values = dryrun_feeds.values(feeds, inputs, args.seed)
        for node, array in values.items():
            ranges.add(graph.nodes[node], 0, array)
        Run(mapping, types, ranges, args.seed, limit).outputs(graph, values)
        ranges.runs += 1
    ranges.tell.close()
    return show_ranges(args, model, ranges)


def _followed(types: Inference, graph: Graph) -> Inference:
    """Return types; raise Unsupported if an operator is unknown."""
    from irlint.dryrun.running.run import Unsupported

    if types.unknown:
        raise Unsupported(next(n for g in graph.walk() for n in g.nodes if n.op in types.unknown), "not implemented")
    return types


def _values(args: argparse.Namespace, result: Result, model: Model, mapping: Mapping) -> int:
    from irlint.cli.inputs import arrays_of, given_inputs
    from irlint.cli.run_report import NodeProgress, compared, show_run, write_archive, write_events
    from irlint.dryrun.running import feeds as dryrun_feeds
    from irlint.dryrun.running.decoders import chosen, usual
    from irlint.dryrun.running.examples import suggestion

    states, known = mapping.states(model.graph), dryrun_feeds.settable(mapping, model.graph)
    _only_with_states(args, states, known, mapping.unique_names(model.graph))
    said = given_inputs(args.input, known)
    feeds = known.used(said)
    inputs = dryrun_feeds.resolve(feeds, said, partial(suggestion, known))
    reference = arrays_of(args.compare) if args.compare is not None else None
    values: dict[int, Any] | None = None
    held = _held(args, model, mapping, states)
    earlier: list[dict[str, Any]] = []
    tokens: list[dict[str, Any]] = []
    first: Inputs | None = None
    types: Inference | None = None
    progress = NodeProgress(len(model.graph.nodes))
    while True:
        last = len(earlier) + 1 == args.steps
        step = partial(
            _step, args, result, model, mapping, feeds, inputs, values, held, states, reference if last else None
        )
        done = step(types, progress, last)
        if last:
            done = (
                done if args.steps > 1 or done.exact else _quickest(done, partial(step, done.job.types, progress, last))
            )
            break
        earlier.append(done.outputs)
        progress.step(len(earlier), args.steps)
        held, types = done.kept.held(), done.job.types
        first = first or inputs
        inputs, values = _next(feeds, done)
        tokens.append(chosen({usual(feed.names): (done.values[feed.node], values[feed.node]) for feed in feeds}))
    done = done._replace(earlier=earlier, tokens=tokens, first=first)
    reference = reference if done.exact is None else done.exact.results
    pairs = None if reference is None else compared(done, reference)
    if args.output:
        write_archive(args.output, done.named())
    if args.state_out:
        write_archive(args.state_out, done.kept.values)
    if args.events:
        write_events(args.events, done)
    return show_run(done, pairs)


def _quickest(first: CompletedRun, again: Callable[[], CompletedRun]) -> CompletedRun:
    """Return the quickest of some repetitions of a short run: in the first, modules are imported and libraries are started; in one of
    them, another process may take the processor."""
    found, spent = first, first.seconds
    for k in range(_REPEATS):
        if spent >= (_SHORT if k else _WARM):
            break
        done = again()
        spent += done.seconds
        found = done if k == 0 or done.seconds < found.seconds else found
    return found


def _only_with_states(
    args: argparse.Namespace, states: Sequence[State], known: Settable, outputs: Sequence[str]
) -> None:
    from irlint.dryrun.running.decoders import caches

    if states:
        return
    found = caches((name for feed in known.feeds for name in feed.names), outputs)
    for name, used in (
        ("--steps", args.steps > 1 and not found),
        ("--state", args.state),
        ("--state-out", args.state_out),
    ):
        if used:
            first = next(iter(found), None)
            why = f"; its cache is given by inputs such as {first!r}: use --input and --output" if first else ""
            raise UsageError(f"{name}: the model has no states{why}")


def _held(args: argparse.Namespace, model: Model, mapping: Mapping, states: Sequence[State]) -> dict[int, Any]:
    """Return the values of --state by the index of the node that outputs them."""
    if args.state is None:
        return {}
    from irlint.cli.inputs import arrays_of
    from irlint.dryrun.infer import infer
    from irlint.dryrun.running.states import given

    return given(arrays_of(args.state), states, infer(model.graph, mapping), model.graph)


def _step(
    args: argparse.Namespace,
    result: Result,
    model: Model,
    mapping: Mapping,
    feeds: list[Feed],
    inputs: Inputs,
    values: dict[int, Any] | None,
    held: dict[int, Any],
    states: Sequence[State],
    reference: dict[str, Any] | None,
    earlier: Inference | None,
    progress: NodeProgress,
    last: bool,
) -> CompletedRun:
    """Run the model once; the first time, `values` of the inputs are drawn where they are not given. Only the last step is
    recorded: in others, what follows from constants alone is not computed again."""
    from irlint.cli.run_report import CompletedRun, wanted_results
    from irlint.dryrun.running import feeds as dryrun_feeds
    from irlint.dryrun.running import memory
    from irlint.dryrun.running.record import Record
    from irlint.dryrun.running.run import Run
    from irlint.dryrun.running.states import WrittenStates

    graph = model.graph
    types = _followed(_infer(args, result, model, mapping, inputs, held, earlier), graph)
    limit = memory.free() // 2 if args.memory_limit is None else args.memory_limit
    plan = (memory.check if last else memory.roughly)(graph, mapping, types, limit)
    if values is None:
        values = dryrun_feeds.values(feeds, inputs, args.seed)
    wanted, exact, maker = wanted_results(graph, reference or {}), None, Run
    if args.precision is not None:
        from irlint.precision.rerun import exact_run, narrow_run

        exact = exact_run(Run(mapping, types, None, args.seed, limit), graph, {**values, **held}, args.precision)
        wanted, maker = exact.names, narrow_run(args.precision)
    record = Record(graph, lambda node, k: (node.index, k) in wanted, progress)
    kept = WrittenStates(states)
    job = maker(mapping, types, record if last else None, args.seed, limit, kept.wanted())
    outputs = dict(zip(mapping.unique_names(graph), job.outputs(graph, {**values, **held}), strict=True))
    kept.take(job.found)
    done = CompletedRun(args, model, mapping, feeds, inputs, job, record, plan, outputs, values, kept, wanted)
    return done._replace(exact=exact)


def _next(feeds: Sequence[Feed], done: CompletedRun) -> tuple[Inputs, dict[int, Any]]:
    """Return the inputs of the next step."""
    from irlint.dryrun.running.decoders import following, usual
    from irlint.dryrun.running.feeds import Inputs

    names = {feed.node: usual(feed.names) for feed in feeds}
    values = done.values
    by_name = {names[node]: array for node, array in values.items()}
    found = following(by_name, done.named())
    arrays = {node: found[names[node]] for node in values}
    changed = {k: a for k, a in arrays.items() if k in done.inputs.arrays or a is not values[k]}
    kinds = {node: (dtype, tuple(arrays[node].shape)) for node, (dtype, _) in done.inputs.types.items()}
    return Inputs(kinds, changed), arrays
