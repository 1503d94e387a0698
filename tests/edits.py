"""Generated texts with edits that do not overlap."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from irlint.text.base import Edit, Span


@st.composite
def texts_and_edits(draw: st.DrawFn, alphabet: str = "abc\n") -> tuple[str, list[Edit]]:
    text = draw(st.text(alphabet, max_size=40))
    return text, draw(edits_of(text, alphabet))


@st.composite
def edits_of(draw: st.DrawFn, text: str, alphabet: str = "XYZ\n") -> list[Edit]:
    """Edits in text order; no two begin at one place."""
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    edits = []
    for start, after in pairwise([*cuts, len(text)]):
        if draw(st.booleans()):
            edits.append(Edit(Span(start, draw(st.integers(start, after))), draw(st.text(alphabet, max_size=4))))
    return edits
