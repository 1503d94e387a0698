"""LightNet's JSON IR: source files, and the compiled files that LightNet writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import Dialect, Format, Head, Recognition
from irlint.rules.base import Model
from irlint.suppressions import Suppression
from irlint.text.base import Document

if TYPE_CHECKING:
    from irlint.causes import Causes
    from irlint.dryrun.mapping import Mapping
    from irlint.formats.lightnet.reading.graph import LightNetState
    from irlint.settings.ignores import Ignores


class LightNet(Format):
    name = "lightnet"
    shown = 6
    naming = ("arg_name", "name")
    roles = {"tensors_in": "link", "tensors_out": "name"}
    title = "LightNet JSON IR"
    dialects = (
        Dialect("source", "model source", "lightnet.schema.json"),
        Dialect("compiled", "compiled and memory-planned model", "lightnet.schema.json"),
    )
    extensions = (".json",)
    relint_cost = 10.0

    def recognize(self, head: Head) -> Recognition | None:
        from irlint.formats.lightnet.reading.evidence import recognize

        return recognize(head)

    def open(self, text: str, name: str) -> Document:
        from irlint.formats.lightnet.reading.loader import LOADER
        from irlint.text.json.document import JsonDocument

        return JsonDocument.parse(text, name, options=LOADER)

    def dialect_of(self, document: Document) -> Recognition | None:
        from irlint.formats.lightnet.reading.evidence import dialect_of

        return dialect_of(document)

    def state(self) -> LightNetState:
        from irlint.formats.lightnet.reading.graph import LightNetState

        return LightNetState()

    def read(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.lightnet.reading.read import read

        return read(model)

    def checks(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.lightnet.passes import check

        return check(model)

    def dryrun(self, model: Model) -> Mapping | None:
        from irlint.formats.lightnet.dryrun import mapping_of

        return mapping_of(model)

    def causes(self, model: Model) -> Causes:
        from irlint.causes import Causes
        from irlint.causes.relations import Lookup
        from irlint.formats.lightnet.causes import ROWS

        return Causes(Lookup(model.document), ROWS)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        if not isinstance(model.document.value_at(()), dict):
            return iter(())
        from irlint.formats.lightnet.repairs import LightNetSite
        from irlint.repairs.graph_site import candidates

        return candidates(LightNetSite, model, finding)

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        from irlint.formats.lightnet.reading.loader import suppressions

        return suppressions(document)

    def ignores(self, dialect: str) -> Ignores:
        from irlint.settings.ignores import CommentIgnores

        return CommentIgnores("//", ("/*",))


FORMAT = LightNet()
