"""Layers by themselves: what the operator table says of their parameters, inputs and outputs. Each line is a layer and what is found at which word."""

from __future__ import annotations

from random import Random

import pytest

from irlint import engine, fixes
from irlint.findings import Finding
from irlint.formats.ncnn.arguments import STRICT
from irlint.formats.ncnn.grammar import NcnnLayer
from irlint.formats.ncnn.parameters import _is_sound
from irlint.operators import table
from irlint.settings import Settings

HEAD = "7767517\n5 5\nInput a 0 1 a\nInput b 0 1 b\nInput c 0 1 c\n"
CONV = "Convolution conv 1 1 a y 0=4 1=3 5=1 6=108"


def model(layer: str) -> str:
    outputs = layer.split()[3]
    return f"{HEAD.replace('5 5', f'4 {3 + int(outputs)}')}{layer}\n"


def found(layer: str, target: str = "") -> list[tuple[str, str, str]]:
    """Return code, severity and text of what is found in the last layer."""
    return [(f.code, str(f.severity), model(layer)[f.span.start : f.span.end]) for f in findings(layer, target)]


def findings(layer: str, target: str = "") -> list[Finding]:
    settings = Settings(targets=(("ncnn", target),) if target else (), shapes=False)
    text, start = model(layer), len(model(layer).rstrip().rpartition("\n")[0])
    result = engine.lint_bytes(text.encode(), "model.param", settings)
    return [f for f in result.findings if f.span.start > start and f.code[0] in "ACO"]


def fixed(layer: str, unsafe: bool = False) -> str:
    return fixes.fix(model(layer), lambda text: engine.lint(text, "model.param").findings, unsafe=unsafe).text


@pytest.mark.parametrize(
    "layer",
    [
        CONV,
        "Convolution conv 2 1 a b y 1=3 19=1",
        "Convolution conv 1 1 a y 0=4 1=3 6=108 9=2 -23310=1,0.1",
        "BinaryOp add 2 1 a b y",
        "BinaryOp add 1 1 a y 0=2 1=1 2=0.5",
        "Crop crop 2 1 a b y",
        "Crop crop 1 1 a y -23309=1,0 -23310=1,4 -23311=1,-1",
        "Reshape shape 2 1 a b y 6=\"0w,1h\"",
        "Reshape shape 1 1 a y 0=-1",
        "Slice cut 1 2 a y z -23300=2,-233,-233",
        "Noop end 3 0 a b c",
        "LSTM lstm 3 3 a b c y h k 0=4 1=128",
        "MultiHeadAttention mha 2 1 a b y 0=8 1=2 2=64 5=1",
        "Gemm gemm 1 1 a y 5=1 6=1 8=4 9=8 10=4",
        "Yolov3DetectionOutput yolo 3 1 a b c y 1=1 -23304=2,8.0,8.0 -23305=3,0.0,0,0.0 -23306=3,8.0,16.0,32.0",
        "MemoryData m 0 1 y 0=4",
        "Softmax s 1 1 a y 0=1 1=1",
        "ReLU r 1 1 a y 30=3,8,8,4 31=1",
    ],
)  # fmt: skip
def test_layers_that_load(layer: str) -> None:
    assert not [each for each in found(layer) if each[2] != "30"]


