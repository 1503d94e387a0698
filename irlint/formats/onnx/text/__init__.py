"""The texts of a model: ONNX's own, protobuf's JSON and text format; read, shown and edited."""
