"""The search for repairs in IRs: what it brings back, and how sure it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.openvino.tiny import call, parameter, write
from irlint import engine, offers
from irlint.findings import Fix, Safety
from irlint.fixes import fix

DIGITS = Path(__file__).parents[3] / "examples" / "openvino" / "digits.xml"
TEXT = DIGITS.read_text(encoding="utf-8")

# what was written, what is there instead, and how safe the repair is
DEFECTS: list[tuple[str, str, Safety]] = [
    # what the file says twice
    ('offset="0" size="144"', 'offset="0" size="120"', "safe"),
    ('shape="10, 196" offset', 'shape="10, 96" offset', "safe"),
    ('element_type="f32" shape="4, 1, 3, 3"', 'element_type="f99" shape="4, 1, 3, 3"', "safe"),
    ('from-layer="5" from-port="1"', 'from-layer="5" from-port="7"', "safe"),
    ('to-layer="10" to-port="1"', 'to-layer="10" to-port="6"', "safe"),
    ('<layer id="9"', '<layer id="90"', "safe"),
    ('from-layer="0" from-port="0" to-layer="2"', 'from-layer="77" from-port="0" to-layer="2"', "safe"),
    # two layers with one id: the other one would be out of step
    ('<layer id="0"', '<layer id="1"', "proven"),
    ('<layer id="1"', '<layer id="0"', "proven"),
    # what only one value fits
    (
        'strides="2, 2" dilations="1, 1" pads_begin="1, 1"',
        'strides="3, 3" dilations="1, 1" pads_begin="1, 1"',
        "proven",
    ),
    ('transpose_b="true"', 'transpose_b="false"', "proven"),
    ('shape="2" offset="160" size="16"', 'shape="2" offset="7000000" size="16"', "proven"),
    ('from-layer="9" from-port="0" to-layer="10"', 'from-layer="3" from-port="0" to-layer="10"', "proven"),
    ('<edge from-layer="3" from-port="0" to-layer="4" to-port="1" />\n', "", "proven"),
    ('type="MatMul" version="opset1"', 'type="" version="opset1"', "proven"),
]


def benched(tmp_path: Path, text: str) -> tuple[offers.TrialLinter, engine.Result]:
    (tmp_path / "digits.bin").write_bytes(DIGITS.with_suffix(".bin").read_bytes())
    path = tmp_path / "digits.xml"
    result = engine.lint(text, path.name, path=path)
    return offers.TrialLinter(result), result


def repaired(tmp_path: Path, text: str) -> tuple[str, list[Fix]]:
    """A text after --fix --unsafe-fixes, and the fixes that are offered in it."""
    bench, result = benched(tmp_path, text)
    offers.confirm(result, bench)
    fixes = [finding.fix for finding in result.findings if finding.fix is not None]
    return fix(text, bench.lint, True, bench.search).text, fixes


def _bare(line: str) -> str:
    return "".join(line.split())


@pytest.mark.parametrize(("right", "wrong", "safety"), DEFECTS)
def test_one_change_brings_the_model_back(tmp_path: Path, right: str, wrong: str, safety: Safety) -> None:
    assert TEXT.count(right) == 1
    text, fixes = repaired(tmp_path, TEXT.replace(right, wrong))
    assert sorted(map(_bare, text.splitlines())) == sorted(
        map(_bare, TEXT.splitlines())
    )  # an edge may be the last one now
    assert [found.safety for found in fixes] == [safety]


def test_safe_repairs_that_are_searched_for_are_made_by_fix_alone(tmp_path: Path) -> None:
    text = TEXT.replace('offset="0" size="144"', 'offset="0" size="120"')
    bench, _ = benched(tmp_path, text)
    assert fix(text, bench.lint, False, bench.search).text == TEXT


def test_what_the_file_does_not_tell_is_not_guessed(tmp_path: Path) -> None:
    """Every axis of a SoftMax fits."""
    _, fixes = repaired(tmp_path, TEXT.replace('<data axis="1" />', '<data axis="9" />'))
    assert all(found.safety == "unsafe" for found in fixes)


def test_a_file_with_many_errors_is_not_searched(tmp_path: Path) -> None:
    text = TEXT.replace(' precision="FP32"', ' precision="F"')
    bench, result = benched(tmp_path, text)
    assert bench.search(text, result.findings) is result.findings


def test_a_guess_leaves_no_new_warning(tmp_path: Path) -> None:
    """Another stride that the convolution takes contradicts the declared shapes."""
    text = TEXT.replace(
        'strides="2, 2" dilations="1, 1" pads_begin="1, 1"', 'strides="0, 2" dilations="1, 1" pads_begin="1, 1"'
    )
    after, fixes = repaired(tmp_path, text)
    assert after == TEXT
    assert [found.safety for found in fixes] == ["proven"]


def test_layers_of_the_same_rank_tell_more_of_an_axis(tmp_path: Path) -> None:
    """Most Concats put shapes together, from numbers; those of tensors are another matter."""
    joins = [call(f"s{k}", "opset1.Concat", "n", "n", axis=0) for k in range(3)]
    tensors = [call("z", "opset1.Concat", "x", "x", axis=-2), call("y", "opset1.Concat", "x", "x", axis=-5)]
    path = write(tmp_path / "m.xml", parameter("n", "1", "i64"), parameter("x", "?,4,?,16"), *joins, *tensors)
    text = path.read_text()
    dims = "".join(f"<dim>{dim}</dim>" for dim in (-1, 4, -1, 16))
    for name in "yz":  # the ports say what the layers have
        start = text.index(f'name="{name}"')
        end = text.index("</layer>", start)
        own = text[start:end].replace(
            '<port id="0"/><port id="1"/>', "".join(f'<port id="{k}">{dims}</port>' for k in (0, 1))
        )
        text = text[:start] + own + text[end:]
    path.write_text(text)
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
    offers.confirm(result)
    (found,) = (f for f in result.findings if f.code == "D004")
    assert found.fix is not None
    assert found.fix.title == "Set `axis` to `-2`"
