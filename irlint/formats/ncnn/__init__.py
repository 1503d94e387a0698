"""ncnn: networks as lists of layers with numbered parameters (.param)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.findings import INFERRED, Problem
from irlint.formats.base import Dialect
from irlint.formats.layers import LayerFormat, as_layers
from irlint.rules.base import Model

if TYPE_CHECKING:
    from irlint.causes import Causes
    from irlint.dryrun.mapping import Mapping
    from irlint.targets.base import ComparedTarget
    from irlint.text.layers.document import LayerDocument


class NcnnFormat(LayerFormat):
    name = "ncnn"
    numbers_ends = True
    shown = 3
    roles = {**dict.fromkeys(("inputs", "counts", "layers", "blobs"), "link"), "outputs": "name"}
    relint_cost = 10.0
    taken = frozenset((R.duplicate_definition.code,))  # the last one counts
    open_edges = (R.undefined_reference.code, "R501")  # a blob that nothing computes, or that is freed too early
    title = "ncnn param file"
    dialects = (Dialect("param", "layers with their blobs and numbered parameters"),)
    dotted = False
    packages = {"ncnn": "ncnn"}
    has_extensions = True

    def compared(self, model: Model) -> Sequence[ComparedTarget]:
        from irlint.operators import table
        from irlint.targets.base import ComparedTarget

        return [ComparedTarget("ncnn", "ncnn", [str(release) for release in table("ncnn").raw["releases"]], "source")]

    def target_trouble(self, name: str, version: str) -> str | None:
        from irlint.formats.ncnn.arguments import PACKAGE
        from irlint.operators import table

        known, version = [str(release) for release in table("ncnn").raw["releases"]], version.removeprefix(PACKAGE)
        if version in known or (version > known[-1] and re.fullmatch("20[0-9]{6}", version)):
            return None
        nearest = max((one for one in known if one[: len(version)] <= version), default=known[0])
        return f"{name} has no release {version!r}; releases are dates, such as {nearest}"

    def read_layers(self, model: Model, document: LayerDocument) -> Iterator[Problem]:
        from irlint.formats.ncnn.read import read

        return read(model, document)

    def checks(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.ncnn.parameters import parameter_problems
        from irlint.formats.ncnn.weights import weight_problems

        document = as_layers(model.document)
        assert document is not None
        yield from parameter_problems(model, document)
        yield from weight_problems(model, document)

    def dryrun(self, model: Model) -> Mapping | None:
        from irlint.formats.ncnn.dryrun import mapping_of

        return mapping_of(model)

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        mapping = self.dryrun(model) if any(problem.kind == INFERRED for problem in problems) else None
        if mapping is not None:
            from irlint.formats.ncnn.declared import declared_problems

            yield from declared_problems(model, mapping)

    def causes(self, model: Model) -> Causes:
        from irlint.causes import Causes
        from irlint.formats.ncnn.causes import ROWS, LayerLookup

        return Causes(LayerLookup(model), ROWS)


FORMAT = NcnnFormat()
