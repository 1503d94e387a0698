"""Triton Inference Server's `config.pbtxt`: how the server runs a model of its repository."""
