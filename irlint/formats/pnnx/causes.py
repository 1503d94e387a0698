"""pnnx graphs: how severe problems are in what pnnx does not read."""

from __future__ import annotations

from irlint.causes.relations import Lookup
from irlint.causes.rows import Each, Row, Which, graded
from irlint.findings import Problem, Severity
from irlint.text.layers.document import LayerDocument


def _is_unread(lookup: Lookup, problem: Problem) -> bool:
    """Return whether a problem is in the two lines before the operators, but not at the number of operators."""
    document = lookup.document
    assert isinstance(document, LayerDocument)
    count, starts = document.header.get("layers"), document.lines.starts
    start = lookup.span(problem).start
    return len(starts) > 2 and start < starts[2] and count is not None and not count.start <= start < count.end


ROWS: tuple[Row, ...] = (
    # of the two lines before the operators pnnx reads only how many operators follow
    Each(Which(least=Severity.ERROR, when=_is_unread), graded(Severity.WARNING)),
)
