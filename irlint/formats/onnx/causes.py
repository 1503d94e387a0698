"""ONNX models: which problems of a file follow from which, and what becomes of problems once types are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irlint.causes.relations import ANYWHERE, SAME_VALUE, Keyed, above, place
from irlint.causes.rows import Follows, Once, Row, Which, severest
from irlint.findings import INFERRED, OTHER_VERSION, Problem, Severity
from irlint.formats.onnx.causes_declared import DECLARED
from irlint.formats.onnx.causes_lookup import OnnxLookup, call_path
from irlint.formats.onnx.opsets import DEFAULT
from irlint.formats.onnx.rules import R
from irlint.records import replace
from irlint.text.base import Path, Place
from irlint.text.words import count

_SHOWN = 3  # related places of one problem
_NAMES = (R.undefined_reference, R.used_before_defined, R.self_reference, R.cycle, R.duplicate_definition)
_COUNTS = (R.wrong_input_count, R.wrong_output_count)
_DECLARED = (R.declared_shape_differs, R.declared_dtype_differs)
_IDLE = (R.unreachable_node, R.unused_weights)


# Where problems are


def _call(lookup: OnnxLookup, problem: Problem) -> tuple[Path, ...]:
    """Return the node that a problem is in."""
    path = call_path(lookup.path(problem))
    return () if path is None else (path,)


def _home(lookup: OnnxLookup, problem: Problem) -> tuple[Path, ...]:
    """Return the graph of a problem's node."""
    return tuple(path[:-2] for path in _call(lookup, problem))


def _calls_around(lookup: OnnxLookup, problem: Problem) -> Iterable[Path]:
    """Return the nodes that the graph of a problem's node is in."""
    path = call_path(lookup.path(problem))
    while path is not None:
        path = call_path(path[:-2])
        if path is not None:
            yield path


def _item(_: OnnxLookup, problem: Problem) -> tuple[Path, ...]:
    """Return the initializer, function, import or value that a problem is in."""
    path = _path(problem)
    end = next((size for size in range(1, len(path) + 1) if isinstance(path[size - 1], int)), None)
    return () if end is None else (path[:end],)


def _import(_: OnnxLookup, problem: Problem) -> tuple[str, ...]:
    is_import = isinstance(problem.at, Place) and problem.at.path[:1] == ("opset_import",)
    return ("opset_import",) if is_import else ()


def _is_import(lookup: OnnxLookup, problem: Problem) -> bool:
    """Return whether a problem is about an import. Of two spellings of a domain, onnx and onnxruntime do not count the same."""
    return bool(_import(lookup, problem)) and not lookup.domains >= {"", DEFAULT}


def _refused_import(lookup: OnnxLookup, root: Problem, followers: list[Problem]) -> Problem:
    return replace(_with_reasons(lookup, root, followers), severity=Severity.ERROR)


def _of_doubled(lookup: OnnxLookup, problem: Problem) -> tuple[str, ...]:
    """Return a key of problems in nodes that what is defined twice leads to, and of declarations of their outputs."""
    path = call_path(lookup.path(problem))
    is_below = path in lookup.below_doubled if path is not None else problem.node in lookup.doubtful
    return ("doubled",) if is_below else ()


def _of_any(*_: object) -> tuple[str, ...]:
    return ("doubled",)


def _is_nesting(lookup: OnnxLookup, problem: Problem) -> bool:
    """Return whether a problem is that of a node with graphs."""
    path = call_path(lookup.path(problem))
    return path is not None and lookup.has_graphs(path)


def _is_in_graph(lookup: OnnxLookup, problem: Problem) -> bool:
    """Return whether a name is defined in a graph that outputs of nodes are in: not an input, function or key."""
    path = lookup.path(problem)
    return len(path) > 2 and path[0] != "opset_import" and ("output" in path[-2:] or "initializer" in path)


def _is_declaration(_: OnnxLookup, problem: Problem) -> bool:
    """Return whether a problem is about all of an input or output of the model."""
    path = _path(problem)
    return len(path) == 3 and path[1] in ("input", "output")


def _is_of_function(_: OnnxLookup, problem: Problem) -> bool:
    return isinstance(problem.at, Place) and problem.at.path[:1] == ("functions",) and len(problem.at.path) == 3


