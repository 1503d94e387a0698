"""Keras: archives (.keras), and the JSON that `to_json` writes, of Keras 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import Dialect, Format, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document

if TYPE_CHECKING:
    from irlint.checks.grammar import Grammar
    from irlint.dryrun.mapping import Mapping
    from irlint.graph import Graph
    from irlint.text.base import Path


class Keras(Format):
    name = "keras"
    title = "Keras model"
    shown = 4
    dialects = (
        Dialect("keras-3", "a configuration that Keras 3 writes", "keras-3.schema.json"),
        Dialect("keras-2", "a configuration that Keras 2 writes", "keras-2.schema.json"),
    )
    extensions = (".keras", ".json")
    claimed = (".keras",)
    takes_weights = False
    targets = ()
    relint_cost = 10.0
    taken = frozenset((R.declared_shape_differs.code,))
    roles = {"inbound_nodes": "link", "input_layers": "link", "output_layers": "link", "build_config": "type"}

    def recognize(self, head: Head) -> Recognition | None:
        from irlint.formats.keras.evidence import recognize

        return recognize(head)

    def open(self, text: str, name: str) -> Document:
        from irlint.formats.keras.archive import LOADER
        from irlint.text.json.document import JsonDocument

        return JsonDocument.parse(text, name, options=LOADER)

    def open_bytes(self, data: bytes, name: str) -> Document | None:
        if data[:4] != b"PK\x03\x04":
            return None
        from irlint.formats.keras.archive import opened

        return opened(data, name)

    def dialect_of(self, document: Document) -> Recognition | None:
        from irlint.formats.keras.evidence import kind_of

        return kind_of(document.root_value(), document.is_binary)

    def state(self) -> dict[Path, Graph]:
        return {}  # the models that are layers, by path

    def read(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.keras.read import read

        return read(model)

    def checks(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.keras.objects import check

        return check(model)

    def grammar(self) -> Grammar:
        from irlint.formats.keras.grammar import GRAMMAR

        return GRAMMAR

    def dryrun(self, model: Model) -> Mapping | None:
        from irlint.formats.keras.dryrun import KerasMapping

        return KerasMapping(model)

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        if any(problem.is_error for problem in problems):
            return iter(())
        from irlint.formats.keras.built import built_problems

        return built_problems(model)

    def facts(self, model: Model) -> list[tuple[str, str]]:
        from irlint.formats.keras.archive import facts

        return facts(model.document)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        from irlint.formats.keras.grammar import LayerSite
        from irlint.repairs.graph_site import candidates

        return candidates(LayerSite, model, finding)


FORMAT = Keras()
