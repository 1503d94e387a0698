"""Pipelines of diffusers in ONNX or OpenVINO: `model_index.json` names the folders of their parts."""
