"""Library operations: those of openvino_tokenizers, and those that the configuration declares.

A layer names such an operation by its domain instead of an opset. The reader (2026.4.1) looks for the exact type and domain in the
libraries before it looks in the opsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from irlint.formats.openvino.reading.opsets import LIBRARY_DOMAINS, exact_type, library, opset_names
from irlint.formats.openvino.reading.reader import IrSection
from irlint.operators import Operator, OperatorTable, nearest

LIBRARY = "openvino_tokenizers"
DEFAULT = "extension"  # the domain of an operation whose class names none
OLD = "experimental"  # a domain of the reader's own
_SAMPLES = ("Identity",)  # registered under DEFAULT by OpenVINO's template of an extension; opset16 has one, too
_LEAVES = ("Parameter", "Const", "Result")
_KINDS = {"bool": "boolean", "shape": "partial_shape"}  # words of the configuration -> those of operator tables


class Extensions:
    """The known domains. `open` are those that accept any operation."""

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        options = options or {}
        declared: Mapping[str, Mapping[str, Any]] = options.get("extensions", {})
        self.open = {str(name) for name in options.get("opsets", ())}
        self.open |= {domain for domain, operations in declared.items() if not operations}
        self.declared = {domain: _table(domain, operations) for domain, operations in declared.items() if operations}
        self.proven: set[str] = set()  # domains that have an operation here that no opset has
        self.uses_library = False  # some operation is one of openvino_tokenizers
        self.strangers = False  # some layer names a domain in place of an opset

    def survey(self, sections: Iterable[IrSection]) -> None:
        """Record the domains of a model."""
        for section in sections:
            for type_, domain in {(section.layers[k].type, section.layers[k].version) for k, *_ in section.kinds}:
                if not domain.startswith("opset") or domain in self.declared:
                    self.strangers = True
                    self.uses_library |= domain in LIBRARY_DOMAINS and f"{domain}.{type_}" in library()
                    if exact_type(type_) is None:
                        self.proven.add(domain)

    def operator(self, type_: str, domain: str) -> Operator | None:
        """Return the operation of a declared domain or of the library."""
        if (table := self.declared.get(domain)) is not None and (found := table.get(type_)) is not None:
            return found
        return library().get(f"{domain}.{type_}") if domain in LIBRARY_DOMAINS else None

    def types(self, domain: str) -> list[str]:
        """Return the known operations of a domain."""
        own = library().names if domain in LIBRARY_DOMAINS else ()
        names = [name.partition(".")[2] for name in own if name.startswith(f"{domain}.")]
        return sorted({*names, *(self.declared[domain].names if domain in self.declared else ())})

    def homes(self, type_: str) -> list[str]:
        """Return the domains that have an operation."""
        return [domain for domain in (*self.declared, *LIBRARY_DOMAINS) if self.operator(type_, domain) is not None]

    def meant_type(self, type_: str, domain: str) -> str | None:
        """Return the operation of a domain that a type misspells.

        Other libraries and newer tokenizers have names of their own in its domain: only a single slip counts there.
        """
        found = nearest(type_, self.types(domain))
        if found is None or domain in self.declared or domain not in LIBRARY_DOMAINS:
            return found
        from difflib import SequenceMatcher

        if type_.startswith(found) and not type_[len(found) :].islower():
            return None  # RegexSplitV2
        likeness = SequenceMatcher(None, type_.lower(), found.lower()).ratio()
        return found if likeness >= (0.85 if self.uses_library else 0.9) else None

    def meant_domain(self, type_: str, domain: str) -> str | None:
        """Return the domain of an operation whose version is an opset, a misspelling or an unknown domain."""
        homes = self.homes(type_)
        if (
            len(homes) == 1
            and exact_type(type_) is None
            and (is_opset_like(domain) or domain == OLD or self.uses_library)
        ):
            return homes[0]
        return nearest(domain, homes)

    def is_foreign(self, type_: str, domain: str) -> bool:
        """Return whether an operation belongs to an unknown library and is not a misspelling."""
        if domain in self.open:
            return True
        if domain in self.declared or is_opset_like(domain) or self.operator(type_, domain) is not None:
            return False
        if self.meant_domain(type_, domain) is not None or self.meant_type(type_, domain) is not None:
            return False
        if exact_type(type_) is None:
            return True
        if domain in (DEFAULT, OLD):
            return domain == DEFAULT and type_ in _SAMPLES
        # a library may have an operation of its own under the name of a standard one, but no leaves of the graph
        return domain in self.proven or (type_ not in _LEAVES and nearest(domain, opset_names()) is None)


def is_opset_like(domain: str) -> bool:
    """Return whether a word is an opset or a misspelled one, such as `Opset8` or `opset01`, or no name at all."""
    word = domain.strip().lower()
    if not word[:1].isalpha():
        return True
    return word.startswith("opset") and not any(c.isalpha() for c in word[5:])


def _table(domain: str, records: Mapping[str, Any]) -> OperatorTable:
    return OperatorTable(domain, {"operators": {name: _record(record) for name, record in records.items()}})


def _record(record: Mapping[str, Any]) -> dict[str, Any]:
    return {**record, "attributes": [_attribute(attribute) for attribute in record.get("attributes", ())]}


def _attribute(attribute: Mapping[str, Any]) -> dict[str, Any]:
    """Return an attribute as in operator tables. A library compares texts exactly."""
    if attribute.get("values"):
        return {**attribute, "kind": "enum", "exact": True}
    return {**attribute, "kind": _KINDS.get(attribute["kind"], attribute["kind"])}