def _is_of_data(_: OnnxLookup, problem: Problem) -> bool:
    """Return whether a problem is about an initializer itself: not about what decides by its values, nor a file that is not there."""
    return "initializer" in _path(problem) and problem.rule not in (R.external_shape, R.missing_weights)


def _is_used(_: OnnxLookup, problem: Problem) -> bool:
    """Return whether a problem is about a value that a node uses, or that a graph outputs."""
    path = _path(problem)
    return path[-2:-1] == ("input",) or path[-3:-2] == ("output",)


def _is_in_attribute(_: OnnxLookup, problem: Problem) -> bool:
    return _path(problem)[-1:] == ("ref_attr_name",)


def _is_ir_version(_: OnnxLookup, problem: Problem) -> bool:
    return _path(problem) == ("ir_version",)


def _path(problem: Problem) -> Path:
    return problem.at.path if isinstance(problem.at, Place) else ()


def _has_meant(_: OnnxLookup, problem: Problem) -> bool:
    return problem.meant is not None


def _has_no_meant(_: OnnxLookup, problem: Problem) -> bool:
    return problem.meant is None


# What becomes of them


def _idle(_: OnnxLookup, root: Problem, follower: Problem) -> Problem:
    return replace(follower, severity=Severity.PEDANTIC)


def _with_idle(_: OnnxLookup, root: Problem, followers: list[Problem]) -> Problem:
    """Return a problem of inputs or names with what nothing uses, if that is little: one of it may have been meant."""
    if len(followers) > _SHOWN or root.rule.code[0] not in "RO":
        return root
    return _noting(root, [(problem.message, problem) for problem in followers])


def _noting(root: Problem, notes: list[tuple[str, Problem]]) -> Problem:
    return replace(root, related=[*root.related, *((message, problem.at) for message, problem in notes[:_SHOWN])])


def _with_reasons(lookup: OnnxLookup, root: Problem, followers: list[Problem]) -> Problem:
    return severest(lookup, _noting(root, [(problem.message, problem) for problem in followers]), followers)


def _with_name(lookup: OnnxLookup, root: Problem, followers: list[Problem]) -> Problem:
    """Return the problem of a name that is defined twice with the one that nothing defines: one of the two was meant to be it."""
    (lacking,) = followers
    name = lookup.document.value_at(lookup.path(lacking))
    found = _noting(root, [(lacking.message, lacking)])
    return replace(found, hint=f"; did you mean {name!r}?", meant=str(name))


def _one_of_each(roots: Sequence[Problem], followers: Sequence[Problem]) -> bool:
    return len(roots) == 1 == len(followers)


def _same_call(lookup: OnnxLookup, problem: Problem) -> Path | None:
    return next(iter(_call(lookup, problem)), None)


def _same_declaration(_: OnnxLookup, problem: Problem) -> Path | None:
    return problem.at.path if isinstance(problem.at, Place) else None


def _same_name(lookup: OnnxLookup, problem: Problem) -> object:
    """Return the name that nothing defines, of an input of a node: several graphs may use it."""
    path = lookup.path(problem)
    return lookup.document.value_at(path) if call_path(path) == path[:-2] and path[-2] == "input" else None


def _also(_: OnnxLookup, kept: Problem, other: Problem) -> Problem:
    return _noting(kept, [(other.message, other)]) if len(kept.related) < _SHOWN else kept


def _type_too(_: OnnxLookup, kept: Problem, other: Problem) -> Problem:
    severity = max(kept.actual_severity, other.actual_severity)
    return replace(kept, addition="; nor does its element type", severity=severity)


def _same_imports(_: OnnxLookup, problem: Problem) -> Path | None:
    is_import = isinstance(problem.at, Place) and problem.at.path[-1:] == ("opset_import",)
    return problem.at.path if is_import and isinstance(problem.at, Place) else None


def _counted(_: OnnxLookup, root: Problem, followers: list[Problem]) -> Problem:
    verb = "does" if len(followers) == 1 else "do"
    return replace(root, addition=f"; {count(len(followers), 'other node')} {verb} the same")


