"""The summary of a linted model with its costs and states, and the words that tell it."""

from __future__ import annotations

from irlint.dryrun.costs import Costs, costs
from irlint.dryrun.mapping import Mapping
from irlint.graph import Type
from irlint.inspection.summary import Amount, ModelPort, ModelState, Summary, kept, summarize
from irlint.inspection.types import type_text
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.safe import Command, visible
from irlint.text.words import amount, count, exact_size, share, size

_NAMED = 5  # kinds of operators


def states_of(model: Model, mapping: Mapping | None) -> list[ModelState]:
    return kept(model, mapping.states(model.graph)) if mapping is not None else []


def summarized(model: Model, mapping: Mapping | None, states: list[ModelState]) -> Summary:
    """Return the summary; with FLOPs and memory if the types are known."""
    types = model.types
    found = Costs() if mapping is None or types is None else costs(model.graph, mapping, types)
    summary = summarize(model, found, states, held_types(model, mapping), _packed(model, mapping))
    if mapping is None or found.flops is not None:
        return summary
    from irlint.dryrun.running.examples import options

    return replace(summary, options=options(mapping, model.graph))


def _packed(model: Model, mapping: Mapping | None) -> dict[int, Type | None]:
    """Return what constants that together are weights stand for, by their nodes: the numbers of the weights, and None for scales and zero
    points."""
    found: dict[int, Type | None] = {}
    for node in model.graph.nodes if mapping is not None else ():
        call = mapping.sound_call(model.graph, node) if node.kind == "call" and mapping is not None else None
        if call is not None and call.operator.packs:
            weight, *others = (node.inputs[k][0] for k in call.operator.packs if k < len(node.inputs))
            found[weight] = Type(f"uint{call.attrs['bits']}", (call.operator.unpacked_size(**call.attrs),))
            found |= dict.fromkeys(others)
    return found


def held_types(model: Model, mapping: Mapping | None) -> list[Type]:
    """Return the types of weights for which the graph has no nodes."""
    return [held.operand.tensor.type for held in mapping.held(model.graph)] if mapping is not None else []


def facts(summary: Summary) -> list[tuple[str, str]]:
    """Return the figures of a model with their names."""
    parameters, stored = summary.parameters, summary.parameter_bytes
    nested = f" in {summary.nested_graphs + 1} graphs" if summary.nested_graphs else ""
    at = f", at {visible(summary.cut.at)}" if summary.cut.at else ""
    rows = [
        ("operators", f"{summary.calls:,}{nested}"),
        ("parameters", _amount(parameters, amount(parameters.total))),
        ("bytes", _amount(stored, exact_size(stored.total))),
        *_types(summary),
        ("depth", f"{summary.depth:,} operators on the longest path"),
        ("widest cut", f"{summary.cut.width:,} results alive at once{at}"),
    ]
    if summary.costs.flops is not None or summary.costs.unknown:
        rows.append(("FLOPs", flops_text(summary)))
    if summary.costs.peak_bytes is not None:
        rows.append(("peak memory", exact_size(summary.costs.peak_bytes)))
    return rows


def flops_text(summary: Summary) -> str:
    """Return the operations of one run, and which operators are left out."""
    costs = summary.costs
    what = count(costs.unknown, "operator")
    kinds = [f"{number:,} {visible(op)}" for op, number in costs.unknown_operators.items()]
    more = f" and {len(kinds) - _NAMED:,} more kinds" if len(kinds) > _NAMED + 1 else ""
    named = f"({', '.join(kinds[: _NAMED if more else None])}{more})"
    if costs.flops is not None:
        return (
            f"at least {amount(costs.flops)}, without {what} of unknown cost {named}"
            if costs.unknown
            else amount(costs.flops)
        )
    if summary.options:
        return Command(f"unknown: the shapes of {what} are open {named}; set those of inputs: ", summary.options)
    return f"unknown: the costs of {what} are unknown {named}"


def _types(summary: Summary) -> list[tuple[str, str]]:
    """Return the shares of element types in the parameters; of one alone, its name."""
    total = summary.parameters.total
    known = {name: amount.total for name, amount in summary.parameter_types.items() if 2000 * amount.total >= total}
    if len(known) < 2:
        return [("types", name) for name in known]
    return [("types", ", ".join(f"{name} {share(number, total).strip()}" for name, number in known.items()))]


def _amount(found: Amount, total: str) -> str:
    tensors = count(found.tensors, "tensor")
    if found.tensors and found.unknown == found.tensors:
        return f"unknown: {tensors} without a size in the file"
    return f"{total} in {tensors}" + (
        f", {found.unknown:,} of them without a size in the file" if found.unknown else ""
    )


def cache(summary: Summary) -> str:
    """Return `, KV cache: ...` if states of the model grow with each token."""
    growing = [(state.per_token, state.type.dtype) for state in summary.states if state.per_token is not None]
    kinds = "/".join(dict.fromkeys(dtype or "?" for _, dtype in growing))
    total = size(sum(number for number, _ in growing))
    return f", KV cache: {count(len(growing), 'state')}, {total} per token as {kinds}" if growing else ""


def port_text(port: ModelPort) -> str:
    return visible(f"{port.name} {type_text(port.type)}".strip())
