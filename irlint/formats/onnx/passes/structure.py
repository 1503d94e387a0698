"""What the checker and runtimes demand of a model before they look at any operator: versions, imports, names and types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from irlint.checks.fault import Repair
from irlint.codes import R, Severity
from irlint.findings import EMPTY, Fix, Problem, Safety
from irlint.formats.onnx.opset_guess import guessed, rival
from irlint.formats.onnx.opsets import DEFAULT, domain_of, domains_with, newest_opset, versions
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.trees import calls_in, names_of, repeated
from irlint.operators import nearest, table
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place
from irlint.text.prototext.messages import Tree
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
    tree = document.tree
    if document.troubles:
        return
    yield from _versions(tree)
    entries = tree.get("metadata_props", ())
    keys = [entry.get("key", "") for entry in entries]
    for k, first in repeated(keys):  # onnx.checker 1.23.2 refuses them, and runtimes keep one of the values
        at, before = (Place(("metadata_props", j, "key")) for j in (k, first))
        yield _twice(f"duplicate metadata key `{keys[k]}`", at, before, taken="onnxruntime keeps one of them")
    functions = tree.get("functions", ())
    defined = dict.fromkeys(_domains(functions), 1)
    there = {*table("onnx").raw["opsets"], *defined, *model.options.get("extensions", ())}
    yield from _imports(tree, (), tree.get("graph", {}), there, defined)
    for k, function in enumerate(functions):
        yield from _imports(function, ("functions", k), function, there, imports(tree))
    if "graph" not in tree:
        yield Problem(R.missing_key, Place(()), "the model has no graph")
        return
    yield from _graph(tree["graph"], 0 < tree.get("ir_version", 0) < 4)


def _used_domain(call: Tree) -> str:
    """Return the domain that a call needs an import of: none for an operator that no opset of it has, which is reported."""
    op, domain = call.get("op_type", ""), domain_of(call.get("domain", ""))
    is_absent = newest_opset(domain) is not None and domain != DEFAULT and not versions(op, domain) and domains_with(op)
    return "" if is_absent else domain


def _domains(messages: Iterable[Tree]) -> list[str]:
    return [domain_of(one.get("domain", "")) for one in messages]


def _twice(
    message: str, at: Place, first: Place, severity: Severity | None = None, word: str = "defined", taken: str = ""
) -> Problem:
    return Problem(
        R.duplicate_definition, at, message, None, None, [(f"first {word} here", first)], severity, taken=taken
    )


def _versions(tree: Tree) -> Iterator[Problem]:
    rows = {int(ir): row["opset"] for ir, row in table("onnx").raw["ir"].items()}
    version, opset, at = tree.get("ir_version", 0), imports(tree).get(DEFAULT, 0), Place(("ir_version",))
    meant = next((ir for ir, newest in rows.items() if newest >= opset), max(rows))
    if 0 < version < 3 and tree.get("opset_import"):
        message = f"IR version {version} has no opset imports; expected at least 3"
        yield Problem(R.value_not_allowed, at, message, None, _writing(at, 3, "safe"))
    elif version < 0:
        message = f"expected a positive `ir_version`, got {version}; opset {opset} came with {meant}"
        yield Problem(R.value_not_allowed, at, message, fix=_writing(at, meant, "safe"))
    elif version < 1:
        message = f"missing required field `ir_version`; opset {opset} came with {meant}"
        yield Problem(R.missing_key, at, message, fix=partial(_inserting, "ir_version", meant))
    elif version > max(rows):
        message = f"unknown IR version {version}; the newest is {max(rows)}"
        yield Problem(R.value_not_allowed, at, message, fix=_writing(at, meant, "safe"))


def _imports(tree: Tree, path: Path, body: Tree, there: Collection[str], usual: Mapping[str, int]) -> Iterator[Problem]:
    """Report opsets that are unknown, imported twice, or not imported. Of domains that are not `there`, operators are reported. `usual` are
    the opsets of domains that nodes do not tell of."""
    used = Counter(_domains(calls_in(body.get("node", ()))))
    yield from _imported(tree, (*path, "opset_import"), used)
    imported = imports(tree)
    if any(domain in there and domain not in imported for domain in used):
        needed = Counter(map(_used_domain, calls_in(body.get("node", ()))))
        yield from _not_imported(tree, path, needed, there, usual)


def _imported(tree: Tree, path: Path, used: Collection[str]) -> Iterator[Problem]:
    newest, rows = table("onnx").raw["opsets"], tree.get("opset_import", ())
    domains = _domains(rows)
    before = dict(repeated(domains))
    for k, (domain, one) in enumerate(zip(domains, rows, strict=True)):
        version = one.get("version", 0)
        if domain in newest and not 1 <= version <= newest[domain]:
            # onnxruntime 1.32 asks nothing of versions below 1 but for operators
            is_mild = version < 1 and domain != DEFAULT and domain not in used
            message = f"unknown opset {version} of {domain}; the newest is {newest[domain]}"
            at, severity = Place((*path, k, "version")), Severity.WARNING if is_mild else None
            best = guessed(tree, domain)
            other = rival(tree, domain, best)
            notes = (
                [(f"opset {other[0]} also fits every node, but defines {other[1]} differently", at)] if other else []
            )
            yield Problem(R.value_not_allowed, at, message, None, _writing(at, best), notes, severity)
        elif k in before:
            other = rows[before[k]].get("version", 0)
            severity = Severity.PEDANTIC if version == other else Severity.WARNING
            versions = "" if version == other else f", as {other} and {version}; onnxruntime uses the last import"
            at, first = Place((*path, k)), Place((*path, before[k]))
            yield _twice(f"opset of {domain} is imported twice{versions}", at, first, severity, "imported")


def _not_imported(
    tree: Tree, path: Path, used: Mapping[str, int], there: Collection[str], usual: Mapping[str, int]
) -> Iterator[Problem]:
    domains = _domains(tree.get("opset_import", ()))
    unknown = [domain for domain in domains if domain not in used and domain not in table("onnx").raw["opsets"]]
    for domain, times in used.items():
        if domain in domains or domain not in there:
            continue
        message = f"missing opset import for {domain}, which {count(times, 'node')} {'uses' if times == 1 else 'use'}"
        near = nearest(domain, unknown)
        if near is not None:
            at = Place((*path, "opset_import", domains.index(near), "domain"))
            message, fix = f"{message}; `{near}` is imported instead", _writing(at, domain)
            yield Problem(R.undefined_reference, at, message, None, fix)
            continue
        version = usual.get(domain) or guessed(tree, domain)
        importing = partial(_importing, path, "" if domain == DEFAULT else domain, version)
        yield Problem(R.missing_key, Place((*path, "opset_import")), message, None, importing)


def _no_input(graph: Tree, initializers: Sequence[str]) -> Iterator[Problem]:
    """Report the first initializer that is not an input."""
    given = set(names_of(graph.get("input", ())))
    lost = next((k for k, name in enumerate(initializers) if name not in given), None)
    if lost is not None:
        name, at = initializers[lost], Place(("graph", "initializer", lost, "name"))
        message = f"initializer {name!r} is not an input of the graph; IR version 3 requires that"
        is_read = any(name in call.get("input", ()) for call in calls_in(graph.get("node", ())))
        repair, taken = _raising_ir if is_read else None, "onnxruntime does not require it"
        yield Problem(R.undefined_reference, at, message, name, repair, taken=taken)


def _graph(graph: Tree, is_old: bool) -> Iterator[Problem]:
    """Report names, inputs and outputs of the model's graph that are missing or twice; `is_old`: initializers must be inputs."""
    named = Place(("graph", "name"))
    initializers = names_of(graph.get("initializer", ()))
    if is_old:
        yield from _no_input(graph, initializers)
    if not graph.get("name"):
        yield Problem(R.missing_key, named, "the graph has no name", fix=_writing(named, "graph", "safe"))
    yield from _shapeless(graph)
    stored = set(initializers)
    for word in ("input", "output"):
        names = names_of(graph.get(word, ()))
        before = dict(repeated(names))
        for k, name in enumerate(names):
            at = Place(("graph", word, k, "name"))
            if k not in before:
                yield from _typed(graph[word][k], word, k)
                if word == "input" and name not in stored:
                    yield from _emptied(graph[word][k], k)
            else:  # runtimes take an output twice
                severity = Severity.WARNING if word == "output" else None
                first = Place(("graph", word, before[k], "name"))
                message = f"duplicate input {name!r}" if word == "input" else f"output {name!r} is listed twice"
                yield _twice(message, at, first, severity, "listed" if severity else "defined")
    if not graph.get("output"):
        yield Problem(R.empty_model, named, "the graph has no outputs", severity=Severity.ERROR)


