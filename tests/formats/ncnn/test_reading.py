"""The structure of .param files: counts, names, order, Split, and the fixes. What the runtime does was measured with ncnn 1.0.20261020."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from irlint import engine
from irlint.fixes import fix
from irlint.formats.ncnn.document import ParamDocument
from irlint.formats.ncnn.rules._sample import NETWORK, network
from irlint.settings import Settings
from irlint.text.base import Path, Place

SPLIT = "Split            split    1 2 conv conv_0 conv_1\n"
RELU = "ReLU             relu     1 1 conv_0 relu\n"


class Case(NamedTuple):
    text: str
    found: list[tuple[str, str]]  # codes and tokens
    fixed: str | None = None  # by safe fixes


def changed(*changes: tuple[str, str]) -> str:
    return network(*changes)


SOUND = {
    "Windows line ends": NETWORK.replace("\n", "\r\n"),
    "old line ends": NETWORK.replace("\n", "\r"),
    "blank lines": NETWORK.replace("\n", "\n\n"),
    "tabs": NETWORK.replace(" ", "\t"),
    "an indented layer": changed(("ReLU ", "   ReLU ")),
    "all counts on one line": changed(("7767517\n", "7767517 ")),
    "a layer on two lines": changed(("1 1 conv_0", "1\n1 conv_0")),
    "a comment below the layers": NETWORK + "# trained in spring\n",
    "layers of one name": changed((" relu     1 1", " conv     1 1")),
    "letters of any script": NETWORK.replace("relu", "rélu"),
    "no line end at the end": NETWORK[:-1],
}

CASES = {
    "byte order mark": Case("\ufeff" + NETWORK, [("S006", "\ufeff")], NETWORK),
    "nothing": Case("", [("S011", "")]),
    "blanks": Case(" \n\n", [("S011", "")]),
    "wrong magic number": Case(changed(("7767517", "7767518")), [("S501", "7767518")], NETWORK),
    "no magic number": Case(changed(("7767517\n", "")), [("S501", "5")], NETWORK),
    "no counts": Case(changed(("5 6\n", "")), [("S001", "7767517")], NETWORK),
    "one count": Case(changed(("5 6\n", "5\n")), [("S001", "5")], NETWORK),
    "a count in words": Case(changed(("5 6\n", "five 6\n")), [("S001", "five")]),
    "nothing but the magic number": Case("7767517\n", [("S001", "7767517")]),
    "layers: too many": Case(changed(("5 6", "6 6")), [("T501", "6")], NETWORK),
    "layers: none": Case(changed(("5 6", "0 6")), [("T501", "0")], NETWORK),
    "layers: negative": Case(changed(("5 6", "-5 6")), [("T501", "-5")], NETWORK),
    "layers: too few": Case(changed(("5 6", "4 6")), [("T501", "4")]),
    "blobs: too few": Case(changed(("5 6", "5 5")), [("T502", "5")], NETWORK),
    "counts swapped": Case(changed(("5 6", "6 5")), [("T501", "6"), ("T502", "5")], NETWORK),
    "a comment above": Case("# a\n" + NETWORK, [("S013", "# a")], NETWORK),
    "a comment below the magic number": Case(changed(("5 6", "// a\n5 6")), [("S013", "// a")], NETWORK),
    "a comment between layers": Case(changed(("ReLU ", "# a\nReLU ")), [("S013", "# a")], NETWORK),
    "a comment behind a layer": Case(changed(("conv_0 relu\n", "conv_0 relu # a\n")), [("S001", "#")]),
    "text below the layers": Case(NETWORK + "the end\n", [("S009", "the end")]),
    "no layer name": Case(changed((" relu     1 1", " 1 1")), [("S001", "conv_0")]),
    "no number of outputs": Case(changed(("1 1 conv_0", "1 conv_0")), [("S001", "conv_0")]),
    "a number of outputs that is none": Case(changed(("1 1 conv_0", "1 x conv_0")), [("S001", "x")]),
    "a negative number of inputs": Case(changed(("1 1 conv_0", "-1 1 conv_0")), [("S001", "-1")]),
    "an input too few": Case(changed(("1 1 conv_0", "2 1 conv_0")), [("T503", "2")]),
    "an output too few": Case(changed(("1 1 conv_0", "1 2 conv_0")), [("T503", "2")]),
    "an output of Split too few": Case(changed(("conv_0 conv_1\n", "conv_0\n")), [("T503", "2")]),
    "blanks around a sign": Case(changed(("0=4", "0 = 4")), [("S001", "0")]),
    "a blank behind a sign": Case(changed(("0=4", "0= 4")), [("S001", "0=")]),
    "no value": Case(changed(("0=4", "0=")), [("S001", "0=")]),
    "no id": Case(changed(("0=4", "=4")), [("S001", "=4")]),
    "a colon": Case(changed(("0=4", "0:4")), [("S001", "0:4")]),
    "a comma between parameters": Case(changed(("0=4 1=3", "0=4,1=3")), [("S001", "0=4,1=3")]),
    "parameters on a line of their own": Case(
        changed((" 0=4", "\n0=4")), [("S001", "0=4 1=3 4=1 5=1 6=108")], NETWORK
    ),
    "two layers on a line": Case(
        changed(("conv_0 relu\n", "conv_0 relu ")), [("S001", "BinaryOp")], NETWORK
    ),
    "cut off within a name": Case(NETWORK[: -len("nv_1 out 0=0\n")], [("S016", "co")]),
    "cut off within the counts": Case(NETWORK[: -len(" 1 relu conv_1 out 0=0\n")], [("S016", "2")]),
    "an undefined blob": Case(changed(("1 1 conv_0 relu", "1 1 conv0 relu")), [("R001", "conv0")]),
    "a blob renamed where it is defined": Case(changed(("1 1 data conv", "1 1 data cnv")), [("R001", "conv")]),
    "a name written for another": Case(changed(("conv_0 relu\n", "conv_0 conv_1\n")), [("R005", "conv_1")]),
    "a layer that reads itself": Case(changed(("1 1 conv_0 relu", "1 1 relu relu")), [("R003", "relu")]),
    "a layer too early": Case(
        changed((RELU, "")) + RELU,
        [("R002", "relu")],
        changed((RELU, "")).rpartition("BinaryOp")[0] + RELU + NETWORK[NETWORK.index("BinaryOp") :],
    ),
    "no Split": Case(
        changed((SPLIT, ""), ("5 6", "4 4"), ("conv_0", "conv"), ("conv_1", "conv")),
        [("R501", "conv")],
        changed(
            (SPLIT, "Split                    split_conv               1 2 conv conv_splitncnn_0 conv_splitncnn_1\n"),
            ("1 1 conv_0", "1 1 conv_splitncnn_0"),
            ("relu conv_1", "relu conv_splitncnn_1"),
        ),
    ),
    "a Split deleted": Case(
        changed((SPLIT, ""), ("5 6", "4 4"), ("conv_0", "conv_splitncnn_0"), ("conv_1", "conv_splitncnn_1")),
        [("R001", "conv_splitncnn_0")],
        changed(
            (SPLIT, "Split                    split_conv               1 2 conv conv_splitncnn_0 conv_splitncnn_1\n"),
            ("1 1 conv_0", "1 1 conv_splitncnn_0"),
            ("relu conv_1", "relu conv_splitncnn_1"),
        ),
    ),
}  # fmt: skip


def lint(text: str) -> engine.Result:
    return engine.lint(text, "model.param")


@pytest.mark.parametrize("name", SOUND)
def test_what_the_runtime_reads_has_no_finding(name: str) -> None:
    result = lint(SOUND[name])
    assert (result.format, result.certain, result.findings) == ("ncnn", True, [])


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_found_at_its_word(name: str) -> None:
    case = CASES[name]
    found = [(f.code, case.text[f.span.start : f.span.end]) for f in lint(case.text).findings]
    assert found == case.found


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.fixed])
def test_safe_fixes(name: str) -> None:
    done = fix(CASES[name].text, lambda text: lint(text).findings)
    assert (done.text, done.findings) == (CASES[name].fixed, [])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.fixed])
def test_safe_fixes_keep_line_ends(name: str) -> None:
    done = fix(CASES[name].text.replace("\n", "\r\n"), lambda text: lint(text).findings)
    assert done.text == (CASES[name].fixed or "").replace("\n", "\r\n")


def test_a_count_that_is_too_large_only_wastes_memory() -> None:
    (finding,) = lint(network(("5 6", "5 7"))).findings
    assert (finding.code, finding.severity.name) == ("T502", "INFO")


def test_a_constant_may_be_read_by_several_layers() -> None:
    rows = ["MemoryData a 0 1 a 0=4", "ReLU b 1 1 a b", "ReLU c 1 1 a c", "BinaryOp d 2 1 b c d 0=0"]
    text = "7767517\n4 4\n" + "\n".join(rows) + "\n"
    assert [f.code for f in engine.lint(text, "a.param", Settings(("R", "S", "T"))).findings] == []


def test_parts_of_a_layer_have_places() -> None:
    document = lint(NETWORK).document
    assert isinstance(document, ParamDocument)
    paths: dict[Path, str] = {
        ("magic",): "7767517",
        ("layers",): "5",
        (1, "op"): "Convolution",
        (1, "name"): "conv",
        (4, "inputs", 1): "conv_1",
        (4, "outputs", 0): "out",
        (1, "key", "6"): "6",
        (1, "value", "6"): "108",
    }
    for path, text in paths.items():
        assert document.value_at(path) == text
        assert document.place_at(document.span(Place(path)).start).path == path
