"""`<rt_info>`, `<meta_data>` and output_names: what readers refuse, and what they silently ignore."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irlint.findings import Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, Layer
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Node, label
from irlint.records import replace
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
_LAYOUT = re.compile(r"\[?[A-Za-z0-9_?,. ]*\]?")


def runtime_problems(document: XmlDocument, sections: list[Section], version: int) -> Iterator[Problem]:
    for section in sections:
        for problem in _layers(document, section):  # OpenVINO 2026.4.1 does not read them in version 10
            yield problem if version >= 11 else replace(problem, severity=Severity.WARNING)
    root = sections[0].element if sections else None
    if root is not None:
        yield from _net(root)


def _layers(document: XmlDocument, section: Section) -> Iterator[Problem]:
    for index in _need_a_look(section.layers):
        yield from _layer(document, section, section.graph.nodes[index])


def _need_a_look(layers: Sequence[Layer]) -> list[int]:
    """Return the layers that need a full check."""
    clean: set[str] = {""}
    found = []
    for index, layer in enumerate(layers):
        if layer.element is None:
            gist = layer.rt and _gist(layer.rt)
            if gist not in clean and not _suspect(gist):
                clean.add(gist)
            if gist in clean and not layer.inputs.runtime and not layer.outputs.runtime:
                continue
        found.append(index)
    return found


def _gist(text: str) -> str:
    """Return a regular `<rt_info>` without attribute values other than that of `name`."""
    words = text.split('"')
    return '"'.join([word if k % 2 == 0 or words[k - 1].endswith(" name=") else "" for k, word in enumerate(words)])


def _suspect(text: str) -> bool:
    """Return whether a regular `<rt_info>` needs a full check."""
    names = [dict(_PAIR.findall(found[1])) for found in _TEXT.finditer(text)]
    known = [pairs.get("name", "") for pairs in names]
    return (
        len(set(known)) < len(known)
        or any(n not in KNOWN for n in known)
        or any("version" not in p for p in names)
        or any(n in ("layout", "old_api_map_order", "old_api_map_element_type") or n in UNREADABLE for n in known)
    )


def _layer(document: XmlDocument, section: Section, node: Node) -> Iterator[Problem]:
    element = document.element(node.path)
    if node.op != "Result" and element.attribute("output_names") is not None:
        message = f"unknown attribute `output_names` for {label(node)}; OpenVINO reads it only for Result"
        yield Problem(
            R.runtime_info, Place(node.path, "@output_names.name"), message, node.name, severity=Severity.WARNING
        )
    for k, child in enumerate(element.children):
        if isinstance(child, Element) and child.tag == "rt_info":
            yield from _attributes(child, (*node.path, k), node, None, False)
    for side in ("input", "output"):
        ports = section.layers[node.index].outputs if side == "output" else section.layers[node.index].inputs
        for place in range(len(ports)):
            path = section.graph.place(node, f"{side}:{place}").path
            port = document.element(path)
            binding = side == "output" and _is_bound(section, node, place)
            for i, info in enumerate(port.children):
                if isinstance(info, Element) and info.tag == "rt_info":
                    yield from _attributes(info, (*path, i), node, port, binding)


def _is_bound(section: Section, node: Node, output: int) -> bool:
    """Return whether an output is an input or output of the whole model."""
    if section.graph.parent is not None:
        return False
    return node.op == "Parameter" or (node.index, output) in section.results


def _attributes(info: Element, path: Path, node: Node, port: Element | None, binding: bool) -> Iterator[Problem]:
    """Check the attributes of an `<rt_info>`.

    `binding`: the layout is checked against the rank of an input or output of the model.
    """
    seen: dict[str, Path] = {}
    for k, child in enumerate(info.children):
        if not isinstance(child, Element) or child.tag != "attribute":
            continue
        name, at = child.get("name"), (*path, k)
        if name is None:
            yield Problem(
                R.runtime_info,
                Place(at, "tag"),
                f"missing attribute `name` for a runtime attribute of {label(node)}",
                severity=Severity.WARNING,
            )
            continue
        if name in seen:
            message = f"duplicate runtime attribute `{name}` for {label(node)}"
            severity = None if name in READ and child.get("version") == "0" else Severity.WARNING
            message += "; OpenVINO refuses the file" if severity is None else ""
            related = [("first defined here", Place(seen[name], "@name"))]
            yield Problem(R.runtime_info, Place(at, "@name"), message, node.name, related=related, severity=severity)
        seen.setdefault(name, at)
        if child.get("version") is None:
            message = (
                f"missing attribute `version` for runtime attribute `{name}` of {label(node)}; OpenVINO ignores it"
            )
            yield Problem(R.runtime_info, Place(at, "tag"), message, node.name, severity=Severity.WARNING)
        elif name not in KNOWN:
            message = f"unknown runtime attribute `{name}` for {label(node)}; OpenVINO ignores it"
            yield Problem(R.runtime_info, Place(at, "@name"), message, node.name, severity=Severity.WARNING)
        elif child.get("version") != "0":
            continue  # another version's attribute, which readers keep as it is
        elif name in UNREADABLE:
            message = f"unreadable runtime attribute `{name}` for {label(node)}; OpenVINO refuses the file"
            yield Problem(R.runtime_info, Place(at, "tag"), message, node.name)
        else:
            yield from _values(child, at, name, node, port, binding)


def _values(
    element: Element, path: Path, name: str, node: Node, port: Element | None, binding: bool
) -> Iterator[Problem]:
    if name == "old_api_map_order":
        value = element.get("value") or ""
        if value and not all(re.match(r"\s*\+?\d+", piece) for piece in value.split(",")):
            yield Problem(
                R.runtime_info,
                Place(path, "@value"),
                f"expected a list of integers for `{name}` of {label(node)}, got `{value}`",
                node.name,
            )
    elif name == "old_api_map_element_type" and (type_ := element.get("value")) is not None:
        if type_.lower() not in ELEMENT_TYPES:
            message = f"unknown element type `{type_}` for `{name}` of {label(node)}"
            yield Problem(R.runtime_info, Place(path, "@value"), message, node.name)
    elif name == "layout" and (layout := element.get("layout")) is not None:
        yield from _layout(layout, Place(path, "@layout"), node, port, binding)


def _layout(layout: str, at: Place, node: Node, port: Element | None, binding: bool) -> Iterator[Problem]:
    text = layout.strip()
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if not _LAYOUT.fullmatch(text) or text.startswith("[") != text.endswith("]"):
        yield Problem(
            R.runtime_info,
            at,
            f"expected a layout such as `[N,C,H,W]` for {label(node)}, got `{layout}`",
            node.name,
        )
        return
    letters = inner.split(",") if "," in inner else list(inner.replace(" ", ""))
    named = [w.strip().upper() for w in letters if w.strip() not in ("?", "...", ".", "")]
    if len(set(named)) < len(named):
        yield Problem(R.runtime_info, at, f"duplicate dimension in layout `{layout}` of {label(node)}", node.name)
        return
    if port is None or "..." in inner:
        return
    rank = len(port.elements("dim"))
    if len(letters) != rank and rank:
        message = f"expected {count(rank, 'dimension')} in layout `{layout}` of {label(node)}, got {len(letters)}"
        yield Problem(R.runtime_info, at, message, node.name, severity=None if binding else Severity.WARNING)


def _meta_data(root: Element) -> Iterator[Problem]:
    """Check `<meta_data>`, which is read if there is no `<rt_info>`: each entry requires a value or children."""
    found = next((k for k, c in enumerate(root.children) if isinstance(c, Element) and c.tag == "meta_data"), None)
    if found is None:
        return
    severity = Severity.WARNING if root.child("rt_info") is not None else Severity.ERROR
    meta = root.children[found]
    assert isinstance(meta, Element)
    if meta.texts:
        yield Problem(R.runtime_info, Place((found,), "text"), "unexpected text in `<meta_data>`", severity=severity)
    for k, child in enumerate(meta.children):
        if (
            isinstance(child, Element)
            and child.get("value") is None
            and not child.children
            and child.tag != "cli_parameters"
        ):
            message = f"missing value for `{child.tag}` in `<meta_data>`"
            yield Problem(R.runtime_info, Place((found, k), "tag"), message, severity=severity)


def _net(root: Element) -> Iterator[Problem]:
    yield from _meta_data(root)
    for k, child in enumerate(root.children):
        if not isinstance(child, Element) or child.tag != "rt_info":
            continue
        if child.texts:
            yield Problem(
                R.runtime_info,
                Place((k,), "text"),
                "unexpected text in `<rt_info>`; OpenVINO ignores it",
                severity=Severity.WARNING,
            )
        yield from _entries(child, (k,))


def _entries(info: Element, path: Path) -> Iterator[Problem]:
    """Check the entries of the model's own `<rt_info>`: `<key value=...>` or `<info name=... value=...>`."""
    stack = [(info, path)]
    while stack:
        parent, at = stack.pop()
        seen: dict[str, Path] = {}
        valued = parent is not info and any(child.get("value") is not None for child in parent.elements())
        for k, child in enumerate(parent.children):
            if not isinstance(child, Element):
                continue
            here = (*at, k)
            key = child.get("name") or child.tag
            if key in seen:
                message = f"duplicate key `{key}` in `<{parent.tag}>`; OpenVINO keeps only one"
                yield Problem(R.duplicate_key, Place(here, "tag"), message, related=[("first defined here", Place(seen[key], "tag"))],
                              severity=Severity.WARNING)  # fmt: skip
            seen.setdefault(key, here)
            if child.children:
                stack.append((child, here))
            elif child.get("value") is None and not child.texts and (child.attributes or valued or _is_version(key)):
                yield Problem(
                    R.runtime_info,
                    Place(here, "tag"),
                    f"missing value for `{key}` in `<{parent.tag}>`",
                    severity=Severity.WARNING,
                )


def _is_version(key: str) -> bool:
    """Return whether an entry requires a value, judged by its name; others may be empty maps."""
    return key.lower().endswith("version")
