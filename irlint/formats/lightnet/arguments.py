"""Holds an operator's inputs, outputs and parameters, by name, against the operator table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from irlint.findings import Fix, Problem, Severity
from irlint.formats.lightnet.grammar import GRAMMAR
from irlint.formats.lightnet.signature import Signature
from irlint.graph import Graph, Node
from irlint.operators import nearest
from irlint.rules.attributes._check import Repair, label, name_problems
from irlint.rules.attributes.duplicate_attribute import DuplicateAttribute
from irlint.rules.base import Rule
from irlint.rules.operators.duplicate_argument import DuplicateArgument
from irlint.rules.operators.unknown_argument import UnknownArgument
from irlint.rules.operators.wrong_input_count import WrongInputCount
from irlint.rules.operators.wrong_output_count import WrongOutputCount
from irlint.text.base import Document, Path, Place
from irlint.text.json import JsonDocument


@dataclass
class Match:
    """Which argument of the table stands where in the file. Of equal names the first counts, as LightNet has it."""

    positions: list[int]  # -1 where one is missing
    unknown: list[int] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        return not (self.unknown or self.repeated or self.missing)


def match(names: Sequence[str], expected: Sequence[str]) -> Match:
    where: dict[str, int] = {}
    found = Match([])
    for k, name in enumerate(names):
        if name not in expected:
            found.unknown.append(k)
        elif name in where:
            found.repeated.append(k)
        else:
            where[name] = k
    found.positions = [where.get(name, -1) for name in expected]
    found.missing = [name for name in expected if name not in where]
    return found


def tensor_problems(
    graph: Graph, node: Node, side: str, names: Sequence[str], expected: Sequence[str]
) -> Iterator[Problem]:
    """Inputs or outputs (`side`) that are unknown, repeated or missing; a misnamed one is one mistake, not two."""
    found = match(names, expected)
    missing = list(found.missing)
    takes = f"; it has {', '.join(expected)}" if expected else f"; it has no {side}s"
    for k in found.unknown:
        meant = nearest(names[k], missing) or (missing[0] if len(missing) == 1 else None)
        message = f"{label(node)} has no {side} {names[k]!r}"
        if meant is None:
            yield _surplus(UnknownArgument, graph, node, side, k, message + takes)
            continue
        missing.remove(meant)
        yield _misnamed(UnknownArgument, graph, node, side, k, f"{message}; did you mean {meant!r}?", meant)
    for k in found.repeated:
        message = f"{label(node)} has two {side}s {names[k]!r}"
        first = graph.place(node, f"{side}_name:{list(names).index(names[k])}")
        if missing:
            meant = missing.pop(0)
            problem = _misnamed(
                DuplicateArgument, graph, node, side, k, f"{message} and no {meant!r}; did you mean {meant!r}?", meant
            )
        else:
            problem = _surplus(DuplicateArgument, graph, node, side, k, f"{message}; it takes one")
        problem.related = [("this is the first", first)]
        yield problem
    if missing:
        rule = WrongInputCount if side == "input" else WrongOutputCount
        wanted = f"{len(expected)} {side}{'s' * (len(expected) != 1)} ({', '.join(expected)})"
        lacks = " and ".join(repr(name) for name in missing)
        message = f"{label(node)} needs {wanted}, but {lacks} {'is' if len(missing) == 1 else 'are'} missing"
        yield Problem(rule, graph.place(node, f"{side}s"), message, node.name)


def parameter_problems(
    graph: Graph, node: Node, signature: Signature, repeated: Sequence[int], names: Sequence[str]
) -> Iterator[Problem]:
    """Parameters that are unknown, repeated or missing. `repeated`: where the second ones of a name stand."""
    known = signature.operator.attributes
    missing = [name for name in known if name not in node.attrs]
    covered: set[str] = set()
    severity = None if signature.counted else Severity.WARNING
    for at in repeated:
        place = Place((*node.path, "params", at, "arg_name"))
        message = f"{label(node)} has two parameters {names[at]!r}"
        related = [("this is the first", Place((*node.path, "params", list(names).index(names[at]), "arg_name")))]
        fix: Repair
        unknown = [name for name in node.attrs if name not in known]
        if missing and len(missing) > len(unknown):
            meant = missing.pop(0)
            covered.add(meant)
            message += f" and no {meant!r}; did you mean {meant!r}?"
            fix = _renaming(place, meant)
        else:
            fix = _removing((*node.path, "params", at), f"parameter {names[at]!r}")
        yield Problem(DuplicateAttribute, place, message, node.name, fix, related, severity)
    yield from name_problems(graph, node, signature.operator, GRAMMAR, covered, severity)


def _misnamed(rule: type[Rule], graph: Graph, node: Node, side: str, k: int, message: str, meant: str) -> Problem:
    place = graph.place(node, f"{side}_name:{k}")
    return Problem(rule, place, message, node.name, _renaming(place, meant))


def _surplus(rule: type[Rule], graph: Graph, node: Node, side: str, k: int, message: str) -> Problem:
    place = graph.place(node, f"{side}_name:{k}")
    return Problem(rule, place, message, node.name, _removing(place.path[:-1], f"{side} {k + 1}"))


def _renaming(place: Place, meant: str) -> Repair:
    return lambda document: Fix(f"Rename it to {meant!r}", document.write(place, meant), "unsafe")


def _removing(path: Path, what: str) -> Callable[[Document], Fix]:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Take the {what} out", document.remove(path), "unsafe")

    return fix
