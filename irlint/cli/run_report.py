"""Output of `irlint run`: tables, arrays, events, comparisons."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Any

from irlint.cli.output import save, show_json
from irlint.cli.progress import ERASE
from irlint.cli.status import FOUND, OK, UsageError
from irlint.dryrun.dims import show as show_shape
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import Feed, Mapping
from irlint.dryrun.running.feeds import Inputs
from irlint.dryrun.running.memory import Plan
from irlint.dryrun.running.record import NonFinite, OperatorTime, Record
from irlint.dryrun.running.run import Run
from irlint.dryrun.running.sequences import plain
from irlint.dryrun.running.states import WrittenStates
from irlint.graph import Dim, Graph, Node, Shape
from irlint.inspection.comparison import ResultPair, RunResult, Tolerance
from irlint.inspection.types import typed_nodes
from irlint.precision.rerun import Exact
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.safe import columns, emit, put, visible
from irlint.text.words import count, share, size, times
from irlint.text.wrap import fitted, table

_SHOWN = 30
_PRINTED = 8  # elements of an output that are printed one by one
_NAMED = 3  # operators that overflow
_WRITTEN = 64  # and so many that are in JSON


class CompletedRun(NamedTuple):
    """A completed run."""

    args: argparse.Namespace
    model: Model
    mapping: Mapping
    feeds: list[Feed]
    inputs: Inputs
    job: Run
    record: Record
    plan: Plan
    outputs: dict[str, Any]
    values: dict[int, Any]  # of the inputs
    kept: WrittenStates
    keys: dict[tuple[int, int], str]  # names in the reference of results to compare
    earlier: Sequence[dict[str, Any]] = ()  # outputs of the steps before the last
    tokens: Sequence[dict[str, Any]] = ()  # that the steps after the first took from the one before
    first: Inputs | None = None  # of several steps
    exact: Exact | None = None  # of a run that rounds: what one without rounding computes

    def named(self) -> dict[str, Any]:
        """Return the outputs by all names that they have."""
        found = dict(self.outputs)
        aliases = self.mapping.aliases(self.record.graph)
        for array, names in zip(self.outputs.values(), aliases, strict=True):
            for name in names:
                found.setdefault(name, array)
        return found

    @property
    def tolerance(self) -> Tolerance:
        return Tolerance(self.args.atol, self.args.rtol)

    @property
    def seconds(self) -> float:
        return sum(row.seconds for row in self.record.rows)


class NodeProgress:
    """A progress line on stderr for long runs, if that is a terminal."""

    def __init__(self, total: int) -> None:
        self.total, self.next, self.shown = total, monotonic() + 2, False
        self.on = sys.stderr.isatty()

    def __call__(self, count: int, node: Node) -> None:
        if self._is_due():
            self._show(f"{count:,} of {self.total:,} nodes: {visible(node.op)} {visible(node.name)[:60]}")

    def step(self, count: int, total: int) -> None:
        if self._is_due():
            self._show(f"{count:,} of {total:,} steps")

    def _is_due(self) -> bool:
        return self.on and monotonic() > self.next

    def _show(self, picture: str) -> None:
        self.next = monotonic() + 0.5
        emit(sys.stderr, ERASE + picture)
        sys.stderr.flush()
        self.shown = True

    def close(self) -> None:
        if self.shown:
            emit(sys.stderr, ERASE)


def wanted_results(graph: Graph, reference: dict[str, Any]) -> dict[tuple[int, int], str]:
    """Return results that a reference has under the name of their tensor or node."""
    found: dict[tuple[int, int], str] = {}
    if not reference:
        return found
    for node in graph.nodes:
        if node.kind != "call":
            continue
        for k, value in enumerate(node.outputs):
            names = [*(value.name or "").split(","), *([node.name] if k == 0 else []), f"{node.name}:{k}"]
            if (name := next((n for n in names if n in reference), None)) is not None:
                found[node.index, k] = name
    return found


def _results(done: CompletedRun, reference: dict[str, Any]) -> dict[str, RunResult]:
    """Return the results of a run by the names that the reference has for them."""
    graph = done.record.graph
    found = {
        part: RunResult(part, graph.nodes[place[0]].op, values)
        for place, array in done.record.kept.items()
        for part, values in plain(done.keys[place], array)
    }
    makers = [graph.nodes[index].op for index, _ in done.mapping.outputs(graph)]
    aliases = done.mapping.aliases(graph)
    for (name, array), names, op in zip(done.outputs.items(), aliases, makers, strict=True):
        key = next((k for k in (name, *names) if k in reference), name)
        for part, values in plain(key, array):
            found.setdefault(part, RunResult(part, op, values))
    return found


def compared(done: CompletedRun, reference: dict[str, Any]) -> list[ResultPair]:
    """Return results paired with the reference's, in the order of the run."""
    from irlint.inspection.comparison import distance

    found = _results(done, reference)
    if not reference.keys() & found.keys():
        if len(reference) != len(done.outputs):
            raise UsageError(
                f"{done.args.compare}: none of its arrays is a result of this model: {', '.join(reference)}"
            )
        reference = dict(zip(done.outputs, reference.values(), strict=True))
    pairs = [
        ResultPair(
            mine, RunResult(key, mine.operator, reference[key]), distance(mine.value, reference[key], done.tolerance)
        )
        for key, mine in found.items()
        if key in reference
    ]
    known = {feed.node: feed.names for feed in done.feeds}
    inputs = {name for names in known.values() for name in names}
    return pairs + [
        ResultPair(None, RunResult(k, k, v), None) for k, v in reference.items() if k not in found and k not in inputs
    ]


