"""Writes the models that the tests open."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from lsp.samples import nnvm, openvino

folder = Path(sys.argv[1])
(folder / "toy-symbol.json").write_text(nnvm().replace('"relu"', '"rleu"', 1), encoding="utf-8")
(folder / "toy.xml").write_text(openvino(), encoding="utf-8")
(folder / "plain.json").write_text('{"a": [1, 2]}\n', encoding="utf-8")
