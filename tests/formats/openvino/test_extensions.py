"""Operations that libraries bring: those of openvino_tokenizers, those that a configuration declares, and those of nobody."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from rule_cases.texts import openvino

from irlint import engine
from irlint.config.build import build
from irlint.config.read_yaml import read_yaml
from irlint.findings import Finding
from irlint.operators import table
from irlint.records import replace
from irlint.settings import Settings
from irlint.tools.installed import read_text

HERE = Path(__file__).parent
PYTHON = os.environ.get("IRLINT_TOKENIZERS_PYTHON", "")
LAYER = 'type="SoftMax" version="opset8"'
DTYPES = {"I32": "i32", "U8": "u8", "BOOL": "boolean", "STRING": "string", "FP32": "f32", "I64": "i64"}


def settings(text: str = "") -> Settings:
    return build(read_yaml("irlint.yaml", text.encode()), "/project").settings("/project/model.xml")


def lint(text: str, config: str = "") -> list[Finding]:
    """The findings, with what is pedantic of the rule about libraries."""
    wanted = settings(config)
    wanted = replace(wanted, select=(*wanted.select, "needs-extension"))
    return [f for f in engine.lint(text, "model.xml", wanted).findings if f.code != "W001"]


def codes(text: str, config: str = "") -> list[tuple[str, str]]:
    return [(f.code, str(f.severity)) for f in lint(text, config)]


def layer(type_: str, version: str, *changes: tuple[str, str]) -> str:
    """The sample with its SoftMax replaced."""
    return openvino((LAYER, f'type="{type_}" version="{version}"'), *changes)


def ports(kinds: list[str], first: int) -> str:
    return "".join(
        f'<port id="{first + k}" precision="{kind.split(":")[0]}">{"<dim>-1</dim>" * len(kind.split(":")[1])}</port>'
        for k, kind in enumerate(kinds)
    )


def graph(type_: str, data: str, inputs: list[str], outputs: list[str], version: str = "extension") -> str:
    """One operation between Parameters and Results; a kind is a precision, a colon and a letter per dimension."""
    layers, edges = [], []
    for k, kind in enumerate(inputs):
        precision, _, rank = kind.partition(":")
        shape = ",".join("?" * len(rank))
        layers.append(
            f'<layer id="{k}" name="in{k}" type="Parameter" version="opset1"><data shape="{shape}" element_type="{DTYPES[precision]}"/>'
            f"<output>{ports([kind], 0)}</output></layer>"
        )
        edges.append(f'<edge from-layer="{k}" from-port="0" to-layer="100" to-port="{k}"/>')
    layers.append(
        f'<layer id="100" name="it" type="{type_}" version="{version}">{data}<input>{ports(inputs, 0)}</input>'
        f"<output>{ports(outputs, len(inputs))}</output></layer>"
    )
    for k, kind in enumerate(outputs):
        layers.append(
            f'<layer id="{200 + k}" name="out{k}" type="Result" version="opset1"><input>{ports([kind], 0)}</input></layer>'
        )
        edges.append(f'<edge from-layer="100" from-port="{len(inputs) + k}" to-layer="{200 + k}" to-port="0"/>')
    head = '<?xml version="1.0"?>\n<net name="tokenizer" version="11">\n'
    return f"{head}<layers>\n{chr(10).join(layers)}\n</layers>\n<edges>\n{chr(10).join(edges)}\n</edges>\n</net>\n"


RAGGED = ["I32:a", "I32:a", "I32:a", "I32:a", "U8:a"]
SPLIT = '<data behaviour="isolate" invert="false" max_splits="-1"/>'


def split(
    data: str = SPLIT, inputs: list[str] | None = None, type_: str = "RegexSplit", version: str = "extension"
) -> str:
    return graph(type_, data, [*RAGGED, "U8:a"] if inputs is None else inputs, RAGGED, version)


def test_a_tokenizer_has_one_pedantic_finding() -> None:
    (found,) = lint(split())
    assert (found.code, str(found.severity)) == ("C302", "pedantic")
    assert "`openvino_tokenizers` (for `RegexSplit`)" in found.message


def test_it_is_one_of_a_file() -> None:
    text = split().replace(
        "</layers>",
        '<layer id="300" name="e" type="EqualStr" version="extension"><input>'
        + ports(["I32:a", "I32:a", "U8:a"] * 2, 0)
        + "</input><output>"
        + ports(["I32:a"], 6)
        + "</output></layer>\n"
        '<layer id="301" name="out9" type="Result" version="opset1"><input>' + ports(["I32:a"], 0) + "</input></layer>\n</layers>",
    )  # fmt: skip
    edges = [(100, 8), (100, 9), (100, 10), (0, 0), (1, 0), (4, 0)]
    lines = "".join(
        f'<edge from-layer="{a}" from-port="{b}" to-layer="300" to-port="{k}"/>' for k, (a, b) in enumerate(edges)
    )
    text = text.replace("</edges>", lines + '<edge from-layer="300" from-port="6" to-layer="301" to-port="0"/></edges>')
    (found,) = lint(text)
    assert "(for `RegexSplit`, `EqualStr`)" in found.message


@pytest.mark.parametrize(
    ("text", "code", "severity", "words"),
    [
        (split(type_="RegexSplitt"), "O001", "error", "did you mean `RegexSplit`?"),
        (split(type_="regexsplit"), "O001", "error", "did you mean `RegexSplit`?"),
        (split(version="extention"), "O301", "error", "did you mean `extension`?"),
        (split(version="Extension"), "O301", "error", "did you mean `extension`?"),
        (split(version="experimental"), "O301", "error", "did you mean `extension`?"),
        (split(version="opset1"), "O006", "error", "did you mean `extension`?"),
        (split(SPLIT.replace("behaviour", "behavior")), "A001", "warning", "did you mean `behaviour`?"),
        (split(SPLIT.replace("isolate", "isolated")), "A005", "error", "did you mean `isolate`?"),
        (split(SPLIT.replace("isolate", "Isolate")), "A005", "error", "case-sensitive"),
        (split(SPLIT.replace("-1", "x")), "A003", "error", "expected an integer"),
        (split(inputs=RAGGED), "O002", "error", "expected 6, 7 or 9 inputs"),
        (split(inputs=[*RAGGED, "U8:a", "I32:a", "I32:a"]), "O002", "error", "expected 6, 7 or 9 inputs"),
        (split(inputs=["I32:a"] * 5 + ["U8:a"]), "D002", "error", "expected uint8"),
        (split(inputs=[*RAGGED, "U8:"]), "D003", "error", "expected rank 1"),
        (graph("CombineSegments", "", ["I32:a"] * 5, ["I32:a"] * 6), "O002", "error", "expected 4, 7, 10, ... inputs"),
        (graph("UTF8Validate", "", ["I32:a", "I32:a", "U8:a", "U8:a"], ["I32:a", "I32:a", "U8:a"]), "O002", "warning", "expected 3 inputs"),
        (graph("StringToHashBucket", '<data num_buckets="0"/>', ["I32:a", "I32:a", "U8:a"], ["I64:a"]), "A006", "error", "expected more than 0"),
    ],
)  # fmt: skip
def test_mistakes_in_its_operations(text: str, code: str, severity: str, words: str) -> None:
    """As the reader of 2026.4.1 with the library loaded takes or refuses them."""
    found = [f for f in lint(text) if f.code != "C302"]
    assert [(f.code, str(f.severity)) for f in found][:1] == [(code, severity)], found
    assert words in found[0].message


def test_attributes_may_be_missing() -> None:
    assert codes(split("")) == [("C302", "pedantic")]


@pytest.mark.parametrize(
    ("type_", "data", "inputs", "outputs"),
    [
        ("UnigramTokenizer", '<data min_score="inf"/>', [*RAGGED, "I32:a", "I32:a", "U8:a", "FP32:a"], ["I32:a"] * 3),
        ("RaggedToDense", "", ["I32:a", "I32:a", "I32:a", "I32:", "I32:", "BOOL:"], ["I32:ab", "BOOL:ab"]),
        ("CombineSegments", "", ["I32:", "I32:", "I32:a", "I32:a", "I32:a", "I32:a", "I32:a"], ["I32:a"] * 6),
        ("CharsMapNormalization", "", ["I32:a", "I32:a", "U8:a", "BOOL:a"], ["I32:a", "I32:a", "U8:a", "BOOL:a"]),
        ("CharsMapNormalization", "", ["I32:a", "I32:a", "U8:a", "U8:a"], ["I32:a", "I32:a", "U8:a"]),
        ("StringTensorUnpack", '<data mode="begins_ends"/>', ["U8:a"], ["I32:a", "I32:a", "U8:a"]),
        ("SentencepieceTokenizer", '<data nbest_size="1" alpha="1" add_bos="true" add_eos="false" reverse="false"/>',
         ["U8:a", "STRING:a"], ["I64:ab", "I32:a", "I64:a"]),
        ("Truncate", '<data m_num_inputs="1"/>', ["I32:a", "I32:a", "I32:a", "I32:", "U8:a", "U8:a"], ["I32:a"] * 3),
    ],
)  # fmt: skip
def test_operations_that_the_library_takes(type_: str, data: str, inputs: list[str], outputs: list[str]) -> None:
    found = [f for f in lint(graph(type_, data, inputs, outputs)) if f.code not in ("D006", "C302")]
    assert found == []


def test_more_outputs_than_there_are() -> None:
    text = graph("CharsMapNormalization", "", ["I32:a", "I32:a", "U8:a", "U8:a"], ["I32:a", "I32:a", "U8:a", "U8:a"])
    assert ("O003", "error") in codes(text)


def test_a_standard_name_in_another_domain_is_one_info() -> None:
    for type_ in ("SoftMax", "Pad", "ReLU"):
        assert codes(layer(type_, "custom_ops")) == [("C302", "info")]


def test_another_domain_is_one_info() -> None:
    text = layer("MyOp", "my_domain")
    (found,) = lint(text)
    assert (found.code, str(found.severity)) == ("C302", "info")
    (note,) = found.related
    assert "`extensions: {my_domain: {MyOp: {inputs: 1, outputs: 1}}}`" in note.message


def test_a_name_near_one_of_the_library_is_no_mistake_where_that_is_not_in_use() -> None:
    for type_ in ("TextTokenizer", "RegexSplitV2", "VoxelizationOp", "Identity"):
        assert codes(layer(type_, "extension")) == [("C302", "info")], type_


@pytest.mark.parametrize("version", ["opset01", "opset21", "Opset8", "opste1", "opset", "", "1", "extension", "experimental"])  # fmt: skip
def test_a_standard_operation_of_no_opset_is_an_error(version: str) -> None:
    assert codes(layer("SoftMax", version)) == [("O301", "error")]


@pytest.mark.parametrize("version", ["opset01", "opset21", "Opset8"])
def test_an_operation_of_nobody_in_a_misspelt_opset_is_an_error(version: str) -> None:
    assert ("O301", "error") in codes(layer("MyOp", version))


def test_a_domain_that_has_operations_of_its_own_may_have_one_with_a_standard_name() -> None:
    text = layer("SoftMax", "my_domain", ('type="Multiply" version="opset1"', 'type="MyMultiply" version="my_domain"'))
    (found,) = lint(text)
    assert found.code == "C302"
    assert "(for `MyMultiply`, `SoftMax`)" in found.message or "(for `SoftMax`, `MyMultiply`)" in found.message


def test_declared_types_of_unknown_operations_are_believed_as_long_as_their_inputs_are_as_declared() -> None:
    resized = ('shape="1,3,8,8"', 'shape="1,3,9,9"')
    text = layer("MyOp", "my_domain")
    other = text.replace(*resized)
    assert other != text
    result = engine.lint(text, "model.xml").model
    assert result is not None
    types = result.types.types
    assert next(iter(types.values()))[3][0].type == ("float32", (1, 3, 8, 8))
    result = engine.lint(other, "model.xml").model
    assert result is not None
    types = result.types.types
    assert next(iter(types.values()))[3][0].type == (None, None)


MINE = """
extensions:
  my_domain:
    MyOp:
      inputs: [data, scale?]
      outputs: 1
      attributes:
        axis: int
        alpha: {type: float, default: 0.5}
        mode: {type: string, values: [fast, exact], default: fast}
        which: {type: bool, required: true}
      shape: "S/T S/T -> S/T"
    Loose:
