"""ONNX: models as protobuf (.onnx), in ONNX's textual form and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import CERTAIN, HEAD_SIZE, LIKELY, POSSIBLE, Dialect, Format, Head, Options, Recognition
from irlint.rules.base import Model
from irlint.suppressions import Suppression
from irlint.text.base import Document, Place
from irlint.tools import later

if TYPE_CHECKING:
    from irlint.causes import Causes
    from irlint.dryrun.mapping import Mapping
    from irlint.formats.onnx.external import OnnxState
    from irlint.formats.onnx.text.document import OnnxDocument
    from irlint.settings.ignores import Ignores
    from irlint.targets.base import AgainstTarget, ComparedTarget

# ir_version, then a field of a model. Text decodes bytes above 127 to surrogates or letters.
_BINARY = later(r'\x08[\x01-\x7f][\x12\x1a"(2:BrR\xa2\xca\xd2]')
_TEXT = later(
    r"<[ \t\r\n]*(?:ir_version|opset_import|producer_name|domain)[ \t]*:"
    r'|(?:[A-Za-z_]\w*|"[^"\n]*")[ \t]*\([^{}]*\)[ \t\r\n]*=>[ \t\r\n]*\('
)
_JSON = later(r'(?s)\{.*"(?:irVersion|ir_version|opsetImport|opset_import)"[ \t\r\n]*:')
_COMMENTS = later(r"[\ufeff \t\r\n]*(?:#[^\n]*(?:\n[ \t\r\n]*|\Z))*")
_ASSIGNED = r"[ \t\r\n]*(?:[:{<]|[\"'0-9])"  # a value follows, perhaps without the colon
_PROTOTEXT = later(rf"[A-Za-z_]\w*{_ASSIGNED}")
_OF_MODEL = later(
    r"(?:ir_version|producer_name|producer_version|domain|model_version|doc_string|graph|opset_import|metadata_props|functions)"
    + _ASSIGNED
)
_HEADER = later(r'opset_import[ \t]*:[ \t\r\n]*\[[ \t\r\n]*"')  # of the textual form, though its first sign be missing
_PROTOTEXT_WORDS = later(r"(?:ir_version[ \t]*:|opset_import[ \t]*[:{<]|\bop_type[ \t]*:)")
_FIELDS = frozenset((1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26))  # of a model
_TAGS = frozenset(b"\x08\x12\x1a\x22\x28\x32\x3a\x42\x72\xa2\xca\xd2")  # the first bytes of these fields
_SYNTAXES = {"json": "it is the JSON form of a model", "prototext": "it is a model in protobuf's text format"}
_OWNERS = 64  # models of a folder that are asked whether a file holds their data


# Where nodes come from, as exporters say it in metadata
TRACES = (
    "torch.onnx.class_hierarchy", "torch.onnx.fx_node", "torch.onnx.name_scopes", "torch.onnx.original_node_name", "torch.onnx.stack_trace",
    "torch.export.graph_signature.InputSpec.kind", "torch.export.graph_signature.InputSpec.persistent",
    "torch.export.graph_signature.OutputSpec.kind", "torch.export.ExportedProgram.graph_signature",
    "torch.export.ExportedProgram.range_constraints", "onnxscript.rewriter.rule_name",
)  # fmt: skip


class OnnxFormat(Format):
    name = "onnx"
    shown = 1
    relint_cost = 12.0
    taken = frozenset((R.declared_shape_differs.code,))  # onnxruntime warns
    title = "ONNX model"
    dialects = (
        Dialect("binary", "protobuf, as every tool writes it"),
        Dialect("text", "the textual form of ONNX"),
        Dialect("json", "protobuf's JSON form of a model"),
        Dialect("prototext", "protobuf's text format"),
    )
    extensions = (".onnx", ".onnxtxt", ".onnxtext", ".textproto", ".prototxt", ".pbtxt")
    claimed = (".onnx",)
    side_extensions = (".data", ".onnx_data", ".bin", ".weights")
    takes_weights = False
    holds_metadata = True
    targets = ("onnx", "onnxruntime", "opencv", "opset", "tensorrt")
    packages = {
        "onnxruntime": "onnxruntime",
        "onnxruntime-gpu": "onnxruntime,provider=cuda",
        "onnxruntime-directml": "onnxruntime,provider=directml",
        **dict.fromkeys(("tensorrt", "tensorrt-cu12"), "tensorrt"),
        **dict.fromkeys(("opencv-python", "opencv-python-headless", "opencv", "py-opencv", "libopencv"), "opencv"),
    }
    images = {"nvidia/tritonserver": "onnxruntime,provider=cuda"}
    has_extensions = True
    names_inputs_by_value = True
    own_versions = frozenset(("IR version",))
    provenance = frozenset((
        "domain", "model_version", "doc_string", "author", "company", "converted_by", "converted_from", "date",
        "description", "docs", "license", "model_author", "url", "version", "producer", "args", "irlint",
        "onnx.infer", "onnx.quant.pre_process", "onnxruntime.quant", "olive_version",
    ))  # fmt: skip
    shown_lines = {"binary": "Lines of .onnx files are those of `irlint show FILE`."}
    outer = "Outer"
    naming = ("key", "tensor_name", "name", "domain")
    roles = {
        **dict.fromkeys(("input", "graph value_info"), "link"),
        "output": "name",
        **dict.fromkeys(("type", "dims", "data_type"), "type"),
        **dict.fromkeys(("value", "raw_data", "float_data", "int32_data", "int64_data"), "data"),
        **dict.fromkeys(("double_data", "uint64_data", "string_data", "external_data", "data_location"), "data"),
        **dict.fromkeys(("namespace", *(f"pkg.{name}" for name in TRACES)), "trace"),
    }
    # onnxruntime 1.32 uses the shapes that it infers, and sorts nodes
    runtime_limits = (R.declared_shape_differs.code, R.used_before_defined.code)

    def recognize(self, head: Head) -> Recognition | None:
        is_named = head.name.lower().endswith((".onnx", ".onnxtxt", ".onnxtext"))
        if _BINARY.match(head.text) and is_named:
            return Recognition(LIKELY, "it begins like a model in protobuf")
        text, start = head.text, _beginning(head.text)
        if _TEXT.match(text, start):
            return Recognition(CERTAIN if is_named else LIKELY, "it begins like the textual form of ONNX")
        if text.startswith("{", start):
            is_model = _JSON.match(text, start)
            return Recognition(LIKELY, "it has keys of a model's JSON form", "json") if is_model else None
        if _OF_MODEL.match(text, start) and (is_named or _PROTOTEXT_WORDS.search(text)):
            return Recognition(LIKELY, "it begins like a model in protobuf's text format", "prototext")
        return Recognition(POSSIBLE, "its name ends in .onnx") if is_named and start < len(text) else None

    def open(self, text: str, name: str) -> Document:
        from irlint.formats.onnx.text.document import read_text

        if text.lstrip("\ufeff \t\r\n").startswith("{"):
            from irlint.formats.onnx.text.json_form import read_json

            return read_json(text, name)
        if _PROTOTEXT.match(text, _beginning(text)) and not _HEADER.search(text, 0, HEAD_SIZE):
            from irlint.formats.onnx.text.prototext_form import read_prototext

            return read_prototext(text, name)
        return read_text(text, name)

    def open_bytes(self, data: bytes, name: str) -> Document | None:
        is_named = name.lower().endswith(".onnx")
        if not data or data[0] not in _TAGS or not (is_named or 0 in data[:HEAD_SIZE]):
            return None
        from irlint.formats.onnx.text.document import read_binary
        from irlint.formats.onnx.wire.reader import fields

        there = fields(data)
        is_model = there <= _FIELDS and bool(there & {7, 25})
        return read_binary(data, name) if is_model or is_named else None

    def dialect_of(self, document: Document) -> Recognition | None:
        found = as_onnx(document)
        if found is None:
            return None
        tree, graph = found.tree, found.tree.get("graph", {})
        if found.shows_binary:
            return Recognition(CERTAIN, "it is a model in protobuf", "binary")
        if found.syntax in _SYNTAXES:
            is_model = "graph" in tree and not tree.keys().isdisjoint(("ir_version", "opset_import"))
            return Recognition(CERTAIN, _SYNTAXES[found.syntax], found.syntax) if is_model else None
        if graph.get("node") or graph.get("output") or "ir_version" in tree:
            return Recognition(CERTAIN, "it is the textual form of a graph", "text")
        return None

    def target_trouble(self, name: str, version: str) -> str | None:
        from irlint.formats.onnx.passes.targets import target_trouble

        return target_trouble(name, version)

    def state(self) -> OnnxState:
        from irlint.formats.onnx.external import OnnxState

        return OnnxState()

    def read(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.onnx.read import read

        document = as_onnx(model.document)
        assert document is not None
        model.settled.add(R.empty_name)  # names of nodes are for people
        model.settled |= {R.used_before_defined, R.cycle, R.self_reference} if document.is_damaged else set()
        return read(model, document)

    def checks(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.onnx.passes.order import problems

        document = as_onnx(model.document)
        assert document is not None
        return iter(()) if document.is_damaged else problems(model, document)

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        document = as_onnx(model.document)
        if document is not None and model.types is not None and not any(problem.is_error for problem in problems):
            from irlint.formats.onnx.checks.fixed_batch import fixed_outputs

            yield from fixed_outputs(model)
        if document is not None and model.targets:
            from irlint.formats.onnx.passes.lacking import kernel_problems
            from irlint.formats.onnx.passes.quantization import quantization_problems

            yield from kernel_problems(model, document.tree, model.targets.items())
            yield from quantization_problems(model)

    def compared(self, model: Model) -> Sequence[ComparedTarget]:
        from irlint.formats.onnx.passes.targets import compared

        return compared()

    def against(self, model: Model, name: str, release: str) -> AgainstTarget | None:
        from irlint.formats.onnx.passes.lacking import held

        document = as_onnx(model.document)
        return None if document is None else held(model, document.tree, name, release)

    def causes(self, model: Model) -> Causes:
        from irlint.causes import Causes
        from irlint.formats.onnx.causes import ROWS
        from irlint.formats.onnx.causes_lookup import OnnxLookup

        return Causes(OnnxLookup(model, self.dryrun), ROWS)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        from irlint.formats.onnx.candidates import candidates

        document = as_onnx(model.document)
        return iter(()) if document is None or document.is_damaged else candidates(model, document, finding)

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        found = as_onnx(document)
        if found is None or (found.shows_binary and "metadata_props" not in found.tree):
            return iter(())
        from irlint.formats.onnx.text.suppress import suppressions

        return suppressions(found)

    def ignores(self, dialect: str) -> Ignores | None:
        if dialect in ("text", "prototext"):
            from irlint.settings.ignores import CommentIgnores

            return CommentIgnores("#")
        from irlint.formats.onnx.text.suppress import MetadataIgnores

        return MetadataIgnores()

    def side_files(self, path: Path, options: Options | None = None) -> list[Path]:
        from irlint.files.side_files import SideFile
        from irlint.formats.onnx.external import locations

        names = locations(SideFile(path, None).data[:]) if path.suffix == ".onnx" else ()
        return [path.parent / name for name in names]

    def versions(self, model: Model) -> list[tuple[str, str]]:
        from irlint.formats.onnx.identity import versions

        return [(word, str(version)) for word, _, version in versions(model)]

    def idle_versions(self, model: Model) -> set[str]:
        from irlint.formats.onnx.identity import idle_versions

        return idle_versions(model)

    def defaults(self, model: Model) -> list[str]:
        from irlint.formats.onnx.identity import defaults

        return defaults(model)

    def metadata(self, model: Model) -> dict[str, dict[str, str]]:
        from irlint.formats.onnx.identity import metadata

        return metadata(model)

    def metadata_place(self, model: Model, section: str, key: str, *, is_key: bool = False) -> Place | None:
        from irlint.formats.onnx.identity import metadata_place

        return metadata_place(model, section, key, "key" if is_key else "value")

    def facts(self, model: Model) -> list[tuple[str, str]]:
        tree, versions = _tree(model), [f"{word} {number}" for word, number in self.versions(model)]
        opsets = ", ".join(one.removeprefix("opset ").removeprefix("of ") for one in versions)
        producer = " ".join(filter(None, (tree.get("producer_name"), tree.get("producer_version"))))
        rows = [("opset", opsets), ("IR version", str(tree.get("ir_version", ""))), ("producer", producer)]
        return [(word, text) for word, text in rows if text]

    def owners(self, path: Path) -> list[Path]:
        return sorted(path.parent.glob("*.onnx"))[:_OWNERS]

    def dryrun(self, model: Model) -> Mapping | None:
        from irlint.formats.onnx.dryrun import mapping_of

        document = as_onnx(model.document)
        return None if document is None or document.is_damaged else mapping_of(model, document)


def _beginning(text: str) -> int:
    """Return where the first token of a text is."""
    found = _COMMENTS.match(text)
    assert found is not None
    return found.end()


def _tree(model: Model) -> dict[str, Any]:
    """Return a model as nested dictionaries; empty for another document."""
    document = as_onnx(model.document)
    return {} if document is None else document.tree


def as_onnx(document: Document) -> OnnxDocument | None:
    from irlint.formats.onnx.text.document import OnnxDocument

    return document if isinstance(document, OnnxDocument) else None


FORMAT = OnnxFormat()
