"""C201 mxnet-version."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class MxnetVersion(Rule):
    """
    What it does
        Checks for a missing, invalid or future `mxnet_version`.

    Why is this bad
        The loader converts a file according to its version. It treats a file without a version as one of MXNet 0.8,
        and reads a newer file without conversion. From 1000000 on, it reads no attributes, and the graph cannot run.

        With `--target mxnet=1.5`, a file of a newer release is reported.

    Example
        ```json
        "attrs": {"mxnet_version": ["int", 1000000]}
        ```

    Use instead
        ```json
        "attrs": {"mxnet_version": ["int", 10901]}
        ```
    """

    row = R.mxnet_version
    formats = ("nnvm",)
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(symbol(("10901", "1000000")), "nnvm:mxnet", "1000000"),
        Example(symbol(("10901", "20000")), "nnvm:mxnet", "20000"),
        Example(symbol(("10901", "-1")), "nnvm:mxnet", "-1"),
    )
