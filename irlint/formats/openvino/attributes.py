"""Check the attributes of layers against the operator table; layers with equal text are checked once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reader import Section
from irlint.formats.openvino.recurrent import needs_hidden_size
from irlint.formats.openvino.values import ValueProblem, faults, taken_without
from irlint.graph import Graph, Node, label
from irlint.operators import Attribute, Operator, nearest
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.xml_tree import escape

_ALIKE = 0.88  # of difflib's ratio
HINTS = frozenset({"PrimitivesPriority", "alt_width"})  # what plug-ins leave on any layer, and take from any


def attribute_problems(section: Section, node: Node, operator: Operator) -> Iterator[Problem]:
    graph, attrs, known = section.graph, node.attrs, operator.attributes
    absent = [a for name, a in known.items() if name not in attrs]
    for name in attrs:
        if name not in known:
            if name in HINTS:
                continue
            meant = _meant(name, attrs[name], absent)
            absent = [a for a in absent if a.name != meant]
            yield _unknown(section, node, name, meant, known)
            continue
        for fault in faults(attrs[name], known[name]):
            if fault.severity == Severity.ERROR and attrs[name] == "" and not _is_read(section, node, known[name]):
                fault = fault._replace(severity=Severity.WARNING)
            if name in ("pads_begin", "pads_end"):
                from irlint.formats.openvino.pads import judged

                fault = judged(node, name, fault)
            elif name == "hidden_size" and fault.rule == R.value_out_of_range and needs_hidden_size(graph, node):
                fault = fault._replace(severity=Severity.ERROR)
            elif name == "element_type" and attrs[name] in ("dynamic", "undefined") and _is_fed(section, node):
                fault = fault._replace(severity=Severity.WARNING)
            elif name == "shape" and fault.rule == R.value_out_of_range and section.graph.parent is not None:
                if attrs[name].strip("[] ") == "...":
                    continue  # a body's Parameter is as what feeds it
                fault = fault._replace(severity=Severity.WARNING)
            yield value_problem(graph, node, name, fault)
    excluded = {a.facts.get("excludes") for a in known.values() if a.name in attrs}
    for attribute in absent:
        if attribute.name not in excluded and (problem := _absent(section, node, attribute)) is not None:
            yield problem


def _is_read(section: Section, node: Node, attribute: Attribute) -> bool:
    """Return whether the operation uses an attribute: some matter only for one output or for one value of another attribute."""
    output = attribute.facts.get("used")
    if output is None or (node.index, output) in section.read_outputs:
        return True
    return any(node.attrs.get(name) == word for name, word in attribute.facts.get("used_with", {}).items())


def _is_fed(section: Section, node: Node) -> bool:
    """Return whether a Parameter takes its type from an If; CPU plug-in 2026.4.1 refuses this in a TensorIterator."""
    parent = section.graph.parent
    return node.kind == "var" and parent is not None and parent.op == "If"


def _meant(name: str, text: str, absent: list[Attribute]) -> str | None:
    """Return the attribute with a similar name, or with a name of which one is a prefix: kernel_size for kernel.

    Prefers attributes that accept the value.
    """
    fitting = [a for a in absent if _takes(a, text)]
    for among in (fitting, absent):
        if (found := nearest(name, [a.name for a in among])) is not None:
            return found
    likely = [a.name for a in fitting if a.required and (name.startswith(a.name) or a.name.startswith(name))]
    return likely[0] if len(likely) == 1 else None


def _takes(attribute: Attribute, text: str) -> bool:
    return not any(fault.severity == Severity.ERROR for fault in faults(text, attribute))


def _instead_of(taken: str | None, value: str | None) -> str:
    """Return the end of a fix's title that says what changes for those who run the model as it is."""
    return "" if taken in (None, "", value) else f" (OpenVINO now uses `{taken}`)"


def value_problem(graph: Graph, node: Node, name: str, fault: ValueProblem) -> Problem:
    place = graph.place(node, f"attr:{name}")
    at = Place(place.path, place.part, fault.inner)
    better = fault.better

    def fix(document: Document) -> Fix:
        title = f"Set `{name}` to `{better}`{_instead_of(fault.taken, better)}"
        return Fix(title, document.write(place, better), "safe" if fault.safe else "unsafe")

    return Problem(
        fault.rule,
        at,
        f"{fault.what} for `{name}` of {label(node)}{fault.rest}",
        node.name,
        None if better is None else fix,
        severity=fault.severity,
    )


def _unknown(section: Section, node: Node, name: str, meant: str | None, known: dict[str, Attribute]) -> Problem:
    graph = section.graph
    place = graph.place(node, f"attr_key:{name}")
    message = f"unknown attribute `{name}` for {label(node)}"
    if meant is not None:
        attribute = known[meant]
        refused = _refusal(section, node, attribute) is not None and _is_read(section, node, attribute)
        sure = refused and _takes(attribute, node.attrs[name])
        message += f"; did you mean `{meant}`?"

        taken = None if refused else taken_without(attribute)
        title = f"Rename to `{meant}`{_instead_of(taken, node.attrs[name])}"

        def rename(document: Document) -> Fix:
            return Fix(title, document.write(place, meant), "safe" if sure else "unsafe")

        severity = Severity.ERROR if refused else Severity.WARNING
        return Problem(R.unknown_attribute, place, message, node.name, rename, severity=severity, meant=meant)
    from irlint.formats.openvino.leftovers import matters

    twin = next((other for other in known if _alike(other, name)), None)
    severity = Severity.WARNING if twin is not None or matters(node, name) else Severity.PEDANTIC
    related = []
    if twin is not None:
        message += f"; did you mean `{twin}`, which is also present?"
    else:
        message += "; OpenVINO ignores it"
        if severity == Severity.WARNING:
            names = ", ".join(f"`{allowed}`" for allowed in list(known)[:12])
            related.append((f"{node.op} allows {names or 'no attributes'}", graph.place(node, "op")))

    def remove(document: Document) -> Fix:
        start, end = document.span(Place(place.path, f"@{name}.member"))
        while start > 0 and document.text[start - 1] in " \t\r\n":
            start -= 1
        return Fix(f"Remove `{name}`", (Edit(Span(start, end), ""),), "safe")

    # OpenVINO 2026.4.1 ignores unknown attributes of all 237 operations; what was meant takes its default
    return Problem(R.unknown_attribute, place, message, node.name, remove, related, severity, meant=twin)