_UNDEFINED = Which((R.undefined_reference,), when=_is_used)
_BROKEN_NAMES = Which(_NAMES, least=Severity.ERROR)
_DOUBLED = Which((R.duplicate_definition,), least=Severity.ERROR, when=_is_in_graph)
_BELOW = Keyed(_of_any, _of_doubled)
ROWS: tuple[Row, ...] = (
    *DECLARED,
    # of two imports of a domain the last counts, which does not fit
    Follows(Which(kinds=(OTHER_VERSION,)), Keyed(_import, _import), Which((R.duplicate_definition,))),
    # onnx.checker refuses what the last import does not have, even if onnxruntime has it
    Follows(
        Which((R.duplicate_definition,), least=Severity.WARNING, when=_is_import),
        ANYWHERE,
        Which((R.operator_not_in_version,), most=Severity.WARNING),
        rooted=_refused_import,
    ),
    # duplicates are read once
    Once(_DOUBLED, _same_call, joined=lambda _, kept, other: kept),
    Follows(_DOUBLED, Keyed(_call, _call), Which((R.duplicate_name,))),
    Follows(_DOUBLED, ANYWHERE, Which((R.used_before_defined,))),
    Follows(_DOUBLED, _BELOW, Which((R.cycle, R.self_reference))),
    Follows(_DOUBLED, ANYWHERE, _UNDEFINED, rooted=_with_name, provided=_one_of_each),
    Once(Which((R.undefined_reference,)), _same_name, joined=_also),
    # what is inferred with another value than was meant
    Follows(_DOUBLED, _BELOW, Which(kinds=(INFERRED,))),
    Follows(_BROKEN_NAMES, Keyed(_call, _call), Which(groups="D")),
    # a body with fewer inputs or outputs than its node passes
    Follows(
        Which(_COUNTS, when=_is_nesting),
        Keyed(_call, _calls_around),
        Which((R.undefined_reference,)),
        rooted=_with_reasons,
    ),
    # an attribute without a value decides about shapes and types
    Follows(
        Which((R.undefined_reference,), when=_is_in_attribute), Keyed(_call, _call), Which(groups="D"), rooted=severest
    ),
    # a misspelt attribute is missing
    Follows(
        Which((R.unknown_attribute,), when=_has_meant),
        Keyed(_call, _call),
        Which((R.missing_attribute, R.wrong_value_length)),
    ),
    # a node of another operator than was meant
    Follows(
        Which((R.operator_not_in_version,)), Keyed(_call, _call), Which((R.unknown_attribute,)), rooted=_with_reasons
    ),
    Follows(Which(groups="AO", least=Severity.ERROR), Keyed(_call, _call), Which(groups="D")),
    Follows(Which(_COUNTS), SAME_VALUE, Which((R.undefined_reference,))),
    Follows(
        Which((*_COUNTS, R.missing_attribute), least=Severity.ERROR),
        Keyed(_call, _call),
        Which((*_COUNTS, R.missing_attribute, R.unknown_attribute), when=_has_no_meant),
        rooted=_with_reasons,
    ),
    # a function that calls itself calls another with what is right for that one
    Follows(Which((R.cycle,), when=_is_of_function), Keyed(_item, _item)),
    Once(Which((R.missing_key,)), _same_imports, joined=_also),
    # a declaration
    Follows(Which((R.missing_key,), when=_is_declaration), Keyed(place, above), Which((R.value_not_allowed,))),
    Once(Which(_DECLARED), _same_declaration, joined=_type_too),
    Once(Which(_DECLARED, kinds=(INFERRED,)), lambda _, problem: problem.node, joined=_also),  # outputs of one node
    # data that is not there decides about nothing
    Follows(
        Which(least=Severity.ERROR, when=_is_of_data), Keyed(_item, _item), Which((R.external_shape, R.nan_weights))
    ),
    # numbers that an operator cannot compute with are found again where all weights are read
    Follows(
        Which((R.nan_weights,), least=Severity.WARNING),
        Keyed(place, place),
        Which((R.nan_weights,), most=Severity.PEDANTIC),
    ),
    # what older IR versions do not have
    Follows(
        Which((R.value_not_allowed,), when=_is_ir_version), ANYWHERE, Which((R.undefined_reference,), when=_is_of_data)
    ),
    # nodes in another order
    Follows(Which((R.used_before_defined,)), Keyed(_home, _home), Which((R.used_before_defined,)), rooted=_counted),
    # what an input or a name that is wrong leaves unused
    Follows(
        Which((*_NAMES, *_COUNTS, R.empty_model), least=Severity.ERROR),
        ANYWHERE,
        Which(_IDLE),
        _idle,
        rooted=_with_idle,
    ),
    Follows(Which(groups="D", least=Severity.ERROR), ANYWHERE, Which(_IDLE), _idle),
)
