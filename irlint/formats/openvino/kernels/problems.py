"""Layers that a release named by --target does not load, or not with these types and attributes.

Only those of the outermost graph are reported; in bodies, they are converted, folded or never run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from irlint.dryrun.infer import Inference
from irlint.findings import Problem
from irlint.formats.openvino.inferred import InferredTypes
from irlint.formats.openvino.kernels.facts import IrFacts, IrTypes
from irlint.formats.openvino.passes.constant_inputs import less_known, parameters, reached, varying
from irlint.formats.openvino.passes.root import FIRST, TARGET, needed_releases, target_problems
from irlint.formats.openvino.reading.opsets import operator_of, parse_release, release_name
from irlint.formats.openvino.state import state_of
from irlint.rules.base import Model
from irlint.targets.base import AgainstTarget, ComparedTarget
from irlint.targets.kernels import AskedNode, Kernels, kernels
from irlint.targets.refused import refused

TABLE = "openvino-ir"
_TITLE = "OpenVINO"
_ENDS = ("Parameter", "Result")  # of a model: their types are asked, whatever feeds them


def _table() -> Kernels:
    return kernels(TABLE)


def asked_nodes(model: Model) -> list[AskedNode]:
    """Return the layers that the table may speak of: others are constants once they are folded, or wrong for any release."""
    state = state_of(model)
    if state.asked is None:
        state.asked = []
        if isinstance(model.types, Inference) and state.sections:
            first = state.sections[0]
            types = IrTypes(
                first,
                InferredTypes(model.types, state.sections),
                varying(first),
                reached(first, parameters(first)),
                reached(first, less_known(first, state.weights)),
            )
            for node in first.graph.nodes:
                is_asked = first.live[node.index] and (types.varies[node.index] or node.op in _ENDS)
                operator = operator_of(node.op, node.version) if is_asked and id(node) not in model.silent else None
                if operator is not None:
                    state.asked.append(AskedNode(first.graph, node, operator, IrFacts(types, node, operator), {}))
    return state.asked


def kernel_problems(model: Model, releases: Iterable[str]) -> Iterator[Problem]:
    """Report what releases refuse of the layers whose opsets they have; one that was not asked, what those before and after it refuse."""
    table = _table()
    for text in releases:
        wanted = parse_release(text)
        known = [] if wanted is None else table.around(release_name(wanted))
        for asked in asked_nodes(model) if known else ():
            whys = [asked.refusal(table, release) for release in known]
            if (
                whys[0] is None
                or None in whys
                or any(first > (wanted or first) for first, _, _ in needed_releases(asked.node))
            ):
                continue
            yield refused(_TITLE, known[0], table, asked, whys[0])


def compared(model: Model) -> Sequence[ComparedTarget]:
    """Return OpenVINO for the versions of IR that the releases of the table read."""
    return [ComparedTarget(TARGET, "OpenVINO", _table().releases, "measured")] if model.dialect in FIRST else []


def held(model: Model, release: str) -> AgainstTarget:
    """Return what a release refuses, and the operations that the table does not know."""
    sections = state_of(model).sections
    if not sections:
        return AgainstTarget(())
    problems = target_problems(sections, int(model.dialect[2:]), {TARGET: release})
    known = _table().at(release)
    unasked = Counter(one.node.op for one in asked_nodes(model) if one.operator.name not in known)
    return AgainstTarget([*problems, *kernel_problems(model, (release,))], 0, unasked)
