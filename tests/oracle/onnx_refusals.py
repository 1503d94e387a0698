"""Who refuses the attribute values that onnx_facts.py calls wrong: python -m oracle.onnx_refusals (in tests, with the Python that has onnx);
with names of operators it shows what it measures of them, and fails if onnx_refused.py says something else.

Each fact becomes small models: onnx's own node tests, and those of onnx_samples.py, with one attribute changed. A value that is right and that every runtime
refuses is printed; who refuses a wrong one, at load or when it runs, is written to onnx_refused.py. Runtimes crash on some, so that each attribute has a process of its own.
"""

from __future__ import annotations

import json
import os
import pprint
import signal
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases

from oracle import onnx_facts as known
from oracle.onnx_refused import REFUSED
from oracle.onnx_samples import samples

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it waits for a network
PATH = Path(__file__).with_name("onnx_refused.py")
TABLE = Path(__file__).parents[2] / "schemas/operators/onnx.json"
JUDGES = ("onnx", "onnxruntime", "openvino")
WORD, NUMBER = "neerest", 99
PATIENCE = 10  # seconds
MARKS = {"case": "~", "length": "#"}  # what the keys of kinds of probes end with, if that is not : and the fact
LENGTHS = {"length", "per_axis", "per_dim"}


class Base(NamedTuple):
    model: onnx.ModelProto
    inputs: list[Any]


class Fact(NamedTuple):
    operator: str
    attribute: str
    facts: dict[str, Any]
    last: int  # the last opset that it is true of

    @property
    def key(self) -> str:
        return known.key_of(self.operator, self.attribute, self.last)


def all_facts() -> Iterator[Fact]:
    for operators, attributes, facts, *versions in known.ROWS:
        last = versions[1] if len(versions) > 1 else known.ANY
        yield from (Fact(op, name, facts, last) for op in operators.split() for name in attributes.split())


def name_of(node: onnx.NodeProto) -> str:
    return node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"


@cache
def cases() -> dict[str, list[Base]]:
    found: dict[str, list[Base]] = {}
    for model, inputs in samples():
        for node in model.graph.node:
            found.setdefault(name_of(node), []).append(Base(model, inputs))
    for case in collect_testcases():
        if len(case.model.graph.node) < 4 and "_expanded" not in case.name:
            inputs = [np.asarray(v) if isinstance(v, np.generic) else v for v in case.data_sets[0][0]]
            for op in {name_of(node) for node in case.model.graph.node}:
                found.setdefault(op, []).append(Base(case.model, inputs))
    return found


def changed(base: Base, fact: Fact, value: Any) -> onnx.ModelProto:
    model = onnx.ModelProto()
    model.CopyFrom(base.model)
    for node in model.graph.node:
        if name_of(node) == fact.operator and value is not None:
            kept = [a for a in node.attribute if a.name != fact.attribute]
            del node.attribute[:]
            node.attribute.extend([*kept, onnx.helper.make_attribute(fact.attribute, value)])
    return model


def written(base: Base, fact: Fact) -> Any:
    """Return the value of the attribute in the model; None if it has none."""
    for node in base.model.graph.node:
        if name_of(node) == fact.operator:
            for attribute in node.attribute:
                if attribute.name == fact.attribute:
                    value = onnx.helper.get_attribute_value(attribute)
                    return list(value) if hasattr(value, "__len__") and not isinstance(value, bytes) else value
    return None


def has(base: Base, fact: Fact) -> bool:
    """Return whether the model's version of the operator has the attribute, and the fact is about it."""
    domain = fact.operator.rpartition(".")[0]
    if domain.startswith("com."):
        return (fact.operator, fact.attribute) in kinds()
    opset = next((o.version for o in base.model.opset_import if o.domain == domain), 1)
    try:
        schema = onnx.defs.get_schema(fact.operator.rpartition(".")[2], opset, domain)
    except onnx.defs.SchemaError:
        return False
    true = any(
        fact.operator in row[0].split() and fact.attribute in row[1].split() and row[2] is fact.facts
        and (row[3] if len(row) > 3 else 0) <= schema.since_version <= (row[4] if len(row) > 4 else known.ANY)
        for row in known.ROWS
    )  # fmt: skip
    return true and fact.attribute in schema.attributes


