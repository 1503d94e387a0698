"""Recognizes genai_config.json, and compares it with the models of its folder, as ONNX Runtime GenAI 0.18 does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import Companion, is_there
from irlint.companions.claims import STATE, claim_caches, claim_flow, claim_layers, claim_size
from irlint.companions.demands import Item, each, first
from irlint.companions.embeddings import check_width, tables_of
from irlint.companions.genai.names import FOUND, check_names, check_stage, check_wiring, fits, layer_of, meant
from irlint.companions.ports import PortList, Ports, ServedPort, find, ports_of
from irlint.companions.report import Report
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document, Path
from irlint.text.json.document import JsonDocument
from irlint.text.numbers import decimal
from irlint.tools.names import slip

_KEYS = re.compile(r'"(?:decoder|encoder|search|context_length|vocab_size)"\s*:')
_MODEL = re.compile(r'"model"\s*:\s*\{')


_SHARING = re.compile(r"gemma(?:3n|4)")  # models whose layers share caches
# Heads and their size, by the dimensions of a cache: one for each of keys and values, or one for both
_AXES = {4: (1, 3), 5: (2, 4)}
_ROTARY = ("cos_cache", "cos_cache_large", "cos_cache_small")  # tables with a row for each position
_PAGED, _BLOCKS = (2, 3), "block_table"  # those of a cache in blocks, and the input that says which


class GenAI(Companion):
    name, title, why = "genai", "ONNX Runtime GenAI configuration", "it has the keys of a GenAI configuration"
    rows, functions = "genai", {"slip": slip}

    def recognize(self, head: Head) -> Recognition | None:
        is_ours = _MODEL.search(head.text) and _KEYS.search(head.text)
        return Recognition(CERTAIN, self.why) if is_ours else None

    def open(self, text: str, name: str) -> Document:
        return JsonDocument.parse(text, name)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        found: dict[str, Ports] = {}
        for part in each(tree, "model/*"):
            for at in each(part.value, "config_filename|adapter_filename"):
                _is_there(at._replace(path=(*part.path, *at.path)), f"`{part.path[-1]}`", path.parent, model, report)
            stages = [(stage, _read(stage, path.parent, model, report)) for stage in _stages(part)]
            if (ports := self._pipeline(part, stages, report) or _read(part, path.parent, model, report)) is None:
                continue
            found[str(part.path[-1])] = ports
            file = part.value.get("filename") or "the pipeline"
            check_names(part, ports, file, self.table["defaults"], bool(stages), report)
            _sizes(tree, part, ports, file, report)
        for flow in self.table["flows"]:
            _flow(tree, flow, found, report)

    def _pipeline(self, part: Item, stages: Sequence[tuple[Item, Ports | None]], report: Report) -> Ports | None:
        """Check the models of a part. Return the inputs and outputs of all of them, if each could be read."""
        known = [(stage, ports) for stage, ports in stages if ports is not None]
        for stage, ports in known:
            check_stage(stage, ports, report)
        if not known or len(known) < len(stages):
            return None
        if part.path[-1] == "decoder":
            check_wiring(part, known, self.table["defaults"], report)
        inputs, outputs = chain(*(one.inputs for _, one in known)), chain(*(one.outputs for _, one in known))
        return Ports(PortList(inputs), PortList(outputs))


def _stages(part: Item) -> Iterator[Item]:
    """Yield the models of a part that is a pipeline of several."""
    for pattern in ("pipeline/*/*", "pipeline/*"):
        for at in each(part.value, pattern) if isinstance(part.value, dict) else ():
            if isinstance(at.value, dict) and isinstance(at.value.get("filename"), str):
                yield at._replace(path=(*part.path, *at.path))


def _is_there(at: Item, of: str, folder: FilePath, model: Model, report: Report) -> bool:
    """Report a file that is missing; in git, folders are often without models."""
    if not isinstance(at.value, str) or not at.value or is_there(folder / at.value):
        return isinstance(at.value, str) and bool(at.value)
    is_whole = any(name.endswith(".onnx") for name in file_source().names(folder))
    absent = None if is_whole or model.missing_weights == "required" else Severity.PEDANTIC
    what = "the model" if at.path[-1] == "filename" else f"the `{at.path[-1]}`"
    report.say(R.missing_file, at.path, f"missing {at.value}, {what} of {of}", severity=absent)
    return False


def _read(part: Item, folder: FilePath, model: Model, report: Report) -> Ports | None:
    """Return the inputs and outputs of a part's model; None if it cannot be read."""
    file = part.value.get("filename") if isinstance(part.value, dict) else None
    at = Item(file, (*part.path, "filename"), part.value)
    return (
        ports_of(model, folder / file) if _is_there(at, f"`{part.path[-1]}`", folder, model, report) and file else None
    )


