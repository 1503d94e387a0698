"""What makes sound files quick to lint changes no finding: each way round is held against the long way, on sound files and mutants."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Iterator

import pytest

from irlint import engine
from irlint.formats.openvino import dryrun
from irlint.formats.openvino.reading.reader import IrSection

from .blind import blind
from .models import model, operations
from .mutate import mutants
from .test_reader import both, picture

KEYS = list(operations())[::15]


def texts(key: str) -> Iterator[str]:
    """A model of one operation, and what a slip makes of it; tensors have names, as most files' have."""
    base = re.sub(r'(<output>\s*<port id="\d+" precision="\w+")', r'\1 names="a"', model(key).text)
    yield base
    yield base.replace(' precision="FP32">', ">").replace('version="11"', 'version="10"')
    for mutant in [*list(mutants(base, None, len(key)))[::6], *blind(base, None, len(key), 8)]:
        yield mutant.text


@pytest.mark.parametrize("key", KEYS)
def test_a_look_at_the_ports_finds_what_following_the_types_finds(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    look = dryrun.OpenVinoMapping.sound

    def watched(*args: object) -> bool:
        seen.append(look(*args))  # type: ignore[arg-type]
        return seen[-1]

    for text in texts(key):
        monkeypatch.setattr(dryrun.OpenVinoMapping, "sound", watched)
        quick = engine.lint(text, "m.xml").findings
        monkeypatch.setattr(dryrun.OpenVinoMapping, "sound", lambda *_: False)
        assert engine.lint(text, "m.xml").findings == quick, text
    assert seen


def test_most_sound_models_need_no_more_than_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = []
    look = dryrun.OpenVinoMapping.sound
    monkeypatch.setattr(dryrun.OpenVinoMapping, "sound", lambda *args: passed.append(look(*args)) or passed[-1])
    for key in operations():
        engine.lint(model(key).text, "m.xml")
    assert sum(passed) > len(passed) / 2


@pytest.mark.parametrize("key", KEYS)
def test_regular_layers_are_read_as_their_elements_are(key: str) -> None:
    for text in texts(key):
        fast, slow = both(text)
        assert picture(fast) == picture(slow), text
        for section in fast:
            assert bytes(section.live) == reached(section), text
            assert bytes(section.read) == fed(section), text
            assert section.graph.forward == all(s[0] < n.index for n in section.graph.nodes for s in n.inputs), text


def reached(section: IrSection) -> bytes:
    """The layers that the loader looks at: from Result and Assign back along the edges, and every Parameter."""
    nodes, shadowed = section.graph.nodes, {first for first, _ in section.double}
    live = bytearray(node.op == "Parameter" for node in nodes)
    ends = {node.index: [maker for maker, _ in node.inputs if maker >= 0] for node in nodes}
    for k in {k for k, *_ in (*section.dangling, *section.twice)}:  # followed before ports are looked at
        maker, user = (section.by_id.get(number or "") for number in (section.edges[k][1], section.edges[k][3]))
        if maker is not None and user is not None:
            ends[user].append(maker)
    stack = [node.index for node in nodes if node.op in ("Result", "Assign") and node.index not in shadowed]
    for index in stack:
        live[index] = 1
    while stack:
        for maker in ends[stack.pop()]:
            if not live[maker]:
                live[maker] = 1
                stack.append(maker)
    return bytes(live)


def fed(section: IrSection) -> bytes:
    read = {source[0] for node in section.graph.nodes for source in node.inputs}
    return bytes(node.index in read for node in section.graph.nodes)


def test_a_shape_of_millions_of_axes_is_looked_at_in_little_memory() -> None:
    import tracemalloc

    from irlint.formats.openvino.reading.dimensions import shape_faults
    from irlint.operators import Attribute

    text = "2," * 1_000_000 + "2"
    tracemalloc.start()
    assert not list(shape_faults(text, Attribute("shape", "shape")))
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_what_was_found_is_let_go_without_a_search_for_garbage() -> None:
    text = model(KEYS[0]).text
    engine.lint(text, "m.xml")
    gc.collect()
    gc.disable()
    try:
        found = engine.lint(text, "m.xml")
        watched = [weakref.ref(thing) for thing in (found, found.model, found.document)]
        del found
        assert [watch() for watch in watched] == [None, None, None]
    finally:
        gc.enable()
