"""ONNX's and its contrib domains' own operators."""
