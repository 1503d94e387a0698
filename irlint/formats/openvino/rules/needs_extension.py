"""C302 needs-extension."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class NeedsExtension(Rule):
    """
    What it does
        Names the extension libraries that a model needs, once per file and library.

    Why is this bad
        OpenVINO refuses a model with operations of a library that is not loaded. Every tokenizer and detokenizer of
        openvino_tokenizers has such operations: `import openvino_tokenizers` before the model is read, or
        `core.add_extension(path)`. irlint knows these operations and checks them. Those of other libraries it cannot
        check before they are declared, under `extensions` in `irlint.yaml`; the finding goes away with that. If your
        runtime loads no libraries at all, `severity: {needs-extension: error}` says what it does with such models.

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
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(openvino(('type="SoftMax" version="opset8"', 'type="MySoftMax" version="my_domain"')), "openvino", "my_domain"),
    )  # fmt: skip
