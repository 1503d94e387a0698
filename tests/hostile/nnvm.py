"""NNVM graphs and MXNet symbols with very much of one thing."""

from __future__ import annotations

from rule_cases.texts import SYMBOL, TVM_GRAPH

from tests.hostile.family import Family, each

FAMILIES: dict[str, Family] = {}


def _add_symbol(name: str, node: str, size: int = 2000, heads: str = "[[1, 0, 0]]", rest: str = "") -> None:
    def text(count: int) -> str:
        data = '{"op": "null", "name": "data", "inputs": []}'
        nodes = ", ".join([data, *[node.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, count)]])
        return f'{{"nodes": [{nodes}], "arg_nodes": [0], "heads": {heads}{rest}}}'

    FAMILIES[f"nnvm {name}"] = Family("nnvm", text, size)


_NODE = '{"op": "relu", "name": "r#", "inputs": [[@, 0, 0]]}'
_add_symbol("a chain", _NODE)
_add_symbol("unread nodes", _NODE.replace("@", "0"))
_add_symbol("unknown operators", _NODE.replace("relu", "reluu#"), 300)
_add_symbol("unknown attributes", _NODE[:-1] + ', "attrs": {"a#": "1"}}')
_add_symbol("odd attributes", '{"op": "Activation", "name": "r#", "attrs": {"act_type": "rel"}, "inputs": [[@, 0, 0]]}')
_add_symbol("inputs that do not exist", _NODE.replace("@", "99999999"))
_add_symbol("inputs from below", '{"op": "relu", "name": "r#", "inputs": [[1, 0, 0]]}')
_add_symbol("unknown keys", _NODE[:-1] + ', "k#": 0}')
_add_symbol("nodes that are no objects", "[]")
_add_symbol("shapes that differ", '{"op": "null", "name": "v#", "attrs": {"__shape__": "(#, 2)"}, "inputs": []}')
_add_symbol("sums of unlike shapes", '{"op": "elemwise_add", "name": "r#", "inputs": [[@, 0, 0], [0, 0, 0]]}')
_add_symbol("suppressed nodes", _NODE[:-1] + ', "attrs": {"__irlint__": "ignore[G001]"}}')
_SYMBOL = '"op": "null"'


def _wide(count: int) -> str:
    inputs = ", ".join(["[0, 0, 0]"] * count)
    nodes = f'{{"op": "null", "name": "d", "inputs": []}}, {{"op": "add_n", "name": "s", "attrs": {{"num_args": "{count}"}}, "inputs": [{inputs}]}}'
    return f'{{"nodes": [{nodes}], "arg_nodes": [0], "heads": [[1, 0, 0]]}}'


FAMILIES["nnvm inputs of one node"] = Family("nnvm", _wide, 5000)
FAMILIES["nnvm inputs of a unary operator"] = Family("nnvm", lambda n: _wide(n).replace("add_n", "relu"), 5000)
FAMILIES["nnvm heads"] = Family(
    "nnvm", lambda n: _wide(2).replace("[[1, 0, 0]]", f"[{', '.join(['[1, 0, 0]'] * n)}]"), 5000
)
FAMILIES["nnvm arguments"] = Family(
    "nnvm", lambda n: _wide(2).replace('"arg_nodes": [0]', '"arg_nodes": [' + ", ".join(["0"] * n) + "]"), 5000
)
FAMILIES["nnvm keys of one name"] = Family(
    "nnvm", lambda n: _wide(2).replace('"arg_nodes"', '"a": 1, ' * n + '"arg_nodes"'), 5000
)
FAMILIES["nnvm attributes of a node"] = Family(
    "nnvm", lambda n: _wide(2).replace('"num_args": "2"', '"num_args": "2"' + each(n, ', "a#": "1"')), 2000
)
FAMILIES["nnvm depth"] = Family(
    "nnvm", lambda n: _wide(2).replace('"arg_nodes"', '"a": ' + "[" * n + "]" * n + ', "arg_nodes"'), 20000
)
FAMILIES["nnvm brackets that are not closed"] = Family("nnvm", lambda n: _wide(2).replace('"arg_nodes"', "[" * n), 5000)
FAMILIES["nnvm escapes"] = Family("nnvm", lambda n: _wide(2).replace('"d"', '"' + "\\u0041" * n + '"'), 20000)
FAMILIES["nnvm a long number"] = Family("nnvm", lambda n: _wide(2).replace("[0, 0, 0]", f"[{'9' * n}, 0, 0]"), 50000)
FAMILIES["nnvm a long name"] = Family("nnvm", lambda n: _wide(2).replace('"d"', '"' + "x" * n + '"'), 400000)
FAMILIES["nnvm commas"] = Family("nnvm", lambda n: _wide(2).replace('"heads"', "," * n + '"heads"'), 5000)
FAMILIES["nnvm control characters"] = Family("nnvm", lambda n: _wide(2).replace('"d"', '"' + "\x01" * n + '"'), 20000)
FAMILIES["nnvm blanks in front"] = Family("nnvm", lambda n: " " * n + SYMBOL, 1000000)
FAMILIES["nnvm lists of a compiled graph"] = Family(
    "nnvm", lambda n: TVM_GRAPH.replace('"list_int", [', '"list_int", [' + "0, " * n, 1), 5000
)
