"""Pipelines of models: each input of a node, and each output, is that of another node or of the request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irlint.companions.demands import Item, each
from irlint.companions.ports import Ports, find
from irlint.companions.report import Report

_REQUEST = "request"


def check(tree: Any, report: Report) -> None:
    models = dict.fromkeys(str(at.value) for at in each(tree, "model_config_list/*/config/name"))
    for pipeline in each(tree, "pipeline_config_list/*"):
        known = _outputs(pipeline.value)
        for at in each(pipeline.value, "nodes/*/model_name"):
            if models and isinstance(at.value, str):
                report.known(at.value, models, (*pipeline.path, *at.path), "the configuration", what="model")
        for pattern in ("nodes/*/inputs/*/*", "outputs/*/*"):
            for source in each(pipeline.value, pattern):
                _source(source, pipeline, known, report)


def check_nodes(tree: Any, models: Mapping[str, Ports], report: Report) -> None:
    """Compare the inputs and outputs of nodes with those of their models."""
    for node in each(tree, "pipeline_config_list/*/nodes/*"):
        name = str(node.value.get("model_name")) if isinstance(node.value, dict) else ""
        if (model := models.get(name)) is None:
            continue
        given = [(at.path[-1], at.path, "key", model.inputs) for at in each(node.value, "inputs/*/*")]
        given += [(at.value, at.path, "value", model.outputs) for at in each(node.value, "outputs/*/data_item")]
        for tensor, path, part, known in given:
            if find(known, str(tensor)) is None:
                report.known(str(tensor), known.shown, (*node.path, *path), f"model {name!r}", part=part)
        there = {str(at.path[-1]) for at in each(node.value, "inputs/*/*")}
        if there and there <= model.inputs.named.keys():
            left = {port.name: port.at for port in model.inputs if port.is_needed and there.isdisjoint(port.names)}
            report.complete((*node.path, "inputs"), left, (), f" of model {name!r}")


def _outputs(pipeline: Any) -> dict[str, dict[str, None]]:
    """Return the outputs of each node of a pipeline, by the names that others use."""
    found = {_REQUEST: dict.fromkeys(str(at.value) for at in each(pipeline, "inputs/*"))}
    for node in each(pipeline, "nodes/*"):
        if isinstance(node.value, dict):
            aliases = (str(at.value) for at in each(node.value, "outputs/*/alias"))
            found[str(node.value.get("name"))] = dict.fromkeys(aliases)
    return found


def _source(source: Item, pipeline: Item, known: dict[str, dict[str, None]], report: Report) -> None:
    node, item = (
        source.value.get(key) if isinstance(source.value, dict) else None for key in ("node_name", "data_item")
    )
    path = (*pipeline.path, *source.path)
    if (
        isinstance(node, str)
        and isinstance(item, str)
        and report.known(node, known, (*path, "node_name"), "the pipeline", what="node")
    ):
        report.known(item, known[node], (*path, "data_item"), f"node {node!r}", what="output")
