"""NNVM graph JSON: classic NNVM graphs, MXNet symbols of every era, TVM graph-executor files."""

from irlint.formats.nnvm.format import NnvmFormat

FORMAT = NnvmFormat()
