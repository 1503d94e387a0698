"""What formats have in common whose files are lists of layers: recognition by how types are named, comments, weights beside the file."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import CERTAIN, LIKELY, Format, Head, Options, Recognition, by_name
from irlint.rules.base import Model
from irlint.suppressions import Suppression
from irlint.text.base import Document
from irlint.tools import later

if TYPE_CHECKING:
    from irlint.settings.ignores import Ignores
    from irlint.text.layers.document import LayerDocument

MAGIC = "7767517"
_COUNTS = later(r"(?:[0-9]+[ \t\r\n]+)?[0-9]+[ \t]+[0-9]+[ \t]*[\r\n]")
_HEAD = later(rf"{MAGIC}[ \t\r\n]+[0-9]+[ \t\r\n]+[0-9]+[ \t]*[\r\n][ \t\r\n]*[A-Za-z_#/]")
_LAYER = later(r"^[ \t]*(?P<op>[A-Za-z_][\w.:]*)[ \t]+\S+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]+[^\s=]+", re.MULTILINE)
_ARRAY = later(r"[ \t]-233[0-9]{2}=")
_ENOUGH = 20_000  # characters by which a file is recognized


class LayerFormat(Format):
    """A format whose operator table has its own name; `dotted`: whether its types are named like those of Python modules."""

    dotted: bool
    extensions = (".param",)
    side_extensions = (".bin",)
    names_inputs_by_value = True

    @abstractmethod
    def read_layers(self, model: Model, document: LayerDocument) -> Iterator[Problem]:
        """Fill the graph; report what is wrong before any layer's own parameters are looked at."""

    def recognize(self, head: Head) -> Recognition | None:
        text = head.text.lstrip("\ufeff \t\r\n")
        while text.startswith(("#", "//")):
            text = text.partition("\n")[2].lstrip()
        has_magic = text.startswith(MAGIC)
        is_named = head.name.lower().endswith(".param")
        if not (has_magic or is_named or _COUNTS.match(text)) or not self._is_own(head.name, text):
            return None
        if has_magic:
            score = CERTAIN if _HEAD.match(text) else LIKELY
            return Recognition(score, f"it begins with the magic number {MAGIC}")
        if len(_LAYER.findall(text[:_ENOUGH])) > 1 - is_named:
            return Recognition(LIKELY, "its lines are layers: a type, a name, two counts, blobs")
        return None

    def _is_own(self, name: str, text: str) -> bool:
        """Return whether a list of layers is of this format, by the end of its name (MODEL.FORMAT.param) or else its types. A name
        does not count where no type is as the format's are."""
        text = text[:_ENOUGH]
        types = _LAYER.findall(text)
        dotted = sum("." in type_ for type_ in types)
        other = by_name(name.lower().removesuffix(".param").rpartition(".")[2])
        if isinstance(other, LayerFormat) and name.lower().endswith(".param"):
            if dotted == (0 if other.dotted else len(types)) and len(types) > 1:
                return other is not self
            return other is self
        return (dotted * 2 > len(types) and not _ARRAY.search(text)) == self.dotted

    def dialect_of(self, document: Document) -> Recognition | None:
        layers = as_layers(document)
        if layers is None or not self._is_own(document.name, document.text):
            return None
        is_known = layers.count("magic") == int(MAGIC) and _has_layers(layers)
        if not is_known:  # the magic number may be what is wrong with a file
            from irlint.operators import table

            known = table(self.name)
            types = Counter(row.op for row in layers.rows)
            is_known = 2 * sum(times for op, times in types.items() if op in known) > len(layers.rows)
        return Recognition(CERTAIN, "its lines are layers") if is_known else None

    def open(self, text: str, name: str) -> Document:
        from irlint.text.layers.read import open_text

        return open_text(text, name, MAGIC)

    def read(self, model: Model) -> Iterator[Problem]:
        document = as_layers(model.document)
        assert document is not None
        return self.read_layers(model, document)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        from irlint.formats.layers_site import LayerSite
        from irlint.repairs.graph_site import candidates

        return candidates(LayerSite, model, finding)

    def side_files(self, path: Path, options: Options | None = None) -> list[Path]:
        return [path.with_suffix(".bin")]

    def owners(self, path: Path) -> list[Path]:
        return [path.with_suffix(".param")]

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        layers = as_layers(document)
        if layers is None or "irlint:" not in layers.text:
            return iter(())
        from irlint.formats.layers_comments import suppressions

        return suppressions(layers)

    def ignores(self, dialect: str) -> Ignores | None:
        from irlint.formats.layers_comments import BelowIgnores

        return BelowIgnores()


def _has_layers(document: LayerDocument) -> bool:
    """Return whether a line is a layer, of whatever type; a file of the right name may have none yet."""
    is_named = document.name.lower().endswith(".param")
    return any(not row.broken for row in document.rows) or (is_named and not document.rows)


def as_layers(document: Document) -> LayerDocument | None:
    from irlint.text.layers.document import LayerDocument

    return document if isinstance(document, LayerDocument) else None
