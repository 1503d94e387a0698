"""C302 needs-extension."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class NeedsExtension(Rule):
    """
    What it does
        Checks for extension libraries that a model requires. Each library is reported once per file.

    Why is this bad
        OpenVINO refuses a model with operators from a library that is not loaded. Every tokenizer and detokenizer of
        openvino_tokenizers has such operators: run `import openvino_tokenizers` before you read the model, or call
        `core.add_extension(path)`. irlint checks the operators of openvino_tokenizers. To check those of another library,
        declare them under `extensions` in `irlint.yaml`; the library is then no longer reported. If your runtime does not
        load libraries at all, set `severity: {needs-extension: error}`.

    Example
        ```xml
        <layer id="3" name="classes" type="MySoftMax" version="my_domain">
        ```

    Use instead
        ```yaml
        extensions:
          my_domain:
            MySoftMax: {inputs: 1, outputs: 1, attributes: {axis: int}, shape: "S/T -> S/T"}
        ```
    """

    row = R.needs_extension
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(openvino(('type="SoftMax" version="opset8"', 'type="MySoftMax" version="my_domain"')), "openvino", "my_domain"),
    )  # fmt: skip
