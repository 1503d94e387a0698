"""NNVM graphs: which problems of a file follow from which."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from irlint.causes.relations import ANYWHERE, EXPLAINED, INSIDE, SAME_VALUE, Keyed, Lookup, Spans, above, place
from irlint.causes.rows import Each, Follows, Once, Row, Which, gone, severest
from irlint.findings import Fix, OtherPlace, Problem, Severity
from irlint.formats.nnvm.passes import wiring
from irlint.formats.nnvm.reading.json_values import value_at
from irlint.formats.nnvm.reading.view import HOLDERS
from irlint.formats.nnvm.rules import R
from irlint.formats.nnvm.state import state_of
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place, Span

_CUT = (R.missing_key, R.wrong_length, R.empty_model)
_TOLD = 2  # messages about missing parts that are repeated
_LISTS = (R.arg_nodes, R.node_row_ptr, R.index_out_of_range)
_REWRITTEN = frozenset(("arg_nodes", "node_row_ptr"))
_COUNTING = frozenset(("arg_nodes", "heads", "node_row_ptr", "attrs"))  # keys of the graph that are about its nodes
_ASTRAY = (R.undefined_reference, R.used_before_defined, R.self_reference, R.cycle, R.index_out_of_range)
_TYPES = (R.shape_mismatch, R.dtype_mismatch, R.wrong_rank)
_OF_ENTRIES = (  # what says most first
    R.undefined_reference,
    R.index_out_of_range,
    R.self_reference,
    R.cycle,
    R.unreachable_node,
    R.output_out_of_range,
    R.used_before_defined,
    *_TYPES,
)
_MISPLACED = (  # what refers to a node by its position, and what follows from referring to another
    R.undefined_reference,
    R.self_reference,
    R.cycle,
    R.index_out_of_range,
    R.output_out_of_range,
    R.arg_nodes,
    R.used_before_defined,
    R.node_row_ptr,
    R.hidden_output,
    R.swapped_inputs,
    R.unreachable_node,
    R.wrong_input_count,
    R.wrong_output_count,
)


class GraphLookup(Lookup):
    """What the rows ask of an NNVM graph."""

    def __init__(self, model: Model) -> None:
        super().__init__(model.document)
        self.value: Any = getattr(model.document, "value", None)
        self.sweep = state_of(model).sweep

    @cached_property
    def outputs(self) -> set[Any]:
        """Return the nodes whose values the graph outputs."""
        try:
            return {entry[0] for entry in self.value["heads"]}
        except (LookupError, TypeError):
            return set()

    def is_listed(self, index: Any) -> bool:
        """Return whether a node's name is that of an argument or an output."""
        return value_at(self.value, ("nodes", index, "op")) == "null" or index in self.outputs

    def value_span(self, problem: Problem) -> Span:
        return self.document.span(Place(self.path(problem)))

    def inner_span(self, problem: Problem) -> Span:
        """Return the innermost of the values that a file ends in."""
        at = problem.related[0][1]
        assert not isinstance(at, OtherPlace)
        return self.document.span(at) if isinstance(at, Place) else at


def _as_bytes(lookup: GraphLookup, problem: Problem) -> Problem:
    """Most readers copy bytes that are not UTF-8; MXNet's Python API decodes some names."""
    path, addition = lookup.path(problem), problem.addition
    if len(path) == 3 and path[0] == "nodes" and path[2] == "name" and lookup.is_listed(path[1]):
        addition = "; MXNet loads it, but its Python API cannot list this name"
    return replace(problem, severity=Severity.WARNING, addition=addition)


# The end of a file


def _path(problem: Problem) -> Path:
    """Return the path of a problem that is at a place."""
    return problem.at.path if isinstance(problem.at, Place) else ()


def _has_related(_: GraphLookup, problem: Problem) -> bool:
    return bool(problem.related)


def _is_at_place(_: GraphLookup, problem: Problem) -> bool:
    return isinstance(problem.at, Place)


def _is_of_file(_: GraphLookup, problem: Problem) -> bool:
    return isinstance(problem.at, Place) and not problem.at.path


