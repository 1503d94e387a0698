"""Recognizes genai_config.json, and compares it with the models of its folder, as ONNX Runtime GenAI 0.18 does."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import Companion, is_there
from irlint.companions.claims import describe
from irlint.companions.demands import Item, each
from irlint.companions.ports import PortList, Ports, ServedPort, find, ports_of
from irlint.companions.report import Report
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document, Path
from irlint.text.json.document import JsonDocument

_KEYS = re.compile(r'"(?:decoder|encoder|search|context_length|vocab_size)"\s*:')
_MODEL = re.compile(r'"model"\s*:\s*\{')
_PATTERNS = 32  # names with the number of a layer
_NEEDED = (
    "input_ids",
    "past_key_names",
    "past_value_names",
)  # inputs without which nothing runs; the runtime leaves others out


class GenAI(Companion):
    name, title, why = "genai", "ONNX Runtime GenAI configuration", "it has the keys of a GenAI configuration"
    rows = "genai"

    def recognize(self, head: Head) -> Recognition | None:
        is_ours = _MODEL.search(head.text) and _KEYS.search(head.text)
        return Recognition(CERTAIN, self.why) if is_ours else None

    def open(self, text: str, name: str) -> Document:
        return JsonDocument.parse(text, name)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        folder = path.parent
        is_whole = any(
            name.endswith(".onnx") for name in file_source().names(folder)
        )  # in git, folders are often without models
        absent = None if is_whole or model.missing_weights == "required" else Severity.PEDANTIC
        for part in each(tree, "model/*"):
            file = part.value.get("filename") if isinstance(part.value, dict) else None
            if not isinstance(file, str):
                continue
            if not is_there(folder / file):
                words = f"missing {file}, the model of `{part.path[-1]}`"
                report.say(R.missing_file, (*part.path, "filename"), words, severity=absent)
            elif (found := ports_of(model, folder / file)) is not None:
                _names(part, found, file, report)
                _sizes(tree, part, found, file, report)


def _first(tree: Any, pattern: str) -> Any:
    return next((at.value for at in each(tree, pattern)), None)


def _names(part: Item, model: Ports, file: str, report: Report) -> None:
    """Compare the names of tensors; `%d` is the number of a layer."""
    for side, known in (("inputs", model.inputs), ("outputs", model.outputs)):
        shown = dict.fromkeys(re.sub(r"(?<=[._])\d+(?=[._])", "%d", port.name) for port in known)
        given = set[str]()
        for at in _written(part, side):
            ports, path = _meant(at.value, known), (*part.path, *at.path)
            given.update(port.name for port in ports)
            if ports:
                describe(path, side[:-1], ports[0], file, shown, report)
            elif side == "outputs" or at.path[-1] in _NEEDED:
                report.known(at.value, shown, path, file)
        if side == "inputs" and given:
            missed = {port.name: port.at for port in known if port.is_needed and port.name not in given}
            report.complete((*part.path, side), missed, (), f" of {file}")


def _written(part: Item, side: str) -> list[Item]:
    """Return the names of a file, of those with the number of a layer the first ones."""
    found = [at for at in each(part.value, f"{side}/*") if isinstance(at.value, str)]
    patterns = [at for at in found if "%d" in at.value][:_PATTERNS]
    return [*(at for at in found if "%d" not in at.value), *patterns]


def _meant(name: str, known: PortList) -> list[ServedPort]:
    """Return the inputs or outputs that a name stands for."""
    if "%d" in name:
        return [port for port in known if _fits(name, port)]
    port = find(known, name)
    return [] if port is None else [port]


def _fits(pattern: str, port: ServedPort) -> bool:
    """Return whether a port has a name, in which the first `%d` is the number of a layer."""
    head, mark, tail = pattern.partition("%d")
    return any(
        name == pattern
        or bool(
            mark
            and name.startswith(head)
            and name.endswith(tail)
            and name[len(head) : len(name) - len(tail)].isdecimal()
        )
        for name in port.names
    )


def _sizes(tree: Any, part: Item, model: Ports, file: str, report: Report) -> None:
    def claim(at: Path, what: str, said: Any, real: Any, port: ServedPort, severity: Severity | None = None) -> None:
        if isinstance(said, int) and isinstance(real, int):
            other = ("declared here", port.at)
            report.claim(R.other_value, at, f"{what} of {file}", said, real, str(real), other, severity)

    logits = find(model.outputs, str(_first(part.value, "outputs/logits")))
    if logits is not None and logits.type.shape:
        claim(
            ("model", "vocab_size"), "the vocabulary", _first(tree, "model/vocab_size"), logits.type.shape[-1], logits
        )
    pattern = str(_first(part.value, "inputs/past_key_names"))
    caches = [port for port in model.inputs if "%d" in pattern and _fits(pattern, port)]
    if not caches:
        return
    count, shape = len(caches), caches[0].type.shape
    layers = part.value.get("num_hidden_layers")
    claim((*part.path, "num_hidden_layers"), "the number of layers", layers, count, caches[0], Severity.WARNING)
    if shape is not None and len(shape) == len("BHSD"):
        heads, size = part.value.get("num_key_value_heads"), part.value.get("head_size")
        claim((*part.path, "num_key_value_heads"), "the number of heads", heads, shape[1], caches[0], Severity.WARNING)
        claim((*part.path, "head_size"), "the size of a head", size, shape[3], caches[0], Severity.WARNING)


KIND = GenAI()
