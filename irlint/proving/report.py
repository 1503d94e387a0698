"""A proof as text and as data: the verdict first, then where a difference begins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.packed import whole
from irlint.graph import Node, label
from irlint.inspection.rounding import type_of
from irlint.proving.correspondence import FirstDifference
from irlint.proving.nearness import arranged, as_numbers
from irlint.proving.outputs import OutputPair
from irlint.proving.prove import Proof
from irlint.proving.running import Side, weights_of
from irlint.records import NamedTuple
from irlint.text.safe import brief, visible
from irlint.text.words import count

_IN_NUMPY = {
    True: "in NumPy they agree",
    False: "in NumPy they differ",
    None: "irlint cannot run both, so only outputs are compared",
}
_LISTED = 10  # outputs that a text shows
_FEW = 3  # layers that a line names
_SAME_NUMBER = 1e-6
_SAME_FACTOR = 1e-3  # how far the quotients of weights may be apart that are called one factor


class NamedSide(NamedTuple):
    """A model as a report names it."""

    letter: str
    name: str
    side: Side

    def place(self, node: Node) -> str:
        document = self.side.model.document
        offset = document.span(self.side.graph.place(node)).start
        return f"{self.name}:{document.lines.position(offset).line}"


def record(proof: Proof, a: NamedSide, b: NamedSide) -> dict[str, Any]:
    """Return the proof as plain data; null for distances that are not finite."""
    runtimes = {one.letter: by.title for one in (a, b) if (by := one.side.runtime) is not None}
    return {
        "a": a.name,
        "b": b.name,
        "same": proof.is_same,
        "outputs_agree": proof.agrees,
        "runtimes": runtimes,
        "agree_in_numpy": proof.in_numpy if runtimes else proof.agrees,
        "rounding": type_of(proof.rounding),
        "limit": proof.rounding.limit,
        "inputs": [{"a": one, "b": other} for one, other in proof.inputs.names],
        "ranges": {name: list(ends) for name, ends in proof.inputs.ranges},
        "shapes": {name: list(shape) for name, shape in proof.inputs.shapes},
        "outputs": [
            {"a": pair.a, "b": pair.b, "distance": _finite(pair.distance), "agrees": pair.agrees}
            for pair in proof.outputs
        ],
        "only_in_one": [{"model": letter, "output": name} for letter, name in proof.missing],
        "layers": {"all": proof.layers.all, "matched": proof.layers.matched, "same_weights": proof.layers.alike},
        "results": {"all": proof.results, "found_in_a": proof.found, "worst": proof.worst},
        "requantized": [_node(node, b) for node in proof.requantized],
        "draws": proof.draws,
        "incomparable": None if proof.incomparable is None else str(proof.incomparable),
        "first": None if proof.suspect is None else _first(proof.suspect, a, b),
    }


def _first(found: FirstDifference, a: NamedSide, b: NamedSide) -> dict[str, Any]:
    return {
        "a": _node(found.a, a),
        "b": _node(found.b, b),
        "distance": None if found.distance is None else _finite(found.distance),
        "read_same": found.reads_same,
        "why": list(_why(found, a.side, b.side)),
        "others": found.others,
    }


def _node(node: Node | None, named: NamedSide) -> dict[str, Any] | None:
    return (
        None
        if node is None
        else {"operator": node.op, "name": node.name, "line": int(named.place(node).rpartition(":")[2])}
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def lines(proof: Proof, a: NamedSide, b: NamedSide) -> list[str]:
    found = [verdict(proof), *_shapes(proof), *_requantized(proof, b)]
    runtimes = [f"of {one.letter} by {by.title}" for one in (a, b) if (by := one.side.runtime) is not None]
    if runtimes:
        limit = proof.rounding.added_up.limit
        found.append(f"  outputs {' and '.join(runtimes)} (limit {limit:g}); {_IN_NUMPY[proof.in_numpy]}")
    if proof.suspect is not None:
        found += _suspect_lines(proof, proof.suspect, a, b)
    found += [_output(pair) for pair in sorted(proof.outputs, key=lambda pair: pair.agrees)[:_LISTED]]
    if len(proof.outputs) > _LISTED:
        found.append(f"  and {len(proof.outputs) - _LISTED:,} more outputs")
    found += [f"  output {visible(name)!r} is only in {letter}" for letter, name in proof.missing[:_LISTED]]
    return found


def _shapes(proof: Proof) -> Iterator[str]:
    """Yield lines about the shapes and ranges of inputs that allow others: what agrees with these may differ with those."""
    listed = [f"{visible(name)} {list(shape)}" for name, shape in proof.inputs.shapes]
    more = f" and {len(listed) - _LISTED:,} more" if len(listed) > _LISTED else ""
    if listed:
        yield f"  run with {', '.join(listed[:_LISTED])}{more}; --input tries other shapes"
    for name, (low, high) in proof.inputs.ranges[:_LISTED]:
        yield f"  {visible(name)!r} is drawn between {low:.4g} and {high:.4g}, as one of the models clamps other numbers"


def _requantized(proof: Proof, b: NamedSide) -> Iterator[str]:
    """Yield a line about weights that a quantizer may have changed, and somebody else may, too."""
    if some := proof.requantized:
        named = ", ".join(f"{visible(brief(label(node), 200))} ({visible(b.place(node))})" for node in some[:_FEW])
        more = f" and {len(some) - _FEW:,} more" if len(some) > _FEW else ""
        of = f"weights of {count(len(some), 'layer')} of B differ"
        yield f"  {of} by more than their few bits explain, as some quantizers change them: {named}{more}"


def verdict(proof: Proof) -> str:
    if proof.incomparable is not None:
        return f"{'cannot tell' if proof.is_same is None else 'different'}: {visible(str(proof.incomparable))}"
    layers = f"{proof.layers.matched:,} of {count(proof.layers.all, 'layer')} with weights of A found in B"
    if proof.drawn:
        return "cannot tell: outputs depend on random numbers, which the models draw"
    if proof.is_same is None:
        tried = f"{proof.draws} draws of inputs" if proof.draws > 1 else "these inputs"
        return f"cannot tell: all results that agree are nearly constant with {tried}; try others (--input)"
    if proof.is_same:
        apart = f"at most {proof.worst:.1e} apart" if proof.worst else "equal"
        found = f"{proof.found:,} of {count(proof.results, 'result')} of B found in A, {apart}"
        if proof.in_numpy is None:
            return f"same: {count(len(proof.outputs), 'output')} agree{'s' * (len(proof.outputs) == 1)}"
        return f"same: {layers}; {found} (limit {proof.rounding.limit:g} for {type_of(proof.rounding)})"
    if proof.layers.alike > proof.layers.matched:
        layers = f"{proof.layers.alike:,} of {count(proof.layers.all, 'layer')} of A have their weights in B"
        layers += f", {proof.layers.matched:,} their results"
    if proof.agrees:
        return f"different, though not in the outputs for these inputs; {layers}"
    wrong = sum(not pair.agrees for pair in proof.outputs)
    counts = [f"{wrong:,} of {count(len(proof.outputs), 'output')} differ{'s' * (wrong == 1)}" if wrong else ""]
    counts.append(f"{count(len(proof.missing), 'output')} in one model only" if proof.missing else "")
    return f"different: {', '.join(filter(None, counts))} (limit {proof.rounding.limit:g} for {type_of(proof.rounding)}); {layers}"


def _output(pair: OutputPair) -> str:
    names = repr(visible(pair.a)) if pair.a == pair.b else f"{visible(pair.a)!r} and {visible(pair.b)!r}"
    if pair.agrees:
        return f"  output {names}: agrees ({f'{pair.distance:.1e} apart' if pair.distance else 'equal'})"
    apart = f"{pair.distance:.1e} apart" if math.isfinite(pair.distance) else "other values, or another shape"
    return f"  output {names}: {apart}"


def _suspect_lines(proof: Proof, found: FirstDifference, a: NamedSide, b: NamedSide) -> Iterator[str]:
    yield "the first operator that differs:"
    for named, node in ((a, found.a), (b, found.b)):
        if node is None:
            yield f"  {named.letter}: no counterpart"
        else:
            yield f"  {named.letter}: {visible(brief(label(node), 200))} ({visible(named.place(node))})"
    if found.distance is not None:
        apart = f"{found.distance:.1e} apart" if math.isfinite(found.distance) else "of other shapes"
        yield f"  they read {'the same' if found.reads_same else 'other'} values; their results are {apart}"
    yield from (f"  {visible(why)}" for why in _why(found, a.side, b.side))
    if found.others:
        begin = "begins" if found.others == 1 else "begin"
        yield f"  {count(found.others, 'further difference')} {begin} at operators that read the same values in both models"


def _why(found: FirstDifference, a: Side, b: Side) -> Iterator[str]:
    """Yield what is different of two operators as far as their files say it."""
    if found.a is None or found.b is None:
        return
    if a.model.format == b.model.format and found.a.op == found.b.op:
        for key in dict.fromkeys((*found.a.attrs, *found.b.attrs)):
            ours, theirs = found.a.attrs.get(key), found.b.attrs.get(key)
            if ours != theirs and not found.a.graphs and not _is_close(ours, theirs):
                yield f"attribute {key}: {_value(ours)} in A, {_value(theirs)} in B"
    ours, theirs = weights_of(a, found.a), weights_of(b, found.b)
    if len(ours) != len(theirs):
        yield f"{count(len(ours), 'array')} of weights in A, {len(theirs):,} in B"
    for (what, one), (_, other) in zip(ours, theirs, strict=False):
        yield from _weights(what, one, other)


def _is_close(ours: Any, theirs: Any) -> bool:
    """Return whether two attributes are one number that two tools have written."""
    return isinstance(ours, float) and isinstance(theirs, float) and math.isclose(ours, theirs, rel_tol=_SAME_NUMBER)


def _value(value: Any) -> str:
    return "nothing" if value is None else brief(str(value), 60)


def _weights(what: str, a: Any, b: Any) -> Iterator[str]:
    ours, theirs = as_numbers(whole(a)), as_numbers(whole(b))
    if ours.size != theirs.size:
        yield f"{what} {list(a.shape)} in A, {list(b.shape)} in B"
        return
    best = min(arranged(ours, theirs.shape), key=lambda other: float(np.abs(other - theirs).sum()))
    gap = float(np.abs(best - theirs).max(initial=0.0))
    if gap <= _SAME_FACTOR * float(np.abs(theirs).max(initial=0.0)):
        return
    some = np.abs(best) > float(np.abs(best).max(initial=0.0)) * _SAME_FACTOR
    factor = theirs[some] / best[some]
    if factor.size and float(np.ptp(factor)) <= _SAME_FACTOR * abs(float(factor.mean())):
        yield f"{what} {list(b.shape)} of B are {float(factor.mean()):.4g} times those of A"
    else:
        changed = int((np.abs(best - theirs) > _SAME_FACTOR * float(np.abs(theirs).max(initial=0.0))).sum())
        yield f"{what} {list(b.shape)}: {changed:,} of {count(theirs.size, 'number')} differ, by up to {gap:.3g}"


def archive(proof: Proof, a: Side, b: Side) -> dict[str, Any]:
    """Return the inputs of both models, and the operands and results of the first operator that differs, as arrays of an .npz."""
    found: dict[str, Any] = {}
    for letter, side, given in zip("AB", (a, b), (proof.inputs.a, proof.inputs.b), strict=True):
        for feed in side.feeds():
            if feed.node in given:
                found[f"{letter}/inputs/{feed.names[0]}"] = given[feed.node]
    suspect = proof.suspect
    if suspect is not None and suspect.b is not None and suspect.b.index in b.own:
        for k, operand in enumerate(b.read[suspect.b.index]):
            if operand is not None:
                found[f"first/operand{k}"] = whole(operand)
        found["first/result in B"] = b.own[suspect.b.index]
        if suspect.ours is not None:
            found["first/result in A"] = suspect.ours
    return found
