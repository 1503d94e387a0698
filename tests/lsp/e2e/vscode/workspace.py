"""Writes the models that the tests open."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from lsp.binaries import DIGITS, MISTAKE, binary
from lsp.samples import glacier, lightnet, nnvm, openvino

# Names that would run if a page took them for markup or for a template
HOSTILE = "</script><script>window.hit=1</script><img src=x onerror='window.hit=1'>${window.hit=1}=HYPERLINK"

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
(folder / "package.json").write_text('{"name": "a", "version": "1.0.0", "dependencies": {}}\n', encoding="utf-8")
(folder / "pom.xml").write_text("<project><dependencies/></project>\n", encoding="utf-8")
(folder / "notes.txt").write_text("1 Buy milk\n", encoding="utf-8")
(folder / "notes.md").write_text("# Notes\n", encoding="utf-8")
(folder / "pixel.png").write_bytes((Path(__file__).resolve().parents[4] / "lsp/vscode/images/icon.png").read_bytes())
(folder / "plain.json").write_text('{"a": [1, 2]}\n', encoding="utf-8")
