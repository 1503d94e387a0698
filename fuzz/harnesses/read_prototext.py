"""The reader of ONNX in protobuf's text format, its rules, and what an edit reads again: it is what the whole text says."""

from __future__ import annotations

from fuzz.invariants import demand, linted
from fuzz.seeds import ONNX_BRANCHES, examples, prototext_models
from irlint.formats.onnx.prototext_form import OnnxPrototext, read_prototext
from irlint.formats.onnx.show import shown
from irlint.text.base import Change

FORMS = ("onnx", "onnx:prototext")


def seeds() -> list[bytes]:
    return [*examples("onnx:prototext"), *prototext_models(), ONNX_BRANCHES.encode()]


def check(data: bytes) -> None:
    document = linted(data, "model.prototxt", FORMS).document
    if not isinstance(document, OnnxPrototext):
        return
    at = len(data) * 7 % max(len(document.text), 1)
    text = f"{document.text[:at]}1{document.text[at:]}"
    edited = document.edited(text, Change(at, at, 1))
    if isinstance(edited, OnnxPrototext):
        whole = read_prototext(text, "model.prototxt")
        demand(shown(edited.tree).text == shown(whole.tree).text, "an edit reads otherwise than the whole text")
        demand(edited.entries == whole.entries, "places after an edit are not those of the whole text")
