"""Start tags with another attribute."""

from __future__ import annotations

from irlint.findings import Candidate
from irlint.text.base import Edit, Span
from irlint.text.xml.tree import Element, escape


def with_attribute(element: Element, name: str, value: str, likelihood: int = 0, is_guess: bool = False) -> Candidate:
    """Return the candidate that gives an attribute another value, or adds it."""
    known = element.attribute(name) is not None
    title = f"Set `{name}` to `{value}`" if known else f'Add `{name}="{value}"`'
    return Candidate(title, (attribute_edit(element, name, value),), likelihood, is_guess)


def attribute_edit(element: Element, name: str, value: str) -> Edit:
    attribute, written = element.attribute(name), escape(value)
    if attribute is not None:
        return Edit(Span(attribute.value_start, attribute.value_end), written)
    at = element.attributes[-1].value_end + 1 if element.attributes else element.start + 1 + len(element.tag)
    return Edit(Span(at, at), f' {name}="{written}"')
