"""schemas/companions/triton.json from the messages of Triton's model configuration, as its client for Python has them.

.oracle/triton/bin/python -m oracle.triton_messages
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tritonclient.grpc import model_config_pb2

TARGET = Path(__file__).parents[2] / "schemas/companions/triton.json"
ROOT = model_config_pb2.ModelConfig.DESCRIPTOR
KINDS = {
    1: "double", 2: "float", 3: "int", 4: "uint", 5: "int", 6: "uint", 7: "uint", 8: "Bool", 9: "string", 12: "bytes",
    13: "uint", 15: "int", 16: "int", 17: "int", 18: "int",
}  # fmt: skip
SHORT = (5, 7, 13, 15, 17)
BOOL = {"false": 0, "true": 1, "False": 0, "True": 1, "f": 0, "t": 1}


def named(full_name: str) -> str:
    """Return a name without the package and the message that all are of: `ModelInput.Format` is `ModelInput_Format`."""
    return full_name.removeprefix("inference.").removeprefix("ModelConfig.").replace(".", "_")


def word(field: Any) -> str:
    if field.message_type is not None:
        kind = named(field.message_type.full_name)
    elif field.enum_type is not None:
        kind = named(field.enum_type.full_name)
    else:
        kind = KINDS[field.type]
    many = field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
    return f"{field.name}:{field.number}:{kind}{'*' * bool(many)}{'~' * (field.type in SHORT)}"


def fields(message: Any) -> list[str]:
    """Return the fields; those of which there is one stand together in brackets."""
    found, done = [], set()
    for field in message.fields:
        group = field.containing_oneof
        if group is None or len(group.fields) == 1:
            found.append(word(field))
        elif group.name not in done:
            done.add(group.name)
            found.append(f"({' '.join(map(word, group.fields))})")
    return found


def main() -> None:
    messages: dict[str, list[str]] = {}
    enums: dict[str, dict[str, int]] = {"Bool": BOOL}
    waiting = [ROOT]
    while waiting:
        message = waiting.pop(0)
        if named(message.full_name) in messages:
            continue
        messages[named(message.full_name)] = fields(message)
        for field in message.fields:
            if field.message_type is not None:
                waiting.append(field.message_type)
            if field.enum_type is not None:
                values = field.enum_type.values
                enums[named(field.enum_type.full_name)] = {value.name: value.number for value in values}
    table = {
        "title": "Triton's model configuration (config.pbtxt)",
        "source": f"tritonclient {version('tritonclient')}, model_config.proto",
        "root": named(ROOT.full_name),
        "enums": dict(sorted(enums.items())),
        "messages": messages,
    }
    TARGET.write_text(json.dumps(table, indent=1) + "\n")


main()
