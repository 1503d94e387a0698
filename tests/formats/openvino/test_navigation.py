"""What editors ask of an IR."""

from __future__ import annotations

import re

from lsp.samples import openvino

from irlint import engine
from irlint.formats.navigation import Target
from irlint.formats.openvino.navigation import NAVIGATION
from irlint.text.base import apply


def test_a_name_that_reads_like_an_id_is_renamed_alone() -> None:
    text = re.sub(r'<layer id="(\d+)" name="[^"]*"', r'<layer id="\1" name="\1"', openvino(4))
    model = engine.lint(text, "toy.xml").model
    assert model is not None
    for node in model.graph.nodes:
        renamed = apply(text, NAVIGATION.rename(model, Target(model.graph, node), "fresh").edits)
        assert renamed == text.replace(f'name="{node.name}" type', 'name="fresh" type')


def test_the_outline_of_a_layer_is_all_of_it() -> None:
    text = openvino(4)
    for source in (text, text.replace('<layer id="1"', '<layer  id="1"')):  # the one irregular, and read as an element
        model = engine.lint(source, "toy.xml").model
        assert model is not None
        spans = [NAVIGATION.outline(model, model.graph, node) for node in model.graph.nodes]
        assert [source[span.start : span.end] for span in spans] == re.findall(r"(?s)<layer .*?</layer>", source)
