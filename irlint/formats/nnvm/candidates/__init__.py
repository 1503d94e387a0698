"""What may have been meant where a symbol is wrong: other operators, values, entries, heads. The search for repairs tries them."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import EVIDENT, Candidate, Finding
from irlint.formats.nnvm.candidates.site import HOLDERS, SymbolSite, list_of
from irlint.formats.nnvm.reading.view import lenient_view
from irlint.formats.nnvm.rules import R
from irlint.operators import nearest
from irlint.repairs.attributes import attribute_candidates
from irlint.repairs.inputs import input_candidates
from irlint.repairs.operators import operator_candidates
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.json.document import JsonDocument
from irlint.tools.names import is_typo

_RELATED = 4  # places of one finding
_MOST = 64  # entries of a node that are looked at
_FAR = 64  # nodes above that are looked at
_MOST_INPUTS = 8  # of a node whose inputs are lost
_MOST_HEADS = 16  # nodes that are tried for one head
_OF_ATTRIBUTES = frozenset(
    row.code
    for row in (R.unknown_attribute, R.missing_attribute, R.wrong_attribute_type, R.bool_string, R.value_not_in_enum)
)  # names and values that no input makes right


def candidates(model: Model, finding: Finding) -> Iterator[Candidate]:
    """Changes that might repair an error: at its token, in its node, in the nodes that it speaks of."""
    document, table = model.document, model.operators
    if not isinstance(document, JsonDocument) or table is None:
        return
    if finding.code == R.shifted_nodes.code and finding.fix is None:
        from irlint.formats.nnvm.passes import node_shift

        yield from node_shift.candidates(model)
    if (
        finding.code == R.missing_key.code and finding.fix is not None
    ):  # what programs call a node, nothing in the file tells
        yield Candidate(finding.fix.title, finding.fix.edits, 0, is_guess=_lacks_name(document, finding))
    spans = [finding.span, *(related.span for related in finding.related[:_RELATED])]
    places = [document.place_at(span.start) for span in spans]
    for place in dict.fromkeys(places):
        graph = place.path[: _depth(place.path)]
        match place.path[len(graph) :]:
            case ("heads", *_):
                yield from head_candidates(document, graph, place.path)
            case ("nodes", int(index), *_):
                view = lenient_view(document.value_at(graph), graph)
                if view.has(index) and view.originals[index]:
                    yield from _at(SymbolSite(model, document, view, index), place, finding.code not in _OF_ATTRIBUTES)


def _lacks_name(document: JsonDocument, finding: Finding) -> bool:
    """Return whether a finding is at a node without a name."""
    path = document.place_at(finding.span.start).path
    nodes = (document.value_at(path[:size]) for size in range(len(path), 1, -1) if path[size - 2] == "nodes")
    node = next(nodes, None)
    return isinstance(node, dict) and "name" not in node


def _depth(path: Path) -> int:
    """Return how long the path of the innermost graph is that a place is in."""
    lists = [k for k, step in enumerate(path) if step in ("nodes", "heads")]
    return max((k for k in lists if k == 0 or path[k - 2 : k - 1] == ("subgraphs",)), default=0)


def _at(site: SymbolSite, place: Place, may_be_inputs: bool) -> Iterator[Candidate]:
    """Yield candidates of a node, the most likely first."""
    rest = place.path[len(site.path) :]
    if place.part == "key" and len(rest) == 1:
        yield from key_candidates(site, str(rest[0]))
    found = [*_of_attributes(site, rest, place.part == "key")]
    if may_be_inputs:
        found += _of_inputs(site, rest)
    yield from sorted(found, key=lambda one: one.likelihood)


def _of_attributes(site: SymbolSite, rest: Path, is_name: bool) -> Iterator[Candidate]:
    match rest:
        case (site.holder, str(key), *_) if not is_name:
            site.pointed = key
    yield from attribute_candidates(site, site.pointed)
    if rest[:1] in ((), ("op",), (site.holder,)):
        if not site.entries and site.op != "null" and not site.attributes:
            yield Candidate(site.replacing.format("null"), site.with_operator("null"), 0)
        yield from operator_candidates(site, site.alike())


def _of_inputs(site: SymbolSite, rest: Path) -> Iterator[Candidate]:
    if not isinstance(site.node.get("inputs"), list):
        yield from whole_candidates(site)
    elif len(site.entries) <= _MOST:
        at = next((step for step in rest[1:2] if rest[0] == "inputs" and isinstance(step, int)), None)
        yield from input_candidates(site, at)
        yield from output_candidates(site, at or 0)


def key_candidates(site: SymbolSite, key: str) -> Iterator[Candidate]:
    """Yield other names for a key of a node, and its removal."""
    lacking = [meant for meant in (*HOLDERS, "inputs", "op", "name") if meant not in site.node]
    near = nearest(key, lacking)
    for meant in lacking:
        likelihood = EVIDENT if meant == near and is_typo(key, meant) else 2 if nearest(key, [meant]) is None else 0
        yield Candidate(f"Rename to `{meant}`", site.document.rename_key((*site.path, key), meant), likelihood)
    yield Candidate(f"Remove key `{key}`", site.document.remove((*site.path, key)), 1)


def whole_candidates(site: SymbolSite) -> Iterator[Candidate]:
    """Yield inputs for a node without any: unused nodes, nodes named for it, and the nearest ones."""
    if site.op == "null" or site.operator is None:
        return
    unread, lists = _unread_lists(site)
    for sources in dict.fromkeys(map(tuple, lists)):
        if 0 < len(sources) <= _MOST_INPUTS:
            edits = site.with_all_inputs([(node, 0) for node in sources])
            shown = ", ".join(site.shown(node, 0) for node in sources)
            yield Candidate(f"Set `inputs` to {shown}", edits, int(list(sources) != unread))


def _unread_lists(site: SymbolSite) -> tuple[list[int], list[list[int]]]:
    """Return the unused nodes above, and lists of what may have been meant, the most likely first."""
    read, view = {node for node, _ in site.used}, site.view
    above = range(max(site.index - _FAR, 0), site.index)
    unread = [k for k in above if k not in read]
    prefix = f"{site.name}_" if site.name else None
    named = [k for k in filter(view.is_variable, unread) if prefix and view.names[k].startswith(prefix)]
    others = [k for k in unread if k not in named]
    near = [k for k in reversed(above) if k in read and view.ops[k] != "null"][:2]
    return unread, [unread, [*others[-1:], *named], *([k, *unread] for k in near), *([k] for k in near)]


def output_candidates(site: SymbolSite, k: int) -> Iterator[Candidate]:
    """Yield the first output of a node for an entry whose second number is wrong."""
    entry = list_of(site.entries[k]) if k < len(site.entries) else []
    if len(entry) > 1 and type(entry[0]) is int and (entry[1] != 0 or type(entry[1]) is not int):
        edits = site.document.write(Place((*site.path, "inputs", k, 1)), 0)
        yield Candidate(f"Use output 0 for input {k + 1}", edits, 1)


def head_candidates(document: JsonDocument, at: Path, path: Path) -> Iterator[Candidate]:
    """Yield other outputs for the graph at `at`: unused nodes, the last one first."""
    path, view = path[: len(at) + 2], lenient_view(document.value_at(at), at)
    if len(path) < len(at) + 2:
        return
    entry = list_of(document.value_at(path))
    width = len(entry) if len(entry) in (2, 3) else 3
    read = {source[0] for source in view.entries}
    calls = [k for k, op in enumerate(view.ops) if op != "null" and k not in read]
    for k in calls[: -_MOST_HEADS - 1 : -1]:
        edits = document.replace(Place(path), document.dump([k, 0, 0][:width]))
        yield Candidate(f"Replace the output with {view.names[k]!r}", edits, 1)
    if len(entry) > 1 and isinstance(entry[0], int):
        yield Candidate("Use output 0 of the node", document.write(Place((*path, 1)), 0), 1)
    yield Candidate("Remove the output", document.remove(path), 2, is_guess=True)  # another node may have been meant