def _typed(value: Tree, word: str, k: int) -> Iterator[Problem]:
    """Report an input or output of the model whose name or type is missing."""
    kind, name, at = value.get("type", {}), value.get("name", ""), Place(("graph", word, k))
    tensor = kind.get("tensor_type") or kind.get("sparse_tensor_type")
    if not name:
        yield Problem(R.missing_key, Place((*at.path, "name")), f"{word} {k} of the graph has no name")
    elif not any(key.endswith("_type") for key in kind):
        taken = "onnxruntime infers it" if word == "output" else ""
        yield Problem(R.missing_key, at, f"{word} {name!r} has no type", name, taken=taken)
    elif tensor is not None and not tensor.get("elem_type"):
        yield Problem(R.missing_key, at, f"{word} {name!r} has no element type", name)


def _emptied(value: Tree, number: int) -> Iterator[Problem]:
    """Report a size of 0 of an input. What becomes of it is up to what follows from it (see `causes_declared`)."""
    name, tensor = value.get("name", ""), value.get("type", {}).get("tensor_type", {})
    for k, dim in enumerate(tensor.get("shape", {}).get("dim", ())):
        if dim.get("dim_value") == 0:
            at = Place(("graph", "input", number, "type", "tensor_type", "shape", "dim", k))
            message = f"input {name!r} declares size 0 for dimension {k}; runtimes take only empty tensors for it"
            yield Problem(R.value_out_of_range, at, message, name, kind=EMPTY, severity=Severity.PEDANTIC)
            return


