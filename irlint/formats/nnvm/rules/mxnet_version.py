"""C201 mxnet-version."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class MxnetVersion(Rule):
    """
    What it does
        Finds a missing, impossible or future `mxnet_version`.

    Why is this bad
        The loader converts a file according to its age: without a version it counts as one of MXNet 0.8, a newer one is read as
        it stands, and from 1000000 on no attribute is read at all, so that the graph cannot run.

        With `--target mxnet=1.5`, a file that is newer than that release is reported.

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
