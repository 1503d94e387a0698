"""Check one node's attributes and number of inputs against its operator; equal nodes of a file are checked once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from irlint.checks.fault import asking
from irlint.codes import RuleRow
from irlint.findings import Safety, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes import counts
from irlint.formats.nnvm.passes.issue import Issue
from irlint.formats.nnvm.passes.runtime import run_issues
from irlint.formats.nnvm.passes.wording import code, codes
from irlint.formats.nnvm.reading.values import EMPTY, NO_INTEGER, NO_NUMBER, NO_TUPLE, BadValue, default, read
from irlint.operators import Attribute, Operator, OperatorTable
from irlint.records import NamedTuple
from irlint.text.words import count

MOVED = RuleRow("", "moved")  # not a rule: a key such as weight_lr_mult, for which the caller has to find an input
ADDED = RuleRow("", "added")  # not a rule: inputs that the loader adds, whose names the caller has to check
HIDDEN = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage")  # MXNet 1.0 and later: __key__

_CANONICAL_BOOL = frozenset(("True", "False", "None"))
_UNSAFE: Safety = "unsafe"


class Examination(NamedTuple):
    issues: tuple[Issue, ...]
    outputs: counts.Outputs
    inputs: counts.ExpectedInputs | None


class LoaderBehavior(NamedTuple):
    """What the loader does with a file of this age."""

    moves_hidden_keys: bool = False  # renames keys such as lr_mult to __lr_mult__, on the node or on an input
    adds_inputs: bool = False  # creates variables for inputs that are missing at the end
    parses: bool = True  # reads attributes
    drops_unused: bool = False  # removes nodes that no head depends on before it reads attributes
    drops_last_axis: bool = False  # drops axis="-1" of argmax and argmin, which then reduce over all axes


def is_hidden(key: str) -> bool:
    """Return whether a key has the form __x__: these are free for any use, and all loaders ignore them."""
    return len(key) > 4 and key.startswith("__") and key.endswith("__")


def only_texts(values: Iterable[Any]) -> None:
    """Raise TypeError unless all attributes and operator names are strings."""
    if not all(type(value) is str for value in values):
        raise TypeError("expected a string")


class Examiner:
    """A check of nodes against one operator table, as a loader of one era does it."""

    def __init__(self, table: OperatorTable, era: LoaderBehavior) -> None:
        self.table = table
        self.era = era
        self.known: dict[tuple[Any, ...], Examination | None] = {}

    def __call__(self, op: str, given: int, attrs: Mapping[str, str]) -> Examination | None:
        """Return None for an operator that the table does not have."""
        key = (op, given, *attrs, *attrs.values())
        if key in self.known:
            return self.known[key]
        only_texts((op, *attrs.values()))
        operator = self.table.get(op)
        found = None if operator is None else self._examine(operator, given, attrs)
        self.known[key] = found
        return found

    def _examine(self, operator: Operator, given: int, attrs: Mapping[str, str]) -> Examination:
        values: dict[str, Any] = {}
        issues = list(self._names(operator, attrs))
        if not operator.facts.get("ignores_attributes"):
            for name, attribute in operator.attributes.items():
                if name in attrs:
                    found = _value(attribute, attrs[name], values)
                    issues += found if attribute.kind != "shape" else _doubted(operator, attribute, attrs, found)
            _rename(operator, values)
            if all(issue.severity is not None for issue in issues):
                issues += _relations(operator, attrs, values)
                issues += run_issues(operator, attrs, values)

        def value(name: str) -> Any:
            if name not in values:
                values[name] = default(operator.attributes[name])
            return values[name]

        broken = any(issue.severity is None for issue in issues)
        expected = None if broken else counts.inputs(operator, value)
        if expected is not None:
            issues += self._arity(operator, expected, given, attrs, value)
        return Examination(
            tuple(issues), counts.Outputs(None, None) if broken else counts.outputs(operator, value), expected
        )

    def _names(self, operator: Operator, attrs: Mapping[str, str]) -> Iterator[Issue]:
        facts, known = operator.facts, operator.attributes
        missing = [a.name for a in known.values() if a.required and a.name not in attrs]
        free = facts.get("free_attributes")  # custom code reads them
        surplus = [] if free else [key for key in attrs if key not in known and not is_hidden(key)]
        if facts.get("ignores_attributes"):
            yield from self._ignored(surplus)
            return
        if len(surplus) > 1 and (strangers := self._of_another(operator, attrs, surplus)):
            text = f"unknown attributes {codes(strangers, 6)} for"
            yield Issue(R.unknown_attribute, "op", text, rest="; other operators take them")
            return
        for key in surplus:
            if facts.get("ignores_unknown"):
                text = f"attribute `{key}` has no effect on"
                yield Issue(R.ignored_attribute, f"attr_key:{key}", text, severity=Severity.WARNING)
            elif not self._is_left(operator, key):
                yield _unknown(operator, key, attrs, missing, surplus)
            elif self._moved(key) and key not in HIDDEN:
                yield Issue(MOVED, f"attr_key:{key}", "", severity=Severity.INFO)
        for key in missing:
            yield Issue(R.missing_attribute, "attrs", f"missing required attribute `{key}` for", missing=key)

    def _ignored(self, surplus: list[str]) -> Iterator[Issue]:
        for key in surplus:
            if not self._moved(key):
                text, rest = f"attribute `{key}` has no effect on", ", which takes no attributes"
                yield Issue(R.ignored_attribute, f"attr_key:{key}", text, rest=rest, severity=Severity.PEDANTIC)

    def _of_another(self, operator: Operator, attrs: Mapping[str, str], surplus: list[str]) -> list[str]:
        """Return the attributes that only other operators take, if they are the majority of the node's attributes."""
        from irlint.formats.nnvm.passes.meant import are_known

        strangers = [key for key in surplus if not self._is_left(operator, key)]
        strange = set(strangers)
        own = [key for key in attrs if key in strange or (key in operator.attributes and not is_hidden(key))]
        if len(strangers) < 2 or 2 * len(strangers) <= len(own) or operator.facts.get("ignores_unknown"):
            return []
        return strangers if are_known(self.table, strangers) else []

    def _is_left(self, operator: Operator, key: str) -> bool:
        """Return whether the loader accepts an attribute that the operator does not have."""
        return self._moved(key) or bool(operator.facts.get("keeps_hidden") and self._hidden_like(key))

    def _moved(self, key: str) -> bool:
        """Return whether the loader moves a key of old files elsewhere."""
        return self.era.moves_hidden_keys and any(key == h or key.endswith("_" + h) for h in HIDDEN)

    def _hidden_like(self, key: str) -> bool:
        """Return whether a key begins or ends like a hidden one; older operators ignore these in old files."""
        return self.era.moves_hidden_keys and (key.startswith(HIDDEN) or key.endswith(HIDDEN))

    def _arity(
        self,
        operator: Operator,
        expected: counts.ExpectedInputs,
        given: int,
        attrs: Mapping[str, str],
        value: counts.Value,
    ) -> Iterator[Issue]:
        wanted = len(expected.names)
        if given == wanted or (expected.open and given >= wanted):
            return
        if self._adds(operator, expected, given):
            yield Issue(ADDED, "inputs", " ".join(expected.names[given:]), severity=Severity.INFO)
            return
        severity = Severity.WARNING if _is_unchecked(operator, given, wanted) else None
        least = "at least " if expected.open else ""
        if (by := expected.counted_by) is not None and by in attrs:
            text, rest = f"expected {least}{count(wanted, 'input')} for", f" (`{by}` is {value(by)}), got {given}"
            better = _count_for(operator, by, given, value)
            yield Issue(R.wrong_input_count, f"attr:{by}", text, better, severity=severity, late=True, rest=rest)
            return
        names = ", ".join(expected.names[:8]) + (", ..." if wanted > 8 else "")
        text = f"expected {least}{count(wanted, 'input')}{f' ({names})' if names else ''} for"
        deciding: tuple[str, ...] = ()
        part, better, port = _switch(operator, given, attrs, value) or (None, None, None)
        if part is None:
            part = f"input:{wanted}" if given > wanted else "inputs"
            deciding = tuple(sorted({n for port in operator.inputs for n in port.facts.get("when", {}) if n in attrs}))
        yield Issue(
            R.wrong_input_count,
            part,
            text,
            better,
            severity=severity,
            port=port,
            late=True,
            deciding=deciding,
            rest=f", got {given}",
        )

    def _adds(self, operator: Operator, expected: counts.ExpectedInputs, given: int) -> bool:
        """Return whether the loader makes variables for the inputs that are missing at the end."""
        is_named = not (expected.counted_by or operator.facts.get("unnamed_inputs"))
        return self.era.adds_inputs and is_named and 0 < given < len(expected.names)


