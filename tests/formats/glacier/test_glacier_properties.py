"""Random models: what the flat view writes lints clean, and one mutation is found by exactly its rule, on its line."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

import irlint
from irlint.graph import Graph, Node, Source
from irlint.inspection import flatten
from irlint.operators import table
from irlint.text.base import Lines

_OPS = [
    name
    for name in table("relay").names
    if (op := table("relay").get(name)) and len(op.inputs) == 2 and all(port.kind == "required" for port in op.inputs)
]


@st.composite
def models(draw: st.DrawFn) -> Graph:
    """Graphs of binary operators in any order, every call needed by the one output."""
    count = draw(st.integers(3, 14))
    nodes = [Node(k, f"v{k}", "null", (k,), kind="var") for k in range(3)]
    unread: list[int] = []
    for index in range(3, 3 + count):
        sources = [draw(st.integers(0, index - 1)) for _ in range(2)]
        sources[draw(st.integers(0, 1))] = index - 1 if index > 3 else 0
        nodes.append(Node(index, f"c{index}", draw(st.sampled_from(_OPS)), (index,), [Source(s) for s in sources]))
        unread.append(index)
    return Graph(nodes, outputs=[Source(2 + count)])


def found(lines: list[str]) -> list[tuple[str, int]]:
    text = "\n".join(lines) + "\n"
    positions = Lines(text)
    return [(f.code, positions.position(f.span.start).line - 1) for f in irlint.lint(text, as_format="glacier")]


@given(models())
def test_what_flatten_writes_is_clean(graph: Graph) -> None:
    text = flatten(graph).text()
    assert found(text.splitlines()) == []
    assert flatten(irlint.load(text, as_format="glacier").graph).text() == text


def _input(lines: list[str], at: int, pick: Callable[[int], str | None]) -> list[str] | None:
    head, _, inputs = lines[at].partition("[")
    items = inputs[:-1].split(", ")
    for place, item in enumerate(items):
        if item.isdecimal() and (new := pick(int(item))) is not None:
            return [*lines[:at], f"{head}[{', '.join([*items[:place], new, *items[place + 1 :]])}]", *lines[at + 1 :]]
    return None


def _mutants(lines: list[str], at: int) -> dict[str, tuple[list[str] | None, list[tuple[str, int]]]]:
    line, last = lines[at], len(lines) - 1
    id_, op, _ = line.split(" ", 2)

    def put(new: str) -> list[str]:
        return [*lines[:at], new, *lines[at + 1 :]]

    return {
        "id": (put(f"{at + 77} {line.split(' ', 1)[1]}"), [("R401", at)]),
        "operator": (put(line.replace(op, f"{op[0]}_{op[1:]}", 1)), [("O001", at)]),
        "open": (put(line.replace("[", "", 1)), [("S001", at)]),
        "close": (put(line[:-1]), [("S001", at)]),
        "double": ([*lines[: at + 1], *lines[at:]], [("R005", at + 1)]),
        "drop": ([*lines[:at], *lines[at + 1 :]] if at < last else None, [("R401", at)]),
        "unquoted": (put(line.replace("'", "")) if line.count("'") == 2 else None, [("S001", at)]),
        "forward": (_input(lines, at, lambda _: str(last)) if at < last else None, [("R002", at)]),
        "self": (_input(lines, at, lambda _: id_), [("R003", at)]),
        "nowhere": (_input(lines, at, lambda _: str(last + 5)), [("R001", at)]),
        "quoted": (_input(lines, at, lambda item: f"'{item}'"), [("T401", at)]),
        "more": (put(line[:-1] + ", 'one_more']"), [("O002", at)]),
    }


@given(models(), st.data())
def test_one_mutation_is_found_by_its_rule_on_its_line(graph: Graph, data: st.DataObject) -> None:
    lines = flatten(graph).text().splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    for name, (mutant, expected) in _mutants(lines, at).items():
        if mutant is not None:
            assert found(mutant) == expected, (name, mutant[at : at + 1])
