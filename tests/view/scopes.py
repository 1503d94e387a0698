"""Models that say which modules of a program their nodes come from, as PyTorch's exporters write it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from tests.formats.onnx.build import HEADER, tree

ROOT = Path(__file__).parents[2]
EXPORTERS = ROOT / ".oracle" / "onnx-exporters" / "bin" / "python"
TRACE = 'File "llama.py", line 12, in forward\n    return self.down(self.act(x))\n<script>window.hit=1</script>\n\u202ex\x1b[31m'
CLASSES = {"layers": "llama.LlamaDecoderLayer", "mlp": "llama.LlamaMLP", "norm": "llama.LlamaRMSNorm"}


def layers(count: int, trace: str = TRACE) -> bytes:
    """Layers of a norm and an MLP, with the metadata that torch.onnx.export(dynamo=True) writes."""
    rows, scopes, last = [], [], "x"
    for layer in range(count):
        for scope, op in (
            *(("norm", "Neg"), ("norm", "Abs"), ("norm", "Sqrt"), ("norm", "Reciprocal")),
            *(("mlp.up", "MatMul"), ("mlp", "Relu"), ("mlp.down", "MatMul"), ("mlp", "Erf"), ("", "Add")),
        ):
            name = f"v{len(rows)}"
            more = ", w" if op == "MatMul" else ", x" if op == "Add" else ""
            rows.append(f"   [node_{name}] {name} = {op} ({last}{more})")
            scopes.append((f"model.layers.{layer}", scope))
            last = name
    weight = ",".join(f"{k}.0" for k in range(16))
    shown = f"g (\n   float[batch,4] x\n) => (\n   float[batch,4] {last}\n) <\n   float[4,4] w = {{{weight}}}\n>"
    model = tree(f"{HEADER}{shown} {{\n" + "\n".join(rows) + "\n}\n")
    for node, (layer_name, scope) in zip(model["graph"]["node"], scopes, strict=True):
        node["metadata_props"] = props(layer_name, scope, node["output"][0], trace)
    model["graph"]["node"][0]["doc_string"] = "the first of all"
    model["graph"]["input"][0]["doc_string"] = "tokens, embedded"
    model["graph"]["initializer"][0]["metadata_props"] = [{"key": "kind", "value": "PARAMETER"}]
    model["graph"]["metadata_props"] = [{"key": "signature", "value": "# inputs\nx: USER_INPUT"}]
    model["metadata_props"] = [{"key": "license", "value": "mine"}]
    return whole(MODEL, model)


def props(layer: str, scope: str, call: str, trace: str) -> list[dict[str, str]]:
    parts = scope.split(".") if scope else []
    names = ["", "model", layer, *(f"{layer}.{'.'.join(parts[: k + 1])}" for k in range(len(parts))), call]
    classes = ["Lm", "Model", CLASSES["layers"], *(CLASSES.get(part, "torch.nn.Linear") for part in parts), "aten.x"]
    said: dict[str, Any] = {
        "namespace": "/".join(f"{name}: {kind}" for name, kind in zip(names, classes, strict=True)),
        "pkg.torch.onnx.name_scopes": names,
        "pkg.torch.onnx.class_hierarchy": classes,
        "pkg.torch.onnx.stack_trace": trace,
    }
    return [{"key": key, "value": str(value)} for key, value in said.items()]


def llama(count: int, folder: Path) -> Path:
    """A Llama that PyTorch exports now; skips where PyTorch is not installed for tests."""
    if not EXPORTERS.exists():
        pytest.skip("make .oracle/onnx-exporters/ready installs PyTorch for this")
    path = folder / "llama.onnx"
    command = [str(EXPORTERS), str(ROOT / "tests" / "oracle" / "onnx_llama.py"), str(count), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr[-2000:]
    return path