"""
DATA = ('<data axis="1"/>', '<data axis="1" alpha="1.5" mode="exact" which="true"/>')


def test_a_declared_operation_is_as_good_as_a_built_in_one() -> None:
    assert codes(layer("MyOp", "my_domain", DATA), MINE) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("MyOp", "MyOpp", [("O001", "error")]),
        ("MyOp", "Quite", [("O001", "error")]),
        ("my_domain", "mydomian", [("O301", "error")]),
        ("alpha=", "alhpa=", [("A001", "warning")]),
        (' which="true"', "", [("A002", "error")]),
        ('which="true"', 'wihch="true"', [("A001", "error")]),
        ('axis="1"', 'axis="one"', [("A003", "error")]),
        ("exact", "exactly", [("A005", "error")]),
        ('alpha="1.5"', 'alpha="1,5"', [("A010", "warning")]),
    ],
)
def test_mistakes_in_a_declared_operation(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    text = layer("MyOp", "my_domain", DATA)
    assert text.count(old) == 1
    assert codes(text.replace(old, new), MINE) == expected


def test_the_declared_shape_rule_is_followed() -> None:
    text = layer("MyOp", "my_domain", DATA)
    at = text.index('<port id="1" precision="FP32">', text.index("my_domain"))
    wrong = text[:at] + text[at:].replace("<dim>3</dim>", "<dim>4</dim>", 1)
    (found,) = lint(wrong, MINE)
    assert (found.code, found.node) == ("D006", "classes")
    (found,) = lint(wrong, MINE.replace('      shape: "S/T S/T -> S/T"\n', ""))
    assert (found.code, found.node) == ("D006", "result")  # what the layer declares is all that is known


def test_a_number_of_inputs_that_is_not_declared() -> None:
    config = MINE.replace("[data, scale?]", "[2, 3]").replace('      shape: "S/T S/T -> S/T"\n', "")
    (found,) = lint(layer("MyOp", "my_domain", DATA), config)
    assert found.code == "O002"
    assert "expected 2 to 3 inputs for MyOp 'classes', got 1" in found.message


@pytest.mark.parametrize(
    "config",
    [
        "extensions: {my_domain: }",
        "extensions: {my_domain: {}}",
        "extensions: {my_domain: {MyOp: }}",
        "formats: {openvino: {opsets: [my_domain]}}",
    ],
)
def test_domains_that_take_any_operation(config: str) -> None:
    assert codes(layer("MyOp", "my_domain"), config) == []


def test_the_library_is_no_news_to_who_declares_its_domain() -> None:
    assert codes(split(), "formats: {openvino: {opsets: [extension]}}") == []
    assert codes(split(), "extensions: {extension: {MyOp: }}") == []
    assert codes(split(type_="RegexSplitt"), "extensions: {extension: {MyOp: }}") == [("O001", "error")]


def test_a_declared_operation_goes_before_one_of_an_opset() -> None:
    config = "extensions: {opset8: {SoftMax: {inputs: 1, outputs: 1, attributes: {axes: int}}}}"
    assert codes(layer("SoftMax", "opset8"), config) == [("A001", "warning")]


def test_every_operation_has_a_shape_rule_that_can_be_read() -> None:
    from irlint.dryrun.operator import operator
    from irlint.dryrun.written import mistakes

    library = table("openvino-tokenizers")
    for name in library.names:
        found = library.get(name)
        assert found is not None
        facts = found.facts
        if "shapes" in facts:
            assert operator(facts["shapes"])
            continue
        signatures = facts.get("signatures") or {str(len(found.inputs)): facts["signature"]}
        assert signatures
        for text in signatures.values():
            assert list(mistakes(text)) == [], name


@pytest.mark.skipif(not PYTHON, reason="IRLINT_TOKENIZERS_PYTHON names no Python with openvino_tokenizers")
def test_the_table_is_what_the_wheel_says() -> None:
    done = subprocess.run(
        [PYTHON, str(HERE / "tokenizer_table.py")], capture_output=True, text=True, timeout=300, check=True
    )
    assert _facts(done.stdout) == _facts(read_text("operators/openvino-tokenizers.json"))


def _facts(text: str) -> Any:
    return json.loads(text)["operators"]
