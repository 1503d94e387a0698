"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases


class IdAsText(Cases):
    valid = (Case("0 nn.conv2d ['x', 'w0']\n1 nn.relu [0]\n", "glacier:listing"),)
    invalid = (
        Case(
            "0 nn.conv2d ['x', 'w']\n1 nn.relu ['0']\n",
            "glacier:listing",
            "'0'",
            "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n",
        ),
        Case(
            "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n2 add [1, '0']\n",
            "glacier:listing",
            "'0'",
            "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n2 add [1, 0]\n",
        ),
        Case(
            '[{"nodeID": "0", "name": "exp", "inputs": ["x"]}, {"nodeID": 1, "name": "abs", "inputs": [0]}]\n',
            "glacier:events",
            '"0"',
            '[{"nodeID": 0, "name": "exp", "inputs": ["x"]}, {"nodeID": 1, "name": "abs", "inputs": [0]}]\n',
        ),
        Case("0 nn.conv2d ['x', '193']\n1 nn.relu [0]\n", "glacier:listing", "'193'"),
    )


class MissingEvents(Cases):
    valid = (
        Case(
            '[{"nodeID": 0, "name": "exp", "inputs": ["x"]}, {"nodeID": 1, "name": "tanh", "inputs": [0]}]\n',
            "glacier:events",
        ),
    )
    invalid = (
        Case(
            '[{"nodeID": 0, "name": "exp", "inputs": ["x"]},\n {"nodeID": 2, "name": "tanh", "inputs": [1]}]\n',
            "glacier:events",
            "2",
        ),
    )


class PostOrder(Cases):
    valid = (
        Case("0 tanh ['x']\n1 exp ['x']\n2 add [0, 1]\n", "glacier:listing"),
        Case("0 tanh ['x']\n1 exp [0]\n2 add [1, 0]\n", "glacier:listing"),
    )
    invalid = (
        Case(
            "0 exp ['x']\n1 tanh ['x']\n2 add [1, 0]\n",
            "glacier:listing",
            "0",
            "0 tanh ['x']\n1 exp ['x']\n2 add [0, 1]\n",
        ),
    )


class SizeMismatch(Cases):
    valid = (
        Case('[{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 36}]\n', "glacier:events"),
        Case('[{"nodeID": "w", "name": "w", "dtype": "int4", "shape": [3], "size": 2}]\n', "glacier:events"),
    )
    invalid = (
        Case(
            '[{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 9}]\n',
            "glacier:events",
            "9",
            '[{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 36}]\n',
        ),
    )


class TypeOnCall(Cases):
    valid = (Case("0 nn.conv2d ['x', 'w']\n", "glacier:listing"),)
    invalid = (
        Case(
            "0 nn.conv2d ['x', 'w'] float32 (1, 8, 16, 16)\n1 tanh [0]\n",
            "glacier:listing",
            "float32 (1, 8, 16, 16)",
            "0 nn.conv2d ['x', 'w']\n1 tanh [0]\n",
        ),
        Case('[{"nodeID": 0, "name": "tanh", "inputs": ["x"], "dtype": "float32"}]\n', "glacier:events", '"dtype"'),
    )


class UnknownSession(Cases):
    valid = (
        Case('{"session": "a", "events": [{"nodeID": 0, "name": "tanh", "inputs": ["x"]}]}\n', "glacier:events"),
        Case(
            '[{"nodeID": 0, "name": "exp", "session": 1}, {"nodeID": 0, "name": "exp", "session": 2}]\n',
            "glacier:events",
        ),
    )
    invalid = (
        Case(
            '{"session": "a", "events": [{"nodeID": 0, "name": "tanh", "inputs": ["x"], "session": "b"}]}\n',
            "glacier:events",
            '"b"',
        ),
        Case(
            '[{"nodeID": 0, "name": "exp", "session": "a"},\n'
            ' {"nodeID": 1, "name": "tanh", "inputs": ["y"], "session": "A"}]\n',
            "glacier:events",
            '"A"',
        ),
    )
