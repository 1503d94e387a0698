"""References, entities and characters that XML has no place for: read as pugixml reads them (OpenVINO 2026.4.1)."""

from __future__ import annotations

import pytest
from rule_cases.texts import OPENVINO

from irlint import engine
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import raw_range, unescape

DOCTYPE = '<!DOCTYPE net [<!ENTITY a "4"><!ENTITY b "&a;&a;">]>\n'


def found(text: str) -> list[tuple[str, str]]:
    return [(f.code, str(f.severity)) for f in engine.lint(text, as_format="openvino").findings]


def changed(old: str, new: str, head: str = "") -> str:
    assert old in OPENVINO
    return OPENVINO.replace("<net", head + "<net", 1).replace(old, new, 1)


@pytest.mark.parametrize("head", ["", DOCTYPE])
def test_an_entity_in_a_dimension_is_not_a_number(head: str) -> None:
    assert ("T001", "error") in found(changed("<dim>1</dim>", "<dim>&a;</dim>", head))


@pytest.mark.parametrize("text", ["&e;", "&b;", "<MO>&e;</MO>", '<a value="&e;">&e;</a>', "&#0;", "&#1;"])
@pytest.mark.parametrize("head", ["", DOCTYPE])
def test_entities_in_rt_info_harm_nobody(text: str, head: str) -> None:
    file = changed("</net>", f"<rt_info>{text}</rt_info></net>", head)
    assert {severity for _, severity in found(file)} <= {"warning", "info"}


@pytest.mark.parametrize(
    "reference",
    [
        "&#1;",
        "&#27;",
        "&#x1b;",
        "&#xFFFF;",
        "&#xFFFE;",
        "&#xD800;",
        "&#x110000;",
        "&#4294967297;",
        "\x01",
        "\x1b",
        "\uffff",
    ],
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name="scaled"', 'name="sca@led"'),
        ('<net name="', '<net name="@'),
        ("<layers>", "<!-- @ --><layers>"),
        ("</net>", "<rt_info><a>@</a></rt_info></net>"),
        ("</net>", '<rt_info><a value="@"/></rt_info></net>'),
        ("</net>", "<rt_info><a><![CDATA[@]]></a></rt_info></net>"),
    ],
)
def test_one_rule_for_characters_written_and_referred_to(reference: str, old: str, new: str) -> None:
    literal = "<!" in new and reference.startswith("&")  # nothing is decoded there
    expected = [] if literal else [("S014", "warning")]
    assert [f for f in found(changed(old, new.replace("@", reference))) if f[0] == "S014"] == expected


@pytest.mark.parametrize("zero", ["&#0;", "&#x0;", "&#000;", "&#4294967296;"])
@pytest.mark.parametrize("old", ['name="scaled', 'type="Multiply', 'version="opset1', "<dim>1", 'shape="1,3,8,8'])
def test_a_value_ends_before_a_reference_to_nul(zero: str, old: str) -> None:
    sound = found(OPENVINO)
    assert sorted(found(changed(old, f"{old}{zero}rest"))) == sorted([*sound, ("S008", "warning")])


@pytest.mark.parametrize("where", ['<net name="\0', "<!-- \0 --><net", "\0<net", '<net version="11" name="'])
def test_the_file_ends_at_a_nul(where: str) -> None:
    text = OPENVINO.replace('<net name="' if "=" in where else "<net", where, 1)
    text = text if "\0" in text else text.replace("</layers>", "\0</layers>")
    assert ("S008", "error") in found(text)


def test_after_the_root_a_nul_is_no_error() -> None:
    assert ("S008", "warning") in found(OPENVINO + "\0\0")


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("&#52;", "4"), ("&#x34;", "4"), ("&#0000000000000000000000000000000000000000000000052;", "4"), ("&#4294967348;", "4"),
        ("&#xF00000034;", "4"), ("&#" + "9" * 10_000 + ";", "\udcff\udcbf\udcbf\udcbf"), ("a&#0;b", "a"), ("&#xD800;", "\udced\udca0\udc80"),
        ("&#xFFFFFFFF;", "\udcff\udcbf\udcbf\udcbf"), ("&#x1F600;", "\U0001f600"), ("&#52", "&#52"), ("&#;", "&#;"), ("&#x;", "&#x;"),
        ("&LT;", "&LT;"), ("&amp;lt;", "&lt;"), ("&a;", "&a;"),
    ],
)  # fmt: skip
def test_references_as_pugixml_decodes_them(raw: str, value: str) -> None:
    assert unescape(raw) == value


def test_ranges_go_by_what_was_decoded() -> None:
    assert raw_range("a&#xD800;b", 4, 5) == (9, 10)
    assert raw_range("a&amp;b", 1, 2) == (1, 6)


def test_names_of_tensors_are_decoded_once() -> None:
    document = XmlDocument('<port names="a&amp;lt;b,c"/>')
    assert document.element(()).get("names") == "a&lt;b,c"
