"""Writes the models that the tests open."""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from lsp.binaries import DIGITS, MISTAKE, binary, deep, imperfect
from lsp.samples import glacier, lightnet, nnvm, openvino

# Names that would run if a page took them for markup or for a template
HOSTILE = "</script><script>window.hit=1</script><img src=x onerror='window.hit=1'>${window.hit=1}=HYPERLINK"

# A graph of TVM with a size that is a string, and one storage for two values
TVM = {
    "nodes": [
        {"op": "null", "name": "x", "inputs": []},
        {
            "op": "tvm_op",
            "name": "f",
            "attrs": {"num_outputs": "1", "num_inputs": "1", "func_name": "f", "flatten_data": "0"},
            "inputs": [[0, 0, 0]],
        },
    ],
    "arg_nodes": [0],
    "heads": [[1, 0, 0]],
    "attrs": {
        "dltype": ["list_str", ["float32", "float32"]],
        "shape": ["list_shape", [[1, "2"], [1, 2]]],
        "storage_id": ["list_int", [0]],
    },
    "node_row_ptr": [0, 1, 2],
}

folder = Path(sys.argv[1])
(folder / "toy-symbol.json").write_text(nnvm().replace('"relu"', '"rleu"', 1), encoding="utf-8")
(folder / "toy.xml").write_text(openvino(), encoding="utf-8")
(folder / "lightnet.json").write_text(lightnet(), encoding="utf-8")
(folder / "toy.txt").write_text(glacier(), encoding="utf-8")
(folder / "hostile-symbol.json").write_text(nnvm().replace('"name": "act', f'"name": "{HOSTILE}'), encoding="utf-8")
(folder / "many.xml").write_text(openvino(3000), encoding="utf-8")
(folder / "cycle-symbol.json").write_text(
    nnvm().replace("2,\n          0,\n          0", "3,\n          0,\n          0", 1)
)
(folder / "digits.onnx").write_bytes(binary(DIGITS.replace(*MISTAKE)))
(folder / "digits.onnxtxt").write_text(DIGITS, encoding="utf-8")
(folder / "large.onnx").write_bytes(binary(DIGITS.replace(*MISTAKE), 46_000_000))
(folder / "broken.onnx").write_bytes(bytes(range(256)) * 9)
more = folder / "more"  # what the pictures need not show
more.mkdir(exist_ok=True)
(more / "imperfect.onnx").write_bytes(binary(imperfect()))
(more / "deep.onnx").write_bytes(binary(deep()))
(more / "all").mkdir(exist_ok=True)
(more / "all" / "irlint.yaml").write_text("select: [PEDANTIC]\n", encoding="utf-8")
(more / "all" / "everything.onnx").write_bytes(binary(imperfect()))
symbol = nnvm()
wrong = symbol.replace('"name": "act1"', '"nam": 3').replace('"heads"', '"hedas"').replace("[\n    0\n", '[\n    "0"\n')
(more / "wrong-symbol.json").write_text(wrong, encoding="utf-8")
(more / "comma-symbol.json").write_text(symbol.replace('"relu"', '"relu",', 1), encoding="utf-8")
double = symbol.replace('"name": "act1",', '"name": "act1",\n      "name": "act1",')
(more / "double-symbol.json").write_text(double, encoding="utf-8")
(more / "cut-symbol.json").write_text(symbol[:-30], encoding="utf-8")
light = lightnet().replace('"optype": "relu"', '"optype": 3', 1).replace('"params": []', '"parms": []', 1)
(more / "wrong-lightnet.json").write_text(light, encoding="utf-8")
(more / "wrong-tvm.json").write_text(json.dumps(TVM, indent=1), encoding="utf-8")
(folder / "package.json").write_text('{"name": "a", "version": "1.0.0", "dependencies": {}}\n', encoding="utf-8")
(folder / "pom.xml").write_text("<project><dependencies/></project>\n", encoding="utf-8")
(folder / "notes.txt").write_text("1 Buy milk\n", encoding="utf-8")
(folder / "notes.md").write_text("# Notes\n", encoding="utf-8")
(folder / "pixel.png").write_bytes((Path(__file__).resolve().parents[4] / "lsp/vscode/images/icon.png").read_bytes())
(folder / "plain.json").write_text('{"a": [1, 2]}\n', encoding="utf-8")

command = [sys.executable, "-m", "irlint", "check", ".", "--output-format", "json", "--show-all", "--no-cache"]
done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
(more / "counts.txt").write_text(done.stdout, encoding="utf-8")
