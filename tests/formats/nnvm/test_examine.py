"""What the quick condition lets through is what the operator check finds nothing wrong with."""

from __future__ import annotations

import random

import pytest

from irlint.checks.signature import evaluate
from irlint.formats.nnvm.passes.calls import NnvmCall
from irlint.formats.nnvm.passes.examine import QuickCheck
from irlint.formats.nnvm.passes.operands import LoaderBehavior
from irlint.operators import Attribute, Operator, table

NUMBERS = ("0", "1", "2", "-1", "3", "None")
TUPLES = ("()", "(1,)", "(1, 1)", "(3, 3)", "(2, 2, 2)", "(0, 0)", "(1, 1, 1, 1)", "(0, 1)", "(1, 0)", "None", "2")


def text(attribute: Attribute, rng: random.Random) -> str:
    if attribute.kind == "bool":
        return rng.choice(("True", "False"))
    if attribute.kind == "enum":
        return rng.choice(attribute.values)
    return rng.choice(TUPLES if attribute.kind in ("shape", "ints", "slice", "floats") else NUMBERS)


def attributes(operator: Operator, rng: random.Random) -> dict[str, str]:
    likely = rng.choice((0.2, 0.6))
    return {
        name: text(one, rng)
        for name, one in operator.attributes.items()
        if rng.random() < (0.97 if one.required else likely)
    }


@pytest.mark.parametrize("name", ["mxnet", "nnvm"])
def test_what_is_quickly_sound_has_no_faults(name: str) -> None:
    operators, rng = table(name), random.Random(name)
    sound = faulty = 0
    for op in operators.raw["operators"]:
        operator = operators.get(op)
        assert operator is not None
        quick = QuickCheck(operator)
        for _ in range(10_000 // len(operators.raw["operators"])):
            attrs, given = attributes(operator, rng), rng.randrange(5)
            call = NnvmCall(operators, LoaderBehavior(), operator, attrs, given)
            faults = list(call.value_faults())
            if all(fault.severity is not None for fault in faults):
                faults += call.counts("input")
            if quick.sound(attrs, given) is not None:
                sound += 1
                assert not faults, (op, given, attrs)
            faulty += bool(faults)
    assert min(sound, faulty) > 400, "both have to be tried"


@pytest.mark.parametrize("name", ["mxnet", "nnvm"])
def test_expressions_of_the_table_speak_of_attributes(name: str) -> None:
    """An expression that cannot be evaluated demands nothing: a misspelt name would go unnoticed, were it not an error."""
    operators = table(name)
    for op in operators.raw["operators"]:
        operator = operators.get(op)
        assert operator is not None
        quick = QuickCheck(operator)
        own = [operator.facts, *(attribute.facts for attribute in operator.attributes.values())]
        rows = [row for facts in own for row in facts.get("demands", ())]
        ports = [port.facts for port in (*operator.inputs, *operator.outputs)]
        texts = [row[fact] for row in rows for fact in ("that", "when") if fact in row]
        texts += [facts[fact] for facts in ports for fact in ("when", "shown_when", "count") if fact in facts]
        for expression in (quick.condition, *texts):
            evaluate(expression, {**quick.defaults, "given": {}})
