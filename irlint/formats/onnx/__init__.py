"""ONNX: models as protobuf (.onnx), in ONNX's textual form and as JSON."""

from irlint.formats.onnx.format import FORMAT

__all__ = ["FORMAT"]
