"""From a linted model to the scene that is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irlint.findings import Finding
from irlint.formats import by_name
from irlint.inspection.summarized import flops_text, summarized
from irlint.inspection.types import mapping_of
from irlint.rules.base import Model
from irlint.text.base import Lines
from irlint.text.safe import Command
from irlint.text.words import amount, exact_size
from irlint.view import BoxScene, Section, annotate
from irlint.view.build import Builder
from irlint.view.texts import said

_MOST = 200  # entries of a section


def draw(
    model: Model,
    title: str,
    findings: Iterable[Finding] = (),
    lines: Lines | None = None,
    seconds: Sequence[float | None] | None = None,
) -> BoxScene:
    """Return the scene of a model, with its findings, and the durations of its calls by their ids."""
    scene, builder = sketch(model, title, findings, lines)
    annotate.details(scene.boxes, builder)
    annotate.heat(scene, builder, seconds)
    return scene


def sketch(
    model: Model, title: str, findings: Iterable[Finding] = (), lines: Lines | None = None
) -> tuple[BoxScene, Builder]:
    """Return the scene without what the side panel says of single nodes, and what can say it."""
    builder = Builder(model, mapping_of(model))
    scene = builder.scene(title, about(model))
    scene.details = remarks(model)
    lines = lines or model.document.lines
    annotate.lines_of(scene.boxes, model, lines)
    annotate.parts(scene.boxes, builder)
    annotate.findings(scene, builder, model, findings, lines)
    return scene, builder


def about(model: Model) -> list[tuple[str, str]]:
    """Return what is known of the model as a whole."""
    mapping = mapping_of(model)
    rows = [("format", f"{model.format}:{model.dialect}")]
    summary = summarized(model, mapping, [])
    rows.append(("operators", f"{summary.calls:,}"))
    if summary.parameters.total:
        rows.append(("parameters", amount(summary.parameters.total)))
    if summary.parameter_bytes.total:
        rows.append(("weights", exact_size(summary.parameter_bytes.total)))
    if summary.costs.flops is not None or summary.costs.unknown:
        flops = flops_text(summary)
        rows.append(("FLOPs", f"{flops.before}`{flops.command}`" if isinstance(flops, Command) else flops))
    if summary.costs.peak_bytes is not None:
        rows.append(("peak memory", exact_size(summary.costs.peak_bytes)))
    return rows


def remarks(model: Model) -> list[Section]:
    """Return documentation and metadata of a model and its graph."""
    format_ = by_name(model.format)
    if format_ is None:
        return []
    sections = [(name or "Model", list(rows.items())) for name, rows in format_.metadata(model).items()]
    found = [*sections, ("Metadata of the graph", format_.remarks(model).of_model())]
    return [(title, said(rows[:_MOST])) for title, rows in found if rows]
