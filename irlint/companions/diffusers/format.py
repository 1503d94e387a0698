"""Recognizes model_index.json above the models of a pipeline, and compares what one part outputs with what the next one takes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path as FilePath
from typing import Any

from irlint.companions.base import Companion
from irlint.companions.claims import claim_flow
from irlint.companions.models import variants
from irlint.companions.ports import Ports, find, ports_of
from irlint.companions.report import Report
from irlint.files.side_files import file_source
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.json.document import JsonDocument
from irlint.tools.names import slip

_VERSION = re.compile(r'"_diffusers_version"\s*:')
_MODEL = variants("model")
_MOST = 16  # folders that are looked at
# What one part outputs and another one takes; pipelines with a second encoder of text take both at once
_FLOWS = (
    ("text_encoder", "last_hidden_state", "unet", "encoder_hidden_states"),
    ("unet", "out_sample", "vae_decoder", "latent_sample"),
    ("vae_encoder", "latent_sample", "unet", "sample"),
)


def _models(folder: FilePath) -> dict[str, str]:
    """Return the model of each folder that has one."""
    found: dict[str, str] = {}
    for part in sorted(file_source().names(folder))[:_MOST]:
        names = sorted(name for name in file_source().names(folder / part) if _MODEL.fullmatch(name))
        if names:
            found[part] = names[0]
    return found


class Diffusers(Companion):
    name, title, why = "diffusers", "diffusers pipeline", "it names the parts of a pipeline of diffusers"

    def recognize(self, head: Head) -> Recognition | None:
        is_ours = _VERSION.search(head.text) and _models(FilePath(head.name).parent)
        return Recognition(CERTAIN, self.why) if is_ours else None

    def open(self, text: str, name: str) -> Document:
        return JsonDocument.parse(text, name)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        if not isinstance(tree, dict):
            return
        models = _models(path.parent)
        _check_names(tree, models, file_source().names(path.parent), report)
        ports = {part: ports_of(model, path.parent / part / file) for part, file in models.items() if part in tree}
        _check_flows({part: found for part, found in ports.items() if found is not None}, models, report)


def _check_names(tree: dict[str, Any], models: Collection[str], folders: Collection[str], report: Report) -> None:
    """Report a misspelled part; converters may rename the others."""
    unnamed = [part for part in models if part not in tree]
    for key, value in tree.items():
        is_part = isinstance(value, list) and None not in value and key not in folders
        if is_part and (meant := slip(key, unnamed)):
            report.misspelled((key,), meant)


def _check_flows(ports: Mapping[str, Ports], models: Collection[str], report: Report) -> None:
    has_more = not {"text_encoder_2", "text_encoder_3"}.isdisjoint(models)
    for giver, output, taker, input_ in _FLOWS:
        if giver in ports and taker in ports and not (has_more and giver == "text_encoder"):
            given, taken = find(ports[giver].outputs, output), find(ports[taker].inputs, input_)
            if given is not None and taken is not None:
                claim_flow((giver,), given, f"`{giver}`", taken, f"`{taker}`", report)


KIND = Diffusers()