def _cut(lookup: GraphLookup, root: Problem, followers: list[Problem]) -> Problem:
    """Return the end of a file with what is missing because of it, the innermost first."""
    lacking = {lookup.value_span(problem).start: problem.text for problem in followers}
    told = [lacking[start] for start in sorted(lacking, reverse=True)]
    return replace(root, severity=Severity.ERROR, fix=None, addition="; " + ", ".join(told[:_TOLD]))


def _closed(lookup: GraphLookup, _: Problem, follower: Problem) -> Problem:
    """Return what a graph lacks at the bracket that ends it."""
    end = lookup.document.span(Place(())).end
    addition = "; the graph ends at this bracket, and readers ignore what follows"
    return replace(follower, at=Span(end - 1, end), addition=addition)


# The graph's own keys


def _is_outermost(_: GraphLookup, problem: Problem) -> bool:
    return "subgraphs" not in _path(problem)


def _is_at_top(lookup: GraphLookup, problem: Problem) -> bool:
    return len(lookup.path(problem)) <= 1


def _is_repeated(lookup: GraphLookup, problem: Problem) -> bool:
    """Return whether a problem is a key of the graph that has two different values."""
    if len(lookup.path(problem)) != 1:
        return False
    try:
        fix = problem.fix(lookup.document) if problem.fix else None
    except LookupError:  # its edits touch what was repaired
        return True
    return fix is None or fix.safety != "safe"


def _is_no_repetition(_: GraphLookup, problem: Problem) -> bool:
    return problem.rule is not R.duplicate_key


def _key(lookup: GraphLookup, problem: Problem) -> tuple[Path, ...]:
    return (lookup.path(problem)[:1],)


def _keys_used(lookup: GraphLookup, problem: Problem) -> Iterator[Path]:
    """Yield the keys of the graph on which a problem depends."""
    path = lookup.path(problem)
    if path:
        yield path[:1]
    if not path or path[0] in _COUNTING:
        yield ("nodes",)
    if problem.rule is R.mxnet_version:
        yield ("attrs",)


def _is_rewriting(lookup: GraphLookup, problem: Problem) -> bool:
    """Return whether the fix of a problem rewrites a list from what the nodes say."""
    is_listed = problem.rule in _LISTS and problem.fix is not None
    return is_listed and not _REWRITTEN.isdisjoint(lookup.path(problem)[-2:])


def _is_other(lookup: GraphLookup, problem: Problem) -> bool:
    return not _is_rewriting(lookup, problem)


def _unsafe(_: GraphLookup, __: Problem, problem: Problem) -> Problem:
    make = problem.fix

    def fix(document: Document) -> Fix | None:
        found = make(document) if make else None
        return None if found is None else Fix(found.title, found.edits, "unsafe")

    return replace(problem, fix=fix)


# Entries of inputs


def _entry(_: GraphLookup, problem: Problem) -> Path | None:
    """Return the path of the entry that a problem is about."""
    path = _path(problem)
    return path[: path.index("inputs") + 2] if "inputs" in path else None


def _is_of_entry(lookup: GraphLookup, problem: Problem) -> bool:
    return _entry(lookup, problem) is not None


def _is_of_node(lookup: GraphLookup, problem: Problem) -> bool:
    return _entry(lookup, problem) is None


def _is_of_inputs(_: GraphLookup, problem: Problem) -> bool:
    return _path(problem)[-1:] == ("inputs",)


def _weight(problem: Problem) -> tuple[Severity, int]:
    return problem.actual_severity, -_OF_ENTRIES.index(problem.rule)


def _with_fix(_: GraphLookup, kept: Problem, other: Problem) -> Problem:
    return replace(kept, fix=kept.fix or other.fix)


def _redirected(lookup: GraphLookup, problem: Problem) -> Problem:
    return problem if lookup.sweep is None else wiring.redirected_problem(lookup.sweep, problem)


# Values


def _is_at_span(_: GraphLookup, problem: Problem) -> bool:
    return isinstance(problem.at, Span)