@lru_cache(maxsize=4096)
def _alike(name: str, other: str) -> bool:
    """Return whether two names differ only in what is easily mistyped, or in a letter of a long name: `flip` is not `clip`."""
    from difflib import SequenceMatcher

    one, two = _bare(name), _bare(other)
    return one == two or SequenceMatcher(None, one, two).ratio() > _ALIKE


@lru_cache(maxsize=4096)
def _bare(name: str) -> str:
    """Return a name without what is easily mistyped: letter case, separators, the plural."""
    return name.casefold().replace("_", "").replace("-", "").removesuffix("s")


def _refusal(section: Section, node: Node, attribute: Attribute) -> str | None:
    """Return "refused" or "crash" for what a missing attribute causes; None if the reader accepts the file without it."""
    facts, name = attribute.facts, attribute.name
    if facts.get("instead") in node.attrs:
        return None
    if facts.get("absent") == "open":
        from irlint.formats.openvino.open_variables import is_refused

        return "refused" if is_refused(node) else None
    if name == "hidden_size" and needs_hidden_size(section.graph, node):
        return "refused"
    if "with" in facts and facts["with"] not in node.attrs:
        return None  # both may be missing, one alone may not
    if name == "element_type" and _is_fed(section, node):
        return None
    how: str | None = facts.get("absent")
    return how


def _absent(section: Section, node: Node, attribute: Attribute) -> Problem | None:
    """Report a missing attribute, unless the reader uses the specified default."""
    graph, facts, name = section.graph, attribute.facts, attribute.name
    if facts.get("absent") == "open":
        return None  # open_variables.py knows
    if facts.get("instead") in node.attrs:
        return None  # another attribute says the same
    how = _refusal(section, node, attribute)
    is_read = _is_read(section, node, attribute)
    default = _repeated(attribute, node)
    unfit = attribute.default in facts.get("refused", ())
    if unfit:
        how = "refused"
    taken = facts.get("fallback", attribute.default)
    if how is not None:
        rest = "OpenVINO crashes without it" if how == "crash" else "OpenVINO refuses the model"
        if not attribute.required:
            rest += f", although the specification defaults to `{default}`"
        better = default if not unfit else next(v for v in attribute.values if v not in facts["refused"])
    elif attribute.required:
        rest = "" if taken is None else f"OpenVINO uses {_shown(taken)}"
        better = taken
    elif attribute.default is not None and "fallback" in facts and not _same(taken, attribute.default):
        rest = f"OpenVINO uses {_shown(taken)}, although the specification defaults to `{default}`"
        better = None
    else:
        return None

    usual = str(better) if better is not None and _writable(str(better), attribute) else None

    def fix(document: Document) -> Fix | None:
        from irlint.formats.openvino.implied import implied

        value = implied(section, node, attribute, usual)
        # a value that the reader does not take by itself makes another model of a file that it takes
        safe = how is not None or value == str(taken)
        now = "" if safe else _instead_of(str(taken) if taken else None, value)
        return None if value is None else _adding(document, graph, node, name, value, safe, now)

    kind = "required attribute" if attribute.required else "attribute"
    return Problem(
        R.missing_attribute,
        graph.place(node, "attrs"),
        f"missing {kind} `{name}` for {label(node)}{rest and f'; {rest}'}",
        node.name,
        fix,
        severity=Severity.WARNING if how is None else Severity.ERROR if is_read else Severity.PEDANTIC,
    )


def _repeated(attribute: Attribute, node: Node) -> Any:
    """Return a default as it is written at a node: a single number is repeated to the length of another attribute."""
    like = node.attrs.get(attribute.facts.get("repeated", ""))
    return attribute.default if like is None else ",".join([attribute.default] * (like.count(",") + 1))


def _writable(value: str, attribute: Attribute) -> bool:
    """Return whether a default can be written as it appears in the table."""
    return value != "dynamic" and _takes(attribute, value)


def _same(a: str, b: str) -> bool:
    """Return whether two defaults are equal; a single number equals a list that repeats it."""
    one, other = ([w.strip().rstrip("0").rstrip(".") for w in text.split(",")] for text in (a, b))
    return one == other or (1 in (len(one), len(other)) and set(one) == set(other))


def _shown(value: str | None) -> str:
    return "no value" if value in (None, "") else f"`{value}`"


def _adding(document: Document, graph: Graph, node: Node, name: str, value: str, safe: bool, now: str) -> Fix | None:
    place = graph.place(node, "attrs")
    start, end = document.span(place)
    tag = document.text[start:end]
    if not tag.startswith("<data"):
        return None
    at = end - (2 if tag.endswith("/>") else 1)
    while document.text[at - 1] in " \t\r\n":
        at -= 1
    edits = (Edit(Span(at, at), f' {name}="{escape(value)}"'),)
    return Fix(f'Insert `{name}="{value}"`{now}', edits, "safe" if safe else "unsafe")
