"""The page's Python under node: what it finds and repairs is what the command line finds and repairs."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.playground.conftest import EXAMPLES, MODELS, ROOT, beside, encoded, reported, shown

MODULES = ROOT / "build" / "npm" / "node_modules"
CONFIGURATION = "ignore: [A004, S]\nseverity: {A001: error}\ntargets: {openvino: '2024.6'}\n"
Answer = dict[str, Any]


def ask(assets: Path, requests: list[dict[str, Any]]) -> list[Answer]:
    """Return the answers to calls of glue.py's Session, all in one Python."""
    if shutil.which("node") is None:
        pytest.skip("no node on this machine")
    if not (MODULES / "pyodide").is_dir():
        pytest.skip("no npm packages here: `make test-playground` brings them")
    command = ["node", str(Path(__file__).with_name("requests.mjs")), str(assets), str(MODULES)]
    done = subprocess.run(command, input=json.dumps(requests), capture_output=True, text=True, check=False, timeout=170)
    assert done.returncode == 0, done.stderr[-2000:]
    answers: list[Answer] = json.loads(done.stdout.splitlines()[-1])["answers"]
    return answers


def request(method: str, *args: Any, data: bytes | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"method": method, "args": args}
    return found if data is None else {**found, "data": base64.b64encode(data).decode()}


def lint(path: Path, configuration: str = "") -> list[dict[str, Any]]:
    """Return the calls that the page makes when it opens a file, and when all fixes are applied."""
    files = beside(path)
    data = [other.read_bytes() for other in files]
    text, encoding = shown(path)
    return [
        request("place", [other.name for other in files], [len(each) for each in data], data=b"".join(data)),
        request("decode", path.name, data=path.read_bytes()),
        request("lint", path.name, text, encoding, None, configuration),
        request("confirm"),
        request("fix", False),
    ]


