"""The schema as irlint reads it says what libxml2 says, and holds nothing that irlint would not know."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import cache

import pytest
from cli.helpers import ROOT
from lxml import etree
from rule_cases import cases
from rule_cases.texts import OPENVINO

from irlint.rules.registry import all_rules
from irlint.schema.xsd import violations
from irlint.text.xml.parse import parse
from irlint.tools.installed import schemas_folder

from .test_legacy import OLD

SCHEMAS = sorted(path.name for path in schemas_folder().glob("openvino-ir-*.xsd") if "common" not in path.name)
VERSIONS = {"openvino-ir-10.xsd": "10", "openvino-ir-11.xsd": "11", "openvino-ir-legacy.xsd": "6"}
KNOWN = {
    "schema", "annotation", "documentation", "include", "element", "complexType", "simpleType", "restriction", "pattern",
    "enumeration", "sequence", "choice", "group", "attribute", "anyAttribute", "any",
}  # fmt: skip
MUTANTS = 2000  # of each schema

LOOP = """<layer id="9" name="t" type="TensorIterator" version="opset1"><port_map><input external_port_id="-1" internal_layer_id="0"
 axis="1" start="-1" purpose="current_iteration"/></port_map><back_edges><edge from-layer="1" to-layer="0"/></back_edges>
 <body><layers/><edges/></body></layer></layers>"""
OLD_LOOP = """<layer id="9" name="t" type="TensorIterator" precision="FP32"><port_map><input external_port_id="0" axis="1"
 internal_layer_id="0" internal_port_id="0" start="-1" stride="-1" part_size="1"/></port_map><back_edges><edge from-layer="1"
 from-port="1" to-layer="0" to-port="0"/></back_edges><body><layers/><edges/></body></layer></layers>"""
XSI = "{http://www.w3.org/2001/XMLSchema-instance}"

VALUES = (
    "", " ", "0", "01", "+7", "7 ", " 7", "\n7", "-1", "-0", "1.0", "1e3", "9" * 18, "9" * 19, "9" * 20, "\u0663", "11", "10", "7",
    "FP32", "fp32", "FP32 ", "current_iteration", "opset1", "a<b&c>\"'", "\U0001f600", "\t",
)  # fmt: skip
NAMES = (
    "id", "precision", "shape", "port", "dim", "layer", "layers", "edge", "edges", "rt_info", "meta_data", "input", "output", "data",
    "body", "blobs", "weights", "version", "name", "names", "zzz", "ID", "{urn:a}port", f"{XSI}noNamespaceSchemaLocation",
)  # fmt: skip

# What libxml2 refuses and irlint does not: the kind of error in libxml2, and why
DIFFERENCES = {
    "SCHEMAV_CVC_COMPLEX_TYPE_2_1": "something in an element that has no content: OpenVINO does not look at it",
    "SCHEMAV_CVC_TYPE_3_1_1": "an attribute of <dim>, of which OpenVINO only takes the text",
    "SCHEMAV_CVC_TYPE_3_1_2": "an element in <dim>, of which OpenVINO only takes the text",
}
XSI_TYPE = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="layer"'
# What is read differently: a change of a valid document, whether libxml2 takes the result (None: it is not XML to it), and why
READINGS = [
    ('<net name="sample" version="11"', '<!DOCTYPE net [<!ENTITY v "11">]><net name="sample" version="&v;"', True, False, "OpenVINO expands no entities"),
    ('version="11"', 'version="11" version="10"', None, True, "OpenVINO takes the first of two attributes"),
    ('version="11"', 'version="11&#0;2"', None, True, "values end at a NUL in OpenVINO"),
    ('name="sample"', 'name="a & b"', None, True, "OpenVINO takes a bare &"),
    ("</net>", "</net><net/>", None, True, "OpenVINO takes the first root"),
    ("</net>", "</net>text", None, True, "OpenVINO does not look behind the root"),
    ("</net>", "<![CDATA[ ]]></net>", True, False, "a CDATA section is text, if only of blanks"),
    ("<layer ", f"<layer {XSI_TYPE} ", True, False, "xsi:type is for schemas with types that are derived from others"),
    ("<layer ", '<layer xmlns:s="http://www.w3.org/2001/XMLSchema-instance" s:schemaLocation="" ', True, False, "another prefix than xsi"),
]  # fmt: skip


@cache
def _validator(name: str) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(str(schemas_folder() / name)))


@pytest.mark.parametrize("name", [*SCHEMAS, "openvino-ir-common.xsd"])
def test_every_part_of_a_schema_is_read(name: str) -> None:
    for element in etree.parse(str(schemas_folder() / name)).iter(etree.Element):
        assert etree.QName(element).localname in KNOWN
        if etree.QName(element).localname in ("sequence", "choice"):  # any number of children in any order
            group = element.getparent().tag.endswith("}group")  # the reference to it says how often
            alone = len(element) == 1 and element[0].get("maxOccurs") == "unbounded"
            assert element.get("maxOccurs") == "unbounded" or alone or group


def _bases(name: str) -> list[etree._Element]:
    """Real documents that are valid: the examples of rules and of the project, and loops."""
    texts = [example.text for rule in all_rules().values() for example in (*cases(rule).valid, *cases(rule).invalid)]
    texts += [path.read_text() for path in sorted((ROOT / "examples/openvino").glob("*.xml"))]
    texts += [OPENVINO.replace("</layers>", LOOP), OLD.replace("</layers>", OLD_LOOP).replace("{0}", "6")]
    found = []
    for text in dict.fromkeys(texts):
        try:
            root = etree.fromstring(text.encode("utf-8", "replace"))
        except etree.XMLSyntaxError:
            continue
        if root.get("version") in ("10", "11") and VERSIONS[name] != "6":
            root.set("version", VERSIONS[name])
        if _validator(name).validate(root):
            found.append(root)
    return found


def _drop_attribute(pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    if element.attrib:
        del element.attrib[pick.choice(list(element.attrib))]


def _rename_attribute(pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    if element.attrib:
        name = pick.choice(list(element.attrib))
        value = element.attrib.pop(name)
        element.set(pick.choice([name.upper(), name[:-1] or "x", *NAMES]), value)


def _double_value(pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    if element.attrib:
        name = pick.choice(list(element.attrib))
        element.set(name, element.get(name) * 2)


def _take_attribute(pick: random.Random, element: etree._Element, other: etree._Element) -> None:
    if other.attrib:
        name = pick.choice(list(other.attrib))
        element.set(name, other.get(name))


def _set_value(pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    element.set(pick.choice([*element.attrib, pick.choice(NAMES)]), pick.choice(VALUES))


def _drop(_pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _rename(pick: random.Random, element: etree._Element, other: etree._Element) -> None:
    element.tag = pick.choice([other.tag, *NAMES])


def _repeat(_pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    if element.getparent() is not None:
        element.addnext(copy.deepcopy(element))


def _move(pick: random.Random, element: etree._Element, other: etree._Element) -> None:
    if element.getparent() is not None and element not in other.iterancestors() and other is not element:
        other.insert(pick.randint(0, len(other)), element)


def _reverse(_pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    element[:] = element[::-1]


def _set_text(pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    element.text = pick.choice(VALUES)


def _set_tail(pick: random.Random, element: etree._Element, _other: etree._Element) -> None:
    if element.getparent() is not None:
        element.tail = pick.choice(VALUES)


CHANGES: tuple[Callable[[random.Random, etree._Element, etree._Element], None], ...] = (
    _drop_attribute, _rename_attribute, _double_value, _take_attribute, _set_value, _drop, _rename, _repeat, _move, _reverse, _set_text,
    _set_tail,
)  # fmt: skip


def _mutated(base: etree._Element, pick: random.Random) -> etree._Element:
    root = copy.deepcopy(base)
    for _ in range(pick.randint(1, 3)):
        elements = list(root.iter(etree.Element))
        pick.choice(CHANGES)(pick, pick.choice(elements), pick.choice(elements))
    return root


@pytest.mark.parametrize("name", SCHEMAS)
def test_agreement_with_libxml2(name: str) -> None:
    bases, pick, verdicts = _bases(name), random.Random(name), {True: 0, False: 0}
    assert len(bases) > 1
    for _ in range(MUTANTS):
        text = etree.tostring(_mutated(pick.choice(bases), pick), encoding="unicode")
        theirs, ours = _refused(name, text), _ours(name, text)
        assert (not theirs - DIFFERENCES.keys()) == ours, (theirs, text)
        verdicts[ours] += 1
    assert min(verdicts.values()) > MUTANTS / 10


@pytest.mark.parametrize(("old", "new", "theirs", "ours", "why"), READINGS, ids=[why for *_, why in READINGS])
def test_what_is_read_differently(old: str, new: str, theirs: bool | None, ours: bool, why: str) -> None:
    name, text = "openvino-ir-11.xsd", OPENVINO.partition("?>")[2].strip().replace(old, new, 1)
    assert text.count(new) == 1
    assert _ours(name, text) == ours
    if theirs is None:
        with pytest.raises(etree.XMLSyntaxError):
            etree.fromstring(text)
    else:
        assert (not _refused(name, text)) == theirs


def _refused(name: str, text: str) -> set[str]:
    """Return the kinds of errors in libxml2."""
    validator = _validator(name)
    validator.validate(etree.fromstring(text))
    return {error.type_name for error in validator.error_log}


def _ours(name: str, text: str) -> bool:
    root = parse(text).roots[0]
    return root.tag == "net" and not list(violations(name, root))
