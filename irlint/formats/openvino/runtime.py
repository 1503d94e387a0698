"""OpenVINO, which runs IRs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.formats.runtime import NamedArray, Runtime, by_names


class OpenVinoRuntime(Runtime):
    package = "openvino"

    def outputs(self, path: str, inputs: Sequence[NamedArray]) -> list[NamedArray]:
        core = self.module().Core()
        model = core.read_model(path)
        compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        fed = {k: array for k, port in enumerate(model.inputs) for array in by_names(_names(port), inputs).values()}
        found = compiled(fed)
        return [NamedArray(_names(port), found[k]) for k, port in enumerate(model.outputs)]


def _names(port: Any) -> tuple[str, ...]:
    return (*sorted(port.names), port.node.friendly_name)


RUNTIME = OpenVinoRuntime()
