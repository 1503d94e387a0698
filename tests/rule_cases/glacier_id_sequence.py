"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases


class IdSequence(Cases):
    valid = (Case("0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n", "glacier:listing"),)
    invalid = (
        Case(
            "0 nn.conv2d ['x', 'w']\n7 nn.relu [0]\n2 tanh [1]\n",
            "glacier:listing",
            "7",
            "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n2 tanh [1]\n",
        ),
        Case(
            "0 nn.conv2d ['x', 'w']\n2 nn.relu [0]\n3 tanh [2]\n",
            "glacier:listing",
            "2",
            "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n2 tanh [1]\n",
        ),
        Case("0 nn.conv2d ['x', 'w']\n2 tanh [1]\n3 exp [2]\n", "glacier:listing", "2"),
    )