def _is_unchecked(operator: Operator, given: int, wanted: int) -> bool:
    """Return whether the runtime takes another number of inputs."""
    facts = operator.facts
    fact = "surplus_ignored" if given > wanted else "missing_ignored" if given else "count_ignored"
    return bool(facts.get("count_ignored") or facts.get(fact))


def _rename(operator: Operator, values: dict[str, Any]) -> None:
    """Move the values of former names to the current ones; in MXNet 1.9.1 the former name wins if both are given."""
    for name, attribute in operator.attributes.items():
        if name in values and (today := attribute.facts.get("renamed")) is not None:
            values[today] = values[name]


def _unknown(operator: Operator, key: str, attrs: Mapping[str, str], missing: list[str], strangers: list[str]) -> Issue:
    part = f"attr_key:{key}"
    text = f"unknown attribute `{key}` for" if key else "attribute without a name for"
    if bare := next((h for h in HIDDEN if key == h), None):
        rest = f"; MXNet 1.0 and later spell it `__{bare}__`"
        return Issue(R.unknown_attribute, part, text, f"__{bare}__", "safe", rest=rest)
    from irlint.formats.nnvm.passes.meant import meant

    found = meant(operator, key, attrs, missing, len(strangers) == 1)
    if found is not None:
        rest, misspelled = "", True
        if found.name in missing:
            missing.remove(found.name)
            if found.by_value:
                rest, misspelled = f"; did you mean `{found.name}`, which is required?", False
        hint = asking(found.name) if misspelled else ""
        return Issue(
            R.unknown_attribute, part, text, found.name, found.safety, rest=rest, hint=hint, misspelled=misspelled
        )
    known = [name for name, attribute in operator.attributes.items() if "renamed" not in attribute.facts]
    one_of = "one of " * (len(known) > 1)
    rest = f"; expected {one_of}{codes(known, 6)}" if known else "; it takes no attributes"
    return Issue(R.unknown_attribute, part, text, remove=not missing, rest=rest)


