"""Values of a JSON text that may be anything: as what they should be, as far as they are that."""

from __future__ import annotations

from typing import Any

from irlint.text.base import Path

_DEEPEST = 8  # lists in lists that an attribute may be


def as_list(value: Any) -> list[Any]:
    """Return a list; of anything else, an empty one."""
    return value if isinstance(value, list) else []


def as_dict(value: Any) -> dict[str, Any]:
    """Return an object; of anything else, an empty one."""
    return value if isinstance(value, dict) else {}


def value_at(value: Any, path: Path) -> Any:
    """Return the value at a path; None if there is none."""
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value


def is_number(value: Any) -> bool:
    """Return whether this is an integer to JSON Schema: 3.0 is one."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def is_entry(value: Any) -> bool:
    """Return whether this is a node, an output of it and perhaps a version."""
    return isinstance(value, list) and len(value) in (2, 3) and all(map(is_number, value))


def integers(value: Any) -> list[int] | None:
    """Return a list of integers; None for anything else."""
    return [int(n) for n in value] if isinstance(value, list) and all(map(is_number, value)) else None


def as_text(value: Any, depth: int = 0) -> str | None:
    """Return a value as the family writes it in attributes: "64", "True", "(1, 1)"; None if it has no such form."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    if not isinstance(value, list) or depth == _DEEPEST or not all(isinstance(v, (int, float, list)) for v in value):
        return None
    texts = [text for item in value if (text := as_text(item, depth + 1)) is not None]
    if len(texts) < len(value):
        return None
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
