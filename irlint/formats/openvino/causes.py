"""OpenVINO IR: which problems of a file follow from which."""

from __future__ import annotations

from irlint.causes.double_keys import JOINED_KEY, joined, lacks_key
from irlint.causes.relations import ANYWHERE, Keyed, above, place
from irlint.causes.rows import Each, Follows, Once, Row, Which, gone, graded
from irlint.findings import INFERRED, INPUT, Problem, Severity
from irlint.formats.openvino.causes_lookup import IrLookup
from irlint.formats.openvino.culprits import counted
from irlint.formats.openvino.rules import R
from irlint.records import replace
from irlint.text.base import Path, Place, Span

_OUTPUT = "output port"  # that declares another type than is inferred
_MOVED, _CONSTANT, _RAISED, _KEPT = "at its cause", "at a constant", "the cause of an error", "refused"
_DECLARED = (R.declared_shape_differs, R.declared_dtype_differs)
_ASTRAY = (R.unreachable_node, *_DECLARED)  # what an edge to or from another layer than was meant leaves behind
_ATTRIBUTES = (R.wrong_attribute_type, R.bool_string, R.value_not_in_enum, R.value_out_of_range, R.lossy_number)
_VALUES = (R.value_not_in_enum, R.value_out_of_range)
_REFERENCES = (R.self_reference, R.cycle)
_COUNTS = (R.wrong_input_count, R.wrong_output_count)
_SHOWN = 8  # related places of one problem


def _is_read(_: IrLookup, problem: Problem) -> bool:
    """Return whether the file itself shows a problem, without inferred types."""
    return problem.kind == ""


def _is_of_any_release(_: IrLookup, problem: Problem) -> bool:
    """Return whether a problem is not one of a target alone."""
    return problem.rule not in (R.target_cannot_read, R.target_lacks_operator)


def _element(lookup: IrLookup, problem: Problem) -> tuple[Path, ...]:
    """Return the element whose tag has an attribute twice."""
    return (lookup.path(problem),) if isinstance(problem.at, Span) else ()


def _one_of_two(lookup: IrLookup, double: Problem, lacking: Problem) -> Problem:
    assert isinstance(double.at, Span)
    start, end = double.at
    name = lookup.document.text[start:end].partition("=")[0].rstrip()
    found = joined(lacking, Span(start, start + len(name)), lacking.key)
    message = f"missing required attribute `{lacking.key}`; did you mean one of the two `{name}` attributes?"
    return replace(found, message=message, related=double.related, severity=None)


def _is_consequence(_: IrLookup, problem: Problem) -> bool:
    return problem.rule.code[0] not in "ST"


def _named(_: IrLookup, problem: Problem) -> tuple[object, ...]:
    """Return the rule of a problem and the part of the file that it is at."""
    return ((problem.rule, *problem.at[:2]),) if isinstance(problem.at, Place) else ()


def _suspected(lookup: IrLookup, problem: Problem) -> list[object]:
    """Return the layer of a problem and the part of it that the problem is at."""
    return [*_named_part(problem, lookup.layer(problem)), *lookup.layer(problem)]


def _cause(lookup: IrLookup, problem: Problem) -> list[object]:
    """Return the layer that is the cause of a problem."""
    return [*_named_part(problem, lookup.cause(problem)), *lookup.cause(problem)]


def _named_part(problem: Problem, layers: tuple[object, ...]) -> list[object]:
    return [(layer, *problem.at[:2]) for layer in layers if isinstance(problem.at, Place)]


def _raised(_: IrLookup, root: Problem, followers: list[Problem]) -> Problem:
    """Return a problem as an error, with its consequence as a note, at its own place: no repair is tried anywhere else."""
    consequence = followers[-1]
    addition = f"{root.addition} (this causes {consequence.rule.code})"
    related = [*root.related, (consequence.text, root.at)]
    return replace(root, severity=Severity.ERROR, addition=addition, related=related, kind=_RAISED)