def _value(attribute: Attribute, text: str, values: dict[str, Any]) -> Iterator[Issue]:
    name, part = attribute.name, f"attr:{attribute.name}"
    try:
        value = values[name] = read(attribute, text)
    except BadValue as bad:
        yield _misspelt(attribute, text, bad.reason)
        return
    if attribute.kind == "bool":
        if text not in _CANONICAL_BOOL:
            better = "None" if value is None else "True" if value else "False"
            note = "Python's bool() returns True for it" if not value else "some readers accept only `True` and `False`"
            rest = f", got {code(text)}; {note}"
            yield Issue(
                R.bool_string,
                part,
                f"expected `{better}` for `{name}` of",
                better,
                "safe",
                Severity.PEDANTIC,
                rest=rest,
            )
        return
    yield from _bounds(attribute, text, value)


def _misspelt(attribute: Attribute, text: str, reason: str) -> Issue:
    from irlint.formats.nnvm.keys.repair import repair

    name, part = attribute.name, f"attr:{attribute.name}"
    fixed = repair(attribute, text)
    better, safety = (fixed.text, fixed.safety) if fixed else (None, _UNSAFE)
    rule = {"bool": R.bool_string, "enum": R.value_not_in_enum}.get(attribute.kind, R.wrong_attribute_type)
    if "does not fit" in reason or "out of range" in reason:
        rule, safety = R.value_out_of_range, _UNSAFE
    if attribute.kind == "enum":
        message = f"unknown value {code(text)} for `{name}` of" if text else f"empty value for `{name}` of"
        rest, hint = ("", asking(better)) if fixed else (f"; {reason}", "")
    else:
        expected = reason if attribute.kind == "bool" else f"expected {_KINDS[attribute.kind]}"
        message = f"{expected} for `{name}` of"
        rest, hint = f", got {code(text)}", ""
        if attribute.kind != "bool" and reason not in (NO_INTEGER, NO_NUMBER, NO_TUPLE, EMPTY):
            rest += f"; {reason}"
    is_needed = attribute.required or "ranks" in attribute.facts
    is_empty = fixed is None and text.strip() in ("", "None")
    return Issue(rule, part, message, better, safety, remove=is_empty and not is_needed, rest=rest, hint=hint)


