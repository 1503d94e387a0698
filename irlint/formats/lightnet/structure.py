"""What can be read of a file whose structure is wrong."""

from __future__ import annotations

from typing import Any

from irlint.formats.lightnet.grammar import kind_of

UNREADABLE: Any = type("Unreadable", (), {"__repr__": lambda self: "unreadable"})()

_LISTS = ("tensors_in", "tensors_out", "params")


def sound_ops(value: Any) -> tuple[list[dict[str, Any]], set[int]]:
    """The operators with everything in its place, and which of them had to be mended.

    What is missing or of the wrong type becomes an empty list, an empty name, or a tensor without a name (None).
    """
    if not isinstance(value, dict) or not isinstance(value.get("ops"), list):
        return [], set()
    ops, broken = [], set()
    for i, op in enumerate(value["ops"]):
        sound = _sound_op(op if isinstance(op, dict) else {})
        if sound != op:
            broken.add(i)
        ops.append(sound)
    return ops, broken


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
        mended["value"] = entry["value"] if "value" in entry and _is_value(entry["value"]) else UNREADABLE
    else:
        mended["name"] = entry["name"] if isinstance(entry.get("name"), str) else None
    return mended


def _is_value(value: Any) -> bool:
    if isinstance(value, list):
        kinds = {kind_of(item) for item in value}
        return len(kinds) == 1 and kinds <= {"number", "string", "bool"}
    return not isinstance(value, dict)