def _flow(tree: Any, flow: Mapping[str, str], found: Mapping[str, Ports], report: Report) -> None:
    """Report what one part outputs unlike another one takes it."""
    giver, taker = (flow[side].split("/")[0] for side in ("from", "to"))
    output, into = (next(each(tree, f"model/{flow[side]}"), None) for side in ("from", "to"))
    if giver not in found or taker not in found or output is None or into is None:
        return
    given, taken = meant(str(output.value), found[giver].outputs), meant(str(into.value), found[taker].inputs)
    if given and taken:
        claim_flow(output.path, given[0], f"`{giver}`", taken[0], f"`{taker}`", report)


def _sizes(tree: Any, part: Item, model: Ports, file: str, report: Report) -> None:
    logits = find(model.outputs, str(first(part.value, "outputs/logits")))
    if logits is not None and logits.type.shape:
        of, said = f"the vocabulary of {file}", first(tree, "model/vocab_size")
        _claim_last(("model", "vocab_size"), of, said, logits, report)
    _positions(tree, part, model, file, report)
    for pattern, ports in (("inputs/embeddings", model.inputs), ("outputs/hidden_states", model.outputs)):
        if (wide := find(ports, str(first(part.value, pattern)))) is not None:
            _claim(part, "hidden_size", wide, 2, file, report)
    name = str(first(part.value, "inputs/input_ids"))
    check_width((*part.path, "hidden_size"), part.value, model, name, file, report)
    for key in ("past_key_names", "past_names"):
        pattern = str(first(part.value, f"inputs/{key}"))
        caches = [port for port in model.inputs if "%d" in pattern and fits(pattern, port)]
        if caches:
            _layers(tree, part, {layer_of(pattern, port): port for port in caches}, model, file, report)
            is_paged, rank = find(model.inputs, _BLOCKS) is not None, len(caches[0].type.shape or ())
            axes = dict(
                zip(("num_key_value_heads", "head_size"), _PAGED if is_paged else _AXES.get(rank, ()), strict=False)
            )
            claim_caches(part.path, part.value, axes, PortList(caches[:1]), file, report)
            return


def _positions(tree: Any, part: Item, model: Ports, file: str, report: Report) -> None:
    """Report a context for which a decoder has too few positions in its tables of rotations."""
    tables = [shape[0] for name in _ROTARY for shape in tables_of(model, name) if isinstance(shape[0], int)]
    most, length = max(tables, default=None), first(tree, "model/context_length")
    if part.path[-1] == "decoder" and most is not None and isinstance(length, int) and length > most:
        words = (
            f"the `context_length` {length} is more than the {most} positions that {file} has in its table 'cos_cache'"
        )
        report.say(R.other_value, ("model", "context_length"), words, severity=Severity.WARNING)


def _claim_last(at: Path, of: str, said: Any, port: ServedPort, report: Report) -> None:
    real, here = port.type.shape[-1] if port.type.shape else None, ("declared here", port.at)
    if isinstance(said, int) and isinstance(real, int):
        report.claim(R.other_value, at, of, said, real, str(real), here)


def _claim(part: Item, key: str, port: ServedPort, axis: int, file: str, report: Report) -> None:
    at, of = (*part.path, key), f"{port.name!r} of {file}"
    claim_size(at, of, part.value.get(key), port, axis, report, R.other_value, severity=Severity.WARNING)


def _layers(
    tree: Any, part: Item, caches: Mapping[int | None, ServedPort], model: Ports, file: str, report: Report
) -> None:
    """Compare the number of layers: each has a cache, or another state."""
    layers = dict(caches)
    for port in model.inputs:
        if (match := STATE.match(port.name) or FOUND.search(port.name)) is not None:
            layers[decimal(match[1] or "", 6)] = port
    said = part.value.get("num_hidden_layers")
    if (
        isinstance(said, int)
        and {*layers} == {*range(len(layers))}
        and not _SHARING.match(str(first(tree, "model/type")))
    ):
        claim_layers((*part.path, "num_hidden_layers"), said, list(layers.values()), file, report)


KIND = GenAI()