def _shapeless(graph: Tree) -> Iterator[Problem]:
    """Report inputs without a shape, all at once, and outputs, which many tools write so: runtimes infer theirs."""
    for word, severity in (("input", Severity.WARNING), ("output", Severity.PEDANTIC)):
        names = names_of(graph.get(word, ()))
        lacking = [k for k, value in enumerate(graph.get(word, ())) if names[k] and _is_shapeless(value)]
        if lacking:
            name, rest = names[lacking[0]], len(lacking) - 1
            others = f", nor {'has' if rest == 1 else 'have'} {count(rest, 'other')}" if rest else ""
            message = f"{word} {name!r} has no shape{others}; onnx.checker refuses that, runtimes do not"
            places = [Place(("graph", word, k)) for k in lacking]
            related = [("no shape either", place) for place in places[1:]]
            yield Problem(R.missing_key, places[0], message, name, None, related, severity)


def _is_shapeless(value: Tree) -> bool:
    kind = value.get("type", {})
    tensor = kind.get("tensor_type") or kind.get("sparse_tensor_type")
    return tensor is not None and bool(tensor.get("elem_type")) and "shape" not in tensor


def _inserting(key: str, value: int, document: Document) -> Fix | None:
    assert isinstance(document, OnnxDocument)
    edits = document.changed((key,), value)
    return Fix(f"Insert `{key}: {value}`", edits) if edits else None


def _importing(path: Path, domain: str, version: int, document: Document) -> Fix | None:
    assert isinstance(document, OnnxDocument)
    there = document.value_at(path).get("opset_import", ())
    imported = {"domain": domain, "version": version} if domain else {"version": version}
    edits = document.inserted((*path, "opset_import", len(there)), imported)
    return Fix(f"Import opset {version} of {domain_of(domain)}", edits, "unsafe") if edits else None


def _writing(at: Place, value: object, safety: Safety = "unsafe") -> Repair:
    return lambda document: Fix(f"Replace with `{value}`", document.write(at, value), safety)


def _raising_ir(document: Document) -> Fix:
    """From IR version 4 on initializers need not be inputs; nothing else is read otherwise."""
    return Fix("Set `ir_version` to 4", document.write(Place(("ir_version",)), 4))
