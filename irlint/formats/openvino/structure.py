"""What the schema has against a file, weighed by what the reader makes of it. Regular layers and edges fit the schema as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.layers import ELEMENT_TYPES, PRECISIONS, dimension, unsigned
from irlint.formats.openvino.named import rules
from irlint.operators import nearest
from irlint.records import NamedTuple
from irlint.rules.structure.missing_key import Lacking
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.xml import XmlDocument
from irlint.text.xml_tree import Element

if TYPE_CHECKING:
    from irlint.schema_xsd import Violation

_BATCH = 200  # pieces validated together: libxml2 counts siblings to name the place of an error
_VITAL = frozenset({"layers", "edges", "layer", "edge", "input", "output", "port", "data", "body", "then_body", "else_body",
                    "port_map", "then_port_map", "else_port_map"})  # fmt: skip
_FREE = frozenset({"rt_info", "meta_data"})  # the schema has nothing to say of what is in them
_MANY = frozenset({"layer", "edge", "port", "dim"})
_OPTIONAL_NUMBERS = frozenset({"start", "end", "stride", "part_size"})


class _Piece(NamedTuple):
    """A child of the root, or a child of <layers> or <edges> in it, with its path in the document."""

    parent: int | None  # which child of the root it stands in; None: it is one itself
    path: Path
    element: Element


Weigh = Callable[[str, Path], "Severity | None"]


def structure(document: XmlDocument, schema: str, weigh: Weigh = lambda meant, path: None) -> Iterator[Problem]:
    """Problems of everything that is not laid out regularly. `weigh` says how bad it is that what was meant is not read."""
    root = document.root
    assert root is not None
    if document.broken:
        return  # the elements are guesswork
    pieces = [_Piece(None, (k,), c) for k, c in enumerate(root.children) if isinstance(c, Element) and not _section(c)]
    for k, child in enumerate(root.children):
        if isinstance(child, Element) and _section(child):
            inner = ((j, child.children[j]) for j in child.own)
            pieces += [_Piece(k, (k, j), c) for j, c in inner if isinstance(c, Element)]
    if _as_written(root, pieces):
        return
    yield from _batch(document, schema, weigh, root, pieces[:_BATCH], True)
    for start in range(_BATCH, len(pieces), _BATCH):
        yield from _batch(document, schema, weigh, root, pieces[start : start + _BATCH], False)


def _as_written(root: Element, pieces: list[_Piece]) -> bool:
    """Whether everything is laid out as writers do it, so that there is no need to load the schema."""
    if root.texts or any(a.name not in ("name", "version") for a in root.attributes):
        return False
    sections = [c for c in root.children if isinstance(c, Element) and _section(c)]
    if any(section.attributes or section.texts for section in sections):
        return False
    return all(p.parent is None and p.element.tag in _FREE and not p.element.texts for p in pieces)


def _section(element: Element) -> bool:
    return element.tag in ("layers", "edges")


def _batch(
    document: XmlDocument, schema: str, weigh: Weigh, root: Element, pieces: list[_Piece], first: bool
) -> Iterator[Problem]:
    from irlint.schema_xsd import violations

    text = document.text
    parts = [_tag(text, root, "net")]
    places: list[tuple[Path, list[Path] | None]] = []
    for k, child in enumerate(root.children):
        if not isinstance(child, Element):
            continue
        if not _section(child):
            for piece in pieces:
                if piece.path == (k,):
                    parts.append(text[child.start : child.end])
                    places.append((piece.path, None))
            continue
        inner = [p for p in pieces if p.parent == k]
        if first or inner:
            loose = "x" if first and child.texts else ""
            parts += [
                _tag(text, child, child.tag),
                loose,
                *(text[p.element.start : p.element.end] for p in inner),
                f"</{child.tag}>",
            ]
            places.append(((k,), [p.path for p in inner]))
    parts.append("x" if first and root.texts else "")
    parts.append("</net>")
    for violation in violations(schema, "".join(parts)):
        path = _path(violation.path, places)
        if path is not None and (first or len(path) > 1):
            problem = _problem(document, schema, weigh, violation, path)
            if problem is not None:
                yield _of_layer(document, problem, path)


def _of_layer(document: XmlDocument, problem: Problem, path: Path) -> Problem:
    """The problem with the innermost layer around it named."""
    for size in range(len(path), 0, -1):
        element = document.element(path[:size])
        if element.tag == "layer":
            problem.node = element.get("name")
            number = element.get("id")
            who = repr(problem.node) if problem.node is not None else number and f"layer {number}"
            if who:
                problem.message = f"{who}: {problem.message}"
            break
    return problem


def _tag(text: str, element: Element, tag: str) -> str:
    """The element's start tag, with no namespace and not closed."""
    attributes = [a for a in element.attributes if not a.name.startswith("xmlns")]
    return " ".join([f"<{tag}", *(text[a.start : a.value_end + 1] for a in attributes)]) + ">"


