"""ncnn: networks as lists of layers with numbered parameters (.param)."""

from irlint.formats.ncnn.format import FORMAT

__all__ = ["FORMAT"]