def _refined(lookup: IrLookup, problem: Problem) -> Problem:
    return replace(lookup.refined(problem), kind=_OUTPUT)


def _refused(_: IrLookup, problem: Problem) -> Problem:
    return replace(problem, severity=Severity.ERROR, kind=_KEPT)


def _at_culprit(lookup: IrLookup, problem: Problem) -> Problem:
    return replace(lookup.at_culprit(problem), kind=_MOVED)


def _at_constant(lookup: IrLookup, problem: Problem) -> Problem:
    return replace(lookup.at_constant(problem), kind=_CONSTANT)


def _with_same_bytes(_: IrLookup, kept: Problem, other: Problem) -> Problem:
    if len(kept.related) >= _SHOWN:
        return kept
    return replace(kept, related=[*kept.related, (f"same bytes: {other.text}", other.at)])


def _with_leads(lookup: IrLookup, problem: Problem) -> Problem:
    found = lookup.find(problem)
    return problem if found is None else replace(problem, related=[*problem.related, *counted(found)])


def _without_result(_: IrLookup, root: Problem, followers: list[Problem]) -> Problem:
    """Return the problem of a lost Result, with the edges that led to it."""
    return replace(root, related=[*root.related, *[(problem.text, problem.at) for problem in followers[:_SHOWN]]])


LAYER = Keyed(IrLookup.layer, IrLookup.layer)
_SUSPECT = Which(kinds=("",), when=IrLookup.is_suspect)
_MAPPED = Which((R.body_mapping,), most=Severity.WARNING)
_TYPES = Which(kinds=(INFERRED,), when=IrLookup.is_in_layer)
_ERRORS = Which(kinds=(INFERRED,), least=Severity.ERROR, when=IrLookup.is_in_layer)
_OF_CONSTANTS = Which(kinds=(INFERRED,), least=Severity.ERROR, when=IrLookup.is_of_constant)
_OF_INPUTS = Which(kinds=(INFERRED,), least=Severity.ERROR, when=IrLookup.is_of_input)
_MOVED_ERRORS = Which(kinds=(_MOVED,))

