"""XSD 1.0: the verdicts are lxml's, and each finding is at the token that the table marks."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from lxml import etree

from user_schemas.marked import agrees

XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"'
XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'


class Case(NamedTuple):
    """A schema (the content of `xs:schema`, or all of it), documents that it allows, and marked ones that it does not."""

    schema: str
    valid: list[str]
    invalid: list[str]
    files: dict[str, str] = {}


def _schema(content: str, attributes: str = "") -> str:
    return content if content.startswith("<xs:schema ") else f"<xs:schema {XS} {attributes}>{content}</xs:schema>"


def _simple(facets: str, base: str = "xs:string") -> str:
    """Return the declarations of `a`, whose text and attribute `v` are of one type."""
    return (
        f'<xs:simpleType name="T"><xs:restriction base="{base}">{facets}</xs:restriction></xs:simpleType>'
        '<xs:element name="a"><xs:complexType><xs:simpleContent><xs:extension base="T"><xs:attribute name="v" type="T"/>'
        "</xs:extension></xs:simpleContent></xs:complexType></xs:element>"
    )


def _builtin(name: str) -> str:
    return (
        f'<xs:element name="a"><xs:complexType><xs:attribute name="v" type="xs:{name}"/></xs:complexType></xs:element>'
    )


def _complex(content: str, more: str = "") -> str:
    return f'<xs:element name="a"><xs:complexType>{content}</xs:complexType></xs:element>{more}'


def _values(*values: str) -> list[str]:
    return [f'<a v="{value}"/>' for value in values]


B, C = '<xs:element name="b" type="xs:int"/>', '<xs:element name="c"/>'

CASES = {
    "enumeration": Case(
        _simple('<xs:enumeration value="one"/><xs:enumeration value="two"/>'),
        ["<a>one</a>", '<a v="two">one</a>'],
        ["<a>«three»</a>", '<a v="«One»">one</a>', '<a v="«is not allowed»">one</a>', '<a v="«x»">«y»</a>', "<a>\n  «three»\n</a>"],
    ),
    "pattern": Case(
        _simple(r'<xs:pattern value="[a-z]+\d"/>'),
        ["<a>ab1</a>", '<a v="z9">a0</a>'],
        ["<a>«ab»</a>", '<a v="«1a»">a1</a>', '<a v="«a&amp;1»">a1</a>', "<a><![CDATA[«A1»]]></a>"],
    ),
    "length": Case(
        _simple('<xs:length value="3"/>'),
        ["<a>abc</a>", '<a v="äöü">&lt;&gt;&amp;</a>'],
        ["<a>«ab»</a>", '<a v="«abcd»">abc</a>'],
    ),
    "minLength": Case(
        _simple('<xs:minLength value="2"/>'), ["<a>ab</a>", '<a v="abc">ab</a>'], ["<a>«a»</a>", '<a «v=""»>ab</a>']
    ),
    "maxLength": Case(
        _simple('<xs:maxLength value="2"/>'), ["<a/>", '<a v="ab">a</a>'], ["<a>«abc»</a>", "<a v='«abc»'/>"]
    ),
    "minInclusive": Case(
        _simple('<xs:minInclusive value="5"/>', "xs:int"),
        ["<a>5</a>", '<a v="50">6</a>'],
        ["<a>«4»</a>", '<a v="«-1»">5</a>', "<a>«five»</a>"],
    ),
    "maxInclusive": Case(
        _simple('<xs:maxInclusive value="5.5"/>', "xs:double"),
        ["<a>5.5</a>", '<a v="-INF">0</a>'],
        ["<a>«5.6»</a>", '<a v="«INF»">5</a>'],
    ),
    "minExclusive": Case(
        _simple('<xs:minExclusive value="0"/>', "xs:decimal"),
        ["<a>0.1</a>", '<a v="1">1</a>'],
        ["<a>«0»</a>", '<a v="«-0.0»">1</a>'],
    ),
    "maxExclusive": Case(
        _simple('<xs:maxExclusive value="2020-01-01"/>', "xs:date"),
        ["<a>2019-12-31</a>", '<a v="0001-01-01">2019-01-01</a>'],
        ["<a>«2020-01-01»</a>", '<a v="«2020-13-01»">2019-01-01</a>'],
    ),
    "totalDigits": Case(
        _simple('<xs:totalDigits value="3"/>', "xs:decimal"),
        ["<a>12.3</a>", '<a v="0123">1</a>'],
        ["<a>«1234»</a>", '<a v="«1.234»">1</a>'],
    ),
    "fractionDigits": Case(
        _simple('<xs:fractionDigits value="1"/>', "xs:decimal"),
        ["<a>12.3</a>", '<a v="7">1.10</a>'],
        ["<a>«1.25»</a>", '<a v="«0.01»">1</a>'],
    ),
    "whiteSpace": Case(
        _simple('<xs:whiteSpace value="collapse"/><xs:enumeration value="a b"/>'),
        ["<a> a  b </a>", '<a v="  a&#10;b">a\tb</a>'],
        ["<a>«a c»</a>", '<a v="«ab»">a b</a>', '<a v="« a  c »">a b</a>'],
    ),
    "list": Case(
        '<xs:simpleType name="L"><xs:list itemType="xs:int"/></xs:simpleType>' + _simple('<xs:maxLength value="3"/>', "L"),
        ["<a>1 2\n3</a>", '<a v="1">1</a>'],
        ["<a>«1 2 3 4»</a>", '<a v="«1 x»">1</a>'],
    ),
    "union": Case(
        '<xs:simpleType name="U"><xs:union memberTypes="xs:int xs:boolean"><xs:simpleType><xs:restriction base="xs:string">'
        '<xs:enumeration value="auto"/></xs:restriction></xs:simpleType></xs:union></xs:simpleType>'
        + _simple('<xs:pattern value=".{1,4}"/>', "U"),
        ["<a>12</a>", '<a v="auto">true</a>'],
        ["<a>«off»</a>", '<a v="«12345»">1</a>'],
    ),
    "boolean": Case(_builtin("boolean"), _values("true", "0"), _values("«True»", "«2»")),
    "integers": Case(_builtin("integer"), _values("+1", "-00012345678901234567890"), _values("«1.0»", "«1e3»")),
    "unsignedByte": Case(_builtin("unsignedByte"), _values("0", "255"), _values("«256»", "«-1»")),
    "long": Case(_builtin("long"), _values("9223372036854775807", "-1"), _values("«9223372036854775808»", "«x»")),
    "positiveInteger": Case(_builtin("positiveInteger"), _values("1", "99"), _values("«0»", "«-5»")),
    "float": Case(_builtin("float"), _values("1e-3", "NaN"), _values("«1,5»", "«inf»")),
    "dateTime": Case(
        _builtin("dateTime"), _values("2026-11-28T18:00:00Z", "2026-11-28T18:00:00.5+01:00"), _values("«2026-11-28»", "«now»")
    ),
    "time and duration": Case(
        _complex('<xs:attribute name="t" type="xs:time"/><xs:attribute name="d" type="xs:duration"/>'),
        ['<a t="12:00:00"/>', '<a d="P1DT2H"/>'],
        ['<a t="«25:00:00»"/>', '<a d="«1 day»" t="«noon»"/>'],
    ),
    "gYear and gMonthDay": Case(
        _complex('<xs:attribute name="y" type="xs:gYear"/><xs:attribute name="d" type="xs:gMonthDay"/>'),
        ['<a y="2026"/>', '<a d="--02-29"/>'],
        ['<a y="«26»"/>', '<a d="«02-29»"/>'],
    ),
    "hexBinary": Case(_builtin("hexBinary"), _values("0aFF", ""), _values("«0»", "«xy»")),
    "base64Binary": Case(_builtin("base64Binary"), _values("AAAA", "QQ=="), _values("«A»", "«Q=»")),
    "anyURI": Case(_builtin("anyURI"), _values("https://a.b/c?d#e", "../x"), _values("«http://[::1»", "«%zz»")),
    "language": Case(_builtin("language"), _values("en", "de-AT"), _values("«e_n»", "«toolonglanguage»")),
    "QName": Case(
        _builtin("QName"), ['<a v="b"/>', '<a xmlns:p="urn:p" v="p:b"/>'], ['<a v="«p:b»"/>', '<a v="«1b»"/>']
    ),
    "NMTOKENS": Case(_builtin("NMTOKENS"), _values("1a b-c", "x"), _values("«a,b»", "«a b?»")),
    "NCName": Case(_builtin("NCName"), _values("a", "_b.c"), _values("«a:b»", "«1»")),
    "ID and IDREF": Case(
        _complex(
            '<xs:sequence><xs:element name="b" maxOccurs="unbounded"><xs:complexType><xs:attribute name="id" type="xs:ID"/>'
            '<xs:attribute name="to" type="xs:IDREF"/></xs:complexType></xs:element></xs:sequence>'
        ),
        ['<a><b id="x"/><b to="x"/></a>', '<a><b id="x"/><b id="y"/></a>'],
        ['<a><b id="x"/><b id="«x»"/></a>', '<a><b id="«1»"/></a>'],
    ),
    "sequence": Case(
        _complex(f"<xs:sequence>{B}{C}</xs:sequence>"),
        ["<a><b>1</b><c/></a>", "<a>\n<!-- x --><b>2</b> <c>\n</c></a>"],
        ["<«a»><b>1</b></a>", "<a><«c»/><b>1</b></a>", "<a><b>«x»</b><c/><«b»>1</b></a>", "<«a»/>"],
    ),
    "choice": Case(
        _complex(f"<xs:choice>{B}{C}</xs:choice>"),
        ["<a><b>1</b></a>", "<a><c/></a>"],
        ["<«a»/>", "<a><b>1</b><«c»/></a>", "<a><«d»/></a>"],
    ),
    "all": Case(
        _complex(f'<xs:all>{B}<xs:element name="c" minOccurs="0"/></xs:all>'),
        ["<a><c/><b>1</b></a>", "<a><b>1</b></a>"],
        ["<«a»><c/></a>", "<a><b>1</b><«b»>2</b></a>", "<a><b>1</b><c/><«d»/></a>"],
    ),
    "minOccurs and maxOccurs": Case(
        _complex('<xs:sequence><xs:element name="b" type="xs:int" minOccurs="2" maxOccurs="3"/></xs:sequence>'),
        ["<a><b>1</b><b>2</b></a>", "<a><b>1</b><b>2</b><b>3</b></a>"],
        ["<«a»><b>1</b></a>", "<a><b>1</b><b>2</b><b>3</b><«b»>4</b></a>", "<a><b>«x»</b><b>2</b><b>«y»</b></a>"],
    ),
    "nested groups": Case(
        _complex(
            f'<xs:sequence minOccurs="0" maxOccurs="2"><xs:choice>{B}<xs:sequence>{C}<xs:element name="d"/></xs:sequence></xs:choice>'
            '<xs:element name="e"/></xs:sequence>'
        ),
        ["<a/>", "<a><b>1</b><e/><c/><d/><e/></a>"],
        ["<a><c/><«e»/></a>", "<«a»><b>1</b><e/><c/><d/></a>"],
    ),
    "group ref": Case(
        _complex('<xs:sequence><xs:group ref="g"/><xs:element name="d"/></xs:sequence>')
        + f'<xs:group name="g"><xs:choice>{B}{C}</xs:choice></xs:group>',
        ["<a><b>1</b><d/></a>", "<a><c/><d/></a>"],
        ["<a><«d»/></a>", "<«a»><c/></a>"],
    ),
    "attributeGroup": Case(
        _complex('<xs:attributeGroup ref="g"/><xs:attribute name="z" use="required"/>')
        + '<xs:attributeGroup name="g"><xs:attribute name="x" type="xs:int"/><xs:attribute name="y" use="required"/></xs:attributeGroup>',
        ['<a y="" z=""/>', '<a x="1" y="2" z="3"/>'],
        ['<a «w»="" x="«q»" y="" z=""/>', '<«a» y=""/>', "<«a»/>"],
    ),
    "extension": Case(
        _complex('<xs:complexContent><xs:extension base="T"><xs:sequence><xs:element name="c"/></xs:sequence>'
                 '<xs:attribute name="y" type="xs:int"/></xs:extension></xs:complexContent>')
        + f'<xs:complexType name="T"><xs:sequence>{B}</xs:sequence><xs:attribute name="x" type="xs:boolean"/></xs:complexType>',
        ["<a><b>1</b><c/></a>", '<a x="true" y="1"><b>1</b><c/></a>'],
        ["<«a»><b>1</b></a>", '<a x="«1.5»" y="«t»"><b>1</b><c/></a>'],
    ),
    "restriction": Case(
        _complex('<xs:complexContent><xs:restriction base="T"><xs:sequence><xs:element name="b" type="xs:byte"/></xs:sequence>'
                 '<xs:attribute name="x" use="prohibited"/></xs:restriction></xs:complexContent>')
        + f'<xs:complexType name="T"><xs:sequence>{B}<xs:element name="c" minOccurs="0"/></xs:sequence>'
        '<xs:attribute name="x"/></xs:complexType>',
        ["<a><b>1</b></a>", "<a><b>-128</b></a>"],
        ['<a «x»=""><b>1</b></a>', "<a><b>«300»</b></a>", "<a><b>1</b><«c»/></a>"],
    ),
    "simpleContent": Case(
        _complex('<xs:simpleContent><xs:extension base="xs:decimal"><xs:attribute name="unit" use="required"/></xs:extension></xs:simpleContent>'),
        ['<a unit="m">1.5</a>', "<a unit=''> 2 </a>"],
        ["<«a»>1</a>", '<a unit="m">«1m»</a>', '<«a» unit="m"/>', '<«a» unit="m"><b/></a>'],
    ),
    "mixed": Case(
        '<xs:element name="a"><xs:complexType mixed="true"><xs:sequence><xs:element name="b" type="xs:int" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>',
        ["<a>x<b>1</b>y</a>", "<a>text</a>"],
        ["<a>x<b>«1.5»</b></a>", "<a>x<«c»/>y</a>"],
    ),
    "not mixed": Case(
        _complex(f"<xs:sequence>{B}</xs:sequence>"),
        ["<a><b>1</b></a>", "<a> <b>1</b> </a>"],
        ["<a>«x»<b>1</b></a>", "<a><b>1</b>«y»</a>", "<a>\n <b>1</b> <!-- z --> «y» </a>", "<a><«b»>  </b></a>"],
    ),
    "empty": Case(_complex(""), ["<a/>", "<a></a>"], ["<a>«x»</a>", "<«a»><b/></a>"]),
    "nillable": Case(
        f'<xs:element name="a"><xs:complexType><xs:sequence><xs:element name="b" type="xs:int" nillable="true"/>{C}</xs:sequence></xs:complexType></xs:element>',
        [f'<a {XSI}><b xsi:nil="true"/><c/></a>', f'<a {XSI}><b xsi:nil="false">1</b><c/></a>'],
        [f'<a {XSI}><«b» xsi:nil="true">1</b><c/></a>', f'<a {XSI}><b>1</b><«c» xsi:nil="true"/></a>', "<a><«b»/><c/></a>", f'<a {XSI}><«b» xsi:nil="«yes»"/><c/></a>'],
    ),
    "abstract type": Case(
        '<xs:element name="a" type="T"/><xs:complexType name="T" abstract="true"/><xs:complexType name="I"><xs:complexContent>'
        '<xs:extension base="T"><xs:attribute name="v" type="xs:int"/></xs:extension></xs:complexContent></xs:complexType>'
        '<xs:complexType name="O"/>',
        [f'<a {XSI} xsi:type="I"/>', f'<a {XSI} xsi:type="I" v="1"/>'],
        ["<«a»/>", f'<a {XSI} xsi:type="I" v="«x»"/>', f'<«a» {XSI} xsi:type="«O»"/>', f'<«a» {XSI} xsi:type="«Unknown»"/>'],
    ),
    "abstract element": Case(
        _complex('<xs:sequence><xs:element ref="b"/></xs:sequence>') + '<xs:element name="b" abstract="true" type="xs:int"/><xs:element name="c" substitutionGroup="b"/>',
        ["<a><c>1</c></a>", "<a><c>-1</c></a>"],
        ["<a><«b»>1</b></a>", "<a><c>«x»</c></a>"],
    ),
    "substitutionGroup": Case(
        _complex('<xs:sequence><xs:element ref="b" maxOccurs="2"/></xs:sequence>') + '<xs:element name="b" type="xs:int"/><xs:element name="c" type="xs:byte" substitutionGroup="b"/><xs:element name="d"/>',
        ["<a><b>1000</b></a>", "<a><c>1</c><b>2</b></a>"],
        ["<a><c>«1000»</c></a>", "<a><b>1</b><«d»/></a>"],
    ),
    "default": Case(
        _complex('<xs:sequence><xs:element name="b" type="xs:int" default="7"/></xs:sequence><xs:attribute name="v" type="xs:int" default="3"/>'),
        ["<a><b/></a>", '<a v="4"><b>1</b></a>'],
        ["<a><b>«x»</b></a>", '<a «v=""»><b/></a>'],
    ),
    "fixed": Case(
        _complex('<xs:sequence><xs:element name="b" type="xs:int" fixed="7"/></xs:sequence><xs:attribute name="v" fixed="x"/>'),
        ["<a><b/></a>", '<a v="x"><b>7</b></a>'],
        ["<a><b>«8»</b></a>", '<a v="«y»"><b/></a>'],
    ),
    "use required": Case(
        _complex('<xs:attribute name="v" use="required"/><xs:attribute name="w"/>'),
        ['<a v=""/>', '<a w="1" v="2"/>'],
        ['<«a» w="1"/>', '<«a» «u»=""/>'],
    ),
    "any: skip": Case(
        _complex('<xs:sequence><xs:any processContents="skip" maxOccurs="2"/></xs:sequence>'),
        ["<a><x y='1'/></a>", '<a><p:b xmlns:p="urn:p"/><z/></a>'],
        ["<«a»/>", "<a><x/><y/><«z»/></a>"],
    ),
    "any: lax": Case(
        _complex('<xs:sequence><xs:any processContents="lax"/></xs:sequence>', '<xs:element name="k" type="xs:int"/>'),
        ["<a><k>1</k></a>", "<a><x>y</x></a>"],
        ["<a><k>«y»</k></a>", "<«a»></a>"],
    ),
    "any: strict": Case(
        _complex('<xs:sequence><xs:any/></xs:sequence>', '<xs:element name="k" type="xs:int"/>'),
        ["<a><k>1</k></a>", "<a><k> 2 </k></a>"],
        ["<a><k>«y»</k></a>", "<a><«x»/></a>"],
    ),
    "any: other namespace": Case(
        _complex('<xs:sequence><xs:any namespace="##other" processContents="skip"/></xs:sequence>'),
        ['<p:a xmlns:p="urn:t"><q:b xmlns:q="urn:q"/></p:a>', '<a xmlns="urn:t"><b xmlns="urn:q"/></a>'],
        ['<p:a xmlns:p="urn:t"><«p:b»/></p:a>', '<a xmlns="urn:t"><b xmlns="urn:q"/><«b» xmlns="urn:q"/></a>'],
    ),
    "anyAttribute": Case(
        _complex('<xs:attribute name="v" type="xs:int"/><xs:anyAttribute namespace="##other" processContents="skip"/>'),
        ['<p:a xmlns:p="urn:t" v="1"/>', '<p:a xmlns:p="urn:t" xmlns:q="urn:q" q:w="x"/>'],
        ['<p:a xmlns:p="urn:t" «w»="x"/>', '<p:a xmlns:p="urn:t" «p:w»="x"/>', '<p:a xmlns:p="urn:t" v="«q»"/>'],
    ),
    "anyAttribute: strict": Case(
        _complex('<xs:anyAttribute/>', '<xs:attribute name="k" type="xs:int"/>'),
        ["<a/>", '<a k="1"/>'],
        ['<a k="«x»"/>', '<a «z»="1"/>'],
    ),
    "unique": Case(
        '<xs:element name="a"><xs:complexType><xs:sequence><xs:element name="b" maxOccurs="9"><xs:complexType><xs:attribute name="n"/></xs:complexType></xs:element>'
        '</xs:sequence></xs:complexType><xs:unique name="u"><xs:selector xpath="b"/><xs:field xpath="@n"/></xs:unique></xs:element>',
        ['<a><b n="1"/><b n="2"/></a>', "<a><b/><b/></a>"],
        ['<a><b n="1"/><«b» n="1"/></a>', '<a><b n="1"/><b n="2"/><«b» n="2"/><«b» n="1"/></a>'],
    ),
    "key and keyref": Case(
        '<xs:element name="a"><xs:complexType><xs:sequence><xs:element name="n" maxOccurs="9"><xs:complexType><xs:attribute name="id" type="xs:int"/></xs:complexType></xs:element>'
        '<xs:element name="e" minOccurs="0" maxOccurs="9"><xs:complexType><xs:attribute name="to" type="xs:int"/></xs:complexType></xs:element>'
        '</xs:sequence></xs:complexType><xs:key name="k"><xs:selector xpath="n"/><xs:field xpath="@id"/></xs:key>'
        '<xs:keyref name="r" refer="k"><xs:selector xpath="e"/><xs:field xpath="@to"/></xs:keyref></xs:element>',
        ['<a><n id="1"/><e to="1"/></a>', '<a><n id="1"/><n id="2"/><e to="02"/></a>'],
        ['<a><n id="1"/><«e» to="2"/></a>', '<a><n id="1"/><e to="1"/><«e» to="3"/><e to="1"/></a>', '<a><n id="1"/>\n<e to="1"/>\n<«e» to="03"/></a>', '<a><n id="1"/><«n»/></a>', '<a><n id="1"/><«n» id="01"/></a>'],
    ),
    "include": Case(
        '<xs:include schemaLocation="parts/types.xsd"/><xs:element name="a" type="T"/>',
        ['<a v="1"/>', "<a/>"],
        ['<a v="«x»"/>', '<a «w»=""/>'],
        {"parts/types.xsd": '<xs:include schemaLocation="more.xsd"/><xs:complexType name="T"><xs:attribute name="v" type="N"/></xs:complexType>',
         "parts/more.xsd": '<xs:simpleType name="N"><xs:restriction base="xs:int"/></xs:simpleType>'},
    ),
    "import": Case(
        f'<xs:schema {XS} xmlns:o="urn:o"><xs:import namespace="urn:o" schemaLocation="other.xsd"/>'
        + _complex('<xs:sequence><xs:element ref="o:b"/></xs:sequence><xs:attribute ref="o:v"/>') + "</xs:schema>",
        ['<a xmlns:p="urn:o"><p:b>1</p:b></a>', '<a xmlns:p="urn:o" p:v="1"><b xmlns="urn:o">1</b></a>'],
        ['<a xmlns:p="urn:o" p:v="«x»"><p:b>1</p:b></a>', '<a><b xmlns="urn:o">«x»</b></a>', "<a><«b»>1</b></a>", '<a xmlns:p="urn:o" «v»="1"><p:b>1</p:b></a>',
         '<a><p:b xmlns:p="urn:o">«x»</p:b></a>'],
        {"other.xsd": f'<xs:schema {XS} targetNamespace="urn:o"><xs:element name="b" type="xs:int"/><xs:attribute name="v" type="xs:int"/></xs:schema>'},
    ),
    "redefine": Case(
        '<xs:redefine schemaLocation="types.xsd"><xs:simpleType name="N"><xs:restriction base="N"><xs:maxInclusive value="9"/></xs:restriction></xs:simpleType></xs:redefine>'
        '<xs:element name="a" type="N"/>',
        ["<a>1</a>", "<a>9</a>"],
        ["<a>«10»</a>", "<a>«x»</a>"],
        {"types.xsd": '<xs:simpleType name="N"><xs:restriction base="xs:int"/></xs:simpleType>'},
    ),
    "elementFormDefault qualified": Case(
        f'<xs:schema {XS} targetNamespace="urn:t" elementFormDefault="qualified">' + _complex(f"<xs:sequence>{B}</xs:sequence>") + "</xs:schema>",
        ['<a xmlns="urn:t"><b>1</b></a>', '<p:a xmlns:p="urn:t"><p:b>1</p:b></p:a>'],
        ['<a xmlns="urn:t"><b>«x»</b></a>', '<p:a xmlns:p="urn:t"><«b»>1</b></p:a>', '<p:a xmlns:p="urn:t"><p:b>«x»</p:b></p:a>',
         "<«a»><b>1</b></a>"],
    ),
    "elementFormDefault unqualified": Case(
        f'<xs:schema {XS} targetNamespace="urn:t">' + _complex(f'<xs:sequence>{B}</xs:sequence><xs:attribute name="v" form="qualified" type="xs:int"/>') + "</xs:schema>",
        ['<p:a xmlns:p="urn:t"><b>1</b></p:a>', '<p:a xmlns:p="urn:t" p:v="1"><b>1</b></p:a>'],
        ['<a xmlns="urn:t"><«b»>1</b></a>', '<p:a xmlns:p="urn:t" «v»="1"><b>1</b></p:a>', '<p:a xmlns:p="urn:t" p:v="«x»"><b>1</b></p:a>'],
    ),
    "rebound prefix": Case(
        f'<xs:schema {XS} targetNamespace="urn:t" elementFormDefault="qualified">' + _complex(f'<xs:sequence>{B}<xs:any namespace="##other" processContents="skip" minOccurs="0"/></xs:sequence>') + "</xs:schema>",
        ['<p:a xmlns:p="urn:t"><p:b xmlns:p="urn:t">1</p:b></p:a>', '<p:a xmlns:p="urn:t"><q:b xmlns:q="urn:t">1</q:b><p:c xmlns:p="urn:q"/></p:a>'],
        ['<p:a xmlns:p="urn:t"><q:b xmlns:q="urn:t">«x»</q:b></p:a>', '<p:a xmlns:p="urn:t"><«p:b» xmlns:p="urn:q">1</p:b></p:a>'],
    ),
    "ref": Case(
        _complex('<xs:sequence><xs:element ref="b"/></xs:sequence><xs:attribute ref="v" use="required"/>') + B + '<xs:attribute name="v" type="xs:int"/>',
        ['<a v="1"><b>1</b></a>', '<a v="-1"><b>2</b></a>'],
        ['<a v="«x»"><b>«y»</b></a>', "<«a»><b>1</b></a>"],
    ),
    "anonymous types": Case(
        _complex('<xs:sequence><xs:element name="b"><xs:complexType><xs:sequence><xs:element name="c"><xs:simpleType><xs:restriction base="xs:int"><xs:minInclusive value="3"/></xs:restriction></xs:simpleType></xs:element></xs:sequence></xs:complexType></xs:element></xs:sequence>'
                 '<xs:attribute name="v"><xs:simpleType><xs:list><xs:simpleType><xs:restriction base="xs:string"><xs:length value="1"/></xs:restriction></xs:simpleType></xs:list></xs:simpleType></xs:attribute>'),
        ["<a><b><c>3</c></b></a>", '<a v="x y"><b><c>4</c></b></a>'],
        ["<a><b><c>«2»</c></b></a>", '<a v="«xy»"><«b»/></a>'],
    ),
    "recursive": Case(
        '<xs:element name="a" type="T"/><xs:complexType name="T"><xs:sequence><xs:element name="a" type="T" minOccurs="0" maxOccurs="2"/></xs:sequence><xs:attribute name="v" type="xs:int"/></xs:complexType>',
        ["<a><a/><a><a/></a></a>", '<a v="1"><a v="2"/></a>'],
        ['<a><a v="«x»"><a v="«y»"/></a><a/><«a»/></a>', "<a><a><«b»/></a></a>"],
    ),
    "notation and token": Case(
        _complex('<xs:attribute name="v" type="xs:token"/><xs:attribute name="n" type="N"/>')
        + '<xs:notation name="png" public="image/png"/><xs:simpleType name="N"><xs:restriction base="xs:NOTATION"><xs:enumeration value="png"/></xs:restriction></xs:simpleType>',
        ['<a v=" x  y "/>', '<a n="png"/>'],
        ['<a n="«gif»"/>', '<a n="«1»"/>'],
    ),
    "comments and processing instructions": Case(
        _complex(f"<xs:sequence>{B}{C}</xs:sequence>"),
        ["<?xml version='1.0'?><!-- x --><a><?p q?><b>1</b><!-- y --><c/></a>", "<a><b><!-- z -->1</b><c/></a>"],
        ["<?xml version='1.0'?>\n<a><?p q?><b>«x»</b><!-- y --><c/></a><!-- z -->", "<a><!-- x --><c«»/></a>".replace("<c«»/>", "<«c»/>")],
    ),
    "several findings": Case(
        _complex('<xs:sequence><xs:element name="b" maxOccurs="unbounded"><xs:complexType><xs:simpleContent><xs:extension base="xs:int">'
                 '<xs:attribute name="v" type="xs:int"/><xs:attribute name="w" type="xs:int"/></xs:extension></xs:simpleContent></xs:complexType></xs:element></xs:sequence>'),
        ["<a><b>1</b></a>", '<a><b v="1" w="2">1</b><b>2</b></a>'],
        ['<a>\n\t<b v="«x»" w="«y»">«z»</b>\n\t<b «u»="1" w="3">1</b></a>', '<a>\r\n<b>1</b>\r\n<b>2</b>\r\n<b>«ä»</b>\r\n<b v="«😀»">3</b></a>'],
    ),
}  # fmt: skip

TARGETED = {"any: other namespace", "anyAttribute"}


def _written(name: str) -> dict[str, str]:
    case = CASES[name]
    target = 'targetNamespace="urn:t" xmlns="urn:t" elementFormDefault="qualified"' if name in TARGETED else ""
    return {"a.xsd": _schema(case.schema, target), **{path: _schema(text) for path, text in case.files.items()}}


@pytest.mark.parametrize("name", CASES)
def test_xsd(name: str, tmp_path: Path) -> None:
    agrees(tmp_path, _written(name), etree.XMLSchema, CASES[name].valid, CASES[name].invalid)
