"""The rules that a configuration declares, with all errors in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.config.check import Checker
from irlint.findings import Severity
from irlint.formats.base import all_formats
from irlint.rules.declared import DeclaredRule, NodeCondition
from irlint.rules.patterns import compares_no_number


def declared_rules(checker: Checker, records: list[dict[str, Any]]) -> tuple[DeclaredRule, ...]:
    """Return rules in the order of their declaration. One without a code gets U and its position in the list."""
    from irlint.rules import registry

    rules: list[DeclaredRule] = []
    for at, record in enumerate(records):
        where = ("rules", at)
        rule = _rule(record, f"U{at + 1:03}")
        known = {other.name for other in registry.all_rules().values()} | {other.name for other in rules}
        if rule.name in known:
            checker.report((*where, "name"), f"duplicate rule name `{rule.name}`")
        if rule.code in {other.code for other in rules}:
            checker.report((*where, "code") if "code" in record else where, f"duplicate rule code `{rule.code}`")
        _check_match(checker, record.get("match", {}), (*where, "match"))
        if not rule.match.op and not _restricts(rule):
            checker.report(where, "this rule reports every node; add `match`, `allow` or `deny`")
        rules.append(rule)
    return tuple(rules)


def _rule(record: dict[str, Any], code: str) -> DeclaredRule:
    return DeclaredRule(
        record.get("code", code),
        record["name"],
        record["message"],
        Severity.parse(record.get("severity", "error")),
        _match(record.get("match", {})),
        _patterns(record["allow"]) if "allow" in record else None,
        _patterns(record["deny"]) if "deny" in record else None,
    )


def _restricts(rule: DeclaredRule) -> bool:
    match = rule.match
    parts = (match.name, match.dtype, match.shape, match.attributes, rule.allow, rule.deny)
    return any(part not in (None, ()) for part in parts)


def _match(record: dict[str, Any]) -> NodeCondition:
    words = {key: _patterns(record[key]) for key in ("format", "dialect", "op", "name", "dtype") if key in record}
    attributes = tuple((key, _patterns(value)) for key, value in record.get("attribute", {}).items())
    shape = tuple(_pattern(size) for size in record["shape"]) if "shape" in record else None
    return NodeCondition(**words, shape=shape, attributes=attributes)


def _check_match(checker: Checker, record: dict[str, Any], at: tuple[str | int, ...]) -> None:
    formats = all_formats()
    dialects = [dialect.name for format_ in formats.values() for dialect in format_.dialects]
    for key, known in (("format", list(formats)), ("dialect", dialects)):
        words = record.get(key, ())
        for k, word in enumerate([words] if isinstance(words, str) else words):
            if not set("*?[") & set(word):
                checker.name(word, known, key, (*at, key) if isinstance(words, str) else (*at, key, k))
    for place, pattern in _numeric(record):
        if compares_no_number(pattern):
            checker.report((*at, *place), f"expected a number to compare with, got `{pattern}`")
    for k, size in enumerate(record.get("shape", ())[:-1]):
        if size == "...":
            checker.report(
                (*at, "shape", k), "unexpected `...` before the last dimension; it matches all remaining dimensions"
            )


def _numeric(record: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield the patterns that may be comparisons, with their places."""
    for k, size in enumerate(record.get("shape", ())):
        yield ("shape", k), size
    for key, patterns in record.get("attribute", {}).items():
        if isinstance(patterns, list):
            yield from ((("attribute", key, k), pattern) for k, pattern in enumerate(patterns))
        else:
            yield ("attribute", key), patterns


def _patterns(value: Any) -> tuple[str, ...]:
    return tuple(map(_pattern, value)) if isinstance(value, list) else () if value is None else (_pattern(value),)


def _pattern(value: Any) -> str:
    """Return a value as a pattern: numbers are compared, so that 3, 3.0 and "3" are equal."""
    if isinstance(value, bool):
        return "[Tt]rue" if value else "[Ff]alse"
    return f"== {value}" if isinstance(value, (int, float)) else str(value)
