"""pnnx: graphs of PyTorch operators with named parameters (.pnnx.param)."""

from irlint.formats.pnnx.format import FORMAT

__all__ = ["FORMAT"]
