"""Recognizes, opens and reads .param files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import CERTAIN, LIKELY, Dialect, Format, Head, Options, Recognition
from irlint.rules.base import Model
from irlint.suppressions import Suppression
from irlint.text.base import Document, Place
from irlint.text.patterns import later

if TYPE_CHECKING:
    from irlint.dryrun.mapping import Mapping
    from irlint.ignores import Ignores
    from irlint.text.layers import LayerDocument

_COUNTS = later(r"(?:[0-9]+[ \t\r\n]+)?[0-9]+[ \t]+[0-9]+[ \t]*[\r\n]")
_HEAD = later(r"7767517[ \t\r\n]+[0-9]+[ \t\r\n]+[0-9]+[ \t]*[\r\n][ \t\r\n]*[A-Za-z_#/]")
_LAYER = later(r"^[ \t]*(?P<op>[A-Za-z_][\w.:]*)[ \t]+\S+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]+[^\s=]+", re.MULTILINE)
MAGIC = "7767517"


class NcnnFormat(Format):
    name = "ncnn"
    title = "ncnn param file"
    dialects = (
        Dialect("param", "layers with their blobs and numbered parameters, as ncnn loads them"),
        Dialect("pnnx", "pnnx's graph of PyTorch operators, with named parameters and shapes"),
    )
    extensions = (".param",)
    has_extensions = True
    names_inputs_by_value = True
    side_extensions = (".bin",)

    def recognize(self, head: Head) -> Recognition | None:
        text = head.text.lstrip("\ufeff \t\r\n")
        while text.startswith(("#", "//")):
            text = text.partition("\n")[2].lstrip()
        if text.startswith(MAGIC):
            score = CERTAIN if _HEAD.match(text) else LIKELY
            return Recognition(score, f"it begins with the magic number {MAGIC}", dialect(head.name, text))
        is_named = head.name.lower().endswith(".param")
        if (is_named or _COUNTS.match(text)) and len(_LAYER.findall(text[:20_000])) > 1 - is_named:
            return Recognition(
                LIKELY, "its lines are layers: a type, a name, two counts, blobs", dialect(head.name, text)
            )
        return None

    def is_target(self, version: str) -> bool:
        return re.fullmatch("20[0-9]{6}", version) is not None

    def side_files(self, path: Path, options: Options | None = None) -> list[Path]:
        return [path.with_suffix(".bin")]

    def owners(self, path: Path) -> list[Path]:
        return [path.with_suffix(".param")]

    def checks(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.ncnn.parameters import parameter_problems
        from irlint.formats.ncnn.weights import weight_problems

        document = as_param(model.document)
        assert document is not None
        if model.dialect == "param":
            yield from parameter_problems(model, document)
            yield from weight_problems(model, document)

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        param = as_param(document)
        if param is None or not param.holds("irlint:"):
            return iter(())
        from irlint.formats.ncnn.comments import suppressions

        return suppressions(param)

    def ignores(self, dialect: str) -> Ignores | None:
        from irlint.formats.ncnn.comments import BelowIgnores

        return BelowIgnores()

    def dryrun(self, model: Model) -> Mapping | None:
        from irlint.formats.ncnn.dryrun import mapping_of

        return mapping_of(model)

    def settle(self, model: Model, problems: list[Problem]) -> list[Problem]:
        if model.dialect == "pnnx" and (param := as_param(model.document)) is not None:
            from irlint.formats.ncnn.pnnx import in_header_milder

            in_header_milder(param, problems)
        problems = [problem for problem in problems if not _counts_unknown(model, problem)]
        if model.dialect != "param" or not any(problem.is_error for problem in problems):
            return problems
        from irlint.formats.ncnn.declared import settle

        mapping = self.dryrun(model)
        return problems if mapping is None else settle(model, problems, mapping)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        from irlint.formats.ncnn.candidates import candidates

        return candidates(model, finding)

    def open(self, text: str, name: str) -> Document:
        from irlint.formats.ncnn.codes import R
        from irlint.text.layers import LayerSyntax
        from irlint.text.layers_read import open_text

        return open_text(text, name, LayerSyntax(MAGIC, R.wrong_magic, R.wrong_name_count))

    def dialect_of(self, document: Document) -> Recognition | None:
        param = as_param(document)
        if param is None:
            return None
        known = is_known(param) or (param.count("magic") == int(MAGIC) and has_layers(param))
        return Recognition(CERTAIN, "its lines are layers", dialect(document.name, document.text)) if known else None

    def read(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.ncnn.read import read

        document = as_param(model.document)
        assert document is not None
        yield from read(model, document)


def has_layers(document: LayerDocument) -> bool:
    """Return whether a line is a layer, of whatever type; a .param file may have none yet."""
    is_named = document.name.lower().endswith(".param")
    return any(not row.broken for row in document.rows) or (is_named and not document.rows)


def is_known(document: LayerDocument) -> bool:
    """Return whether most layers are of known types: the magic number may be what is wrong with a file."""
    from irlint.operators import table

    types = Counter(row.op for row in document.rows)
    known = sum(times for op, times in types.items() if op in table("ncnn") or op in table("pnnx"))
    return 2 * known > len(document.rows)


def _counts_unknown(model: Model, problem: Problem) -> bool:
    """Return whether the dry run misses an input that is there, but undefined."""
    if problem.rule.code != "O002" or not isinstance(problem.at, Place) or problem.at.path[1:] != ("op",):
        return False
    return any(source[0] < 0 for source in model.graph.nodes[int(problem.at.path[0])].inputs)


def as_param(document: Document) -> LayerDocument | None:
    from irlint.text.layers import LayerDocument

    return document if isinstance(document, LayerDocument) else None


def dialect(name: str, text: str) -> str:
    """Return the dialect: pnnx names its operators after those of PyTorch."""
    if name.lower().endswith((".pnnx.param", ".ncnn.param")):
        return name.lower().split(".")[-2].replace("ncnn", "param")
    types = _LAYER.findall(text[:20_000])  # pnnx leaves what it cannot convert in files for ncnn as well
    return "pnnx" if sum("." in type_ for type_ in types) * 2 > len(types) else "param"


FORMAT = NcnnFormat()
