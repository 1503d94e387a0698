"""Runs of operators with graphs inside: loops, scans, and graphs for each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from irlint.dryrun.lazy import np
from irlint.dryrun.operator import BodyRun
from irlint.dryrun.ops.common import number
from irlint.dryrun.ops.onnx.subgraphs import declared_rank, item
from irlint.dryrun.running.sequences import boxed, is_box, items_of

if TYPE_CHECKING:
    from irlint.dryrun.ops.openvino.control import LoopBody, Slicing
    from irlint.dryrun.ops.shared.nesting import Part


def tensor_iterator(*operands: Any, bodies: Sequence[LoopBody], count: int, **_: Any) -> Any:
    return _turns(operands, bodies[0], count, None, True)


def loop(trips: Any, condition: Any, *rest: Any, bodies: Sequence[LoopBody], count: int, **_: Any) -> Any:
    trip_count = number(trips)
    going = bool(np.asarray(condition).reshape(-1)[0])
    return _turns((trips, condition, *rest), bodies[0], count, trip_count if trip_count >= 0 else None, going)


def _turns(operands: Sequence[Any], body: LoopBody, count: int, limit: int | None, going: bool) -> Any:
    """Run all iterations of a loop; `limit` is their number if it is known."""
    state, cuts = _first(operands, body)
    turns = min(map(len, cuts.values()), default=None)
    turns = limit if turns is None or limit is not None else turns
    carried = dict(body.back)
    ways = [way for way in body.outputs if way.output >= 0]
    joined = [way.output for way in ways if way.slicing is not None]
    # the outputs of a loop without iterations
    last = {way.output: state.get(carried.get(way.node, -1)) for way in ways if way.slicing is None}
    rows: list[dict[int, Any]] = []
    while going and (turns is None or len(rows) < turns):
        values = yield BodyRun(body.graph, _inputs(body, state, cuts, len(rows)))
        last |= {way.output: values[way.node][0] for way in ways}
        rows.append({output: last[output] for output in joined})
        state |= _carry(body, values)
        going = body.stop is None or bool(np.asarray(values[body.stop][0]).reshape(-1)[0])
    return _last(body, list(map(last.get, range(count))), rows)


def _inputs(body: LoopBody, state: dict[int, Any], cuts: dict[int, list[Any]], turn: int) -> dict[int, Any]:
    inputs = {**state, **{node: found[turn] for node, found in cuts.items()}}
    if body.counter is not None:
        inputs[body.counter] = np.asarray(turn, np.int64).reshape(_counter_shape(body, body.counter))
    return inputs


def _carry(body: LoopBody, values: Any) -> dict[int, Any]:
    """Return the variables that the next iteration has from this one."""
    found = {target: values[source][0] for source, target in body.back}
    for entry in body.inputs:
        if entry.node in found:
            found[entry.node] = entry.converted(found[entry.node])
    return found


def _first(operands: Sequence[Any], body: LoopBody) -> tuple[dict[int, Any], dict[int, list[Any]]]:
    """Return the variables of the first iteration, and the slices of those that change with each."""
    state: dict[int, Any] = {}
    cuts: dict[int, list[Any]] = {}
    for entry in body.inputs:
        if entry.counter:
            continue
        operand = entry.converted(operands[entry.operand])
        if entry.slicing is None:
            state[entry.node] = operand
        else:
            cuts[entry.node] = list(_pieces(operand, entry.slicing))
    return state, cuts


def _last(body: LoopBody, outputs: list[Any], rows: Sequence[dict[int, Any]]) -> list[Any]:
    """Return the outputs, those of all iterations put together."""
    for way in body.outputs:
        if way.slicing is not None and 0 <= way.output < len(outputs):
            parts = [row[way.output] for row in rows] or [_no_turns(body, way.node, way.slicing.axis)]
            parts = parts[::-1] if way.slicing.stride < 0 or way.slicing.size < 0 else parts
            outputs[way.output] = np.concatenate([np.atleast_1d(p) for p in parts], way.slicing.axis)
    return outputs


def _counter_shape(body: LoopBody, node: int) -> tuple[int, ...]:
    """Return the declared shape of the body's counter: a scalar or one element."""
    declared = str(body.graph.nodes[node].attrs.get("shape", "")).strip("[] ")
    return (1,) if declared == "1" else ()


