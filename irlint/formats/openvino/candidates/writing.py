"""The text that candidates write: attributes, ports, and elements between others."""

from __future__ import annotations

from collections.abc import Mapping

from irlint.findings import Candidate
from irlint.formats.openvino.reading.layers import PRECISION_OF
from irlint.graph import Type
from irlint.text.base import Edit, Span
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element, escape


def with_attribute(element: Element, name: str, value: str, likelihood: int = 0) -> Candidate:
    """Return the candidate that gives an attribute another value, or adds it."""
    is_there = element.attribute(name) is not None
    title = f"Set `{name}` to `{value}`" if is_there else f'Add `{name}="{value}"`'
    return Candidate(title, (attribute_edit(element, name, value),), likelihood)


def attribute_edit(element: Element, name: str, value: str) -> Edit:
    attribute, written = element.attribute(name), escape(value)
    if attribute is not None:
        return Edit(Span(attribute.value_start, attribute.value_end), written)
    at = element.attributes[-1].value_end + 1 if element.attributes else element.start + 1 + len(element.tag)
    return Edit(Span(at, at), f' {name}="{written}"')


def attribute_edits(element: Element, values: Mapping[str, str | None]) -> tuple[Edit, ...]:
    """Return the edits that give attributes other values."""
    changed = {name: value for name, value in values.items() if value is not None and element.get(name) != value}
    return tuple(attribute_edit(element, name, value) for name, value in changed.items())


def adding(title: str, at: int, text: str, likelihood: int = 0) -> Candidate:
    return Candidate(title, (Edit(Span(at, at), text),), likelihood)


def blank_before(document: XmlDocument, offset: int) -> str:
    """Return the whitespace before an element."""
    head = document.text[:offset]
    return head[len(head.rstrip()) :]


def line_before(document: XmlDocument, offset: int) -> str:
    """Return the line break and indentation before an element; nothing if other text is on its line."""
    indent = document.text[document.text.rfind("\n", 0, offset) + 1 : offset]
    return f"\n{indent}" if not indent.strip() else ""


def port_text(number: str, type_: Type, gap: str) -> str:
    """Return a port, written after the gap."""
    precision = PRECISION_OF.get(str(type_.dtype))
    written = f' precision="{precision}"' if precision else ""
    inner = gap and f"{gap}\t"
    dims = "".join(f"{inner}<dim>{-1 if dim is None else dim}</dim>" for dim in type_.shape or ())
    return f'{gap}<port id="{number}"{written}>{dims}{gap}</port>'


def side_text(tag: str, ports: Mapping[str | None, Type], gap: str) -> str:
    """Return the ports of one side of a layer in their element, written after the gap."""
    inner = gap and f"{gap}\t"
    numbers = sorted((number for number in ports if number is not None), key=int)
    return f"{gap}<{tag}>{''.join(port_text(number, ports[number], inner) for number in numbers)}{gap}</{tag}>"