def _plain(outputs: dict[str, Any]) -> dict[str, Any]:
    """Return outputs as arrays, those in sequences and maps by names of their own; a name that another output has gets a `_`."""
    found: dict[str, Any] = {}
    for name, array in outputs.items():
        for key, part in plain(name, array):
            while key != name and (key in outputs or key in found):
                key += "_"
            found[key] = part
    return found


def write_archive(path: str, outputs: dict[str, Any]) -> None:
    import numpy

    stream = io.BytesIO()
    texts = {k: v.astype(str) if v.dtype.kind == "O" else v for k, v in _plain(outputs).items()}
    _save(stream, texts, numpy)
    save(path, stream.getvalue())


def _save(stream: io.BytesIO, arrays: dict[str, Any], numpy: Any) -> None:
    """Write an .npz like savez, but with any names (`file`, `a/b`)."""
    from zipfile import ZipFile

    with ZipFile(stream, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                numpy.lib.format.write_array(file, numpy.asanyarray(array), allow_pickle=False)


def write_events(path: str, done: CompletedRun) -> None:
    from irlint.inspection import Flat
    from irlint.inspection.events import Measure, lines, records

    flat = Flat(done.record.graph, ("Call", "Var", "Constant"))
    measures = {row.node.index: Measure(row.seconds, row.size, row.value) for row in done.record.rows}
    session = os.path.splitext(os.path.basename(done.args.model))[0] or "stdin"
    save(path, "".join(lines(records(flat, session, measures))).encode("utf-8", "backslashreplace"))


def _dims(shape: Iterable[Dim] | None) -> list[Any] | None:
    return None if shape is None else [dim if isinstance(dim, int | str) else None for dim in shape]


def show_shapes(args: argparse.Namespace, model: Model, mapping: Mapping, types: Inference) -> None:
    """Show the result of --shapes-only."""
    graph = model.graph
    known = mapping.shown(graph, types.types[id(graph)])

    def typed(index: int, k: int) -> tuple[str | None, Shape | None]:
        found = known[index] if index >= 0 else ()
        return found[k].type if k < len(found) else (None, None)

    inputs = [(feed.names[0], *typed(feed.node, 0)) for feed in mapping.feeds(graph)]
    outputs = [(n, *typed(*s)) for n, s in zip(mapping.unique_names(graph), mapping.outputs(graph), strict=True)]
    if args.output_format == "json":
        nodes = [
            {
                "name": node.name,
                "op": node.op,
                "outputs": [_output(node, k, *typed(node.index, k)) for k in range(_count(node, known[node.index]))],
            }
            for node in graph.nodes
        ]
        ports = ([{"name": n, "dtype": d, "shape": _dims(s)} for n, d, s in part] for part in (inputs, outputs))
        show_json({"inputs": next(ports), "outputs": next(ports), "nodes": nodes})
    else:
        rows = [(node.op, text, node.name) for node, text in typed_nodes(graph, known)]
        put(sys.stdout, "\n".join(table([("operator", "gives", "node"), *rows], columns(sys.stdout))) + "\n")


def _count(node: Node, outputs: tuple[Any, ...]) -> int:
    return max(len(outputs), len(node.outputs)) if node.outputs else 0


def _output(node: Node, k: int, dtype: str | None, shape: Shape | None) -> dict[str, Any]:
    declared = node.outputs[k].type if k < len(node.outputs) else None
    said = declared is not None and (declared.dtype is not None or declared.shape is not None)
    return {
        "dtype": dtype,
        "shape": _dims(shape),
        "declared": {"dtype": declared.dtype, "shape": _dims(declared.shape)} if said and declared else None,
    }


def show_run(done: CompletedRun, pairs: list[ResultPair] | None) -> int:
    """Show the result on stdout and return the exit status."""
    done.record.tell.close()  # type: ignore[attr-defined]
    if done.args.output_format == "json":
        show_json(_data(done, pairs))
    else:
        wide = columns(sys.stdout)
        parts = [
            fitted(_head(done), wide),
            _table(done, wide),
            fitted(_outputs(done), wide),
            fitted(_notes(done), wide),
        ]
        if pairs is not None:
            from irlint.inspection.differences import lines

            found = lines(pairs, done.tolerance, done.args.all, wide)
            of = done.args.compare or "a run without rounding"
            parts.append([f"against {visible(of)}:", *found, *fitted(_overflowing(done, pairs), wide)])
        put(sys.stdout, "\n\n".join(part for part in map("\n".join, parts) if part) + "\n")
    return FOUND if pairs is not None and _differs(done, pairs) else OK


def _differs(done: CompletedRun, pairs: list[ResultPair]) -> bool:
    """Return whether a run differs from another one; with rounding, by its outputs."""
    of = [pair for pair in pairs if done.exact is None or pair.any.key in done.outputs]
    return any(not pair.agrees for pair in of)


def _overflows(done: CompletedRun, pairs: list[ResultPair]) -> list[tuple[Node, float]]:
    """Return the operators that overflow above the first one that differs from a run without rounding, and what they output there."""
    from irlint.inspection.comparison import first_divergence
    from irlint.precision.rerun import overflows

    first = first_divergence(pairs)
    if done.exact is None or first is None:
        return []
    index = next((place[0] for place, name in done.exact.names.items() if name == first.any.key), None)
    return [] if index is None else [*overflows(done.record.graph, done.exact, done.record.kept, index)]


def _overflowing(done: CompletedRun, pairs: list[ResultPair]) -> list[str]:
    found = _overflows(done, pairs)
    lines = [
        f"{visible(node.op)} {visible(repr(node.name))} overflows {done.exact.dtype}: up to {largest:.3g} without rounding"
        for node, largest in found[:_NAMED]
        if done.exact is not None
    ]
    if done.exact is not None and any(not pair.agrees for pair in pairs) and not _differs(done, pairs):
        lines.append("the outputs agree all the same")
    return lines


def _head(done: CompletedRun) -> list[str]:
    model, plan = done.model, done.plan
    rows = done.record.rows
    return [
        f"{visible(done.args.model)}: {model.format}:{model.dialect}, {len(rows):,} operators in {times([done.seconds])[0]}, "
        f"weights {size(plan.weights)}, other values at most {size(plan.live)}"
    ]


def _table(done: CompletedRun, wide: int | None) -> list[str]:
    rows, total = done.record.rows, done.seconds
    shown: list[OperatorTime] = rows
    if len(rows) > _SHOWN and not done.args.all:
        slow = sorted(range(len(rows)), key=lambda k: -rows[k].seconds)[:_SHOWN]
        shown = [rows[k] for k in sorted(slow)]
    lines = table(
        [
            ("time", "share", "operator", "gives", "node"),
            *(
                (
                    times([r.seconds])[0],
                    share(r.seconds, total),
                    r.node.op,
                    " ".join(map(show_shape, r.shapes)),
                    r.node.name,
                )
                for r in shown
            ),
        ],
        wide,
        right=(0, 1),
    )
    if len(shown) < len(rows):
        rest = total - sum(row.seconds for row in shown)
        lines.append(f"and {len(rows) - len(shown):,} more in {times([rest])[0]} (use --all to show them)")
    return lines


def _outputs(done: CompletedRun) -> list[str]:
    if not done.earlier:
        return _listed(done.outputs)
    lines: list[str] = []
    steps = zip(({}, *done.tokens), (*done.earlier, done.outputs), strict=True)
    for step, (tokens, outputs) in enumerate(steps, 1):
        lines += [f"step {step}:", *(f"  {line}" for line in (*_listed(tokens), *_listed(outputs)))]
    return lines


def _listed(outputs: dict[str, Any]) -> list[str]:
    return [
        f"{visible(name)}: {value.dtype} {show_shape(value.shape)} {_value(value)}"
        for name, value in _plain(outputs).items()
    ]


def _value(array: Any) -> str:
    """Return an array's elements on one line, or a summary of them."""
    if array.size <= _PRINTED:
        return visible(_text(array))
    if array.dtype.kind not in "iufb":
        return ""
    return f"min {array.min():.6g}, mean {array.mean(dtype=float):.6g}, max {array.max():.6g}"


def _text(array: Any) -> str:
    """Return all elements on one line, integers without a decimal point."""
    import numpy

    plain: Any = {"float_kind": lambda number: f"{number:.8g}"}
    text: str = numpy.array2string(array, separator=" ", max_line_width=10**9, formatter=plain)
    return text.replace("\n", "")


def _notes(done: CompletedRun) -> list[str]:
    job, record = done.job, done.record
    notes = [_odd(done, odd) for odd in record.odd.values()]
    inputs = done.first or done.inputs
    fed = sum(feed.node not in inputs.arrays for feed in done.feeds if feed.node in inputs.types)
    drawn = [count(number, what) for number, what in ((fed, "input"), (len(job.drawn), "weight")) if number]
    if drawn:
        notes.append(f"random values with seed {done.args.seed}: {' and '.join(drawn)}")
    if chance := _chance(done):
        first, rest = chance[0], count(len(chance), "operator")
        verb = "draws" if len(chance) == 1 else "draw"
        notes.append(
            f"{rest} {verb} random numbers, and runtimes draw others: {visible(first.op)} {visible(repr(first.name))}"
        )
    return notes


def _chance(done: CompletedRun) -> list[Node]:
    """Return the operators of a run whose results are drawn."""
    drawn = set(done.mapping.random(done.record.graph))
    return [row.node for row in done.record.rows if row.node.index in drawn]


def _odd(done: CompletedRun, odd: NonFinite) -> str:
    label = f"{visible(odd.node.op)} {visible(repr(odd.node.name))}"
    if odd.operand is None:
        return f"{odd.what} first appears in the output of {label}"
    return f"{odd.what} appears in input {odd.operand} of {label}"


def _data(done: CompletedRun, pairs: list[ResultPair] | None) -> dict[str, Any]:
    from irlint.inspection.differences import record

    job, plan = done.job, done.plan
    return {
        "file": done.args.model,
        "format": done.model.format,
        "dialect": done.model.dialect,
        "seed": done.args.seed,
        "seconds": done.seconds,
        "weight_bytes": plan.weights,
        "peak_bytes": plan.live,
        "inputs": [
            {"name": f.names[0], "dtype": t[0], "shape": list(t[1]), "drawn": f.node not in done.inputs.arrays}
            for f in done.feeds
            if (t := done.inputs.types.get(f.node)) is not None
        ],
        "outputs": _arrays(done.outputs),
        "earlier_steps": [_arrays(outputs) for outputs in done.earlier],
        "states": [{"name": n, "dtype": str(v.dtype), "shape": list(v.shape)} for n, v in done.kept.values.items()],
        "nodes": [
            {"name": r.node.name, "op": r.node.op, "seconds": r.seconds, "shapes": [list(s) for s in r.shapes]}
            for r in done.record.rows
        ],
        "not_finite": [
            {"what": odd.what, "node": odd.node.name, "op": odd.node.op, "operand": odd.operand}
            for odd in done.record.odd.values()
        ],
        "drawn_weights": len(job.drawn),
        "random_operators": [node.name for node in _chance(done)],
        "comparison": None if pairs is None else record(pairs, done.tolerance),
        **({} if done.exact is None or pairs is None else _rounding(done, pairs)),
    }


def _rounding(done: CompletedRun, pairs: list[ResultPair]) -> dict[str, Any]:
    return {
        "rounded_to": None if done.exact is None else done.exact.dtype,
        "outputs_agree": not _differs(done, pairs),
        "overflows": [{"node": node.name, "op": node.op, "largest": value} for node, value in _overflows(done, pairs)],
    }


def _arrays(outputs: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "dtype": str(v.dtype), "shape": list(v.shape), "value": _json_value(v)}
        for name, v in _plain(outputs).items()
    ]


def _json_value(array: Any) -> Any:
    """Return small outputs as nested lists; null for numbers that JSON does not have."""
    from irlint.inspection.events import _plain

    return _plain(array) if array.size <= _WRITTEN and array.dtype.kind in "iufb" else None
