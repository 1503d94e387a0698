"""ncnn param files: which problems of a file follow from which."""

from __future__ import annotations

from irlint.causes.relations import EXPLAINED, Lookup
from irlint.causes.rows import Each, Follows, Row, Which, gone
from irlint.findings import INFERRED, Problem
from irlint.formats.ncnn.rules import R
from irlint.rules.base import Model
from irlint.text.base import Place


class LayerLookup(Lookup):
    def __init__(self, model: Model) -> None:
        super().__init__(model.document)
        self.graph = model.graph

    def misses_undefined(self, problem: Problem) -> bool:
        """Return whether the dry run misses an input that is there, but undefined."""
        if not isinstance(problem.at, Place) or problem.at.path[1:] != ("op",):
            return False
        return any(source[0] < 0 for source in self.graph.nodes[int(problem.at.path[0])].inputs)


ROWS: tuple[Row, ...] = (
    # the undefined name is the mistake
    Each(Which((R.wrong_input_count,), when=LayerLookup.misses_undefined), gone),
    # the runtime does not use the sizes that an Input declares: what rests on them is a warning about the Input
    Follows(Which((R.declared_shape_differs,), kinds=("",)), EXPLAINED, Which(kinds=(INFERRED,))),
)
