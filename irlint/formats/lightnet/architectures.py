"""What LightNet compiles for: words of compiled files end with one of these names."""

from __future__ import annotations

ARCHITECTURES = ("cpu", "cuda", "cudnn", "tensorrt", "dpu")
