"""The .bin beside a model: what it must hold, what it may be, and that nothing else is ever opened."""

from __future__ import annotations

import ast
import os
import random
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rule_cases.texts import OPENVINO, openvino

from formats.openvino.tiny import call, const, errors, parameter, write
from irlint import engine
from irlint.findings import Finding
from irlint.formats.openvino.passes import strings as strings_module
from irlint.formats.openvino.passes.sizes import ConstantBytes
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.unused_bytes import hole_problems
from irlint.graph import Graph, Node

CONST = '<data element_type="f32" shape="3, 1, 1, 1" offset="0" size="12"/>'
DATA = 'element_type="f32" shape="1, 3, 1, 1" offset="0" size="12"'


def lint(folder: Path, text: str, weights: bytes | None) -> list[tuple[str, str]]:
    path = folder / "model.xml"
    path.write_text(text)
    if weights is not None:
        (folder / "model.bin").write_bytes(weights)
    result = engine.lint_bytes(path.read_bytes(), "model.xml", path=path)
    return [(f.code, str(f.severity)) for f in result.findings]


def test_exact_weights(tmp_path: Path) -> None:
    assert lint(tmp_path, OPENVINO, bytes(12)) == []


@pytest.mark.parametrize(
    ("weights", "code", "severity"),
    [
        (None, "W001", "error"),
        (b"", "W002", "error"),
        (bytes(11), "W002", "error"),
        (bytes(20), "W004", "info"),
        (bytes(1030), "W004", "info"),
        (bytes(1040), "W004", "warning"),  # most of it is of no use: it may be that of another model
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n", "W003", "error"),
        (b"<html>", "W003", "error"),
        (b"<?xml?>", "W003", "error"),
    ],
)
def test_one_finding_says_what_the_file_is(tmp_path: Path, weights: bytes | None, code: str, severity: str) -> None:
    assert lint(tmp_path, OPENVINO, weights) == [(code, severity)]


@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        (struct.pack("<2q", 2, -(1 << 63)) + bytes(2048), [("W004", "warning")]),
        (struct.pack("<2q", 1 << 50, 3) + bytes(16), [("D004", "error"), ("W004", "info")]),
        (struct.pack("<4f", 0.5, -0.25, 1e-3, 7) + bytes(2048), [("W004", "error")]),
        (struct.pack("<4f", 0.5, -0.25, 1e-3, 7)[:15], [("W002", "error")]),
    ],
)
def test_nothing_follows_from_weights_of_another_model(
    tmp_path: Path, weights: bytes, shown: list[tuple[str, str]]
) -> None:
    """A file with float32 weights that is much longer, or too short: its first bytes are not axes."""
    path = write(
        tmp_path / "m.xml",
        parameter("x", "1,2,3"),
        const("axes", 1, 2),
        call("y", "opset1.ReduceMean", "x", "axes", keep_dims="true"),
    )
    path.with_suffix(".bin").write_bytes(weights)
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    assert sorted((f.code, str(f.severity)) for f in found if f.code not in ("D006", "D007")) == shown


@pytest.mark.parametrize("kind", ["f32", "f16"])
def test_axes_that_are_read_as_floats_are_refused(kind: str, tmp_path: Path) -> None:
    """The bytes of -1 are NaN, of which OpenVINO 2026.4.1 makes the least integer."""
    axes = const("axes", -1)
    path = write(tmp_path / "m.xml", parameter("x", "1,2,1"), axes, call("y", "opset1.Squeeze", "x", "axes"))
    assert errors(path) == set()
    path.write_text(path.read_text().replace('element_type="i64"', f'element_type="{kind}"'))
    assert errors(path) == {"D004"}


def test_the_shape_that_the_port_declares_is_offered_if_it_takes_the_bytes(tmp_path: Path) -> None:
    text = OPENVINO.replace('shape="1, 3, 1, 1" offset', 'shape="1, 1, 1, 1" offset')
    (tmp_path / "m.xml").write_text(text)
    (tmp_path / "m.bin").write_bytes(bytes(12))
    found = engine.lint_bytes(text.encode(), "m.xml", path=tmp_path / "m.xml").findings
    (fix,) = (one.fix for one in found if one.code == "W005")
    assert fix is not None
    assert fix.title == "Set `shape` to `1, 3, 1, 1`"


