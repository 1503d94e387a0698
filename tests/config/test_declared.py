"""Rules that a configuration declares: what they find, and where mistakes in them are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL

from irlint import engine
from irlint.config.build import build
from irlint.config.read_yaml import read_yaml
from irlint.config.source import ConfigError
from irlint.findings import Finding
from irlint.rules.declared import NodeCondition

HERE = Path("/project")


def findings(text: str, rule: str, model: str = LIGHTNET) -> list[Finding]:
    source = read_yaml("irlint.yaml", f"select: [U]\nrules:\n- {{name: mine, {rule}}}\n".encode())
    settings = build(source, str(HERE)).settings(str(HERE / "model"))
    return engine.lint(model, settings=settings).findings


def tokens(rule: str, model: str = LIGHTNET) -> list[str]:
    found = findings("", f"message: m, {rule}", model)
    return [model[f.span.start : f.span.end].strip('"') for f in found]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("allow: [create, print]", ["slice"]),
        ("allow: [create, print, sl*]", []),
        ("deny: slice", ["slice"]),
        ("allow: [create, slice], deny: sl*", ["slice", "print"]),
        ("deny: [pr*, cr*]", ["create", "print"]),
        ("match: {op: slice}", ["slice"]),
        ("match: {op: slice, attribute: {axis: 1}}", ["1"]),
        ("match: {op: slice, attribute: {axis: [0, 2]}}", []),
        ('match: {op: slice, attribute: {len: ">= 2"}}', ["2"]),
        ('match: {op: slice, attribute: {len: "> 2"}}', []),
        ('match: {attribute: {dims: "[2, 3]"}}', ["[2, 3]"]),
        ("match: {attribute: {from_file: false}}", ["false"]),
        ("match: {attribute: {from_file: true}}", []),
        ("match: {attribute: {len: null}}", ["2"]),
        ("match: {name: cut}", ["cut"]),
        ("match: {name: 'c*', op: slice}", ["slice"]),
        ("match: {format: openvino}, deny: slice", []),
        ("match: {format: [openvino, light*], dialect: source}, deny: slice", ["slice"]),
    ],
)
def test_what_they_find(rule: str, expected: list[str]) -> None:
    assert tokens(rule) == expected


def test_other_formats() -> None:
    assert tokens("allow: [SoftMax]", OPENVINO) == ["Multiply"]
    assert tokens('match: {shape: [1, 3, 8, "*"], op: SoftMax}', OPENVINO) == ["SoftMax"]
    assert tokens("match: {dtype: float32, op: SoftMax}", OPENVINO) == ["SoftMax"]
    assert tokens("match: {dtype: [float16, int*], op: SoftMax}", OPENVINO) == []
    assert tokens("match: {op: FullyConnected, attribute: {num_hidden: 4}}", SYMBOL) == ["4"]


@pytest.mark.parametrize(
    ("shape", "fits"),
    [
        ((1, 3), False),
        ((1, 3, 8), True),
        ((1, 3, 8, 8), True),
        ((2, 3, 8), False),
        ((1, None, 8), True),
        ((None, 3, 8), False),
        ((1, 3, 5), False),
    ],
)
def test_shapes(shape: tuple[int | None, ...], fits: bool) -> None:
    from irlint.graph import Type

    match = NodeCondition(shape=("== 1", "*", ">= 8", "..."))
    assert match.of_types([Type("float32", shape)]) is fits


def test_words_and_severity() -> None:
    (found,) = findings("", 'code: U042, message: "no {op} in {name} {x}", severity: info, deny: slice')
    assert (found.code, found.name, str(found.severity)) == ("U042", "mine", "info")
    assert found.message == "no slice in cut {x}"
    assert found.node == "cut"


def test_they_are_selected_as_other_rules_are() -> None:
    text = "severity: {mine: warning}\nignore: [U002]\nrules:\n"
    text += "- {name: mine, message: m, deny: slice}\n- {name: other, message: m, deny: slice}\n"
    settings = build(read_yaml("irlint.yaml", text.encode()), str(HERE)).settings(str(HERE / "model"))
    found = [f for f in engine.lint(LIGHTNET, settings=settings).findings if f.code[0] == "U"]
    assert [(f.code, str(f.severity)) for f in found] == [("U001", "warning")]


@pytest.mark.parametrize(
    ("text", "token", "words"),
    [
        ("- {message: m, deny: x}", "{message", "missing key `name`"),
        ("- {name: n, mesage: m}", "mesage", "did you mean `message`?"),
        ("- {name: n, message: m, match: {fromat: x}}", "fromat", "did you mean `format`?"),
        ("- {name: n, message: m, match: {format: opnvino}}", "format", "did you mean `openvino`?"),
        ("- {name: n, message: m, match: {format: [nnvm, x]}}", "x]", "unknown format `x`"),
        ("- {name: n, message: m, code: A001, deny: x}", "code", "`U` and three digits"),
        ("- {name: my rule, message: m, deny: x}", "name", "one word"),
        ("- {name: n, message: m, match: {shape: [1, '>= x'], op: x}}", "'>= x'", "expected a number to compare with"),
        (
            "- {name: n, message: m, match: {attribute: {axis: [1, '=='], len: 1}}}",
            "'=='",
            "expected a number to compare with",
        ),
        ("- {name: n, message: m, severity: bad, deny: x}", "severity", "expected one of `error`"),
        ("- {name: cycle, message: m, deny: x}", "name", "duplicate rule name"),
        (
            "- {name: n, message: m, deny: x}\n- {name: n, message: w, deny: x}",
            "name: n, message: w",
            "duplicate rule name",
        ),
        ("- {name: n, message: m}", "{name", "every node"),
        ("- {name: n, message: m, match: {shape: [..., 3], op: x}}", "...", "before the last dimension"),
        ("- {name: n, message: m, match: {}, deny: x}", "match", "expected a non-empty value"),
    ],
)
def test_mistakes_are_told_where_they_stand(text: str, token: str, words: str) -> None:
    text = f"rules:\n{text}\n"
    with pytest.raises(ConfigError) as raised:
        build(read_yaml("irlint.yaml", text.encode()), str(HERE))
    told = [(text.split("\n")[mark.line - 1][mark.column - 1 :], what) for mark, what in raised.value.mistakes if mark]
    assert any(rest.startswith(token) and words in what for rest, what in told), told
