"""Who wrote an IR, the newest opset that its layers are from, and what its `<rt_info>` and attributes say besides where weights are."""

from __future__ import annotations

import re

from irlint.formats.identity import Identity, Origin
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_OPSET = re.compile(r"opset(\d{1,4})", re.ASCII)
_BUILD = re.compile(r"(\d[\d.]{0,40})-.*", re.DOTALL)  # 2024.6.0-17404-4c0f47d2335-releases/2024/6
_PRODUCERS = (  # the entry that names the version, and the program that writes it
    ("Runtime_version", "OpenVINO"),
    ("MO_version", "Model Optimizer"),
)


class OpenVinoIdentity(Identity):
    constants_have_types = True
    unstable = frozenset({"offset", "size", "variable_id"})

    def origin(self, model: Model) -> Origin:
        versions = {str(node.version) for graph in model.graph.walk() for node in graph.nodes}
        opsets = [int(found[1]) for version in versions if (found := _OPSET.fullmatch(version))]
        return Origin(_producer(model), f"opset{max(opsets)}" if opsets else _version(model))


IDENTITY = OpenVinoIdentity()


def _root(model: Model) -> Element | None:
    return model.document.root if isinstance(model.document, XmlDocument) else None


def _version(model: Model) -> str | None:
    """Return the version of an IR that has no opsets."""
    root = _root(model)
    version = None if root is None else root.get("version")
    return f"IR {version}" if version and version.isdecimal() and len(version) < 4 else None


def _producer(model: Model) -> str | None:
    said = metadata(model).get("", {})
    for key, program in _PRODUCERS:
        if (version := said.get(key)) is not None:
            found = _BUILD.fullmatch(version)
            return f"{program} {found[1] if found else version}"
    return None


def metadata(model: Model) -> dict[str, dict[str, str]]:
    """Return the sections of the model's `<rt_info>`: who converted it, how it was compressed, what it wants of the runtime. Single
    values are in the section with the empty name.
    """
    root = _root(model)
    info = None if root is None else root.child("rt_info")
    found: dict[str, dict[str, str]] = {}
    for child in info.elements() if info is not None else ():
        name = _key(child)
        if (value := child.get("value")) is not None:
            found.setdefault("", {})[name] = value
        elif pairs := dict(_leaves(child)):
            found[name] = pairs
    return found


def metadata_place(model: Model, section: str, key: str, part: str) -> Place | None:
    """Return the place of an entry of `metadata`, or of the name of the model."""
    if (section, key) == ("", "name"):
        return Place((), "@name")
    element, path = _root(model), tuple[int, ...]()
    for name in ("rt_info", *filter(None, [section]), *(key.split(".") if section else [key])):
        steps = element.steps() if element is not None else ()
        at, element = next((step for step in steps if _key(step[1]) == name), (0, None))
        path = (*path, at)
    return None if element is None else Place(path, part)


def _key(element: Element) -> str:
    return element.get("name") or element.tag


def _leaves(element: Element) -> list[tuple[str, str]]:
    """Return the values in an element by their dotted names, as nncf writes weight_compression.mode."""
    found: list[tuple[str, str]] = []
    stack = [(child, "") for child in reversed(element.elements())]
    while stack:
        child, prefix = stack.pop()
        name = prefix + _key(child)
        if (value := child.get("value")) is not None:
            found.append((name, value))
        stack += [(inner, f"{name}.") for inner in reversed(child.elements())]
    return found