def test_a_file_of_exactly_the_size_is_named(tmp_path: Path) -> None:
    def notes() -> list[str]:
        (finding,) = engine.lint_bytes(OPENVINO.encode(), "m.xml", path=tmp_path / "m.xml").findings
        return [note.message for note in finding.related]

    (tmp_path / "larger.bin").write_bytes(bytes(13))
    assert not any("exactly" in note for note in notes())
    for k in range(20):  # of other models: these are not counted
        (tmp_path / f"a{k}.xml").touch()
        (tmp_path / f"a{k}.bin").write_bytes(bytes(12))
    (tmp_path / "renamed.bin").write_bytes(bytes(12))
    assert "'renamed.bin' is next to the model and has exactly the 12 bytes that the model reads" in notes()


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (DATA.replace('offset="0"', 'offset="1"'), ["W002"]),
        (DATA.replace('offset="0"', 'offset="18446744073709551604"'), ["A003"]),
        (DATA.replace('offset="0"', 'offset="9223372036854775800"'), ["W002"]),
        (DATA.replace('offset="0"', 'offset="-4"'), ["A003"]),
        (DATA.replace('offset="0"', 'offset="0x0"'), ["A003"]),
        (DATA.replace('size="12"', 'size="8"'), ["W005"]),
        (DATA.replace("1, 3, 1, 1", "4294967296, 4294967296, 3"), ["D009"]),
        (DATA.replace("1, 3, 1, 1", "-1, 3, 1, 1"), ["A003"]),
        (DATA.replace("f32", "F32"), ["A005"]),
        (DATA.replace("f32", "float"), ["A005"]),
        (DATA.replace(' offset="0"', ""), ["A002"]),
        (DATA.replace(' shape="1, 3, 1, 1"', ""), ["A002"]),
    ],
)
def test_a_constant_that_cannot_be(tmp_path: Path, data: str, codes: list[str]) -> None:
    errors = [code for code, severity in lint(tmp_path, openvino((DATA, data)), bytes(12)) if severity == "error"]
    assert errors == codes


def test_too_many_bytes_are_a_warning(tmp_path: Path) -> None:
    assert lint(tmp_path, openvino(('size="12"', 'size="16"')), bytes(16)) == [("W005", "warning")]


def test_overlap_is_a_warning_but_sharing_is_not(tmp_path: Path) -> None:
    second = OPENVINO[OPENVINO.index('\t\t<layer id="1"') : OPENVINO.index('\t\t<layer id="2"')].replace(
        'id="1" name="scale"', 'id="9" name="other"'
    )
    for offset, wanted in (("0", []), ("12", []), ("4", [("W005", "warning")])):
        extra = second.replace('offset="0"', f'offset="{offset}"') + '\t\t<layer id="2"'
        text = OPENVINO.replace('\t\t<layer id="2"', extra)
        found = [f for f in lint(tmp_path, text, bytes(24)) if f[0] == "W005"]
        assert found == wanted, offset


def test_a_link_out_of_the_folder_stays_closed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(bytes(12))
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "model.bin").symlink_to(tmp_path / "secret")
    assert lint(folder, OPENVINO, None) == [("X002", "error")]


def test_link_farms_are_fine(tmp_path: Path) -> None:
    """As model caches have them: model and weights are both links to files of one other folder."""
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshot"
    blobs.mkdir()
    snapshot.mkdir()
    (blobs / "1f").write_text(OPENVINO)
    (blobs / "2e").write_bytes(bytes(12))
    (snapshot / "model.xml").symlink_to(blobs / "1f")
    (snapshot / "model.bin").symlink_to(blobs / "2e")
    result = engine.lint_bytes(OPENVINO.encode(), "model.xml", path=snapshot / "model.xml")
    assert result.findings == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_or_a_folder_is_no_weights_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.bin")
    assert lint(tmp_path, OPENVINO, None) == [("W003", "error")]
    (tmp_path / "model.bin").unlink()
    (tmp_path / "model.bin").mkdir()
    assert lint(tmp_path, OPENVINO, None) == [("W003", "error")]


