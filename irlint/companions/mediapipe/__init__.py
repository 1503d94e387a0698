"""Graphs of MediaPipe, which OpenVINO Model Server serves (`graph.pbtxt`)."""
