"""What the checker and runtimes demand of a model before they look at any operator: versions, imports, names and types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from irlint.checks.fault import Repair
from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.formats.onnx.opset_guess import guessed
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.trees import calls_in
from irlint.formats.onnx.wire.reader import Tree
from irlint.operators import OperatorTable, nearest, table
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place
from irlint.text.words import count


def imports(tree: Tree) -> dict[str, int]:
    """Return the opsets that a model or a function imports."""
    return {domain_of(one.get("domain", "")): one.get("version", 0) for one in tree.get("opset_import", ())}


def usable_imports(tree: Tree) -> dict[str, int]:
    """Return the opsets by which operators are judged."""
    found, newest = imports(tree), table("onnx").raw["opsets"]
    for domain in (DEFAULT, "ai.onnx.ml"):
        if domain in found and not 1 <= found[domain] <= newest[domain]:
            found[domain] = guessed(tree, domain)
    return found if DEFAULT in found or "ir_version" not in tree else {**found, DEFAULT: guessed(tree, DEFAULT)}


def structure_problems(model: Model, document: OnnxDocument) -> Iterator[Problem]:
    tree, known = document.tree, table("onnx")
    if document.troubles:
        return
    yield from _versions(tree, known)
    yield from _metadata(tree.get("metadata_props", ()))
    functions = tree.get("functions", ())
    used = _domains(tree.get("graph", {}))
    defined = {domain_of(f.get("domain", "")) for f in functions}
    there = {*known.raw["opsets"], *defined, *model.options.get("extensions", ())}
    yield from _imports(tree, (), used, known, defined, there)
    for k, function in enumerate(functions):
        own = _domains(function)
        yield from _imports(function, ("functions", k), own, known, set(), there, imports(tree))
    if "graph" not in tree:
        yield Problem(R.missing_key, Place(()), "the model has no graph")
        return
    yield from _graph(tree["graph"], ("graph",), 0 < tree.get("ir_version", 0) < 4)


def _metadata(entries: Sequence[Tree]) -> Iterator[Problem]:
    """Report keys that a model's metadata has twice: onnx.checker 1.23.2 refuses them, and runtimes keep one of the values."""
    first: dict[str, int] = {}
    for k, entry in enumerate(entries):
        key = entry.get("key", "")
        if first.setdefault(key, k) != k:
            related = [("first defined here", Place(("metadata_props", first[key], "key")))]
            message = f"duplicate metadata key `{key}`"
            yield Problem(R.duplicate_definition, Place(("metadata_props", k, "key")), message, None, None, related)


def _versions(tree: Tree, known: OperatorTable) -> Iterator[Problem]:
    newest = max(map(int, known.raw["ir"]))
    version, opset = tree.get("ir_version", 0), imports(tree).get(DEFAULT, 0)
    if 0 < version < 3 and tree.get("opset_import"):
        message = f"IR version {version} has no opset imports; expected at least 3"
        yield Problem(R.value_not_allowed, Place(("ir_version",)), message, None, _writing(Place(("ir_version",)), 3))
        return
    meant = next((int(ir) for ir, row in known.raw["ir"].items() if row["opset"] >= opset), newest)
    if version < 1:
        message = f"missing required field `ir_version`; opset {opset} came with {meant}"
        yield Problem(R.missing_key, Place(("ir_version",)), message, fix=_inserting("ir_version", meant))
    elif version > newest:
        message = f"unknown IR version {version}; the newest is {newest}"
        fix = _writing(Place(("ir_version",)), meant)
        yield Problem(R.value_not_allowed, Place(("ir_version",)), message, fix=fix)


def _imports(
    tree: Tree,
    path: Path,
    used: Counter[str],
    known: OperatorTable,
    functions: set[str],
    there: set[str],
    around: dict[str, int] | None = None,
) -> Iterator[Problem]:
    """Report opsets that are not imported, imported twice, or unknown. Of domains that are not `there`, operators are reported."""
    seen: dict[str, Place] = {}
    newest = known.raw["opsets"]
    for k, one in enumerate(tree.get("opset_import", ())):
        at, domain = Place((*path, "opset_import", k)), domain_of(one.get("domain", ""))
        version = one.get("version", 0)
        if domain in newest and not 1 <= version <= newest[domain]:
            message = f"unknown opset {version} of {domain}; the newest is {newest[domain]}"
            where, fix = Place((*at.path, "version")), _writing(Place((*at.path, "version")), guessed(tree, domain))
            # onnxruntime 1.32 asks nothing of versions below 1 but for operators
            is_mild = version < 1 and domain != DEFAULT and domain not in used
            severity = Severity.WARNING if is_mild else None
            yield Problem(R.value_not_allowed, where, message, None, fix, severity=severity)
            seen.setdefault(domain, at)
            continue
        if domain in seen:
            message = f"opset of {domain} is imported twice"
            is_same = version == tree["opset_import"][int(seen[domain].path[-1])].get("version", 0)
            level = Severity.PEDANTIC if is_same else Severity.WARNING
            related = [("first imported here", seen[domain])]
            yield Problem(R.duplicate_definition, at, message, None, None, related, level)
            continue
        seen[domain] = at
    for domain, times in used.items():
        if domain in seen or domain not in there:
            continue
        at = Place((*path, "opset_import"))
        message = f"missing opset import for {domain}, which {count(times, 'node')} {'uses' if times == 1 else 'use'}"
        near = nearest(domain, [other for other in seen if other not in used and other not in newest])
        if near is not None:
            where = Place((*seen[near].path, "domain"))
            fix = _writing(where, domain)
            yield Problem(R.undefined_reference, where, f"{message}; `{near}` is imported instead", None, fix)
            continue
        version = (around or {}).get(domain) or (1 if domain in functions else guessed(tree, domain))
        fix = _importing(path, "" if domain == DEFAULT else domain, version)
        yield Problem(R.missing_key, at, message, None, fix)


