"""The reference of the configuration, made of its JSON schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from markup import code, definitions, inline

SCHEMA = Path(__file__).resolve().parent.parent.parent / "schemas/irlint-config.schema.json"
ARTICLES = {
    "rule": "Keys of a rule",
    "match": "Keys of `match`",
    "operation": "Keys of an operation",
    "attribute": "Keys of an attribute",
}

_HEAD = """\
---
description: Every key of irlint.yaml and of the table [tool.irlint] of pyproject.toml.
---

# Configuration keys

The keys of `irlint.yaml` and the table `[tool.irlint]` of `pyproject.toml`. See [Configuration](../configuration.md) for how to use them.
This page is made of the [JSON schema](https://irlint.readthedocs.io/schemas/irlint-config.schema.json), which editors use for completion;
`irlint schema irlint-config` prints it.
"""

Schema = Mapping[str, Any]


def page() -> str:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    kinds: Schema = schema["$defs"]
    parts = [_HEAD]
    for name, key in schema["properties"].items():
        parts += [f"## {name} {{ #{name} }}", f"Type: {_type(key, kinds)}", key["description"]]
    for kind, title in ARTICLES.items():
        parts += [f"## {title} {{ #keys-{kind} }}"]
        parts += [kinds[kind]["description"]] if "description" in kinds[kind] else []
        parts.append(definitions(_keys(kind, kinds)))
    return "\n\n".join(parts) + "\n"


def _keys(kind: str, kinds: Schema) -> Iterator[tuple[str, str, str]]:
    required = kinds[kind].get("required", [])
    for name, key in kinds[kind]["properties"].items():
        about = key.get("description") or kinds.get(_kind(key), {}).get("description", "")
        need = "Required. " if name in required else ""
        yield f"{kind}-{name}", f"{code(name)} {_type(key, kinds)}", inline(f"{need}{about}")


def _kind(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _type(schema: Schema, kinds: Schema) -> str:
    """Return what values a schema allows, in words, as HTML."""
    if kind := _kind(schema):
        return f'<a href="#keys-{kind}">{kind}</a>' if kind in ARTICLES else _type(kinds[kind], kinds)
    if "enum" in schema:
        return " | ".join(code(str(value)) for value in schema["enum"])
    if "then" in schema:  # one value, or values by name
        return f"{_type(schema['then'], kinds)} | mapping to {_type(schema['else']['additionalProperties'], kinds)}"
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each, kinds) for each in schema["anyOf"]))
    types = schema.get("type", [])
    return " | ".join(_named(name, schema, kinds) for name in ([types] if isinstance(types, str) else types))


def _named(name: str, schema: Schema, kinds: Schema) -> str:
    if name == "array":
        return f"list of {_type(schema['items'], kinds)}" if "items" in schema else "list"
    if name == "object":
        values = schema.get("additionalProperties")
        return f"mapping to {_type(values, kinds)}" if values else "mapping"
    return name