def _doubted(
    operator: Operator, attribute: Attribute, attrs: Mapping[str, str], issues: Iterator[Issue]
) -> Iterator[Issue]:
    """Make repairs of tuples unsafe where other attributes require another length."""
    for issue in issues:
        if issue.better is not None and not _fits(operator, attribute, attrs, issue.better):
            issue = issue._replace(
                safety=_UNSAFE, better=_repeated(operator, attribute, attrs, issue.better) or issue.better
            )
        yield issue


def _repeated(operator: Operator, attribute: Attribute, attrs: Mapping[str, str], text: str) -> str | None:
    """Return a tuple that repeats one number as often as the related tuples require."""
    from irlint.formats.nnvm.keys.repair import tuple_text

    try:
        value = read(attribute, text)
    except BadValue:
        return None
    if not isinstance(value, tuple) or len(set(value)) != 1:
        return None
    longer = (tuple_text(value[:1] * rank) for rank in (2, 3) if rank > len(value))
    return next((found for found in longer if _fits(operator, attribute, attrs, found)), None)


def _fits(operator: Operator, attribute: Attribute, attrs: Mapping[str, str], text: str) -> bool:
    """Return whether the length of a tuple is allowed by itself and together with the related tuples."""
    known = {**attrs, attribute.name: text}
    for name, other in operator.attributes.items():
        beside = other.facts.get("rank_of")
        if attribute.name not in (name, beside):
            continue
        rank = _rank_of(other, known)
        ranks = other.facts.get("ranks")
        if (ranks and rank not in ranks) or (
            beside and rank not in (0, _rank_of(operator.attributes[beside], known)) and name in known
        ):
            return False
    return True


def _rank_of(attribute: Attribute, attrs: Mapping[str, str]) -> int:
    try:
        return _rank(read(attribute, attrs.get(attribute.name, attribute.default or "()")))
    except BadValue:
        return -1


_KINDS = {
    "int": "an integer", "long": "an integer", "uint": "an integer", "ulong": "an integer", "float": "a number",
    "double": "a number", "shape": "a tuple such as `(1, 1)`", "ints": "a tuple such as `(1, 1)`",
    "slice": "a tuple such as `(0, None)`", "floats": "a tuple of numbers such as `(0.5, 1.0)`",
    "shapes": "a tuple of tuples such as `((0, 0), (1, 1))`", "char": "one character", "string": "text",
    "pointer": "a pointer",
}  # fmt: skip


def _bounds(attribute: Attribute, text: str, value: Any) -> Iterator[Issue]:
    facts, name, part = attribute.facts, attribute.name, f"attr:{attribute.name}"
    if isinstance(value, (int, float)):
        low, high = facts.get("min"), facts.get("max")
        if (low is not None and value < low) or (high is not None and value > high):
            from irlint.formats.nnvm.keys.repair import without_sign

            if low is not None and high is not None:
                wanted = f"{low} to {high}"
            else:
                wanted = f"at least {low}" if low is not None else f"at most {high}"
            yield Issue(
                R.value_out_of_range,
                part,
                f"expected {wanted} for `{name}` of",
                without_sign(attribute, text),
                rest=f", got {code(text)}",
            )
        elif attribute.kind in ("uint", "ulong") and text.lstrip().startswith("-") and value:
            message, rest = f"expected at least 0 for `{name}` of", f", got {code(text)}; the loader reads {value}"
            yield Issue(R.lossy_number, part, message, severity=Severity.WARNING, rest=rest)
    elif facts.get("nonzero") and isinstance(value, tuple) and 0 in value:
        yield Issue(R.value_out_of_range, part, f"expected nonzero numbers for `{name}` of", rest=f", got {code(text)}")