def _domains(tree: Tree) -> Counter[str]:
    """Return how many nodes of a graph or a function, nested ones too, use each domain."""
    return Counter(domain_of(call.get("domain", "")) for call in calls_in(tree.get("node", ())))


def _graph(graph: Tree, path: Path, is_old: bool) -> Iterator[Problem]:
    is_main = len(path) == 1
    given = {value.get("name") for value in graph.get("input", ())}
    if (
        is_old
        and (
            lost := next(
                (k for k, one in enumerate(graph.get("initializer", ())) if one.get("name") not in given), None
            )
        )
        is not None
    ):
        name = graph["initializer"][lost].get("name", "")
        message = f"initializer {name!r} is not an input of the graph; IR version 3 requires that"
        yield Problem(R.undefined_reference, Place((*path, "initializer", lost, "name")), message, name, _raising_ir)
    if not graph.get("name"):
        yield Problem(
            R.missing_key,
            Place((*path, "name")),
            "the graph has no name",
            fix=_writing(Place((*path, "name")), "graph"),
        )
    for word in ("input", "output"):
        seen: dict[str, Place] = {}
        for k, value in enumerate(graph.get(word, ())):
            at = Place((*path, word, k))
            if (first := seen.setdefault(value.get("name", ""), Place((*at.path, "name")))).path != (*at.path, "name"):
                if word == "input":
                    message = f"duplicate input {value.get('name', '')!r}"
                    related = [("first defined here", first)]
                    yield Problem(R.duplicate_definition, Place((*at.path, "name")), message, None, None, related)
                continue
            if not value.get("name"):
                yield Problem(R.missing_key, Place((*at.path, "name")), f"{word} {k} of the graph has no name")
            elif is_main:
                yield from _typed(value, word, at)
    if is_main and not graph.get("output"):
        yield Problem(R.empty_model, Place((*path, "name")), "the graph has no outputs", severity=Severity.ERROR)


def _typed(value: Tree, word: str, at: Place) -> Iterator[Problem]:
    """Report an input or output of the model whose type is missing."""
    kind, name = value.get("type", {}), value["name"]
    tensor = kind.get("tensor_type") or kind.get("sparse_tensor_type")
    if not any(key.endswith("_type") for key in kind):
        yield Problem(R.missing_key, at, f"{word} {name!r} has no type", name)
    elif tensor is not None and not tensor.get("elem_type"):
        yield Problem(R.missing_key, at, f"{word} {name!r} has no element type", name)
    elif tensor is not None and "shape" not in tensor:
        message = f"{word} {name!r} has no shape; onnx.checker refuses it, runtimes do not"
        yield Problem(R.missing_key, at, message, name, severity=Severity.WARNING)


def _inserting(key: str, value: int) -> Repair:
    def fix(document: Document) -> Fix | None:
        assert isinstance(document, OnnxDocument)
        edits = document.changed((key,), value)
        return Fix(f"Insert `{key}: {value}`", edits) if edits else None

    return fix


def _importing(path: Path, domain: str, version: int) -> Repair:
    def fix(document: Document) -> Fix | None:
        assert isinstance(document, OnnxDocument)
        there = document.value_at(path).get("opset_import", ())
        imported = {**({"domain": domain} if domain else {}), "version": version}
        edits = document.inserted((*path, "opset_import", len(there)), imported)
        return Fix(f"Import opset {version} of {domain_of(domain)}", edits, "unsafe") if edits else None

    return fix


def _writing(at: Place, value: object) -> Repair:
    return lambda document: Fix(f"Replace with `{value}`", document.write(at, value), "unsafe")


def _raising_ir(document: Document) -> Fix:
    """From IR version 4 on initializers need not be inputs; nothing else is read otherwise."""
    return Fix("Set `ir_version` to 4", document.write(Place(("ir_version",)), 4))
