"""The fixes of ONNX's text, and of its binaries: what is repaired is the text, what is written are the bytes."""

from __future__ import annotations

from fuzz.invariants import demand, forms, repaired
from fuzz.seeds import ONNX_BRANCHES, examples, onnx_models
from irlint import engine, fixes, offers
from irlint.findings import Finding
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.records import replace

FORMS = forms("onnx")


def seeds() -> list[bytes]:
    return [*examples("onnx"), *onnx_models(), ONNX_BRANCHES.encode()]


def check(data: bytes) -> None:
    result = engine.lint_bytes(data, "model.onnx", as_format="onnx")
    document = result.document
    if not isinstance(document, OnnxDocument) or not document.is_binary:
        repaired(data, "model.onnx", FORMS)
        return

    bench = offers.TrialLinter(result)

    def lint(text: str) -> list[Finding]:
        return engine.linted(text, replace(result.request, shown=result)).findings

    fixed = fixes.fix(document.text, lint, unsafe=True, search=bench.search)
    try:
        made = document.encoded(fixed.text)
    except ValueError:
        return
    again = engine.lint_bytes(made, "model.onnx", as_format="onnx").document
    demand(isinstance(again, OnnxDocument), "the fixed binary is no model")
    if not fixed.applied:
        demand(made == data, "nothing was applied, but the bytes are others")
