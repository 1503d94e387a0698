"""Declared sizes that are expressions over open sizes of inputs, against what numbers for these give."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.dryrun.running.trial_sizes import evaluated

UNET = """\
<ir_version: 10, opset_import: ["" : 18]>
net (float[b,4,h,w] image, float[4,8,2,2] up) => (float[b,12,h,w] y)
<float[b,4,"(h//2)","(w//2)"] pooled, float[b,8,"2*((h//2))","2*((w//2))"] wide> {
   pooled = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (image)
   wide = ConvTranspose <strides = [2, 2]> (pooled, up)
   y = Concat <axis = 1> (image, wide)
}
"""
WIDER = UNET.replace("ConvTranspose <strides = [2, 2]>", "ConvTranspose <strides = [3, 3]>")
CUT = """\
<ir_version: 10, opset_import: ["" : 18]>
net (float[b,s] x) => (float[b,"s * 1"] y) <int64[1] zero = {0}, int64[1] one = {1}, int64[1] most = {%d}> {
   y = Slice (x, zero, most, one)
}
"""


def findings(text: str) -> list[tuple[str, str]]:
    return [(found.code, found.message) for found in engine.lint(text, "a.onnxtxt").findings]


def test_expressions_that_are_right_are_no_finding() -> None:
    assert not findings(UNET)


def test_the_first_node_that_computes_another_size_is_reported() -> None:
    (found,) = findings(WIDER)
    declared = "declared shape [b, 8, 2*((h//2)), 2*((w//2))] does not match inferred shape [b, 8, 191, 287]"
    assert found == ("D006", f"{declared} for ConvTranspose 'wide' where `h` is 128 and `w` is 192")


def test_without_expressions_nothing_is_known() -> None:
    assert not findings(WIDER.replace('"2*((h//2))","2*((w//2))"', "?,?").replace('"(h//2)","(w//2)"', "?,?"))


def test_a_limit_that_only_long_inputs_meet_is_no_difference() -> None:
    assert not findings(CUT % 150)
    assert [code for code, _ in findings(CUT % 50)] == ["D006"]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("2*((h//2))", 14),
        ("h + w", 31),
        ("Max(1, h - 20)", 1),
        ("((w - 1)//2) + 1", 8),
        ("floor(w/2 - 1/2) + 1", 8),
        ("h/2", None),
        ("unknown + 1", None),
        ("h(1)", None),
        ("h.bit_length()", None),
        ("9**9**9", None),
        ("99999999999 * 1", None),
        ("'a' * 9", None),
        ("(" * 150 + "h" + ")" * 150, 15),
        ("-" * 150 + "h", 15),
        ("h //", None),
        ("h // 0", None),
    ],
)
def test_expressions(text: str, size: int | None) -> None:
    assert evaluated(text, {"h": 15, "w": 16}) == size
