"""Graphs of pnnx: what `Graph::load` of pnnx reads otherwise or aborts on, and what is declared twice."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from irlint import engine, fixes
from irlint.engine import Result
from irlint.graph import Type

SMALL = """7767517
5 4
pnnx.Input               in0        0 1 0 #0=(1,3,8,8)f32
nn.Conv2d                conv       1 1 0 1 bias=True dilation=(1,1) groups=1 in_channels=3 kernel_size=(3,3) out_channels=4 padding=(1,1) padding_mode=zeros stride=(1,1) @bias=(4)f32 @weight=(4,3,3,3)f32 #0=(1,3,8,8)f32 #1=(1,4,8,8)f32
F.softmax                softmax    1 1 1 2 dim=1 $input=1 #1=(1,4,8,8)f32 #2=(1,4,8,8)f32
pnnx.Expression          add        2 1 1 2 3 expr=add(mul(@0,2),sqrt(@1)) #1=(1,4,8,8)f32 #2=(1,4,8,8)f32 #3=(1,4,8,8)f32
pnnx.Output              out        1 0 3 #3=(1,4,8,8)f32
"""
SIZES = {"conv.bias": 16, "conv.weight": 432}


def lint(text: str) -> Result:
    return engine.lint(text, "model.pnnx.param")


def found(text: str) -> list[tuple[str, str, str]]:
    """Codes, severities and tokens."""
    return [(f.code, str(f.severity), text[f.span.start : f.span.end]) for f in lint(text).findings]


def changed(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new, 1)


def test_a_sound_graph_has_no_findings_and_declares_types() -> None:
    result = lint(SMALL)
    assert (result.format, result.dialect, result.findings) == ("pnnx", "graph", [])
    assert result.model is not None
    assert result.model.graph.nodes[1].outputs[0].type == Type("float32", (1, 4, 8, 8))


@pytest.mark.parametrize(
    ("old", "new", "code", "severity", "token"),
    [
        ("@bias=(4)f32", "@bias=(4)fp32", "A005", "error", "(4)fp32"),
        ("@bias=(4)f32", "@bias=(4", "S001", "error", "(4"),
        ("@bias=(4)f32", "@bias=()f32", "S001", "error", "()f32"),
        ("@weight=(4,3,3,3)f32", "@weight=(4,3,x,3)f32", "S001", "error", "x"),
        ("@weight=(4,3,3,3)f32", "@weight=(4,3,?,3)f32", "S001", "error", "?"),
        ("#0=(1,3,8,8)f32\nnn", "#0=(1,3,8,8)f23\nnn", "A005", "warning", "(1,3,8,8)f23"),
        ("#2=(1,4,8,8)f32 #3", "#7=(1,4,8,8)f32 #3", "R001", "warning", "(1,4,8,8)f32"),
        ("$input=1", "$input=7", "R001", "warning", "7"),
        ("groups=1", "groups=1x", "S001", "error", "1x"),
        ("groups=1", "groups=3000000000", "S004", "error", "3000000000"),
        ("groups=1", "groups=1 groups=1", "A008", "warning", "1"),
        ("stride=(1,1)", "stride=(1,1", "S001", "error", "(1,1"),
        ("stride=(1,1)", "stride=(1,)", "S001", "error", ")"),
        ("stride=(1,1)", "stride=(1,1.5)", "A003", "error", "(1"),
        ("kernel_size=(3,3)", "kernel_size=(3)", "A007", "error", "(3)"),
        ("kernel_size=(3,3)", "kernel_size=3", "A007", "error", "3"),
        ("#0=(1,3,8,8)f32\nnn", "#0=(?,3,8,8)f32\nnn", "D006", "warning", "(1,3,8,8)f32"),
        ("#0=(1,3,8,8)f32\nnn", "#0=(%n,3,8,8)f32\nnn", "D006", "warning", "(1,3,8,8)f32"),
        ("padding_mode=zeros", "padding_mode=zero", "A005", "error", "zero"),
        ("dim=1", "dim=x", "A003", "error", "x"),
        ("in_channels=3", "in_channels=5", "D001", "error", "5"),
        ("out_channels=4", "out_channels=5", "D001", "error", "5"),
        ("@bias=(4)f32", "@bias=(5)f32", "D001", "error", "4"),
        ("@weight=", "weight=", "A001", "error", "weight"),
        ("dilation=", "dilatin=", "A001", "error", "dilatin"),
        ("bias=True", "bias=Ture", "A005", "error", "Ture"),
        ("nn.Conv2d", "nn.Conv2D", "O001", "warning", "nn.Conv2D"),
        ("sqrt(@1)", "sqrt(@2)", "R006", "error", "add(mul(@0,2),sqrt(@2))"),
        ("sqrt(@1)", "sqrd(@1)", "O001", "error", "add(mul(@0,2),sqrd(@1))"),
        ("add(mul(@0,2),sqrt(@1))", "add(sqrt(@1))", "S001", "error", "add(sqrt(@1))"),
        ("sqrt(@1))", "sqrt(@1)", "S001", "warning", "add(mul(@0,2),sqrt(@1)"),
        ("expr=add(mul(@0,2),sqrt(@1)) ", "", "A002", "error", "pnnx.Expression"),
        ("add        2 1 1 2 3", "add        2 1 9 2 3", "R001", "error", "9"),
        ("1 0 3 #3=(1,4,8,8)f32", "0 0", "O002", "error", "0"),
        ("5 4\n", "6 4\n", "T501", "error", "6"),
        ("7767517", "7767518", "S501", "warning", "7767518"),
        ("\nF.softmax", "\n\nF.softmax", "S001", "error", "\n"),
        ("$input=1 #1=(1,4,8,8)f32", "$input=1 #1=(1,4,8,9)f32", "D006", "warning", "(1,4,8,9)f32"),
        ("$input=1 #1=(1,4,8,8)f32", "$input=1 #1=(1,4,8,8)f16", "D007", "warning", "(1,4,8,8)f16"),
        ("#2=(1,4,8,8)f32\n", "#2=(1,4,8,8)f32 \n", "S001", "error", " "),
    ],
)  # fmt: skip
def test_one_mistake(old: str, new: str, code: str, severity: str, token: str) -> None:
    assert (code, severity, token) in found(changed(old, new))


@pytest.mark.parametrize(
    "type_", ["models.common.Focus", "my.Op", "torch.hstack", "nn.Dropout1d", "aten::bilinear", "nn.SomethingElse"]
)
def test_other_types_are_custom_operators(type_: str) -> None:
    assert found(changed("F.softmax  ", type_)) == []


@pytest.mark.parametrize(
    "value",
    ["None", "()", "[]", "-1", "1e-5", "-inf", "(1,-2)", "(1.5,2e3)", "(a,b)", "torch.float", "1.0e+00+2.0e+00j", "%x", "(0,@1)", "ij,jk->ik", "same"],
)  # fmt: skip
def test_values_that_pnnx_reads_as_they_are(value: str) -> None:
    assert found(changed("padding_mode=zeros", f"padding_mode=zeros other={value}")) == []


def test_a_fix_renames_what_is_misspelt() -> None:
    for old, new in (
        ("@bias=(4)f32", "@bias=(4)fp32"),
        ("dilation=", "dilatin="),
        ("nn.Conv2d", "nn.Conv2D"),
        ("sqrt(@1)", "sqrd(@1)"),
    ):
        mended = fixes.fix(changed(old, new), lambda text: lint(text).findings, unsafe=True)
        assert mended.text == SMALL, new


def archive(folder: Path, sizes: dict[str, int], compression: int = zipfile.ZIP_STORED) -> list[tuple[str, str]]:
    with zipfile.ZipFile(folder / "model.pnnx.bin", "w", compression) as file:
        for name, size in sizes.items():
            file.writestr(name, bytes(size))
    path = folder / "model.pnnx.param"
    path.write_text(SMALL)
    return [(f.code, str(f.severity)) for f in engine.lint(SMALL, path.name, path=path).findings]


def test_weights_are_compared_with_the_archive(tmp_path: Path) -> None:
    assert archive(tmp_path, SIZES) == []
    assert archive(tmp_path, {**SIZES, "conv.bias": 12}) == [("W002", "error")]
    assert archive(tmp_path, {**SIZES, "conv.bias": 20}) == [("W005", "error")]
    assert archive(tmp_path, {"conv.bias": 16}) == [("W001", "error")]
    assert archive(tmp_path, {**SIZES, "other.bias": 4}) == [("W004", "info")]
    assert archive(tmp_path, SIZES, zipfile.ZIP_DEFLATED)[0] == ("W003", "error")
    (tmp_path / "model.pnnx.bin").write_bytes(b"damaged")
    result = engine.lint(SMALL, "model.pnnx.param", path=tmp_path / "model.pnnx.param")
    assert [f.code for f in result.findings] == ["W003"]
    (tmp_path / "model.pnnx.bin").unlink()
    result = engine.lint(SMALL, "model.pnnx.param", path=tmp_path / "model.pnnx.param")
    assert not result.findings  # no tool but pnnx loads it, and a name may be anything
