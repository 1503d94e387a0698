"""The fast path and the tree of elements give the same graph; ids, edges and bodies become sources and nested graphs."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases.texts import OPENVINO, openvino

from irlint.formats.openvino.reading.layout import shortcuts
from irlint.formats.openvino.reading.reader import IrSection, read
from irlint.text.xml.document import XmlDocument

from .models import model, operations


def picture(sections: list[IrSection]) -> list[object]:
    found: list[object] = []
    for section in sections:
        graph = section.graph
        nodes = [
            (
                n.name,
                n.op,
                n.version,
                n.kind,
                n.attrs,
                [tuple(s) for s in n.inputs],
                list(n.outputs),
                n.path,
                len(n.graphs),
            )
            for n in graph.nodes
        ]
        ports = [(layer.id, layer.inputs.ports, layer.outputs.ports) for layer in section.layers]
        edges = [tuple(edge) for edge in section.edges]
        found.append(
            (nodes, ports, edges, graph.inputs, graph.outputs, bytes(section.live), section.dangling, section.twice)
        )
    return found


def both(text: str) -> tuple[list[IrSection], list[IrSection]]:
    return read(XmlDocument(text, shortcuts=shortcuts())), read(XmlDocument(text))


@pytest.mark.parametrize("key", [*list(operations())[::9], "opset8.MaxPool"])
def test_fast_and_slow_agree_on_operations(key: str) -> None:
    fast, slow = both(model(key).text)
    assert picture(fast) == picture(slow)
    assert all(layer.element is None for layer in fast[0].layers)


def test_fast_and_slow_agree_on_real_files(corpus: Path) -> None:
    for path in sorted((corpus / "openvino").glob("*.xml")):
        if path.stat().st_size > 200_000:
            continue
        fast, slow = both(path.read_bytes().decode("utf-8", "surrogateescape"))
        assert picture(fast) == picture(slow), path.name


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name="scaled"', 'name="a&amp;b"'),
        ('name="scaled"', "name='scaled'"),
        ('<data axis="1"/>', '<data\n axis="1" />'),
        ('<layer id="3" name="classes"', '<layer name="classes" id="3"'),
        ("<dim>3</dim>\n\t\t\t\t\t<dim>1</dim>\n\t\t\t\t\t<dim>1</dim>\n\t\t\t\t</port>\n\t\t\t</output>",
         "<dim> 3 </dim><dim>1</dim><!-- x --><dim><![CDATA[1]]></dim></port></output>"),
        ("\n", "\r\n"),
        ('<edge from-layer="3" from-port="1"', '<edge from-port="1" from-layer="3"'),
    ],
)  # fmt: skip
def test_another_layout_is_the_same_model(old: str, new: str) -> None:
    plain = picture(both(OPENVINO)[0])
    other = picture(both(OPENVINO.replace(old, new))[0])
    names = str(plain).replace("'scaled'", "'a&b'") if "&amp;" in new else str(plain)
    without_offsets = [str(p).split("[(")[0] for p in (names, str(other))]
    assert without_offsets[0] == without_offsets[1]
    assert [len(s.graph.nodes) for s in both(OPENVINO.replace(old, new))[0]] == [5]


def test_the_last_layer_of_an_id_wins_as_in_the_loader() -> None:
    text = openvino(('<layer id="3" name="classes"', '<layer id="2" name="classes"'))
    (section,) = both(text)[0]
    assert section.double == [(2, 3)]
    assert section.by_id["2"] == 3


def test_layers_that_no_result_needs_are_not_live() -> None:
    text = openvino(('from-layer="2" from-port="2" to-layer="3"', 'from-layer="0" from-port="0" to-layer="3"'))
    (section,) = both(text)[0]
    assert [k for k, live in enumerate(section.live) if not live] == [1, 2]


def test_nested_bodies_are_read(corpus: Path) -> None:
    text = (corpus / "openvino" / "plaidml__loop_2d_add.xml").read_text()
    net, body = both(text)[0]
    assert [g.parent.op for g in (body.graph,) if g.parent] == ["Loop"]
    assert body.path[: len(body.graph.parent.path)] == body.graph.parent.path  # type: ignore[union-attr]
    assert net.graph.walk() == [net.graph, body.graph]
