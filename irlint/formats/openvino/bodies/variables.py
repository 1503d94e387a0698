"""ReadValue and Assign: the reader looks for a variable in one graph, the CPU plug-in pairs them in the whole model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.bodies.variable_types import open_problems
from irlint.formats.openvino.bodies.variable_uses import ConditionalLayers, VariableUse, depend, form, needed
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R, error_if
from irlint.graph import label
from irlint.operators import nearest
from irlint.text.base import Place

Table = dict[str, list[VariableUse]]
_SHOWN = 8  # layers that are shown with one
_PAIRED = 40  # names that are compared with as many others


def variable_problems(sections: list[IrSection], broken: bool) -> Iterator[Problem]:
    uses = list(_uses(sections))
    for use in uses:
        if use.operation == "opset6.ReadValue":
            yield from open_problems(use.section.graph, use.node)
    is_whole = not broken and not any(section.torn or section.double for section in sections)  # else edges may be lost
    runs = ConditionalLayers(sections) if is_whole else None
    reads, writes = _by_name(uses, is_assign=False), _by_name(uses, is_assign=True)
    yield from _half(sections, uses, reads, writes, runs)
    for name, found in writes.items():
        yield from _mixed(found, reads.get(name, []))
        yield from _written_again(name, found, runs)
    if runs is not None:
        yield from _unseen(sections, reads, writes)
        for name, found in reads.items():
            yield from _unpaired(name, found if name in writes else [], runs)
        yield from _read(use for found in writes.values() for use in found)


def _read(uses: Iterable[VariableUse]) -> Iterator[Problem]:
    """Report an Assign whose output is used."""
    for use in uses:
        if use.readers:
            what = label(use.readers[0])
            yield use.problem(f"{what} uses {label(use.node)}; an Assign has no output in the CPU plug-in")


def _uses(sections: list[IrSection]) -> Iterator[VariableUse]:
    """Yield the layers that read or write variables."""
    for section in sections:
        for node in section.graph.nodes:
            if node.op == "Assign" or node.op.lower() == "readvalue":  # OpenVINO 2026.4.1 starts from `Assign` only
                operation = meaning(node.op, node.version).operation
                if operation is not None:
                    yield VariableUse(section, node, operation)


def _by_name(uses: list[VariableUse], is_assign: bool) -> Table:
    found: Table = {}
    for use in uses:
        if (use.node.op == "Assign") == is_assign and "variable_id" in use.node.attrs:
            found.setdefault(use.name, []).append(use)
    return found


def _half(
    sections: list[IrSection], uses: list[VariableUse], reads: Table, writes: Table, runs: ConditionalLayers | None
) -> Iterator[Problem]:
    """Report variables that are only read or only written."""
    unwritten, unread = _halves(uses, reads, writes), _halves(uses, writes, reads)
    pairs = _pairs(unwritten, unread)
    yield from _misnamed(pairs, unwritten, unread, [*reads, *writes])
    left = unwritten.keys() - pairs.keys()
    alone = [use for use in uses if use.name in left]
    yield from _unwritten(sections, alone, runs)
    paired = set(pairs.values())
    for name, found in unread.items():
        if name not in paired:
            yield from _unread(name, found)


def _halves(uses: list[VariableUse], these: Table, others: Table) -> Table:
    """Return variables that only ReadValues or only Assigns name; none if layers of the other type without a name may be theirs."""
    found = {name: these[name] for name in these.keys() - others.keys()}
    ops = {use.node.op == "Assign" for found in these.values() for use in found}
    nameless = [use for use in uses if "variable_id" not in use.node.attrs and (use.node.op == "Assign") not in ops]
    return {} if len(found) <= len(nameless) else found


def _pairs(unwritten: Table, unread: Table) -> dict[str, str]:
    """Return, by its name at a ReadValue, the name that an Assign has for the same variable: the only one left, or the nearest."""
    if len(unwritten) == len(unread) == 1:
        return {next(iter(unwritten)): next(iter(unread))}
    if max(len(unwritten), len(unread)) > _PAIRED:
        return {}
    found = {name: nearest(name, list(unread)) for name in unwritten}
    meant = Counter(found.values())
    return {name: other for name, other in found.items() if other is not None and meant[other] == 1}


def _misnamed(pairs: dict[str, str], unwritten: Table, unread: Table, names: Iterable[str]) -> Iterator[Problem]:
    """Report variables that have one name where they are read and another one where they are written.

    The wrong one of the two is that of which fewer other variables have the form.
    """
    forms = Counter(map(form, names)) if pairs else Counter()
    for name, other in pairs.items():
        read, write = unwritten[name][0], unread[other][0]
        if forms[form(other)] >= forms[form(name)]:
            message = f"{label(read.node)} reads variable {name!r}, which no Assign writes; did you mean {other!r}?"
            yield read.problem(
                message, related=[(f"{label(write.node)} writes a variable that no ReadValue reads", write.place)]
            )
        else:
            message = f"{label(write.node)} writes variable {other!r}, which no ReadValue reads; did you mean {name!r}?"
            yield write.problem(
                message, related=[(f"{label(read.node)} reads a variable that no Assign writes", read.place)]
            )


def _unwritten(sections: list[IrSection], uses: list[VariableUse], runs: ConditionalLayers | None) -> Iterator[Problem]:
    """Report a ReadValue without an Assign; if its values are used, inference fails.

    "doesn't have sibling output" (2026.4.1, CPU).
    """
    marks = {key: needed(section) for key, section in {id(use.section): use.section for use in uses}.items()}
    others = _others(sections, {use.name for use in uses})
    for use in uses:
        message = f"{label(use.node)} reads variable {use.name!r}, which no Assign writes"
        if runs is not None and runs.surely(use) and marks[id(use.section)][use.node.index]:
            yield use.problem(f"{message}; the CPU plug-in cannot run it", related=others.get(use.name, ()))
        else:
            message += "; plug-ins may refuse to run it"
            yield use.problem(message, severity=Severity.WARNING)


def _others(sections: list[IrSection], names: set[str]) -> dict[str, list[tuple[str, Place]]]:
    """Return layers of other types that name variables, by these."""
    found: dict[str, list[tuple[str, Place]]] = {}
    for section in sections:
        for node in section.graph.nodes:
            name = node.attrs.get("variable_id")
            if name in names and node.op.lower() != "readvalue" and len(listed := found.setdefault(name, [])) < _SHOWN:
                listed.append(("uses the variable, but is not an Assign", section.graph.place(node, "op")))
    return found


def _written_again(name: str, uses: list[VariableUse], runs: ConditionalLayers | None) -> Iterator[Problem]:
    """Report a second Assign: one of the two has "uninitialized assigned memory" at inference (2026.4.1, CPU)."""
    for use in uses[1:]:
        message = f"{label(use.node)} writes variable {name!r}, which {label(uses[0].node)} also writes"
        refused = runs is not None and runs.surely(use) and runs.surely(uses[0])
        yield use.problem(message, related=[("also written here", uses[0].place)], severity=error_if(refused))


def _unread(name: str, uses: list[VariableUse]) -> Iterator[Problem]:
    for use in uses:
        yield use.problem(f"{label(use.node)} writes variable {name!r}, which no ReadValue reads")


def _mixed(uses: list[VariableUse], readers: list[VariableUse]) -> Iterator[Problem]:
    """Report an Assign of another opset than the ReadValues of its variable."""
    opsets = {read.opset for read in readers}
    for use in uses if readers else ():
        if use.opset not in opsets:
            yield _of_other_opset(use, readers[0])


def _of_other_opset(use: VariableUse, reader: VariableUse) -> Problem:
    message = (
        f"expected `{reader.opset}` for {label(use.node)}, as for {label(reader.node)} of the same variable,"
        f" got `{use.opset}`"
    )
    severity = error_if(use.operation == "opset3.Assign")
    related = [("read here", reader.section.graph.place(reader.node, "version"))]
    at = use.section.graph.place(use.node, "version")
    return Problem(R.variable_mismatch, at, message, use.node.name, related=related, severity=severity)


def _unseen(sections: list[IrSection], reads: Table, writes: Table) -> Iterator[Problem]:
    """Report an Assign that does not find its variable in its own graph.

    opset3 looks among its dependencies, else "Can't find variable with id"; opset6 among the layers that the reader keeps, else "map::at"
    (2026.4.1).
    """
    early: dict[int, list[VariableUse]] = {}
    for use, found in ((use, reads.get(name, [])) for name, uses in writes.items() for use in uses):
        if use.opset == "opset3":
            if any(read.opset == "opset3" for read in found):
                early.setdefault(id(use.section), []).append(use)
        elif found and not any(read.section is use.section and read.is_live for read in found):
            yield _not_found(use, found, "does not reach a Result or Assign")
    for section in sections:
        yield from _apart(section, early.get(id(section), []), reads)


def _apart(section: IrSection, uses: list[VariableUse], reads: Table) -> Iterator[Problem]:
    sources = [r for u in uses for r in reads[u.name] if r.section is section and r.operation == "opset3.ReadValue"]
    bits = depend(section, sources) if uses else []
    for use in uses:
        if not any(bits[use.node.index] >> k & 1 for k, read in enumerate(sources) if read.name == use.name):
            yield _not_found(use, reads[use.name], "is not one of its dependencies")


def _not_found(use: VariableUse, found: list[VariableUse], why: str) -> Problem:
    own = next((read for read in found if read.section is use.section), None)
    read = own or found[0]
    what = why if own is not None else "is in another graph"
    message = f"{label(use.node)} writes variable {use.name!r}, but {label(read.node)}, which reads it, {what}"
    return use.problem(message, related=[("read here", read.place)])


def _unpaired(name: str, uses: list[VariableUse], runs: ConditionalLayers) -> Iterator[Problem]:
    """Report what the CPU plug-in cannot pair: one ReadValue and one Assign for each variable (2026.4.1)."""
    live = [use for use in uses if runs.surely(use)]
    for use in live[1:]:
        message = f"{label(use.node)} reads variable {name!r}, which {label(live[0].node)} also reads"
        related = [("also read here", live[0].place)]
        yield use.problem(f"{message}; the CPU plug-in supports one ReadValue", related=related)
    for use in uses:
        if use.node.inputs and use.is_live and _feeds_only_itself(use):
            message = f"{label(use.node)} is used only by the Assign of its own variable {name!r}"
            yield use.problem(f"{message}; the CPU plug-in crashes on it")


def _feeds_only_itself(use: VariableUse) -> bool:
    """Return whether only its own Assign uses a ReadValue.

    Shapes and types are folded; what is left is an edge from a variable to itself ("dead weak ptr").
    """
    readers = [node for node in use.readers if node.op not in ("ShapeOf", "ConvertLike")]
    return bool(readers) and all(n.op == "Assign" and n.attrs.get("variable_id") == use.name for n in readers)