ROWS: tuple[Row, ...] = (
    # an attribute that a tag has twice where another is missing
    Follows(
        Which((R.duplicate_xml_attribute,)),
        Keyed(_element, place, alone=True),
        Which((R.missing_key,), when=lacks_key),
        becomes=_one_of_two,
        rooted=gone,
    ),
    # its element was not read as it was meant
    Follows(JOINED_KEY, ANYWHERE, Which((R.empty_model,))),
    Follows(JOINED_KEY, Keyed(_element, above), Which(when=_is_consequence)),
    # What the dry run finds.
    # an input may come from the part that is lost, or an edge is known to be wrong
    Each(Which((R.wrong_input_count,), kinds=(INFERRED,), when=IrLookup.is_unfed), gone),
    # the operator table has counted the inputs
    Follows(Which((R.wrong_input_count,), when=_is_read), LAYER, Which((R.wrong_input_count,), kinds=(INFERRED,))),
    # compressed weights keep their stored type at the output of their Convert
    Each(Which((R.declared_dtype_differs,), kinds=(INFERRED,), when=IrLookup.is_compressed), gone),
    # what a port declares is wrong at its exact token
    Each(Which(_DECLARED, kinds=(INFERRED,), when=IrLookup.is_in_layer), _refined),
    # the types in a body follow from its port map
    Follows(Which((R.body_mapping,), least=Severity.ERROR), LAYER, _TYPES),
    # the operator table has judged the value, or misses it
    Follows(
        _SUSPECT,
        LAYER,
        Which((R.value_out_of_range,), kinds=(INFERRED,), part="@", when=IrLookup.is_absent),
    ),
    Follows(_SUSPECT, Keyed(_named, _named), Which(_VALUES, kinds=(INFERRED,), when=IrLookup.is_judged)),
    # a recurrent layer with another hidden size is refused
    Each(Which(kinds=(INFERRED,), part="@hidden_size", when=IrLookup.needs_hidden_size), _refused),
    # the port map has been told that the condition of an If goes into a body
    Follows(_MAPPED, LAYER, Which(kinds=(INFERRED,), when=IrLookup.is_accepted_condition)),
    # OpenVINO accepts more than the specification
    Each(Which(kinds=(INFERRED,), when=IrLookup.is_accepted), graded(Severity.WARNING)),
    # an input of a layer with an error may be the wrong one
    Follows(_ERRORS, LAYER, Which(kinds=(INPUT,))),
    # an attribute that is read otherwise than it was meant
    Follows(_SUSPECT, Keyed(_suspected, _cause, alone=True), _ERRORS, rooted=_raised),
    # an entry of a port map that feeds a body with another type
    Follows(_MAPPED, Keyed(above, IrLookup.entry), _ERRORS, rooted=_raised),
    # a Parameter of a body that says otherwise than what feeds it
    Follows(Which(_DECLARED, when=_is_read), Keyed(IrLookup.layer, IrLookup.upstream), _ERRORS, rooted=_raised),
    # declarations that differ show which layer or edge is wrong
    Each(Which(kinds=(INFERRED,), least=Severity.ERROR, when=IrLookup.has_culprit), _at_culprit),
    # a layer that has an error has its cause
    Follows(Which(kinds=("",), least=Severity.ERROR), LAYER, _MOVED_ERRORS),
    # one cause is one finding
    Once(_MOVED_ERRORS, IrLookup.place),
    Follows(_MOVED_ERRORS, Keyed(IrLookup.cause, IrLookup.layer), Which(kinds=(INPUT,))),
    # if all declarations agree, a constant that the layer uses is wrong, or the layer itself
    Each(_OF_CONSTANTS, _at_constant),
    Each(_OF_INPUTS, IrLookup.at_layer),
    # constants that are read from the same bytes have the same mistake
    Once(Which(kinds=(_CONSTANT,)), IrLookup.bytes, joined=_with_same_bytes),
    # an edge leads to the Result that is lost
    Follows(
        Which((R.empty_model,)),
        ANYWHERE,
        Which((R.undefined_reference,), part="@to-layer", most=Severity.WARNING),
        rooted=_without_result,
    ),
    # what no release compiles, a target does not either
    Follows(Which(least=Severity.ERROR, when=_is_of_any_release), LAYER, Which((R.target_lacks_operator,))),
    # What follows from another problem of a layer, unless that one is less severe.
    # a port with another number
    Follows(
        Which((R.undefined_reference,), part="@id"),
        LAYER,
        Which((*_DECLARED, R.duplicate_definition, R.wrong_type)),
        milder=True,
    ),
    # a shape that neither the bytes nor the port fit
    Follows(Which((R.weights_mismatch,), part="@size"), LAYER, Which((R.declared_shape_differs,)), milder=True),
    # hints for an operation that does not exist
    Follows(Which((R.unknown_operator,), part="@type"), LAYER, Which((R.runtime_info,)), milder=True),
    # an attribute that is read as something else
    Follows(Which(_ATTRIBUTES, part="@"), LAYER, Which((*_DECLARED, R.weights_mismatch)), milder=True),
    # an edge that leads elsewhere
    Follows(Which(least=Severity.ERROR, when=IrLookup.is_at_edge), ANYWHERE, Which(_ASTRAY, most=Severity.WARNING)),
    # other causes of a wrong number of ports
    Each(Which(_COUNTS, least=Severity.ERROR), _with_leads),
    # the reader does not look at layers that no Result needs
    Each(Which(least=Severity.ERROR, when=IrLookup.is_ignored), graded(Severity.WARNING)),
    # an edge holds the reference
    Each(Which(_REFERENCES), IrLookup.at_edge),
)
