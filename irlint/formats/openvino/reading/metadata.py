"""What `<rt_info>` of a model says: who converted it, how it was compressed, what it wants of the runtime."""

from __future__ import annotations

from irlint.rules.base import Model
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element


def metadata(model: Model) -> dict[str, dict[str, str]]:
    """Return the sections of the model's `<rt_info>`; single values are in the section with the empty name."""
    document = model.document
    root = document.root if isinstance(document, XmlDocument) else None
    info = None if root is None else root.child("rt_info")
    found: dict[str, dict[str, str]] = {}
    for child in info.elements() if info is not None else ():
        name = child.get("name") or child.tag
        if (value := child.get("value")) is not None:
            found.setdefault("", {})[name] = value
        elif pairs := dict(_leaves(child)):
            found[name] = pairs
    return found


def _leaves(element: Element) -> list[tuple[str, str]]:
    """Return the values in an element by their dotted names, as nncf writes weight_compression.mode."""
    found: list[tuple[str, str]] = []
    stack = [(child, "") for child in reversed(list(element.elements()))]
    while stack:
        child, prefix = stack.pop()
        name = prefix + (child.get("name") or child.tag)
        if (value := child.get("value")) is not None:
            found.append((name, value))
        stack += [(inner, f"{name}.") for inner in reversed(list(child.elements()))]
    return found
