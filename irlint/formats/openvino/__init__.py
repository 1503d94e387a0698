"""OpenVINO IR: a graph in XML with its weights in a .bin file; versions 10 and 11, and versions 1 to 9, which predate opsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.formats.base import CERTAIN, HEAD_SIZE, LIKELY, Dialect, Format, Head, Options, Recognition
from irlint.text.numbers import integer
from irlint.tools import later

if TYPE_CHECKING:
    from irlint.causes import Causes
    from irlint.dryrun.mapping import Mapping
    from irlint.findings import Candidate, Finding, Problem
    from irlint.formats.openvino.state import OpenVinoState
    from irlint.rules.base import Model
    from irlint.settings.ignores import Ignores
    from irlint.suppressions import Suppression
    from irlint.targets.base import AgainstTarget, ComparedTarget
    from irlint.text.base import Document, Place
    from irlint.text.xml.grammar import ElementKind

_BEFORE = (  # the root: instructions, comments, a document type. Each can be read in one way only: no time is lost on others
    r"<\?[^?]*(?:\?(?!>)[^?]*)*\?>",
    r"<!--[^-]*(?:-(?!->)[^-]*)*-->",
    r"<!DOCTYPE[^\[>]*(?:\[[^\]]*(?:\](?!\s*>)[^\]]*)*\]\s*)?>",
)
_ROOT = later(rf"\ufeff?[^<]*(?:(?:{'|'.join(_BEFORE)})[^<]*)*<(?P<root>[A-Za-z_][\w:.-]*)(?P<attributes>[^>]*)")
_VERSION = later(r"""\sversion\s*=\s*["']\s*0*(\d+)(?P<whole>\s*["'])?""")
_SAID = later(r"\bnet\b[^>]*?\bversion\W{1,4}0*(\d+)")  # in a root that need not be whole
_PARTS = later(r"<(?:layers?|edges|rt_info|meta_data|pre-process)\b", re.IGNORECASE)  # road and Petri nets have none
_PROLOGUE = re.compile(r"\ufeff?\s*<")
_JSON = later(r"""\ufeff?\s*(?:\{\s*"|\[\s*[{["])""")


class OpenVino(Format):
    name = "openvino"
    shown = 2
    relint_cost = 2.5
    title = "OpenVINO IR"
    dialects = (
        Dialect("ir11", "IR version 11", "openvino-ir-11.xsd"),
        Dialect("ir10", "IR version 10", "openvino-ir-10.xsd"),
        Dialect("ir7", "IR versions 1 to 9", "openvino-ir-legacy.xsd"),
    )
    extensions = (".xml",)
    side_extensions = (".bin",)
    main_names = ("openvino_model.xml",)  # next to openvino_tokenizer.xml and openvino_detokenizer.xml
    packages = dict.fromkeys(("openvino", "openvino/model_server", "openvino/ubuntu22_runtime"), "openvino")
    has_extensions = True
    provenance = frozenset((
        "mo_version", "runtime_version", "legacy_frontend", "conversion_parameters", "nncf", "optimization",
        "runtime_options", "irlint",
    ))  # fmt: skip
    declaring = {"dtype": "element_type", "shape": "shape"}
    runtime_limits = ("R305",)
    edges = ("R005", "R302", "R304")
    open_edges = ("R301",)  # an input that nothing is connected with
    roles = {
        **dict.fromkeys(("edges", "id", "port_map", "back_edges"), "link"),
        **dict.fromkeys(("names", "output_names", "fused_names_0"), "name"),
        **dict.fromkeys(("dim", "precision"), "type"),
        **dict.fromkeys(("offset", "size"), "data"),
    }

    def recognize(self, head: Head) -> Recognition | None:
        text = head.text
        if not _PROLOGUE.match(text) and ("<net" not in text[:4096] or _JSON.match(text)):
            return None
        found = _ROOT.match(text)
        if found is None:
            return None if head.whole else Recognition(1, "an XML file with a long prologue")
        if found["root"].lower() == "net":
            return _recognized_net(head, found)
        return _recognized_root(text, found["root"])

    def open(self, text: str, name: str) -> Document:
        from irlint.formats.openvino.reading.layout import shortcuts
        from irlint.text.xml.document import XmlDocument

        return XmlDocument(text, name, shortcuts(), lambda: self._grammar(text))

    def _grammar(self, text: str) -> ElementKind:
        """Return what the schema of a text's version allows; a document with `layers` and `edges` is a whole model."""
        from irlint.schema.xsd import grammar

        version = _SAID.search(text[:HEAD_SIZE])
        dialect = _dialect(version[1] if version else None)
        if dialect == "ir7" and 'version="opset' in text[:HEAD_SIZE]:
            dialect = "ir11"
        schema = next(known.schema for known in self.dialects if known.name == dialect)
        return grammar(schema or "", whole=("layers", "edges"))

    def dialect_of(self, document: Document) -> Recognition | None:
        from irlint.formats.openvino.reading.evidence import weigh
        from irlint.text.xml.document import XmlDocument

        assert isinstance(document, XmlDocument)
        root = document.root
        if root is None:
            return None
        version = root.get("version")
        if not (score := weigh(root)):
            return None
        if root.tag.lower() == "net":
            return Recognition(score, f"<net version={version!r}>", _dialect(version))
        return Recognition(score, f"<layers>, though the root element is <{root.tag}>", "ir11")

    def state(self) -> OpenVinoState:
        from irlint.formats.openvino.state import OpenVinoState

        return OpenVinoState()

    def read(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.openvino.passes.order import read

        return read(model)

    def checks(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.openvino.passes.order import checks

        return checks(model)

    def dryrun(self, model: Model) -> Mapping | None:
        from irlint.formats.openvino.dryrun import mapping_of

        return mapping_of(model)

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        from irlint.formats.openvino.passes.order import late_checks, needs_late_checks

        return late_checks(model) if needs_late_checks(model, problems) else iter(())

    def causes(self, model: Model) -> Causes:
        sections = model.state.sections
        if not sections:
            return super().causes(model)
        from irlint.causes import Causes
        from irlint.formats.openvino.causes import ROWS
        from irlint.formats.openvino.causes_lookup import IrLookup

        return Causes(IrLookup(model, sections), ROWS)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        from irlint.formats.openvino.candidates import candidates

        return candidates(model, finding)

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        from irlint.formats.openvino.suppress import suppressions
        from irlint.text.xml.document import XmlDocument

        return suppressions(document) if isinstance(document, XmlDocument) else iter(())

    def ignores(self, dialect: str) -> Ignores:
        from irlint.formats.openvino.suppress import ElementIgnores

        return ElementIgnores()

    def target_trouble(self, name: str, version: str) -> str | None:
        from irlint.formats.openvino.reading.opsets import target_trouble

        return target_trouble(name, version)

    def compared(self, model: Model) -> Sequence[ComparedTarget]:
        from irlint.formats.openvino.kernels.problems import compared

        return compared(model)

    def against(self, model: Model, name: str, release: str) -> AgainstTarget | None:
        from irlint.formats.openvino.kernels.problems import held

        return held(model, release)

    def facts(self, model: Model) -> list[tuple[str, str]]:
        from irlint.formats.openvino.passes.root import lowest_release

        found = lowest_release(model)
        return [("readable by", found)] if found else []

    def metadata(self, model: Model) -> dict[str, dict[str, str]]:
        from irlint.formats.openvino.identity import metadata

        return metadata(model)

    def metadata_place(self, model: Model, section: str, key: str, *, is_key: bool = False) -> Place | None:
        from irlint.formats.openvino.identity import metadata_place

        return metadata_place(model, section, key, "name" if is_key else "@value")

    def side_files(self, path: Path, options: Options | None = None) -> list[Path]:
        return [path.with_suffix(".bin")]

    def owners(self, path: Path) -> list[Path]:
        return [path.with_suffix(".xml")]


def _recognized_net(head: Head, found: re.Match[str]) -> Recognition:
    """Return what a file with root element <net> seems to be."""
    text = head.text
    if head.is_prose(".xml", ("<",)):
        return Recognition(0, "it is text that contains parts of an OpenVINO model")
    version = _VERSION.search(found["attributes"])
    is_whole = version is not None and version["whole"]
    if (head.whole or found.end() < len(text)) and not is_whole and not _PARTS.search(text):
        return Recognition(0, "it is an XML file with root element <net>, but it contains no OpenVINO IR")
    is_marked = version is not None or 'from-layer="' in text
    score = CERTAIN if is_marked and "<layer " in text and ' type="' in text else LIKELY
    return Recognition(score, "the root element is <net>", _dialect(version[1] if version else None))


def _recognized_root(text: str, root: str) -> Recognition | None:
    """Return what a file with another root element seems to be."""
    if "<layers" in text and "<layer " in text and ("<edges" in text or "opset" in text):
        score = CERTAIN if 'version="opset' in text or 'from-layer="' in text else LIKELY
        return Recognition(score, f"<layers> and <layer>, though the root element is <{root}>", "ir11")
    if root.lower() == "html":  # what a page is says more than what it is not
        return None
    return Recognition(0, f"it is an XML file with root element <{root}>; OpenVINO IR has <net>")


def _dialect(version: str | None) -> str:
    if version is None or not version.strip().isdecimal():
        return "ir11"
    number = integer(version)
    return "ir10" if number == 10 else "ir7" if 1 <= number <= 9 else "ir11"


FORMAT = OpenVino()
