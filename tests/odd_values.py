"""JSON values that are not what anybody expected."""

from __future__ import annotations

import copy
import random
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2.0, 0.5, -0.0, 2**31, 2**32, 2**63, 2**64, -(2**63) - 1, 1e300),
    *(
        "",
        "a",
        "null",
        "0",
        "U001",
        "U001\n",
        "\u0663",
        "nodes",
        "\U0001f600",
        [],
        {},
        [[]],
        [0, 0, 0],
        {"a": {}},
        ["a"],
    ),
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a value with every key in it."""
    found, work = [], [value]
    while work:
        holder = work.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        found += [(holder, key) for key in keys]
        work += [holder[key] for key in keys if isinstance(holder[key], (dict, list))]
    return found


def mutated(value: Any, pick: random.Random, others: list[Any]) -> Any:
    """The value with up to three changes: things gone, renamed, repeated, or replaced by others or odd ones."""
    value = copy.deepcopy(value)
    for _ in range(pick.randint(0, 3)):
        found = places(value)
        if not found:
            return pick.choice(ODD)
        holder, key = pick.choice(found)
        what = pick.randrange(5)
        if what == 0:
            del holder[key]
        elif what == 1 and isinstance(holder, dict):
            holder[pick.choice([key.upper(), "x", "attrs", "attr", "name"])] = holder[key]
        elif what == 2:
            inner, at = pick.choice(places(pick.choice(others)) or [([0], 0)])
            holder[key] = copy.deepcopy(inner[at])
        elif what == 3 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        else:
            holder[key] = copy.deepcopy(pick.choice(ODD))
    return value
