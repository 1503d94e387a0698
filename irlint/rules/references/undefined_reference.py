"""R001 undefined-reference."""

from __future__ import annotations

from collections.abc import Iterable

from irlint.codes import R
from irlint.findings import Fix, Problem
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet
from irlint.text.base import Document, Place

_CUT = '"tensors_in": [{"arg_name": "src", "name": "image"}]'


class UndefinedReference(Rule):
    """
    What it does
        Checks for names and numbers that refer to a tensor, node or layer that the file does not define.

    Why is this bad
        The loader cannot connect the operator: it refuses the file, or crashes.

    Example
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "imgae"}]}
        ```
        where the tensor is named `image`.

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "image"}]}
        ```

    Fix safety
        Unsafe: the most similar name is used instead, which is a guess.
    """

    row = R.undefined_reference
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet((_CUT, '"tensors_in": [{"arg_name": "src", "name": "imgae"}]')), "lightnet", '"imgae"', LIGHTNET
        ),
        Example(lightnet((_CUT, '"tensors_in": [{"arg_name": "src", "name": "weights"}]')), "lightnet", '"weights"'),
    )

    @classmethod
    def problem(
        cls, at: Place, who: str, what: str, name: str, known: Iterable[str] = (), node: str | None = None
    ) -> Problem:
        """`who` (such as "slice 'cut'") refers to a `what` ("tensor") called `name`, which is not among the `known` ones."""
        from irlint.operators import nearest

        meant = nearest(name, list(known))
        message = f"undefined {what} {name!r} in the inputs of {who}"
        if meant is None:
            return Problem(R.undefined_reference, at, message, node)

        def fix(document: Document) -> Fix:
            return Fix(f"Replace with {meant!r}", document.write(at, meant), "unsafe")

        return Problem(R.undefined_reference, at, f"{message}; did you mean {meant!r}?", node, fix)
