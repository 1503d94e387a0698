"""Layers and the objects in their arguments against the table: classes, modules, arguments, words; and what runs code."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, Subject, asking
from irlint.checks.operator_check import OperatorCheck
from irlint.checks.operators import problems
from irlint.codes import RuleRow, Severity
from irlint.findings import Problem
from irlint.formats.keras.evidence import is_object
from irlint.formats.keras.grammar import GRAMMAR
from irlint.formats.keras.read import operator_name
from irlint.formats.keras.rules import R
from irlint.operators import Operator, OperatorTable, nearest
from irlint.rules.base import Model
from irlint.text.base import Path, Place

_ROOTS = ("keras", "tf_keras", "builtins")
_INNER = frozenset(("src", "engine", "python", "api", "_tf_keras"))  # modules whose content differs between releases
_CATEGORIES = {
    "initializers": "initializer",
    "regularizers": "regularizer",
    "constraints": "constraint",
    "dtype_policies": "dtype policy",
}
_MODELS = ("Sequential", "Functional", "Model")


def check(model: Model) -> Iterator[Problem]:
    """Yield what is wrong with every object, each once, however often its layer is called."""
    assert model.operators is not None
    seen = set[tuple[str, Any]]()
    odd = {id(node) for graph in model.graph.walk() for node in graph.nodes if node.op not in model.operators}
    model.silent |= odd  # of which `_objects` says more
    for found in (problems(model, GRAMMAR), _objects(model.operators, model.document.root_value())):
        for problem in found:
            if problem.rule == R.output_out_of_range and isinstance(problem.at, Place):
                problem.at = Place((*problem.at.path[:-1], 2))
            if (key := (problem.rule.code, problem.at)) not in seen:
                seen.add(key)
                yield problem
    model.silent -= odd


def _objects(table: OperatorTable, root: Any) -> Iterator[Problem]:
    """Yield what is wrong with the objects of a document, from the outermost on."""
    waiting: list[tuple[Any, Path]] = [(root, ())] if isinstance(root, dict | list) else []
    while waiting:
        value, path = waiting.pop()
        if path == ("config", "dtype"):
            continue  # that of a model, which Keras does not read
        if is_object(value):
            yield from Object(table, value, path).problems()
        elif isinstance(value, dict) and not _is_layer(path):
            yield from _incomplete(value, path)
        listed = value.items() if isinstance(value, dict) else enumerate(value)
        waiting += reversed([(one, (*path, key)) for key, one in listed if isinstance(one, dict | list)])


def _incomplete(value: dict[str, Any], path: Path) -> Iterator[Problem]:
    """Yield the problem of an object without its class, which Keras reads as a dictionary."""
    if "class_name" not in value and "config" in value and "registered_name" in value:
        yield Problem(R.missing_key, Place(path, "open"), "missing required key `class_name`")


def _is_layer(path: Path) -> bool:
    """Return whether a layer is at a path: one of a model, or an argument of another layer."""
    return (
        not path
        or (len(path) > 1 and path[-2] in ("layers", "cells"))
        or path[-1] in ("layer", "backward_layer", "cell")
    )


class Object:
    """A class with its arguments."""

    def __init__(self, table: OperatorTable, value: dict[str, Any], path: Path) -> None:
        self.table, self.path, self.word = table, path, str(value["class_name"])
        self.config = value["config"] if isinstance(value["config"], dict) else {}
        self.module, self.registered = value.get("module"), value.get("registered_name")
        parts = self.module.split(".") if isinstance(self.module, str) else []
        self.is_inner = not _INNER.isdisjoint(parts)
        self.is_foreign = parts[:1] != [] and parts[0] not in _ROOTS
        told = parts[-1:] or [f"{str(path[-1]).rpartition('_')[2]}s" if path else ""]
        self.category = next((one for one in told if one in _CATEGORIES), "")
        if path[-1:] == ("dtype",):
            self.category = "dtype_policies"
        self.key = f"{self.category}.{self.word}" if self.category else operator_name(value)
        name = self.config.get("name")
        who = f"{self.word} {name!r}" if isinstance(name, str) else self.word
        self.subject = Subject(who, name if isinstance(name, str) else None, self.place)

    def place(self, part: str) -> Place:
        word, _, key = part.partition(":")
        if word in ("attr", "attr_key"):
            return Place((*self.path, "config", key), "key" if word == "attr_key" else "value")
        if word == "attrs":
            return Place((*self.path, "config"), "key")
        return Place((*self.path, "module" if part == "module" else "class_name"))

    def problems(self) -> Iterator[Problem]:
        yield from self._code()
        known = self.table.get(self.key)
        for fault in (*self._module(), *(() if known is None else self._arguments())):
            yield GRAMMAR.problem(self.subject, fault)
        if (
            known is None
            and (self.category or _is_layer(self.path))
            and not self.is_foreign
            and self.word != "TFSMLayer"
        ):
            yield from self._unknown()

    def _module(self) -> Iterator[Fault]:
        if not isinstance(self.module, str) or self.is_inner or self.module in (modules := self.table.raw["modules"]):
            return
        meant = nearest(self.module, modules)
        shown = self.module[:60]
        if meant is not None or not self.is_foreign:
            # Keras 2 does not read the modules of a configuration that `to_json` wrote
            severity = Severity.WARNING if self.table.name == "keras-2" else None
            message = f"unknown module `{shown}` of `{self.word[:40]}`"
            yield _asking(R.unknown_operator, "module", message, meant, severity=severity)
        else:
            message = f"`{self.word[:40]}` of the module `{shown}` is not part of Keras; a loader needs it in `custom_objects`"
            yield Fault(R.foreign_class, "module", message, None)

    def _arguments(self) -> Iterator[Fault]:
        """Yield what is wrong with the arguments, but for layers that are nodes of the graph; those with words as values here."""
        operator = self.table.get(self.key)
        assert operator is not None
        if self.category or (_is_layer(self.path) and self.path and self.path[-2] != "layers"):
            yield from OperatorCheck(GRAMMAR, operator, self.config).attributes()
        yield from (
            fault
            for key, word in self.config.items()
            if isinstance(word, str)
            for fault in self._word(key, word, operator)
        )

    def _word(self, key: str, word: str, operator: Operator) -> Iterator[Fault]:
        """Yield what is wrong with a word that means an activation, an initializer, a type and so on."""
        attribute = operator.attributes.get(key)
        category = "dtypes" if key == "dtype" else str(attribute.facts.get("of", "")) if attribute is not None else ""
        words = _words(self.table, category)
        if category and ">" not in word and word not in words:
            meant = nearest(word, words)
            is_own = (
                meant is None and category != "dtypes" and self.table.name == "keras-2"
            )  # perhaps in `custom_objects`
            message, severity = f"unknown value `{word[:40]}` for `{key}` of", Severity.WARNING if is_own else None
            yield _asking(R.value_not_in_enum, f"attr:{key}", message, meant, "", severity)

    def _unknown(self) -> Iterator[Problem]:
        """Yield the problem of a class that the table does not have: one of Keras, unless it is registered under another name."""
        is_own = ">" in self.word or ">" in str(self.registered)
        meant = None if is_own else nearest(self.word, self._names())
        if is_own or (meant is None and not isinstance(self.module, str)):
            message = f"`{self.word[:40]}` is not part of Keras; a loader needs it in `custom_objects`"
            yield GRAMMAR.problem(self.subject, Fault(R.foreign_class, "op", message, None))
        elif meant is not None or not self.is_inner:
            what = _CATEGORIES.get(self.category, "layer")
            fault = _asking(R.unknown_operator, "op", f"unknown {what} `{self.word[:60]}`", meant)
            yield GRAMMAR.problem(self.subject, fault)

    def _names(self) -> list[str]:
        """Return the classes of which this may be a misspelled one."""
        category = self.category or ("ops" if ".ops" in str(self.module) else "")
        start = f"{category}." if category else ""
        found = (one.removeprefix(start) for one in self.table.names if one.startswith(start)) if self.path else _MODELS
        return [one for one in found if "." not in one]

    def _code(self) -> Iterator[Problem]:
        """Yield the problem of a layer that brings code, or loads another model."""
        function = self.config.get("function")
        if self.word == "TFSMLayer":
            message = "TFSMLayer loads the SavedModel at a path of this file, and runs it"
            yield Problem(R.code_in_model, self.place("op"), message)
        elif self.word == "__lambda__" or (self.word == "Lambda" and isinstance(function, list) and function):
            at = self.place("op") if self.word == "__lambda__" else Place((*self.path, "config", "function"))
            message = (
                "the function of a Lambda layer is compiled Python code of this file; Keras 3 refuses it in safe mode"
            )
            yield Problem(R.code_in_model, at, message)


@cache
def _words(table: OperatorTable, category: str) -> tuple[str, ...]:
    return tuple(table.raw["words"].get(category, ()))


def _asking(
    rule: RuleRow, part: str, message: str, meant: str | None, rest: str | None = None, severity: Severity | None = None
) -> Fault:
    """Return the fault of a word that Keras does not have, with the one that was meant."""
    better = NO_VALUE if meant is None else meant
    return Fault(rule, part, message, rest, better, severity, meant=meant, hint=asking(meant))