@pytest.mark.parametrize(
    ("layer", "code", "severity", "token"),
    [
        ("Softmx s 1 1 a y", "O001", "error", "Softmx"),
        ("ArgMax m 1 1 a y", "C001", "error", "ArgMax"),
        ("ReLU r 2 1 a b y", "O002", "error", "b"),
        ("BinaryOp add 1 1 a y", "O002", "error", "1"),
        ("BinaryOp add 3 1 a b c y", "O002", "warning", "3"),
        ("MatMul mul 2 2 a b y z", "O003", "error", "z"),
        ("Slice cut 1 3 a x y z -23300=2,1,1", "A006", "error", "2,1,1"),
        (CONV.replace("1=3", "1=3 3=0"), "A006", "error", "0"),
        (CONV.replace("6=108", "6=100"), "A006", "error", "100"),
        (CONV.replace("0=4 ", ""), "A002", "error", "Convolution"),
        (CONV.replace("1=3", "1=3.0"), "A003", "error", "3.0"),
        (CONV + " 9=7", "A005", "error", "7"),
        (CONV + " 9=2", "A002", "error", "Convolution"),
        (CONV + " 7=2", "A001", "warning", "7"),
        (CONV + " 32=2", "A001", "error", "32"),
        (CONV + " 5=1", "A008", "warning", "5"),
        (CONV + " 3=99999999999", "A006", "error", "99999999999"),
        ("Input d 0 1 y 0=40.0", "A003", "warning", "40.0"),
        ("ReLU r 1 1 a y 0=1", "A003", "warning", "1"),
        ("Dropout d 1 1 a y 0=abc", "A003", "error", "abc"),
        ("Interp i 1 1 a y 0=1 1=2.0f", "A003", "error", "2.0f"),
        ("Pooling p 1 1 a y 0=2 1=2", "A005", "error", "2"),
        ("Permute p 1 1 a y 0=24", "A006", "error", "24"),
        ("Softmax s 1 1 a y 0=1", "A002", "error", "Softmax"),
        ("Reduction r 1 1 a y 1=0 -23303=2,1 5=1", "A007", "error", "2,1"),
        ("Reduction r 1 1 a y 1=0 3=1 5=1", "A003", "error", "1"),
        ("Reduction r 1 1 a y 1=0 -23303=1,1.0 5=1", "A003", "error", "1,1.0"),
        ("Reduction r 1 1 a y 1=0 -23303=1,4 5=1", "A006", "error", "1,4"),
        ("Eltwise e 2 1 a b y 0=1 -23301=2,1,2", "A003", "warning", "2,1,2"),
        ("Eltwise e 2 1 a b y 0=1 -23301=2,1,0.5", "A003", "error", "2,1,0.5"),
        ("Crop crop 1 1 a y -23309=1,0 -23310=2,4,4", "A007", "error", "2,4,4"),
        ("Reshape shape 1 1 a y 0=-1 3=1", "A001", "warning", "3"),
        ("Reshape shape 1 1 a y", "A002", "error", "Reshape"),
        ("GroupNorm n 1 1 a y 0=2 1=5", "A006", "error", "5"),
    ],
)  # fmt: skip
def test_what_is_wrong(layer: str, code: str, severity: str, token: str) -> None:
    assert found(layer) == [(code, severity, token)]


@pytest.mark.parametrize(
    ("layer", "target", "code", "token"),
    [
        ("ReLU r 1 1 a y 0=1", "20240410", "A003", "1"),
        ("GELU r 1 1 a y", "20200616", "C002", "GELU"),
        ("MultiHeadAttention mha 2 1 a b y 0=8 1=2 2=64 5=1", "20221128", "C002", "5"),
        ("Flip r 1 1 a y -23300=1,0", "20240410", "C002", "Flip"),
    ],
)
def test_what_is_wrong_for_a_release(layer: str, target: str, code: str, token: str) -> None:
    assert found(layer, target) == [(code, "error", token)]


def test_bits_of_floats_for_a_release_that_reads_them() -> None:
    """ncnn 20240410 computes with 0.1; of the other it reads 2 as the least number above 0."""
    bits, mixed = (f"{CONV} 9=3 -23310=2,{first},1036831949" for first in (0, 2))
    assert found(bits, "20240410") == [("A003", "warning", "2,0,1036831949")]
    assert found(mixed, "20240410") == [("A003", "error", "2,2,1036831949")]


def test_what_a_release_still_reads() -> None:
    assert not found("Reshape shape 1 1 a y 0=-1 3=1", "20240410")
    assert not found("ReLU r 1 1 a y 0=0", "20240410")
    assert not found("Reduction r 1 1 a y 1=0 -23303=1,1", "20211208")


@pytest.mark.parametrize(
    ("layer", "better"),
    [
        ("ReLU r 1 1 a y 0=1", "ReLU r 1 1 a y 0=1.0"),
        ("Eltwise e 2 1 a b y 0=1 -23301=2,1,2", "Eltwise e 2 1 a b y 0=1 -23301=2,1.0,2.0"),
        ("Reduction r 1 1 a y 1=0 -23303=2,1 5=1", "Reduction r 1 1 a y 1=0 -23303=1,1 5=1"),
        (CONV + " 9=3 -23310=2,0,1086324736", CONV + " 9=3 -23310=2,0.0,6.0"),
    ],
)
def test_safe_fixes(layer: str, better: str) -> None:
    assert fixed(layer) == model(better)


