"""XML documents: exact spans, what tolerant readers take, and agreement with lxml on what is well-formed."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from lxml import etree
from rule_cases.texts import OPENVINO

from irlint.text.base import Place
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element, decode_value, escape, raw_range


def well_formed(text: str) -> bool:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    try:
        etree.fromstring(text.encode("utf-8", "surrogateescape"), parser)
    except etree.XMLSyntaxError:
        return False
    return True


def elements(document: XmlDocument) -> list[tuple[tuple[int, ...], Element]]:
    found: list[tuple[tuple[int, ...], Element]] = []
    stack: list[tuple[tuple[int, ...], Element]] = [((), document.root)] if document.root else []
    while stack:
        path, element = stack.pop()
        found.append((path, element))
        stack += [((*path, k), child) for k, child in enumerate(element.children) if isinstance(child, Element)]
    return found


def test_every_part_of_every_element_has_its_exact_span() -> None:
    document = XmlDocument(OPENVINO)
    assert document.troubles == []
    for path, element in elements(document):
        start, end = document.span(Place(path, "element"))
        assert OPENVINO[start:end].startswith(f"<{element.tag}")
        assert OPENVINO[start:end].endswith(">")
        assert OPENVINO[slice(*document.span(Place(path, "name")))] == element.tag
        assert OPENVINO[slice(*document.span(Place(path, "tag")))].endswith(">")
        for attribute in element.attributes:
            assert OPENVINO[slice(*document.span(Place(path, f"@{attribute.name}.name")))] == attribute.name
            member = OPENVINO[slice(*document.span(Place(path, f"@{attribute.name}.member")))]
            assert member == f'{attribute.name}="{attribute.value}"'


def test_a_place_at_an_offset_leads_back_to_it() -> None:
    document = XmlDocument(OPENVINO)
    for offset in range(len(OPENVINO)):
        place = document.place_at(offset)
        start, end = document.span(Place(place.path, "element"))
        if document.root and document.root.start <= offset < document.root.end:
            assert start <= offset < end


def test_pointers_are_xpaths() -> None:
    document = XmlDocument(OPENVINO)
    tree = etree.fromstring(OPENVINO.encode())
    for path, element in elements(document):
        (found,) = tree.xpath(document.pointer(path))
        assert found.tag == element.tag
        assert dict(found.attrib) == {a.name: a.value for a in element.attributes}


@pytest.mark.parametrize(
    ("text", "rule", "token"),
    [
        ('<a b="1" b="2"/>', "duplicate-xml-attribute", 'b="2"'),
        ('<a b="x & y"/>', "bare-ampersand", "&"),
        ('<a b="&unknown;"/>', "bare-ampersand", "&unknown;"),
        ("<a>x & y</a>", "bare-ampersand", "&"),
        ('<a b="x<y"/>', "loose-markup", "<"),
        ("<a/><!-- a -- b -->", "loose-markup", "--"),
        ("<a>]]></a>", "loose-markup", "]]>"),
        ("<a/>done", "text-outside-root", "done"),
        ("<a/><b/>", "second-root", "<b/>"),
        ("<!DOCTYPE a><a/>", "document-type", "<!DOCTYPE"),
        ('<a b="\x01"/>', "control-character", "\x01"),
        ('<a b="\udce9"/>', "invalid-utf8", "\udce9"),
        ('<?xml version="1.0" encoding="latin-1"?><a/>', "unusual-encoding", "latin-1"),
    ],
)
def test_what_xml_forbids_and_readers_take(text: str, rule: str, token: str) -> None:
    document = XmlDocument(text)
    assert [(t.rule.name, text[slice(*t.span)], t.level) for t in document.troubles] == [(rule, token, "warning")]
    assert not document.broken
    assert document.root is not None
    assert document.root.tag == "a"


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("<a><b></a>", "</a>"),
        ("<a></b></a>", "</b>"),
        ("<a b></a>", "b"),
        ("<a b=1></a>", "b"),
        ('<a b="1"c="2"></a>', "c"),
        ("<a <b/></a>", "<a "),
        ("<a>< b/></a>", "<"),
        ('<a b="1></a>', '"'),
        ("<a/ ></a>", "/"),
        ("<a><!-- x</a>", "<!--"),
        ("<layr></layer>", "layr"),
    ],
)
def test_what_no_reader_takes_is_one_error_at_its_place(text: str, token: str) -> None:
    document = XmlDocument(text)
    errors = [t for t in document.troubles if t.level is None]
    assert [(t.rule.name, text[slice(*t.span)]) for t in errors] == [("syntax-error", token)]
    assert document.broken


def test_a_file_that_ends_too_soon() -> None:
    document = XmlDocument('<net>\n<layers>\n<layer id="0"/>\n')
    (trouble,) = document.troubles
    assert trouble.rule.name == "truncated-file"
    assert "<layers>" in trouble.message
    for text, line in (("<net>\n<layers>\n", 2), ("<net>\r\n  ", 2), ("<net>\n\n\n", 3), ("<net><a", 1)):
        document = XmlDocument(text)
        assert document.lines.position(document.troubles[0].span.start).line == line


def test_a_file_that_ends_inside_a_tag() -> None:
    text = '<net>\n<layers>\n<layer id="0" name="a">\n</layer>'
    for size in range(text.index("<layer ") + 1, len(text) - 1):
        if text[size - 1] not in ">\n":
            (trouble,) = XmlDocument(text[:size]).troubles
            assert trouble.rule.name == "truncated-file"
    assert [t.rule.name for t in XmlDocument(text.replace('"a"', '"a')).troubles] == ["syntax-error"]


def test_nothing_is_expanded() -> None:
    text = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "lol">]><a b="&x;&y;">&x;</a>'
    document = XmlDocument(text)
    assert document.root is not None
    assert document.root.get("b") == "&x;&y;"
    assert document.root.text == "&x;"


def test_values_are_decoded_and_escaped() -> None:
    for value in ("a & b < c > d \" e ' f", "plain", "&amp;", ""):
        for quote in "\"'":
            assert decode_value(escape(value, quote)) == value
    assert decode_value("a&#65;&#x42;&lt;&unknown;\r\n\t.") == "aAB<&unknown;  ."


def test_a_part_of_a_value_is_found_behind_references() -> None:
    raw = "a&amp;b&#65;c"
    decoded = decode_value(raw)
    for k, char in enumerate(decoded):
        start, end = raw_range(raw, k, k + 1)
        assert decode_value(raw[start:end]) == char


def test_lines_beyond_65535_stay_right() -> None:
    text = "<a>\n" + "<b/>\n" * 70_000 + "<c d='1'/>\n</a>\n"
    document = XmlDocument(text)
    span = document.span(Place((70_000,), "@d"))
    assert document.lines.position(span.start) == (70_002, 7)


def _broken(text: str, rng: random.Random) -> str:
    """The text with one character changed, dropped or put in."""
    at = rng.randrange(len(text))
    new = rng.choice(["", "<", ">", '"', "&", "/", "=", " ", "a", "'", "]]>", "--", "<!--", "\x02", "é"])
    return text[:at] + new + text[at + rng.randrange(2) :]


@pytest.mark.parametrize("seed", range(400))
def test_agreement_with_lxml(seed: int) -> None:
    """What lxml refuses has a trouble, what it takes has none that says "error"; the elements are the same."""
    rng = random.Random(seed)
    text = _broken(OPENVINO, rng)
    document = XmlDocument(text)
    if not well_formed(text):
        assert document.troubles, text
        return
    serious = [t for t in document.troubles if t.level is None]
    assert serious == [], text
    tree = etree.fromstring(text.encode())
    ours = [(e.tag, {a.name: a.value for a in e.attributes}) for _, e in sorted(elements(document))]
    theirs = [(e.tag, dict(e.attrib)) for e in tree.iter() if isinstance(e.tag, str)]
    assert ours == theirs


def test_the_corpus_is_well_formed_to_both(corpus: Path) -> None:
    for path in sorted(corpus.glob("*/*.xml")):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        assert well_formed(text) == (not re.search("error", str([t.level for t in XmlDocument(text).troubles]))), (
            path.name
        )
        assert XmlDocument(text).troubles == [], path.name


LAYERS = """<net name="n" version="11">
	<layers>
		<layer id="0" name="a">
			<output>
				<port id="0">
					<dim>1</dim>
					<dim>3</dim>
				</port>
			</output>
		</layer>
		<layer id="1" name="b">
			<data/>
		</layer>
	</layers>
</net>
"""


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('<layer id="0"', 'layer id="0"', 3),
        ('<layer id="1"', '/layer id="1"', 11),
        ("</port>", "/port>", 8),
        ("<dim>1</dim>", "<dim>1<dim>", 6),
        ('<port id="0">', '<port id="0"/>', 5),
        ('name="b">', 'name="b"/>', 11),
        ('version="11">', 'version="11>', 1),
        ('id="1" name', 'id="1 name', 11),
    ],
)
def test_the_slip_itself_is_shown(old: str, new: str, line: int) -> None:
    text = LAYERS.replace(old, new)
    assert text != LAYERS
    document = XmlDocument(text)
    errors = [trouble for trouble in document.troubles if trouble.rule.name == "syntax-error"]
    assert [document.lines.position(trouble.span.start).line for trouble in errors] == [line]


def test_many_attributes_of_one_element_are_found_in_linear_time() -> None:
    """The part of an element that an offset is in is searched by halving: 10,000 repeats took minutes."""
    text = "<a " + 'b="1" ' * 20_000 + "/>"
    document = XmlDocument(text)
    places = [document.place_at(3 + 6 * k).part for k in range(20_000)]
    assert set(places) == {"@b.name"}