def _no_turns(body: LoopBody, node: int, axis: int) -> Any:
    """Return the concatenated outputs of a loop without iterations: as the body declares them, with length 0."""
    found = body.graph.nodes[node]
    maker, output = (node, 0) if found.outputs or not found.inputs else found.inputs[0]
    values = body.graph.nodes[maker].outputs if maker >= 0 else ()
    shape = [
        dim if isinstance(dim, int) else 0
        for dim in (values[output].type.shape if output < len(values) else None) or (0,)
    ]
    shape[axis] = 0
    return np.empty(shape)


def _pieces(array: Any, cut: Slicing) -> Any:
    """Yield the slices of an operand, one per iteration."""
    start, end = cut.ends(array.shape[cut.axis])
    size, step = abs(cut.size), cut.stride
    places = range(start, end, step) if step > 0 else range(start - size, end - 1, step)
    for place in places:
        view: Any = [slice(None)] * array.ndim
        view[cut.axis] = slice(place, place + size)
        yield array[tuple(view)]


def for_each(
    *operands: Any, parts: Sequence[Part], data: Sequence[int], states: Sequence[int], kept: int, **_: Any
) -> Any:
    (body,) = parts
    current = list(operands)
    stacked: list[list[Any]] = [[] for _ in range(kept)]
    turns = operands[data[0]].shape[0] if data else 0
    for turn in range(turns):
        for k in data:
            current[k] = np.atleast_1d(operands[k][turn])
        results = body.results((yield BodyRun(body.graph, body.filled(current))))
        _keep(results, stacked, current, states)
    return [np.stack(found) for found in stacked] + [current[k] for k in states]


def while_true(*operands: Any, parts: Sequence[Part], states: Sequence[int], kept: int, limit: int, **_: Any) -> Any:
    condition, body = parts
    current = list(operands)
    stacked: list[list[Any]] = [[] for _ in range(kept)]
    for _turn in range(limit):
        (going,) = condition.results((yield BodyRun(condition.graph, condition.filled(current))))
        if not np.asarray(going).reshape(-1)[0]:
            break
        results = body.results((yield BodyRun(body.graph, body.filled(current))))
        _keep(results, stacked, current, states)
    return [_padded(found, limit) for found in stacked] + [current[k] for k in states]


def _keep(results: Sequence[Any], stacked: list[list[Any]], current: list[Any], states: Sequence[int]) -> None:
    """The first outputs of an iteration are stacked, the others are the states of the next one."""
    for found, result in zip(stacked, results, strict=False):
        found.append(result)
    for k, result in zip(states, results[len(stacked) :], strict=False):
        current[k] = result


def _padded(found: list[Any], limit: int) -> Any:
    """Append zeros for the remaining iterations."""
    rows = np.zeros((limit, *(found[0].shape if found else ())), found[0].dtype if found else np.float32)
    for k, row in enumerate(found):
        rows[k] = row
    return rows


def iterate(*given: Any, parts: Sequence[Part], states: int, **_: Any) -> Any:
    (part,) = parts
    operands = list(given)
    trips = None if operands[0] is None else number(operands[0])
    going = len(operands) < 2 or operands[1] is None or bool(operands[1].reshape(-1)[0])
    stacked: list[list[Any]] = [[] for _ in part.graph.outputs[1 + states :]]
    turn, shapes = 0, [(1,) * declared_rank(part, k) for k in range(2)]
    while going and (trips is None or turn < trips):
        operands[0:2] = [np.full(shapes[0], turn, np.int64), np.full(shapes[1], going)]
        results = part.results((yield BodyRun(part.graph, part.filled(operands))))
        going = bool(results[0].reshape(-1)[0])
        operands[2 : 2 + states] = results[1 : 1 + states]
        for rows, result in zip(stacked, results[1 + states :], strict=True):
            rows.append(result)
        turn += 1
    return operands[2 : 2 + states] + [
        np.stack(rows) if rows else _nothing(part, 1 + states + k) for k, rows in enumerate(stacked)
    ]


