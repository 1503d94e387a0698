"""Compares an operator's inputs, outputs and parameters, by name, with the operator table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault
from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.lightnet.grammar import GRAMMAR, one_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import OptypeSignature, PreparedOperator
from irlint.graph import Node
from irlint.operators import nearest
from irlint.records import NamedTuple, dataclass, field
from irlint.text.base import Place


class ArgumentList(NamedTuple):
    """One list of an operator's arguments: its key, what an entry is called, the parts that are the list and a name in it, and the
    rules for an unknown name, a repeated one and a missing one.
    """

    key: str
    word: str
    whole: str
    part: str
    unknown: RuleRow
    repeated: RuleRow
    missing: RuleRow


INPUTS = ArgumentList(
    "tensors_in", "input", "inputs", "input_name", R.unknown_argument, R.duplicate_argument, R.wrong_input_count
)
OUTPUTS = ArgumentList(
    "tensors_out", "output", "outputs", "output_name", R.unknown_argument, R.duplicate_argument, R.wrong_output_count
)
PARAMS = ArgumentList(
    "params", "parameter", "attrs", "attr_key", R.unknown_attribute, R.duplicate_attribute, R.missing_attribute
)


@dataclass
class ArgumentMatch:
    """Names of one list of an operator, as they are and as they were probably meant to be."""

    names: list[str]
    expected: Sequence[str]
    missing: list[str]
    renamed: dict[int, str] = field(default_factory=dict)  # where another name was meant
    # renamed only because no other name is left: the value is none for it
    guessed: set[int] = field(default_factory=set)
    surplus: list[int] = field(default_factory=list)

    @property
    def misfits(self) -> int:
        return len(self.renamed) + len(self.surplus) + len(self.missing)

    @property
    def positions(self) -> list[int]:
        """Return where each expected name is, the probable renamings made; -1 if nowhere."""
        where: dict[str, int] = {}
        unfit = self.guessed.union(self.surplus)
        for k, name in enumerate(self.names):
            if k not in unfit:
                where.setdefault(self.renamed.get(k, name), k)
        return [where.get(name, -1) for name in self.expected]

    def rename(self, k: int, meant: str, is_guess: bool = False) -> None:
        self.renamed[k] = meant
        self.missing.remove(meant)
        if is_guess:
            self.guessed.add(k)


Fits = Callable[[int, str], int]  # how well an entry would do under a name; the more the better, below 0 not at all


def match(names: Sequence[str], expected: Sequence[str], fits: Fits) -> ArgumentMatch:
    """Return which of the expected names were meant by those of a list."""
    found = ArgumentMatch(list(names), expected, [name for name in expected if name not in names])
    unknown = [k for k, name in enumerate(names) if name not in expected]
    for k in unknown:
        if (meant := nearest(names[k], found.missing)) is not None:
            found.rename(k, meant)
    for name in dict.fromkeys(name for name in names if name in expected):
        _match_repeated(found, name, fits)
    for k in unknown:
        if k not in found.renamed and len(found.missing) == 1:
            found.rename(k, found.missing[0], is_guess=True)
        elif k not in found.renamed:
            found.surplus.append(k)
    return found


def _match_repeated(found: ArgumentMatch, name: str, fits: Fits) -> None:
    """Of entries with one name, those that fit a missing name best are misnamed; the rest are too many."""
    entries = [k for k, other in enumerate(found.names) if other == name]
    while len(entries) > 1 and found.missing:
        _, k, meant = max((fits(k, meant) - fits(k, name), k, meant) for k in entries for meant in found.missing)
        found.rename(k, meant, is_guess=fits(k, meant) < 0)
        entries.remove(k)
    found.surplus += entries[1:]


def match_tensors(names: Sequence[str], expected: Sequence[str]) -> ArgumentMatch:
    return match(names, expected, lambda k, name: expected.index(name) == k if name in expected else 0)


def match_parameters(entries: Sequence[dict[str, Any]], known: OptypeSignature) -> ArgumentMatch:
    """Match parameters: of two with the same name, the one whose value fits a missing name is misnamed."""
    attributes = known.operator.attributes
    expected = list(attributes)

    def fits(k: int, name: str) -> int:
        is_wrong = any(True for _ in GRAMMAR.flaws(entries[k]["value"], attributes[name]))
        return (-2 if is_wrong else 2) + (expected.index(name) == k)

    return match([entry["arg_name"] for entry in entries], expected, fits)


def name_faults(node: Node, side: ArgumentList, found: ArgumentMatch, known: OptypeSignature) -> Iterator[Fault]:
    """Report what is wrong with the names in one list."""
    places: dict[str, list[int]] = {}
    for k, name in enumerate(found.names):
        places.setdefault(name, []).append(k)
    for k in sorted({*found.renamed, *found.surplus}):
        other = next((i for i in places[found.names[k]] if i != k), k)
        yield _misnamed(node, side, found, k, other)
    if found.missing:
        yield _lacking(side, found, known)


def _misnamed(node: Node, side: ArgumentList, found: ArgumentMatch, k: int, other: int) -> Fault:
    """Return what is wrong with a name; `other` is another entry with it, if there is one."""
    name, meant = found.names[k], found.renamed.get(k)
    path = (*node.path, side.key)
    is_repeated = name in found.expected and other != k
    rule, message, related, rest = side.unknown, "unknown", list[tuple[str, Place]](), ""
    if is_repeated:
        rule, message = side.repeated, "duplicate"
        related = [("also declared here", Place((*path, other, "arg_name")))]
    if meant is not None:
        rest = f"; did you mean {'the missing ' * is_repeated}`{meant}`?"
    elif not is_repeated:
        rest = f"; expected {one_of(found.expected)}" if found.expected else f"; it takes no {side.word}s"
    better, change = (NO_VALUE, "remove") if meant is None else (meant, "write")
    at, what = Place((*path, k, "arg_name")), f"{message} {side.word} `{name}` for"
    return Fault(rule, f"{side.part}:{name}", what, rest, better, change=change, related=related, at=at)


def _lacking(side: ArgumentList, found: ArgumentMatch, known: OptypeSignature) -> Fault:
    missing = " and ".join(f"`{name}`" for name in found.missing)
    message = f"missing {side.word}{'s' * (len(found.missing) > 1)} {missing} for"
    better, rest = NO_VALUE, ""
    if side is PARAMS:
        usual = {name: known.operator.attributes[name].facts.get("usual") for name in found.missing}
        better = NO_VALUE if None in usual.values() else usual
    elif len(found.expected) > len(found.missing):
        rest = f"; expected {', '.join(f'`{name}`' for name in found.expected)}"
    return Fault(side.missing, side.whole, message, rest, better, change="insert")


# gather and scatter, whose arguments LightNet does not count: the first name of the table is required, the last one is a pattern of
# all that it reads


def variadic_faults(node: Node, known: OptypeSignature, output_names: Sequence[str]) -> Iterator[Fault]:
    yield from _variadic_side(INPUTS, node.input_names or (), known.inputs)
    yield from _variadic_side(OUTPUTS, output_names, known.outputs)


def _variadic_side(side: ArgumentList, names: Sequence[str], known: Sequence[str]) -> Iterator[Fault]:
    required = known[0].replace("*", "1")
    if not names:
        yield Fault(side.missing, side.whole, f"missing required {side.word} `{required}` for")
    misnamed, seen = -1, dict[str, int]()
    if not any(_fits(name, known[0]) for name in names):
        misnamed = next((k for k, name in enumerate(names) if not _fits(name, known[-1])), 0)
    for k, name in enumerate(names):
        part, message = f"{side.part}:{k}", f"unknown {side.word} `{name}` for"
        if (first := seen.setdefault(name, k)) != k:
            related = [("first declared here", f"{side.part}:{first}")]
            yield Fault(side.repeated, part, f"duplicate {side.word} `{name}` for", related=related)
        elif k == misnamed:
            yield Fault(side.unknown, part, message, f"; did you mean the required `{required}`?")
        elif not _fits(name, known[-1]):
            severity = Severity.WARNING if side is INPUTS else None  # LightNet aborts on an output that nothing writes
            yield Fault(side.unknown, part, message, f"; LightNet reads only `{known[-1]}`", severity=severity)


def _fits(name: str, pattern: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def ignored(node: Node, names: Sequence[str]) -> Iterator[Fault]:
    """Report parameters of an operator that has none."""
    for k, name in enumerate(names):
        message, at = f"unknown parameter `{name}` for", Place((*node.path, "params", k, "arg_name"))
        yield Fault(
            R.unknown_attribute, f"attr_key:{name}", message, "; LightNet ignores it", severity=Severity.WARNING, change="remove", at=at
        )  # fmt: skip


def variadic_prepared(node: Node, known: OptypeSignature, output_names: Sequence[str]) -> PreparedOperator | None:
    """Return the operator with the tensors that LightNet reads; None if the required one is missing."""
    names = node.input_names or ()
    if known.inputs[0] not in names:
        return None
    inputs = [k for k, name in enumerate(names) if _fits(name, known.inputs[-1])]
    outputs = [k for k, name in enumerate(output_names) if _fits(name, known.outputs[-1])]
    values: list[Any] = []
    if known.operator.name == "scatter":
        inputs, values = inputs[:1], [outputs]
    return PreparedOperator(node, known, inputs, outputs, values, [names[k] for k in inputs])
