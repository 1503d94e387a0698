"""The summary of a linted model with its costs and states, and the words that tell it."""

from __future__ import annotations

from irlint.dryrun.costs import Costs, costs
from irlint.dryrun.mapping import Mapping
from irlint.graph import Type
from irlint.inspection.summary import Amount, ModelPort, ModelState, Summary, kept, summarize
from irlint.inspection.types import type_text
from irlint.rules.base import Model
from irlint.text.safe import visible
from irlint.text.words import count, share, size


def states_of(model: Model, mapping: Mapping | None) -> list[ModelState]:
    return kept(model, mapping.states(model.graph)) if mapping is not None else []


def summarized(model: Model, mapping: Mapping | None, states: list[ModelState]) -> Summary:
    """Return the summary; with FLOPs and memory if the types are known."""
    types = model.types
    found = Costs() if mapping is None or types is None else costs(model.graph, mapping, types)
    return summarize(model, found, states, held_types(model, mapping))


def held_types(model: Model, mapping: Mapping | None) -> list[Type]:
    """Return the types of weights for which the graph has no nodes."""
    return [held.operand.tensor.type for held in mapping.held(model.graph)] if mapping is not None else []


def facts(summary: Summary) -> list[tuple[str, str]]:
    """Return the figures of a model with their names."""
    parameters, stored = summary.parameters, summary.parameter_bytes
    nested = f" in {summary.nested_graphs + 1} graphs" if summary.nested_graphs else ""
    at = f", at {visible(summary.cut.at)}" if summary.cut.at else ""
    rows = [
        ("calls", f"{summary.calls:,}{nested}"),
        ("parameters", _amount(parameters, f"{parameters.total:,}")),
        ("bytes", _amount(stored, size(stored.total))),
        *_types(summary),
        ("depth", f"{summary.depth:,} calls on the longest path"),
        ("widest cut", f"{summary.cut.width:,} results alive at once{at}"),
    ]
    if summary.costs.flops is not None:
        unknown = summary.costs.unknown
        unsure = f", without {count(unknown, 'operator')} of unknown cost" if unknown else ""
        rows.append(("FLOPs", f"{'at least ' if unknown else ''}{summary.costs.flops:,}{unsure}"))
    elif summary.costs.unknown:
        what = count(summary.costs.unknown, "operator")
        rows.append(("FLOPs", f"unknown: the shapes of {what} are open; set those of inputs with --input NAME=SHAPE"))
    if summary.costs.peak_bytes is not None:
        rows.append(("peak memory", size(summary.costs.peak_bytes)))
    return rows


def _types(summary: Summary) -> list[tuple[str, str]]:
    """Return the shares of element types in the parameters, if there are several."""
    total = summary.parameters.total
    known = {name: amount.total for name, amount in summary.parameter_types.items() if 2000 * amount.total >= total}
    if len(known) < 2:
        return []
    return [("types", ", ".join(f"{name} {share(number, total).strip()}" for name, number in known.items()))]


def _amount(amount: Amount, total: str) -> str:
    tensors = f"{amount.tensors:,} tensor{'' if amount.tensors == 1 else 's'}"
    if amount.tensors and amount.unknown == amount.tensors:
        return f"unknown: {tensors} without a size in the file"
    return f"{total} in {tensors}" + (
        f", {amount.unknown:,} of them without a size in the file" if amount.unknown else ""
    )


def cache(summary: Summary) -> str:
    """Return `, KV cache: ...` if states of the model grow with each token."""
    growing = [state.per_token for state in summary.states if state.per_token is not None]
    return f", KV cache: {count(len(growing), 'state')}, {size(sum(growing))} per token" if growing else ""


def port_text(port: ModelPort) -> str:
    return visible(f"{port.name} {type_text(port.type)}".strip())