@pytest.mark.parametrize(
    ("layer", "better"),
    [
        ("Softmax s 1 1 a y 0=1", "Softmax s 1 1 a y 0=1 1=1"),
        ("InnerProduct f 1 1 a y num_output=10 1=1 2=160", "InnerProduct f 1 1 a y 0=10 1=1 2=160"),
        (CONV + " 9=2 23310=1,0.1", CONV + " 9=2 -23310=1,0.1"),
        (CONV + " 9=2 10=0.1", CONV + " 9=2 -23310=1,0.1"),
        ("ReLU r 1 1 a y 0=0.1,", "ReLU r 1 1 a y 0=0.1"),
        ("ReLU r 1 1 a y -23300=1,0.1", "ReLU r 1 1 a y 0=0.1"),
        ("ReLU r 1 1 a y 0=1045220558", "ReLU r 1 1 a y 0=0.20000002"),
    ],
)
def test_unsafe_fixes(layer: str, better: str) -> None:
    assert len(found(layer)) == 1
    assert fixed(layer, unsafe=True) == model(better)


@pytest.mark.parametrize(
    ("layer", "hint"),
    [
        ("Linear f 1 1 a y 0=10", "; ncnn has `InnerProduct`"),
        ("nn.Linear f 1 1 a y", "; ncnn has `InnerProduct`"),
        ("torch.fft_rfft f 1 1 a y", ": an operator that pnnx could not convert"),
        ("torch.flip f 1 1 a y", "; ncnn has `Flip`"),
        ("Tensor.expand_as f 1 1 a y", ": an operator that pnnx could not convert"),
        ("aten::expand_as f 1 1 a y", ": an operator that pnnx could not convert"),
        ("modules.Transpose f 1 1 a y", "unknown layer type `modules.Transpose`"),
        ("Convolutoin c 1 1 a y", "; did you mean `Convolution`?"),
        (CONV + " 9=3", "; write `-23310=2,...`"),
    ],
)
def test_hints(layer: str, hint: str) -> None:
    [finding] = findings(layer)
    assert finding.message.endswith(hint)


def test_a_layer_type_that_the_configuration_declares_is_not_unknown() -> None:
    settings = Settings(options={"ncnn": {"extensions": {"ncnn": {"YoloV5Focus": {}}}}})
    result = engine.lint_bytes(model("YoloV5Focus f 1 1 a y").encode(), "model.param", settings)
    assert "O001" not in {f.code for f in result.findings}


def test_labels_name_one_parameter_each() -> None:
    """Expressions of the table find parameters by their labels."""
    known = table("ncnn")
    for name in known.names:
        operator = known.get(name)
        assert operator is not None
        labels = [a.facts["label"] for a in operator.attributes.values() if "until" not in a.facts]
        assert len(labels) == len(set(labels)), name


def test_layers_that_are_passed_at_a_glance_have_no_fault() -> None:
    """One condition per layer type says the same as the checks that tell what is wrong."""
    random, passed = Random(7), 0
    for op in table("ncnn").names:
        known = list(table("ncnn").get(op).attributes.values())  # type: ignore[union-attr]
        for _ in range(60):
            chosen = random.sample(known, random.randrange(min(len(known), 6) + 1))
            values = (random.choice((one.default or 0, 0, 1, 2, 4, 9, -1, -233, 0.5, 144)) for one in chosen)
            params = " ".join(f"{one.name}={value}" for one, value in zip(chosen, values, strict=True))
            counts = random.choice(((1, 1), (1, 1), (2, 1), (0, 1), (1, 2), (3, 3)))
            target = random.choice((STRICT, 20240410))
            if _is_sound(op, params, counts, target):
                passed += 1
                assert not list(NcnnLayer(op, params, *counts, target).faults()), (op, params, counts)
    assert passed > 500


@pytest.mark.parametrize(
    ("layer", "severity", "words"),
    [
        ("ReLU relu 1 1 a y 0=1036831949", "error", "the bits of 0.1; releases since 20261020 take it for a number"),
        (CONV + " 9=2 -23310=1,1036831949", "error", "the bits of 0.1; releases since 20261020 take it for a number"),
        ("Clip clip 1 1 a y 0=0.0 1=1000000000", "warning", "releases before 20261020 read its bits"),
        ("Softmax max 1 1 a y 0=0.0", "warning", "ncnn uses the default 0"),
        ("Softmax max 1 1 a y 0=1.0", "error", "ncnn uses the default 0"),
    ],
)
def test_a_number_of_the_other_kind(layer: str, severity: str, words: str) -> None:
    assert [(f.code, str(f.severity)) for f in findings(layer) if words in f.message] == [("A003", severity)]
