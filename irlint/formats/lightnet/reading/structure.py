"""What can be read of a file whose structure is wrong."""

from __future__ import annotations

from typing import Any

from irlint.formats.lightnet.reading.readers import kind_of


class UnreadableValue:
    """In the place of a parameter's value that LightNet cannot hold at all: an object, an empty, mixed or nested list."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw


MISSING: Any = UnreadableValue(None)  # there is no value

_LISTS = ("tensors_in", "tensors_out", "params")


def sound_ops(value: Any) -> tuple[list[dict[str, Any]], set[int]]:
    """The operators with everything in its place, and which of them had to be mended.

    What is missing or of the wrong type becomes an empty list, an empty name, or a tensor without a name (None).
    A value that cannot be read does not make the operator a repaired one.
    """
    if not isinstance(value, dict) or not isinstance(value.get("ops"), list):
        return [], set()
    ops, broken = [], set()
    for i, op in enumerate(value["ops"]):
        sound = _sound_op(op if isinstance(op, dict) else {})
        if not isinstance(op, dict) or _is_mended(op, sound):
            broken.add(i)
        ops.append(sound)
    return ops, broken


def _is_mended(op: dict[str, Any], sound: dict[str, Any]) -> bool:
    def same(a: Any, b: Any) -> bool:
        return a == b or (isinstance(a, dict) and {**a, "value": 0} == {**b, "value": 0} and "value" in a)

    if any(op.get(key) != sound[key] for key in ("name", "optype", "tensors_in", "tensors_out")):
        return True
    if any(entry["name"] is None for key in ("tensors_in", "tensors_out") for entry in sound[key]):
        return True
    params = op.get("params")
    return not isinstance(params, list) or not all(map(same, params, sound["params"]))


def _sound_op(op: dict[str, Any]) -> dict[str, Any]:
    sound: dict[str, Any] = {key: op[key] if isinstance(op.get(key), str) else "" for key in ("name", "optype")}
    for key in _LISTS:
        entries = op.get(key)
        sound[key] = [_sound_entry(entry, key) for entry in entries] if isinstance(entries, list) else []
    return {**op, **sound}


def _sound_entry(entry: Any, key: str) -> dict[str, Any]:
    if not isinstance(entry, dict):
        entry = {}
    argument = entry.get("arg_name")
    mended = {**entry, "arg_name": argument if isinstance(argument, str) else ""}
    if key == "params":
        value = entry.get("value")
        mended["value"] = (
            value if "value" in entry and _is_value(value) else UnreadableValue(value) if entry else MISSING
        )
    else:
        mended["name"] = entry["name"] if isinstance(entry.get("name"), str) else None
    return mended


def _is_value(value: Any) -> bool:
    if isinstance(value, list):
        kinds = {kind_of(item) for item in value}
        return len(kinds) == 1 and kinds <= {"number", "string", "bool"}
    return not isinstance(value, dict)