def of_kind(base: Base, fact: Fact, value: Any, now: Any) -> Any:
    """Return a value as the attribute is: a list, a float."""
    domain, _, name = fact.operator.rpartition(".")
    if domain.startswith("com."):
        kind = kinds().get((fact.operator, fact.attribute), "int")
    else:
        opset = next((o.version for o in base.model.opset_import if o.domain == domain), 1)
        kind = str(onnx.defs.get_schema(name, opset, domain).attributes[fact.attribute].type).rpartition(".")[2].lower()
    if kind.startswith("float"):
        value = float(value)
    if not kind.endswith("s"):
        return value
    return [value, *now[1:]] if now else [value]


@cache
def kinds() -> dict[tuple[str, str], str]:
    """Return the kinds of attributes outside ai.onnx, from the table: a process that has imported onnxruntime must not fork."""
    operators = json.loads(TABLE.read_text("utf-8"))["operators"]
    return {
        (key.rpartition("-")[0], a["name"]): a["kind"]
        for key, found in operators.items()
        for a in found.get("attributes", ())
    }


def right(facts: dict[str, Any]) -> Iterator[Any]:
    yield from facts.get("values", ())
    yield from facts.get("taken", ())
    yield from {facts[key] for key in ("min", "max") if key in facts}


def wrong(facts: dict[str, Any], rank: int | None) -> Iterator[tuple[str, Any]]:
    """Yield facts, each with a value by which it does not hold."""
    if "values" in facts:
        yield "values", WORD if isinstance(facts["values"][0], str) else NUMBER
    if "min" in facts:
        yield "min", facts["min"] - 1
    if "max" in facts:
        yield "max", facts["max"] + 1
    if "above" in facts:
        yield "above", facts["above"]
    if "finite" in facts:
        yield "finite", float("inf")
    if "axis_of" in facts and rank is not None:
        yield "axis_of", rank + facts.get("past", 0)
        if "min" not in facts:
            yield "axis_of", -rank - facts.get("past", 0) - 1


def other_case(facts: dict[str, Any]) -> Iterator[str]:
    for word in facts.get("values", ()):
        if isinstance(word, str):
            yield from sorted({word.lower(), word.upper()} - set(facts["values"]))


def rank_of(base: Base, fact: Fact) -> int | None:
    for node in base.model.graph.node:
        if name_of(node) == fact.operator and "axis_of" in fact.facts:
            for value in (*base.model.graph.input, *base.model.graph.value_info):
                if value.name == node.input[fact.facts["axis_of"]]:
                    return len(value.type.tensor_type.shape.dim)
    return None


def probes(base: Base, fact: Fact) -> Iterator[tuple[str, Any, Any]]:
    """Yield what is tried: `base`, `right`, the fact that does not hold, `case` or `length`, the value, and the attribute's value with it."""
    now = written(base, fact)
    yield "base", None, None
    if LENGTHS & fact.facts.keys() and not now:
        return
    for value in right(fact.facts):
        yield "right", value, of_kind(base, fact, value, now)
    for broken, value in wrong(fact.facts, rank_of(base, fact)):
        yield broken, value, of_kind(base, fact, value, now)
    for value in other_case(fact.facts):
        yield "case", value, of_kind(base, fact, value, now)
    if LENGTHS & fact.facts.keys() and isinstance(now, list):
        yield "length", "longer", [*now, now[-1]]
        yield "length", "shorter", now[:-1]


def judge(model: onnx.ModelProto, inputs: list[Any], name: str) -> str:
    """Return the stage at which a runtime refuses the model, empty if it runs."""
    try:
        if name == "onnx":
            onnx.checker.check_model(model, full_check=True)
            return ""
        return (_onnxruntime if name == "onnxruntime" else _openvino)(model, inputs)
    except Exception as error:
        return f"load: {error}".replace("\n", " ")


def _onnxruntime(model: onnx.ModelProto, inputs: list[Any]) -> str:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    feed = {value.name: data for value, data in zip(session.get_inputs(), inputs, strict=False)}
    try:
        session.run(None, feed)
    except Exception as error:
        return f"run: {error}"
    return ""


def _openvino(model: onnx.ModelProto, inputs: list[Any]) -> str:
    import openvino

    compiled = openvino.Core().compile_model(
        openvino.Core().read_model(model.SerializeToString()), "CPU", {"INFERENCE_NUM_THREADS": 1}
    )
    try:
        compiled(inputs)
    except Exception as error:
        return f"run: {error}"
    return ""


