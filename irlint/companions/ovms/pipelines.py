"""Pipelines of models: each input of a node, and each output, is that of another node or of the request."""

from __future__ import annotations

from typing import Any

from irlint.companions.demands import Item, each
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
