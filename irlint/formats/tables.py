"""A format that is a syntax, a reader and an operator table: what one of a plug-in need not say again."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from irlint.checks.grammar import PLAIN, Grammar
from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import Dialect, Format, Head, Recognition
from irlint.formats.navigation import DEFAULT, Navigation
from irlint.graph import Graph
from irlint.rules.base import Model
from irlint.text.base import Document

if TYPE_CHECKING:
    from irlint.dryrun.mapping import Mapping
    from irlint.operators import OperatorTable
    from irlint.repairs.graph_site import GraphSite


class TableFormat(Format):
    """Its parts are attributes of the class; `site` says how repairs are written, None if there are none."""

    syntax: ClassVar[type[Document]]
    operators: ClassVar[OperatorTable]
    words: ClassVar[Grammar] = PLAIN
    mapping: ClassVar[Mapping | None] = None
    answers: ClassVar[Navigation] = DEFAULT
    site: ClassVar[type[GraphSite] | None] = None

    def __init_subclass__(cls) -> None:
        cls.dialects = vars(cls).get("dialects", (Dialect(cls.name, cls.title),))

    @abstractmethod
    def graph(self, document: Document) -> Graph:
        """Return the graph of a document, also where it has errors."""

    def open(self, text: str, name: str) -> Document:
        return self.syntax(text, name)

    def dialect_of(self, document: Document) -> Recognition | None:
        return self.recognize(Head(document.name, document.text))

    def read(self, model: Model) -> Iterator[Problem]:
        model.operators, model.graph = self.operators, self.graph(model.document)
        return iter(())

    def grammar(self) -> Grammar:
        return self.words

    def dryrun(self, model: Model) -> Mapping | None:
        return self.mapping

    def navigation(self) -> Navigation:
        return self.answers

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        if self.site is None:
            return iter(())
        from irlint.repairs.graph_site import candidates

        return candidates(self.site, model, finding)