def applied(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Return the text after edits, whose offsets are in UTF-16."""
    units = text.encode("utf-16-le", "surrogatepass")
    for start, end, new in sorted(edits, reverse=True):
        units = units[: 2 * start] + new.encode("utf-16-le", "surrogatepass") + units[2 * end :]
    return units.decode("utf-16-le", "surrogatepass")


@pytest.mark.parametrize("configuration", ["", CONFIGURATION], ids=["", "configured"])
def test_every_example_is_judged_as_on_the_command_line(assets: Path, tmp_path: Path, configuration: str) -> None:
    requests = [each for path in EXAMPLES for each in lint(path, configuration)]
    answers = iter(ask(assets, requests))
    for number, path in enumerate(EXAMPLES):
        _, decoded, _, confirmed, fixed = (next(answers)["result"] for _ in range(5))
        expected, repaired = reported(path, tmp_path / str(number), configuration)
        assert [finding["record"] for finding in confirmed["findings"]] == expected, path
        assert (decoded["text"], decoded["encoding"]) == shown(path)
        assert encoded(path, applied(decoded["text"], fixed["edits"])) == repaired, path


def test_each_example_has_its_views(assets: Path) -> None:
    requests = [
        each for path in MODELS for each in (*lint(path)[:3], request("graph"), request("flat"), request("shapes"))
    ]
    answers = iter(ask(assets, requests))
    for path in MODELS:
        *_, graph, flat, shapes = (next(answers) for _ in range(6))
        if "broken" in path.name or "commas" in path.name:
            continue
        assert graph.get("result", {}).get("boxes"), (path, graph)
        assert "result" in flat or "fix R" in flat["refused"], path
        assert "result" in shapes or "does not infer" in shapes["refused"], path


def test_offsets_are_those_of_javascript(assets: Path) -> None:
    text = '{"nodes": [{"op": "null", "name": "𝒳😀", "inputs": []}, {"op": "null", "name": "b", "inputs": [,]}]}'
    (answer, _) = ask(assets, [request("lint", "wide.json", text, "utf-8", "nnvm", ""), request("confirm")])
    spans = [finding["span"] for finding in answer["result"]["findings"]]
    units = text.encode("utf-16-le")
    assert "," in [units[2 * start : 2 * end].decode("utf-16-le") for start, end in spans]


def test_bytes_that_are_not_utf_8_are_kept(assets: Path) -> None:
    data = b'{"nodes": "\xff\xfe"}\r\n'
    (decoded,) = ask(assets, [request("decode", "m.json", data=data)])
    (encoded,) = ask(assets, [request("encode", decoded["result"]["text"], decoded["result"]["encoding"])])
    assert base64.b64decode(encoded["result"]) == data


def test_an_edited_binary_is_linted_and_written(assets: Path, tmp_path: Path) -> None:
    path = ROOT / "examples/onnx/mistakes.onnx"
    text, encoding = shown(path)
    better, worse = text.replace("kernal_shape", "kernel_shape"), text.replace("Relu", "Rleu")
    calls = [request("lint", path.name, each, encoding, None, "") for each in (better, worse, text)]
    opening = request("decode", path.name, data=path.read_bytes())
    _, *lints, saved, broken = ask(
        assets, [opening, *calls, request("encode", better, encoding), request("encode", "<<<", encoding)]
    )
    count = lints.pop()["result"]["total"]
    assert [each["result"]["total"] for each in lints] == [count - 1, count + 1]
    assert base64.b64decode(saved["result"]) == encoded(path, better)
    assert "cannot be written" in broken["refused"]


def test_a_link_holds_a_binary(assets: Path) -> None:
    data = (ROOT / "examples/onnx/digits.onnx").read_bytes()
    (answer,) = ask(
        assets, [request("link", {"name": "a.onnx", "as": "", "tab": "", "config": "", "beside": []}, data=data)]
    )
    hash_, back = answer["result"]
    assert hash_.startswith("#name=a.onnx&data=")
    assert base64.b64decode(back["data"]) == data


def test_mistakes_in_the_configuration_are_reported(assets: Path) -> None:
    (answer,) = ask(assets, [request("lint", "m.json", "{}", "utf-8", None, "selekt: [A]\n")])
    assert answer["result"]["configuration"].startswith("irlint.yaml:1:1: ")


def test_missing_weights_are_no_matter_where_no_file_is_next_to_the_model(assets: Path) -> None:
    text = (ROOT / "examples/openvino/digits.xml").read_text("utf-8")
    calls = [request("lint", "digits.xml", text, "utf-8", None, setting) for setting in ("", "weights: required\n")]
    alone, required = ask(assets, calls)
    assert alone["result"]["total"] == 0
    assert alone["result"]["absent"] == ["weights file 'digits.bin' not found next to the model; 4 constants use it"]
    assert [finding["record"]["code"] for finding in required["result"]["findings"]] == ["W001"]


def test_a_link_holds_a_model(assets: Path) -> None:
    model = {
        "name": "a b-symbol.json",
        "text": '{\n  "naïve": "😀"\n}' * 99,
        "as": "nnvm:mxnet",
        "tab": "graph",
        "config": "ignore: [A]",
        "beside": [],
    }
    (answer,) = ask(assets, [request("link", model)])
    hash_, back = answer["result"]
    assert back == model
    packed = dict(part.split("=", 1) for part in hash_[1:].split("&"))["text"]
    data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    assert zlib.decompress(data, wbits=-15).decode() == model["text"]  # as the pages of rules write it


def test_fixes_have_the_grades_of_the_command_line() -> None:
    """A fix that is not certain is unsafe here, too; the page has no other word for it."""
    for path in [*sorted((ROOT / "playground").glob("*.*")), ROOT / "docs/in-the-browser.md"]:
        assert "guess" not in path.read_text(encoding="utf-8").lower(), path
    grades = re.search(r"const GRADES = \{(.*)\};", (ROOT / "playground/findings.js").read_text(encoding="utf-8"))
    assert grades is not None
    assert re.findall(r'(\w+): "(\w*)', grades[1]) == [("safe", ""), ("proven", "proven"), ("unsafe", "unsafe")]
