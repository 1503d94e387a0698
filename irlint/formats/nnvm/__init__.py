"""NNVM graph JSON: classic NNVM graphs, MXNet symbols of every era, TVM graph-executor files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import Format, Head, Options, Recognition
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.rules import R
from irlint.rules.base import Model
from irlint.suppressions import Suppression
from irlint.text.base import Document, Place

if TYPE_CHECKING:
    from irlint.causes import Causes
    from irlint.dryrun.mapping import Mapping
    from irlint.formats.nnvm.state import NnvmState
    from irlint.settings.ignores import Ignores
    from irlint.targets.base import ComparedTarget

_SIGNS = (R.self_reference, R.index_out_of_range, R.output_out_of_range, R.arg_nodes)


class NnvmFormat(Format):
    name = "nnvm"
    shown = 4
    relint_cost = 5.0
    taken = frozenset((R.output_out_of_range.code, R.duplicate_name.code))  # names lead to weights
    targets = ("mxnet", "tvm")
    packages = {"mxnet": "mxnet", "mxnet-cu112": "mxnet"}
    title = "NNVM graph JSON (MXNet symbols, TVM graph executor)"
    dialects = dialects.DIALECTS
    extensions = (".json",)
    side_extensions = (".params",)
    declaring = {"dtype": "__dtype__", "shape": "__shape__"}
    edges = ("R208",)
    roles = {
        **dict.fromkeys(("inputs", "arg_nodes", "heads", "node_row_ptr", "storage_id"), "link"),
        **dict.fromkeys(("dltype", "shape"), "type"),
    }
    reading_tells = "TROADWGCX"
    types_tell = "OADC"

    def recognize(self, head: Head) -> Recognition | None:
        return dialects.recognize(head)

    def open(self, text: str, name: str) -> Document:
        from irlint.formats.nnvm.reading.dmlc import OPTIONS
        from irlint.text.json.document import JsonDocument

        return JsonDocument.parse(text, name, options=OPTIONS)

    def dialect_of(self, document: Document) -> Recognition | None:
        from irlint.text.json.document import JsonDocument

        assert isinstance(document, JsonDocument)
        return dialects.dialect_of(document.value)

    def state(self) -> NnvmState:
        from irlint.formats.nnvm.state import NnvmState

        return NnvmState()

    def read(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.nnvm.reading.read import read

        return read(model)

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        if model.dialect == dialects.TVM or not any(_may_be_shifted(problem) for problem in problems):
            return iter(())
        from irlint.formats.nnvm.passes import node_shift

        return node_shift.problems(model)

    def causes(self, model: Model) -> Causes:
        from irlint.causes import Causes
        from irlint.formats.nnvm.causes import ROWS, GraphLookup

        return Causes(GraphLookup(model), ROWS)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        from irlint.formats.nnvm.candidates import candidates

        return candidates(model, finding)

    def checks(self, model: Model) -> Iterator[Problem]:
        return iter(())  # `read` has judged the nodes

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        from irlint.formats.nnvm.suppress import suppressions
        from irlint.text.json.document import JsonDocument

        assert isinstance(document, JsonDocument)
        return suppressions(document)

    def ignores(self, dialect: str) -> Ignores | None:
        from irlint.formats.nnvm.suppress import AttributeIgnores

        return AttributeIgnores() if dialect in (dialects.MXNET, dialects.LEGACY) else None

    def compared(self, model: Model) -> Sequence[ComparedTarget]:
        from irlint.formats.nnvm.passes.releases import releases
        from irlint.targets.base import ComparedTarget

        is_symbol = model.dialect in (dialects.MXNET, dialects.LEGACY)
        return [ComparedTarget("mxnet", "MXNet", releases(), "source")] if is_symbol else []

    def target_trouble(self, name: str, version: str) -> str | None:
        from irlint.formats.nnvm.passes.releases import target_trouble

        return target_trouble(name, version)

    def side_files(self, path: FilePath, options: Options | None = None) -> list[FilePath]:
        from irlint.formats.nnvm.reading.beside import beside

        named = (options or {}).get("weights")
        found = FilePath(named) if named else beside(path)
        return [found] if found else []

    def owners(self, path: FilePath) -> list[FilePath]:
        from irlint.formats.nnvm.reading.beside import owners

        return owners(path)

    def dryrun(self, model: Model) -> Mapping | None:
        if model.operators is None:
            return None  # TVM graphs hold compiled functions, of which nothing is known
        from irlint.formats.nnvm.dryrun import mapping_of

        return mapping_of(model)


def _may_be_shifted(problem: Problem) -> bool:
    """Return whether a node of the outermost graph refers to one that cannot be meant."""
    return problem.rule in _SIGNS and not (isinstance(problem.at, Place) and "subgraphs" in problem.at.path)


FORMAT = NnvmFormat()