_WATCH = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event in ("open", "socket.connect", "os.exec") else None)
from pathlib import Path
from irlint import engine
path = Path(sys.argv[1])
for round in (1, 2):
    opened.clear()
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
print([name for name in opened if not name.endswith((".py", ".pyc", ".json", ".xsd"))])
"""


def test_nothing_but_the_model_and_its_weights_is_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    doctype = f'<!DOCTYPE net [<!ENTITY x SYSTEM "file://{tmp_path}/secret.txt"><!ENTITY % y SYSTEM "http://127.0.0.1:9/x"> %y;]>'
    text = OPENVINO.replace("<net ", f"{doctype}\n<net ").replace('name="scaled"', 'name="&x;"')
    text = text.replace(
        "<rt_info/>", f'<include xmlns="http://www.w3.org/2001/XInclude" href="{tmp_path}/secret.txt"/>'
    )
    (tmp_path / "model.xml").write_text(text)
    (tmp_path / "model.bin").write_bytes(bytes(12))
    done = subprocess.run(
        [sys.executable, "-c", _WATCH, str(tmp_path / "model.xml")],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    opened = {name for name in ast.literal_eval(done.stdout) if not name.isdigit()}
    assert opened <= {str(tmp_path / "model.xml"), str(tmp_path / "model.bin")}


def test_every_constant_beyond_the_end_is_named(tmp_path: Path) -> None:
    dims = "<dim>3</dim><dim>1</dim><dim>1</dim><dim>1</dim>"
    layers = "".join(
        f'<layer id="{k}" name="c{k}" type="Const" version="opset1">{CONST}'
        f'<output><port id="0" precision="FP32">{dims}</port></output></layer>'
        f'<layer id="{k + 20}" name="r{k}" type="Result" version="opset1"><input><port id="0">{dims}</port></input></layer>'
        for k in range(20)
    )
    edges = "".join(f'<edge from-layer="{k}" from-port="0" to-layer="{k + 20}" to-port="0"/>' for k in range(20))
    path = tmp_path / "model.xml"
    path.write_text(f'<net name="n" version="11"><layers>{layers}</layers><edges>{edges}</edges></net>')
    (tmp_path / "model.bin").write_bytes(bytes(4))
    found = engine.lint_bytes(path.read_bytes(), "model.xml", path=path).findings
    (short,) = (finding for finding in found if finding.code == "W002")
    assert "20 of 20 constants" in short.message
    assert len(short.related) == 19  # and the one at which the finding is


def test_nothing_follows_from_values_of_another_file(tmp_path: Path) -> None:
    """The axis is within the file, but the weights are past its end."""
    weights = const("w", *range(10)), const("v", *range(10)), call("s", "opset1.Add", "w", "v", auto_broadcast="numpy")
    gather = call("g", "opset8.Gather", "s", "i", "a", batch_dims=0)
    path = write(tmp_path / "m.xml", const("a", 0, shape=""), parameter("i", "2", "i64"), *weights, gather)
    assert errors(path) == set()
    path.with_suffix(".bin").write_bytes(b"\7" * 80)
    assert errors(path) == {"W002"}
    path.with_suffix(".bin").write_bytes(b"\7" * 200)
    assert errors(path) == {"D004"}


def strings(path: Path, begins: tuple[int, ...], ends: tuple[int, ...]) -> set[str]:
    vocabulary = const("b", *begins, kind="i32"), const("e", *ends, kind="i32"), const("c", 97, 98, 99, kind="u8")
    decoder = call("d", "extension.VocabDecoder", "ids", "b", "e", "c", skip_tokens="")._replace(outputs=5)
    return errors(write(path, parameter("ids", "1,4", "i32"), *vocabulary, decoder))


def test_strings_are_within_their_characters(tmp_path: Path) -> None:
    """VocabDecoder of openvino_tokenizers 2026.4.1 crashes on most of the others."""
    path = tmp_path / "m.xml"
    for begins, ends in (((0, 1), (1, 3)), ((1, 0), (3, 3)), ((3, 3), (3, 3)), ((), ())):
        assert strings(path, begins, ends) == set()
    for begins, ends in (((0, 1), (1, 4)), ((0, -1), (1, 3)), ((0, 2), (1, 1)), ((0, 1), (1, 1 << 30))):
        assert strings(path, begins, ends) == {"W005"}


def test_strings_of_many_layers_are_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[None] = []
    fault = strings_module._fault
    monkeypatch.setattr(strings_module, "_fault", lambda *given: looked.append(None) or fault(*given))
    pieces = const("b", 0, kind="i32"), const("e", 4, kind="i32"), const("c", 97, 98, 99, kind="u8")
    layers = [call(f"u{k}", "extension.UTF8Validate", "b", "e", "c")._replace(outputs=3) for k in range(100)]
    joined = call("j", "opset1.Concat", *[f"u{k}" for k in range(100)], axis=0)
    found = [one for one in lint_all(write(tmp_path / "m.xml", *pieces, *layers, joined)) if one.code == "W005"]
    assert len(found) == 1
    assert len(found[0].related) > 1
    assert len(looked) == 1


def test_a_constant_that_is_read_many_times_takes_linear_time(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        joined = call("j", "opset1.Concat", *["c"] * count, axis=0)
        path = write(tmp_path / "m.xml", const("c", 1, kind="i32"), joined)
        text = path.read_text().replace('<port id="0"/>', '<port id="0" precision="FP32"/>', 1)
        started = time.process_time()
        result = engine.lint_bytes(text.encode(), "m.xml", path=path)
        assert "D007" in {found.code for found in result.findings}
        return time.process_time() - started

    assert seconds(8000) < 6 * seconds(2000) + 0.5


def test_a_type_of_the_same_width_is_a_warning(tmp_path: Path) -> None:
    """OpenVINO reads the same bytes as other numbers; the ports tell what was meant."""
    convert = call("x", "opset1.Convert", "c", destination_type="f32")
    path = write(tmp_path / "m.xml", const("c", 1, 2, kind="i32"), convert)
    for precision, changed in (("", "FP32"), (' precision="FP32"', 'element_type="i32"')):
        text = path.read_text().replace('<port id="0"/>', f'<port id="0"{precision}/>', 1)
        result = engine.lint_bytes(text.encode(), "m.xml", path=path)
        (found,) = (f for f in result.findings if f.code == "D007")
        assert str(found.severity) == "warning"
        assert text[slice(*found.span)] in changed
        fixed = None if found.fix is None else found.fix.title
        assert fixed == ("Set `element_type` to `f32`" if precision else "Set `precision` to `I32`")
    path = write(tmp_path / "m.xml", const("c", 1, 2, kind="f16"), convert)  # FP16 converters write FP32
    assert all(str(f.severity) == "pedantic" for f in lint_all(path) if f.code == "D007")


def lint_all(path: Path) -> list[Finding]:
    return engine.lint_bytes(path.read_bytes(), path.name, path=path).findings


def overlaps(path: Path, **changes: str) -> list[tuple[str, str | None]]:
    """The constants that findings of overlaps and sizes are at, and the fixes, after changes of the offsets and sizes of `b`."""
    constants = [const(name, *range(8)) for name in "abcde"]
    path = write(path, *constants, call("y", "opset1.Concat", *"abcde", axis=0))
    text = path.read_text()
    sound = path.with_suffix(".bin").read_bytes()
    for k in range(5):  # the writer pads: the bytes of one begin where those of another end
        text = text.replace(f'offset="{72 * k}"', f'offset="{64 * k}"')
    for name, value in changes.items():
        text = (
            text.replace(*value.split(" -> "))
            if name != "size"
            else text.replace('offset="64" size="64"', f'offset="64" size="{value}"')
        )
    path.with_suffix(".bin").write_bytes(sound[: 64 * 5])
    path.write_text(text)
    found = [f for f in lint_all(path) if f.code == "W005"]
    return [(str(f.node), None if f.fix is None else f.fix.title) for f in found]


def test_an_overlap_is_at_the_constant_that_was_moved(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    assert overlaps(path) == []
    assert overlaps(path, offset='offset="64" -> offset="66"') == [("b", "Set `offset` to `64`")]
    assert overlaps(path, offset='offset="64" -> offset="62"') == [("b", "Set `offset` to `64`")]
    assert overlaps(path, offset='offset="256" -> offset="250"') == [("e", "Set `offset` to `256`")]
    assert overlaps(path, offset='offset="128" -> offset="100"') == [("c", "Set `offset` to `128`")]


def test_one_wrong_number_is_one_finding(tmp_path: Path) -> None:
    """A constant needs no more than its type and shape take; one that overlaps several others is wrong itself."""
    path = tmp_path / "m.xml"
    assert overlaps(path, size="256") == [("b", None)]
    longer = 'shape="8" offset="64" size="64" -> shape="24" offset="64" size="192"'
    assert overlaps(path, shape=longer) == [("b", None)]


def _packed(path: Path, **changes: str) -> Path:
    """A model of four constants, whose bytes follow each other, after changes of its text."""
    constants = [const(name, *range(20), kind="f32") for name in "abcd"]
    path = write(path, *constants, call("y", "opset1.Concat", *"abcd", axis=0))
    text, data = path.read_text(), path.with_suffix(".bin").read_bytes()
    step = len(data) // 4
    for k in range(4):
        text = text.replace(f'offset="{step * k}"', f'offset="{80 * k}"')
    for value in changes.values():
        old, new = value.split(" -> ")
        assert old in text
        text = text.replace(old, new)
    path.with_suffix(".bin").write_bytes(data[: 80 * 4])
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("change", "at", "title"),
    [
        ('offset="80" -> offset="160"', "b", "Set `offset` to `80`"),
        ('offset="80" -> offset="0"', "b", "Set `offset` to `80`"),
        ('offset="160" -> offset="80"', "c", "Set `offset` to `160`"),
        ('offset="0" -> offset="240"', "a", "Set `offset` to `0`"),
    ],
)
def test_a_constant_that_shares_its_bytes_where_others_are_left_was_moved(
    tmp_path: Path, change: str, at: str, title: str
) -> None:
    (found,) = [one for one in lint_all(_packed(tmp_path / "m.xml", offset=change)) if one.code[0] == "W"]
    assert (found.code, str(found.severity), found.node) == ("W005", "warning", at)
    assert found.fix is not None
    assert (found.fix.title, found.fix.safety) == (title, "unsafe")


def test_bytes_between_constants_that_none_uses_are_one_finding(tmp_path: Path) -> None:
    """A constant was lost; of one that is wrong, nothing more is said, and what a writer aligns is no hole."""
    assert [one for one in lint_all(_packed(tmp_path / "m.xml")) if one.code[0] == "W"] == []
    lost = 'shape="20" offset="80" size="80" -> shape="2" offset="80" size="8"'
    (found,) = [one for one in lint_all(_packed(tmp_path / "m.xml", lost=lost)) if one.code[0] == "W"]
    assert (found.code, str(found.severity)) == ("W004", "info")
    assert found.message == "no constant uses bytes 88 to 160 of weights file 'm.bin'"
    aligned = 'shape="20" offset="80" size="80" -> shape="5" offset="80" size="20"'
    assert [one for one in lint_all(_packed(tmp_path / "m.xml", aligned=aligned)) if one.code == "W004"] == []
    short = 'offset="80" size="80" -> offset="80" size="8"'
    assert [one.code for one in lint_all(_packed(tmp_path / "m.xml", short=short)) if one.code[0] == "W"] == ["W005"]


def test_holes_between_constants_in_any_order_take_linear_time(tmp_path: Path) -> None:
    binary = BinFile(tmp_path / "m.xml")

    def seconds(size: int) -> float:
        graph = Graph([Node(k, f"c{k}", "Const", (), kind="const") for k in range(size)])
        starts = random.Random(size).sample(range(size), size)
        ranges = [ConstantBytes(512 * k, 512 * k + 256, graph, one) for k, one in zip(starts, graph.nodes, strict=True)]
        begin = time.process_time()
        assert len(list(hole_problems(binary, ranges))) == 1
        return time.process_time() - begin

    few = max(min(seconds(2_000) for _ in range(3)), 0.005)
    assert seconds(16_000) < 24 * few  # a look at all constants between two takes 64 times as long


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("values", "kind", "found"),
    [
        ((0.5, 1.5, 2.5, 3e38), "f32", None),
        ((0.5, NAN, 2.5, NAN), "f32", "Const 'w' has 2 NaN of 4 values"),
        ((0.5, 1.5, INF, NAN), "f64", "Const 'w' has 1 NaN and 1 infinite of 4 values"),
        ((0.5, INF, 65504, 0), "f16", "Const 'w' has 1 infinite of 4 values; numbers past 65504 overflow in float16"),
    ],
)
def test_weights_that_are_no_numbers_are_a_warning(
    tmp_path: Path, values: tuple[float, ...], kind: str, found: str | None
) -> None:
    path = tmp_path / "m.xml"
    weights = [parameter("x", "1,2"), const("w", *values, shape="2,2", kind=kind)]
    for layers in (
        [call("y", "opset1.MatMul", "x", "w", transpose_a="false", transpose_b="false")],
        [
            call("c", "opset1.Convert", "w", destination_type="f32"),
            call("y", "opset1.MatMul", "x", "c", transpose_a="false", transpose_b="false"),
        ],
    ):
        write(path, *weights, *layers)
        told = [(one.message, str(one.severity)) for one in lint_all(path) if one.code == "W006"]
        assert told == ([] if found is None else [(found, "warning")])
    write(path, *weights, call("y", "opset1.Add", "x", "w", auto_broadcast="numpy"))
    assert [one for one in lint_all(path) if one.code == "W006"] == [], "a mask may have them"


def test_rows_of_a_table_may_be_masks(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    for value, codes in ((-INF, []), (NAN, ["W006"])):
        weights = [
            parameter("x", "1", kind="i64"),
            const("w", 0.5, value, shape="2,1", kind="f32"),
            const("axis", 0, shape=""),
        ]
        write(path, *weights, call("y", "opset8.Gather", "x", "w", "axis", batch_dims=0))
        write(path, *weights, call("y", "opset8.Gather", "w", "x", "axis", batch_dims=0))
        assert [one.code for one in lint_all(path) if one.code == "W006"] == codes
