"""The schema as irlint reads it says what libxml2 says, and holds nothing that irlint would not know."""

from __future__ import annotations

import random
import re

import pytest
from lxml import etree

from irlint.rules.samples import OPENVINO
from irlint.schema.xsd import violations
from irlint.text.xml.parse import parse
from irlint.tools.installed import schemas_folder

SCHEMAS = sorted(path.name for path in schemas_folder().glob("openvino-ir-*.xsd") if "common" not in path.name)
KNOWN = {
    "schema", "annotation", "documentation", "include", "element", "complexType", "simpleType", "restriction", "pattern",
    "enumeration", "sequence", "choice", "group", "attribute", "anyAttribute", "any",
}  # fmt: skip
LOOP = """<layer id="9" name="t" type="TensorIterator" version="opset1"><port_map><input external_port_id="-1" internal_layer_id="0"
 axis="1" start="-1" purpose="current_iteration"/></port_map><back_edges><edge from-layer="1" to-layer="0"/></back_edges>
 <body><layers/><edges/></body></layer></layers>"""
TEXT = re.sub("<!--.*?-->", "", OPENVINO).replace("</layers>", LOOP)
WORDS = (
    "id",
    "precision",
    "shape",
    "port",
    "dim",
    "layer",
    "rt_info",
    "input",
    "version",
    "zzz",
    "FP32",
    "01",
    "-1",
    "opset1",
    "edge",
)


@pytest.mark.parametrize("name", [*SCHEMAS, "openvino-ir-common.xsd"])
def test_every_part_of_a_schema_is_read(name: str) -> None:
    for element in etree.parse(str(schemas_folder() / name)).iter(etree.Element):
        assert etree.QName(element).localname in KNOWN
        if etree.QName(element).localname in ("sequence", "choice"):  # any number of children in any order
            group = element.getparent().tag.endswith("}group")  # the reference to it says how often
            alone = len(element) == 1 and element[0].get("maxOccurs") == "unbounded"
            assert element.get("maxOccurs") == "unbounded" or alone or group


def _mutated(rng: random.Random) -> str:
    text = TEXT
    for _ in range(rng.randrange(1, 3)):
        words = [m.span() for m in re.finditer(r"[\w-]+", text)]
        start, end = rng.choice(words)
        tag = text[start - 1] == "<"
        new = rng.choice(WORDS)
        if tag:
            close = text.find(f"</{text[start:end]}>", end)
            empty = text.find("/>", end)
            if close >= 0 and (empty < 0 or close < empty):
                text = text[:close] + f"</{new}>" + text[close + 3 + end - start :]
        elif text[start - 1] == "/":
            continue
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("seed", range(3))
def test_agreement_with_libxml2(name: str, seed: int) -> None:
    validator = etree.XMLSchema(etree.parse(str(schemas_folder() / name)))
    rng, compared = random.Random(f"{name} {seed}"), 0
    for _ in range(400):
        text = _mutated(rng)
        try:
            tree = etree.fromstring(text)
        except etree.XMLSyntaxError:
            continue
        (root,) = parse(text).roots
        if root.tag != "net":
            continue
        valid = validator.validate(tree)
        kinds = {error.type_name for error in validator.error_log}
        if kinds & {"SCHEMAV_CVC_COMPLEX_TYPE_2_1", "SCHEMAV_CVC_TYPE_3_1_2", "SCHEMAV_CVC_TYPE_3_1_1"}:
            continue  # content of elements that have none: no reader looks at it
        assert valid == (not list(violations(name, root))), text
        compared += 1
    assert compared > 100
