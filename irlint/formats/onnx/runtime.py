"""onnxruntime, which runs ONNX models."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.formats.runtime import NamedArray, Runtime, by_names


class OnnxRuntime(Runtime):
    package = "onnxruntime"

    def outputs(self, path: str, inputs: Sequence[NamedArray]) -> list[NamedArray]:
        runtime = self.module()
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        session = runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        names = [one.name for one in session.get_outputs()]
        found = session.run(names, by_names([one.name for one in session.get_inputs()], inputs))
        return [NamedArray((name,), array) for name, array in zip(names, found, strict=True)]


RUNTIME = OnnxRuntime()
