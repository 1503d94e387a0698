"""Numbers too long to be printed, digits of other scripts, and nests deeper than a reader goes: in files of every kind, none is too much."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from formats.onnx.build import TINY
from rule_cases.texts import OPENVINO

from irlint import engine, offers
from irlint.codes import R
from irlint.config.find import Configurations
from irlint.config.source import ConfigError
from irlint.formats.onnx.text.document import read_text
from irlint.text.prototext.messages import DEPTH

ROOT = Path(__file__).parent.parent
NUMBERS = ["0x" + "f" * 5000, "0o" + "7" * 5000, "0b" + "1" * 20000, "-0x" + "f" * 5000, "9" * 5000, "1_" * 3000 + "1"]
ARABIC = "٣" * 50_000


def codes(data: bytes | str, name: str) -> list[str]:
    text = data if isinstance(data, bytes) else data.encode()
    result = engine.lint_bytes(text, name)
    offers.confirm(result)
    return [finding.code for finding in result.findings]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:4])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("irlint.yaml", "fail-on: {}\n"),
        ("irlint.yaml", "select: [{}]\n"),
        ("pyproject.toml", "[tool.irlint]\nfail-on = {}\n"),
        ("pyproject.toml", "[tool.irlint]\nselect = [{}]\n"),
    ],
)
def test_configurations(name: str, text: str, number: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text.format(number))
    with pytest.raises(ConfigError):
        Configurations().of_folder(str(tmp_path))


# -- ONNX ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["9" * 5000, ARABIC, "-1", "²", ""], ids=lambda number: f"{number[:2]}{len(number)}")
@pytest.mark.parametrize("key", ["offset", "length"])
def test_places_of_external_data(key: str, number: str, tmp_path: Path) -> None:
    """In each form of a model; the candidates for repairs look at all initializers."""
    rows = {"location": "w.bin", key: number}
    entries = [{"key": k, "value": v} for k, v in rows.items()]
    tensors = [
        {"name": name, "dims": ["2"], "dataType": 1, "dataLocation": 1, "externalData": data}
        for name, data in (("w", entries), ("v", [{"key": "location", "value": "none.bin"}]))
    ]
    graph = {"name": "g", "initializer": tensors, "node": [], "output": []}
    model = {"irVersion": 9, "opsetImport": [{"version": 17}], "graph": graph}
    (tmp_path / "w.bin").write_bytes(bytes(8))
    from irlint.formats.onnx.text.json_form import read_json
    from irlint.formats.onnx.wire import MODEL
    from irlint.formats.onnx.wire.writer import whole

    text = json.dumps(model)
    for name, data in (("a.onnx.json", text.encode()), ("a.onnx", whole(MODEL, read_json(text, "a.onnx.json").tree))):
        path = tmp_path / name
        result = engine.lint_bytes(data, str(path), path=path)
        offers.confirm(result)
        assert result.format == "onnx"
        assert R.value_not_allowed.code in [finding.code for finding in result.findings]


def _nested(depth: int) -> str:
    """JSON of a graph in a graph in a graph: three messages each."""
    opened, closed = '{"node":[{"opType":"If","attribute":[{"name":"then_branch","type":"GRAPH","g":', "}]}]}"
    return f'{{"irVersion":9,"graph":{opened * depth}{{"name":"g"}}{closed * depth},"opsetImport":[{{"version":17}}]}}'


@pytest.mark.parametrize("depth", [10, 31, 80, 100, 190, 300, 1000, 5000])
def test_nested_graphs(depth: int) -> None:
    found = codes(_nested(depth), "a.onnx.json")
    assert ("S010" in found) == (3 * depth + 2 > DEPTH)


def test_element_types_with_long_numbers() -> None:
    assert read_text(TINY.replace("float[2,4]", f"type{'9' * 5000}[2,4]"), "a.onnxtxt").troubles


# -- IR, and digits of other scripts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [ARABIC, "²", "٣", "9" * 5000])
def test_attributes_of_an_ir(digits: str) -> None:
    gather = OPENVINO.replace('type="Multiply" version="opset1"', 'type="Gather" version="opset8"')
    text = gather.replace('<data auto_broadcast="numpy"/>', f'<data batch_dims="{digits}"/>')
    assert codes(text, "a.xml")
    for match in re.finditer(r'(?<==")\d+(?=")|(?<=>)\d+(?=<)', OPENVINO):
        codes(OPENVINO[: match.start()] + digits[:5000] + OPENVINO[match.end() :], "a.xml")


@pytest.mark.parametrize("digits", [ARABIC[:5000], "9" * 5000])
def test_names_of_calls(digits: str) -> None:
    event = '{"nodeID": NODE, "name": "a", "op": "add", "inputs": [IN], "session": 1, "duration": 1.0}\n'
    codes(event.replace("NODE", "0").replace("IN", f'"{digits}"') * 2, "a.jsonl")
    codes(f"0 nn.relu [{digits}]\n{digits} nn.relu [0]\n", "a.txt")


def _conditions() -> Iterator[tuple[str, ast.AST]]:
    for folder in ("irlint", "lsp/irlint_lsp"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if ".isd" in text else ():
                if isinstance(node, ast.IfExp | ast.ListComp | ast.GeneratorExp | ast.BoolOp):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_digits_are_read_in_one_way() -> None:
    """`int(x) if x.isdecimal()` takes digits of all scripts, and raises for long ones: text.numbers reads such texts."""
    odd = []
    for place, node in _conditions():
        words = ast.unparse(node)
        if re.search(r"\.is(?:decimal|digit)\(\)", words) and re.search(r"\bint\((?!e|f)", words):
            odd.append(place)
    assert [place for place in odd if place.partition(":")[0] not in BOUNDED] == []


BOUNDED = {
    "irlint/text/numbers.py",
    # each with a limit of length of its own
    "irlint/cli/options.py", "irlint/text/safe.py", "irlint/cli/commands/ngrams.py", "irlint/cli/commands/run.py", "irlint/cli/commands/server.py", "irlint/cli/commands/zoo.py",
    "irlint/formats/glacier/sessions.py", "irlint/formats/openvino/candidates/ports.py",
    # places of a graph and signatures, which irlint writes itself
    "irlint/formats/openvino/reading/locate.py", "irlint/dryrun/signature.py",
}  # fmt: skip
