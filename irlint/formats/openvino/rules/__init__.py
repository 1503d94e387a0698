"""Rules that have a meaning in OpenVINO IR only."""
