"""An opset import that does not fit the nodes: one problem at the import instead of one for each node, judged by the opset that fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from irlint.checks.fault import asking
from irlint.codes import R
from irlint.findings import OTHER_VERSION, Fix, Problem
from irlint.formats.onnx.causes_lookup import call_path
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.opset_guess import better, fits_another
from irlint.formats.onnx.opsets import domain_of, opset_of
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place, Span
from irlint.text.prototext.messages import Tree
from irlint.text.words import count

_LEAST = 2  # nodes that do not fit: one may be the mistake itself
_SHOWN = 4  # kinds of them that are notes
_MOST = 10_000  # problems that are looked at
_TRIES = 3  # opsets by which nodes are judged once more

_NAMED = 4  # operators of the others

Opsets = Mapping[str, int]
Kind = tuple[str, str, str]


def judged(
    model: Model, tree: Tree, known: dict[str, int], check: Callable[[Opsets], Iterable[Problem]]
) -> Iterator[Problem]:
    """Yield the problems of a model's nodes. If another opset fits nodes that the imported one does not, and no others are wrong with it,
    the import is the problem; the rest is judged by the other opset from here on."""
    problems = iter(check(known))
    found = list(islice(problems, _MOST))
    for domain, own in _misfits(model, known, found).items():
        least = _LEAST if len(_rows(tree, domain)) == 1 else 1
        for version in islice(_others(tree, domain, known.get(domain)), _TRIES):
            after = list(islice(check({**known, domain: version}), _MOST))
            before = set(map(_node, filter(_is_error, found)))
            left = set(map(_node, filter(_is_error, after)))
            mended = {_node(problem) for problem in own} - left
            if left <= before and len(mended) >= least:
                problems, found = iter(()), after
                known[domain] = version
                yield _problem(model, tree, domain, version, [one for one in own if _node(one) in mended])
                break
    state_of(model).imports = known
    yield from found
    yield from problems


def _is_error(problem: Problem) -> bool:
    return problem.is_error


def _node(problem: Problem) -> Path:
    """Return the path of the node that a problem is in; of another problem its place."""
    path: Path = problem.at.path if isinstance(problem.at, Place) else ()
    return call_path(path) or path


def _misfits(model: Model, known: Opsets, found: list[Problem]) -> dict[str, list[Problem]]:
    """Return the errors in nodes that other opsets of their domains have, by domain."""
    misfits: dict[str, list[Problem]] = {}
    domains: dict[Path, str | None] = {}  # of nodes: None where no other opset has the node
    for problem in filter(_is_error, found):
        path = _node(problem)
        if path not in domains:
            domains[path] = _misfit(model, known, path)
        if (domain := domains[path]) is not None:
            misfits.setdefault(domain, []).append(problem)
    return misfits


def _misfit(model: Model, known: Opsets, path: Path) -> str | None:
    """Return the domain of a node that its opset does not have and another one has."""
    call: Any = model.document.value_at(path) if path[-2:-1] == ("node",) else {}
    domain = domain_of(call.get("domain", ""))
    opset = opset_of(domain, known) if call else None
    return domain if opset is not None and fits_another(call, opset) else None


def _rows(tree: Tree, domain: str) -> list[int]:
    rows = tree.get("opset_import", ())
    return [k for k, one in enumerate(rows) if domain_of(one.get("domain", "")) == domain]


def _others(tree: Tree, domain: str, version: int | None) -> Iterator[int]:
    """Yield the opsets that a domain may have been meant to have: those that another import of it has, and the one that fits best."""
    rows = tree.get("opset_import", ())
    versions = [rows[k].get("version", 0) for k in _rows(tree, domain)]
    if version is None or not versions or version != versions[-1]:
        return  # it was not imported, or is reported
    best = better(tree, domain, version, _LEAST)
    yield from dict.fromkeys((*(other for other in versions if other != version), *(() if best is None else (best,))))


def _problem(model: Model, tree: Tree, domain: str, version: int, misfits: list[Problem]) -> Problem:
    *earlier, k = _rows(tree, domain)
    at, imported = Place(("opset_import", k, "version")), tree["opset_import"][k].get("version", 0)
    users = {_node(problem): problem for problem in reversed(misfits)}
    verb = "uses" if len(users) == 1 else "use"
    message = f"opset {imported} of {domain} does not have what {count(len(users), 'node')} of the model {verb}"
    again = [row for row in earlier if tree["opset_import"][row].get("version", 0) != imported][-1:]
    shown = [*_repeated(tree, again, k), *_notes(model, [*users.values()][::-1])]
    fix, hint = partial(_importing, at, domain, version), asking(version)
    return Problem(
        R.operator_not_in_version, at, message, None, fix, shown, kind=OTHER_VERSION, meant=str(version), hint=hint
    )


def _repeated(tree: Tree, rows: list[int], k: int) -> Iterator[tuple[str, Place | Span]]:
    """Yield a note for an earlier import of the domain with another opset."""
    for row in rows:
        one, last = tree["opset_import"][row], tree["opset_import"][k]
        same = "" if one.get("domain", "") == last.get("domain", "") else '; `""` and `ai.onnx` are the same domain'
        yield (
            f"opset {one.get('version', 0)} is imported here, but onnxruntime uses the last import{same}",
            Place(("opset_import", row)),
        )


def _notes(model: Model, problems: list[Problem]) -> Iterator[tuple[str, Place | Span]]:
    """Yield a note for each kind of misfit; what is left is one note."""
    kinds: dict[Kind, list[Problem]] = {}
    for problem in problems:
        kinds.setdefault(_kind(model, problem), []).append(problem)
    several = [*kinds.items()]
    whole = len(several) if len(several) <= _SHOWN else _SHOWN - 1
    for _, (first, *others) in several[:whole]:
        yield f"{first.message} (and {count(len(others), 'other node')})" if others else first.message, first.at
    rest = several[whole:]
    if rest:
        names = ", ".join(list(dict.fromkeys(op for (_, op, _), _ in rest))[:_NAMED])
        left, more = count(sum(len(found) for _, found in rest), "other node"), ", ..." if len(rest) > _NAMED else ""
        yield f"{left} that the opset does not support ({names}{more})", rest[0][1][0].at


def _kind(model: Model, problem: Problem) -> Kind:
    """Return what is wrong: the rule, the operator, and the attribute or the part of the node."""
    path = _node(problem)
    assert isinstance(problem.at, Place)
    call, tail = model.document.value_at(path), problem.at.path[len(path) :]
    is_attribute = tail[:1] == ("attribute",) and len(tail) > 1
    part = call["attribute"][tail[1]].get("name", "") if is_attribute else str(tail[:1])
    return problem.rule.code, call.get("op_type", ""), part


def _importing(at: Place, domain: str, version: int, document: Document) -> Fix:
    return Fix(f"Import opset {version} of {domain}", tuple(document.write(at, version)), "unsafe")
