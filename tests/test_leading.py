"""What comes before a model does not hide it, however long it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL

from irlint import engine
from irlint.cli import main
from irlint.text.base import after_leading

LISTING = "0 Var []\n1 nn.relu [0]\n2 nn.relu [1]\n"
BLANKS = [" " * 70_000, "\n" * 70_000, "\ufeff" + "\t\r\n" * 30_000]
CODE = ["// x\n" * 20_000, f"/* {'x' * 70_000} */"]
CASES = [
    *[("lightnet", "a.json", before + LIGHTNET) for before in [*BLANKS, *CODE]],
    *[("nnvm", "a.json", before + SYMBOL) for before in [*BLANKS, *CODE]],
    *[("openvino", "a.xml", before + OPENVINO) for before in [*BLANKS, f"<!-- {'x' * 70_000} -->", "<?x y?>" * 10_000]],
    *[("glacier", "a.txt", before + LISTING) for before in [*BLANKS, "# x\n" * 20_000]],
]


@pytest.mark.parametrize(("form", "name", "text"), CASES)
def test_a_model_is_recognized_behind_blanks_and_comments(form: str, name: str, text: str) -> None:
    assert engine.lint(text, name).format == form
    assert engine.deserves_reading(text.encode()[: 1 << 16], name)


def test_a_folder_walk_finds_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(" " * 70_000 + LIGHTNET.replace('"slice"', '"slicee"'))
    assert main(["check", str(tmp_path), "--no-cache"]) == 1
    assert "O001" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", " ", "/* x", "<!-- x", "// x", "# x"])
def test_nothing_but_what_comes_first(text: str) -> None:
    assert after_leading(text) == len(text)
