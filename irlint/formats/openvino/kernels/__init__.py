"""Layers that releases of OpenVINO do not load: schemas/kernels/openvino-ir.json."""
