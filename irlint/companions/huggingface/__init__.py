"""Folders of Hugging Face models in ONNX or OpenVINO: `config.json` and what is next to it."""
