"""ncnn: networks as lists of layers (.param), and pnnx's own graphs (.pnnx.param)."""

from irlint.formats.ncnn.format import FORMAT

__all__ = ["FORMAT"]