def _path(found: tuple[int, ...], places: list[tuple[Path, list[Path] | None]]) -> Path | None:
    """The path in the document of something found in a batch."""
    if not found:
        return ()
    if found[0] >= len(places):
        return None
    path, inner = places[found[0]]
    if len(found) == 1 or inner is None:
        return (*path, *found[1:])
    return (*inner[found[1]], *found[2:]) if found[1] < len(inner) else None


def _problem(document: XmlDocument, schema: str, weigh: Weigh, found: Violation, path: Path) -> Problem | None:
    try:
        element = document.element(path)
    except LookupError:
        element = None
    if element is None or (path and element.tag != found.tag):
        return None  # a broken document, of which lxml makes another tree
    who = f"<{found.tag}>"
    if found.kind == "element":
        return _stranger(document, schema, weigh, found, path, element)
    if found.kind == "text":
        return Problem(rules.UnknownKey, Place(path, "text"), f"text inside {who}, where only elements belong: readers skip it",
                       severity=Severity.WARNING)  # fmt: skip
    if found.kind == "missing":
        known = [a.name for a in element.attributes]
        meant = nearest(found.attribute or "", known)
        if (meant is not None and _is_stranger(meant)) or (not path and found.attribute == "version"):
            return None  # the misspelled attribute is the finding; a file without a version has one of its own
        return Lacking(
            rules.MissingKey,
            Place(path, "tag"),
            f"{who} has no attribute {found.attribute}; the reader refuses the file without it",
            key=found.attribute or "",
        )
    if found.kind == "attribute":
        if [a.name for a in element.attributes].count(found.attribute or "") > 1:
            return None  # XML itself forbids that
        side = document.element(path[:-1]).tag if path else ""
        return _unknown_attribute(found, path, element, side)
    return _value(document, found, path)


_KNOWN = ("id", "name", "type", "version", "precision", "names", "from-layer", "from-port", "to-layer", "to-port",
          "external_port_id", "internal_layer_id", "axis", "start", "end", "stride", "part_size", "purpose", "output_names")  # fmt: skip
_NEEDED = {
    "net": ("version",), "layer": ("id", "name", "type", "version"), "port": ("id", "precision"),
    "edge": ("from-layer", "from-port", "to-layer", "to-port"),
    "input": ("external_port_id", "internal_layer_id"), "output": ("external_port_id", "internal_layer_id"),
}  # fmt: skip


def _is_stranger(name: str) -> bool:
    return name not in _KNOWN


def _unknown_attribute(found: Violation, path: Path, element: Element, side: str) -> Problem:
    name = found.attribute or ""
    missing = [n for n in _NEEDED.get(found.tag, ()) if element.get(n) is None]
    meant = nearest(name, missing)
    message = f"<{found.tag}> has no attribute called {name}: readers ignore it"
    if meant is None:
        return Problem(rules.UnknownKey, Place(path, f"@{name}.name"), message, severity=Severity.WARNING)
    place = Place(path, f"@{name}.name")

    def fix(document: Document) -> Fix:
        return Fix(f"Call it {meant}", (Edit(document.span(place), meant),), "safe")

    return Problem(
        rules.UnknownKey,
        place,
        f"<{found.tag}> has no attribute called {name}; did you mean {meant}, which is missing?",
        fix=fix,
        severity=Severity.WARNING if (meant, side) == ("precision", "input") else None,  # nobody reads it
    )