def _operator(_: GraphLookup, problem: Problem) -> tuple[Path, ...]:
    """Return the node whose operator is unknown."""
    return (_path(problem)[:-1],)


def _related(_: GraphLookup, problem: Problem) -> list[Path]:
    """Return the nodes that a problem of a list refers to."""
    return [at.path[:-1] for _, at in problem.related if isinstance(at, Place)]


def _holders(_: GraphLookup, problem: Problem) -> list[Path]:
    """Return where the attributes of the node may be that lacks one."""
    paths = place(_, problem)
    return [(*path[:k], holder) for path in paths for k in (-1, None) for holder in HOLDERS]


_SHIFT = Which((R.shifted_nodes,))
_WRONG = Which((R.wrong_type, R.wrong_length, R.value_not_allowed), least=Severity.ERROR, when=_is_at_place)
_NO_INPUT = Which((R.unreachable_node,), when=_is_of_node)

ROWS: tuple[Row, ...] = (
    # mxnet 1.9.1 loads a file that is not UTF-8, infers shapes, binds and runs it
    Each(Which((R.invalid_utf8,)), _as_bytes),
    # what the objects lack that the end of the file cuts off
    Follows(
        Which((R.truncated_file,), when=_has_related),
        Spans(True, of_root=GraphLookup.inner_span, of_follower=GraphLookup.value_span),
        Which(_CUT, when=_is_at_place),
        rooted=_cut,
    ),
    # a surplus or early bracket that ends the graph
    Follows(
        Which((R.trailing_text,)), ANYWHERE, Which((R.missing_key,), when=_is_of_file), becomes=_closed, rooted=gone
    ),
    # with a node lost or given twice, all positions are shifted, and the wrong nodes are used
    Follows(_SHIFT, ANYWHERE, Which(groups="D"), rooted=severest),
    Follows(_SHIFT, ANYWHERE, Which(_MISPLACED, when=_is_outermost), rooted=severest),
    Follows(_SHIFT, EXPLAINED, Which((R.duplicate_definition,)), rooted=severest),
    # names tell what was meant
    Each(Which((R.self_reference, R.cycle, *_TYPES)), _redirected),
    # what the second value of a key of the graph gets wrong
    Follows(
        Which((R.duplicate_key,), when=_is_repeated),
        Keyed(_key, _keys_used),
        Which(when=_is_no_repetition),
        rooted=severest,
    ),
    # a file that is wrong at the top may not say by which version it was written
    Follows(
        Which(groups="TS", least=Severity.WARNING, when=_is_at_top),
        ANYWHERE,
        Which((R.mxnet_version,), most=Severity.INFO, least=Severity.INFO),
    ),
    # the nodes may be wrong, and the list right that would be rewritten from them
    Follows(
        Which(least=Severity.WARNING, when=_is_other), ANYWHERE, Which(_LISTS, when=_is_rewriting), becomes=_unsafe
    ),
    # a wrong entry is one mistake
    Once(Which(_OF_ENTRIES), _entry, _weight, _with_fix),
    # the right node is unused
    Follows(Which(_ASTRAY, when=_is_of_entry), ANYWHERE, _NO_INPUT),
    # the unused node is the input that is missing
    Follows(Which((R.wrong_input_count,), least=Severity.ERROR, when=_is_of_inputs), ANYWHERE, _NO_INPUT),
    # lists say of nodes what cannot be compared with an unknown operator, or with values of a wrong type
    Follows(Which((R.unknown_operator,)), Keyed(_operator, _related), Which((R.arg_nodes,))),
    Follows(_WRONG, Keyed(above, place), Which((R.arg_nodes,))),
    # the attribute may be in what is of a wrong type
    Follows(_WRONG, Keyed(place, _holders), Which((R.missing_attribute,))),
    # values of a wrong type or out of range are not read
    Follows(_WRONG, INSIDE, Which(groups="AOR")),
    Follows(
        Which((R.number_out_of_range,), least=Severity.ERROR, when=_is_at_span),
        SAME_VALUE,
        Which(when=_is_at_place),
    ),
)
