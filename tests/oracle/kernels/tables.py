"""Make schemas/kernels/NAME.json of what releases of a runtime said: python -m oracle.kernels.tables NAME MODELS RELEASE=ANSWERS...

Models may be in several files, and answers, with a `+` between their names.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oracle.kernels.learn import ANY, Answer, Box, answers_of, boxes, is_lacked, is_unknown, learn, plain_facts
from oracle.kernels.names import type_of

_SEVERAL = 2  # models that a condition explains
_MANY = 4  # numbers of an attribute that may stand for all
FOLDER = Path(__file__).parents[3] / "schemas/kernels"
NOTE = (
    "What releases of a runtime load, each asked with small models of one operator. operators: by the names of schemas/operators, then from which release on"
    " a rule holds, by its number in `rules`; null: it is known, but not what it takes. A rule lists what is refused: facts that come together, each with its values; the empty list: all is"
    " loaded; null: nothing is. type P: the type of parameter P; in N, out N: of an input or output that may have any; attribute A: its value, null if it is absent;"
    " input N: absent, constant or given; rank N: of an input; outputs: which are there; lengths N: open if no length of input N is a number; functions: of the model."
    " groups: whether each of num_groups has a single channel. passed: a body outputs one of its inputs as it is."
    " unranked inputs, outputs: of the model, with no shape. opset: of the model."
    " releases: the version that was asked."
)


def main(name: str, models: str, releases: list[str]) -> None:
    records = [record for one in models.split("+") for record in pickle.loads(Path(one).read_bytes())]
    is_partly_random = not isinstance(records[0][2], bytes)  # those of IRs, with values that may be wrong in other ways
    optional = _optional_inputs() if is_partly_random else {}
    rules: dict[str, int] = {}
    known: dict[Any, str] = {}
    operators: dict[str, dict[str, int | None]] = {}
    versions = [one.partition("=")[::2] for one in releases]
    for version, path in versions:
        said = [text for one in path.split("+") for text in Path(one).read_text(errors="replace").split("\n")[:-1]]
        release = ".".join(version.split(".")[:2])
        lacking = {key for (key, _, _), text in zip(records, said, strict=False) if is_unknown(text)}
        lacked = {key for (key, _, _), text in zip(records, said, strict=False) if is_lacked(key, text)}
        for key, answers in answers_of(records, said).items():
            is_absent = key in lacked and not any(one.loads for one in answers)
            said_before = key, is_absent, tuple(one.loads for one in answers)  # mostly as for the next release
            if said_before not in known:
                named = [_named(one) for one in answers]
                learned = learn(named, plain_facts(named[0]), _SEVERAL) if is_partly_random else learn(named)
                learned = None if is_absent else learned
                found_boxes = None if learned is None else [_of_any(one, named) for one in boxes(learned.refused)]
                known[said_before] = json.dumps(_with_optional(found_boxes, named, optional.get(key, ())))
            rule = known[said_before]
            number = None if _is_only_known(name, key, answers, lacking) else rules.setdefault(rule, len(rules))
            found = operators.setdefault(key, {})
            if not found or [*found.values()][-1] != number:
                found[release] = number
    table = {
        "runtime": name,
        "note": NOTE,
        "releases": {".".join(version.split(".")[:2]): version for version, _ in versions},
        "rules": [json.loads(rule) for rule in rules],
        "operators": dict(sorted(operators.items())),
    }
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(_text(table))
    print(f"{len(operators):,} operators, {len(rules):,} rules")


def _is_only_known(runtime: str, key: str, answers: list[Answer], lacking: set[str]) -> bool:
    """Return whether a runtime knows an operator, but not what it takes of it: of one of com.microsoft it was asked no more. OpenCV takes
    of many only those with weights as constants, in one form, which onnx's tests do not have."""
    if "." in key and not any(one.facts for one in answers):
        return answers[0].loads
    return runtime == "opencv" and key not in lacking and "-" in key and not any(one.loads for one in answers)


def _of_any(box: Box, answers: list[Answer]) -> Box:
    """Return what is refused for a number of an attribute as refused for any, where it is for all that were asked."""
    (name, values), *others = box.items()
    loaded = {value for one in answers if one.loads for own, value in one.facts if own == name}
    is_number = name.startswith("attribute") and all(type(value) is int for value in values)
    return {name: [ANY]} if is_number and not others and len(values) >= _MANY and loaded == {None} else box


def _optional_inputs() -> dict[str, list[str]]:
    rows = json.loads((FOLDER.parent / "operators/openvino.json").read_bytes())["operators"]
    return {
        key: [f"input {k}" for k, one in enumerate(row.get("inputs", ())) if one.get("kind") == "optional"]
        for key, row in rows.items()
    }


def _with_optional(found: list[Box] | None, answers: list[Answer], optional: Sequence[str]) -> list[Box] | None:
    """Return what is refused, with the optional inputs that no model was asked without: their lengths and ranks may be the reason."""
    always = [name for name in optional if not any((name, "absent") in one.facts for one in answers)]
    more: Box = {name: ["constant", "given"] for name in always}
    is_of_shapes = [any(name.startswith(("lengths", "rank")) for name in box) for box in found or ()]
    return found and [{**more, **box} if shaped else box for box, shaped in zip(found, is_of_shapes, strict=True)]


def _named(answer: Answer) -> Answer:
    """Return an answer with the names that irlint has for types."""
    return answer._replace(
        facts=frozenset((name, type_of(value) if isinstance(value, str) else value) for name, value in answer.facts)
    )


def _text(table: dict[str, Any]) -> str:
    """Return a table with one rule, and one operator, a line."""
    lines = []
    for key, value in table.items():
        if key in ("rules", "operators"):
            entries = (
                [json.dumps(one) for one in value]
                if isinstance(value, list)
                else [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()]
            )
            brackets = "[]" if isinstance(value, list) else "{}"
            lines.append(f"{json.dumps(key)}: {brackets[0]}\n" + ",\n".join(entries) + f"\n{brackets[1]}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
