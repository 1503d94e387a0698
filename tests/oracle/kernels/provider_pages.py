"""Which nodes the execution providers of a release of onnxruntime take, by the pages and registries of its repository.

A node that a provider does not take runs on the CPU. Kernels that are registered for a version of an operator without an end fit this
version alone: onnxruntime takes no kernel for a version of an operator that is newer than it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import onnx

from oracle.kernels.names import type_of

Rule = tuple[str, list[dict[str, Any]] | None]
Show = Callable[[str], str]  # the text of a file of the release; "" if it has none

KERNELS = "docs/OperatorKernels.md"
NNAPI = "tools/ci_build/github/android/nnapi_supported_ops.md"
COREML = "tools/ci_build/github/apple"
QNN = "onnxruntime/core/providers/qnn/builder/op_builder_factory.cc"
XNNPACK = "onnxruntime/core/providers/xnnpack/xnnpack_execution_provider.cc"
_DOMAINS = {"ai.onnx": "", "com.microsoft": "com.microsoft.", "kOnnxDomain": "", "kMSInternalNHWCDomain": ""}

SCHEMAS = {
    (f"{schema.domain}." if schema.domain else "") + schema.name + f"-{schema.since_version}": schema
    for schema in onnx.defs.get_all_schemas_with_history()
    if schema.domain in ("", "ai.onnx.ml")
}
VERSIONS: dict[str, list[int]] = {}
for _key in SCHEMAS:
    VERSIONS.setdefault(_key.rpartition("-")[0], []).append(int(_key.rpartition("-")[2]))
_SPELLED = {name.lower(): name for name in VERSIONS}


def _versions(name: str, first: int, last: int | None, is_open: bool = False) -> Iterator[str]:
    """Yield the versions of an operator that a kernel fits."""
    if name not in VERSIONS:  # onnxruntime's own
        yield f"{name}-{first}"
        return
    for version in VERSIONS.get(name, ()):
        if first <= version and (version == first if last is None and not is_open else version <= (last or version)):
            yield f"{name}-{version}"


def registered(page: str, provider: str) -> dict[str, list[dict[str, Any]]]:
    """Return what a section of OperatorKernels.md lists, by versions of operators: types that are refused."""
    section = re.split(r"\n## ", page.partition(f"## Operators implemented by {provider}")[2])[0]
    found: dict[str, list[dict[str, Any]]] = {}
    domain: str | None = ""
    name = ""
    for line in section.split("\n"):
        cells = [cell.strip() for cell in line.split("|")]
        if (said := re.match(r"\|\*\*Operator Domain:\*\* \*(.+?)\*", line)) is not None:
            domain = _DOMAINS.get(said[1])
        elif len(cells) > 4 and domain is not None and re.fullmatch(r"\[?\d+.*", cells[3]):
            name = cells[1] or name
            bounds = [int(one) for one in re.findall(r"\d+", cells[3])]
            last = bounds[-1] if "+" not in cells[3] else None
            for key in _versions(domain + name, bounds[0], last):
                found[key] = list(_types(cells[4]))
    return found


def _types(text: str) -> Iterator[dict[str, Any]]:
    for part in re.split(r"<br ?/?>", text):
        parameter = re.match(r"\s*\*\*(\w+)\*\* = ", part)
        types = {type_of(one) for one in re.findall(r"(?<![\w(])tensor\(\w+\)", part)}
        if parameter is not None and types:
            yield {f"type {parameter[1]}": {"not": sorted(types)}}


def expanded(page: str) -> Iterator[Rule]:
    """Yield the operators that onnxruntime replaces by those of their functions, as the CPU has no kernel: no provider needs one."""
    of_cpu = registered(page, "CPUExecutionProvider")
    for key, schema in SCHEMAS.items():
        if (schema.has_function or schema.has_context_dependent_function) and key not in of_cpu:
            yield key, []


def _kernels(provider: str) -> Callable[[Show], Iterable[Rule]]:
    return lambda show: registered(show(KERNELS), provider).items()


def _web(path: str, is_open: bool) -> Callable[[Show], Iterable[Rule]]:
    """Read a page of onnxruntime-web: versions by domain, and comments."""

    def rules(show: Show) -> Iterator[Rule]:
        for line in show(path).split("\n"):
            cells = [cell.strip() for cell in line.split("|")]
            for domain, text in re.findall(r"(ai\.onnx|com\.microsoft)\(([\d,+ -]+)\)", line):
                name = _DOMAINS[domain] + cells[1]
                for part in text.split(","):
                    first, last = (re.findall(r"\d+", part) * 2)[:2]
                    end = None if "+" in part else int(last)
                    for key in _versions(name, int(first), end, is_open):
                        yield key, _restricted(key, cells[-2])

    return rules


def _mobile(*paths: str) -> Callable[[Show], Iterable[Rule]]:
    """Read lists of operators without versions; a second list adds those that the first does not have."""

    def rules(show: Show) -> Iterator[Rule]:
        found: dict[str, list[dict[str, Any]]] = {}
        for path in paths:
            for domain, name, note in re.findall(r"^\|(ai\.onnx|com\.microsoft):(\w+)\|(.*?)\|", show(path), re.M):
                key = _DOMAINS[domain] + (_SPELLED.get(name.lower(), name) if domain == "ai.onnx" else name)
                boxes = _restricted(key, note)
                found[key] = boxes if len(boxes) < len(found.get(key, [*boxes, 1])) else found[key]
        yield from found.items()

    return rules


def _qnn(show: Show) -> Iterator[Rule]:
    for name in re.findall(r'Create\w*OpBuilder\("(\w+)"', show(QNN)):
        yield from ((key, []) for key in (name, f"com.microsoft.{name}") if "." in key or name in VERSIONS)


def _xnnpack(show: Show) -> Iterator[Rule]:
    text = show(XNNPACK).partition("function_table[]")[2]
    pattern = r"KERNEL_CREATE_INFO(?:_VERSIONED\((\d+), (\d+)|\((\d+)|_TYPED\((\d+), \w+), (\w+), (\w+)\)"
    for first, last, only, typed, name, domain in re.findall(pattern, text):
        for key in _versions(name, int(first or only or typed), int(last) if last else None):
            yield key, []
        if name not in VERSIONS:
            yield f"com.microsoft.{name}-1", []
        assert domain in (*_DOMAINS, "kDynamicDomainByCreate"), domain


_RANKS = [
    (r"Only 2D (?:Pool|Conv|Resize) is supported", [4]),
    (r"Only 1D/2D Conv is supported", [3, 4]),
    (r"[Oo]nly supports 4-D input", [4]),
]


def _restricted(key: str, note: str) -> list[dict[str, Any]]:
    """Return what a note says of ranks and constant inputs."""
    boxes: list[dict[str, Any]] = [{"rank 0": {"not": ranks}} for pattern, ranks in _RANKS if re.search(pattern, note)]
    schema = SCHEMAS.get(key) or SCHEMAS.get(f"{key}-{max(VERSIONS.get(key, [0]))}")
    names = [one.name for one in schema.inputs] if schema is not None else []
    for inputs in re.findall(
        r"Inputs? ((?:'\w+',?(?: and| or)? ?)+)(?:\(?if present\)? )?(?:should|must) be (?:a )?constants?", note
    ):
        boxes += [{f"input {names.index(one)}": ["given"]} for one in re.findall(r"\w+", inputs) if one in names]
    return boxes


# The title of a provider, the path that its pages have, its rules; whether it takes open lengths.
PROVIDERS: dict[str, tuple[str, str, Callable[[Show], Iterable[Rule]], str | None]] = {
    "coreml": ("Core ML", COREML, _mobile(f"{COREML}/coreml_supported_mlprogram_ops.md", f"{COREML}/coreml_supported_neuralnetwork_ops.md", f"{COREML}/coreml_supported_ops.md"), None),
    "cuda": ("CUDA", KERNELS, _kernels("CUDAExecutionProvider"), None),
    "directml": ("DirectML", KERNELS, _kernels("DmlExecutionProvider"), None),
    "nnapi": ("NNAPI", NNAPI, _mobile(NNAPI), None),
    "qnn": ("QNN", QNN, _qnn, "fixed"),
    "webgpu": ("WebGPU", "js/web/docs/webgpu-operators.md", _web("js/web/docs/webgpu-operators.md", False), None),
    "webnn": ("WebNN", "js/web/docs/webnn-operators.md", _web("js/web/docs/webnn-operators.md", True), "fixed"),
    "xnnpack": ("XNNPACK", XNNPACK, _xnnpack, None),
}  # fmt: skip
