"""RELAX NG: the verdicts are lxml's, and each finding is at the token that the table marks.

libxml2 does not always report the error that a reader would name: an optional attribute with a value that is not allowed is an
unknown attribute to it, and of an element that is there too often it may name the first.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from lxml import etree

from user_schemas.marked import agrees

RNG = 'xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes"'


class Case(NamedTuple):
    """A schema (the content of element `a`, or a whole grammar), documents that it allows, and marked ones that it does not."""

    schema: str
    valid: list[str]
    invalid: list[str]
    files: dict[str, str] = {}


INT = '<data type="int"/>'
B, C = f'<element name="b">{INT}</element>', '<element name="c"><empty/></element>'

CASES = {
    "group": Case(
        B + C,
        ["<a><b>1</b><c/></a>", "<a>\n<b> 1 </b>\n<!-- x --><c/></a>"],
        ["<a><b>«x»</b><c/></a>", "<a><«c»/><b>1</b></a>", "<«a»><b>1</b></a>", "<a><b>1</b><c>«x»</c></a>"],
    ),
    "interleave": Case(
        f"<interleave>{B}{C}</interleave>",
        ["<a><b>1</b><c/></a>", "<a><c/><b>1</b></a>"],
        ["<«a»><c/></a>", "<a><c/><b>1</b><«d»/></a>", "<a><c/><«c»/><b>1</b></a>"],
    ),
    "optional": Case(
        f'<optional>{B}</optional><optional><attribute name="v">{INT}</attribute></optional>',
        ["<a/>", '<a v="1"><b>1</b></a>'],
        ["<a><b>«x»</b></a>", '<a «w»="1"/>', "<a><b>1</b><«b»>1</b></a>"],
    ),
    "oneOrMore": Case(
        f"<oneOrMore>{B}</oneOrMore>",
        ["<a><b>1</b></a>", "<a><b>1</b><b>2</b></a>"],
        ["<«a»/>", "<a><b>1</b><b>«x»</b></a>", "<a><b>1</b><«d»/></a>"],
    ),
    "zeroOrMore": Case(
        f'<zeroOrMore><element name="b"><attribute name="v">{INT}</attribute></element></zeroOrMore>',
        ["<a/>", '<a><b v="1"/><b v="2"/></a>'],
        ['<a>\n<b v="1"/>\n<b v="«x»"/>\n<b v="«y»"/></a>', '<a><b v="1"/><«b»/></a>', '<a><b v="1">«x»</b></a>'],
    ),
    "choice": Case(
        f"<choice>{B}{C}</choice>",
        ["<a><b>1</b></a>", "<a><c/></a>"],
        ["<a><«d»/></a>", "<a><c/><«b»>1</b></a>"],
    ),
    "data with parameters": Case(
        '<attribute name="v"><data type="string"><param name="pattern">[a-z]+</param></data></attribute>'
        '<data type="int"><param name="maxInclusive">9</param></data>',
        ['<a v="x">9</a>', '<a v="abc">-1</a>'],
        ['<«a» v="X">1</a>', '<a v="x">«10»</a>', "<«a»>1</a>"],
    ),
    "value": Case(
        "<choice><value>one</value><value>two</value></choice>",
        ["<a>one</a>", "<a> two </a>"],
        ["<a>«three»</a>", "<«a»/>", "<a>\n  «One»\n</a>"],
    ),
    "value of an attribute": Case(
        '<attribute name="v"><choice><value>x</value><value>y</value></choice></attribute>',
        ['<a v="x"/>', '<a v="y"/>'],
        ['<«a» v="z"/>', "<«a»/>"],
    ),
    "list": Case(
        f'<list><oneOrMore>{INT}</oneOrMore></list>',
        ["<a>1 2</a>", "<a>3</a>"],
        ["<a>«1 x»</a>", "<«a»/>"],
    ),
    "list of an attribute": Case(
        f'<attribute name="v"><list>{INT}{INT}</list></attribute><text/>',
        ['<a v="1 2"/>', '<a v=" 1  2 ">x</a>'],
        ['<a v="«1 2 3»"/>', '<a v="«1 x»">1</a>'],
    ),
    "ref and define": Case(
        f'<grammar {RNG}><start><ref name="a"/></start><define name="a"><element name="a"><zeroOrMore><ref name="a"/></zeroOrMore>'
        '<optional><ref name="v"/></optional></element></define>'
        f'<define name="v"><attribute name="v">{INT}</attribute></define></grammar>',
        ["<a><a/><a><a/></a></a>", '<a v="1"><a v="2"/></a>'],
        ['<a><a «v»="x"/></a>', "<a><a><«b»/></a></a>"],
    ),
    "combine": Case(
        f'<grammar {RNG}><start><element name="a"><ref name="x"/></element></start><define name="x" combine="choice">{B}</define>'
        f'<define name="x" combine="choice">{C}</define></grammar>',
        ["<a><b>1</b></a>", "<a><c/></a>"],
        ["<a><b>«x»</b></a>", "<a><«d»/></a>"],
    ),
    "externalRef": Case(
        '<externalRef href="parts/b.rng"/>',
        ["<a><b>1</b></a>", "<a><b>-1</b></a>"],
        ["<a><b>«x»</b></a>", "<a><«c»/></a>", "<«a»/>"],
        {"parts/b.rng": f'<element name="b" {RNG}>{INT}</element>'},
    ),
    "include": Case(
        f'<grammar {RNG}><include href="parts.rng"><define name="y">{C}</define></include><start><element name="a"><ref name="x"/><ref name="y"/></element></start></grammar>',
        ["<a><b>1</b><c/></a>", "<a><b>2</b><c/></a>"],
        ["<a><b>«x»</b><c/></a>", "<a><b>1</b><«d»/></a>"],
        {"parts.rng": f'<grammar {RNG}><define name="x">{B}</define><define name="y"><element name="d"><empty/></element></define></grammar>'},
    ),
    "anyName and except": Case(
        '<zeroOrMore><element><anyName><except><name>x</name><nsName ns="urn:x"/></except></anyName><text/></element></zeroOrMore>',
        ["<a><y/><z>t</z></a>", '<a><p:x xmlns:p="urn:y"/></a>'],
        ["<a><«x»/></a>", '<a><«y»/><«p:y» xmlns:p="urn:x"/></a>'],
    ),
    "any attribute": Case(
        '<zeroOrMore><attribute><anyName><except><name>x</name></except></anyName></attribute></zeroOrMore>',
        ['<a y="1"/>', "<a/>"],
        ['<a «x»="1"/>', '<a y="1" «x»="2" z="3"/>'],
    ),
    "namespaces": Case(
        f'<element name="q" ns="urn:q"><empty/></element><optional><attribute name="v" ns="urn:q">{INT}</attribute></optional>',
        ['<a><q xmlns="urn:q"/></a>', '<a xmlns:p="urn:q" p:v="1"><p:q/></a>'],
        ["<a><«q»/></a>", '<a xmlns:p="urn:q" «p:v»="x"><p:q/></a>', '<a><p:q xmlns:p="urn:q"/><«p:q» xmlns:p="urn:q"/></a>'],
    ),
    "mixed": Case(
        f"<mixed><optional>{C}</optional></mixed>",
        ["<a>x<c/>y</a>", "<a>x</a>"],
        ["<a>x<«d»/>y</a>", "<a>x<«c»/><c/></a>"],
    ),
    "text": Case("<text/>", ["<a>x</a>", "<a/>"], ["<a>x<«b»/></a>", '<a «v»="1">x</a>']),
    "empty": Case("<empty/>", ["<a/>", "<a> </a>"], ["<a>«x»</a>", "<a><«b»/></a>", "<a><«text»/></a>"]),
    "notAllowed": Case(f"<choice><notAllowed/>{C}</choice>", ["<a><c/></a>", "<a><c></c></a>"], ["<«a»/>", "<a><«b»/></a>"]),
    "several findings": Case(
        f'<zeroOrMore><element name="b"><attribute name="v">{INT}</attribute><optional><attribute name="w">{INT}</attribute></optional></element></zeroOrMore>',
        ['<a><b v="1"/></a>', "<a/>"],
        ['<a>\n<b v="«x»"/>\n<b v="1" «u»="2"/>\n<«b»/></a>', '<a><b v="1" w="1"/><b v="«ä»"/><«c»/></a>'],
    ),
}  # fmt: skip


def _written(name: str) -> dict[str, str]:
    schema = CASES[name].schema
    whole = schema if schema.startswith("<grammar ") else f'<element name="a" {RNG}>{schema}</element>'
    return {"a.rng": whole, **CASES[name].files}


@pytest.mark.parametrize("name", CASES)
def test_relax_ng(name: str, tmp_path: Path) -> None:
    agrees(tmp_path, _written(name), etree.RelaxNG, CASES[name].valid, CASES[name].invalid)
