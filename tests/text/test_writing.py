"""What is written into a document is what is read there afterwards; parts of values are found in their spelling."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from rule_cases.texts import LIGHTNET, OPENVINO

from irlint.text.base import Place, apply
from irlint.text.json.document import JsonDocument
from irlint.text.json.options import JsonOptions
from irlint.text.listing.document import ListingDocument
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import decode_value, raw_range

XML = '<net a=\'1\' b="x &amp; y">\r\n\t<c d="&#65;&lt;"/>t &gt; u<e f="g">text</e>\n</net>\n'
WORDS = st.text("ab<>&\"' é", max_size=6)
KEYS = st.text('ab/~"\\é ', max_size=4)


def _places(document: XmlDocument) -> list[tuple[tuple[int, ...], str]]:
    found: list[tuple[tuple[int, ...], str]] = []
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        path = waiting.pop()
        element = document.element(path)
        waiting += [(*path, k) for k in range(len(element.children))]
        found += [(path, part) for a in element.attributes for part in (f"@{a.name}", f"@{a.name}.name")]
        found += [(path, "name"), *([(path, "text")] if element.texts else [])]
    return found


@pytest.mark.parametrize("text", [XML, OPENVINO])
@given(WORDS, st.randoms())
def test_xml(text: str, value: str, choose: random.Random) -> None:
    document = XmlDocument(text)
    path, part = choose.choice(_places(document))
    named = part.endswith("name")
    written = "new" if named else value
    changed = XmlDocument(apply(text, document.write(Place(path, part), written)))
    assert changed.troubles == []
    assert etree.fromstring(changed.text.encode()) is not None
    element = changed.element(path)
    if part == "name":
        assert element.tag == written
    elif named:
        assert element.get("new") == document.element(path).get(part[1:-5])
    elif part == "text":
        assert element.text == value or not value.strip()
    else:
        assert element.get(part[1:]) == value
    assert document.write(Place(path, "@nowhere"), "x") == ()


@given(
    st.lists(st.sampled_from(["a", "é", "&amp;", "&#65;", "&#x41;", "&unknown;", "\r\n", "\n", "\t", "\r"]), max_size=6)
)
def test_parts_of_an_xml_value(pieces: list[str]) -> None:
    raw = "".join(pieces)
    decoded = decode_value(raw)
    for low in range(len(decoded) + 1):
        for high in range(low, len(decoded) + 1):
            start, end = raw_range(raw, low, high)
            assert decode_value(raw[start:end]) == decoded[low:high]
    text = f'<a b="{raw}"/>'
    document = XmlDocument(text)
    for k in range(len(decoded)):
        part = document.span(Place((), "@b", (k, k + 1)))
        assert decode_value(text[slice(*part)]) == decoded[k]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_xml_in_another_encoding_is_said(encoding: str) -> None:
    document = XmlDocument(XML)
    document.decoded_from(encoding)
    assert document.encoding == encoding
    assert [(t.rule.name, t.level, t.span) for t in document.troubles] == (
        [] if encoding == "utf-8" else [("unusual-encoding", "warning", (0, 1))]
    )
    assert all("UTF-16-LE" in t.message for t in document.troubles)


@given(st.dictionaries(KEYS, st.dictionaries(KEYS, st.lists(st.integers(), max_size=2), max_size=3), max_size=3), KEYS)
def test_json_keys_and_pointers(value: Any, new: str) -> None:
    text = json.dumps(value)
    document = JsonDocument.parse(text)
    for outer, inner in value.items():
        for path in [
            (outer,),
            *((outer, key) for key in inner),
            *((outer, key, k) for key in inner for k in range(len(inner[key]))),
        ]:
            assert _pointed(value, document.pointer(path)) == document.value_at(path)
        if new not in value:
            changed = json.loads(apply(text, document.rename_key((outer,), new)))
            assert changed == {new if key == outer else key: kept for key, kept in value.items()}
            assert list(changed).index(new) == list(value).index(outer)
    with pytest.raises(LookupError):
        document.value_at(("nowhere", 1))


def _pointed(value: Any, pointer: str) -> Any:
    """What a JSON Pointer leads to, as RFC 6901 has it."""
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        value = value[int(step) if isinstance(value, list) else step]
    return value


@given(st.lists(st.sampled_from(["ops", "OPS", "Ops", "name", "NAME", "other"]), max_size=4, unique=True))
def test_keys_found_in_any_letter_case(keys: list[str]) -> None:
    options = JsonOptions(folded_keys=frozenset({"ops", "name"}))
    text = json.dumps({"list": [dict.fromkeys(keys, 1)]})
    document = JsonDocument.parse(text, options=options)
    assert set(document.value["list"][0]) == {key if key == "other" else key.lower() for key in keys}
    odd = [key for key in keys if key != key.lower()]
    assert len([t for t in document.troubles if t.rule.name == "key-case"]) == len(odd)
    for key in document.value["list"][0]:
        span = document.span(Place(("list", 0, key), "key"))
        assert json.loads(text[slice(*span)]).lower() == key


def test_data_that_python_printed_is_one_finding_and_comes_out_as_json() -> None:
    value = json.loads(LIGHTNET)
    text = repr([value, True, False, None, "it's"])
    (trouble,) = JsonDocument.parse(text).troubles
    assert trouble.message.startswith("expected a string in double quotes, got `'")
    assert trouble.message.endswith("; the whole file looks like data printed by Python")
    assert trouble.title == "Replace Python literals with JSON"
    assert trouble.edits is not None
    assert json.loads(apply(text, trouble.edits())) == [value, True, False, None, "it's"]
    assert len(JsonDocument.parse("['a', 'b']").troubles) == 2


def test_listing() -> None:
    text = "0 null []\n1 add [0, 'a b', \"c\"]\n"
    document = ListingDocument(text, "a.txt")
    for path, value in (((1, "id"), 7), ((1, "op"), "relu"), ((1, "inputs", 0), 5), ((1, "inputs", 1), "new")):
        changed = ListingDocument(apply(text, document.write(Place(path), value)), "a.txt")
        assert changed.troubles == []
        assert changed.value_at(path) == value
    inner = document.span(Place((1, "inputs", 1), "value", (0, 1)))
    assert text[slice(*inner)] == "a"
    assert document.span(Place((1, "inputs", 0), "value", (0, 1))) == document.span(Place((1, "inputs", 0)))
    assert [text[slice(*document.whole_line(row))] for row in (0, 1)] == text.splitlines(keepends=True)
    assert (document.newline, document.quote, document.header) == ("\n", "'", "")
    bare = ListingDocument('# nodes\r\n\r\n0 add ["w"]\r\n1 relu []', "a.txt")
    assert (bare.newline, bare.quote, bare.header) == ("\r\n", '"', "# nodes\r\n\r\n")
    assert bare.text[slice(*bare.whole_line(1))] == "\r\n1 relu []"
    assert bare.pointer((1, "inputs", 0)) == "/1/inputs/0"


def test_after_so_many_errors_the_rest_is_not_read() -> None:
    *others, last = JsonDocument.parse("[" + ", ".join([r'"a\q"'] * 300) + "]").troubles
    assert len(others) == 99
    assert last.message.endswith(" (irlint stops reading after 100 syntax errors)")
    assert not any("stops reading" in trouble.message for trouble in others)


def test_no_path_leads_into_a_value_that_does_not_count() -> None:
    document = JsonDocument.parse('{"a": {"b": 1}, "a": 2}')
    assert document.place_at(8) == Place(("a",), "key")
    assert document.place_at(21).path == ("a",)


@pytest.mark.parametrize("count", [1, 3, 9, 40])
def test_attributes_are_found_by_name_however_many(count: int) -> None:
    root = XmlDocument("<a " + " ".join(f"b{k}='{k}'" for k in range(count)) + "/>").root
    assert root is not None
    assert [root.get(f"b{k}") for k in range(count + 1)] == [*map(str, range(count)), None]


@pytest.mark.parametrize("text", ["<a><b/>x</b></a>", "<a>\n<b c='1'/>\n<d/></b>\n</a>"])
def test_an_element_that_is_closed_before_its_content(text: str) -> None:
    error = next(trouble for trouble in XmlDocument(text).troubles if trouble.rule.name == "syntax-error")
    assert text[slice(*error.span)] == "/"