def scan(
    *given: Any,
    parts: Sequence[Part],
    states: int,
    scanned: int,
    axes: Sequence[int] = (),
    out_axes: Sequence[int] = (),
    backward: Sequence[int] = (),
    out_backward: Sequence[int] = (),
    batched: bool = False,
    **_: Any,
) -> Any:
    (part,) = parts
    ways = axes, out_axes, backward, out_backward
    if not batched:
        return (yield from _scan(list(given), part, states, scanned, 0, ways))
    found = []
    for row in range(len(given[1])):
        operands = [
            given[0],
            *(array[row] for array in given[1 : 1 + states + scanned]),
            *given[1 + states + scanned :],
        ]
        length = None if given[0] is None else int(given[0][row])
        found.append((yield from _scan(operands, part, states, scanned, 1, ways, length)))
    return [np.stack(column) for column in zip(*found, strict=True)]


def _scan(
    operands: list[Any], part: Part, states: int, scanned: int, lead: int, ways: Any, length: int | None = None
) -> Any:
    axes, out_axes, backward, out_backward = ways
    first = lead + states
    slices = [np.moveaxis(operands[first + k], item(axes, k), 0) for k in range(scanned)]
    count = len(slices[0]) if length is None else length
    stacked: list[list[Any]] = [[] for _ in part.graph.outputs[states:]]
    for turn in range(count):
        for k, rows in enumerate(slices):
            operands[first + k] = rows[len(rows) - 1 - turn if item(backward, k) else turn]
        results = part.results((yield BodyRun(part.graph, part.filled(operands))))
        operands[lead:first] = results[:states]
        for rows, result in zip(stacked, results[states:], strict=True):
            rows.append(result)
    found = list(operands[lead:first])
    for k, rows in enumerate(stacked):
        ordered = rows[::-1] if item(out_backward, k) else rows
        whole = np.stack(ordered) if rows else _nothing(part, states + k)
        found.append(np.moveaxis(whole, 0, item(out_axes, k)))
    return found


def _nothing(part: Part, k: int) -> Any:
    """Return the rows of a loop without iterations, as the graph declares them."""
    node, output = part.graph.outputs[k]
    declared = part.graph.nodes[node].outputs[output].type
    shape = [dim if isinstance(dim, int) else 0 for dim in declared.shape or ()]
    return np.empty((0, *shape), declared.dtype or "float32")


def map_sequence(*given: Any, parts: Sequence[Part], count: int, **_: Any) -> Any:
    (part,) = parts
    rows = []
    for k in range(len(items_of(given[0]))):
        operands = [items_of(array)[k] if is_box(array) else array for array in given]
        rows.append(part.results((yield BodyRun(part.graph, part.filled(operands)))))
    return [boxed([row[k] for row in rows]) for k in range(count)]


def modified_attention(
    q: Any,
    k: Any,
    v: Any,
    *rest: Any,
    parts: Sequence[Part | None],
    scale: float | None = None,
    precision: str | None = None,
    **_: Any,
) -> Any:
    from irlint.dryrun.kernels.attention import shares
    from irlint.dryrun.running.arrays import stored

    times = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, times, 1), np.repeat(v, times, 1)
    root = q.dtype.type(np.sqrt(1 / np.sqrt(q.shape[3]) if scale is None else scale))
    wide = stored(precision) if precision else "float64" if q.dtype == np.float64 else "float32"
    scores = np.matmul(q * root, np.swapaxes(k, -1, -2) * root).astype(wide)
    for place, part in enumerate(parts):
        if place:
            scores = shares(scores)
        if part is not None:
            (scores,) = part.results((yield BodyRun(part.graph, part.filled((scores, *rest)))))
    return [np.matmul(scores.astype(wide), v.astype(wide)).astype(q.dtype)]
