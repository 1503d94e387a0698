"""The budget of work: large sound models use a small share of it, hostile ones meet it, and what is left out is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from formats.nnvm.models import Builder

from fuzz.seeds import examples
from irlint import engine, offers, work
from irlint.formats.base import all_formats
from irlint.settings import Settings
from irlint.text.layers.document import MOST_ELEMENTS

MOST = 0.25  # the share of the budget that a sound model may use
NODES = 10_000


def share(text: str, name: str, as_format: str | None = None) -> tuple[float, engine.Result]:
    """Return the share of the budget that a check uses, with all types."""
    with work.bounded(work.Work(len(text))) as used:
        result = engine.lint(text, name, as_format=as_format)
        if result.model is not None:
            getattr(result.model.types, "types", None)
    return used.share, result


def _symbol() -> str:
    b = Builder()
    at = b.var("data", (1, 8, 8, 8))
    for k in range(NODES // 3):
        at = b.add(
            "Convolution",
            f"c{k}",
            [at, b.var(f"w{k}")],
            {"kernel": "(3,3)", "pad": "(1,1)", "num_filter": "8", "no_bias": "True"},
        )
        at = b.add("Reshape", f"r{k}", [at], {"shape": "(0,8,8,8)"})
    return json.dumps(b.graph(at))


def _onnx(node: str, made: str = "x", more: str = "") -> str:
    nodes = "".join(f"   {node.replace('#', str(k)).replace('@', str(k + 1))}\n" for k in range(NODES))
    head = f'<ir_version: 10, opset_import: ["" : 17]>\ng (float[1,8] x0, bool c) => (float[1,8] {made}{NODES})'
    return f"{head}{more} {{\n{nodes}}}\n"


def _ifs() -> str:
    then = "then_branch: graph = t# () => (float[1,8] y#) { y# = Relu (x#) }"
    return _onnx(f"x@ = If <{then}, else_branch: graph = e# () => (float[1,8] z#) {{ z# = Neg (x#) }}> (c)")


def _picks() -> str:
    """Elements of a large input, of which none is known."""
    step = "   k@ = Constant <value_ints = [#]> ()\n   e@ = Gather (t, k@)\n   x@ = Reshape (x#, e@)\n"
    nodes = "".join(step.replace("#", str(k)).replace("@", str(k + 1)) for k in range(1000))
    head = '<ir_version: 10, opset_import: ["" : 17]>\ng (float[8] x0, int64[50000] t) => (float[n] x1000)'
    return f"{head} {{\n{nodes}}}\n"


def _ncnn() -> str:
    rows = "".join(f"ReLU r{k} 1 1 b{k} b{k + 1}\n" for k in range(NODES))
    return f"7767517\n{NODES + 1} {NODES + 1}\nInput in 0 1 b0 0=8 1=8 2=3\n{rows}"


SOUND: dict[str, tuple[Callable[[], str], str]] = {
    "symbol": (_symbol, "a-symbol.json"),
    "chain": (lambda: _onnx("x@ = Relu (x#)"), "a.onnxtxt"),
    "shapes": (lambda: _onnx("s# = Shape (x#)\n   x@ = Reshape (x#, s#)"), "a.onnxtxt"),
    "branches": (_ifs, "a.onnxtxt"),
    "picks": (_picks, "a.onnxtxt"),
    "layers": (_ncnn, "a.param"),
}


@pytest.mark.parametrize("kind", SOUND)
def test_large_sound_models(kind: str) -> None:
    make, name = SOUND[kind]
    used, result = share(make(), name)
    assert (result.findings, used < MOST) == ([], True), used


def test_real_models(corpus: Path) -> None:
    for path in sorted(corpus.rglob("*"))[::5]:
        if path.is_file() and path.stat().st_size < 1_000_000:
            data = path.read_bytes()
            with work.bounded(work.Work(len(data))) as used:
                engine.lint_bytes(data, str(path), path=path)
            assert used.share < MOST, path


@pytest.mark.parametrize("form", all_formats())
def test_examples(form: str) -> None:
    for data in examples(form)[::7]:
        with work.bounded(work.Work(len(data))) as used:
            offers.confirm(engine.lint_bytes(data, "x", as_format=form))
        assert used.missed == {}


# -- what is too much ---------------------------------------------------------------------------------------------------


def _values() -> str:
    ones = f" <int64[4096] k0 = {{{','.join(['1'] * 4096)}}}>"
    text = _onnx("k@ = Add (k#, k#)", "x", ones).replace(f"x{NODES})", "y)")
    return text.replace("\n}", f"\n   y = Reshape (x0, k{NODES})\n}}")


def _ranks() -> str:
    b = Builder(version=None)
    at = b.var("data", (1, 2))
    for k in range(300):
        at = b.add("expand_dims", f"e{k}", [at], {"axis": "0", "num_newaxis": "60000"})
    return json.dumps(b.graph(at))


HOSTILE: dict[str, tuple[Callable[[], str], str, str]] = {
    "values": (_values, "onnx", "values"),
    "ranks": (_ranks, "nnvm:classic", "types of nodes"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_left_out_is_told(kind: str) -> None:
    make, form, what = HOSTILE[kind]
    text = make()
    first = engine.lint(text, "x", as_format=form)
    told = [finding for finding in first.findings if finding.code == "I002"]
    assert [str(finding.severity) for finding in told] == ["warning"]
    steps = work.Work(len(text)).budget
    assert told[0].message.startswith(f"the check is incomplete: it stopped at {steps:,} steps of work; left out: ")
    assert what in told[0].message
    again = engine.lint(text, "x", as_format=form)
    assert [(f.code, f.message, f.span) for f in again.findings] == [
        (f.code, f.message, f.span) for f in first.findings
    ]
    quiet = engine.lint(text, "x", Settings(ignore=("I002",)), form)
    assert [f.span for f in quiet.findings] == [f.span for f in first.findings if f.code != "I002"]


def test_trials_share_one_budget() -> None:
    text = _ranks()
    result = engine.lint(text, "x", as_format="nnvm:classic")
    bench = offers.TrialLinter(result)
    before = None
    for k in range(3):
        bench.lint(text + " " * (k + 1))
        assert bench._work is not None
        assert before is None or bench._work.left < before
        before = bench._work.left


def test_nothing_is_counted_outside_of_a_check() -> None:
    assert work.spend(1 << 60, "x")
    assert work.missed() == {}
    with work.bounded(work.Work(10)) as outer:
        assert work.spend(work.FREE, "x")
        with work.bounded(work.Work(1 << 40)) as inner:
            assert inner is outer
            assert not work.spend(21, "x", 3)
        assert work.missed() == {"x": 3}


def test_only_so_many_words_are_compared_with_many_others() -> None:
    with work.bounded(work.Work(0)):
        assert all(work.compares(f"word{k}") for k in range(work.WORDS))
        assert not work.compares("another")
        assert work.compares("word0")


def test_problems_of_one_layer_that_are_left_out_are_told() -> None:
    words = " ".join(f"{k}=1" for k in range(1, MOST_ELEMENTS + 100))
    found = engine.lint(f"7767517\n2 2\nInput in 0 1 b0\nReLU r 1 1 b0 b1 {words}\n", "model.param").findings
    assert "I002" in {finding.code for finding in found}