def _relations(operator: Operator, attrs: Mapping[str, str], values: Mapping[str, Any]) -> Iterator[Issue]:
    """Yield tuples whose length is wrong by itself or differs from that of a related tuple."""
    for name, attribute in operator.attributes.items():
        if (issue := _wrong_length(attribute, attrs.get(name), values)) is not None:
            yield issue
            return
        other = attribute.facts.get("rank_of")
        if other is None or name not in attrs:
            continue
        wanted = _rank(values.get(other))
        if _rank(values.get(name)) not in (0, wanted):
            declared = f" {attrs[other]}" if other in attrs else ""
            text = f"expected {count(wanted, 'number') if wanted >= 0 else 'another length'} for `{name}` of"
            rest = f" (`{other}`{declared}), got {code(attrs[name])}"
            better = _repeated(operator, attribute, attrs, attrs[name]) if "ranks" not in attribute.facts else None
            deciding = (other,) if other in attrs else ()
            yield Issue(R.wrong_value_length, f"attr:{name}", text, better, deciding=deciding, rest=rest)


def _wrong_length(attribute: Attribute, given: str | None, values: Mapping[str, Any]) -> Issue | None:
    """Return what is wrong with a tuple that may have only some lengths."""
    ranks, unless, name = attribute.facts.get("ranks"), attribute.facts.get("ranks_unless", {}), attribute.name
    if ranks is None or _rank(values.get(name)) in ranks:
        return None
    if any(values.get(other, False) in allowed for other, allowed in unless.items()):
        return None
    if given is None:
        either = " or ".join(f"`{other}` is {' or '.join(f'`{x}`' for x in v)}" for other, v in unless.items())
        rest = f"; it is required unless {either}" if either else ""
        return Issue(R.missing_attribute, "attrs", f"missing required attribute `{name}` for", missing=name, rest=rest)
    text = f"expected {' or '.join(map(str, ranks))} numbers for `{name}` of"
    return Issue(R.wrong_value_length, f"attr:{name}", text, rest=f", got {code(given)}")


def _rank(value: Any) -> int:
    return len(value) if isinstance(value, tuple) else -1


def _count_for(operator: Operator, by: str, given: int, value: counts.Value) -> str | None:
    """Return the value of a counting attribute that fits the number of inputs."""

    def other(count: int) -> int:
        expected = counts.inputs(operator, lambda name: count if name == by else value(name))
        return len(expected.names) if expected else -1

    least = max(operator.attributes[by].facts.get("min", 0), 0)
    apart = other(least + 1) - (fewest := other(least))
    count = least + (given - fewest) // apart if apart > 0 else least
    return str(count) if count >= least and other(count) == given else None


def _switch(
    operator: Operator, given: int, attrs: Mapping[str, str], value: counts.Value
) -> tuple[str, str, str] | None:
    """Return the attribute that would make the inputs fit with another value: its part, that value, and the input."""
    for port in operator.inputs:
        for name in port.facts.get("when", {}):
            attribute = operator.attributes[name]
            if attribute.kind != "bool":
                continue
            flipped = not value(name)

            def other(asked: str, name: str = name, flipped: bool = flipped) -> Any:
                return flipped if asked == name else value(asked)

            expected = counts.inputs(operator, other)
            if expected and not expected.open and len(expected.names) == given:
                return (f"{'attr' if name in attrs else 'absent'}:{name}", "True" if flipped else "False", port.name)
    return None
