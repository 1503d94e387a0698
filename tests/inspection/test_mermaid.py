"""The diagram of what changed, for comments."""

from __future__ import annotations

import re

from rule_cases.texts import ONNX, changed

from irlint.engine import lint
from irlint.inspection.review.changes import differences
from irlint.inspection.review.difference import Difference
from irlint.inspection.review.mermaid import MOST, diagram

LABEL = r'"(?:[\w .,:/()+-]|#\d+;)*"'
LINE = re.compile(rf"flowchart TD|  n\d+\[{LABEL}\](?::::\w+)?|  n\d+ (?:-->|==>|-\.->) n\d+|  classDef [\w :,#-]+")


def compared(old: str, new: str) -> Difference:
    before, after = lint(old, "a.onnxtxt").model, lint(new, "b.onnxtxt").model
    assert before is not None
    assert after is not None
    return differences(before, after)


def test_changed_nodes_and_their_neighbors_are_drawn() -> None:
    new = changed(
        ONNX, ("[relu] positive = Relu (features)", "[act] bent = Sigmoid (features)\n   [neg] positive = Neg (bent)")
    )
    lines = diagram(compared(ONNX, new))
    text = "\n".join(lines)
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    for part in (
        '"(gone) relu (Relu)"]:::removed',
        '"(new) act (Sigmoid)"]:::added',
        '"(new) neg (Neg)"]:::added',
        '"conv (Conv)"]\n',
    ):
        assert part in text
    assert (text.count("-.->"), text.count("==>")) == (2, 3)
    assert "kernel" not in text


def test_names_mean_nothing_in_the_diagram() -> None:
    for name in ("a]b", 'x"];click n0 call alert()', "<b>", "`` ```", "end", "1. item", "é\u202e"):
        written = name.replace('"', "'")
        old, new = (changed(ONNX, ("[relu]", f"[ñ{k}]")) for k in "ab")
        found = compared(old, new.replace("Relu (", "Neg ("))
        for pair in found.pairs:
            for side in (pair.old, pair.new):
                if side is not None and side[1].kind == "call":
                    side[1].name = written
        assert [line for line in diagram(found) if not LINE.fullmatch(line)] == [], name


def test_nothing_is_drawn_where_nothing_or_very_much_changed() -> None:
    assert diagram(compared(ONNX, ONNX)) == []
    chain = "\n".join(f"   v{k} = Neg ({f'v{k - 1}' if k else 'features'})" for k in range(MOST + 1))
    new = changed(ONNX, ("Relu (features)", f"Relu (v{MOST})"), ("   [relu]", f"{chain}\n   [relu]"))
    assert diagram(compared(ONNX, new)) == []
