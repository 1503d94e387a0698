"""Folders whose model is several files: what one outputs is what another one takes, and tokenizers come in pairs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.claims import LAYERS, claim_caches, claim_flow, claim_layers, claim_size
from irlint.companions.demands import each
from irlint.companions.models import variants
from irlint.companions.ports import PortList, Ports, find, ports_of
from irlint.companions.report import Report
from irlint.companions.vocabulary import check_tokenizers
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Path

_MODEL, _ENCODER, _DECODER, _WITH_PAST = "model", "encoder_model", "decoder_model", "decoder_with_past_model"
_MERGED = "decoder_model_merged"  # one that takes caches or not


class Flow(NamedTuple):
    """What outputs of one part are inputs of another: a pattern of their names, and what the inputs are called then. `keys` of the
    configuration say the same; `is_all`: all such inputs come from there."""

    giver: str
    taker: str
    output: str
    input: str
    keys: tuple[str, ...]
    is_all: bool = False


_WIDTH = ("d_model", "hidden_size", "n_embd")
_FLOWS = (
    Flow(_ENCODER, _DECODER, r"last_hidden_state", "encoder_hidden_states", _WIDTH),
    Flow(_ENCODER, _WITH_PAST, r"last_hidden_state", "encoder_hidden_states", _WIDTH),
    Flow(_ENCODER, _MERGED, r"last_hidden_state", "encoder_hidden_states", _WIDTH),
    Flow(_DECODER, _WITH_PAST, r"present\.(.+)", r"past_key_values.\1", LAYERS, True),
)
_STAGES = "depths"  # networks in stages take images of other sizes, too
_CACHE = {"decoder_attention_heads": 1, "num_heads": 1, "d_kv": 3}  # sizes of the caches of a decoder: [B, H, S, D]
_LAYER = re.compile(r"(?:past_key_values\.\d+\.decoder\.key)?present\.\d+\.decoder\.key")


class Parts:
    """The parts of a model in a folder, read once."""

    def __init__(self, model: Model, folder: FilePath, homes: Iterable[str], models: Iterable[str]) -> None:
        self.folder, self.model, self._models = folder, model, list(models)
        self._names = [os.path.join(home, name) for home in homes for name in file_source().names(folder / home)]
        self.get = cache(self._get)

    def files(self, part: str) -> list[str]:
        """Return the files of a part; of the model as such those that it has under any name."""
        is_like = variants(part).fullmatch
        found = [name for name in self._names if is_like(os.path.basename(name))]
        return found or (self._models if part == _MODEL else [])

    def _get(self, file: str) -> Ports | None:
        return ports_of(self.model, self.folder / file)


def check_parts(tree: dict[str, Any], parts: Parts, report: Report) -> None:
    for flow in _FLOWS:
        takers = parts.files(flow.taker)
        for file in parts.files(flow.giver):
            beside = os.path.join(os.path.dirname(file), os.path.basename(file).replace(flow.giver, flow.taker))
            if beside in takers and (giver := parts.get(file)) is not None and (taker := parts.get(beside)) is not None:
                key = next((key for key in flow.keys if key in tree), "model_type")
                _flow(flow, giver.outputs, file, taker.inputs, beside, (key,), report)
    decoders, encoders = [*parts.files(_DECODER), *parts.files(_MERGED)], parts.files(_ENCODER)
    if tree.get("is_encoder_decoder") is True and bool(decoders) != bool(encoders):
        there, lost = (decoders[0], _ENCODER) if decoders else (encoders[0], _DECODER)
        what = lost.removesuffix("_model")
        name = os.path.join(os.path.dirname(there), f"{lost}{os.path.splitext(there)[1]}")
        words = f"missing {'an' if decoders else 'a'} {what}, such as {name}, next to {there}"
        report.say(R.missing_file, ("is_encoder_decoder",), words, severity=Severity.WARNING)
    check_tokenizers(tree, parts.model, parts.folder, report)


def check_sizes(tree: dict[str, Any], rows: Iterable[Mapping[str, Any]], parts: Parts, report: Report) -> None:
    """Compare sizes of a configuration with the inputs and outputs of the parts of a model: each row has the keys of a size, and where it
    is the size of an axis. Those of an encoder and its decoder are compared where there are both."""
    is_pair = bool(parts.files(_ENCODER))
    for row in rows:
        is_other = row["part"] in (_ENCODER, _DECODER) and not is_pair
        if is_other or (row["keys"] == "image_size" and _STAGES in tree):
            continue
        for at in each(tree, row["keys"]):
            for file in parts.files(row["part"]):
                found = parts.get(file)
                port = None if found is None else find(found.inputs, row["of"]) or find(found.outputs, row["of"])
                if port is not None and len(port.type.shape or ()) == row["rank"]:
                    of, warning = f"{port.name!r} of {file}", Severity.WARNING
                    claim_size(at.path, of, at.value, port, row["axis"], report, R.other_value, severity=warning)
    if is_pair:
        _layers(tree, parts, report)


def _layers(tree: dict[str, Any], parts: Parts, report: Report) -> None:
    """Compare the number of layers with the caches that a decoder outputs."""
    for file in parts.files(_DECODER):
        found = parts.get(file)
        ends = (*found.outputs, *found.states) if found is not None else ()
        layers = [port for port in ends if _LAYER.fullmatch(port.name)]
        for at in each(tree, "|".join(LAYERS[:2])) if layers else ():
            claim_layers(at.path, at.value, layers, file, report)
        claim_caches((), tree, _CACHE if layers else {}, PortList(layers), file, report)


def _flow(flow: Flow, given: PortList, giver: str, taken: PortList, taker: str, at: Path, report: Report) -> None:
    """Report the first tensor that one file outputs unlike the other one takes it."""
    outputs = {match.expand(flow.input): port for port in given if (match := re.fullmatch(flow.output, port.name))}
    for port in taken:
        output = outputs.get(port.name)
        if output is None:
            if flow.is_all and outputs and port.name.startswith(flow.input.split("\\")[0]):
                words = f"{taker} takes {port.name!r}, which {giver} does not output"
                report.say(R.other_shape, at, words, other=("declared here", port.at))
                return
        elif claim_flow(at, output, giver, port, taker, report):
            return
