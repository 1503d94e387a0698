"""The flat view: order, numbering, node types, on graphs made here and on listings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import irlint
from irlint.graph import NOWHERE, Graph, Node, Source
from irlint.inspection import Flat, flatten
from irlint.order import CycleError, post_order


def graph_of(calls: dict[str, list[str]], outputs: list[str], consts: tuple[str, ...] = ()) -> Graph:
    """A graph with these calls and their inputs; what is no call is a variable, or a constant if named so."""
    leaves = dict.fromkeys(name for inputs in calls.values() for name in inputs if name not in calls and name)
    index = {name: i for i, name in enumerate((*leaves, *calls))}
    nodes = [Node(index[n], n, "null", (index[n],), kind="const" if n in consts else "var") for n in leaves]
    for name, inputs in calls.items():
        sources = [Source(index[i]) if i else NOWHERE for i in inputs]
        nodes.append(Node(index[name], name, f"op_{name}", (index[name],), sources))
    return Graph(nodes, outputs=[Source(index[name]) for name in outputs])


def test_innermost_first_and_left_to_right() -> None:
    graph = graph_of({"out": ["left", "right"], "right": ["shared"], "left": ["shared", "x"], "shared": ["x"]}, ["out"])
    assert flatten(graph).text() == "0 op_shared ['x']\n1 op_left [0, 'x']\n2 op_right [0]\n3 op_out [1, 2]\n"


def test_calls_that_no_output_needs_come_last() -> None:
    graph = graph_of({"dead": ["x"], "a": ["x"], "dead2": ["dead"]}, ["a"])
    assert [node.op_name for node in flatten(graph).nodes] == ["op_a", "op_dead", "op_dead2"]


def test_node_types_are_chosen_one_by_one() -> None:
    graph = graph_of({"a": ["x", "k"], "b": ["a", "k"]}, ["b"], consts=("k",))
    flat = Flat(graph)
    assert flat.text() == "0 op_a []\n1 op_b []\n"
    flat.set_event_node_types("Call")
    assert flat.text() == "0 op_a []\n1 op_b [0]\n"
    flat.set_event_node_types("Constant")
    assert flat.text() == "0 op_a ['k']\n1 op_b [0, 'k']\n"
    assert flat.node_types == ("Call", "Constant")
    flat.set_event_node_types("Var")
    assert flat.text() == flatten(graph).text() == irlint.flatten(graph).text()
    with pytest.raises(ValueError, match="Call, Var, Constant"):
        flat.set_event_node_types("call")


def test_an_open_input_is_not_shown_and_a_constant_without_name_is_called_so() -> None:
    graph = graph_of({"a": ["x", "", "k"]}, ["a"], consts=("k",))
    graph.nodes[1].name = ""
    assert flatten(graph).text() == "0 op_a ['x', 'constant']\n"


def test_what_only_marks_an_output_is_no_call() -> None:
    graph = graph_of({"a": ["x"], "save": ["a"], "result": ["a"]}, ["a"])
    for node in graph.nodes[-2:]:
        node.outputs = ()
    graph.nodes[-2].attrs = {"variable": "v"}
    assert flatten(graph).text() == "0 op_a ['x']\n1 op_save [0]\n"


def test_a_cycle_has_no_order() -> None:
    with pytest.raises(CycleError, match="needs its own result"):
        post_order(graph_of({"a": ["b"], "b": ["a"]}, ["a"]))


def test_a_long_chain_costs_no_recursion() -> None:
    count = 100_000
    nodes = [Node(0, "x", "null", (0,), kind="var")]
    nodes += [Node(i, f"n{i}", "relu", (i,), [Source(i - 1)]) for i in range(1, count + 1)]
    text = flatten(Graph(nodes, outputs=[Source(count)])).text()
    assert text.count("\n") == count
    assert text.endswith(f"\n{count - 1} relu [{count - 2}]\n")


@pytest.mark.parametrize("op", ["", "  two words ", "a\nb", "[0, 'x']", "\x1b[31m", "\u202e", "#", "😀", "back\\slash"])
def test_an_operator_is_one_word_whatever_its_name(op: str) -> None:
    graph = graph_of({"a": ["x"], "b": ["a"]}, ["b"])
    graph.nodes[1].op = op
    text = flatten(graph).text()
    assert text.count("\n") == 2
    assert text.isascii() or op == "😀"
    again = irlint.load(text, as_format="glacier").graph
    assert flatten(again).text() == text
    assert len(again.nodes) == 3


def test_a_variable_without_a_name_has_none() -> None:
    text = "0 abs ['']\n1 exp [0]\n"
    assert flatten(irlint.load(text, as_format="glacier").graph).text() == text


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Random acyclic graphs in random file order, with outputs anywhere."""
    count = draw(st.integers(1, 12))
    places = draw(st.permutations(range(count)))
    nodes: list[Node] = [Node(i, "", "", (i,)) for i in range(count)]
    for rank, place in enumerate(places):
        below = draw(st.lists(st.sampled_from(places[:rank]), max_size=3)) if rank else []
        nodes[place] = Node(place, f"n{place}", "op", (place,), [Source(b) for b in below])
    outputs = draw(st.lists(st.sampled_from(range(count)), min_size=0, max_size=3))
    return Graph(nodes, outputs=[Source(o) for o in outputs], ordered=False)


@given(graphs())
def test_every_call_once_and_after_its_inputs(graph: Graph) -> None:
    order = post_order(graph)
    assert sorted(order) == list(range(len(graph.nodes)))
    place = {index: number for number, index in enumerate(order)}
    assert all(place[s.node] < place[n.index] for n in graph.nodes for s in n.inputs)


def recursive(graph: Graph) -> list[int]:
    """The same order by the plain recursive walk."""
    found: list[int] = []

    def visit(index: int) -> None:
        if index not in found:
            for source in graph.nodes[index].inputs:
                visit(source.node)
            found.append(index)

    for output in graph.outputs:
        visit(output.node)
    for node in graph.nodes:
        if all(source.node != node.index for other in graph.nodes for source in other.inputs):
            visit(node.index)
    return found


@given(graphs())
def test_the_order_is_that_of_the_recursive_walk(graph: Graph) -> None:
    assert post_order(graph) == recursive(graph)


@given(graphs())
def test_a_listing_flattened_again_is_itself(graph: Graph) -> None:
    text = flatten(graph).text()
    assert flatten(irlint.load(text, as_format="glacier").graph).text() == text


def test_the_api_s_flatten_tells_of_a_cycle_with_a_valueerror() -> None:
    graph = irlint.load("0 exp ['x']\n1 add [0, 2]\n2 abs [1]\n", as_format="glacier").graph
    with pytest.raises(ValueError, match="needs its own result"):
        irlint.flatten(graph)
    with pytest.raises(ValueError, match="unknown kind of node"):
        irlint.flatten(graph_of({"a": ["x"]}, ["a"]), {"call"})
