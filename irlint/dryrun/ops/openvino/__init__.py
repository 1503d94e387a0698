"""OpenVINO's own operators."""
