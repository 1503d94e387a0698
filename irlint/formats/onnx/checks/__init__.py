"""Rules of ONNX that look at one node at a time."""
