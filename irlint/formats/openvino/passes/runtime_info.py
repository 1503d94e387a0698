"""`<rt_info>`, `<meta_data>` and output_names: what readers refuse, and what they silently ignore."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, IrLayer
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R, error_if
from irlint.graph import Node, label
from irlint.records import NamedTuple, replace
from irlint.text.base import Path, Place
from irlint.text.words import count
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

# OpenVINO 2026.4.1 makes an object of each of these, at version 0: a second one, or one that cannot be made, ends reading.
READ = frozenset({
    "fused_names", "primitives_priority", "old_api_map_order", "old_api_map_element_type", "layout", "decompression",
    "preprocessing", "precise", "memory_type", "DisablePrecisionConversion",
})  # fmt: skip
UNREADABLE = frozenset({"DisableConstantFolding", "nms_selected_indices", "strides_propagation"})
KNOWN = READ | UNREADABLE | frozenset({  # other readers know the rest, or knew it
    "dequantization", "strides", "disable_fp16_compression", "keep_const_precision",
    "disable_constant_folding", "precision_sensitive", "original_precision_attribute", "weightless_cache", "rank",
    "shared_op_optimization", "nonconvertible_divide", "no_transpose", "postponed_constant", "memory", "parallel_branch",
    "precision_preserved", "quantization_alignment", "quantization_granularity", "intervals_alignment", "avg_pool_precision",
    "alt_width", "unroll_ti", "mha_parallel", "concat_parallel", "runtime_precision", "nonconvertibledivide",
    "dequantizationnode", "kvcacheconcat", "symbolic_info", "bidirectional_sequence", "weights_decompression",
})  # fmt: skip
_TEXT = re.compile(r'<attribute((?: [^ =]+="[^"]*")*) ?/>')
_PAIR = re.compile(r' ([^ =]+)="([^"]*)"')
_INTEGER = re.compile(r"\s*\+?\d+")
_WITH_VALUES = frozenset({"layout", "old_api_map_order", "old_api_map_element_type"})  # that are checked
_UNNAMED = ("?", "...", ".", "")  # dimensions in a layout
_LAYOUT = re.compile(r"\[?[A-Za-z0-9_?,. ]*\]?")


def runtime_problems(document: XmlDocument, sections: list[IrSection], version: int) -> Iterator[Problem]:
    for section in sections:
        for problem in _layers(document, section):  # OpenVINO 2026.4.1 does not read them in version 10
            yield problem if version >= 11 else replace(problem, severity=Severity.WARNING)
    yield from _net(sections[0].element)


def _layers(document: XmlDocument, section: IrSection) -> Iterator[Problem]:
    for index in _irregular(section.layers):
        node = section.graph.nodes[index]
        element = document.element(node.path)
        if node.op != "Result" and element.attribute("output_names") is not None:
            message = f"unknown attribute `output_names` for {label(node)}; OpenVINO reads it only for Result"
            yield _problem(Place(node.path, "@output_names.name"), message, node.name, False)
        for k, info in element.steps("rt_info"):
            yield from _Attributes(node, None, False).problems(info, (*node.path, k))
        for side in ("input", "output"):
            for place in range(len(section.layers[index].side(side))):
                path = section.graph.place(node, f"{side}:{place}").path
                port = document.element(path)
                is_bound = side == "output" and _is_bound(section, node, place)
                for k, info in port.steps("rt_info"):
                    yield from _Attributes(node, port, is_bound).problems(info, (*path, k))


def _problem(at: Place, message: str, node: str | None, is_refused: bool, **more: Any) -> Problem:
    return Problem(R.runtime_info, at, message, node, severity=error_if(is_refused), **more)


def _irregular(layers: Sequence[IrLayer]) -> list[int]:
    """Return the layers that need a full check."""
    clean: set[str] = {""}
    found = []
    for index, layer in enumerate(layers):
        gist = layer.rt and _gist(layer.rt)
        if gist not in clean and not _is_suspect(gist):
            clean.add(gist)
        if layer.element is not None or gist not in clean or layer.inputs.runtime or layer.outputs.runtime:
            found.append(index)
    return found


def _gist(text: str) -> str:
    """Return a regular `<rt_info>` without attribute values other than that of `name`."""
    words = text.split('"')
    return '"'.join([word if k % 2 == 0 or words[k - 1].endswith(" name=") else "" for k, word in enumerate(words)])


def _is_suspect(text: str) -> bool:
    """Return whether a regular `<rt_info>` needs a full check."""
    attributes = [dict(_PAIR.findall(found[1])) for found in _TEXT.finditer(text)]
    names = [pairs.get("name", "") for pairs in attributes]
    is_whole = len(set(names)) == len(names) and all("version" in pairs for pairs in attributes)
    return not is_whole or not set(names) <= KNOWN - UNREADABLE - _WITH_VALUES


def _is_bound(section: IrSection, node: Node, output: int) -> bool:
    """Return whether an output is an input or output of the whole model."""
    if section.graph.parent is not None:
        return False
    return node.op == "Parameter" or (node.index, output) in section.results


class _Attributes(NamedTuple):
    """The attributes of an `<rt_info>` of a layer, or of a port of it.

    `is_bound`: the layout is checked against the rank of an input or output of the model.
    """

    node: Node
    port: Element | None
    is_bound: bool

    def problems(self, info: Element, path: Path) -> Iterator[Problem]:
        seen: dict[str, Path] = {}
        who = label(self.node)
        for k, child in info.steps("attribute"):
            name, at = child.get("name"), (*path, k)
            if name is None:
                yield _problem(
                    Place(at, "tag"), f"missing attribute `name` for a runtime attribute of {who}", None, False
                )
                continue
            if name in seen:
                is_refused = name in READ and child.get("version") == "0"
                message = f"duplicate runtime attribute `{name}` for {who}"
                message += "; OpenVINO refuses the file" if is_refused else ""
                related = [("first defined here", Place(seen[name], "@name"))]
                yield _problem(Place(at, "@name"), message, self.node.name, is_refused, related=related)
            seen.setdefault(name, at)
            yield from self._attribute(child, at, name)

    def _attribute(self, child: Element, path: Path, name: str) -> Iterator[Problem]:
        who, node, version = label(self.node), self.node.name, child.get("version")
        if version is None:
            message = f"missing attribute `version` for runtime attribute `{name}` of {who}; OpenVINO ignores it"
            yield _problem(Place(path, "tag"), message, node, False)
        elif name not in KNOWN:
            message = f"unknown runtime attribute `{name}` for {who}; OpenVINO ignores it"
            yield _problem(Place(path, "@name"), message, node, False)
        elif version != "0":
            return  # another version's attribute, which readers keep as it is
        elif name in UNREADABLE:
            message = f"unreadable runtime attribute `{name}` for {who}; OpenVINO refuses the file"
            yield _problem(Place(path, "tag"), message, node, True)
        elif name == "layout":
            yield from self._layout(child.get("layout"), Place(path, "@layout"))
        else:
            yield from self._value(child.get("value"), Place(path, "@value"), name)

    def _value(self, value: str | None, at: Place, name: str) -> Iterator[Problem]:
        message = ""
        if name == "old_api_map_order" and value and not all(map(_INTEGER.match, value.split(","))):
            message = f"expected a list of integers for `{name}` of {label(self.node)}, got `{value}`"
        if name == "old_api_map_element_type" and value is not None and value.lower() not in ELEMENT_TYPES:
            message = f"unknown element type `{value}` for `{name}` of {label(self.node)}"
        if message:
            yield _problem(at, message, self.node.name, True)

    def _layout(self, layout: str | None, at: Place) -> Iterator[Problem]:
        if layout is None:
            return
        who, text = label(self.node), layout.strip()
        inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        letters = inner.split(",") if "," in inner else list(inner.replace(" ", ""))
        named = [word.strip().upper() for word in letters if word.strip() not in _UNNAMED]
        rank = len(self.port.elements("dim")) if self.port is not None and "..." not in inner else 0
        message, is_refused = "", True
        if not _LAYOUT.fullmatch(text) or text.startswith("[") != text.endswith("]"):
            message = f"expected a layout such as `[N,C,H,W]` for {who}, got `{layout}`"
        elif len(set(named)) < len(named):
            message = f"duplicate dimension in layout `{layout}` of {who}"
        elif rank not in (0, len(letters)):
            message = f"expected {count(rank, 'dimension')} in layout `{layout}` of {who}, got {len(letters)}"
            is_refused = self.is_bound
        if message:
            yield _problem(at, message, self.node.name, is_refused)


def _meta_data(root: Element) -> Iterator[Problem]:
    """Check `<meta_data>`, which is read if there is no `<rt_info>`: each entry requires a value or children."""
    is_read = root.child("rt_info") is None
    for found, meta in root.steps("meta_data")[:1]:
        if meta.texts:
            yield _problem(Place((found,), "text"), "unexpected text in `<meta_data>`", None, is_read)
        for k, child in meta.steps():
            if child.get("value") is None and not child.children and child.tag != "cli_parameters":
                message = f"missing value for `{child.tag}` in `<meta_data>`"
                yield _problem(Place((found, k), "tag"), message, None, is_read)


def _net(root: Element) -> Iterator[Problem]:
    yield from _meta_data(root)
    for k, child in root.steps("rt_info"):
        if child.texts:
            yield _problem(Place((k,), "text"), "unexpected text in `<rt_info>`; OpenVINO ignores it", None, False)
        yield from _entries(child, (k,))


def _entries(info: Element, path: Path) -> Iterator[Problem]:
    """Check the entries of the model's own `<rt_info>`: `<key value=...>` or `<info name=... value=...>`."""
    stack = [(info, path)]
    while stack:
        parent, at = stack.pop()
        first: dict[str, Path] = {}
        children = parent.steps()
        is_valued = parent is not info and any(child.get("value") is not None for _, child in children)
        for k, child in children:
            here, key = (*at, k), child.get("name") or child.tag
            if first.setdefault(key, here) != here:
                message = f"duplicate key `{key}` in `<{parent.tag}>`; OpenVINO keeps only one"
                related = [("first defined here", Place(first[key], "tag"))]
                yield Problem(R.duplicate_key, Place(here, "tag"), message, related=related, severity=Severity.WARNING)
            if child.children:
                stack.append((child, here))
            elif child.get("value") is None and not child.texts and (child.attributes or is_valued or _is_version(key)):
                message = f"missing value for `{key}` in `<{parent.tag}>`"
                yield _problem(Place(here, "tag"), message, None, False)


def _is_version(key: str) -> bool:
    """Return whether an entry requires a value, judged by its name; others may be empty maps."""
    return key.lower().endswith("version")