def verdicts(facts: list[Fact]) -> list[dict[str, Any]]:
    """Judge the probes of facts in a process of their own: if it crashes, another goes on."""
    jobs = [
        (fact, b, *probe, name)
        for fact in facts
        for b, base in enumerate(bases_of(fact))
        for probe in probes(base, fact)
        for name in JUDGES
        if name != "onnx" or not fact.operator.startswith("com.")  # whose operators the checker passes over
    ]
    found: list[dict[str, Any]] = []
    while len(found) < len(jobs):
        receive, send = os.pipe()
        child = os.fork()
        if not child:
            os.close(receive)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(send, "w") as out:
                for fact, b, _, _, given, name in jobs[len(found) :]:
                    signal.alarm(PATIENCE)  # some never end; the signal ends the process
                    base = bases_of(fact)[b]
                    print(json.dumps(judge(changed(base, fact, given), base.inputs, name)[:160]), file=out, flush=True)
            os._exit(0)
        os.close(send)
        with os.fdopen(receive) as answers:
            stages = [json.loads(line) for line in answers]
        os.waitpid(child, 0)
        for stage in stages if len(found) + len(stages) == len(jobs) else [*stages, "crash"]:
            fact, b, kind, value, _, name = jobs[len(found)]
            found.append({"key": fact.key, "base": b, "kind": kind, "value": value, "judge": name, "stage": stage})
    return found


@cache
def bases_by_key(operator: str, attribute: str, last: int) -> list[Base]:
    fact = next(f for f in all_facts() if (f.operator, f.attribute, f.last) == (operator, attribute, last))
    found = [base for base in cases().get(operator, []) if has(base, fact)]
    return sorted(found, key=lambda base: written(base, fact) is None)[:3]


def bases_of(fact: Fact) -> list[Base]:
    """Return models to try a fact with, those that write the attribute first."""
    return bases_by_key(fact.operator, fact.attribute, fact.last)


def refusing(found: list[dict[str, Any]], kind: str) -> str | None:
    """Return who refuses every probe of a kind, of the models that he runs; None if no runtime runs one."""
    names, runs = [], {(v["judge"], v["base"]) for v in found if v["kind"] == "base" and not v["stage"]}
    if not any(name != "onnx" for name, _ in runs):
        return None
    for name in JUDGES:
        of = [v["stage"] for v in found if v["judge"] == name and v["kind"] == kind and (name, v["base"]) in runs]
        if of and all(of):
            names.append(name)
    return " ".join(names)


def measured(facts: list[Fact], show: bool = False) -> dict[str, str]:
    """Return who refuses what, and print what no model shows."""
    by_key: dict[str, list[dict[str, Any]]] = {fact.key: [] for fact in facts}
    for verdict in verdicts(facts):
        by_key[verdict["key"]].append(verdict)
    result: dict[str, str] = {}
    for key, found in by_key.items():
        if refusing(found, "base") is None:
            print(f"{key}: no model to try")
            continue
        for value in {v["value"] for v in found if v["kind"] == "right"}:
            of = [v["stage"] for v in found if v["kind"] == "right" and v["value"] == value]
            if all(of):
                print(f"{key}: {value} is refused by all: {of}")
        for kind in dict.fromkeys(v["kind"] for v in found if v["kind"] not in ("base", "right")):
            full = key + MARKS.get(kind, f":{kind}")
            result[full] = refusing(found, kind) or ""
            for v in [v for v in found if v["kind"] == kind] if show else ():
                print(f"{full}: {v['judge']}, model {v['base']}, {v['value']!r}: {v['stage'] or 'runs'}")
    return result


def main(*wanted: str) -> None:
    facts = [fact for fact in all_facts() if not wanted or fact.operator in wanted]
    result = measured(facts, show=bool(wanted))
    if wanted:
        known_ = {key: REFUSED[key] for key in result if key in REFUSED}
        for key in sorted(key for key in result if result[key] != known_.get(key)):
            sys.exit(f"{key}: refused by {result[key]!r}, in onnx_refused.py by {known_.get(key)!r}")
        return
    PATH.write_text(
        '"""Who refuses the values that onnx_facts.py calls wrong, as onnx_refusals.py measured it.\n\nA key names operator, attribute and fact. Keys with `~` are about words of another'
        f' letter case, with `#` about lists of another length, with `@` about operators up to that opset.\n"""\n\nREFUSED: dict[str, str] = {pprint.pformat(result, width=118)}\n',
        "utf-8",
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
