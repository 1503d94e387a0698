"""A lint that builds on the one before finds what a lint from scratch finds, whatever the edit was."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checked_cache import CheckedCache
from irlint_lsp.text import combined
from lsp.samples import SAMPLES, glacier, lightnet, ncnn, nnvm, onnx, openvino

from fuzz.seeds import ONNX_BRANCHES
from irlint import engine
from irlint.engine import Before, Result
from irlint.rules import registry
from irlint.rules.base import Model
from irlint.rules.samples import ONNX, PROTOTEXT
from irlint.settings import Settings
from irlint.text.base import Change, Place

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PNNX = """7767517
4 3
pnnx.Input               in0     0 1 0 #0=(1,3,8,8)f32
nn.Conv2d                conv    1 1 0 1 bias=False groups=1 kernel_size=(3,3) stride=(1,1) @weight=(4,3,3,3)f32 #0=(1,3,8,8)f32 #1=(1,4,6,6)f32
pnnx.Expression          add     2 1 1 1 2 expr=add(mul(@0,2),sqrt(@1)) #1=(1,4,6,6)f32 #2=(1,4,6,6)f32
pnnx.Output              out     1 0 2 #2=(1,4,6,6)f32
# irlint: ignore[D006] add
"""
NAMES = {
    "openvino": "model.xml",
    "glacier": "model.txt",
    "ncnn": "model.param",
    "pnnx": "model.pnnx.param",
    "onnx": "model.onnxtxt",
}
TOKEN = re.compile(r'"[^"\n]*"|\d+|\[[^][\n]*\]')
PIECES = (
    "1", "9", "0", "-", "x", "relu", "_2", " ", "\n", "\r\n", '"', "'", ",", "[", "]", "{", "}", ":", "<", ">", "/", "&", "null", "1e999",
    "\u2028", "\U0001f600", "\ufeff", "\udcff", "\\", "//", "/*", "<!-- irlint: ignore -->", "[0, 0, 0]", "irlint: ignore", "0.5",
)  # fmt: skip


def texts() -> dict[str, list[tuple[str, str]]]:
    """File names and texts, by format: the samples of the server's tests and every rule's examples."""
    found: dict[str, list[tuple[str, str]]] = {}
    for sample in SAMPLES:
        format_ = {"toy.xml": "openvino", "toy.txt": "glacier", "toy.param": "ncnn", "lightnet.json": "lightnet"}.get(
            sample.name, "nnvm"
        )
        found.setdefault(format_, []).append((sample.name, sample.text))
    for name, make in (
        ("a.txt", glacier),
        ("a.json", lightnet),
        ("a-symbol.json", nnvm),
        ("a.xml", openvino),
        ("a.param", ncnn),
    ):
        found[make.__name__] += [(name, make(size)) for size in (20, 70) for _ in range(6)]
    found["pnnx"] = [("a.pnnx.param", PNNX)] * 12
    found["onnx"] = [("a.onnxtxt", text) for text in (ONNX, ONNX_BRANCHES, onnx(20), onnx(70)) for _ in range(3)]
    found["onnx"] += [("a.prototxt", PROTOTEXT)] * 6
    for rule in registry.all_rules().values():
        for example in (*rule.valid, *rule.invalid):
            format_ = example.format.partition(":")[0]
            found.setdefault(format_, []).append((NAMES.get(format_, "model.json"), example.text))
    return found


@pytest.mark.parametrize("format_", ["glacier", "lightnet", "ncnn", "nnvm", "onnx", "openvino", "pnnx"])
def test_equals_a_lint_from_scratch(format_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reused = []
    reopened = engine._reopened

    def counting(*args: Any) -> Any:
        document = reopened(*args)
        reused.append(document is not None)
        return document

    monkeypatch.setattr(engine, "_reopened", counting)
    for number, (name, text) in enumerate(texts()[format_]):
        choose = random.Random(f"{format_} {number}")
        before = engine.lint(text, name)
        for change, new in edits(choose, text, 12):
            fresh = engine.lint(new, name)
            after = engine.lint(new, name, before=Before(before, change))
            assert shown(after) == shown(fresh), (name, new, change)
            _same_places(choose, after, fresh)
            before = after
    assert sum(reused) > 50


@pytest.mark.parametrize("format_", ["glacier", "lightnet", "ncnn", "nnvm", "onnx", "openvino", "pnnx"])
def test_goes_on_from_the_last_sound_text(format_: str) -> None:
    """As the server does while a quote or a bracket is open. IRLINT_EDITS: how many sequences of edits, each of another text."""
    known = texts()[format_]
    for number in range(int(os.environ.get("IRLINT_EDITS", "20"))):
        choose = random.Random(f"sound {format_} {number}")
        name, text = choose.choice(known)
        before, since = engine.lint(text, name), []
        for change, new in edits(choose, text, 12):
            since.append(change)
            fresh = engine.lint(new, name)
            whole = combined(since)
            after = engine.lint(new, name, before=None if whole is None else Before(before, whole))
            assert shown(after) == shown(fresh), (name, new, since)
            if after.document is not None and not after.document.troubles:
                before, since = after, []


@pytest.mark.parametrize("format_", ["glacier", "lightnet", "ncnn", "nnvm", "onnx", "openvino", "pnnx"])
def test_what_a_pass_reuses_is_what_it_would_compute(format_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_checked_cache(*args: Any, **rest: Any) -> Model:
        model = Model(*args, **rest)
        model.memory = CheckedCache()
        return model

    monkeypatch.setattr(engine, "Model", with_checked_cache)
    known, compared = texts()[format_], CheckedCache.compared
    for number in range(50):
        choose = random.Random(f"checked {format_} {number}")
        name, text = choose.choice(known)
        before = engine.lint(text, name)
        for change, new in edits(choose, text, 12):
            before = engine.lint(new, name, before=Before(before, change))
    assert CheckedCache.compared > compared + 1000


def test_a_pass_that_reuses_too_much_is_named() -> None:
    memory = CheckedCache()
    memory.each("lengths", ["a", "bc"], None, lambda k, text: [len(text)])
    with pytest.raises(AssertionError, match=r"the pass .lengths. reuses what has changed: \.0\.0: 1 and 2"):
        memory.after(None).each("lengths", ["a", "bc"], None, lambda k, text: [len(text) + 1])


def edits(choose: random.Random, text: str, count: int) -> Iterator[tuple[Change, str]]:
    """Small changes, most of them where somebody would type, one after the other; now and then one is taken back."""
    for _ in range(count):
        kept = text
        change, text = _edit(choose, text)
        yield change, text
        if choose.random() < 0.6:
            yield Change(change.start, change.start + change.size, change.end - change.start), kept
            text = kept


def _edit(choose: random.Random, text: str) -> tuple[Change, str]:
    if choose.random() < 0.35 and len(tokens := list(TOKEN.finditer(text))) > 1:
        old, other = choose.choice(tokens), choose.choice(tokens)  # what stands elsewhere makes sense more often
        return Change(*old.span(), len(other[0])), text[: old.start()] + other[0] + text[old.end() :]
    letters = [k for k, letter in enumerate(text) if letter.isalnum()]
    start = choose.choice(letters) if letters and choose.random() < 0.8 else choose.randrange(len(text) + 1)
    end = min(len(text), start + choose.choice((0, 0, 1, 1, 1, 2, 9, 60)))
    new = choose.choice(PIECES) if choose.random() < 0.8 else text[start : start + choose.randrange(9)]
    if choose.random() < 0.5 and letters:
        new, end = (
            choose.choice("0123456789" if text[start : start + 1].isdigit() else "aeruX_"),
            start + choose.randrange(2),
        )
    return Change(start, end, len(new)), text[:start] + new + text[end:]


def shown(result: Result) -> Any:
    return result.findings, result.format, result.dialect, result.why, result.suppressed


def _same_places(choose: random.Random, after: Result, fresh: Result) -> None:
    """The way from offsets to places and back is the same, too."""
    one, other = after.document, fresh.document
    if one is None or other is None:
        return
    for _ in range(6):
        offset = choose.randrange(len(one.text) + 1)
        place = other.place_at(offset)
        assert one.place_at(offset) == place
        for part in ("value", "key", "member", "element", "tag", "name", "text"):
            at = Place(place.path, part)
            assert one.span(at) == other.span(at)
        assert one.pointer(place.path) == other.pointer(place.path)


RESHAPE = """<?xml version="1.0"?><net name="n" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="1" name="c" type="Const" version="opset1"><data element_type="i64" shape="1" offset="0" size="8"/>
<output><port id="0" precision="I64"><dim>1</dim></port></output></layer>
<layer id="2" name="r" type="Reshape" version="opset1"><data special_zero="false"/>
<input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port><port id="1" precision="I64"><dim>1</dim></port></input>
<output><port id="2" precision="FP32"><dim>6</dim></port></output></layer>
<layer id="3" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>6</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/><edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges>
</net>"""


class Weights:
    """An IR whose constant says what shape a Reshape makes, and what a lint after an edit says of it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "model.xml"
        self.path.write_text(RESHAPE)
        self.given: Path | None = None
        self.before: Result | None = None

    def lint(self) -> str:
        """Return the messages after an edit that changes nothing; a lint from scratch has to say the same."""
        settings = Settings(weights=self.given, missing_weights="required")
        at = RESHAPE.index("<layers")
        goes_on = None if self.before is None else Before(self.before, Change(at, at, 0))
        after = engine.lint(RESHAPE, "model.xml", settings, path=self.path, before=goes_on)
        fresh = engine.lint(RESHAPE, "model.xml", settings, path=self.path)
        assert shown(after) == shown(fresh)
        self.before = after
        return " | ".join(finding.message for finding in fresh.findings)


def number(value: int) -> bytes:
    return value.to_bytes(8, "little")


def test_a_lint_after_an_edit_sees_other_weights(tmp_path: Path) -> None:
    """Weights that are named, named otherwise, rewritten, replaced by a file of the same length, and gone."""
    model = Weights(tmp_path)
    assert "model.bin" in model.lint()
    (tmp_path / "model.bin").write_bytes(number(6))
    assert model.lint() == ""
    for name, value in (("a.bin", 4), ("b.bin", 5)):
        model.given = tmp_path / name
        model.given.write_bytes(number(value))
        assert f"needs {value}" in model.lint()
    assert model.given is not None
    model.given.write_bytes(number(7))
    assert "needs 7" in model.lint()
    (tmp_path / "new").write_bytes(number(8))
    (tmp_path / "new").replace(model.given)
    assert "needs 8" in model.lint()
    model.given.unlink()
    assert "b.bin" in model.lint()
    model.given = None
    assert model.lint() == ""