def _stranger(
    document: XmlDocument, schema: str, weigh: Weigh, found: Violation, path: Path, element: Element
) -> Problem:
    place = Place(path, "name")
    if element.tag.endswith(":include") or element.tag == "include":
        return Problem(rules.DocumentType, place, f"<{element.tag}> asks to include another file: no reader of model files does that",
                       severity=Severity.WARNING)  # fmt: skip
    parent = document.element(path[:-1]) if path else None
    where = f" in <{parent.tag}>" if parent is not None else ""
    have = {c.tag for c in parent.elements()} if parent is not None else set()
    from irlint.schema_xsd import children

    known = children(schema).get(parent.tag, ()) if parent is not None else ()
    meant = nearest(element.tag, [e for e in known if e not in have or e in _MANY])
    if meant is None:
        return Problem(rules.UnknownKey, place, f"<{element.tag}> does not belong{where}: readers skip it with all that is in it",
                       severity=Severity.WARNING)  # fmt: skip

    severity = weigh(meant, path) if meant in _VITAL else Severity.WARNING

    def fix(_: Document) -> Fix:
        edits = [Edit(Span(element.start + 1, element.start + 1 + len(element.tag)), meant)]
        if element.end > element.close:
            edits.append(Edit(Span(element.close + 2, element.close + 2 + len(element.tag)), meant))
        return Fix(f"Call it <{meant}>", tuple(edits), "safe" if severity is None else "unsafe")

    return Problem(
        rules.UnknownKey, place, f"<{element.tag}> does not belong{where}; did you mean <{meant}>? Readers skip what they do not know",
        fix=fix, severity=severity,
    )  # fmt: skip


def _value(document: XmlDocument, found: Violation, path: Path) -> Problem | None:
    who = f"{found.attribute} of <{found.tag}>" if found.attribute else f"the content of <{found.tag}>"
    part = f"@{found.attribute}" if found.attribute else "text"
    place, value = Place(path, part), found.value
    if found.attribute == "version" and found.tag == "net":
        return None  # the version has findings of its own
    if found.attribute == "precision":
        side = document.element(path[:-1]).tag
        return _precision(place, who, value, side == "output")
    if found.expected:
        words = ", ".join(found.expected)
        milder = (
            Severity.WARNING if found.tag == "input" else None
        )  # the reader drops an input's purpose that it does not know
        return Problem(rules.ValueNotAllowed, place, f"{who} is {value!r}; it may be {words}", severity=milder)
    read = _number(found, value)
    if read is None:
        return Problem(rules.WrongType, place, f"{who} is {value!r}; it must be {found.wanted}")

    def fix(document: Document) -> Fix:
        return Fix(f"Write {read}", (Edit(document.span(place), read),), "safe")

    return Problem(rules.WrongType, place, f"{who} is {value!r}, which is read as {read}; it should be {found.wanted}", fix=fix,
                   severity=Severity.WARNING)  # fmt: skip


def _number(found: Violation, value: str) -> str | None:
    """The number that the reader takes a text for; None if it refuses it."""
    if found.tag == "dim":
        number = dimension(value)
        return None if number is None else str(number)
    if found.attribute == "external_port_id" or found.attribute in _OPTIONAL_NUMBERS:
        try:
            return str(int(value)) if len(value) < 30 and value.isascii() and "_" not in value else None
        except ValueError:
            return None
    return unsigned(value)


def _precision(place: Place, who: str, value: str, read: bool) -> Problem:
    upper = {e.upper(): p for e, p in _SPELLINGS.items()}
    right = (
        value.upper()
        if value.upper() in PRECISIONS
        else upper.get(value.strip().upper(), _OTHER_NAMES.get(value.strip().lower()))
    )
    taken = value in ELEMENT_TYPES or value in PRECISIONS
    message = f"{who} is {value!r}" + ("" if taken else ", which is no precision that the reader knows")
    message += f"; it is written {right}" if right else "; precisions are FP32, FP16, I64, I32, I8, U8, BOOL, ..."
    fix = None
    if right:

        def fix(document: Document) -> Fix:
            return Fix(f"Write {right}", (Edit(document.span(place), right),), "safe")

    return Problem(
        rules.ValueNotAllowed, place, message, fix=fix, severity=Severity.WARNING if taken or not read else None
    )


_SPELLINGS = {
    "f32": "FP32", "f16": "FP16", "bf16": "BF16", "f64": "FP64", "boolean": "BOOL", "bin": "BIN", "dynamic": "UNSPECIFIED",
    "undefined": "UNSPECIFIED", **{e: e.upper() for e in ELEMENT_TYPES if e[0] in "iu" and e[1:].isdigit()},
    "nf4": "NF4", "string": "STRING", "f8e4m3": "F8E4M3", "f8e5m2": "F8E5M2", "f8e8m0": "F8E8M0", "f4e2m1": "F4E2M1",
}  # fmt: skip
_OTHER_NAMES = {
    "float": "FP32", "float32": "FP32", "single": "FP32", "half": "FP16", "float16": "FP16", "double": "FP64", "float64": "FP64",
    "bfloat16": "BF16", "int": "I32", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "long": "I64",
    "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64", "bool": "BOOL",
}  # fmt: skip
