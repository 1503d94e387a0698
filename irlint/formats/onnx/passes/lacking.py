"""What the releases named by --target lack for a model, by the tables of kernels: measured or published."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.onnx.opsets import opset_of
from irlint.formats.onnx.passes.kernels import measured_problems
from irlint.formats.onnx.passes.published import fallback_problems, published_problems
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.formats.onnx.passes.targets import asked, limits
from irlint.rules.base import Model
from irlint.targets.kernels import kernels
from irlint.text.prototext.messages import Tree


def kernel_problems(model: Model, tree: Tree) -> Iterator[Problem]:
    """Report what the targets refuse of a model whose opsets they know; others are refused for these."""
    opset = opset_of("", usable_imports(tree)) or 0
    for name, version in model.targets.items():
        (text, provider), limit = asked(name, version), limits(name, version)
        table = None if limit is None else kernels(name if provider is None else f"{name}-{provider}")
        release = None if table is None else table.release(text)
        if table is None or limit is None or release is None or opset > (limit.opset or opset):
            continue
        find = fallback_problems if provider else published_problems if table.is_published else measured_problems
        yield from find(model, tree, table, release)
